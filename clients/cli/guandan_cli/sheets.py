"""What is looked up now and then: the session's record, what is still out, rules, hints."""

from __future__ import annotations

from rich.cells import cell_len

from guandan_cli.scene import Scene
from guandan_cli.words import Words, padded, rank_name
from guandan_engine.cards import FULL_PACK, NO_CARDS, Cards, Rank, rank_of, wild_of
from guandan_engine.options import OPTIONS, PRESETS, options_of
from guandan_engine.order import height
from guandan_engine.seats import Team
from guandan_engine.views import HandSummary
from guandan_protocol.messages import Hint, Hints, Phrase, Previewed, ReadingInfo

__all__ = [
    "counter",
    "hint",
    "hints",
    "option_text",
    "phrases",
    "readings",
    "record",
    "rules",
    "still_out",
    "tallies",
    "tally",
]


# The record.


def record(scene: Scene, words: Words) -> list[str]:
    """A row per finished hand: its level, places by seat, gain, levels after it, tribute.

    Numbers begin anew with every match of the session; each but a single one has its heading.
    """
    texts = words.texts
    if not scene.record:
        return [texts("record.empty")]
    first = scene.team or Team.ODD
    heads = [
        *(texts(f"record.{name}") for name in ("hand", "level")),
        *(words.place(place) for place in (1, 2, 3, 4)),
        texts("record.gain"),
        *(words.team(team, scene) for team in (first, first.other)),
        texts("record.tribute"),
    ]
    rows = [heads, *[_hand_row(one, scene, words) for one in scene.record]]
    widths = [max(cell_len(row[i]) for row in rows) for i in range(len(heads))]
    lines = [
        (
            "  " + "  ".join([padded(cell, width) for cell, width in zip(row, widths, strict=True)])
        ).rstrip()
        for row in rows
    ]
    starts = _match_starts(scene)
    if len(starts) < 2:
        return lines
    found = [lines[0]]
    for place, line in enumerate(lines[1:]):
        if place in starts:
            found.append(texts("record.match", n=starts.index(place) + 1))
        found.append(line)
    return found


def _match_starts(scene: Scene) -> list[int]:
    """Where in the record each match begins: its hands count from 1 again."""
    numbers = [one.number for one in scene.record]
    return [i for i, number in enumerate(numbers) if i == 0 or number <= numbers[i - 1]]


def _hand_row(one: HandSummary, scene: Scene, words: Words) -> list[str]:
    first = scene.team or Team.ODD
    winner = Team.ODD if one.finish[0] in Team.ODD.seats else Team.EVEN
    gain = f"{words.team(winner, scene)} +{one.gain}"
    return [
        str(one.number),
        rank_name(one.level) + ("" if one.owner is None else f" ({words.team(one.owner, scene)})"),
        *[words.seat(seat, scene) for seat in one.finish],
        words.texts("record.won", gain=gain) if one.match_won else gain,
        rank_name(one.levels[first]),
        rank_name(one.levels[first.other]),
        _tribute(one, scene, words),
    ]


def _tribute(one: HandSummary, scene: Scene, words: Words) -> str:
    texts = words.texts
    if one.resisted:
        return texts("record.resisted", who=words.everyone(one.resisted, scene))
    moved = [
        texts(
            "record.gift",
            donor=words.seat(gift.donor, scene),
            recipient=words.seat(gift.recipient, scene),
            card=words.card(gift.card),
        )
        for gift in (*one.gifts, *one.returns)
    ]
    return texts("list.comma").join(moved)


# What is still out.


def unseen(scene: Scene) -> Cards:
    """Neither played nor in our own hand; to a watcher, not yet played."""
    seen = NO_CARDS if scene.private is None else scene.private.hand
    for cards in scene.public.played:
        seen += cards
    return FULL_PACK - seen


def tally(scene: Scene) -> dict[str, int] | None:
    """The four counts that matter most; None where the table forbids counting."""
    if not scene.view.settings.counter or not scene.is_live:
        return None
    out, level = unseen(scene), scene.public.level
    wild = wild_of(level)
    return {
        "big": sum(rank_of(card) is Rank.BIG_JOKER for card in out),
        "small": sum(rank_of(card) is Rank.SMALL_JOKER for card in out),
        "wilds": out.count(wild),
        "levels": sum(rank_of(card) is level and card != wild for card in out),
    }


