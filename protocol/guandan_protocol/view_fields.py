"""The fields of what the engine lets an audience see: cards, readings, views and events."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from guandan_engine.cards import Card, Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.events import (
    CardsReturned,
    HandEnded,
    OpenerDrawn,
    Passed,
    Played,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
)
from guandan_engine.notation import card_text, rank_text
from guandan_engine.order import LEVELS
from guandan_engine.phases import PASSED
from guandan_engine.scoring import Outcome, Standing
from guandan_engine.seats import SEATS, Seat, Team
from guandan_engine.shuffle import NONCE_BYTES_MAX, SEED_BYTES
from guandan_engine.tribute import Gift
from guandan_engine.views import (
    Chosen,
    Dealt,
    HandSummary,
    Laid,
    OnTable,
    PhaseName,
    Private,
    Public,
)
from guandan_protocol.bounds import HAND_CARDS_MAX
from guandan_protocol.errors import BadMessage, describe
from guandan_protocol.fields import (
    FLAG,
    Kind,
    blob,
    choice,
    many,
    mapping,
    number,
    optional,
    record,
    row,
    tagged,
)
from guandan_protocol.pack import (
    CARD_BYTES,
    NIL,
    READING_BYTES,
    READINGS_BY_WIRE,
    pack_cards,
    pack_text,
)

__all__ = [
    "CARD",
    "CARDS",
    "COMMITMENT",
    "EVENT",
    "GIFT",
    "HAND_SUMMARY",
    "LAID",
    "OUTCOME",
    "PRIVATE",
    "PUBLIC",
    "READING",
    "SEAT",
    "STANDING",
]

# Single values

_CARDS_BY_TEXT: Final = {card_text(card): card for card in CARD_BYTES}


def _read_card(value: object) -> Card:
    card = _CARDS_BY_TEXT.get(value) if type(value) is str else None
    if card is None:
        raise BadMessage("", "a card such as S5, HT, X or Y", describe(value))
    return card


CARD: Final = Kind("card", _read_card, CARD_BYTES.__getitem__)


def _read_cards(value: object) -> Cards:
    found = _CARD_LIST.read(value)
    try:
        return Cards.of(found)
    except ValueError:
        raise BadMessage("", "at most two of each card", "a third one") from None


_CARD_LIST: Final = many(CARD, HAND_CARDS_MAX)
CARDS: Final = Kind("cards", _read_cards, pack_cards)


def _read_reading(value: object) -> Reading:
    if type(value) is list and len(value) == 3:
        combo, key, size = value
        # Exact types, for to a dictionary `True` is 1; and an array is no key at all.
        if type(combo) is str and (key is None or type(key) is str) and type(size) is int:
            found = READINGS_BY_WIRE.get((combo, key, size))
            if found is not None:
                return found
    raise BadMessage("", "a reading [type, key, size] that exists", describe(value))


READING: Final = Kind("reading", _read_reading, READING_BYTES.__getitem__)


def _read_seat(value: object) -> Seat:
    if type(value) is not int or value not in SEATS:
        raise BadMessage("", "a seat 1..4", describe(value))
    return Seat(value)


SEAT: Final = Kind("seat", _read_seat, (b"", b"\x01", b"\x02", b"\x03", b"\x04").__getitem__)

_LEVELS_BY_TEXT: Final = {rank_text(rank): rank for rank in LEVELS}


def _read_level(value: object) -> Rank:
    rank = _LEVELS_BY_TEXT.get(value) if type(value) is str else None
    if rank is None:
        raise BadMessage("", "a level, one of 2..9 T J Q K A", describe(value))
    return rank


LEVEL: Final = Kind(
    "level", _read_level, {rank: pack_text(rank_text(rank)) for rank in LEVELS}.__getitem__
)

TEAM: Final = evolve(choice(Team), wire="team")
PHASE: Final = choice(PhaseName)
COUNT: Final = number()
COMMITMENT: Final = blob(0, SEED_BYTES)

_SEAT_LIST: Final = many(SEAT, 4)
_FOUR_SEATS: Final = many(SEAT, 4, least=4)
_LEVEL_BY_TEAM: Final = mapping(Team, LEVEL)
_COUNT_BY_TEAM: Final = mapping(Team, COUNT)
_FOUR_HANDS: Final = many(CARDS, 4, least=4)

# Parts of views

LAID: Final = record(Laid, cards=CARDS, reading=READING, shown_as=many(CARD, HAND_CARDS_MAX))
GIFT: Final = record(Gift, donor=SEAT, recipient=SEAT, card=CARD)
_GIFTS: Final = many(GIFT, 2)
# Drawn: the last of at most 6 jokers and wilds, and one more.
_DRAWN: Final = many(row(CARD, SEAT), 7)

_PASS_BYTES: Final = pack_text(PASSED.value)


def _read_shown(value: object) -> OnTable:
    if value is None:
        return None
    return PASSED if value == PASSED.value else LAID.read(value)


def _pack_shown(value: OnTable) -> bytes:
    if value is None:
        return NIL
    return _PASS_BYTES if value is PASSED else LAID.pack(value)


SHOWN: Final = Kind('nil, "pass" or map `Laid`', _read_shown, _pack_shown)

STANDING: Final = record(
    Standing,
    levels=_LEVEL_BY_TEAM,
    active=LEVEL,
    owner=optional(TEAM),
    misses=_COUNT_BY_TEAM,
)

OUTCOME: Final = record(
    Outcome,
    finish=_FOUR_SEATS,
    winner=TEAM,
    gain=number(1, 4),
    missed=many(TEAM, 2),
    fallen=many(TEAM, 2),
    match_won=FLAG,
    after=STANDING,
)

# Views

PUBLIC: Final = record(
    Public,
    phase=PHASE,
    turn=COUNT,
    asked=_SEAT_LIST,
    hand=COUNT,
    level=LEVEL,
    owner=optional(TEAM),
    levels=_LEVEL_BY_TEAM,
    misses=_COUNT_BY_TEAM,
    counts=many(optional(number(0, HAND_CARDS_MAX)), 4, least=4),
    out=_SEAT_LIST,
    top=optional(READING),
    by=optional(SEAT),
    leader=optional(SEAT),
    shown=many(SHOWN, 4, least=4),
    played=_FOUR_HANDS,
    drawn=_DRAWN,
    owing=many(row(SEAT, SEAT), 2),
    resisted=_SEAT_LIST,
    gifts=_GIFTS,
    returns=_GIFTS,
    outcome=optional(OUTCOME),
    left=optional(_FOUR_HANDS),
)

PRIVATE: Final = record(
    Private,
    hand=CARDS,
    pay=many(CARD, HAND_CARDS_MAX),
    give_back=many(CARD, HAND_CARDS_MAX),
    chosen=optional(CARD),
)

HAND_SUMMARY: Final = record(
    HandSummary,
    number=number(1),
    level=LEVEL,
    owner=optional(TEAM),
    finish=_FOUR_SEATS,
    gain=number(1, 4),
    levels=_LEVEL_BY_TEAM,
    resisted=_SEAT_LIST,
    gifts=_GIFTS,
    returns=_GIFTS,
    match_won=FLAG,
)

# Events

EVENTS: Final = (
    record(
        Dealt,
        tag=True,
        number=number(1),
        level=LEVEL,
        owner=optional(TEAM),
        commitment=COMMITMENT,
        own=optional(CARDS),
    ),
    record(OpenerDrawn, tag=True, drawn=_DRAWN),
    record(TributeResisted, tag=True, holders=_SEAT_LIST),
    record(Chosen, tag=True, seat=SEAT, card=optional(CARD)),
    record(TributePaid, tag=True, gifts=_GIFTS),
    record(CardsReturned, tag=True, returns=_GIFTS),
    record(TimedOut, tag=True, seat=SEAT),
    record(Played, tag=True, seat=SEAT, cards=CARDS, reading=READING),
    record(Passed, tag=True, seat=SEAT),
    record(WentOut, tag=True, seat=SEAT, place=number(1, 3)),
    record(TrickClosed, tag=True, winner=SEAT, leader=SEAT),
    record(
        HandEnded,
        tag=True,
        outcome=OUTCOME,
        left=_FOUR_HANDS,
        seed=blob(SEED_BYTES),
        nonces=many(blob(most=NONCE_BYTES_MAX), 4, least=4),
    ),
)
EVENT: Final = tagged("an event", *EVENTS)
