"""Whose word is needed: for a new match, and for a room to go on at all."""

from __future__ import annotations

from collections.abc import Collection

from guandan_engine.seats import Seat
from guandan_protocol.messages import Control, Proposal
from guandan_server.roomstate import RoomState

__all__ = ["agreed", "someone_plays"]


def agreed(room: RoomState, online: Collection[Seat]) -> bool:
    """Has everybody agreed to what is proposed, and is somebody there to play it?

    A new game throws a match away: that needs the word of every person seated, the absent too. For
    a rematch those are enough who are here, or may still come back in time.
    """
    if room.proposal is None:
        return False
    asked = [
        seat
        for seat in room.people()
        if room.proposal is Proposal.NEW_GAME
        or seat in online
        or room.seat(seat).control is not Control.STAND_IN
    ]
    return any(seat in online for seat in asked) and all(seat in room.consents for seat in asked)


def someone_plays(room: RoomState, online: Collection[Seat]) -> bool:
    """Is there a person who is here, or may still come back in time, and wants to play?"""
    return any(
        not room.seat(seat).later
        and (seat in online or room.seat(seat).control is not Control.STAND_IN)
        for seat in room.people()
    )
