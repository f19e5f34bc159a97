"""A match as text: written, read back, replayed to the same states, and verified.

    guandan-record 1
    preset national-2017                  for people; what holds are the options below
    option first_lead drawn_card          one line for each option, all of them
    name 1 Ann                            for the seats that have one

    hand 1 level 2
    seed 5b1f…                            32 bytes in hex, opened when the hand had ended
    commitment 9c7e…                      what was published before the deal
    nonce 3 a0b1…                         what seats added to the seed, where they did
    deal 1 S2 S2 H3 …                     the 27 cards of each seat as they were dealt
    pay 4 SA                              tribute
    return 1 S3
    1 H5 S5 = pair-5                      a play, and what it was taken to be
    2 pass
    clock 3                               seat 3's time ran out; the rules say what follows
    # did: 3 pass                          … which is said here for readers without them
    # trick to seat 1                     a comment, up to the end of its line
    end

What a line must agree with, and when. `read` checks that the text is one of these: every line where
it may stand, cards and readings that exist, hands numbered 1, 2, 3. It does not know the rules.
`verify` does: it finds a seed that is not the committed one, a deal or a level that does not
follow, and commands that the rules forbid. Comments are checked by nobody.

A record holds what happened, not what was said: a play carries its reading, whether the player
declared it or not, and a time-out quotes the turn it came in, so that `write` undoes `read`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import evolve, field, frozen

from guandan_engine import shuffle
from guandan_engine.cards import Rank
from guandan_engine.commands import Command, Pass, Pay, Play, Return, StartHand, TimeOut
from guandan_engine.errors import IllegalCommand, NotationError
from guandan_engine.events import (
    CardsReturned,
    Event,
    GiftChosen,
    HandEnded,
    HandStarted,
    OpenerDrawn,
    Passed,
    Played,
    ReturnChosen,
    TributePaid,
    TributeResisted,
    TrickClosed,
)
from guandan_engine.lines import Lines, Reader, hex_reader
from guandan_engine.machine import step
from guandan_engine.notation import (
    card_text,
    cards_text,
    rank_text,
    reading_text,
)
from guandan_engine.options import OPTIONS, PRESETS, Rules, options_of, rules
from guandan_engine.scoring import Outcome
from guandan_engine.seats import SEATS, Team
from guandan_engine.shuffle import NONCE_BYTES_MAX, SEED_BYTES
from guandan_engine.state import Hands, Match, new_match
from guandan_engine.tribute import Gift

__all__ = [
    "VERSION",
    "Opening",
    "Record",
    "normal",
    "opening_of",
    "read",
    "replay",
    "verify",
    "write",
]

VERSION: Final = 1


@frozen
class Opening:
    """What a record says of a hand's beginning, for others to check."""

    level: Rank
    commitment: bytes
    hands: Hands = field(repr=False)
    """As dealt, before tribute."""


@frozen
class Record:
    """A match, whole or up to some moment."""

    rules: Rules
    commands: tuple[Command, ...] = field(repr=False)
    """All that were accepted, in order."""
    names: tuple[str, str, str, str] = ("", "", "", "")
    """Of seats 1..4; empty where there is none."""
    preset: str = "site"
    """What the table's rules were called; the rules may differ from it."""
    openings: tuple[Opening, ...] = ()
    """One for each `StartHand`; or none at all, where nothing was published."""


def opening_of(event: HandStarted) -> Opening:
    return Opening(level=event.level, commitment=event.commitment, hands=event.hands)


def replay(record: Record) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    """The match after each command, and what happened; IllegalCommand where the rules forbid one.

    It begins after the first command; before it stands `new_match(record.rules)`.
    """
    match = new_match(record.rules)
    for command in record.commands:
        match, events = step(match, command)
        yield match, events


def normal(record: Record) -> Record:
    """The record as `read` gives it: readings and turns filled in, openings worked out if none are.

    IllegalCommand where the rules forbid a command.
    """
    commands: list[Command] = []
    openings: list[Opening] = []
    for command, (_, events) in zip(record.commands, replay(record), strict=True):
        openings += [opening_of(event) for event in events if isinstance(event, HandStarted)]
        match command:
            case Play():
                reading = next(event.reading for event in events if isinstance(event, Played))
                commands.append(Play(command.seat, command.cards, reading))
            case TimeOut():
                # Every accepted command raises the turn by one.
                commands.append(TimeOut(command.seat, turn=len(commands)))
            case StartHand():
                commands.append(command)
            case Pass() | Pay() | Return():
                commands.append(evolve(command, turn=None))
    return evolve(record, commands=tuple(commands), openings=record.openings or tuple(openings))


