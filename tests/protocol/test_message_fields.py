"""Options and settings, and that honest messages fit into their frames."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from attrs import evolve

from guandan_engine.cards import Cards
from guandan_engine.notation import parse_card
from guandan_engine.options import OPTIONS
from guandan_engine.tribute import Gift
from guandan_engine.views import NOTHING_LAID
from guandan_protocol import bounds, codec
from guandan_protocol import message_fields as f
from guandan_protocol import messages as m
from guandan_protocol.errors import BadMessage
from tests.protocol import samples


def test_every_option_of_the_engine_can_be_said() -> None:
    for name, values in OPTIONS.items():
        for value in values:
            options = {name: value}
            assert f.OPTIONS.read(msgpack.unpackb(f.OPTIONS.pack(options))) == options


def test_one_and_true_stay_apart() -> None:
    # Equal for a dictionary, and what was packed is looked up in one.
    for value in (1, True, 0, False, 1, True):
        assert f.OPTIONS.pack({"tribute": value}) == msgpack.packb({"tribute": value})


def test_an_option_of_another_type_has_no_bytes() -> None:
    with pytest.raises(TypeError, match="float is no value of an option"):
        f.OPTIONS.pack({"tribute": 1.0})


@pytest.mark.parametrize("value", [-1, 2**53, "a" * 33, b"", [], {}, 1.5])
def test_what_is_no_value_of_an_option(value: Any) -> None:
    with pytest.raises(BadMessage):
        f.OPTIONS.read({"tribute": value})


def test_settings_have_the_bounds_that_are_documented() -> None:
    def settings(**change: object) -> m.Settings:
        return f.SETTINGS.read(change)

    assert settings() == m.Settings()
    for clock_s in (5, 300, None):
        assert settings(clock_s=clock_s).clock_s == clock_s
    for grace_s in (5, 600):
        assert settings(grace_s=grace_s).grace_s == grace_s
    for bad in ({"clock_s": 4}, {"clock_s": 301}, {"grace_s": 4}, {"grace_s": 601}, {"hints": 1}):
        with pytest.raises(BadMessage):
            f.SETTINGS.read(bad)


# Frames

LONG_NAME = "\U0001f600" * bounds.NAME_CHARS_MAX


def test_the_longest_honest_frame_of_a_client_fits() -> None:
    longest = {name: max(values, key=lambda v: len(str(v))) for name, values in OPTIONS.items()}
    create = m.Create(m.VERSION, LONG_NAME, bytes(16), "national-2017", longest, m.Settings())
    assert len(codec.encode(create)) < 800
    hand = samples.DEALT.hands[0]
    assert len(codec.encode(m.Play(bounds.NUMBER_MAX, hand, None, bounds.NUMBER_MAX))) < 140
    assert bounds.FRAME_BYTES_MAX > 4 * 800


def test_the_longest_welcome_fits() -> None:
    gifts = (Gift(donor=samples.ME, recipient=samples.ME, card=parse_card("SA")),) * 2
    summary = evolve(samples.SUMMARY, number=bounds.HANDS_MAX, gifts=gifts, returns=gifts)
    welcome = evolve(samples.WELCOME, record=(summary,) * bounds.HANDS_MAX)
    frame = codec.encode(welcome)
    assert len(frame) < bounds.SERVER_FRAME_BYTES_MAX
    assert codec.decode_server(frame) == welcome


def test_an_update_at_the_end_of_a_hand_has_its_stated_size() -> None:
    one, two, three, four = samples.DEALT.hands
    public = evolve(
        samples.UPDATE.public,
        played=(one, two, three, four),
        shown=NOTHING_LAID,
        outcome=samples.OUTCOME,
        left=(Cards(), Cards(), Cards(), Cards()),
    )
    update = evolve(samples.UPDATE, public=public)
    assert 1024 < len(codec.encode(update)) < 2048


def test_the_longest_page_of_a_record_fits() -> None:
    text = "张" * bounds.RECORD_PAGE_CHARS_MAX
    page = m.RecordPage(id=1, match=1, page=0, pages=1, text=text)
    assert codec.decode_server(codec.encode(page)) == page
