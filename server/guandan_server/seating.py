"""Who sits where, and who may say so: the actions that are not about cards.

Every function takes a room and gives the room after it, or raises `Refusal`. `ACTIONS` says which
message is answered by which; `room` asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeVar

from attrs import evolve

from guandan_engine.errors import OptionRefused
from guandan_engine.options import rules
from guandan_engine.seats import SEATS, Seat, seats_from
from guandan_engine.state import new_match
from guandan_protocol import messages as m
from guandan_protocol.messages import Code, Control, Proposal, SeatKind, Stage
from guandan_server.refusals import Refusal
from guandan_server.roomstate import EMPTY_SEAT, RoomState, SeatState

__all__ = ["ACTIONS", "DEFAULT_LEVEL", "bot", "free_seat", "leave", "pass_host", "vacate"]

DEFAULT_LEVEL: Final = "club"
"""Of the bots that fill empty seats and stand in for people."""

_BOT_NAMES: Final = ("Bamboo", "Orchid", "Plum", "Chrysanthemum")
_AT_REST: Final = (Stage.LOBBY, Stage.MATCH_OVER)


def bot(seat: Seat, level: str) -> SeatState:
    return SeatState(kind=SeatKind.BOT, name=_BOT_NAMES[seat - 1], level=level, ready=True)


def free_seat(room: RoomState, wanted: Seat | None) -> Seat:
    """The seat for a newcomer: the wanted one, else an empty one, else a bot's."""
    if wanted is not None:
        if room.seat(wanted).is_person:
            raise Refusal(Code.SEAT_TAKEN, f"seat {wanted} is taken")
        return wanted
    for kind in (SeatKind.EMPTY, SeatKind.BOT):
        for seat in SEATS:
            if room.seat(seat).kind is kind:
                return seat
    raise Refusal(Code.FULL, "all four seats are taken")


def vacate(room: RoomState, seat: Seat) -> RoomState:
    """The room without the seat's person: a bot plays on, or the seat is free before play."""
    playing = room.stage not in _AT_REST
    room = room.with_seat(seat, bot(seat, DEFAULT_LEVEL) if playing else EMPTY_SEAT)
    swaps = tuple([swap for swap in room.swaps if seat not in swap])
    # What somebody proposed lapses with them; what they agreed to, they no longer do.
    lapsed = room.consents[:1] == (seat,)
    consents = () if lapsed else tuple([other for other in room.consents if other != seat])
    proposal = None if lapsed else room.proposal
    room = evolve(room, swaps=swaps, proposal=proposal, consents=consents)
    return pass_host(room, seat)


def pass_host(room: RoomState, seat: Seat, online: Collection[Seat] | None = None) -> RoomState:
    """The room with another host if `seat` was it: the next person in turn order.

    Of those `online`, if given; where none is, the host stays, for a person who is away may return.
    """
    if room.host != seat:
        return room
    people = [heir for heir in seats_from(seat)[1:] if room.seat(heir).is_person]
    if online is None:
        return evolve(room, host=people[0] if people else None)
    heirs = [heir for heir in people if heir in online]
    return evolve(room, host=heirs[0]) if heirs else room


def leave(room: RoomState, seat: Seat, action: m.Leave) -> RoomState:
    del action
    return vacate(room, seat)


def _host_only(room: RoomState, seat: Seat) -> None:
    if room.host != seat:
        raise Refusal(Code.FORBIDDEN, "only the host may do that")


def _at_rest(room: RoomState) -> None:
    if room.stage not in _AT_REST:
        raise Refusal(Code.NOT_NOW, "not while a match is on")


def _ready(room: RoomState, seat: Seat, action: m.Ready) -> RoomState:
    return room.change_seat(
        seat, ready=action.ready, nonce=action.nonce or room.seat(seat).nonce, later=False
    )


def _sit(room: RoomState, seat: Seat, action: m.Sit) -> RoomState:
    _at_rest(room)
    there = action.seat
    if there == seat:
        return evolve(room, swaps=tuple([swap for swap in room.swaps if swap[0] != seat]))
    if room.seat(there).is_person and (there, seat) not in room.swaps:
        others = tuple([swap for swap in room.swaps if swap[0] != seat])
        return evolve(room, swaps=(*others, (seat, there)))
    mine, theirs = room.seat(seat), room.seat(there)
    if theirs.kind is SeatKind.BOT:
        theirs = bot(seat, theirs.level)
    room = room.with_seats({there: mine, seat: theirs})
    host = {seat: there, there: seat}.get(room.host) if room.host in (seat, there) else room.host
    swaps = tuple([swap for swap in room.swaps if seat not in swap and there not in swap])
    # People agreed, not chairs: whoever sits elsewhere now is asked anew.
    return evolve(room, host=host, swaps=swaps, proposal=None, consents=())