def verify(record: Record) -> list[str]:
    """What is wrong with a record; empty if nothing is.

    For every hand: that its seed is the one committed to, that the deal follows from seed and
    nonces, and the level from the hands before; for every command, that it was legal.
    """
    problems: list[str] = []
    started = [command for command in record.commands if isinstance(command, StartHand)]
    if len(record.openings) != len(started):
        problems.append(f"{len(started)} hands, but openings of {len(record.openings)}")
    levels = _levels(record, problems)
    for number, (start, opening) in enumerate(zip(started, record.openings, strict=False), 1):
        if not shuffle.matches(opening.commitment, start.seed):
            problems.append(f"hand {number}: the seed is not the one that was committed to")
        try:
            dealt = shuffle.deal(shuffle.hand_key(start.seed, start.nonces))
        except ValueError as error:
            problems.append(f"hand {number}: {error}")
        else:
            if dealt != opening.hands:
                problems.append(f"hand {number}: the deal does not follow from seed and nonces")
        if number <= len(levels) and levels[number - 1] != opening.level:
            problems.append(
                f"hand {number}: played at level {rank_text(levels[number - 1])},"
                f" said to be {rank_text(opening.level)}"
            )
    return problems


def _levels(record: Record, problems: list[str]) -> list[Rank]:
    """The level of each hand, as far as the commands are legal; where they end is a problem."""
    levels: list[Rank] = []
    done = 0
    hand = 0
    try:
        for match, events in replay(record):
            done += 1
            hand = match.deal.number
            levels += [event.level for event in events if isinstance(event, HandStarted)]
    except (IllegalCommand, ValueError) as error:
        command = record.commands[done]
        who = "" if isinstance(command, StartHand) else f" of seat {command.seat}"
        name = type(command).__name__
        problems.append(f"hand {hand}: command {done + 1}, {name}{who}: {error}")
    return levels


# Text out.


def write(record: Record) -> str:
    """The record as text; IllegalCommand where the rules forbid a command.

    NotationError for a name that is no single line, or a preset that does not exist.
    """
    record = normal(record)
    _preset(record.preset)
    lines = [f"guandan-record {VERSION}", f"preset {record.preset}"]
    lines += [
        f"option {name} {value_text(value)}" for name, value in options_of(record.rules).items()
    ]
    for seat, name in zip(SEATS, record.names, strict=True):
        if name != " ".join(name.split()) or not name.isprintable():
            raise NotationError(name, expected="a name in one line, without blanks around it")
        if name:
            lines.append(f"name {seat} {name}")
    openings = iter(record.openings)
    for command, (match, events) in zip(record.commands, replay(record), strict=True):
        if isinstance(command, StartHand):
            lines += _hand_lines(match.deal.number, command, next(openings))
        else:
            lines.append(_command_line(command))
        if isinstance(command, TimeOut):
            lines += [f"# did: {line}" for event in events for line in _did(event)]
        lines += [f"# {remark}" for event in events for remark in _remarks(event)]
    return "\n".join([*lines, "end", ""])


