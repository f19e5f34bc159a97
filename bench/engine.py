"""The engine's figures: listings, choosing cards, stepping, and whole hands played at random.

Hands come from fixed seeds. A listing takes a hand apart each time, as a table must, and so does
the reference that it is compared with. Abstract listings have one entry per type, key, length and
number of wilds; full ones every play, once per reading.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from attrs import evolve, frozen

from bench import reference
from bench.figures import Figure, beside, rate, rate_unseen
from guandan_engine import listing, patterns
from guandan_engine.cards import CARDS, Cards, Rank, wild_of
from guandan_engine.combos import READINGS, Combo, Reading
from guandan_engine.commands import Command, Pass, Play, Return, StartHand
from guandan_engine.machine import allowed_returns, step
from guandan_engine.moves import legal_plays
from guandan_engine.notation import cards_text, rank_text
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS
from guandan_engine.patterns import Move, Pattern
from guandan_engine.phases import Following, HandOver, Leading, MatchOver, Returning, Waiting
from guandan_engine.state import Match, new_match

__all__ = ["figures", "forget", "plain", "play_hands", "questions"]

RULES = Rules()
HANDS = 400
UNSEEN_HANDS = 1500
MATCH_HANDS = 60

FOLLOW_TARGET = 100_000
LEAD_TARGET = 40_000
LEAD_UNSEEN_TARGET = 8_000
FULL_TARGET = 400
STEP_TARGET = 120_000
HANDS_TARGET = 300
LEAD_RATIO_TARGET = 12


@frozen
class Question:
    """A hand, and what it has to beat."""

    hand: Cards
    level: Rank
    top: Reading | None

    def ours(self) -> tuple[Pattern, ...]:
        return legal_plays(self.hand, self.level, RULES, self.top).patterns()


@frozen
class PlainQuestion:
    """The same for the reference, which speaks text."""

    cards: list[str]
    level: str
    top: reference.Table | None

    def theirs(self) -> list[reference.Play]:
        if self.top is None:
            return reference.lead(self.cards, self.level)
        return reference.follow(self.cards, self.level, self.top)


def plain(question: Question) -> PlainQuestion:
    cards, level = cards_text(question.hand).split(), rank_text(question.level)
    top = question.top
    if top is None:
        return PlainQuestion(cards, level, None)
    key = None if top.key is None else rank_text(top.key)
    return PlainQuestion(cards, level, (top.combo.value, key, top.size))


def whole_hand(rng: random.Random, level: Rank, wilds: int | None) -> Cards:
    """27 cards as they are dealt, or with that many wilds."""
    if wilds is None:
        return Cards.of(rng.sample(2 * CARDS, 27))
    rest = [card for card in 2 * CARDS if card != wild_of(level)]
    return Cards.of([*rng.sample(rest, 27 - wilds), *[wild_of(level)] * wilds])


def questions(
    seed: int, count: int, *, combo: Combo | None = None, wilds: int | None = None
) -> list[Question]:
    """Hands to lead from, or to answer a play of type `combo` with."""
    rng = random.Random(seed)
    tops: list[Reading | None] = [one for one in READINGS if one.combo is combo]
    tops = tops or [None]
    drawn = ((rng.choice(LEVELS), rng.choice(tops)) for _ in range(count))
    return [Question(whole_hand(rng, level, wilds), level, top) for level, top in drawn]


def forget() -> None:
    """Empty the tables that abstract listings fill, as in a fresh process."""
    for tables in patterns.ALIKE:
        for table in tables:
            table.clear()
    for rows in (patterns.STRAIGHTS, patterns.STRAIGHT_FLUSHES, patterns.TUBES, patterns.PLATES):
        for row in rows:
            row.clear()
    for row in (patterns.JOKER_SINGLES, patterns.JOKER_PAIRS):
        row.clear()
    listing._windows_of.clear()


def figures() -> Iterator[Figure]:
    """Each figure as soon as it is measured."""
    for combo in (Combo.SINGLE, Combo.PAIR, Combo.FULL_HOUSE, Combo.STRAIGHT, Combo.BOMB):
        name = f"follow a {combo.value.replace('_', ' ')}, 27 cards"
        yield _beside_reference(name, questions(1, HANDS, combo=combo), target=FOLLOW_TARGET)
    asked = questions(2, HANDS, wilds=2)
    entries = sum(len(question.ours()) for question in asked) / len(asked)
    yield evolve(
        _beside_reference("lead, 27 cards with two wilds", asked, target=LEAD_TARGET),
        ratio_target=LEAD_RATIO_TARGET,
        note=f"{entries:.0f} entries each",
    )
    unseen = questions(3, UNSEEN_HANDS, wilds=2)
    forget()
    yield Figure(
        "the same, from empty tables, each hand once",
        rate_unseen(Question.ours, unseen),
        target=LEAD_UNSEEN_TARGET,
    )
    yield from _full(asked[:40])
    yield from _play()


def _beside_reference(name: str, asked: list[Question], *, target: float) -> Figure:
    ours, theirs, ratio = beside(
        Question.ours, asked, PlainQuestion.theirs, list(map(plain, asked))
    )
    return Figure(name, ours, target=target, reference=theirs, ratio=ratio)


def _full(asked: list[Question]) -> Iterator[Figure]:
    def drain(question: Question) -> list[Move]:
        return list(legal_plays(question.hand, question.level, RULES))

    yield Figure(
        "full listing drained, two wilds",
        rate(drain, asked),
        target=FULL_TARGET,
        note=f"{sum(len(drain(question)) for question in asked) / len(asked):,.0f} plays each",
    )
    choices = []
    for question in asked:
        plays = legal_plays(question.hand, question.level, RULES)
        choices += [(plays, move) for move in plays]
    yield Figure("choosing cards for a play", rate(lambda c: c[0].cards(c[1]), choices))


# Hands played at random, from one seed.


@frozen
class Turn:
    """A decision: the match, and the command that chance chose."""

    match: Match
    command: Command


def decide(match: Match, rng: random.Random) -> Command:
    phase = match.phase
    match phase:
        case Waiting() | HandOver():
            return StartHand(rng.randbytes(32))
        case Returning():
            seats = [g.recipient for g in phase.gifts]
            seat = seats[len(phase.chosen)]
            return Return(seat, rng.choice(allowed_returns(match, phase, seat)))
        case Leading() | Following():
            seat = phase.turn
            top = phase.top if isinstance(phase, Following) else None
            plays = legal_plays(match.hands[seat - 1], match.standing.active, match.rules, top)
            listed = plays.patterns()
            if top is not None and (not listed or rng.random() < PASSES):
                return Pass(seat)
            moves = plays.moves(listed[int(rng.random() * len(listed))])
            move = moves[int(rng.random() * len(moves))]
            return Play(seat, plays.cards(move), move.reading)
        case _:
            raise AssertionError(phase)


PASSES = 0.3
"""How often a seat passes that could play; hands then take about 140 decisions."""


def play_hands(seed: int, hands: int) -> list[Turn]:
    """Whole hands, in as many matches as they take."""
    rng = random.Random(seed)
    turns: list[Turn] = []
    match = new_match(RULES)
    over = 0
    while over < hands:
        if isinstance(match.phase, MatchOver):
            match = new_match(RULES)
        command = decide(match, rng)
        turns.append(Turn(match, command))
        match, _ = step(match, command)
        over += isinstance(match.phase, HandOver | MatchOver)
    return turns


def _play() -> Iterator[Figure]:
    turns = play_hands(4, MATCH_HANDS)
    stepped = rate(lambda turn: step(turn.match, turn.command), turns)
    yield Figure("step alone: judge and apply", stepped, target=STEP_TARGET)
    whole = rate(lambda hands: play_hands(4, hands), [MATCH_HANDS]) * MATCH_HANDS
    shares = _shares(turns, stepped, whole)
    yield Figure(
        "complete random hands",
        whole,
        target=HANDS_TARGET,
        note=f"{len(turns) / MATCH_HANDS:.0f} decisions each; {shares}",
    )


def _shares(turns: list[Turn], stepped: float, whole: float) -> str:
    """Where the time of a hand goes: each part alone, over the same positions."""
    asked, choices = [], []
    for turn in turns:
        phase, command = turn.match.phase, turn.command
        if not isinstance(phase, Leading | Following):
            continue
        top = phase.top if isinstance(phase, Following) else None
        hand = turn.match.hands[phase.turn - 1]
        asked.append(Question(hand, turn.match.standing.active, top))
        if isinstance(command, Play):
            plays = legal_plays(hand, turn.match.standing.active, RULES, top)
            move = next(
                move
                for move in plays
                if move.reading is command.reading and plays.cards(move) == command.cards
            )
            choices.append((hand, turn.match.standing.active, top, move))
    per_hand = {
        "list": len(asked) / rate(Question.ours, asked),
        "choose": len(choices) / rate(_choose, choices) - len(choices) / rate(_take_apart, choices),
        "judge and step": len(turns) / stepped,
    }
    total = MATCH_HANDS / whole
    shares = {name: spent / total for name, spent in per_hand.items()}
    shares["the rest"] = 1 - sum(shares.values())
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


Choice = tuple[Cards, Rank, Reading | None, Move]


def _choose(choice: Choice) -> object:
    hand, level, top, move = choice
    return legal_plays(hand, level, RULES, top).cards(move)


def _take_apart(choice: Choice) -> object:
    hand, level, top, _ = choice
    return legal_plays(hand, level, RULES, top)
