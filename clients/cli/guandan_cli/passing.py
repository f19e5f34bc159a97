"""Passing by ourselves where nothing beats the table, for a player at the plain table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from random import SystemRandom
from typing import Final

from guandan_cli.game import Game
from guandan_protocol import messages as m

__all__ = ["AUTO_PASS_S", "AutoPass", "moment"]

AUTO_PASS_S: Final = (0.7, 2.6)
"""Not at once, and not always after the same time, or everybody would know what a hand holds."""


def moment() -> float:
    """After how many seconds to pass this time."""
    return SystemRandom().uniform(*AUTO_PASS_S)


class AutoPass:
    """Is switched on and off; whoever types something meanwhile is left to think."""

    def __init__(
        self,
        game: Game,
        *,
        keep: Callable[[Mapping[str, object]], None] = lambda _: None,
        moment: Callable[[], float] = moment,
    ) -> None:
        """`keep` stores the switch for the next time, OSError if it cannot."""
        self._game = game
        self._keep = keep
        self._moment = moment
        self._done_with: int | None = None
        """The turn in which we pass no more by ourselves."""

    async def switch(self, *, on: bool) -> None:
        self._game.passes_itself = on
        self._done_with = None
        await self._game.stir()
        self._keep({"auto_pass": on})

    def leave_to_think(self) -> None:
        """Somebody has typed a line."""
        self._done_with = self._game.scene.public.turn

    async def run(self) -> None:
        """Pass whenever it is time to; ends with the session."""
        game = self._game
        await game.opened()
        while not game.over:
            await game.until(lambda: self._is_due)
            turn = game.scene.public.turn
            await asyncio.sleep(self._moment())
            if self._is_due and game.scene.public.turn == turn:
                self._done_with = turn
                if not game.console.is_typing:
                    await game.act(m.Pass(n=0, turn=turn))

    @property
    def _is_due(self) -> bool:
        scene = self._game.scene
        return (
            self._game.passes_itself
            and not self._game.over
            and scene.public.turn != self._done_with
            and scene.plays_in_person
            and scene.must_pass
        )
