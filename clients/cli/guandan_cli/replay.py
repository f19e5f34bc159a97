"""`guandan replay`: a finished match again, every hand open."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from attrs import evolve
from cyclopts import Parameter
from cyclopts.validators import Number

from guandan_cli import event_objects, flags, narrate, records, sheets, sitting
from guandan_cli.event_objects import cards_plain
from guandan_cli.exits import Exit, Failure
from guandan_cli.frames import Frame
from guandan_cli.scene import Scene
from guandan_cli.screen import show_replay, takes_screen
from guandan_cli.words import Words
from guandan_engine.errors import EngineError
from guandan_engine.events import (
    Event,
    GiftChosen,
    HandEnded,
    HandStarted,
    ReturnChosen,
)
from guandan_engine.notation import card_text, rank_text
from guandan_engine.options import options_of
from guandan_engine.record import Record, read
from guandan_engine.record import replay as replayed
from guandan_engine.seats import SEATS
from guandan_engine.state import Match, new_match
from guandan_engine.views import HandSummary, public_view, redact, summary
from guandan_protocol.messages import RoomView, SeatInfo, SeatKind, Settings, Stage

__all__ = ["frames", "plain", "replay", "told"]


async def replay(
    source: records.Source,
    /,
    *,
    hand: Annotated[
        int | None, Parameter(help="This hand only; the first is 1.", validator=Number(gte=1))
    ] = None,
    plain_lines: Annotated[
        bool,
        Parameter(
            name="--plain",
            help="All of it in lines of text, as wherever there is no terminal.",
        ),
    ] = False,
    json_lines: Annotated[
        bool, Parameter(name="--json", help="One event a line, for programs.")
    ] = False,
    raw: Annotated[bool, Parameter(help="The record's own text, to be kept in a file.")] = False,
    match: records.MatchNumber = None,
    server: flags.Server = None,
    lang: flags.Language = None,
) -> int:
    """Go through a finished match, play by play, with all four hands open or through one's eyes.

    On a terminal: left and right are a step, up and down a trick, Space plays, 1 to 4 see with the
    eyes of a seat, `?` tells the rest. Elsewhere all of it is printed.

    For example:

        guandan replay match.txt

        guandan replay match.txt --plain | less

        guandan replay match.txt --hand 3 --json

        guandan replay K7QM2X --match 2 --raw > match.txt
    """
    texts = flags.spoken(lang)
    words = sitting.words_for(texts, of_record=True)
    text = await records.text_of(source, match=match, server=server, texts=texts)
    if raw:
        print(text, end="")
        return Exit.OK
    try:
        record = read(text)
        if takes_screen(plain=plain_lines or json_lines):
            return await show_replay(list(frames(record, words)), words, hand=hand)
        hands = 0
        for number, line in _json(record) if json_lines else told(record, words):
            hands = max(hands, number)
            if hand in (None, number):
                print(line)
    except (EngineError, ValueError) as error:
        raise records.broken(source, error) from error
    if hand is not None and hand > hands:
        raise Failure(Exit.NOT_FOUND, texts("replay.no_hand", n=hands))
    return Exit.OK


def _json(record: Record) -> Iterator[tuple[int, str]]:
    for match, events in replayed(record):
        for event in events:
            found: dict[str, Any] = {"hand": match.deal.number, **plain(event)}
            yield match.deal.number, json.dumps(found)


def told(record: Record, words: Words) -> Iterator[tuple[int, str]]:
    """The match in words: lines, each with the number of its hand."""
    view = _room(record)
    before = new_match(record.rules)
    scene = _scene(before, view)
    for match, events in replayed(record):
        scene = evolve(_scene(match, view), record=scene.record)
        for line in _lines(before, events, scene, words):
            yield match.deal.number, line
        if any(isinstance(event, HandEnded) for event in events):
            level, owner = before.standing.active, before.standing.owner
            finished = summary(match, level=level, owner=owner)
            scene = evolve(scene, record=(*scene.record, finished))
        before = match
    for line in sheets.record(scene, words):
        yield 0, line


def frames(record: Record, words: Words) -> Iterator[Frame]:
    """The match step by step, as it can be looked at."""
    view = _room(record)
    before = new_match(record.rules)
    done: tuple[HandSummary, ...] = ()
    for match, events in replayed(record):
        level = before.standing.active
        if any(isinstance(event, HandEnded) for event in events):
            done = (*done, summary(match, level=level, owner=before.standing.owner))
        scene = _opened(evolve(_scene(match, view), record=done), match)
        lines = [
            line
            for event in events
            for line in narrate.event(redact(event, None), scene, words, level=level)
        ]
        yield Frame(
            scene=scene,
            hands=match.hands,
            lines=tuple(lines),
            opens_hand=any(isinstance(event, HandStarted) for event in events),
            opens_trick=scene.public.top is None,
        )
        before = match


def _opened(scene: Scene, match: Match) -> Scene:
    """Nobody's count is hidden from those who see all the cards."""
    if scene.public.outcome is not None:
        return scene
    one, two, three, four = [len(hand) for hand in match.hands]
    return evolve(scene, public=evolve(scene.public, counts=(one, two, three, four)))


def _lines(before: Match, events: Iterable[Event], scene: Scene, words: Words) -> Iterator[str]:
    level = before.standing.active
    for event in events:
        yield from narrate.event(redact(event, None), scene, words, level=level)
        if isinstance(event, HandStarted):
            for seat, cards in zip(SEATS, event.hands, strict=True):
                who = words.who(seat, scene)
                yield f"  {who}: {words.cards(cards, event.level)}"


def _scene(match: Match, view: RoomView) -> Scene:
    return Scene(room="", seat=None, view=view, public=public_view(match), private=None)


def _room(record: Record) -> RoomView:
    """The room as far as a record tells of it."""
    one, two, three, four = [
        SeatInfo(kind=SeatKind.PERSON, name=name, online=True) for name in record.names
    ]
    return RoomView(
        stage=Stage.PLAYING,
        host=None,
        seats=(one, two, three, four),
        watchers=0,
        match=1,
        preset=record.preset,
        options=options_of(record.rules),
        settings=Settings(),
        commitment=b"",
        clock_ms=None,
        deal_ms=None,
        proposal=None,
        consents=(),
        swaps=(),
    )


def plain(event: Event) -> dict[str, Any]:
    """The event with its name under `event`; everything open, seeds and hands included."""
    match event:
        case HandStarted(number, level, owner, commitment, hands):
            return {
                "event": "hand_started",
                "number": number,
                "level": rank_text(level),
                "owner": owner,
                "commitment": commitment.hex(),
                "hands": {str(s): cards_plain(h) for s, h in zip(SEATS, hands, strict=True)},
            }
        case GiftChosen(seat, card):
            return {"event": "gift_chosen", "seat": seat, "card": card_text(card)}
        case ReturnChosen(seat, card):
            return {"event": "return_chosen", "seat": seat, "card": card_text(card)}
        case _:
            return event_objects.plain(event)
