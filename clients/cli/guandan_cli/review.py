"""`guandan review`: a finished match, and what `expert` would have played in it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import Annotated, Any, Final

from attrs import frozen
from cyclopts import Parameter, Token
from cyclopts.validators import Number

from guandan_bots.policy import Choice
from guandan_bots.review import (
    Balance,
    Decision,
    Plan,
    Reviewed,
    balance,
    decisions,
    reviewed,
    worst_first,
)
from guandan_cli import flags, records, sitting
from guandan_cli.cores import processors
from guandan_cli.exits import Exit, Failure, said
from guandan_cli.judged import Judged, figures, judged_text, own_text
from guandan_cli.notes import shows_progress
from guandan_cli.texts import Texts
from guandan_cli.words import Words, printable
from guandan_engine.errors import EngineError
from guandan_engine.moves import Offer
from guandan_engine.notation import card_text, reading_text
from guandan_engine.record import Record, read
from guandan_engine.seats import SEATS, Seat

__all__ = ["review"]

BAR_CHARS: Final = 20
SHOWN: Final = 10
"""Decisions that people are told of, unless they ask for more."""


@frozen
class Name:
    """A name, and whether it was said here: one of the configuration may be no player's."""

    name: str
    typed: bool


def _called(_: object, tokens: Sequence[Token]) -> Name:
    return Name(tokens[0].value, typed=tokens[0].source == "cli")


