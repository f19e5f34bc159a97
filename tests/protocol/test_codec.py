"""Bytes to messages and back: the identity, and what is no message."""

from __future__ import annotations

import struct
from typing import Any, get_args

import msgpack
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guandan_engine import machine, new_match, rules
from guandan_engine.commands import StartHand
from guandan_engine.phases import Waiting
from guandan_engine.seats import SEATS
from guandan_engine.views import private_view, public_view, redact
from guandan_protocol import bounds
from guandan_protocol import messages as m
from guandan_protocol.codec import (
    decode_client,
    decode_server,
    encode,
    pack_update,
    pack_view,
)
from guandan_protocol.errors import BadMessage, BadVersion
from guandan_protocol.message_fields import CLIENT_RECORDS, SERVER_RECORDS
from tests.engine.strategies import steps
from tests.engine.walks import Step
from tests.protocol import samples, strategies

CLIENT_CLASSES = get_args(m.ClientMessage)
SERVER_CLASSES = get_args(m.ServerMessage)


def names(cls: type) -> str:
    return cls.__name__


def plain(frame: bytes) -> Any:
    return msgpack.unpackb(frame)


# What there is


def test_every_message_has_its_fields_and_its_sample() -> None:
    assert {one.cls for one in CLIENT_RECORDS} == set(CLIENT_CLASSES) == set(strategies.CLIENT)
    assert {one.cls for one in SERVER_RECORDS} == set(SERVER_CLASSES) == set(strategies.SERVER)
    assert [type(one) for one in samples.CLIENT] == list(CLIENT_CLASSES)
    assert [type(one) for one in samples.SERVER] == list(SERVER_CLASSES)


def test_no_two_messages_have_the_same_tag() -> None:
    tags = [one.tag for one in (*CLIENT_RECORDS, *SERVER_RECORDS)]
    assert len(set(tags)) == len(tags)


# The identity


@pytest.mark.parametrize("cls", CLIENT_CLASSES, ids=names)
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_decoding_undoes_encoding_for_clients(cls: type, data: st.DataObject) -> None:
    message = data.draw(strategies.CLIENT[cls])
    frame = encode(message)
    if len(frame) <= bounds.FRAME_BYTES_MAX:
        assert decode_client(frame) == message
    assert msgpack.packb(plain(frame)) == frame, "there is a shorter form"


@pytest.mark.parametrize("cls", SERVER_CLASSES, ids=names)
@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_decoding_undoes_encoding_for_servers(cls: type, data: st.DataObject) -> None:
    message = data.draw(strategies.SERVER[cls])
    frame = encode(message)
    assert decode_server(frame) == message
    assert msgpack.packb(plain(frame)) == frame, "there is a shorter form"


@pytest.mark.parametrize("cls", strategies.EVENTS, ids=names)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_decoding_undoes_encoding_for_events(cls: type, data: st.DataObject) -> None:
    update = evolve(samples.UPDATE, events=(data.draw(strategies.EVENTS[cls]),))
    assert decode_server(encode(update)) == update


@given(step=steps(), seat=st.none() | st.sampled_from(SEATS))
@settings(max_examples=40, deadline=None)
def test_what_really_happens_can_be_told(step: Step, seat: Any) -> None:
    update = m.Update(
        seq=1,
        epoch=1,
        events=tuple([redact(event, seat) for event in step.events]),
        view=samples.VIEW,
        public=public_view(step.after),
        private=None if seat is None else private_view(step.after, seat),
        finished=None,
        seat=seat,
    )
    assert decode_server(encode(update)) == update


def test_the_samples_survive() -> None:
    for said in samples.CLIENT:
        assert decode_client(encode(said)) == said
    for told in (*samples.SERVER, samples.EVERY_EVENT):
        assert decode_server(encode(told)) == told


@pytest.mark.parametrize(
    "message", [*samples.CLIENT, *samples.SERVER], ids=lambda x: names(type(x))
)
def test_every_field_is_written_and_the_tag_stands_first(message: Any) -> None:
    fields = plain(encode(message))
    (record,) = [one for one in (*CLIENT_RECORDS, *SERVER_RECORDS) if one.cls is type(message)]
    assert list(fields) == ["t", *record.fields]
    assert fields["t"] == record.tag


