"""What has just happened, in words: a line per event, and a line per change in the room."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from attrs import evolve

from guandan_cli.scene import Role, Scene
from guandan_cli.words import Words, printable, rank_name
from guandan_engine.cards import Cards, Rank
from guandan_engine.scoring import Outcome
from guandan_engine.seats import SEATS, Seat, Team, partner_of
from guandan_engine.tribute import Gift
from guandan_engine.views import (
    CardsReturned,
    Chosen,
    Dealt,
    HandEnded,
    OpenerDrawn,
    Passed,
    Played,
    SeatEvent,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
)
from guandan_protocol.messages import Control, Said, SeatInfo, SeatKind, Stage

__all__ = ["changes", "event", "events", "said"]

PHRASE_CHARS_MAX: Final = 80


def events(happened: Iterable[SeatEvent], scene: Scene, words: Words, *, level: Rank) -> list[str]:
    """All lines of an update; `scene` is the one after it, `level` that of the hand before it.

    With the end of a hand the view speaks of the next one's level, but what was played last was
    played at the old one: its wilds are others.
    """
    lines = []
    happened = tuple(happened)
    moved = any(isinstance(one, TributePaid | CardsReturned) for one in happened)
    for one in happened:
        if moved and isinstance(one, Chosen):
            continue  # nothing is held back: what moved is told by itself
        if isinstance(one, Dealt):
            level = one.level
        lines += event(one, scene, words, level=level)
    return lines


def event(one: SeatEvent, scene: Scene, words: Words, *, level: Rank) -> list[str]:
    """The lines of one event."""
    texts = words.texts
    match one:
        case Dealt():
            return [_dealt(one, scene, words)]
        case OpenerDrawn(drawn):
            turned = " ".join([words.card(card) for card, _ in drawn])
            return [texts("event.opener", cards=turned, who=words.who(drawn[-1][1], scene))]
        case TributeResisted(holders):
            return [texts("event.resisted", who=words.everyone(holders, scene))]
        case Chosen(seat, card):
            own = "" if card is None else words.card(card)
            key = "event.chosen" if card is None else "event.chosen_own"
            return [texts(key, who=words.who(seat, scene), card=own)]
        case TributePaid(gifts):
            return [_moved("event.paid", gift, scene, words) for gift in gifts]
        case CardsReturned(returns):
            return [_moved("event.returned", gift, scene, words) for gift in returns]
        case TimedOut(seat):
            return [texts("event.timed_out", who=words.who(seat, scene))]
        case Played(seat, cards, reading):
            play = words.shown(cards, reading, level)
            line = texts("event.played", who=words.who(seat, scene), play=play)
            return [line + _left(seat, scene, words)]
        case Passed(seat):
            return [texts("event.passed", who=words.who(seat, scene))]
        case WentOut(seat, place):
            return [texts("event.out", who=words.who(seat, scene), place=words.place(place))]
        case TrickClosed(winner, leader):
            key = "event.jiefeng" if one.jiefeng else "event.trick"
            return [texts(key, who=words.who(winner, scene), leader=words.who(leader, scene))]
        case HandEnded(outcome, left):
            return _ended(outcome, left, scene, words, level=level)
        case _:
            assert_never(one)


def said(heard: Said, scene: Scene, words: Words) -> str:
    """A phrase of somebody's, of ours too; one of a newer server stands as it is."""
    phrase = printable(words.texts.named("phrase", heard.phrase), PHRASE_CHARS_MAX)
    return words.texts("say.heard", who=words.who(heard.seat, scene), phrase=phrase)


def _dealt(one: Dealt, scene: Scene, words: Words) -> str:
    level = rank_name(one.level)
    if one.owner is None:
        return words.texts("event.dealt_first", hand=one.number, level=level)
    owner = words.owner(one.owner, scene)
    return words.texts("event.dealt", hand=one.number, level=level, owner=owner)


def _moved(key: str, gift: Gift, scene: Scene, words: Words) -> str:
    return words.texts(
        key,
        donor=words.who(gift.donor, scene),
        recipient=words.who(gift.recipient, scene),
        card=words.card(gift.card),
    )


def _left(seat: Seat, scene: Scene, words: Words) -> str:
    count = scene.public.counts[seat - 1]
    return "" if not count or not scene.is_live else words.texts("event.left", n=count)


# The end of a hand.


