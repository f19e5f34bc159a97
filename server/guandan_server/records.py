"""Finished matches: their record, made from the log, and read back in pages."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from guandan_engine.commands import Command, StartHand, TimeOut
from guandan_engine.record import Record, write
from guandan_protocol.bounds import RECORD_PAGE_CHARS_MAX
from guandan_protocol.messages import Code, FetchRecord, RecordPage
from guandan_server.frontdesk import plain_name
from guandan_server.items import Change
from guandan_server.journal import commands_in
from guandan_server.refusals import Refusal
from guandan_server.store import Store

__all__ = ["RECORD_BYTES_MAX", "LogEndsEarly", "match_record", "record_page"]

RECORD_BYTES_MAX: Final = 4 * 1024 * 1024
"""A match of 100 hands has some 300 KiB."""


class LogEndsEarly(Exception):
    """The store has lost what we were told it had."""

    def __init__(self, head: int) -> None:
        super().__init__(head)
        self.head = head


async def match_record(store: Store, room: str, change: Change, *, seq: int) -> bytes:
    """The record of the match that ends with a change, which comes after entry `seq`."""
    state = change.state
    commands: list[Command] = []
    after = state.match_seq - 1
    while page := await store.log(room, after_seq=after):
        for entry in page:
            commands += commands_in(entry.body)
        after = page[-1].seq
    if after < seq:
        raise LogEndsEarly(after)
    commands += change.commands
    # The room's turns go on from match to match, a record's begin at 0.
    begun_at = state.match.turn - len(commands)
    told = tuple([_from_zero(command, begun_at) for command in commands])
    one, two, three, four = (plain_name(seat.name) for seat in state.seats)
    record = Record(
        rules=state.match.rules,
        commands=told,
        names=(one, two, three, four),
        preset=state.preset,
    )
    return write(record).encode()


def _from_zero(command: Command, begun_at: int) -> Command:
    match command:
        case TimeOut(seat, turn):
            return TimeOut(seat, turn - begun_at)
        case StartHand():
            return command
        case _:
            # The last command comes from the player, not from the log, which keeps no quoted turn.
            return evolve(command, turn=None)


async def record_page(store: Store, query: FetchRecord) -> RecordPage:
    """A page of a finished match; Refusal if there is no such match or page."""
    try:
        found = await store.load_record(
            query.room.upper(), query.match, offset=0, limit=RECORD_BYTES_MAX
        )
    except ValueError:  # no code of a room
        found = None
    text = "" if found is None else found.body.decode()
    pages = -(-len(text) // RECORD_PAGE_CHARS_MAX)
    if not 0 <= query.page < pages:
        raise Refusal(Code.NO_SUCH_RECORD, "no finished match of that number, or no such page")
    begin = query.page * RECORD_PAGE_CHARS_MAX
    return RecordPage(
        id=query.id,
        match=query.match,
        page=query.page,
        pages=pages,
        text=text[begin : begin + RECORD_PAGE_CHARS_MAX],
    )
