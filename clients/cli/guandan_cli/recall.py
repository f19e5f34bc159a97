"""A look back at our own play from the plain table, while lines are read on."""

from __future__ import annotations

import asyncio

from guandan_cli.game import Game
from guandan_cli.lookback import LookBack, lines
from guandan_protocol.messages import Stage

__all__ = ["Recall"]


class Recall:
    """`review` asks for it; it is told once, when all of it is there."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._look_back: LookBack | None = None
        """At the last match that was over here, if we wanted one."""
        self._wanted = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._said = ""

    async def review(self, _: tuple[str, ...]) -> None:
        """Begin, or go on where it stopped; a script's next line waits for the end."""
        game, texts = self._game, self._game.words.texts
        scene = game.scene
        is_over = scene.view.stage is Stage.MATCH_OVER
        if scene.seat is None:
            game.console.say(texts("review.no_not_seated"))
            return
        if not is_over and self._look_back is None:
            game.console.say(texts("review.no_not_now"))
            return
        found = self._look_back
        if found is None or (is_over and found.looked.match != scene.view.match):
            self._look_back = game.look_back()
        self._said = ""
        if self._idle.is_set():
            self._idle.clear()
            self._wanted.set()
        else:
            self._tell_state()
        if not game.console.is_person:
            await self._idle.wait()

    async def run(self) -> None:
        """Work out what is wanted; ends only by being cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            look_back = self._look_back
            assert look_back is not None
            try:
                await look_back.run(self._game.scene.view.stage, self._tell_state)
                if look_back.looked.is_done:  # or the session is over
                    self._game.console.say(*lines(look_back.looked, self._game.words))
                    self._game.console.prompt()
            finally:
                self._idle.set()

    def _tell_state(self) -> None:
        """How far it is: at its beginning, and when the server has no time or has it again."""
        look_back = self._look_back
        if look_back is None or look_back.looked.is_done:
            return
        state = "busy" if look_back.looked.is_busy else "asking"
        if state != self._said:
            self._said = state
            self._game.console.say(next(lines(look_back.looked, self._game.words)))
