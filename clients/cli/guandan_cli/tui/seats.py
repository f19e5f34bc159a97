"""Each seat as the others see it: who, how many cards, and what they did last."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from guandan_cli import render
from guandan_cli.scene import Role
from guandan_cli.tui.look import ALERT, FAINT, GOLD, TURN, is_bomb, joined, laid, wrapped
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.seen import Seen
from guandan_engine.combos import Combo
from guandan_engine.phases import PASSED
from guandan_engine.seats import SEATS, Seat, seats_from
from guandan_engine.views import Laid

__all__ = ["around", "line", "name", "play", "stand", "voice"]

FEW_CARDS: Final = 10
"""From here down the count is called out."""


def around(seen: Seen) -> tuple[Seat, Seat, Seat, Seat]:
    """Who sits at the bottom, at the right, at the top and at the left of the screen."""
    return seats_from(seen.scene.seat or seen.eye or SEATS[0])


def name(seat: Seat, seen: Seen) -> Text:
    """The seat's number and name; whose turn it is has a mark and a colour."""
    scene, words = seen.scene, seen.words
    is_asked = scene.is_live and seat in scene.public.asked
    text = f"{'>' if is_asked else ' '}{seat} {words.name(scene.info(seat))} "
    return Text(text, style=TURN if is_asked else "bold")


def role(seat: Seat, seen: Seen) -> Text:
    who = seen.scene.role(seat)
    return Text() if who is Role.STRANGER else Text(seen.words.texts(f"role.{who.value}"), FAINT)


def stand(seat: Seat, seen: Seen) -> Text:
    """Cards left, or the place; presence."""
    scene, words, public = seen.scene, seen.words, seen.scene.public
    texts = words.texts
    count = public.counts[seat - 1]
    if scene.private is not None and seat == scene.seat:
        count = len(scene.private.hand)
    if seat in public.out:
        left = Text(words.place(public.out.index(seat) + 1), style=GOLD)
    elif count is None:
        left = Text(texts("count.hidden"))
    elif count <= FEW_CARDS and scene.role(seat) is not Role.YOU:
        left = Text(texts("tui.few", n=count), style=ALERT)
    else:
        left = Text(texts("count.left", n=count))
    tags = Text(narrow(render.tags(scene.info(seat), scene, words)), style=FAINT)
    return joined([left, tags])


def voice(seat: Seat, seen: Seen) -> Text:
    """What was just said there."""
    heard = [text for who, text in seen.said if who == seat]
    return Text(f'"{narrow(heard[-1])}"', style="italic") if heard else Text()


def play(seat: Seat, seen: Seen) -> tuple[Text, list[Text]]:
    """What the seat did last in the open trick: in words, and the cards."""
    public, words = seen.scene.public, seen.words
    shown = public.shown[seat - 1]
    lead = Text(words.texts("tui.lead_mark"), FAINT) if public.leader == seat else Text()
    match shown:
        case Laid(cards, reading):
            is_top = public.by == seat and public.top == reading
            style = GOLD if is_top or is_bomb(reading) else FAINT
            cards_ = laid(cards, reading, public.level, words)
            if reading.combo is Combo.SINGLE:
                return lead, cards_
            return joined([lead, Text(narrow(words.reading(reading)), style=style)], " "), cards_
        case _ if shown is PASSED:
            return Text(words.texts("event.pass_word"), style=FAINT), []
        case _:
            return Text(), []


def block(seat: Seat, seen: Seen, width: int) -> list[Text]:
    """A seat at the side: name, standing, last play."""
    what, cards = play(seat, seen)
    head, who, left = name(seat, seen), role(seat, seen), stand(seat, seen)
    if head.cell_len + who.cell_len + 1 < width:
        lines = [joined([head, who], " "), Text(" ") + left]
    else:
        both = joined([who, left])
        lines = [head, Text(" ") + (both if both.cell_len + 1 < width else left)]
    rows = wrapped(cards, width - 2, 3)
    if what.plain and cards and what.cell_len + rows[0].cell_len + 2 < width and len(rows) == 1:
        lines.append(Text(" ") + joined([what, rows[0]]))
    else:
        lines += [Text(" ") + what] if what.plain else []
        lines += [Text(" ") + row for row in rows if row.plain]
    heard = voice(seat, seen)
    return [*lines, Text(" ") + heard] if heard.plain else lines


def line(seat: Seat, seen: Seen) -> Text:
    """A seat in one line."""
    what, cards = play(seat, seen)
    parts = [name(seat, seen), role(seat, seen), stand(seat, seen), what, Text(" ").join(cards)]
    return joined([*parts, voice(seat, seen)])