# Splicing


@given(update=strategies.SERVER[m.Update])
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_splicing_gives_the_bytes_of_encoding(update: m.Update) -> None:
    packed = pack_update(
        seq=update.seq,
        epoch=update.epoch,
        events=update.events,
        view=pack_view(update.view),
        public=update.public,
        finished=update.finished,
    )
    assert packed.to(update.private, update.seat) == encode(update)
    watcher = evolve(update, private=None, seat=None)
    assert packed.to(None) == encode(watcher)


# Only messages have bytes

DEALT, EVENTS = machine.step(new_match(rules()), StartHand(samples.SEED))


@pytest.mark.parametrize(
    "secret",
    [DEALT, DEALT.hands, DEALT.hands[0], Waiting(), EVENTS[0], samples.VIEW, samples.EVENTS[0], {}],
    ids=lambda x: names(type(x)),
)
def test_what_is_no_message_has_no_bytes(secret: Any) -> None:
    with pytest.raises(TypeError, match="is not a message"):
        encode(secret)


def test_an_event_that_nobody_may_see_whole_has_no_bytes() -> None:
    whole: Any = EVENTS
    with pytest.raises(TypeError, match="is not an event"):
        encode(evolve(samples.UPDATE, events=whole))


# Absent fields


def test_a_field_with_a_default_may_be_absent() -> None:
    assert decode_client(msgpack.packb({"t": "pass", "n": 1})) == m.Pass(n=1)
    assert decode_client(msgpack.packb({"t": "ready", "n": 1})) == m.Ready(n=1)
    create = {"t": "create", "version": 1, "name": " Ann ", "create_id": bytes(16)}
    assert decode_client(msgpack.packb(create)) == m.Create(1, "Ann", bytes(16))
    assert decode_client(msgpack.packb({**create, "settings": {"clock_s": 5}})) == m.Create(
        1, "Ann", bytes(16), settings=m.Settings(clock_s=5)
    )


def test_defaults_are_not_shared() -> None:
    frame = msgpack.packb({"t": "create", "version": 1, "name": "Ann", "create_id": bytes(16)})
    one, two = decode_client(frame), decode_client(frame)
    assert isinstance(one, m.Create)
    assert isinstance(two, m.Create)
    assert one.options is not two.options


def test_the_tag_may_stand_anywhere() -> None:
    assert decode_client(msgpack.packb({"n": 1, "t": "pass"})) == m.Pass(n=1)


# Bytes from hell

PLAY: dict[str, Any] = plain(encode(samples.CLIENT[5]))
CREATE: dict[str, Any] = plain(encode(samples.CLIENT[0]))
RESUME: dict[str, Any] = plain(encode(samples.CLIENT[2]))
NOTHING_SAID = "expected one msgpack map, got {} bytes that are none"

