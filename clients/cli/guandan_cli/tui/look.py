"""Colours and marks. Everything that a colour says is said by a mark or a word, too.

Colours are dropped where `NO_COLOR` is set: Textual sees to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len, chop_cells
from rich.text import Text

from guandan_cli.words import Words, rank_name
from guandan_engine.cards import Card, Cards, Rank, Suit, rank_of, suit_of, wild_of
from guandan_engine.combos import Combo, Reading

__all__ = [
    "ALERT",
    "FAINT",
    "GOLD",
    "TURN",
    "card",
    "centred",
    "clipped",
    "face",
    "folded",
    "is_bomb",
    "joined",
    "laid",
    "padded",
    "right",
    "spread",
    "style_of",
    "wrapped",
]

GOLD: Final = "bold #ffd166"
ALERT: Final = "bold #ff9f5a"
TURN: Final = "bold #ffffff on #1f7a5c"
FAINT: Final = "#8fa39b"

_SUITS: Final = {
    Suit.SPADE: "#f0f0f0",
    Suit.HEART: "#ff7b72",
    Suit.CLUB: "#7ee787",
    Suit.DIAMOND: "#79c0ff",
}
"""Four colours; the suits have their shapes besides."""
_AS_ON_PAPER: Final = {Suit.CLUB: Suit.SPADE, Suit.DIAMOND: Suit.HEART}


def style_of(card_: Card, level: Rank, words: Words) -> str:
    rank = rank_of(card_)
    if card_ == wild_of(level):
        return GOLD
    if rank is Rank.BIG_JOKER:
        return "bold #ff7b72"
    if rank is Rank.SMALL_JOKER:
        return "bold #f0f0f0"
    suit = suit_of(card_)
    return _SUITS[_AS_ON_PAPER.get(suit, suit) if words.two_colours else suit]


def face(card_: Card, words: Words) -> str:
    """A card in the hand, three columns at most: jokers by the key that takes them."""
    rank = rank_of(card_)
    return rank_name(rank) if rank > Rank.ACE else words.card(card_)


def card(card_: Card, level: Rank, words: Words) -> Text:
    """A card on the table."""
    return Text(words.card(card_), style=style_of(card_, level, words))


def laid(cards: Cards, reading: Reading, level: Rank, words: Words) -> list[Text]:
    """The cards of a play, in the order of its shape; a wild says what it stands for."""
    found = []
    for own, shown in words.placed(cards, reading, level):
        text = card(own, level, words)
        if own != shown:
            text.append("=" + words.card(shown), style=GOLD)
        found.append(text)
    return found


def is_bomb(reading: Reading) -> bool:
    return reading.combo in (Combo.BOMB, Combo.STRAIGHT_FLUSH, Combo.JOKER_BOMB)


# Lines of a width.


def clipped(text: Text, width: int) -> Text:
    """At most `width` columns; what is cut off is said by two dots."""
    if text.cell_len <= width:
        return text
    used = kept = 0
    for char in text.plain:
        used += cell_len(char)
        if used > width - 2:
            break
        kept += 1
    return text[:kept].append("..") if width >= 2 else Text()


def centred(text: Text, width: int) -> Text:
    text = clipped(text, width)
    left = (width - text.cell_len) // 2
    return Text(" " * left).append_text(text)


def right(text: Text, width: int) -> Text:
    text = clipped(text, width)
    return Text(" " * (width - text.cell_len)).append_text(text)


def padded(text: Text, width: int) -> Text:
    text = clipped(text, width)
    return text.copy().append(" " * (width - text.cell_len))


def spread(left: Text, end: Text, width: int) -> Text:
    """One at the left, one at the right."""
    left = clipped(left, max(0, width - end.cell_len - 1))
    return left.copy().append(" " * max(1, width - left.cell_len - end.cell_len)).append_text(end)


def joined(parts: Iterable[Text], gap: str = "  ") -> Text:
    return Text(gap).join([part for part in parts if part.plain])


def wrapped(words_: Iterable[Text], width: int, rows: int) -> list[Text]:
    """Pieces in rows of a width; the last row says so if not all have room."""
    lines = [Text()]
    for word in words_:
        gap = 1 if lines[-1].plain else 0
        if lines[-1].cell_len + gap + word.cell_len > width and lines[-1].plain:
            lines.append(Text())
            gap = 0
        lines[-1].append(" " * gap).append_text(word)
    if len(lines) > rows:
        rest = Text(" ").join(lines[rows - 1 :])
        lines = [*lines[: rows - 1], clipped(rest, width)]
    return lines


def folded(text: str, width: int, *, indent: int = 1) -> Sequence[str]:
    """Broken at blanks where there are any; the rest of a line is set in."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and cell_len(line) + 1 + cell_len(word) > width:
            lines.append(line)
            line = " " * indent + word
        else:
            line = f"{line} {word}" if line else word
        while cell_len(line) > width:
            first, *rest = chop_cells(line, width)
            lines.append(first)
            line = " " * indent + "".join(rest)
    return [*lines, line]
