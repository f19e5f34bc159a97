"""Each seat checks the deal for itself."""

from typing import Any

import pytest
from attrs import evolve

from guandan_cli.fairness import is_honest
from guandan_engine import shuffle
from guandan_engine.cards import NO_CARDS, Rank
from guandan_engine.options import Rules
from guandan_engine.scoring import Standing, settle
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import Dealt, HandEnded

SEED = bytes(range(32))
NONCES = (b"ann", b"", b"li", b"")
HANDS = shuffle.deal(shuffle.hand_key(SEED, NONCES))
OUTCOME = settle(Standing.start(), (Seat(1), Seat(2), Seat(3), Seat(4)), Rules())
ENDED = HandEnded(OUTCOME, (NO_CARDS,) * 4, SEED, NONCES)


def dealt(seat: int | None, **changes: Any) -> Dealt:
    own = None if seat is None else HANDS[seat - 1]
    event = Dealt(1, Rank.TWO, None, shuffle.commitment(SEED), own)
    return evolve(event, **changes)


@pytest.mark.parametrize("seat", SEATS)
def test_an_honest_deal(seat: Seat) -> None:
    assert is_honest(dealt(seat), ENDED, seat, NONCES[seat - 1])
    assert is_honest(dealt(seat), ENDED, seat, None)


def test_a_watcher_checks_the_commitment() -> None:
    assert is_honest(dealt(None), ENDED, None, None)
    assert not is_honest(dealt(None, commitment=bytes(32)), ENDED, None, None)


@pytest.mark.parametrize("bit", range(8))
def test_another_seed_is_found_out(bit: int) -> None:
    seed = bytes([SEED[0] ^ 1 << bit]) + SEED[1:]
    assert not is_honest(dealt(1), evolve(ENDED, seed=seed), Seat(1), None)


def test_other_cards_are_found_out() -> None:
    assert not is_honest(dealt(1, own=HANDS[1]), ENDED, Seat(1), None)


def test_a_nonce_that_was_left_out_or_changed_is_found_out() -> None:
    assert not is_honest(dealt(1), ENDED, Seat(1), b"mine")
    others = evolve(ENDED, nonces=(b"ann", b"", b"", b""))
    assert not is_honest(dealt(1), others, Seat(1), b"ann")


def test_what_cannot_be_computed_is_not_honest() -> None:
    short = b"short"
    event = dealt(1, commitment=shuffle.commitment(short))
    assert not is_honest(event, evolve(ENDED, seed=short), Seat(1), None)
