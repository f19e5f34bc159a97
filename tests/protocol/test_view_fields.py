"""What is seen of a match, on the wire: single values, and the law that nothing hidden moves it."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from attrs import evolve

from guandan_engine.cards import CARDS, Rank
from guandan_engine.combos import READINGS
from guandan_engine.events import HandStarted
from guandan_engine.notation import card_text, parse_card, parse_cards, parse_reading
from guandan_engine.order import LEVELS
from guandan_engine.phases import PASSED
from guandan_engine.seats import SEATS, Team
from guandan_engine.views import Laid, private_view, public_view, redact
from guandan_protocol import view_fields as f
from guandan_protocol.codec import encode
from guandan_protocol.errors import BadMessage
from tests.protocol import samples


def wire(kind: Any, value: Any) -> Any:
    return msgpack.unpackb(kind.pack(value))


@pytest.mark.parametrize(
    ("kind", "value", "shown"),
    [
        (f.CARD, parse_card("HT"), "HT"),
        (f.CARD, parse_card("Y"), "Y"),
        (f.CARDS, parse_cards("X S5 HA S5"), ["S5", "S5", "HA", "X"]),
        (f.CARDS, parse_cards(""), []),
        (f.READING, parse_reading("pair-9"), ["pair", "9", 2]),
        (f.READING, parse_reading("bomb-6-K"), ["bomb", "K", 6]),
        (f.READING, parse_reading("joker_bomb"), ["joker_bomb", None, 4]),
        (f.SEAT, SEATS[3], 4),
        (f.LEVEL, Rank.TEN, "T"),
        (f.TEAM, Team.EVEN, "24"),
        (f.SHOWN, None, None),
        (f.SHOWN, PASSED, "pass"),
        (
            f.SHOWN,
            Laid(parse_cards("S9 H2"), parse_reading("pair-9"), (parse_card("H9"),)),
            {"cards": ["H2", "S9"], "reading": ["pair", "9", 2], "shown_as": ["H9"]},
        ),
        (f.GIFT, samples.GIFT, {"donor": 4, "recipient": 1, "card": "SA"}),
    ],
)
def test_how_values_look(kind: Any, value: Any, shown: Any) -> None:
    assert wire(kind, value) == shown
    assert kind.read(shown) == value


def test_every_card_reading_seat_and_level_comes_back() -> None:
    for card in CARDS:
        assert f.CARD.read(card_text(card)) == card
    for one in READINGS:
        assert f.READING.read(wire(f.READING, one)) is one
    for seat in SEATS:
        assert f.SEAT.read(wire(f.SEAT, seat)) == seat
    for level in LEVELS:
        assert f.LEVEL.read(wire(f.LEVEL, level)) is level


def test_cards_are_taken_in_any_order() -> None:
    assert f.CARDS.read(["X", "S5", "HA", "S5"]) == parse_cards("S5 S5 HA X")


@pytest.mark.parametrize("value", ["X", "1", "10", "t", "", None, 5, ["5"]])
def test_what_is_no_level(value: Any) -> None:
    with pytest.raises(BadMessage):
        f.LEVEL.read(value)


@pytest.mark.parametrize("value", ["passed", [], {"cards": ["S5"]}, 0, False])
def test_what_nobody_shows(value: Any) -> None:
    with pytest.raises(BadMessage):
        f.SHOWN.read(value)


def test_cards_that_others_hold_do_not_move_my_bytes() -> None:
    # Seats 1, 3 and 4 hold each other's cards: seat 2 and the watchers are told the same.
    one, mine, three, four = samples.DEALT.hands
    hands = (four, mine, one, three)
    match, deal = samples.DEALT, samples.DEAL_EVENTS[0]
    assert isinstance(deal, HandStarted)
    swapped = evolve(match, hands=hands, deal=evolve(match.deal, hands=hands))
    shuffled = evolve(deal, hands=hands)
    for seat in (samples.ME, None):
        told = [
            encode(
                evolve(
                    samples.UPDATE,
                    events=(redact(event, seat),),
                    public=public_view(now),
                    private=None if seat is None else private_view(now, seat),
                )
            )
            for now, event in ((match, deal), (swapped, shuffled))
        ]
        assert told[0] == told[1]
