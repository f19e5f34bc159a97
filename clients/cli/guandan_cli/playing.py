"""Cards, passes, tribute and hints: what a person does when something is asked of the seat."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from guandan_cli import entry, sheets
from guandan_cli.entry import Typed
from guandan_cli.game import Game
from guandan_cli.settings import SettingError
from guandan_engine.cards import Cards
from guandan_engine.combos import Reading
from guandan_engine.notation import reading_text
from guandan_engine.views import PhaseName
from guandan_protocol import messages as m

__all__ = ["Playing"]


@frozen
class _WhichReading:
    """Asked, and answered by a number: as what are these cards played?"""

    cards: Cards
    able: tuple[Reading, ...]


@frozen
class _Selected:
    """A hint that was looked at, and the turn that it is good for."""

    hint: m.Hint
    turn: int


class Playing:
    """What the cards of a seat are used for; EntryError or SettingError for what cannot be."""

    def __init__(self, game: Game) -> None:
        self.always_asks = False
        """Which reading is meant, rather than take the strongest?"""
        self._game = game
        self._question: _WhichReading | None = None
        self._selected: _Selected | None = None

    def _say(self, *lines: str) -> None:
        self._game.console.say(*lines)

    def _texts(self, key: str, **fields: object) -> str:
        return self._game.words.texts(key, **fields)

    async def answered(self, line: str) -> bool:
        """Was the line the answer to an open question? Whatever it was, none is open now."""
        question, self._question = self._question, None
        if question is None:
            return False
        if entry.is_number(line) and 1 <= int(line) <= len(question.able):
            await self._lay(question.cards, question.able[int(line) - 1], question.able)
            return True
        if not line:
            self._say(self._texts("typed.never_mind"))
        return not line

    # Cards

    async def cards(self, typed: Typed) -> None:
        scene = self._game.scene
        if scene.private is None:
            self._say(self._texts("typed.watcher"))
            return
        level = scene.public.level
        if scene.is_asked and scene.public.phase is PhaseName.PAYING:
            card = entry.single(typed.cards, scene.private.pay, level)
            await self._give(Cards.of([card]))
            return
        if scene.is_asked and scene.public.phase is PhaseName.RETURNING:
            card = entry.single(typed.cards, scene.private.give_back, level)
            await self._give(Cards.of([card]))
            return
        cards = entry.choose(typed.cards, scene.private.hand, level)
        previewed = await self._game.ask(m.Preview(id=0, cards=cards), m.Previewed)
        if previewed is not None:
            await self._offer(cards, typed.reading, previewed)

    async def _offer(self, cards: Cards, declared: str, previewed: m.Previewed) -> None:
        """Play the cards as what they can be, or say what they are and why they cannot go."""
        scene = self._game.scene
        able = tuple([info.reading for info in previewed.readings if info.beats])
        if not scene.is_asked or not able:
            self._say(*self._not_playable(cards, previewed))
            return
        if declared:
            await self._lay(cards, entry.declared(declared, able), ())
        elif len(able) > 1 and (self.always_asks or scene.rules.ambiguous_play == "declare"):
            self._question = _WhichReading(cards, able)
            self._say(
                self._texts("reading.which", n=len(able)),
                *sheets.readings(previewed, self._game.words),
            )
        else:
            await self._lay(cards, able[0], able)

    def _not_playable(self, cards: Cards, previewed: m.Previewed) -> list[str]:
        words, scene = self._game.words, self._game.scene
        shown = words.cards(cards, scene.public.level)
        if not previewed.readings:
            return [self._texts("preview.nothing", cards=shown)]
        names = self._texts("list.or").join([words.reading(i.reading) for i in previewed.readings])
        if not scene.is_asked:
            return [self._texts("preview.later", cards=shown, reading=names)]
        return [self._texts("preview.weak", cards=shown, reading=names)]

    async def _lay(self, cards: Cards, reading: Reading, able: Sequence[Reading]) -> None:
        turn = self._game.scene.public.turn
        if await self._game.act(m.Play(n=0, cards=cards, reading=reading, turn=turn)):
            others = [reading_text(one) for one in able if one is not reading]
            if others and not self.always_asks:
                self._say(self._texts("reading.others", others=", ".join(others)))

    async def _give(self, cards: Cards) -> None:
        (card,) = cards
        public = self._game.scene.public
        if public.phase is PhaseName.PAYING:
            await self._game.act(m.Pay(n=0, card=card, turn=public.turn))
        else:
            await self._game.act(m.GiveBack(n=0, card=card, turn=public.turn))

    async def pass_(self, _: tuple[str, ...]) -> None:
        await self._game.act(m.Pass(n=0, turn=self._game.scene.public.turn))

    # Hints

    async def _hints(self) -> m.Hints | None:
        """The hints of this turn; says so if there are none to be had."""
        if not self._game.scene.is_asked:
            self._say(self._texts("hint.not_asked"))
            return None
        return await self._game.ask(m.AskHints(id=0), m.Hints)

    def _hint_number(self, args: tuple[str, ...], answer: m.Hints) -> int | None:
        """The index that was asked for; the recommended one's without a number."""
        if not args:
            return answer.best if answer.best >= 0 else None
        if entry.is_number(args[0]) and 1 <= int(args[0]) <= len(answer.hints):
            return int(args[0]) - 1
        raise SettingError("hint.no_such", n=len(answer.hints))

    async def hint(self, args: tuple[str, ...]) -> None:
        answer = await self._hints()
        if answer is None:
            return
        if args:
            self._select(answer, self._hint_number(args, answer))
            return
        scene, words = self._game.scene, self._game.words
        self._say(*sheets.hints(answer, scene, words))
        if answer.hints:
            self._say(self._texts("hint.how"))

    async def suggest(self, _: tuple[str, ...]) -> None:
        answer = await self._hints()
        if answer is not None:
            self._select(answer, self._hint_number((), answer))

    def _select(self, answer: m.Hints, index: int | None) -> None:
        if index is None:
            self._say(self._texts("hint.none"))
            return
        one = answer.hints[index]
        self._selected = _Selected(one, self._game.scene.public.turn)
        shown = sheets.hint(one, self._game.scene, self._game.words)
        self._say(self._texts("hint.selected", hint=shown))

    async def play_selected(self, _: tuple[str, ...]) -> None:
        selected = self._selected
        if selected is None or selected.turn != self._game.scene.public.turn:
            self._say(self._texts("hint.none_selected"))
            return
        await self._follow(selected.hint)

    async def best(self, args: tuple[str, ...]) -> None:
        answer = await self._hints()
        if answer is None:
            return
        index = self._hint_number(args, answer)
        if index is None:
            self._say(self._texts("hint.none"))
            return
        await self._follow(answer.hints[index])

    async def _follow(self, hint: m.Hint) -> None:
        self._selected = None
        if not hint.cards:
            await self.pass_(())
        elif hint.reading is None:
            await self._give(hint.cards)
        else:
            await self._lay(hint.cards, hint.reading, ())
