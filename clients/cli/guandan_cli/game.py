"""A game at the plain table: what comes from the server becomes a scene and lines of text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from guandan_cli import narrate, render, sheets
from guandan_cli.console import Console
from guandan_cli.exits import Exit, Failure, exit_of
from guandan_cli.fairness import Witness
from guandan_cli.lookback import LookBack
from guandan_cli.muting import Muted
from guandan_cli.scene import Scene, updated, welcomed
from guandan_cli.title import title_of
from guandan_cli.words import TEXT_CHARS_MAX, Words, printable
from guandan_engine.views import Dealt, PhaseName, SeatEvent
from guandan_protocol.client import Ended, Lost, Notice, TableClient
from guandan_protocol.errors import BadMessage, SessionEnded
from guandan_protocol.messages import (
    Action,
    AskHints,
    Code,
    Preview,
    Refused,
    Said,
    Say,
    Stage,
    Update,
    Welcome,
)

__all__ = ["Game"]

CATCH_UP_S: Final = 5.0
"""How long the update of our own action may lag behind its acknowledgement."""

A = TypeVar("A")


class Game:
    """One session at one table, seated or watching; `listen` runs beside whoever gives orders."""

    def __init__(
        self,
        client: TableClient,
        console: Console,
        words: Words,
        *,
        server: str,
        seated: Callable[[Scene], Iterable[str]],
    ) -> None:
        """`server` is its address, for messages; `seated` says what to say of a seat just taken."""
        self.console = console
        self.words = words
        self._client = client
        self._server = server
        self._seated = seated
        self._scene: Scene | None = None
        self._seq = -1
        self._epoch = 0
        self._moved = asyncio.Condition()
        self._told: object = None
        self.witness = Witness()
        self.muted = Muted()
        self.passes_itself = False
        """Does a player with nothing that beats the table pass without a word?"""
        self._is_lost = False
        self.levels: tuple[str, ...] = ()
        """Of bots, as the server has them."""
        self.over = False
        self.is_leaving = False
        """The seat is being given up on purpose."""

    @property
    def scene(self) -> Scene:
        """The last that was told; there is one once `opened` has returned."""
        assert self._scene is not None
        return self._scene

    async def opened(self) -> None:
        """Wait for the first welcome."""
        await self.until(lambda: self._scene is not None)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that the server tells; returns too if the session ends."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.over or condition())

    async def stir(self) -> None:
        """Something of ours has changed that somebody may wait for."""
        async with self._moved:
            self._moved.notify_all()

    # In

    async def listen(self) -> Exit:
        """Tell all that happens until the session ends; Failure if it ends badly."""
        try:
            async for notice in self._client:
                async with self._moved:
                    ended = self._hear(notice)
                    if self._scene is not None:
                        self.console.entitle(title_of(self._scene, self.words))
                    self._moved.notify_all()
                if ended is not None:
                    return ended
            return Exit.OK
        finally:
            self.over = True
            async with self._moved:
                self._moved.notify_all()

    def _hear(self, notice: Notice) -> Exit | None:
        match notice:
            case Welcome():
                self._welcome(notice)
            case Update():
                self._update(notice)
            case Said():
                if not self.muted.has(notice.seat, self.scene):
                    self.console.say(narrate.said(notice, self.scene, self.words))
            case Lost():
                self._lose(notice)
            case Ended():
                return self._ended(notice)
        return None

    def _lose(self, lost: Lost) -> None:
        """Say it once, however many attempts it takes; before the first welcome it is the end."""
        texts = self.words.texts
        if self._scene is None:
            code = lost.why.partition(":")[0]
            if code in set(Code):
                raise Failure(exit_of(code), texts.named("code", code))
            why = printable(lost.why, TEXT_CHARS_MAX)
            raise Failure(
                Exit.NO_CONNECTION, texts("play.unreachable", server=self._server, why=why)
            )
        if not self._is_lost:
            self._is_lost = True
            self.console.say(texts("link.lost"))

    def _welcome(self, welcome: Welcome) -> None:
        """The first one, one after a cut, or one that moves us to another seat."""
        texts, before = self.words.texts, self._scene
        if self._is_lost:
            self._is_lost = False
            self.console.say(texts("link.back"))
            if welcome.epoch > self._epoch:
                self.console.say(texts("link.rewound"))
        missed = welcome.seq != self._seq or welcome.epoch != self._epoch
        self._seq, self._epoch = welcome.seq, welcome.epoch
        self._scene = welcomed(welcome)
        self.levels = welcome.levels
        self.console.say(*self._seated(self._scene))
        if before is None or missed or before.seat != welcome.seat:
            self._told = None
            self._tell_all()
        self._tell_wanted()

    def _tell_all(self) -> None:
        """How things stand, for somebody who has not seen it."""
        scene = self.scene
        if scene.is_asked:
            return  # what is wanted from us is told with all of it
        self.console.say(*render.table(scene, self.words))
        if scene.is_live:
            self.console.say(*render.hand(scene, self.words))

    def _update(self, update: Update) -> None:
        before = self.scene
        if update.epoch > self._epoch:
            self.console.say(self.words.texts("link.rewound"))
        self._seq, self._epoch = update.seq, update.epoch
        self._scene = updated(before, update)
        self.console.say(*narrate.changes(before, self._scene, self.words))
        if before.seat != self._scene.seat:
            self.console.say(*self._seated(self._scene))
        self.console.say(
            *narrate.events(update.events, self._scene, self.words, level=before.public.level)
        )
        for event in update.events:
            self._check(event)
        if any(isinstance(event, Dealt) for event in update.events) and not self._scene.is_asked:
            self.console.say(*render.hand(self._scene, self.words))
        self._tell_wanted()

    def _check(self, event: SeatEvent) -> None:
        """Hold the dealer to the commitment."""
        honest = self.witness.saw(event, self.scene.seat)
        if honest is not None:
            self.console.say(self.words.texts("deal.honest" if honest else "deal.false"))

    def _tell_wanted(self) -> None:
        """Say what may be done now, but once only."""
        scene, view, public = self.scene, self.scene.view, self.scene.public
        in_person = scene.is_asked and scene.plays_in_person
        exchange = public.phase in (PhaseName.PAYING, PhaseName.RETURNING)
        wanted = (
            view.stage,
            # The turn moves on, too, when the other one has chosen a card in a double tribute.
            (public.phase, public.hand if exchange else public.turn) if in_person else None,
            public.phase if not scene.is_live else None,
            view.proposal,
            scene.is_host,
        )
        if wanted == self._told:
            return
        self._told = wanted
        if in_person:
            self.console.say(*render.table(scene, self.words))
            self.console.say(*sheets.tallies(scene, self.words))
            self.console.say(*render.hand(scene, self.words))
        elif scene.is_live and view.proposal is None:
            return
        lines = render.ask(scene, self.words)
        if in_person and scene.must_pass:
            key = "tui.passes_itself" if self.passes_itself else "tui.only_pass"
            lines.append(self.words.texts(key))
        if lines:
            self.console.say(*lines)
            self.console.prompt()

    def _ended(self, ended: Ended) -> Exit:
        """How the program ends now; Failure unless we have left on purpose."""
        code, texts = ended.code, self.words.texts
        if code in set(Code):
            if code == Code.LEFT and self.is_leaving:
                return Exit.OK
            raise Failure(exit_of(code), texts.named("code", code))
        why = printable(ended.text or code, TEXT_CHARS_MAX)
        raise Failure(Exit.NO_CONNECTION, texts("play.unreachable", server=self._server, why=why))

    # Out

    async def act(self, action: Action) -> bool:
        """Do something at the table; says why if it is refused, and returns once it is told."""
        try:
            answer = await self._client.act(action)
        except SessionEnded:
            return False
        except BadMessage as error:
            self.console.say(self.words.texts("refused", why=str(error)))
            return False
        if isinstance(answer, Refused):
            self.refused(answer)
            return False
        try:
            async with asyncio.timeout(CATCH_UP_S):
                await self.until(lambda: self._seq >= answer.seq)
        except TimeoutError:
            pass  # the next order may speak of an older view; the server then says so
        return True

    async def ask(self, query: Preview | AskHints | Say, wanted: type[A]) -> A | None:
        """The answer to a question; None, and says why, if there is none."""
        try:
            answer = await self._client.ask(query)
        except SessionEnded:
            return None
        if isinstance(answer, wanted):
            return answer
        if isinstance(answer, Refused):
            self.refused(answer)
        return None

    def look_back(self) -> LookBack:
        """At our own play in the match that is over here."""
        return LookBack(self._client, self.scene)

    def refused(self, refused: Refused) -> None:
        self.console.say(self.why(refused.code, refused.text))

    def why(self, code: str, text: str = "") -> str:
        """A refusal in words: ours for a code that we know, else the server's."""
        return self.words.texts("refused", why=self.words.refusal(code, text))

    # Where things stand, for scripts.

    @property
    def will_be_asked(self) -> bool:
        """May a card be wanted from us without our doing anything more?"""
        scene = self.scene
        if scene.seat is None:
            return False
        match scene.view.stage:
            case Stage.PLAYING:
                waits = scene.public.phase in (PhaseName.HAND_OVER, PhaseName.WAITING)
                return scene.info(scene.seat).ready if waits else scene.seat not in scene.public.out
            case Stage.LOBBY:
                return scene.info(scene.seat).ready
            case _:
                return False
