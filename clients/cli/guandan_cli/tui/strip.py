"""The top line: both levels, what is still out, the room and the link."""

from __future__ import annotations

from rich.text import Text

from guandan_cli import sheets
from guandan_cli.tui.look import ALERT, FAINT, GOLD, TURN, clipped, joined, spread
from guandan_cli.tui.seen import Seen
from guandan_cli.words import rank_name
from guandan_engine.seats import Team
from guandan_engine.views import PhaseName
from guandan_protocol.messages import Stage

__all__ = ["strip"]


def strip(seen: Seen, width: int) -> Text:
    """As much in words as there is room for; the short forms are the marks of the hand."""
    end = _end(seen)
    left = _levels(seen)
    for key in ("tui.tallies", "tui.tallies_middle", "tui.tallies_short"):
        line = joined([left, _tallies(seen, key)], " | ")
        if line.cell_len + end.cell_len < width:
            break
    return clipped(spread(line, end, width), width)


def _levels(seen: Seen) -> Text:
    scene, words, texts = seen.scene, seen.words, seen.words.texts
    if scene.public.hand == 0:
        return Text(f" {texts('tui.title')}", style="bold")
    first = scene.team or Team.ODD
    tiles = [_tile(team, seen) for team in (first, first.other)]
    match scene.public.phase:
        case PhaseName.MATCH_OVER:
            return joined(tiles)
        case PhaseName.HAND_OVER:
            level = texts("tui.next_level", level=rank_name(scene.public.level))
        case _:
            level = texts("tui.level", level=rank_name(scene.public.level))
    owner = scene.public.owner
    if owner is not None:
        level += f" ({words.team(owner, scene)})"
    return joined([*tiles, Text(level)], " ")


def _tile(team: Team, seen: Seen) -> Text:
    """A team's level; the one that is played at is lit, and a gain stands beside it."""
    scene, words, public = seen.scene, seen.words, seen.scene.public
    level = words.level(public.levels[team], public.misses[team], scene.rules)
    text = words.texts("level.of", team=words.team(team, scene), level=level)
    tile = Text(f" {text} ", style=TURN if public.owner is team else "bold")
    if public.outcome is not None and public.outcome.winner is team:
        tile.append(f"+{public.outcome.gain} ", style=GOLD)
    return tile


def _tallies(seen: Seen, key: str) -> Text:
    counts = sheets.tally(seen.scene)
    if counts is None:
        return Text()
    text = seen.words.texts(key, level=rank_name(seen.scene.public.level), **counts)
    return Text(text, style=FAINT)


def _end(seen: Seen) -> Text:
    """The room, and how the link is."""
    texts = seen.words.texts
    parts = [] if seen.scene.public.hand == 0 else [Text(seen.scene.room, style=FAINT)]
    if seen.scene.view.stage is Stage.PAUSED:
        parts.append(Text(texts("stage.paused"), style=ALERT))
    if seen.retry_s is not None:
        parts.append(Text(texts("tui.offline"), style=ALERT))
    elif seen.latency_ms is not None:
        parts.append(Text(texts("tui.latency", ms=seen.latency_ms), style=FAINT))
    return joined(parts, " ").append(" ")