def review(
    source: records.Source,
    /,
    *,
    seat: Annotated[
        int | None,
        Parameter(help="The decisions of this seat only, 1 to 4.", validator=Number(gte=1, lte=4)),
    ] = None,
    name: Annotated[
        Name | None,
        Parameter(
            help="Those of the player of that name. One that is set for all commands counts where "
            "a player is called so.",
            converter=_called,
            n_tokens=1,
            accepts_keys=False,
        ),
    ] = None,
    playouts: Annotated[
        int | None,
        Parameter(
            help="Games played out for a decision, and as many again where the choices differ; "
            "without it as many as at a table.",
            validator=Number(gte=10, lte=10_000_000),
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        Parameter(help="Begin no decision after so long.", validator=Number(gt=0)),
    ] = None,
    top: Annotated[
        int | None,
        Parameter(
            help=f"Tell of so many decisions; without it {SHOWN}, or all of them for programs.",
            validator=Number(gte=0),
        ),
    ] = None,
    seed: Annotated[str, Parameter(help="Of what is played out.")] = "1",
    workers: Annotated[
        int | None,
        Parameter(
            help="Processes that search; without it one for each processor.",
            validator=Number(gte=1, lte=256),
        ),
    ] = None,
    as_json: Annotated[
        bool, Parameter(name="--json", help="One object, for programs, instead of lines.")
    ] = False,
    match: records.MatchNumber = None,
    server: flags.Server = None,
    lang: flags.Language = None,
) -> int:
    """Go through a finished match: what would `expert` have played, and what was that worth?

    Every decision to lead or to follow is judged by what its seat could see then; what the others
    held, and how it ended, makes no play better. The worst comes first. Where a difference may be
    chance, that is said. Gifts and what a clock did are not judged. The result follows from the
    seed, whatever the number of workers, but with --seconds. Ctrl-C ends it with what there is.

    For example:

        guandan review match.txt --seat 1

        guandan review K7QM2X --name Ann --top 20

        guandan review match.txt --json --playouts 2000
    """
    texts = flags.spoken(lang)
    text = asyncio.run(records.text_of(source, match=match, server=server, texts=texts))
    try:
        record = read(text)
        seats = _seats(record, seat, name, texts)
        found = list(decisions(record, seats))
    except (EngineError, ValueError) as error:
        raise records.broken(source, error) from error
    usual = Plan()
    plan = Plan(playouts or usual.playouts, seed, seconds)
    reviews: list[Reviewed] = []
    interrupted = broken = False
    try:
        processes = workers or min(processors(), max(len(found), 1))
        # Closed at once, so that no process searches on while we tell the result.
        with closing(reviewed(found, record.rules, plan, workers=processes)) as coming:
            for one in _shown(source, coming, len(found)):
                reviews.append(one)  # noqa: PERF402 they stay when it is interrupted
    except KeyboardInterrupt:
        interrupted = True
    except BrokenProcessPool:
        broken = True
    balances = [balance(found, reviews, each) for each in seats]
    if as_json:
        shown = worst_first(reviews)[:top]
        plain = {
            "playouts": plan.playouts,
            "seed": plan.seed,
            "complete": len(reviews) == len(found),
            "seats": [_plain_balance(one, record) for one in balances],
            "decisions": [_plain(one, record) for one in shown],
        }
        print(json.dumps(plain), flush=True)
    else:
        told = _Told(record, sitting.words_for(texts, of_record=True), own=len(seats) == 1)
        print("\n".join(told.all(reviews, balances, SHOWN if top is None else top)), flush=True)
    if broken:
        raise Failure(Exit.FAILURE, said("error.killed"))
    return Exit.INTERRUPTED if interrupted else Exit.OK


def _seats(record: Record, seat: int | None, called: Name | None, texts: Texts) -> tuple[Seat, ...]:
    """Whose decisions are asked for; Failure if there is nobody of that name."""
    if seat is not None:
        if called is not None and called.typed:
            raise Failure(Exit.USAGE, said("error.one_of", options="--seat, --name"))
        return (Seat(seat),)
    if called is None:
        return SEATS
    wanted = called.name.strip().casefold()
    shown = [texts.named("botname", name) for name in record.names]
    named = tuple(
        [
            seat
            for seat, *names in zip(SEATS, record.names, shown, strict=True)
            if wanted in [name.casefold() for name in names]
        ]
    )
    if not named and called.typed:
        names = texts("list.comma").join([printable(name) for name in shown if name])
        text = texts("review.nobody", name=printable(called.name), names=names or "-")
        raise Failure(Exit.NOT_FOUND, text)
    return named or SEATS


def _shown(title: str, coming: Iterator[Reviewed], most: int) -> Iterator[Reviewed]:
    """The same, with a bar on standard error if somebody is there to see it."""
    if not shows_progress():
        yield from coming
        return
    try:
        for done, one in enumerate(coming, start=1):
            yield one
            filled = "#" * (BAR_CHARS * done // most)
            bar = f"[{filled.ljust(BAR_CHARS, '.')}] {done}/{most}"
            print(f"\r{printable(title)} {bar}\x1b[K", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@frozen
class _Told:
    """A review in words."""

    record: Record
    words: Words
    own: bool
    """Is it that of one seat, whose player is spoken to?"""

    @property
    def expert(self) -> str:
        return self.words.texts("strength.expert")

    def all(
        self, reviews: Sequence[Reviewed], balances: Sequence[Balance], top: int
    ) -> Iterator[str]:
        texts = self.words.texts
        other = [one for one in worst_first(reviews) if not one.agreed]
        yield from [self.line(one) for one in other[:top]]
        if top and len(other) > top:
            yield texts("review.more", n=len(other) - top, expert=self.expert, all=len(other))
        yield from [self.balance(one) for one in balances]
        yield texts("review.note")

    def line(self, one: Reviewed) -> str:
        decision, view = one.decision, one.decision.view
        judged = Judged(
            hand=decision.hand,
            left=len(view.private.hand),
            top=view.public.top,
            done=self._done(decision),
            best=self._play(decision, one.best),
            gain=one.gain,
            error=one.standard_error,
            worlds=one.worlds,
            sure=one.sure,
            outdone=one.outdone,
            reason=one.reason,
            cost=one.cost,
        )
        return judged_text(judged, self.words)

    def balance(self, one: Balance) -> str:
        return self.words.texts(
            "review.balance",
            who=self._who(one.seat),
            decisions=one.decisions,
            reviewed=one.reviewed,
            share=f"{one.agreed / one.reviewed:.0%}" if one.reviewed else "–",
            expert=self.expert,
            worse=one.worse,
            **figures(one.gain, one.standard_error),
        )

    def _done(self, decision: Decision) -> str:
        texts, play = self.words.texts, self._play(decision, decision.choice)
        if self.own:
            return own_text(play, self.words)
        who = self._who(decision.seat)
        if play is None:
            return texts("review.pass", who=who)
        return texts("review.play", who=who, play=play)

    def _play(self, decision: Decision, choice: Choice) -> str | None:
        """In words; None for a pass."""
        if not isinstance(choice, Offer):
            return None
        return self.words.shown(choice.cards, choice.reading, decision.view.public.level)

    def _who(self, seat: Seat) -> str:
        texts, name = self.words.texts, self.words.bot_name(self.record.names[seat - 1])
        return texts("who.other", seat=seat, name=printable(name) or texts("who.nameless"))


# As plain data, for other programs: stable keys, cards and readings as text.


def _plain(one: Reviewed, record: Record) -> dict[str, Any]:
    decision = one.decision
    public, top = decision.view.public, decision.view.public.top
    return {
        "hand": decision.hand,
        "turn": decision.turn,
        "seat": decision.seat,
        "name": record.names[decision.seat - 1],
        "phase": public.phase.value,
        "beats": None if top is None else reading_text(top),
        "by": public.by,
        "cards_left": len(decision.view.private.hand),
        "played": _plain_choice(decision.choice),
        "best": _plain_choice(one.best),
        "agreed": one.agreed,
        "gain": round(one.gain, 4),
        "standard_error": round(one.standard_error, 4),
        "worlds": one.worlds,
        "sure": one.sure,
        "outdone": one.outdone,
        "reason": one.reason,
        "cost": one.cost,
    }


def _plain_choice(choice: Choice) -> dict[str, Any]:
    if not isinstance(choice, Offer):
        return {"pass": True}
    return {
        "cards": [card_text(card) for card in choice.cards],
        "reading": reading_text(choice.reading),
    }


def _plain_balance(one: Balance, record: Record) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "name": record.names[one.seat - 1],
        "decisions": one.decisions,
        "reviewed": one.reviewed,
        "agreed": one.agreed,
        "worse": one.worse,
        "given_away": round(one.gain, 4),
        "standard_error": round(one.standard_error, 4),
    }
