"""The table on the full screen: panes that draw what is seen, and keys that change it."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from attrs import evolve
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key, Resize

from guandan_cli.exits import Exit, Failure
from guandan_cli.lookback import LookBack
from guandan_cli.preferences import Preferences
from guandan_cli.scene import Scene
from guandan_cli.title import title_of
from guandan_cli.tui import hand as hand_
from guandan_cli.tui import menus
from guandan_cli.tui.dialogs import Choices
from guandan_cli.tui.keys import RANK_KEYS, WILD_KEY, actions, drawn, footer, key_of
from guandan_cli.tui.line import line
from guandan_cli.tui.lobby import lobby, seat_at
from guandan_cli.tui.look import clipped
from guandan_cli.tui.narrow import narrow, narrowed
from guandan_cli.tui.pane import Pane
from guandan_cli.tui.rail import RAIL_WIDTH, WIDE, counter, log
from guandan_cli.tui.review_sheet import ReviewSheet
from guandan_cli.tui.seen import Seen
from guandan_cli.tui.selection import Selection
from guandan_cli.tui.session import Session
from guandan_cli.tui.strip import strip
from guandan_cli.tui.summary import summary
from guandan_cli.tui.table import table
from guandan_cli.words import Words
from guandan_engine.seats import SEATS
from guandan_engine.views import PhaseName
from guandan_protocol import messages as m
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Proposal, Stage

__all__ = ["TableApp"]

Work = Coroutine[Any, Any, None]
"""What has to wait for the server."""

SEAT_KEYS: Final = ("1", "2", "3", "4")
MENUS: Final[Mapping[str, Callable[[TableApp], None]]] = {
    "c": menus.counter,
    "i": menus.invite,
    "l": menus.last_trick,
    "m": menus.main,
    "r": menus.record,
    "v": menus.review,
    "/": menus.phrases,
    "?": menus.help_,
}
ROWS_AROUND: Final = 10
"""What the hand leaves at least: five rows of one line each, and five for the table."""
TICK_S: Final = 0.25
PING_S: Final = 10.0
PING_FIRST_S: Final = 1.0
"""Not while everything is drawn for the first time: that would be measured, too."""


class TableApp(App[Exit | Failure]):
    """One seat, or one watcher. Its result is how the command ends."""

    CSS_PATH = "look.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave_screen", priority=True, show=False),
        Binding("ctrl+c", "interrupt", priority=True, show=False),
        # Tab would look for something to focus; here it is the next reading.
        Binding("tab", "reading(1)", priority=True, show=False),
        Binding("shift+tab", "reading(-1)", priority=True, show=False),
    ]

    def __init__(
        self,
        client: TableClient,
        welcome: m.Welcome,
        words: Words,
        *,
        preferences: Preferences | None = None,
        keep: Callable[[Mapping[str, object]], None] = lambda _: None,
        seated: Callable[[Scene], Iterable[str]] = lambda _: (),
        invitation: Callable[[], Sequence[str]] = tuple,
        now: Callable[[], float] = time.monotonic,
        pings: bool = True,
        is_titled: bool = False,
        begun: Callable[[], None] = lambda: None,
    ) -> None:
        """`seated` says what to say of a seat just taken, `invitation` how friends get in.

        `keep` stores what the player likes otherwise than before; `begun` is called once the
        screen is ours.
        """
        super().__init__()
        self._words = evolve(words, texts=narrowed(words.texts))
        self._keep = keep
        self.invitation = invitation
        self.has_left = False
        self._seated = seated
        self._now = now
        self._pings = pings
        self._is_titled = is_titled
        """Does the title of the window say whose turn it is?"""
        self._window = ""
        self._begun = begun
        self._panes: list[Pane] = []
        self._was_asked = False
        self.look_back: LookBack | None = None
        """At our own play in the last match that was over here, if we wanted one."""
        self.attend(client, welcome, preferences or Preferences())

    def attend(self, client: TableClient, welcome: m.Welcome, preferences: Preferences) -> None:
        """Sit at this client's table from now on; `listen` goes with it."""
        self.client = client
        self.look_back = None
        self.session = Session(
            client,
            self._words,
            welcome,
            preferences=preferences,
            seated=self._seated,
            now=self._now,
            spawn=self.later,
            keep=self._keep,
        )

    @property
    def seen(self) -> Seen:
        return self.session.seen

    @property
    def words(self) -> Words:
        """In the language of the moment."""
        return self.seen.words

    # What is shown

    def compose(self) -> ComposeResult:
        self._panes = [
            Pane("strip", lambda w, _: [strip(self.seen, w)]),
            Pane("table", self._table, self._table_clicked),
            Pane("news", self._news, self._news_clicked),
            Pane("line", lambda w, _: [line(self.seen, w)], self._line_clicked),
            Pane("hand", lambda w, h: hand_.hand(self.seen, w, h), self._hand_clicked),
            Pane("actions", self._actions, self._actions_clicked),
            Pane("counter", self._counter),
            Pane("log", lambda w, h: log(self.seen, w, h)),
            Pane("footer", self._footer, self._footer_clicked),
        ]
        by_id = {pane.id: pane for pane in self._panes}
        yield by_id["strip"]
        with Horizontal(id="main"):
            with Vertical(id="left"):
                for name in ("table", "news", "line", "hand", "actions"):
                    yield by_id[name]
            with Vertical(id="rail"):
                yield by_id["counter"]
                yield by_id["log"]
        yield by_id["footer"]

    def on_mount(self) -> None:
        self._begun()
        self.set_interval(TICK_S, self._tick)
        if self._pings:
            self.set_interval(PING_S, lambda: self.later(self.session.ping()))
            self.set_timer(PING_FIRST_S, lambda: self.later(self.session.ping()))
        self.later(self.listen())
        self.show()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width >= WIDE, "wide")
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Draw all anew; the hand takes the rows that it needs, the table the others."""
        seen = self.seen
        by_id = {pane.id: pane for pane in self._panes}
        shows_hand = seen.scene.is_live and bool(seen.hand)
        by_id["hand"].display = shows_hand
        by_id["line"].display = seen.scene.is_live or bool(seen.message)
        if shows_hand:
            width = self._left_width()
            room = self.size.height - ROWS_AROUND
            by_id["hand"].styles.height = hand_.height(seen, width, room)
        by_id["counter"].display = seen.scene.is_live
        self.set_class(seen.retry_s is not None, "lost")
        by_id["news"].set_class(bool(self.banner()), "banner")
        for pane in self._panes:
            pane.refresh()
        if self.screen_stack and isinstance(self.screen, ReviewSheet):
            self.screen.follow()
        if seen.may_act and not self._was_asked and seen.preferences.bell:
            self.bell()
        self._was_asked = seen.may_act
        if self._is_titled:
            self.entitle(title_of(seen.scene, self.words))

    def entitle(self, title: str) -> None:
        """The window's title, for who looks at another one meanwhile."""
        if title != self._window and self._driver is not None:
            self._window = title
            self._driver.write(f"\x1b]0;{title}\x07")

    def _left_width(self) -> int:
        """Beside the rail; known before anything is laid out."""
        width = self.size.width
        return width - RAIL_WIDTH if width >= WIDE else width

    def _table(self, width: int, height: int) -> list[Text]:
        seen = self.seen
        if seen.scene.view.stage is Stage.LOBBY or seen.scene.public.hand == 0:
            return lobby(seen, width, height, invitation=tuple(self.invitation()))
        if seen.is_over:
            return summary(seen, width, height)
        return table(seen, width, height)

    def banner(self) -> str:
        """What must not be overlooked."""
        seen, scene = self.seen, self.seen.scene
        texts = self.words.texts
        if seen.retry_s is not None:
            return texts("tui.lost", s=seen.retry_s)
        if scene.view.proposal is not None:
            what = texts(f"proposal.{scene.view.proposal}")
            return texts("tui.proposed", what=what)
        if scene.seat is not None and not scene.plays_in_person:
            info = scene.info(scene.seat)
            key = "tui.on_autopilot" if info.control is m.Control.AUTOPILOT else "tui.stands_in"
            return texts(key, s=f"{info.pace_ms / 1000:g}")
        return ""

    def _news(self, width: int, _: int) -> list[Text]:
        banner = self.banner()
        if banner:
            return [clipped(Text(f" {banner}"), width)]
        newest = self.seen.log[-2:]
        return [clipped(Text(" " + narrow(" | ".join(newest))), width)]

    def _actions(self, width: int, _: int) -> list[Text]:
        return [drawn(actions(self.seen), width).text]

    def _counter(self, width: int, _: int) -> list[Text]:
        return counter(self.seen, width) if self.seen.scene.is_live else []

    def _footer(self, width: int, _: int) -> list[Text]:
        return [drawn(footer(self.seen), width, gap=" ").text]

    # News, and time

    def later(self, work: Work) -> None:
        """Do what has to wait, and show what came of it."""

        async def run() -> None:
            try:
                await work
            except Failure as failure:
                self.exit(failure)
                return
            self.show()

        self.run_worker(run(), exit_on_error=True)

    async def listen(self) -> None:
        """Hear all that the client says."""
        self.session.begin()
        async for notice in self.client:
            self.session.hear(notice)
            self.show()
        self.exit(Exit.OK)

    def _tick(self) -> None:
        before = self.seen
        self.session.tick()
        if self.seen is not before:
            self.show()

    # Keys

    async def on_key(self, event: Key) -> None:
        if len(self.screen_stack) > 1:
            # Typed right after the key that opened a dialog: it was on its way to the table.
            event.stop()
            self.screen.post_message(Key(event.key, event.character))
            return
        typed = key_of(event.character) if event.is_printable and event.character else event.key
        event.stop()
        self.press(typed)

    def press(self, key: str) -> None:
        """What a key does now, or the button that stands for it."""
        done = self._pressed(key)
        if done is not None:
            self.later(done)
        self.show()

    def _pressed(self, key: str) -> Work | None:
        scene = self.seen.scene
        if key == "enter" and self.seen.retry_s is not None:
            self.client.hurry()
            return None
        if scene.is_live and scene.seat is not None and key in self._playing_keys():
            return self._playing_keys()[key]()
        if scene.is_live and scene.seat is not None and (key in RANK_KEYS or key == WILD_KEY):
            self._take(key)
            return None
        opens = self._menu_of(key)
        if opens is not None:
            opens(self)
            return None
        match key:
            case "enter":
                return self._main_action()
            case "f":
                self.session.next_colours()
                return None
            case "1" | "2" | "3" | "4" if scene.seat is None:
                self.session.look(SEATS[int(key) - 1])
                return None
            case "d":
                return self._ready_or_later()
            case "n" if not scene.is_live and scene.seat is not None:
                return self._propose(Proposal.NEW_GAME)
            case "+" | "-" if scene.seat is not None and scene.view.proposal is not None:
                return self.do(m.Consent(n=0, agree=key == "+"))
            case _:
                return None

    def _menu_of(self, key: str) -> Callable[[TableApp], None] | None:
        """What a key opens over the table."""
        in_lobby = self.seen.scene.view.stage is Stage.LOBBY
        if key in SEAT_KEYS and in_lobby:
            return lambda app: menus.seat(app, SEATS[int(key) - 1])
        if key == "r" and in_lobby:
            return menus.rules
        return MENUS.get(key)

    def _playing_keys(self) -> dict[str, Callable[[], Work | None]]:
        session = self.session
        return {
            "enter": session.do,
            "p": session.pass_,
            "h": lambda: session.hint(1),
            "H": lambda: session.hint(-1),
            "g": session.suggest,
            "s": session.next_sort,
            "u": session.other_suits,
            "o": lambda: menus.autopilot(self),
            "escape": lambda: session.select(Selection()),
        }

    def _take(self, key: str) -> None:
        """A card of a rank more; in tribute it is the only one."""
        seen = self.seen
        selection, hand, level = seen.selection, seen.hand, seen.scene.public.level
        if seen.is_exchange and seen.scene.is_asked:
            self._take_one(key)
            return
        if key == WILD_KEY:
            changed = selection.press_wild(hand, level)
        else:
            changed = selection.press(RANK_KEYS[key], hand, level)
        if changed == selection:  # nothing to take, and nothing to put back
            self.session.complain(self.words.texts.named("reason", "cards_not_held"))
        else:
            self.session.select(changed)

    def _take_one(self, key: str) -> None:
        """The next card of that key that may be given."""
        seen = self.seen
        choices = menus.choices(seen, None if key == WILD_KEY else RANK_KEYS[key])
        if not choices:
            rank = "W" if key == WILD_KEY else self.words.rank(RANK_KEYS[key])
            self.session.complain(self.words.texts("entry.not_eligible_rank", rank=rank))
            return
        now = next(iter(seen.taken), None)
        at = choices.index(now) + 1 if now in choices else 0
        self.session.select(Selection(menus.one(choices[at % len(choices)])))

    def action_reading(self, step: int) -> None:
        if len(self.screen_stack) > 1:
            return  # a dialog has the keys
        self.session.next_reading(step)
        self.show()

    def action_leave_screen(self) -> None:
        self.exit(Exit.OK)

    def action_interrupt(self) -> None:
        self.exit(Exit.INTERRUPTED)

    # What keys do that is no card

    async def do(self, action: m.Action) -> None:
        """Do something; why it was refused stands in the line."""
        await self.session.act(action)

    async def give_up_seat(self) -> None:
        """There is nothing to come back to, then."""
        self.session.is_leaving = True
        if await self.session.act(m.Leave(n=0)):
            self.has_left = True
            self.exit(Exit.OK)

    def ask(self, dialog: Choices, then: Callable[[str], Work | None]) -> None:
        """Open a dialog at once, so that the very next key is for it; then do what was chosen."""

        def chosen(value: str | None) -> None:
            work = None if value is None else then(value)
            if work is not None:
                self.later(work)
            self.show()

        self.push_screen(dialog, chosen)

    def _main_action(self) -> Work | None:
        """Enter, while no card is wanted."""
        scene = self.seen.scene
        if scene.seat is None:
            return None
        match scene.view.stage:
            case Stage.LOBBY if scene.is_host:
                return self.do(m.Start(n=0))
            case Stage.LOBBY:
                return self.session.ready(ready=not scene.info(scene.seat).ready)
            case Stage.MATCH_OVER:
                return self._propose(Proposal.REMATCH)
            case Stage.PAUSED:
                return self.session.ready(ready=True)
            case Stage.PLAYING if scene.public.phase is PhaseName.HAND_OVER:
                return self.session.ready(ready=True)
            case _:
                return None

    def _ready_or_later(self) -> Work | None:
        scene = self.seen.scene
        if scene.seat is None:
            return None
        info = scene.info(scene.seat)
        if scene.view.stage is Stage.LOBBY:
            return self.session.ready(ready=not info.ready)
        return self.do(m.Later(n=0, later=not info.later))

    def _propose(self, proposal: Proposal) -> Work:
        return self.do(m.Propose(n=0, proposal=proposal))

    # Clicks

    def _hand_clicked(self, x: int, y: int) -> None:
        seen = self.seen
        width, height = self.query_one("#hand").size
        spot = hand_.spot(seen, width, height, x, y)
        if spot is None:
            return
        level = seen.scene.public.level
        column, row = spot.column, spot.row
        card = None if row is None else column.cells[row]
        if seen.is_exchange and seen.scene.is_asked:
            wanted = [
                c for c in ([card] if card is not None else column.cards) if c in seen.eligible
            ]
            if wanted:
                self.session.select(Selection(menus.one(wanted[0])))
        elif card is not None and row is not None:
            selection = seen.selection.toggle(card, column.copy(row), seen.hand, level)
            self.session.select(selection)
        elif column.rank is not None:
            self.session.select(seen.selection.press(column.rank, seen.hand, level))
        elif set(column.cards) == {menus.wild(seen)}:
            self.session.select(seen.selection.press_wild(seen.hand, level))
        else:
            self.session.select(seen.selection.fill(column.cards, seen.hand, level))
        self.show()

    def _actions_clicked(self, x: int, _: int) -> None:
        self._press_button(drawn(actions(self.seen), self.size.width).key(x))

    def _footer_clicked(self, x: int, _: int) -> None:
        self._press_button(drawn(footer(self.seen), self.size.width, gap=" ").key(x))

    def _press_button(self, key: str | None) -> None:
        if key is not None:
            self.press(key)

    def _line_clicked(self, _: int, __: int) -> None:
        self.action_reading(1)

    def _news_clicked(self, _: int, __: int) -> None:
        """The banner: what it is about ends."""
        scene = self.seen.scene
        if self.seen.retry_s is not None:
            self.client.hurry()
        elif scene.seat is not None and not scene.plays_in_person:
            self.later(self.do(m.Autopilot(n=0, on=False)))

    def _table_clicked(self, _: int, y: int) -> None:
        seat = seat_at(y) if self.seen.scene.view.stage is Stage.LOBBY else None
        if seat is not None:
            self.press(str(seat))
