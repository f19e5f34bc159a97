"""What a scene looks like in plain lines: the table, the hand, the lobby, what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from guandan_cli.scene import Role, Scene
from guandan_cli.words import Words, padded, rank_name
from guandan_engine.cards import Card, Cards, Rank, rank_of, suit_of, wild_of
from guandan_engine.order import height
from guandan_engine.phases import PASSED
from guandan_engine.seats import SEATS, Seat, Team, seats_from
from guandan_engine.views import Laid, PhaseName
from guandan_protocol.messages import Control, SeatInfo, SeatKind, Stage

__all__ = ["ask", "columns", "hand", "headline", "lobby", "situation", "table", "tags"]

RULE_WIDTH: Final = 60
_INDENT: Final = "  "


# The hand.


def _key(card: Card, level: Rank) -> str:
    """What is typed for a card, and heads its column."""
    if card == wild_of(level):
        return "W"
    rank = rank_of(card)
    return rank_name(rank) + ("*" if rank is level else "")


def columns(cards: Cards, level: Rank, words: Words) -> list[str]:
    """A column per rank, highest first, under the key that is typed for it; wilds stand apart."""
    wild = wild_of(level)
    order = sorted(cards, key=lambda c: (-height(rank_of(c), level), c != wild, suit_of(c)))
    stacks: dict[str, list[str]] = {}
    for card in order:
        rank = rank_of(card)
        face = rank_name(rank) if rank > Rank.ACE else words.card(card)
        stacks.setdefault(_key(card, level), []).append(face)
    tallest = max(map(len, stacks.values()), default=0)
    rows = [list(stacks)]
    rows += [
        [stack[i] if i < len(stack) else "" for stack in stacks.values()] for i in range(tallest)
    ]
    return [(_INDENT + "".join([padded(cell, 4) for cell in row])).rstrip() for row in rows]


def hand(scene: Scene, words: Words) -> list[str]:
    """Our own cards with a legend of their marks; nothing for a watcher or without cards."""
    if scene.private is None or not scene.private.hand:
        return []
    cards, level = scene.private.hand, scene.public.level
    texts = words.texts
    marks = []
    if wild_of(level) in cards:
        marks.append(texts("hand.wild", card=words.card(wild_of(level))))
    if any(rank_of(card) == level and card != wild_of(level) for card in cards):
        marks.append(texts("hand.level", rank=rank_name(level)))
    held = {rank_of(card) for card in cards}
    marks += [
        texts("hand.joker", key=rank_name(joker), joker=words.rank(joker))
        for joker in (Rank.BIG_JOKER, Rank.SMALL_JOKER)
        if joker in held
    ]
    title = texts("list.dot").join([texts("hand.title", n=len(cards)), *marks])
    return [title, *columns(cards, level, words)]


# The table.


def headline(scene: Scene, words: Words) -> str:
    """Which hand at whose level, and both levels."""
    texts, public = words.texts, scene.public
    owner = words.owner(public.owner, scene)
    levels = texts("list.comma").join(
        [
            texts(
                "level.of",
                team=words.team(team, scene),
                level=words.level(public.levels[team], public.misses[team], scene.rules),
            )
            for team in _teams(scene)
        ]
    )
    match public.phase:
        case PhaseName.MATCH_OVER:
            return texts("table.over", levels=levels)
        case PhaseName.HAND_OVER:  # the view speaks of the next hand's level already
            key = "table.between"
        case _:
            key = "table.title"
    return texts(
        key,
        hand=public.hand,
        level=rank_name(public.level),
        owner=owner,
        levels=levels,
    )


def _teams(scene: Scene) -> tuple[Team, Team]:
    """Our own first."""
    first = scene.team or Team.ODD
    return first, first.other


def table(scene: Scene, words: Words) -> list[str]:
    """The levels, and a line a seat from the one after ours: cards left, last play, presence."""
    if scene.public.hand == 0:
        return lobby(scene, words)
    start = SEATS[0] if scene.seat is None else seats_from(scene.seat)[1]
    rows = [_seat_row(seat, scene, words) for seat in seats_from(start)]
    widths = [max(cell_len(row[i]) for row in rows) for i in range(3)]
    lines = [headline(scene, words)]
    for who, role, count, rest in rows:
        cells = padded(who, widths[0]), padded(role, widths[1]), padded(count, widths[2])
        lines.append((_INDENT + _INDENT.join([c for c in cells if c]) + _INDENT + rest).rstrip())
    return lines


def _seat_row(seat: Seat, scene: Scene, words: Words) -> tuple[str, str, str, str]:
    texts, public = words.texts, scene.public
    turn = ">" if scene.is_live and seat in public.asked else " "
    role = "" if scene.seat is None else texts(f"role.{scene.role(seat).value}")
    count = public.counts[seat - 1]
    if scene.private is not None and seat == scene.seat:
        count = len(scene.private.hand)  # others' may be hidden, our own is in our hand
    if seat in public.out:
        left = words.place(public.out.index(seat) + 1)
    elif count is None:
        left = texts("count.hidden")
    else:
        left = texts("count.left", n=count)
    shown = public.shown[seat - 1]
    match shown:
        case Laid(cards, reading):
            last = words.shown(cards, reading, public.level)
        case _ if shown is PASSED:
            last = texts("event.pass_word")
        case _:
            last = ""
    marks = tags(scene.info(seat), scene, words)
    return (
        f"{turn}{_seat_name(seat, scene, words)}",
        role,
        left,
        "  ".join(filter(None, [last, marks])),
    )


def _seat_name(seat: Seat, scene: Scene, words: Words) -> str:
    return f"{seat} {words.name(scene.info(seat))}"


def tags(info: SeatInfo, scene: Scene, words: Words) -> str:
    """Who plays there in what way, in brackets; nothing for a person who is there and plays."""
    texts = words.texts
    found = []
    if info.kind is SeatKind.PERSON and not info.online:
        found.append(texts("tag.away"))
    if info.control is not Control.SELF:
        found.append(texts(f"tag.{info.control}"))
    if info.kind is SeatKind.BOT:
        lobby = scene.view.stage is Stage.LOBBY
        found.append(
            texts("tag.bot_level", level=texts.named("strength", info.level))
            if lobby
            else texts("tag.bot")
        )
    if info.kind is SeatKind.PERSON and info.ready and not scene.is_live:
        found.append(texts("tag.ready"))
    if info.later:
        found.append(texts("tag.later"))
    return f"[{texts('list.comma').join(found)}]" if found else ""


# The lobby.


def lobby(scene: Scene, words: Words) -> list[str]:
    """Who sits where, and how the table is set up."""
    texts = words.texts
    rows = []
    for seat in SEATS:
        name = padded(_seat_name(seat, scene, words), 16)
        marks = [texts("role.you")] if scene.role(seat) is Role.YOU else []
        marks += [texts("tag.host")] if scene.view.host == seat else []
        rows.append(
            (_INDENT + _INDENT.join([name, *marks, tags(scene.info(seat), scene, words)])).rstrip()
        )
    lines = [texts("lobby.title", room=scene.room), *rows]
    lines.append(texts("lobby.teams"))
    lines += [_INDENT + swap for swap in _swaps(scene, words)]
    return [*lines, situation(scene, words)]


def _swaps(scene: Scene, words: Words) -> list[str]:
    return [
        words.texts("lobby.swap", a=words.who(a, scene), b=words.who(b, scene))
        for a, b in scene.view.swaps
    ]


def situation(scene: Scene, words: Words) -> str:
    """One line on how the table is run."""
    texts, settings = words.texts, scene.view.settings
    parts = [
        texts("settings.rules", preset=scene.view.preset),
        texts("settings.no_clock")
        if settings.clock_s is None
        else texts("settings.clock", s=settings.clock_s),
        texts("settings.pace", s=f"{settings.pace_ms / 1000:g}"),
        texts(f"settings.{settings.visibility}"),
    ]
    if scene.view.watchers:
        parts.append(texts("settings.watchers", n=scene.view.watchers))
    return texts("list.dot").join(parts)


# What is wanted now.


def ask(scene: Scene, words: Words) -> list[str]:
    """What the one who looks may do now, in a line or two."""
    if scene.view.proposal is not None:
        return [_proposal(scene, words), *_wanted(scene, words)]
    return _wanted(scene, words)


def _proposal(scene: Scene, words: Words) -> str:
    texts, view = words.texts, scene.view
    what = texts(f"proposal.{view.proposal}")
    missing = [
        seat
        for seat in SEATS
        if scene.info(seat).kind is SeatKind.PERSON and seat not in view.consents
    ]
    if scene.seat in missing:
        return texts("proposal.yours", what=what)
    return texts("proposal.waiting", what=what, who=words.everyone(missing, scene))


def _wanted(scene: Scene, words: Words) -> list[str]:
    texts, seat = words.texts, scene.seat
    match scene.view.stage:
        case Stage.LOBBY:
            if seat is None:
                return []
            return [texts("ask.lobby_host" if scene.is_host else "ask.lobby")]
        case Stage.PAUSED:
            return [texts("ask.paused")]
        case Stage.MATCH_OVER:
            return [] if seat is None else [texts("ask.match_over")]
        case Stage.PLAYING:
            pass
    if scene.public.phase is PhaseName.HAND_OVER:
        if seat is None or scene.info(seat).ready:
            return [texts("ask.hand_over_ready")]
        return [texts("ask.hand_over")]
    if not scene.is_live:
        return []
    if not scene.is_asked:
        return [texts("ask.waiting", who=words.everyone(scene.public.asked, scene))]
    return [_card_wanted(scene, words) + _clock(scene, words)]


def _card_wanted(scene: Scene, words: Words) -> str:
    texts, public, private = words.texts, scene.public, scene.private
    assert private is not None, "only a seat is asked"
    level = public.level
    if public.phase is PhaseName.PAYING:
        return texts("ask.pay", cards=words.cards(private.pay, level))
    if public.phase is PhaseName.RETURNING:
        donor = next((g.donor for g in public.gifts if g.recipient == scene.seat), None)
        return texts(
            "ask.return",
            who="" if donor is None else words.who(donor, scene),
            cards=_choices(private.give_back, level, words),
        )
    if public.top is None or public.by is None:
        return texts("ask.lead")
    return texts("ask.follow", who=words.who(public.by, scene), play=words.reading(public.top))


def _choices(cards: Sequence[Card], level: Rank, words: Words) -> str:
    """Cards to choose from, lowest first."""
    order = sorted(cards, key=lambda c: (height(rank_of(c), level), suit_of(c)))
    return " ".join(map(words.card, order))


def _clock(scene: Scene, words: Words) -> str:
    left = scene.view.clock_ms
    return "" if left is None else " " + words.texts("ask.clock", s=max(0, round(left / 1000)))
