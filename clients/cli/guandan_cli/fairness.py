"""Was the hand dealt from the seed that was committed to? Checked by each seat for itself."""

from __future__ import annotations

from guandan_engine import shuffle
from guandan_engine.seats import Seat
from guandan_engine.views import Dealt, HandEnded, SeatEvent

__all__ = ["Witness", "is_honest"]


class Witness:
    """Holds the dealer to the commitment, hand by hand."""

    def __init__(self) -> None:
        self.nonce: bytes | None = None
        """What we added to the shuffle of the next hand."""
        self._dealt: tuple[Dealt, bytes | None] | None = None

    def saw(self, event: SeatEvent, seat: Seat | None) -> bool | None:
        """Was the hand that has just ended dealt from its seed? None if that cannot be said now."""
        match event:
            case Dealt():
                self._dealt = event, self.nonce
                self.nonce = None
            case HandEnded() if self._dealt is not None:
                dealt, nonce = self._dealt
                self._dealt = None
                return is_honest(dealt, event, seat, nonce)
            case _:
                pass
        return None


def is_honest(dealt: Dealt, ended: HandEnded, seat: Seat | None, nonce: bytes | None) -> bool:
    """Does the seed, open now, fit the commitment, our nonce and the cards that we were dealt?

    `nonce` is what we added to the shuffle, None if we do not know; a watcher checks the
    commitment alone.
    """
    if not shuffle.matches(dealt.commitment, ended.seed):
        return False
    if seat is None or dealt.own is None:
        return True
    if nonce is not None and ended.nonces[seat - 1] != nonce:
        return False
    try:
        hands = shuffle.deal(shuffle.hand_key(ended.seed, ended.nonces))
    except ValueError:
        return False
    return hands[seat - 1] == dealt.own
