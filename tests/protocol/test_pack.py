"""msgpack written by hand is msgpack, in its shortest form."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guandan_engine.cards import CARDS, FULL_PACK, Cards
from guandan_engine.combos import READINGS
from guandan_engine.notation import card_text, rank_text
from guandan_protocol import pack
from tests.engine.strategies import multisets


@given(st.integers(-32, 2**64 - 1))
@settings(deadline=None)
@example(127)
@example(128)
@example(1023)
@example(1024)
@example(65535)
@example(65536)
@example(2**32)
def test_numbers(n: int) -> None:
    assert pack.pack_int(n) == msgpack.packb(n)


@pytest.mark.parametrize("n", [-33, 2**64])
def test_numbers_that_the_protocol_does_not_have(n: int) -> None:
    with pytest.raises(ValueError, match=str(n)):
        pack.pack_int(n)


@pytest.mark.parametrize("size", [0, 1, 31, 32, 63, 64, 255, 256, 65535, 65536])
def test_text_and_bytes(size: int) -> None:
    assert pack.pack_text("a" * size) == msgpack.packb("a" * size)
    assert pack.pack_bytes(b"a" * size) == msgpack.packb(b"a" * size)


def test_text_is_counted_in_bytes() -> None:
    assert pack.pack_text("张" * 24) == msgpack.packb("张" * 24)


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogate"):
        pack.pack_text("\ud800")


@pytest.mark.parametrize("size", [0, 15, 16, 63, 64, 70_000])
def test_heads(size: int) -> None:
    packer = msgpack.Packer()
    assert pack.array_head(size) == packer.pack_array_header(size)
    assert pack.map_head(size) == packer.pack_map_header(size)


def test_flags() -> None:
    assert pack.pack_flag(True) == msgpack.packb(True)
    assert pack.pack_flag(False) == msgpack.packb(False)


@given(multisets().map(Cards.of))
@settings(deadline=None)
@example(FULL_PACK)
def test_cards_come_by_rank_and_suit(cards: Cards) -> None:
    expected = msgpack.packb([card_text(card) for card in cards])
    assert pack.pack_cards(cards) == expected
    assert pack.pack_cards(cards) == expected, "the second time it is looked up"


def test_single_cards() -> None:
    assert set(pack.CARD_BYTES) == set(CARDS)
    for card, packed in pack.CARD_BYTES.items():
        assert packed == msgpack.packb(card_text(card))


def test_every_reading_has_one_form() -> None:
    assert set(pack.READING_BYTES) == set(READINGS)
    assert len(set(pack.READING_BYTES.values())) == len(READINGS)
    for one, packed in pack.READING_BYTES.items():
        key = None if one.key is None else rank_text(one.key)
        assert packed == msgpack.packb([one.combo.value, key, one.size])
        assert pack.READINGS_BY_WIRE[one.combo.value, key, one.size] is one