def _ended(
    outcome: Outcome,
    left: tuple[Cards, Cards, Cards, Cards],
    scene: Scene,
    words: Words,
    *,
    level: Rank,
) -> list[str]:
    texts = words.texts
    places = [
        texts("event.place", place=words.place(i), who=words.who(seat, scene))
        for i, seat in enumerate(outcome.finish, start=1)
    ]
    lines = [texts("event.hand_over", places=texts("list.comma").join(places))]
    lines += [
        texts(
            "event.left_over",
            who=words.who(seat, scene),
            cards=words.cards(left[seat - 1], level),
        )
        for seat in outcome.finish
        if left[seat - 1]
    ]
    lines.append(_gain(outcome, scene, words))
    lines += [
        texts("event.missed", team=words.team(team, scene), n=outcome.after.misses[team])
        for team in outcome.missed
        if team not in outcome.fallen
    ]
    lines += [texts("event.fallen", team=words.team(team, scene)) for team in outcome.fallen]
    if outcome.match_won:
        lines.append(texts("event.match_won", team=words.team(outcome.winner, scene)))
    return lines


def _gain(outcome: Outcome, scene: Scene, words: Words) -> str:
    texts = words.texts
    partner = outcome.finish.index(partner_of(outcome.finish[0])) + 1
    first = scene.team or Team.ODD
    levels = texts("list.comma").join(
        [
            texts(
                "level.of",
                team=words.team(team, scene),
                level=words.level(
                    outcome.after.levels[team], outcome.after.misses[team], scene.rules
                ),
            )
            for team in (first, first.other)
        ]
    )
    return texts(
        f"event.gain_{partner}",
        team=words.team(outcome.winner, scene),
        gain=outcome.gain,
        levels=levels,
    )


# What changed around the match.


def changes(before: Scene, after: Scene, words: Words) -> list[str]:
    """People coming and going, readiness, who plays for whom, proposals."""
    lines = [
        line
        for seat in SEATS
        for line in _seat_changes(seat, before.info(seat), after.info(seat), after, words)
    ]
    if (before.view.stage, before.public.phase) == (after.view.stage, after.public.phase):
        # Only then is it taken back: with every hand all begin as not ready.
        lines += _taken_back(before, after, words)
    texts, old, new = words.texts, before.view, after.view
    if new.host != old.host and new.host is not None:
        lines.append(texts("change.host", who=words.who(new.host, after)))
    if new.stage != old.stage and new.stage in (Stage.PAUSED, Stage.LOBBY):
        lines.append(texts(f"change.{new.stage}"))
    if old.stage is Stage.PAUSED and new.stage is Stage.PLAYING:
        lines.append(texts("change.resumed"))
    # A clock may come and go by itself with the second person; the table shows it.
    chosen = evolve(new.settings, clock_s=old.settings.clock_s)
    if (new.preset, new.options, chosen) != (old.preset, old.options, old.settings):
        lines.append(texts("change.settings"))
    lines += [
        texts("change.swap", a=words.who(a, after), b=words.who(b, after), seat=a)
        for a, b in new.swaps
        if (a, b) not in old.swaps
    ]
    if new.proposal != old.proposal:
        if new.proposal is not None:
            lines.append(texts("change.proposed", what=texts(f"proposal.{new.proposal}")))
        elif new.match == old.match:
            lines.append(texts("change.proposal_gone"))
    if new.match != old.match:
        lines.append(texts("change.match", n=new.match))
    return lines


def _taken_back(before: Scene, after: Scene, words: Words) -> list[str]:
    return [
        words.texts("change.not_ready", who=words.who(seat, after))
        for seat in SEATS
        if before.info(seat).ready
        and not after.info(seat).ready
        and after.info(seat).name == before.info(seat).name
        and after.info(seat).kind is SeatKind.PERSON
        and not after.is_live
    ]


def _seat_changes(
    seat: Seat, old: SeatInfo, new: SeatInfo, scene: Scene, words: Words
) -> list[str]:
    texts = words.texts
    who = words.who(seat, scene)
    if (old.kind, old.name) != (new.kind, new.name):
        if new.kind is SeatKind.EMPTY:
            return [texts("change.empty", seat=seat)]
        key = "change.bot" if new.kind is SeatKind.BOT else "change.sat"
        return [texts(key, who=who, seat=seat, level=texts.named("strength", new.level))]
    lines = []
    if new.kind is SeatKind.BOT and old.level != new.level:
        lines.append(
            texts("change.bot", who=who, seat=seat, level=texts.named("strength", new.level))
        )
    elsewhere = new.kind is SeatKind.PERSON and scene.role(seat) is not Role.YOU
    if elsewhere and old.online != new.online:
        lines.append(texts("change.back" if new.online else "change.away", who=who))
    if old.control != new.control:
        key = "change.self" if new.control is Control.SELF else f"change.{new.control}"
        lines.append(texts(key, who=who, s=f"{new.pace_ms / 1000:g}"))
    if new.kind is SeatKind.PERSON and new.ready and not old.ready and not scene.is_live:
        lines.append(texts("change.ready", who=who))
    if old.later != new.later and new.later:
        lines.append(texts("change.later", who=who))
    return lines
