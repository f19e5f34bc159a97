"""Does what a person types at the table."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum
from typing import Final

from attrs import frozen

from guandan_cli import entry, render, sheets
from guandan_cli.entry import EntryError, Typed
from guandan_cli.game import Game
from guandan_cli.orders import HOLDS_FOR_TURN, Order, Unknown, Verb, understand
from guandan_cli.settings import PACES_TEXT, SettingError, changed, options_of_words, pace_ms
from guandan_cli.words import printable, rank_name
from guandan_engine.cards import Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.errors import OptionRefused
from guandan_engine.notation import reading_text
from guandan_engine.options import PRESETS, rules
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.messages import Proposal, Stage

__all__ = ["Next", "Player"]

NONCE_BYTES: Final = 16
DEFAULT_LEVEL: Final = "basic"


class Next(Enum):
    """What the game does after a line."""

    GO_ON = "go on"
    QUIT = "quit"
    """Stop, and keep the seat."""
    LEFT = "left"
    """The seat was given up."""


@frozen
class _WhichReading:
    """Asked, and answered by a number: as what are these cards played?"""

    cards: Cards
    able: tuple[Reading, ...]


@frozen
class _ReallyLeave:
    """Asked, and answered by yes."""


class _Selected:
    """A hint that was looked at, and the turn that it is good for."""

    def __init__(self, hint: m.Hint, turn: int) -> None:
        self.hint = hint
        self.turn = turn


class Player:
    """The person at a seat, or a watcher who may look but not act."""

    def __init__(self, game: Game, *, resume: Callable[[], str]) -> None:
        self._game = game
        self._resume = resume
        self._question: _WhichReading | _ReallyLeave | None = None
        self._selected: _Selected | None = None
        self._always_ask = False
        self._next = Next.GO_ON
        self._handlers: Mapping[Verb, Callable[[tuple[str, ...]], Awaitable[None]]] = {
            Verb.PASS: self._pass,
            Verb.PLAY: self._play_selected,
            Verb.BEST: self._best,
            Verb.HINT: self._hint,
            Verb.SUGGEST: self._suggest,
            Verb.AUTOPILOT: self._autopilot,
            Verb.TABLE: self._table,
            Verb.HAND: self._hand,
            Verb.RECORD: self._record,
            Verb.COUNTER: self._counter,
            Verb.RULES: self._rules,
            Verb.HELP: self._help,
            Verb.RESUME: self._how_to_resume,
            Verb.READINGS: self._ask_always,
            Verb.READY: self._ready,
            Verb.NEXT: self._ready,
            Verb.START: self._start,
            Verb.LATER: self._later,
            Verb.REMATCH: self._rematch,
            Verb.NEW: self._new,
            Verb.YES: self._yes,
            Verb.NO: self._no,
            Verb.WAIT: self._wait,
            Verb.SIT: self._sit,
            Verb.BOT: self._bot,
            Verb.NO_BOT: self._no_bot,
            Verb.KICK: self._kick,
            Verb.SET: self._set,
            Verb.PACE: self._pace,
            Verb.LEAVE: self._leave,
            Verb.QUIT: self._quit,
        }

    async def obey_all(self) -> Next:
        """Every line until the input ends, which is as good as `quit`."""
        async for line in self._game.console.lines():
            answer = await self.obey(line)
            if answer is not Next.GO_ON or self._game.over:
                return answer
            self._game.console.prompt()
        return Next.QUIT

    async def obey(self, line: str) -> Next:
        """Do what one line says; all that can be wrong with it is said in words."""
        meant = understand(line)
        if not self._game.console.is_person:
            await self._hold(meant)
        try:
            if not await self._answered(line.strip(), meant):
                await self._do(meant)
        except EntryError as error:
            self._say(self._entry_error(error))
        except SettingError as error:
            self._say(self._texts(error.key, **error.fields))
        return self._next

    async def _do(self, meant: Order | Typed | Unknown | None) -> None:
        match meant:
            case None:
                pass
            case Unknown(word):
                self._say(self._texts("typed.unknown", word=printable(word)))
            case Typed():
                await self._cards(meant)
            case Order(verb, args):
                await self._handlers[verb](args)

    async def _hold(self, meant: Order | Typed | Unknown | None) -> None:
        """A script writes ahead: what needs our turn waits for it while it may come."""
        game = self._game
        verb = meant.verb if isinstance(meant, Order) else None
        if isinstance(meant, Typed) or verb in HOLDS_FOR_TURN:
            await game.until(lambda: game.scene.is_asked or not game.will_be_asked)
        elif verb is Verb.NEXT:
            await game.until(lambda: not game.scene.is_live)

    async def _answered(self, line: str, meant: Order | Typed | Unknown | None) -> bool:
        """Was the line the answer to an open question?"""
        question, self._question = self._question, None
        match question, meant:
            case _WhichReading(cards, able), _ if line.isdecimal() and 1 <= int(line) <= len(able):
                await self._lay(cards, able[int(line) - 1], able)
                return True
            case _ReallyLeave(), Order(Verb.YES):
                await self._give_up_seat()
                return True
            case ((_WhichReading() | _ReallyLeave()), None):
                self._say(self._texts("typed.never_mind"))
                return True
            case _:
                return False

    # Shortcuts

    def _say(self, *lines: str) -> None:
        self._game.console.say(*lines)

    def _texts(self, key: str, **fields: object) -> str:
        return self._game.words.texts(key, **fields)

    def _entry_error(self, error: EntryError) -> str:
        words = self._game.words
        fields = dict(error.fields)
        if "card" in fields:
            fields["card"] = words.cards([fields["card"]], self._game.scene.public.level)  # type: ignore[list-item]  # the error carries cards under that name
        if isinstance(rank := fields.get("rank"), Rank):
            fields["rank"] = words.rank(rank)
            fields["key"] = rank_name(rank)
        if "text" in fields:
            fields["text"] = printable(str(fields["text"]))
        return words.texts(error.key, **fields)

    # Cards

    async def _cards(self, typed: Typed) -> None:
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
        elif len(able) > 1 and (self._always_ask or scene.rules.ambiguous_play == "declare"):
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
            if others and not self._always_ask:
                self._say(self._texts("reading.others", others=", ".join(others)))

    async def _give(self, cards: Cards) -> None:
        (card,) = cards
        public = self._game.scene.public
        if public.phase is PhaseName.PAYING:
            await self._game.act(m.Pay(n=0, card=card, turn=public.turn))
        else:
            await self._game.act(m.GiveBack(n=0, card=card, turn=public.turn))

    async def _pass(self, _: tuple[str, ...]) -> None:
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
        if args[0].isdecimal() and 1 <= int(args[0]) <= len(answer.hints):
            return int(args[0]) - 1
        raise SettingError("hint.no_such", n=len(answer.hints))

    async def _hint(self, args: tuple[str, ...]) -> None:
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

    async def _suggest(self, _: tuple[str, ...]) -> None:
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

    async def _play_selected(self, _: tuple[str, ...]) -> None:
        selected = self._selected
        if selected is None or selected.turn != self._game.scene.public.turn:
            self._say(self._texts("hint.none_selected"))
            return
        await self._follow(selected.hint)

    async def _best(self, args: tuple[str, ...]) -> None:
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
            await self._pass(())
        elif hint.reading is None:
            await self._give(hint.cards)
        else:
            await self._lay(hint.cards, hint.reading, ())

    # To look at

    async def _table(self, _: tuple[str, ...]) -> None:
        scene, words = self._game.scene, self._game.words
        self._say(*render.table(scene, words), *sheets.tallies(scene, words))
        self._say(*render.ask(scene, words))

    async def _hand(self, _: tuple[str, ...]) -> None:
        lines = render.hand(self._game.scene, self._game.words)
        self._say(*(lines or [self._texts("hand.none")]))

    async def _record(self, _: tuple[str, ...]) -> None:
        self._say(*sheets.record(self._game.scene, self._game.words))

    async def _counter(self, _: tuple[str, ...]) -> None:
        self._say(*sheets.counter(self._game.scene, self._game.words))

    async def _help(self, _: tuple[str, ...]) -> None:
        self._say(*self._texts("help").splitlines())

    async def _how_to_resume(self, _: tuple[str, ...]) -> None:
        self._say(self._resume())

    async def _ask_always(self, args: tuple[str, ...]) -> None:
        self._always_ask = _switch(args, now=self._always_ask)
        self._say(self._texts("ask.always" if self._always_ask else "ask.strongest"))

    # Around the match

    async def _ready(self, args: tuple[str, ...]) -> None:
        ready = _switch(args, now=False)
        nonce = secrets.token_bytes(NONCE_BYTES) if ready else b""
        self._game.nonce = nonce or None
        await self._game.act(m.Ready(n=0, ready=ready, nonce=nonce))

    async def _start(self, _: tuple[str, ...]) -> None:
        await self._game.act(m.Start(n=0))

    async def _later(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.Later(n=0, later=_switch(args, now=False)))

    async def _rematch(self, _: tuple[str, ...]) -> None:
        await self._game.act(m.Propose(n=0, proposal=Proposal.REMATCH))

    async def _new(self, _: tuple[str, ...]) -> None:
        await self._game.act(m.Propose(n=0, proposal=Proposal.NEW_GAME))

    async def _yes(self, _: tuple[str, ...]) -> None:
        await self._game.act(m.Consent(n=0, agree=True))

    async def _no(self, _: tuple[str, ...]) -> None:
        await self._game.act(m.Consent(n=0, agree=False))

    async def _wait(self, args: tuple[str, ...]) -> None:
        """Until something is wanted from us, or the hand or the match is over."""
        game = self._game
        match args:
            case ():
                await game.until(lambda: game.scene.is_asked or not game.scene.is_live)
            case ("hand",):
                await game.until(lambda: not game.scene.is_live)
            case ("match",):
                await game.until(lambda: game.scene.view.stage is not Stage.PLAYING)
            case _:
                raise SettingError("wait.how")

    async def _autopilot(self, args: tuple[str, ...]) -> None:
        scene = self._game.scene
        if scene.seat is None:
            self._say(self._texts("typed.watcher"))
            return
        on, pace = scene.info(scene.seat).control is m.Control.SELF, 1000
        for word in args:
            if word in _SWITCHES:
                on = _SWITCHES[word]
            else:
                on, pace = True, pace_ms(word)
        await self._game.act(m.Autopilot(n=0, on=on, pace_ms=pace))

    # The lobby

    async def _sit(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.Sit(n=0, seat=_seat(args)))

    async def _bot(self, args: tuple[str, ...]) -> None:
        level = args[1] if len(args) > 1 else DEFAULT_LEVEL
        await self._game.act(m.AddBot(n=0, seat=_seat(args), level=level))

    async def _no_bot(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.RemoveBot(n=0, seat=_seat(args)))

    async def _kick(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.Kick(n=0, seat=_seat(args)))

    async def _pace(self, args: tuple[str, ...]) -> None:
        if not args:
            raise SettingError("pace.how", paces=PACES_TEXT)
        await self._game.act(m.SetPace(n=0, pace_ms=pace_ms(args[0])))

    async def _set(self, args: tuple[str, ...]) -> None:
        view = self._game.scene.view
        settings = changed(view.settings, args)
        await self._configure(view.preset, view.options, settings)

    async def _rules(self, args: tuple[str, ...]) -> None:
        view = self._game.scene.view
        if not args:
            self._say(*sheets.rules(self._game.scene, self._game.words))
            return
        preset, options = view.preset, dict(view.options)
        if args[0] in PRESETS:
            preset, options, args = args[0], {}, args[1:]
        await self._configure(preset, {**options, **options_of_words(args)}, view.settings)

    async def _configure(
        self, preset: str, options: Mapping[str, object], settings: m.Settings
    ) -> None:
        try:
            rules(preset, options)
        except OptionRefused as refused:
            self._say(self._texts("refused", why=str(refused)))
            return
        action = m.Configure(n=0, preset=preset, options=options, settings=settings)
        await self._game.act(action)

    # The way out

    async def _leave(self, _: tuple[str, ...]) -> None:
        scene = self._game.scene
        if scene.seat is None:
            self._next = Next.QUIT
        elif scene.view.stage in (Stage.PLAYING, Stage.PAUSED):
            self._question = _ReallyLeave()
            self._say(self._texts("leave.really"))
        else:
            await self._give_up_seat()

    async def _give_up_seat(self) -> None:
        self._game.is_leaving = True
        await self._game.act(m.Leave(n=0))
        self._next = Next.LEFT

    async def _quit(self, _: tuple[str, ...]) -> None:
        self._next = Next.QUIT


_SWITCHES: Final = {"on": True, "off": False, "开": True, "关": False}


def _switch(args: tuple[str, ...], *, now: bool) -> bool:
    """On, off, or the other way round."""
    if not args:
        return not now
    if args[0] not in _SWITCHES:
        raise SettingError("typed.on_or_off")
    return _SWITCHES[args[0]]


def _seat(args: tuple[str, ...]) -> Seat:
    if not args or not args[0].isdecimal() or int(args[0]) not in SEATS:
        raise SettingError("typed.seat")
    return Seat(int(args[0]))
