"""The game's values in words: ranks, cards, readings, places, people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen
from rich.cells import cell_len

from guandan_cli.scene import Role, Scene
from guandan_cli.texts import Texts
from guandan_engine.cards import Card, Cards, Rank, rank_of, suit_of, wild_of
from guandan_engine.combos import Combo, Reading
from guandan_engine.display import shown_as
from guandan_engine.notation import rank_text
from guandan_engine.options import Rules
from guandan_engine.order import LEVELS, height
from guandan_engine.seats import Seat, Team
from guandan_protocol.messages import SeatInfo, SeatKind

__all__ = ["GLYPHS", "LETTERS", "TEXT_CHARS_MAX", "Words", "padded", "printable", "rank_name"]

GLYPHS: Final = "♠♥♣♦"
LETTERS: Final = "SHCD"
"""For terminals that cannot show the suits."""

NAME_LENGTH_MAX: Final = 24
TEXT_CHARS_MAX: Final = 200
"""Of a server's own words that are shown."""
_ACE_LOW_FIRST: Final = (Rank.ACE, *LEVELS)
_SPANS: Final = {
    Combo.STRAIGHT: 5,
    Combo.STRAIGHT_FLUSH: 5,
    Combo.TUBE: 3,
    Combo.PLATE: 2,
}


def printable(text: str, limit: int = NAME_LENGTH_MAX) -> str:
    r"""Text of other people, without what could steer a terminal.

    >>> printable("Li\x1b[2J\u202e")
    'Li?[2J?'
    """
    shown = "".join([char if char.isprintable() else "?" for char in text])
    return shown[:limit]


def padded(text: str, width: int) -> str:
    """Filled with blanks to `width` columns of the terminal, where a Chinese character takes two.

    >>> padded("头游", 6) + "|"
    '头游  |'
    """
    return text + " " * max(0, width - cell_len(text))


def rank_name(rank: Rank) -> str:
    """A rank as it stands on a card: 10 rather than T; X and Y for the jokers."""
    return "10" if rank is Rank.TEN else rank_text(rank)


@frozen
class Words:
    """Says what things are, in one language and with one set of suits."""

    texts: Texts
    suits: str = GLYPHS
    two_colours: bool = False
    """Where suits are coloured: in red and white instead of four colours."""
    of_record: bool = False
    """Are names those of a record, which does not tell bots from people?"""

    def rank(self, rank: Rank) -> str:
        match rank:
            case Rank.SMALL_JOKER:
                return self.texts("joker.small")
            case Rank.BIG_JOKER:
                return self.texts("joker.big")
            case _:
                return rank_name(rank)

    def ranks(self, rank: Rank) -> str:
        """Several of a rank."""
        return self.texts("rank.several", rank=self.rank(rank))

    def card(self, card: Card) -> str:
        rank = rank_of(card)
        suit = "" if rank > Rank.ACE else self.suits[suit_of(card)]
        return suit + self.rank(rank)

    def cards(self, cards: Iterable[Card], level: Rank) -> str:
        """Highest first, a wild before its rank."""
        wild = wild_of(level)
        order = sorted(cards, key=lambda c: (-height(rank_of(c), level), c != wild, suit_of(c)))
        return " ".join(map(self.card, order))

    def reading(self, one: Reading) -> str:
        if one.key is None:
            return self.texts(f"combo.{one.combo}")
        low = one.key
        if one.combo in _SPANS:
            low = _ACE_LOW_FIRST[one.key + 2 - _SPANS[one.combo]]
        return self.texts(
            f"combo.{one.combo}",
            rank=self.rank(one.key),
            ranks=self.ranks(one.key),
            size=one.size,
            low=self.rank(low),
            high=self.rank(one.key),
        )

    def placed(self, cards: Cards, reading: Reading, level: Rank) -> list[tuple[Card, Card]]:
        """The cards of a play in the order of its shape, each with the card that it stands for."""
        wild = wild_of(level)
        pairs = [(card, card) for card in cards if card != wild]
        pairs += [(wild, face) for face in shown_as(cards, reading, level)]
        pairs.sort(key=lambda pair: (_place(pair[1], reading), suit_of(pair[1])))
        return pairs

    def laid(self, cards: Cards, reading: Reading, level: Rank) -> str:
        """The cards of a play; a wild says what it stands for."""
        return " ".join(
            [
                self.card(card) if card == face else f"{self.card(card)}={self.card(face)}"
                for card, face in self.placed(cards, reading, level)
            ]
        )

    def shown(self, cards: Cards, reading: Reading, level: Rank) -> str:
        """A play: what it is, and its cards; a single card says that by itself."""
        laid = self.laid(cards, reading, level)
        if reading.combo is Combo.SINGLE:
            return laid
        return f"{self.reading(reading)}{self.texts('list.dot')}{laid}"

    def place(self, place: int) -> str:
        """1..4: 头游 to 末游."""
        return self.texts(f"place.{place}")

    def level(self, rank: Rank, misses: int, table: Rules) -> str:
        """A level, and at A which attempt it is where attempts are limited."""
        if rank is Rank.ACE and table.a_max_misses is not None:
            return f"A{misses + 1}/{table.a_max_misses}"
        return rank_name(rank)

    def who(self, seat: Seat, scene: Scene) -> str:
        """A seat's number and name; the one who looks is "you"."""
        if scene.role(seat) is Role.YOU:
            return self.texts("who.you")
        return self.texts("who.other", seat=seat, name=self.name(scene.info(seat)))

    def seat(self, seat: Seat, scene: Scene) -> str:
        """A seat's number alone, where there is no room for names."""
        return self.texts("who.you") if scene.role(seat) is Role.YOU else str(seat)

    def name(self, info: SeatInfo) -> str:
        match info.kind:
            case SeatKind.EMPTY:
                return self.texts("who.empty")
            case SeatKind.BOT:
                return printable(self.bot_name(info.name)) or self.texts("who.bot")
            case SeatKind.PERSON:
                return printable(self._of_person(info.name)) or self.texts("who.nameless")

    def bot_name(self, name: str) -> str:
        """A bot's, which the server gives in English; one that is not the server's stays."""
        return self.texts.named("botname", name)

    def _of_person(self, name: str) -> str:
        return self.bot_name(name) if self.of_record else name

    def everyone(self, seats: Iterable[Seat], scene: Scene) -> str:
        return self.texts("list.and").join([self.who(seat, scene) for seat in seats])

    def owner(self, team: Team | None, scene: Scene) -> str:
        """Whose level a hand is played at."""
        if team is None:
            return self.texts("level.nobodys")
        if scene.team is None:
            return self.texts("level.teams", team=self.team(team, scene))
        return self.texts("level.ours" if team is scene.team else "level.theirs")

    def refusal(self, code: str, text: str = "") -> str:
        """Why something was refused: ours for a code that we know, else the server's words."""
        for family in ("reason", "code"):
            if f"{family}.{code}" in self.texts.table:
                return self.texts.named(family, code)
        return printable(text or code, TEXT_CHARS_MAX)

    def team(self, team: Team, scene: Scene) -> str:
        """Us and them, or the two seats to a watcher."""
        if scene.team is None:
            return self.texts(f"team.{team}")
        return self.texts("team.us" if team is scene.team else "team.them")


def _place(face: Card, reading: Reading) -> int:
    """Where a card stands in a play: along a run, the triple first in a full house."""
    rank = rank_of(face)
    if reading.combo in _SPANS:
        low = reading.key is not None and reading.key + 2 - _SPANS[reading.combo] == 0
        return -1 if rank is Rank.ACE and low else rank
    return int(rank != reading.key)