def value_text(value: object) -> str:
    """An option's value as a word: none, true, false, a number or a name."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _hand_lines(number: int, command: StartHand, opening: Opening) -> Iterator[str]:
    yield ""
    yield f"hand {number} level {rank_text(opening.level)}"
    yield f"seed {command.seed.hex()}"
    yield f"commitment {opening.commitment.hex()}"
    for seat, nonce in zip(SEATS, command.nonces, strict=True):
        if nonce:
            yield f"nonce {seat} {nonce.hex()}"
    for seat, hand in zip(SEATS, opening.hands, strict=True):
        yield f"deal {seat} {cards_text(hand)}"


def _command_line(command: Play | Pass | Pay | Return | TimeOut) -> str:
    match command:
        case Play(reading=reading):
            assert reading is not None
            return f"{command.seat} {cards_text(command.cards)} = {reading_text(reading)}"
        case Pass():
            return f"{command.seat} pass"
        case Pay():
            return f"pay {command.seat} {card_text(command.card)}"
        case Return():
            return f"return {command.seat} {card_text(command.card)}"
        case TimeOut():
            return f"clock {command.seat}"


def _did(event: Event) -> Iterator[str]:
    """The line of the move that a clock made, for readers that do not know the rules."""
    match event:
        case Played(seat, cards, reading):
            yield _command_line(Play(seat, cards, reading))
        case Passed(seat):
            yield _command_line(Pass(seat))
        case GiftChosen(seat, card):
            yield _command_line(Pay(seat, card))
        case ReturnChosen(seat, card):
            yield _command_line(Return(seat, card))
        case _:
            pass


def _remarks(event: Event) -> Iterator[str]:
    """What a reader would like to be told beside the commands."""
    match event:
        case OpenerDrawn(drawn):
            card, seat = drawn[-1]
            yield f"{card_text(card)} is turned up: seat {seat} opens"
        case TributeResisted(holders):
            yield f"no tribute: both big jokers at {_seats_text(holders)}"
        case TributePaid(gifts):
            yield f"tribute: {_gifts_text(gifts)}"
        case CardsReturned(returns):
            yield f"returned: {_gifts_text(returns)}"
        case TrickClosed():
            wind = f", jiefeng: seat {event.leader} leads" if event.jiefeng else ""
            yield f"trick to seat {event.winner}{wind}"
        case HandEnded(outcome=outcome):
            yield from _outcome_remarks(outcome)
        case _:
            pass


def _seats_text(seats: tuple[int, ...]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)


def _gifts_text(gifts: tuple[Gift, ...]) -> str:
    return ", ".join(f"{gift.donor} to {gift.recipient} {card_text(gift.card)}" for gift in gifts)


def _outcome_remarks(outcome: Outcome) -> Iterator[str]:
    places = " ".join(map(str, outcome.finish))
    levels = ", ".join(f"{team} at {rank_text(outcome.after.levels[team])}" for team in Team)
    yield f"places {places}: {outcome.winner} gains {outcome.gain}; {levels}"
    if outcome.match_won:
        yield f"{outcome.winner} wins the match"


# Text in.


def read(text: str) -> Record:
    """The record that a text is; NotationError names the first line that does not belong there."""
    lines = Lines(text)
    lines.take(f"guandan-record {VERSION}")
    (preset,) = lines.take("preset NAME", NAME=_preset)
    options = {
        name: lines.take(f"option {name} VALUE", VALUE=_values_of(name))[0] for name in OPTIONS
    }
    one, two, three, four = [
        lines.take(f"name {seat} WORDS")[0] if lines.words[:2] == ["name", str(seat)] else ""
        for seat in SEATS
    ]
    commands: list[Command] = []
    openings: list[Opening] = []
    while lines.words != ["end"]:
        if not lines.words:
            raise lines.error("end, after the last command")
        start, opening = _read_opening(lines, number=len(openings) + 1)
        commands.append(start)
        openings.append(opening)
        while lines.words and lines.words[0] not in ("hand", "end"):
            commands.append(_read_command(lines, turn=len(commands)))
    lines.take("end")
    if lines.words:
        raise lines.error("nothing after the end")
    return Record(
        rules=rules("site", options),
        commands=tuple(commands),
        names=(one, two, three, four),
        preset=preset,
        openings=tuple(openings),
    )


def _read_opening(lines: Lines, number: int) -> tuple[StartHand, Opening]:
    (level,) = lines.take(f"hand {number} level LEVEL")
    whole, nonce = hex_reader(SEED_BYTES, SEED_BYTES), hex_reader(1, NONCE_BYTES_MAX)
    (seed,) = lines.take("seed HEX", HEX=whole)
    (commitment,) = lines.take("commitment HEX", HEX=whole)  # a digest of that size, too
    one, two, three, four = [
        lines.take(f"nonce {seat} HEX", HEX=nonce)[0]
        if lines.words[:2] == ["nonce", str(seat)]
        else b""
        for seat in SEATS
    ]
    hands = [lines.take(f"deal {seat} CARDS")[0] for seat in SEATS]
    return StartHand(seed, (one, two, three, four)), Opening(
        level=level, commitment=commitment, hands=(hands[0], hands[1], hands[2], hands[3])
    )


def _read_command(lines: Lines, turn: int) -> Command:
    match lines.words:
        case ["pay", *_]:
            return Pay(*lines.take("pay SEAT CARD"))
        case ["return", *_]:
            return Return(*lines.take("return SEAT CARD"))
        case ["clock", *_]:
            (seat,) = lines.take("clock SEAT")
            return TimeOut(seat, turn)
        case [_, "pass", *_]:
            return Pass(*lines.take("SEAT pass"))
        case _:
            return Play(*lines.take("SEAT CARDS = READING"))


def _preset(text: str) -> str:
    if text not in PRESETS:
        raise NotationError(text, expected=f"a preset: {', '.join(PRESETS)}")
    return text


def _values_of(option: str) -> Reader:
    known = {value_text(value): value for value in OPTIONS[option]}

    def parse(text: str) -> object:
        if text not in known:
            raise NotationError(text, expected=f"{option}: {', '.join(known)}")
        return known[text]

    return parse
