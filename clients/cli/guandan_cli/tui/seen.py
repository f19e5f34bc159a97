"""All that the screen is a function of: the scene, and what we are about to do in it."""

from __future__ import annotations

from attrs import evolve, field, frozen

from guandan_cli.muting import Muted
from guandan_cli.preferences import Preferences
from guandan_cli.scene import Scene
from guandan_cli.tui.columns import Column, Sort, columns
from guandan_cli.tui.selection import Selection
from guandan_cli.words import Words
from guandan_engine.cards import NO_CARDS, Card, Cards
from guandan_engine.combos import Reading
from guandan_engine.seats import Seat
from guandan_engine.views import PhaseName
from guandan_protocol.messages import Hint, Hints, Previewed, ReadingInfo, Stage

__all__ = ["Seen"]


@frozen
class Seen:
    """A value: every key and every message gives a new one, and the screen follows."""

    scene: Scene
    words: Words
    selection: Selection = field(factory=Selection)
    previewed: Previewed | None = None
    """What the server says of the cards that are taken; None while it has not yet."""
    choice: int = 0
    """Which of the readings that can be played, strongest first."""
    hints: Hints | None = None
    """Of this turn; None while there are none."""
    hinted: int | None = None
    """Which of them is taken, until the selection changes."""
    message: str = ""
    """Why something was refused, or what came of it."""
    log: tuple[str, ...] = ()
    """What happened, newest last."""
    last_trick: tuple[str, ...] = ()
    """The trick before the open one, a line a move; nothing if we did not see it."""
    muted: Muted = field(factory=Muted)
    """Whose phrases are not heard."""
    said: tuple[tuple[Seat, str], ...] = ()
    """What was said within the last seconds, and by whom."""
    eye: Seat | None = None
    """Who sits at the foot of the screen, for those who have no seat."""
    deal_s: int | None = None
    """What is left until the next hand is dealt by itself."""
    clock_s: int | None = None
    """What is left for the decision asked for; stands still while the link is lost."""
    retry_s: int | None = None
    """The link is lost, and this long until the next attempt; None: it is not."""
    latency_ms: int | None = None
    preferences: Preferences = field(factory=Preferences)

    @property
    def hand(self) -> Cards:
        return NO_CARDS if self.scene.private is None else self.scene.private.hand

    @property
    def taken(self) -> Cards:
        return self.selection.cards(self.hand, self.scene.public.level)

    @property
    def sort(self) -> Sort:
        return self.preferences.sort

    @property
    def columns(self) -> list[Column]:
        return columns(self.hand, self.scene.public.level, self.sort)

    @property
    def is_exchange(self) -> bool:
        """Is a card to be given, rather than cards to be played?"""
        return self.scene.public.phase in (PhaseName.PAYING, PhaseName.RETURNING)

    @property
    def may_act(self) -> bool:
        """Is something wanted from us now that we decide ourselves?"""
        return self.scene.is_asked and self.scene.plays_in_person

    @property
    def must_pass(self) -> bool:
        """Is there nothing that beats the table?"""
        return self.may_act and self.scene.must_pass

    @property
    def passes_by_itself(self) -> bool:
        """Whoever has taken a card wants to think."""
        return self.preferences.auto_pass and not self.taken and self.must_pass

    @property
    def eligible(self) -> frozenset[Card]:
        """The cards that may be given in tribute now."""
        private = self.scene.private
        if private is None or not self.scene.is_asked:
            return frozenset()
        if self.scene.public.phase is PhaseName.PAYING:
            return frozenset(private.pay)
        return frozenset(private.give_back)

    @property
    def able(self) -> tuple[ReadingInfo, ...]:
        """The readings that can be played now, strongest first."""
        if self.previewed is None:
            return ()
        return tuple([info for info in self.previewed.readings if info.beats])

    @property
    def reading(self) -> Reading | None:
        """The one that Enter plays."""
        able = self.able
        return able[self.choice % len(able)].reading if able and self.may_act else None

    @property
    def hint(self) -> Hint | None:
        if self.hints is None or self.hinted is None:
            return None
        return self.hints.hints[self.hinted]

    def is_dim(self, column: Column) -> bool:
        """Can no card of this column be played, or given, now?"""
        if not self.preferences.dim or not self.may_act:
            return False
        if self.is_exchange:
            return not self.eligible & set(column.cards)
        if self.hints is None or self.hints.turn != self.scene.public.turn:
            return False
        return not set(self.hints.helpful) & set(column.cards)

    @property
    def is_over(self) -> bool:
        """Is a hand over, and its result to be looked at?"""
        return self.scene.view.stage in (Stage.PLAYING, Stage.MATCH_OVER) and (
            self.scene.public.outcome is not None
        )

    def selecting(self, selection: Selection, **changes: object) -> Seen:
        """Another selection, of which nothing is known yet."""
        fresh: dict[str, object] = {
            "previewed": None,
            "choice": 0,
            "hinted": None,
            "message": "",
        }
        return evolve(self, selection=selection, **(fresh | changes))  # type: ignore[arg-type]  # fields by name