RAW: list[tuple[str, bytes, str]] = [
    ("nothing", b"", NOTHING_SAID.format(0)),
    ("never used", b"\xc1", NOTHING_SAID.format(1)),
    ("half a message", encode(samples.CLIENT[0])[:-1], NOTHING_SAID.format(183)),
    ("two messages", encode(m.Start(1)) * 2, NOTHING_SAID.format(24)),
    ("deep", b"\x91" * 4000 + b"\xc0", NOTHING_SAID.format(4001)),
    ("deep maps", b"\x81\xa1a" * 1300 + b"\xc0", NOTHING_SAID.format(3901)),
    ("claims a huge map", b"\xdf\xff\xff\xff\xff", NOTHING_SAID.format(5)),
    ("claims a huge array", b"\xdd\xff\xff\xff\xff", NOTHING_SAID.format(5)),
    ("claims huge text", b"\xdb\xff\xff\xff\xff", NOTHING_SAID.format(5)),
    ("claims huge bytes", b"\xc6\xff\xff\xff\xff", NOTHING_SAID.format(5)),
    ("not UTF-8", b"\x81\xa1t\xa1\xff", NOTHING_SAID.format(5)),
    ("a surrogate", b"\x81\xa1t\xa3\xed\xa0\x80", NOTHING_SAID.format(7)),
    ("an extension", b"\x81\xa1t\xd4\x05\x00", NOTHING_SAID.format(6)),
    ("an empty extension", b"\x81\xa1t\xc7\x00\x05", "plain msgpack, got an extension of type 5"),
    ("a timestamp", b"\x81\xa1t\xd6\xff\x00\x00\x00\x00", NOTHING_SAID.format(9)),
    ("keys of bytes", b"\x81\xc4\x01t\xa5start", "keys of text, got 1 bytes"),
    ("keys of numbers", b"\x81\x01\x01", NOTHING_SAID.format(3)),
    ("keys of nil", b"\x81\xc0\x01", NOTHING_SAID.format(3)),
    ("a key twice", b"\x82\xa1t\xa5start\xa1t\xa5leave", "each key once, got 't' twice"),
    ("an inner key twice", b"\x82\xa1t\xa1x\xa1y\x82\xa1z\x01\xa1z\x02", "got 'z' twice"),
    ("too long", b"\xc0" * 4097, "a frame of at most 4096 bytes, got 4097 bytes"),
    ("nil", b"\xc0", "a map, a message of a client, got nil"),
    ("a number", b"\x07", "got 7"),
    ("an array", b"\x91\xa5start", "got an array of 1"),
    ("text", b"\xa5start", "got 'start'"),
]


@pytest.mark.parametrize(("frame", "says"), [row[1:] for row in RAW], ids=[row[0] for row in RAW])
def test_bytes_that_are_no_message(frame: bytes, says: str) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_client(frame)
    assert says in str(caught.value)