def tallies(scene: Scene, words: Words) -> list[str]:
    """The same in a line; nothing where the table forbids counting."""
    count = tally(scene)
    return [] if count is None else [words.texts("counter.tallies", **count)]


def still_out(scene: Scene) -> list[tuple[str, int]]:
    """How many of each rank are still out, highest first, under the keys that take them."""
    out, level = unseen(scene), scene.public.level
    wild = wild_of(level)
    order = sorted(Rank, key=lambda rank: -height(rank, level))
    cells = [
        (rank_name(rank), sum(rank_of(card) is rank and card != wild for card in out))
        for rank in order
    ]
    cells.insert(2, ("W", out.count(wild)))
    return cells


def counter(scene: Scene, words: Words) -> list[str]:
    """How many of each rank are still out, highest first."""
    texts = words.texts
    if not scene.view.settings.counter:
        return [texts("counter.off")]
    cells = still_out(scene)
    return [
        texts("counter.title"),
        "  " + "".join([padded(name, 4) for name, _ in cells]).rstrip(),
        "  " + "".join([padded(str(n), 4) for _, n in cells]).rstrip(),
    ]


# Rules.


def option_text(value: object) -> str:
    """A value as it is typed after `--option name=`."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def phrases(words: Words) -> list[str]:
    """What can be said, and how."""
    texts = words.texts
    lines = [f"/{phrase:<12} {texts(f'phrase.{phrase}')}" for phrase in Phrase]
    return [texts("say.how"), *lines]


def rules(scene: Scene, words: Words) -> list[str]:
    """Every option with its value, those that differ from the preset marked."""
    texts = words.texts
    usual = options_of(PRESETS.get(scene.view.preset, PRESETS["site"]))
    lines = [texts("rules.title", preset=scene.view.preset, presets=", ".join(PRESETS))]
    for name in OPTIONS:
        value = scene.view.options.get(name, usual[name])
        changed = "" if value == usual[name] else " *"
        meaning = texts.table.get(f"option.{name}", "")
        lines.append(f"  {name}={option_text(value)}{changed}".ljust(36) + meaning)
    lines.append(texts("rules.settings", settings=_settings(scene, words)))
    return [line.rstrip() for line in lines]


def _settings(scene: Scene, words: Words) -> str:
    """How the table is run, beside its rules; `set` changes it."""
    texts, now = words.texts, scene.view.settings
    state = {True: texts("tui.on"), False: texts("tui.off")}
    return texts("list.comma").join(
        [
            texts("settings.no_clock")
            if now.clock_s is None
            else texts("settings.clock", s=now.clock_s),
            texts("settings.pace", s=f"{now.pace_ms / 1000:g}"),
            texts("settings.grace", s=now.grace_s),
            texts("settings.hints", state=state[now.hints]),
            texts("settings.counter", state=state[now.counter]),
            texts("settings.phrases", state=state[now.phrases]),
            texts(f"settings.{now.visibility}"),
        ]
    )


# Answers to questions about our own cards.


def readings(previewed: Previewed, words: Words) -> list[str]:
    """The readings to choose from, numbered."""
    return [f"  {i}. {_reading(info, words)}" for i, info in enumerate(_able(previewed), start=1)]


def _able(previewed: Previewed) -> list[ReadingInfo]:
    return [info for info in previewed.readings if info.beats]


def _reading(info: ReadingInfo, words: Words) -> str:
    text = words.reading(info.reading)
    if not info.shown_as:
        return text
    return words.texts("reading.wild", reading=text, cards=" ".join(map(words.card, info.shown_as)))


def hints(answer: Hints, scene: Scene, words: Words) -> list[str]:
    """All hints, cheapest first, the recommended one marked."""
    if not answer.hints:
        return [words.texts("hint.none")]
    width = len(str(len(answer.hints)))
    return [
        f"{'*' if i == answer.best else ' '} {i + 1:>{width}}. {hint(one, scene, words)}"
        for i, one in enumerate(answer.hints)
    ]


def hint(one: Hint, scene: Scene, words: Words) -> str:
    """What is suggested, and why."""
    texts, level = words.texts, scene.public.level
    reason = texts.named("hint", one.reason)
    if not one.cards:
        what = texts("event.pass_word")
    elif one.reading is None:
        what = words.cards(one.cards, level)
    else:
        what = words.shown(one.cards, one.reading, level)
    return texts("hint.line", what=what, reason=reason) if reason else what
