"""Errors say what was expected and what came, and nothing that could harm."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given, settings

from guandan_protocol.errors import (
    BadMessage,
    QueryRefused,
    SessionEnded,
    Unreachable,
    describe,
)
from guandan_protocol.messages import Refused
from tests.protocol.strategies import plain


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "nil"),
        (True, "true"),
        (False, "false"),
        (-3, "-3"),
        (1.5, "a float"),
        ("give-back", "'give-back'"),
        ("a" * 25, "text of 25 characters"),
        ("new\nline", "text of 8 characters"),
        ("张三", "text of 2 characters"),
        ("", "text of 0 characters"),
        (b"\x00" * 32, "32 bytes"),
        ([[]], "an array of 1"),
        ({"a": 1}, "a map of 1"),
        (msgpack.ExtType(5, b"secret"), "something else"),
    ],
)
def test_what_came_in_a_few_words(value: Any, told: str) -> None:
    assert describe(value) == told


@given(plain)
@settings(deadline=None)
def test_descriptions_are_short_and_harmless(value: Any) -> None:
    told = describe(value)
    assert told.isascii()
    assert told.isprintable()
    assert len(told) <= 30


def test_a_place_is_put_together_from_inside_out() -> None:
    error = BadMessage("", "a card", "nil")
    assert str(error) == "expected a card, got nil"
    error.at("[3]")
    error.at("cards")
    error.at("hint")
    assert str(error) == "hint.cards[3]: expected a card, got nil"


def test_the_others_speak_from_their_fields() -> None:
    assert str(Unreachable("ws://here", "no")) == "ws://here: no"
    assert str(SessionEnded("left", "the seat was left")) == "left: the seat was left"
    refused = Refused(0, "busy", "full house", 100)
    assert str(QueryRefused(refused)) == "busy: full house"
    assert QueryRefused(refused).refused is refused