NAN = struct.unpack(">d", b"\x7f\xf8" + bytes(6))[0]
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("no tag", {}, "t: expected the tag of a message of a client, got nil"),
    ("another tag", {"t": "pllay"}, "got 'pllay'"),
    ("a tag of the server", {"t": "welcome"}, "got 'welcome'"),
    ("a tag that is a number", {"t": 1}, "t: expected"),
    ("a tag that is an array", {"t": ["play"]}, "got an array of 1"),
    ("a seat smuggled in", {**PLAY, "seat": 3}, "fields of Play only, got 'seat'"),
    ("a field missing", {"t": "sit", "n": 1}, "seat: expected a value, got nothing"),
    (
        "a counter that is true",
        {**PLAY, "n": True},
        "n: expected a whole number from 1, got true",
    ),
    ("a counter below one", {**PLAY, "n": 0}, "got 0"),
    ("a counter below zero", {**PLAY, "n": -1}, "got -1"),
    ("a counter beyond 2^53", {**PLAY, "n": 2**53}, "got 9007199254740992"),
    ("a counter of 64 bits", {**PLAY, "n": 2**64 - 1}, "got 18446744073709551615"),
    ("a counter that is text", {**PLAY, "n": "7"}, "got text of 1 characters"),
    ("a counter that is a float", {**PLAY, "n": 7.0}, "got a float"),
    ("a turn that is no number", {**PLAY, "turn": NAN}, "turn: expected"),
    ("a turn without end", {**PLAY, "turn": float("inf")}, "got a float"),
    ("cards that are text", {**PLAY, "cards": "S5"}, "cards: expected an array of 0..28"),
    ("a card of bytes", {**PLAY, "cards": [b"S5"]}, "cards[0]: expected a card such as S5"),
    ("no face of the pack", {**PLAY, "cards": ["S5", "S1"]}, "cards[1]: expected a card"),
    ("a card in small letters", {**PLAY, "cards": ["s5"]}, "cards[0]"),
    ("a card that is a number", {**PLAY, "cards": [12]}, "cards[0]"),
    ("a card within a card", {**PLAY, "cards": [["S5"]]}, "cards[0]"),
    ("a third copy", {**PLAY, "cards": ["S5"] * 3}, "cards: expected at most two of each card"),
    ("29 cards", {**PLAY, "cards": ["S5"] * 29}, "got an array of 29"),
    ("no reading", {**PLAY, "reading": ["pair", "9"]}, "reading: expected a reading"),
    ("a reading that is not", {**PLAY, "reading": ["pair", "9", 3]}, "reading: expected"),
    ("a size that is true", {**PLAY, "reading": ["single", "9", True]}, "reading: expected"),
    ("a key that is an array", {**PLAY, "reading": ["single", ["9"], 1]}, "reading: expected"),
    ("a straight to the four", {**PLAY, "reading": ["straight", "4", 5]}, "reading: expected"),
    ("a reading that is text", {**PLAY, "reading": "pair-9"}, "reading: expected"),
    ("seat 0", {"t": "sit", "n": 1, "seat": 0}, "seat: expected a seat 1..4, got 0"),
    ("seat 5", {"t": "sit", "n": 1, "seat": 5}, "got 5"),
    ("seat true", {"t": "sit", "n": 1, "seat": True}, "got true"),
    (
        "a flag that is a number",
        {"t": "later", "n": 1, "later": 1},
        "expected true or false, got 1",
    ),
    ("a pace in between", {"t": "set_pace", "n": 1, "pace_ms": 700}, "one of 300, 500"),
    ("a pace that is true", {"t": "set_pace", "n": 1, "pace_ms": True}, "got true"),
    ("a proposal unheard of", {"t": "propose", "n": 1, "proposal": "war"}, "one of new_game"),
    ("a long nonce", {"t": "ready", "n": 1, "nonce": bytes(33)}, "0..32 bytes, got 33 bytes"),
    ("a nonce of text", {"t": "ready", "n": 1, "nonce": "abc"}, "got 'abc'"),
    ("no name", {**CREATE, "name": "  "}, "name: expected text of 1..24 printable characters"),
    ("a long name", {**CREATE, "name": "a" * 25}, "got text of 25 characters"),
    ("a name that steers", {**CREATE, "name": "a\x1b[2J"}, "got text with control characters"),
    ("a name that turns", {**CREATE, "name": "a\u202eb"}, "got text with control characters"),
    ("a name in two lines", {**CREATE, "name": "a\nb"}, "got text with control characters"),
    ("a short create_id", {**CREATE, "create_id": bytes(15)}, "16 bytes, got 15 bytes"),
    ("many options", {**CREATE, "options": {str(i): 1 for i in range(33)}}, NOTHING_SAID[:30]),
    ("an option of bytes", {**CREATE, "options": {"tribute": b"no"}}, "options.'tribute'"),
    ("a nested option", {**CREATE, "options": {"tribute": {}}}, "got a map of 0"),
    ("a float for an option", {**CREATE, "options": {"advance_double": 3.0}}, "got a float"),
    ("a long option", {**CREATE, "options": {"a" * 33: 1}}, "names of options"),
    ("a clock too fast", {**CREATE, "settings": {"clock_s": 4}}, "settings.clock_s: expected"),
    ("a setting unheard of", {**CREATE, "settings": {"x": 4}}, "settings: expected fields of"),
    ("a token of text", {**RESUME, "token": "0" * 32}, "token: expected 0..256 bytes"),
    ("a token without end", {**RESUME, "token": bytes(257)}, NOTHING_SAID[:30]),
]


