"""The fields of every message, and of the room's view: the tables that the codec goes by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from guandan_engine.shuffle import NONCE_BYTES_MAX
from guandan_protocol import messages as m
from guandan_protocol.bounds import (
    DECISIONS_MAX,
    EVENTS_MAX,
    HAND_CARDS_MAX,
    HANDS_MAX,
    HINTS_MAX,
    LABEL_CHARS_MAX,
    LEVELS_MAX,
    NAME_CHARS_MAX,
    NUMBER_MAX,
    OPTIONS_MAX,
    READINGS_MAX,
    RECORD_PAGE_CHARS_MAX,
    ROOM_CHARS_MAX,
    ROOMS_MAX,
    SECRET_BYTES_MAX,
    TEXT_CHARS_MAX,
    URL_CHARS_MAX,
)
from guandan_protocol.errors import BadMessage, describe
from guandan_protocol.fields import (
    FLAG,
    Kind,
    Record,
    blob,
    choice,
    label,
    many,
    number,
    number_of,
    optional,
    record,
    remembered,
    row,
    tagged,
    text,
)
from guandan_protocol.pack import FALSE, NIL, TRUE, map_head, pack_int, pack_text
from guandan_protocol.view_fields import (
    CARD,
    CARDS,
    COMMITMENT,
    EVENT,
    HAND_SUMMARY,
    PRIVATE,
    PUBLIC,
    READING,
    SEAT,
)

__all__ = [
    "CLIENT_MESSAGE",
    "CLIENT_RECORDS",
    "EVENT_LIST",
    "MESSAGE",
    "ROOM_VIEW",
    "SERVER_MESSAGE",
    "SERVER_RECORDS",
    "SESSION_RECORD",
]

# Values of the room

COUNT: Final = number()
VERSION: Final = number(0, 65535)
NAME: Final = label(1, NAME_CHARS_MAX)
ROOM: Final = label(1, ROOM_CHARS_MAX)
LABEL: Final = text(0, LABEL_CHARS_MAX)
PACE: Final = number_of(m.PACES_MS)


def _read_option(value: object) -> object:
    if value is None or type(value) is bool:
        return value
    if type(value) is int and 0 <= value <= NUMBER_MAX:
        return value
    if type(value) is str and len(value) <= LABEL_CHARS_MAX:
        return value
    raise BadMessage("", "a short text, a number, true, false or nil", describe(value))


def _pack_option(value: object) -> bytes:
    match value:
        case None:
            return NIL
        case bool():
            return TRUE if value else FALSE
        case int():
            return pack_int(value)
        case str():
            return pack_text(value)
        case _:
            raise TypeError(f"{type(value).__name__} is no value of an option")


def _read_options(value: object) -> Mapping[str, object]:
    if type(value) is not dict or len(value) > OPTIONS_MAX:
        raise BadMessage("", f"a map of at most {OPTIONS_MAX} options", describe(value))
    found = {}
    for name, option in value.items():
        if len(name) > LABEL_CHARS_MAX:
            raise BadMessage("", "names of options", describe(name))
        try:
            found[name] = _read_option(option)
        except BadMessage as error:
            error.at(describe(name))
            raise
    return found


def _pack_options(options: Mapping[str, object]) -> bytes:
    # The types belong to what is looked up: a dictionary takes 1 and True for the same.
    return _pack_items(tuple(options.items()), tuple([type(value) for value in options.values()]))


@lru_cache(maxsize=1024)
def _pack_items(items: tuple[tuple[str, object], ...], types: tuple[type, ...]) -> bytes:
    del types
    return map_head(len(items)) + b"".join(
        [pack_text(name) + _pack_option(value) for name, value in items]
    )


OPTIONS: Final = Kind("map of options", _read_options, _pack_options)

# Every update tells these, and they seldom change; for some thousand rooms at a time.
SETTINGS: Final = remembered(
    record(
        m.Settings,
        visibility=choice(m.Visibility),
        clock_s=optional(number(5, 300)),
        pace_ms=PACE,
        grace_s=number(5, 600),
        hints=FLAG,
        counter=FLAG,
        phrases=FLAG,
    ),
    1024,
)

SEAT_INFO: Final = remembered(
    record(
        m.SeatInfo,
        kind=choice(m.SeatKind),
        name=label(0, NAME_CHARS_MAX),
        level=LABEL,
        online=FLAG,
        ready=FLAG,
        control=choice(m.Control),
        later=FLAG,
        pace_ms=COUNT,
    ),
    4096,
)

ROOM_VIEW: Final = record(
    m.RoomView,
    stage=choice(m.Stage),
    host=optional(SEAT),
    seats=many(SEAT_INFO, 4, least=4),
    watchers=COUNT,
    match=COUNT,
    preset=LABEL,
    options=OPTIONS,
    settings=SETTINGS,
    commitment=COMMITMENT,
    clock_ms=optional(COUNT),
    deal_ms=optional(COUNT),
    proposal=optional(choice(m.Proposal)),
    consents=many(SEAT, 4),
    swaps=many(row(SEAT, SEAT), 12),
)

# From clients

_N: Final = number(1)
_ID: Final = number(1)
_TURN: Final = optional(COUNT)
# Of any length, so that every wrong token gets the same answer, from the server.
_TOKEN: Final = blob(most=SECRET_BYTES_MAX)

_HELLOS: Final = (
    record(
        m.Create,
        tag=True,
        version=VERSION,
        name=NAME,
        create_id=blob(m.CREATE_ID_BYTES),
        preset=LABEL,
        options=OPTIONS,
        settings=optional(SETTINGS),
    ),
    record(
        m.Join,
        tag=True,
        version=VERSION,
        room=ROOM,
        name=NAME,
        seat=optional(SEAT),
        join_id=blob(0, m.CREATE_ID_BYTES),
    ),
    record(m.Resume, tag=True, version=VERSION, room=ROOM, token=_TOKEN, seq=COUNT, epoch=COUNT),
    record(m.Watch, tag=True, version=VERSION, room=ROOM),
    record(m.Lobby, tag=True, version=VERSION),
)

_ACTIONS: Final = (
    record(m.Play, tag=True, n=_N, cards=CARDS, reading=optional(READING), turn=_TURN),
    record(m.Pass, tag=True, n=_N, turn=_TURN),
    record(m.Pay, tag=True, n=_N, card=CARD, turn=_TURN),
    record(m.GiveBack, tag=True, n=_N, card=CARD, turn=_TURN),
    record(m.Ready, tag=True, n=_N, ready=FLAG, nonce=blob(most=NONCE_BYTES_MAX)),
    record(m.Start, tag=True, n=_N),
    record(m.Sit, tag=True, n=_N, seat=SEAT),
    record(m.AddBot, tag=True, n=_N, seat=SEAT, level=LABEL),
    record(m.RemoveBot, tag=True, n=_N, seat=SEAT),
    record(m.Configure, tag=True, n=_N, preset=LABEL, options=OPTIONS, settings=SETTINGS),
    record(m.Autopilot, tag=True, n=_N, on=FLAG, pace_ms=PACE),
    record(m.SetPace, tag=True, n=_N, pace_ms=PACE),
    record(m.Later, tag=True, n=_N, later=FLAG),
    record(m.Propose, tag=True, n=_N, proposal=choice(m.Proposal)),
    record(m.Consent, tag=True, n=_N, agree=FLAG),
    record(m.Leave, tag=True, n=_N),
    record(m.Kick, tag=True, n=_N, seat=SEAT),
    record(m.Decline, tag=True, n=_N, seat=SEAT),
)

_QUERIES: Final = (
    record(m.Preview, tag=True, id=_ID, cards=CARDS),
    record(m.AskHints, tag=True, id=_ID),
    record(m.AskReview, tag=True, id=_ID, hand=number(1, HANDS_MAX)),
    record(m.Say, tag=True, id=_ID, phrase=choice(m.Phrase)),
    record(m.ListRooms, tag=True, id=_ID),
    record(m.FetchRecord, tag=True, id=_ID, room=ROOM, match=COUNT, page=COUNT),
    record(m.Ping, tag=True, id=_ID),
)

CLIENT_RECORDS: Final[tuple[Record[Any], ...]] = (*_HELLOS, *_ACTIONS, *_QUERIES)
CLIENT_MESSAGE: Final = tagged("a message of a client", *CLIENT_RECORDS)

# From the server

EVENT_LIST: Final = many(EVENT, EVENTS_MAX)
SESSION_RECORD: Final = many(HAND_SUMMARY, HANDS_MAX)
_LEVELS: Final = many(LABEL, LEVELS_MAX)

READING_INFO: Final = record(
    m.ReadingInfo, reading=READING, beats=FLAG, shown_as=many(CARD, HAND_CARDS_MAX)
)
HINT: Final = record(m.Hint, cards=CARDS, reading=optional(READING), reason=LABEL)
REVIEWED: Final = record(
    m.Reviewed,
    command=COUNT,
    left=number(1, HAND_CARDS_MAX),
    top=optional(READING),
    played=HINT,
    best=HINT,
    lost_milli=COUNT,
    won_milli=COUNT,
    error_milli=COUNT,
    sure=FLAG,
    worlds=COUNT,
)
ROOM_LINE: Final = record(
    m.RoomLine,
    room=ROOM,
    stage=choice(m.Stage),
    preset=LABEL,
    people=COUNT,
    bots=COUNT,
    watchers=COUNT,
    names=many(label(0, NAME_CHARS_MAX), 4),
)

SERVER_RECORDS: Final[tuple[Record[Any], ...]] = (
    record(
        m.Welcome,
        tag=True,
        room=ROOM,
        seat=optional(SEAT),
        token=_TOKEN,
        counter=COUNT,
        seq=COUNT,
        epoch=COUNT,
        view=ROOM_VIEW,
        public=PUBLIC,
        private=optional(PRIVATE),
        record=SESSION_RECORD,
        levels=_LEVELS,
        build=LABEL,
    ),
    record(m.InLobby, tag=True, version=VERSION, levels=_LEVELS, build=LABEL),
    record(
        m.Update,
        tag=True,
        seq=COUNT,
        epoch=COUNT,
        events=EVENT_LIST,
        view=ROOM_VIEW,
        public=PUBLIC,
        private=optional(PRIVATE),
        finished=optional(HAND_SUMMARY),
        seat=optional(SEAT),
    ),
    record(m.Done, tag=True, n=_N, seq=COUNT),
    record(
        m.Refused,
        tag=True,
        ref=COUNT,
        code=LABEL,
        text=text(0, TEXT_CHARS_MAX),
        retry_ms=optional(COUNT),
    ),
    record(m.Previewed, tag=True, id=_ID, readings=many(READING_INFO, READINGS_MAX), code=LABEL),
    record(
        m.Hints,
        tag=True,
        id=_ID,
        turn=COUNT,
        hints=many(HINT, HINTS_MAX),
        best=number(-1, HINTS_MAX - 1),
        helpful=many(CARD, HAND_CARDS_MAX),
    ),
    record(
        m.Review,
        tag=True,
        id=_ID,
        match=COUNT,
        seat=SEAT,
        hand=number(1, HANDS_MAX),
        hands=number(1, HANDS_MAX),
        decisions=many(REVIEWED, DECISIONS_MAX),
        left_out=COUNT,
    ),
    record(m.Said, tag=True, seat=SEAT, phrase=LABEL, id=COUNT),
    record(m.Rooms, tag=True, id=_ID, rooms=many(ROOM_LINE, ROOMS_MAX)),
    record(
        m.RecordPage,
        tag=True,
        id=_ID,
        match=COUNT,
        page=COUNT,
        pages=COUNT,
        text=text(0, RECORD_PAGE_CHARS_MAX),
    ),
    record(m.Pong, tag=True, id=_ID),
    record(m.Moved, tag=True, url=text(1, URL_CHARS_MAX)),
    record(m.Goodbye, tag=True, code=LABEL, retry_after_ms=optional(COUNT)),
)
SERVER_MESSAGE: Final = tagged("a message of the server", *SERVER_RECORDS)

MESSAGE: Final = tagged("a message", *CLIENT_RECORDS, *SERVER_RECORDS)
