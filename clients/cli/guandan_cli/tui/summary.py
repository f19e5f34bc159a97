"""The card after a hand, and after the match: places, levels, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from guandan_cli import render
from guandan_cli.tui.look import ALERT, FAINT, GOLD, TURN, centred, folded, joined, padded
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.seen import Seen
from guandan_cli.words import rank_name
from guandan_engine.cards import Rank
from guandan_engine.scoring import Outcome
from guandan_engine.seats import Seat, Team, partner_of, team_of
from guandan_protocol.messages import SeatKind, Stage

__all__ = ["summary"]


def summary(seen: Seen, width: int, height: int) -> list[Text]:
    """In the place of the table, for as long as the result is to be looked at."""
    outcome = seen.scene.public.outcome
    assert outcome is not None
    lines = [piece for one in _lines(outcome, seen) for piece in _fitted(one, width)]
    above = max(0, (height - len(lines)) // 2)
    lines = [*[Text()] * above, *lines][:height]
    return lines + [Text()] * (height - len(lines))


def _fitted(line: Text, width: int) -> list[Text]:
    """In the middle; what is too long, in several lines."""
    if line.cell_len <= width:
        return [centred(line, width)]
    pieces = folded(line.plain, width - 2, indent=0)
    return [centred(Text(piece, style=line.style), width) for piece in pieces]


def _lines(outcome: Outcome, seen: Seen) -> Iterator[Text]:
    scene, words = seen.scene, seen.words
    texts, public = words.texts, scene.public
    yield _title(outcome, seen)
    yield _levels(outcome, seen)
    yield Text()
    yield from _places(outcome, seen)
    yield Text()
    why = _why_not_won(outcome, seen)
    if why:
        yield Text(why, style=ALERT)
    for team in outcome.fallen:
        yield Text(narrow(texts("event.fallen", team=words.team(team, scene))), style=ALERT)
    if scene.view.stage is Stage.MATCH_OVER:
        return
    owner = public.owner
    yield Text(
        texts("tui.next_level", level=rank_name(public.level))
        + ("" if owner is None else f" ({words.team(owner, scene)})")
    )
    yield from _tribute(outcome, seen)
    yield _waiting(seen)


def _title(outcome: Outcome, seen: Seen) -> Text:
    scene, words = seen.scene, seen.words
    team = words.team(outcome.winner, scene)
    if outcome.match_won:
        return Text(f" {words.texts('tui.match_won', team=team)} ", style=TURN)
    partner = outcome.finish.index(partner_of(outcome.finish[0])) + 1
    number = words.texts("tui.hand_over", hand=scene.public.hand)
    result = words.texts(f"tui.gain_{partner}", team=team, gain=outcome.gain)
    return joined([Text(number, style="bold"), Text(result, style=GOLD)])


def _levels(outcome: Outcome, seen: Seen) -> Text:
    """Before and after."""
    scene, words = seen.scene, seen.words
    before = _before(seen)
    first = scene.team or Team.ODD
    parts = []
    for team in (first, first.other):
        old = rank_name(before[team])
        new = words.level(outcome.after.levels[team], outcome.after.misses[team], scene.rules)
        shown = new if old == new else f"{old} > {new}"
        text = words.texts("level.of", team=words.team(team, scene), level=shown)
        parts.append(Text(text, style="bold" if old != new else FAINT))
    return joined(parts, "   ")


def _before(seen: Seen) -> dict[Team, Rank]:
    """The levels before this hand: those after the one before it."""
    record = seen.scene.record
    levels = record[-2].levels if len(record) > 1 and record[-1].number > record[-2].number else {}
    return {team: levels.get(team, Rank.TWO) for team in Team}


def _places(outcome: Outcome, seen: Seen) -> Iterator[Text]:
    scene, words = seen.scene, seen.words
    down = words.texts("tui.down") if partner_of(outcome.finish[0]) == outcome.finish[1] else ""
    rows = []
    for place, seat in enumerate(outcome.finish, start=1):
        level = rank_name(outcome.after.levels[team_of(seat)])
        last = down if place > 2 and down else words.texts("tui.level", level=level)
        who = f"{seat} {words.name(scene.info(seat))}"
        ready = ""
        if scene.info(seat).kind is SeatKind.PERSON:
            ready = narrow(render.tags(scene.info(seat), scene, words))
        rows.append((words.place(place), who, last, ready))
    widths = [max(Text(row[i]).cell_len for row in rows) for i in range(4)]
    for place, row in enumerate(rows, start=1):
        styles = (GOLD if place < 3 else FAINT, "bold", "", FAINT)
        yield joined(
            [
                padded(Text(cell, style=style), width)
                for cell, style, width in zip(row, styles, widths, strict=True)
            ]
        )


def _why_not_won(outcome: Outcome, seen: Seen) -> str:
    """Why a team that won the hand at A has not won the match; why an attempt has failed."""
    scene, words = seen.scene, seen.words
    texts, team = words.texts, outcome.winner
    if outcome.match_won:
        return ""
    if _before(seen)[team] is Rank.ACE:
        name = words.team(team, scene)
        if partner_of(outcome.finish[0]) == outcome.finish[3]:
            return texts("tui.not_won_last", team=name)
        return texts("tui.not_won_own", team=name)
    for missed in outcome.missed:
        if missed not in outcome.fallen:
            count = outcome.after.misses[missed]
            return texts("event.missed", team=words.team(missed, scene), n=count)
    return ""


def _tribute(outcome: Outcome, seen: Seen) -> Iterator[Text]:
    """Who will have to give, unless the big jokers lie with them."""
    scene, words = seen.scene, seen.words
    if not scene.rules.tribute:
        return
    first, second, third, last = outcome.finish
    donors: tuple[Seat, ...] = (third, last) if partner_of(first) == second else (last,)
    who = words.everyone(donors, scene)
    key = "tui.tribute_double" if len(donors) == 2 else "tui.tribute_single"
    yield Text(words.texts(key, donors=who, first=words.who(first, scene)), style=FAINT)


def _waiting(seen: Seen) -> Text:
    """For whom the next hand waits."""
    scene, words = seen.scene, seen.words
    missing = [
        Seat(i)
        for i, info in enumerate(scene.view.seats, start=1)
        if info.kind is SeatKind.PERSON and not info.ready
    ]
    if seen.deal_s is not None:
        return Text(words.texts("tui.dealt_in", s=seen.deal_s), style=FAINT)
    is_replay = not scene.room
    if is_replay or scene.seat in missing or not missing:
        return Text()
    return Text(words.texts("tui.waiting", who=words.everyone(missing, scene)), style=FAINT)