@pytest.mark.parametrize(
    ("fields", "says"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG]
)
def test_maps_that_are_no_message(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_client(msgpack.packb(fields))
    assert says in str(caught.value)


def test_a_wrong_token_of_any_length_gets_to_the_server() -> None:
    # The server gives one answer to every token that opens nothing.
    for token in (b"", bytes(31), bytes(33)):
        resume = m.Resume(1, samples.ROOM, token)
        assert decode_client(encode(resume)) == resume


def test_errors_do_not_repeat_what_came() -> None:
    secret = b"\xfe\xed" * 16
    with pytest.raises(BadMessage) as caught:
        decode_client(msgpack.packb({**RESUME, "room": secret, "token": secret.hex()}))
    told = f"{caught.value!r} {caught.value}"
    assert "feed" not in told
    assert str(secret) not in told


def test_an_error_carries_the_counter_or_id_it_is_about() -> None:
    for fields, ref in [
        ({**PLAY, "seat": 1}, PLAY["n"]),
        ({"t": "preview", "id": 9, "cards": ["S1"]}, 9),
        ({"t": "preview", "id": True, "cards": []}, 0),
        ({"t": "nothing", "n": 5}, 5),
        ({"t": "play", "n": -5}, 0),
    ]:
        with pytest.raises(BadMessage) as caught:
            decode_client(msgpack.packb(fields))
        assert caught.value.ref == ref
    with pytest.raises(BadMessage) as caught:
        decode_client(b"\xc1")
    assert caught.value.ref == 0


def test_a_hello_of_another_version_is_known_as_one() -> None:
    hello = {"t": "enter", "version": 99, "who": ["Ann"]}
    with pytest.raises(BadVersion) as caught:
        decode_client(msgpack.packb(hello))
    assert caught.value.version == 99
    # One that can be read is read: whether it is welcome is for the server to say.
    assert decode_client(encode(m.Watch(99, samples.ROOM))) == m.Watch(99, samples.ROOM)
    # And one of this version that cannot is simply bad.
    with pytest.raises(BadMessage) as bad:
        decode_client(msgpack.packb({**hello, "version": 1}))
    assert type(bad.value) is BadMessage


# Bytes from anywhere


def survives(frame: bytes) -> None:
    for decode in (decode_client, decode_server):
        try:
            message = decode(frame)
        except BadMessage as error:
            told = str(error)
        else:
            told = ""
            assert decode(encode(message)) == message
        assert len(told) < 400
        assert told.isprintable()


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_at_all(frame: bytes) -> None:
    survives(frame)


FRAMES = [encode(one) for one in (*samples.CLIENT, *samples.SERVER, samples.EVERY_EVENT)]


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_honest_frames_with_damage(data: st.DataObject) -> None:
    frame = bytearray(data.draw(st.sampled_from(FRAMES)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(frame) - 1)) if frame else 0
        match data.draw(st.sampled_from(["flip", "set", "cut", "insert", "double"])):
            case "flip" if frame:
                frame[at] ^= 1 << data.draw(st.integers(0, 7))
            case "set" if frame:
                frame[at] = data.draw(st.integers(0, 255))
            case "cut":
                del frame[at : at + data.draw(st.integers(1, 8))]
            case "insert":
                frame[at:at] = data.draw(st.binary(min_size=1, max_size=8))
            case _:
                frame[at:at] = frame[at : at + 16]
    survives(bytes(frame))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands within plain data."""
    match value:
        case dict():
            inner = [places(part, (*path, name)) for name, part in value.items()]
        case list():
            inner = [places(part, (*path, i)) for i, part in enumerate(value)]
        case _:
            inner = []
    return [path, *[place for found in inner for place in found]]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = replaced(value[path[0]], path[1:], new)
    return changed


@given(data=st.data(), new=strategies.plain)
@settings(max_examples=200, deadline=None)
def test_honest_messages_with_something_else_in_one_place(data: st.DataObject, new: Any) -> None:
    fields = plain(data.draw(st.sampled_from(FRAMES)))
    path = data.draw(st.sampled_from(places(fields)))
    survives(msgpack.packb(replaced(fields, path, new)))


@given(
    fields=st.dictionaries(
        st.sampled_from(["t", "n", "id", "version", "seat", "cards", "card", "turn", "room"]),
        strategies.plain | st.sampled_from([one.tag for one in CLIENT_RECORDS]),
        max_size=6,
    )
)
@settings(max_examples=100, deadline=None)
def test_maps_of_the_right_fields(fields: dict[str, Any]) -> None:
    survives(msgpack.packb(fields))