def _decline(room: RoomState, seat: Seat, action: m.Decline) -> RoomState:
    asked = (action.seat, seat)
    if asked not in room.swaps:
        raise Refusal(Code.NOT_NOW, f"seat {action.seat} does not ask to swap")
    return evolve(room, swaps=tuple([swap for swap in room.swaps if swap != asked]))


def _add_bot(room: RoomState, seat: Seat, action: m.AddBot) -> RoomState:
    _host_only(room, seat)
    _at_rest(room)
    if room.seat(action.seat).is_person:
        raise Refusal(Code.SEAT_TAKEN, f"a person sits at seat {action.seat}")
    return room.with_seat(action.seat, bot(action.seat, action.level))


def _remove_bot(room: RoomState, seat: Seat, action: m.RemoveBot) -> RoomState:
    _host_only(room, seat)
    _at_rest(room)
    if room.seat(action.seat).kind is not SeatKind.BOT:
        raise Refusal(Code.NOT_NOW, f"no bot sits at seat {action.seat}")
    return room.with_seat(action.seat, EMPTY_SEAT)


def _kick(room: RoomState, seat: Seat, action: m.Kick) -> RoomState:
    _host_only(room, seat)
    _at_rest(room)
    if action.seat == seat or not room.seat(action.seat).is_person:
        raise Refusal(Code.NOT_NOW, f"nobody to send away at seat {action.seat}")
    return vacate(room, action.seat)


def _configure(room: RoomState, seat: Seat, action: m.Configure) -> RoomState:
    _host_only(room, seat)
    _at_rest(room)
    if action.settings.visibility is not room.settings.visibility:
        raise Refusal(Code.BAD_OPTION, "visibility is fixed when the room is made")
    try:
        table = rules(action.preset, action.options)
    except OptionRefused as error:
        raise Refusal(Code.BAD_OPTION, str(error)) from error
    room = evolve(
        room,
        preset=action.preset,
        options=dict(action.options),
        settings=action.settings,
        # Who sends back the clock that was shown has chosen none.
        auto_clock=room.auto_clock and action.settings.clock_s == room.clock_s(),
        # What was agreed to was another table.
        proposal=None,
        consents=(),
    )
    # A finished match keeps the rules that it was played by.
    return evolve(room, match=new_match(table)) if room.stage is Stage.LOBBY else room


def _autopilot(room: RoomState, seat: Seat, action: m.Autopilot) -> RoomState:
    control = Control.AUTOPILOT if action.on else Control.SELF
    return room.change_seat(seat, control=control, pace_ms=action.pace_ms, timeouts=0)


def _set_pace(room: RoomState, seat: Seat, action: m.SetPace) -> RoomState:
    _host_only(room, seat)
    return evolve(room, settings=evolve(room.settings, pace_ms=action.pace_ms))


def _later(room: RoomState, seat: Seat, action: m.Later) -> RoomState:
    if room.stage in _AT_REST:
        raise Refusal(Code.NOT_NOW, "no match is on")
    return room.change_seat(seat, later=action.later)


def _propose(room: RoomState, seat: Seat, action: m.Propose) -> RoomState:
    _host_only(room, seat)
    if room.stage is Stage.LOBBY:
        raise Refusal(Code.NOT_NOW, "no match has been played")
    if action.proposal is Proposal.REMATCH and room.stage is not Stage.MATCH_OVER:
        raise Refusal(Code.NOT_NOW, "the match is not over")
    return evolve(room, proposal=action.proposal, consents=(seat,))


def _consent(room: RoomState, seat: Seat, action: m.Consent) -> RoomState:
    if room.proposal is None:
        raise Refusal(Code.NOT_NOW, "nothing is proposed")
    if not action.agree:
        return evolve(room, proposal=None, consents=())
    if seat in room.consents:
        return room
    return evolve(room, consents=(*room.consents, seat))


A = TypeVar("A")
_Handler = Callable[[RoomState, Seat, Any], RoomState]


def row(
    message: type[A], handler: Callable[[RoomState, Seat, A], RoomState]
) -> tuple[type, _Handler]:
    return message, handler


ACTIONS: Final[Mapping[type, _Handler]] = dict(
    [
        row(m.Ready, _ready),
        row(m.Sit, _sit),
        row(m.AddBot, _add_bot),
        row(m.RemoveBot, _remove_bot),
        row(m.Kick, _kick),
        row(m.Decline, _decline),
        row(m.Configure, _configure),
        row(m.Autopilot, _autopilot),
        row(m.SetPace, _set_pace),
        row(m.Later, _later),
        row(m.Propose, _propose),
        row(m.Consent, _consent),
        row(m.Leave, leave),
    ]
)
"""What each message does to the room. Playing cards is the engine's, starting the room's own."""
