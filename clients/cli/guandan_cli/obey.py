"""Does what a person types at the table."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from typing import Final

from guandan_cli import render, sheets
from guandan_cli.entry import EntryError, Typed, ascii_of
from guandan_cli.game import Game
from guandan_cli.muting import speakers
from guandan_cli.orders import HOLDS_FOR_TURN, Order, Unknown, Verb, understand
from guandan_cli.passing import AutoPass
from guandan_cli.playing import Playing
from guandan_cli.recall import Recall
from guandan_cli.settings import PACES_TEXT, SettingError, changed, options_of_words, pace_ms
from guandan_cli.words import printable
from guandan_engine.errors import OptionRefused
from guandan_engine.options import PRESETS, rules
from guandan_engine.seats import SEATS, Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Proposal, Stage

__all__ = ["Next", "Player"]

NONCE_BYTES: Final = 16
DEFAULT_LEVEL: Final = "club"


class Next(Enum):
    """What the game does after a line."""

    GO_ON = "go on"
    QUIT = "quit"
    """Stop, and keep the seat."""
    INPUT_ENDED = "input ended"
    """For a player as good as `quit`; somebody may go on watching."""
    LEFT = "left"
    """The seat was given up."""


class Player:
    """The person at a seat, or a watcher who may look but not act."""

    def __init__(
        self, game: Game, *, resume: Callable[[], str], auto_pass: AutoPass | None = None
    ) -> None:
        self._game = game
        self._resume = resume
        self._playing = Playing(game)
        self._auto_pass = auto_pass or AutoPass(game)
        self._recall = Recall(game)
        self._is_leaving = False
        """The question whether to leave is open."""
        self._next = Next.GO_ON
        self._handlers: Mapping[Verb, Callable[[tuple[str, ...]], Awaitable[None]]] = {
            Verb.PASS: self._playing.pass_,
            Verb.PLAY: self._playing.play_selected,
            Verb.BEST: self._playing.best,
            Verb.HINT: self._playing.hint,
            Verb.SUGGEST: self._playing.suggest,
            Verb.AUTOPILOT: self._autopilot,
            Verb.AUTO_PASS: self._pass_by_itself,
            Verb.TABLE: self._table,
            Verb.HAND: self._hand,
            Verb.RECORD: self._record,
            Verb.COUNTER: self._counter,
            Verb.RULES: self._rules,
            Verb.HELP: self._help,
            Verb.RESUME: self._how_to_resume,
            Verb.READINGS: self._readings,
            Verb.REVIEW: self._recall.review,
            Verb.SAY: self._say_phrase,
            Verb.MUTE: self._mute,
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
            Verb.DECLINE: self._decline,
            Verb.BOT: self._bot,
            Verb.NO_BOT: self._no_bot,
            Verb.KICK: self._kick,
            Verb.SET: self._set,
            Verb.PACE: self._pace,
            Verb.LEAVE: self._leave,
            Verb.QUIT: self._quit,
        }

    async def beside(self) -> None:
        """What goes on while lines are read; ends only by being cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._auto_pass.run(), name="auto-pass")
            group.create_task(self._recall.run(), name="recall")

    async def obey_all(self) -> Next:
        """Every line until the input ends, or a line ends the evening."""
        async for line in self._game.console.lines():
            answer = await self.obey(line)
            if answer is not Next.GO_ON or self._game.over:
                return answer
            self._game.console.prompt()
        return Next.INPUT_ENDED

    async def obey(self, line: str) -> Next:
        """Do what one line says; all that can be wrong with it is said in words."""
        meant = understand(line)
        self._auto_pass.leave_to_think()
        if not self._game.console.is_person:
            await self._hold(meant)
        try:
            if not (
                await self._left(meant) or await self._playing.answered(ascii_of(line).strip())
            ):
                await self._do(meant)
        except EntryError as error:
            self._say(self._explained(error))
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
                await self._playing.cards(meant)
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

    async def _left(self, meant: Order | Typed | Unknown | None) -> bool:
        """Was that a yes to leaving? Whatever it was, the question is closed."""
        asked, self._is_leaving = self._is_leaving, False
        match meant:
            case Order(Verb.YES) if asked:
                await self._give_up_seat()
                return True
            case _:
                return False

    # Shortcuts

    def _say(self, *lines: str) -> None:
        self._game.console.say(*lines)

    def _texts(self, key: str, **fields: object) -> str:
        return self._game.words.texts(key, **fields)

    def _explained(self, error: EntryError) -> str:
        """What is wrong with what was typed, in words."""
        words = self._game.words
        return words.texts(
            error.key,
            card="" if error.card is None else words.card(error.card),
            rank="" if error.rank is None else words.rank(error.rank),
            text=printable(error.text),
            held=error.held,
            wanted=error.wanted,
        )

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

    async def _readings(self, args: tuple[str, ...]) -> None:
        asks = _switch(args, now=self._playing.always_asks)
        self._playing.always_asks = asks
        self._say(self._texts("ask.always" if asks else "ask.strongest"))

    async def _say_phrase(self, args: tuple[str, ...]) -> None:
        phrase = _PHRASES.get(args[0].replace("-", "_")) if args else None
        if phrase is None:
            self._say(*sheets.phrases(self._game.words))
        else:
            await self._game.ask(m.Say(id=0, phrase=phrase), m.Said)

    async def _mute(self, args: tuple[str, ...]) -> None:
        game = self._game
        place = _seat(args, "mute 3")
        if place not in speakers(game.scene):
            self._say(self._texts("mute.nobody", seat=place))
            return
        muted = game.muted.has(place, game.scene)
        if _switch(args[1:], now=muted) != muted:
            game.muted = game.muted.toggled(place, game.scene)
        key = "mute.on" if game.muted.has(place, game.scene) else "mute.off"
        self._say(self._texts(key, who=game.words.who(place, game.scene)))

    # Around the match

    async def _ready(self, args: tuple[str, ...]) -> None:
        ready = _switch(args, now=False)
        nonce = secrets.token_bytes(NONCE_BYTES) if ready else b""
        self._game.witness.nonce = nonce or None
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

    async def _pass_by_itself(self, args: tuple[str, ...]) -> None:
        on = _switch(args, now=self._game.passes_itself)
        try:
            await self._auto_pass.switch(on=on)
        except OSError as error:
            self._say(self._texts("tui.not_kept", why=error.strerror or str(error)))
        state = self._texts("tui.on" if on else "tui.off")
        self._say(self._texts("tui.auto_pass", state=state))

    # The lobby

    async def _sit(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.Sit(n=0, seat=_seat(args, "sit 3")))

    async def _decline(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.Decline(n=0, seat=_seat(args, "decline 3")))

    async def _bot(self, args: tuple[str, ...]) -> None:
        place = _seat(args, "bot 3")
        level = self._level(args[1]) if len(args) > 1 else self._usual_level()
        await self._game.act(m.AddBot(n=0, seat=place, level=level))

    def _usual_level(self) -> str:
        known = self._game.levels
        return DEFAULT_LEVEL if DEFAULT_LEVEL in known or not known else known[-1]

    def _level(self, typed: str) -> str:
        """By its name in this language, or as programs call it."""
        texts, known = self._game.words.texts, self._game.levels
        named = {texts.named("strength", level): level for level in known}
        level = named.get(typed, typed)
        if known and level not in known:
            raise SettingError("typed.level", level=typed, levels=", ".join(named))
        return level

    async def _no_bot(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.RemoveBot(n=0, seat=_seat(args, "nobot 3")))

    async def _kick(self, args: tuple[str, ...]) -> None:
        await self._game.act(m.Kick(n=0, seat=_seat(args, "kick 3")))

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
            self._is_leaving = True
            self._say(self._texts("leave.really"))
        else:
            await self._give_up_seat()

    async def _give_up_seat(self) -> None:
        self._game.is_leaving = True
        await self._game.act(m.Leave(n=0))
        self._next = Next.LEFT

    async def _quit(self, _: tuple[str, ...]) -> None:
        self._next = Next.QUIT


_PHRASES: Final = {phrase.value: phrase for phrase in m.Phrase}
_SWITCHES: Final = {"on": True, "off": False, "开": True, "关": False}


def _switch(args: tuple[str, ...], *, now: bool) -> bool:
    """On, off, or the other way round."""
    if not args:
        return not now
    if args[0] not in _SWITCHES:
        raise SettingError("typed.on_or_off")
    return _SWITCHES[args[0]]


def _seat(args: tuple[str, ...], example: str) -> Seat:
    if not args or args[0] not in map(str, SEATS):
        raise SettingError("typed.seat", example=example)
    return Seat(int(args[0]))
