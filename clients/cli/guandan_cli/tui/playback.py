"""A finished match on the full screen: step, jump, play; one seat's eye or all hands open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from attrs import evolve
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key, Resize
from textual.timer import Timer

from guandan_cli import sheets
from guandan_cli.exits import Exit
from guandan_cli.frames import Frame
from guandan_cli.tui import hand as hand_
from guandan_cli.tui.dialogs import Sheet
from guandan_cli.tui.keys import Button, drawn, key_of
from guandan_cli.tui.look import clipped, padded, style_of
from guandan_cli.tui.narrow import narrow, narrowed
from guandan_cli.tui.pane import Pane
from guandan_cli.tui.rail import RAIL_WIDTH, WIDE, counter, log
from guandan_cli.tui.seen import Seen
from guandan_cli.tui.strip import strip
from guandan_cli.tui.summary import summary
from guandan_cli.tui.table import table
from guandan_cli.words import Words, rank_name
from guandan_engine.cards import Cards, Rank, Suit, rank_of, suit_of
from guandan_engine.order import height
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import Private

__all__ = ["PlaybackApp"]

SPEEDS_S: Final = (2.0, 1.0, 0.5, 0.25, 0.1)
NAME_WIDTH_MAX: Final = 12
ROWS_AROUND: Final = 9
"""Four rows of one line each, and five for the table."""


class PlaybackApp(App[Exit]):
    """Any step can be shown at once, for all of them are there."""

    CSS_PATH = "look.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "leave_screen", priority=True, show=False),
        Binding("tab,shift+tab", "nothing", show=False),
    ]

    def __init__(
        self,
        frames: Sequence[Frame],
        words: Words,
        *,
        hand: int = 1,
        begun: Callable[[], None] = lambda: None,
    ) -> None:
        """`begun` is called once the screen is ours."""
        super().__init__()
        self._begun = begun
        self.words = Words(narrowed(words.texts), words.suits)
        self.frames = list(frames)
        self.at = next((i for i, one in enumerate(self.frames) if one.scene.public.hand == hand), 0)
        self.eye: Seat | None = None
        """Whose cards are open; None: everybody's."""
        self._speed = 1
        self._timer: Timer | None = None
        self._panes: list[Pane] = []

    @property
    def frame(self) -> Frame:
        return self.frames[self.at]

    @property
    def is_playing(self) -> bool:
        return self._timer is not None

    @property
    def seen(self) -> Seen:
        """The step with the eyes that look."""
        scene = self.frame.scene
        if self.eye is not None:
            scene = evolve(scene, private=Private(hand=self.frame.hands[self.eye - 1]))
        told = [line for frame in self.frames[: self.at + 1] for line in frame.lines]
        return Seen(scene, self.words, eye=self.eye, log=tuple(told[-200:]))

    def compose(self) -> ComposeResult:
        self._panes = [
            Pane("strip", lambda w, _: [strip(self.seen, w)]),
            Pane("table", self._table),
            Pane("news", self._news),
            Pane("line", lambda w, _: [self._place(w)], self._scrubbed),
            Pane("hand", self._hands),
            Pane("counter", lambda w, _: counter(self.seen, w)),
            Pane("log", lambda w, h: log(self.seen, w, h)),
            Pane("footer", lambda w, _: [drawn(self._buttons(), w, gap=" ").text], self._clicked),
        ]
        by_id = {pane.id: pane for pane in self._panes}
        yield by_id["strip"]
        with Horizontal(id="main"):
            with Vertical(id="left"):
                for name in ("table", "news", "line", "hand"):
                    yield by_id[name]
            with Vertical(id="rail"):
                yield by_id["counter"]
                yield by_id["log"]
        yield by_id["footer"]

    def on_mount(self) -> None:
        self._begun()
        self.show()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width >= WIDE, "wide")
        self.call_after_refresh(self.show)

    def show(self) -> None:
        width = self.size.width - (RAIL_WIDTH if self.size.width >= WIDE else 0)
        room = self.size.height - ROWS_AROUND
        rows = len(SEATS) if self.eye is None else hand_.height(self.seen, width, room)
        self.query_one("#hand").styles.height = max(rows, 1)
        for pane in self._panes:
            pane.refresh()

    # What is shown

    def _table(self, width: int, height_: int) -> list[Text]:
        seen = self.seen
        if seen.is_over:
            return summary(seen, width, height_)
        return table(seen, width, height_)

    def _news(self, width: int, _: int) -> list[Text]:
        return [clipped(Text(" " + narrow(" | ".join(self.seen.log[-2:]))), width)]

    def _place(self, width: int) -> Text:
        """Which step of which hand, and a bar for all of them."""
        last = self.frames[-1].scene.public.hand
        text = self.words.texts(
            "tui.step",
            hand=self.frame.scene.public.hand,
            hands=last,
            step=self.at + 1,
            steps=len(self.frames),
        )
        room = width - Text(text).cell_len - 5
        done = round(room * (self.at + 1) / len(self.frames))
        return Text(f" {text} [{'=' * done}{' ' * (room - done)}]")

    def _hands(self, width: int, height_: int) -> list[Text]:
        if self.eye is not None:
            return hand_.hand(self.seen, width, height_)
        return [self._open(seat, width) for seat in SEATS]

    def _open(self, seat: Seat, width: int) -> Text:
        """One of four open hands: by suit, highest first."""
        scene = self.frame.scene
        name = f" {seat} {self.words.name(scene.info(seat))}"
        head = padded(Text(name, style="bold"), NAME_WIDTH_MAX)
        cards = self.frame.hands[seat - 1]
        for gap in (" ", ""):
            line = head + _by_suit(cards, scene.public.level, self.words, gap)
            if line.cell_len <= width:
                break
        return clipped(line, width)

    # Moving

    def go(self, at: int) -> None:
        """To a step; outside of the match to its nearest."""
        self.at = max(0, min(at, len(self.frames) - 1))
        self.show()

    def _find(self, step: int, wanted: Callable[[Frame], bool]) -> None:
        """To the next step of a kind, or the one before; else to the end."""
        at = self.at + step
        while 0 <= at < len(self.frames) and not wanted(self.frames[at]):
            at += step
        self.go(at)

    def _play(self, *, on: bool) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if on:
            self._timer = self.set_interval(SPEEDS_S[self._speed], self._go_on)
        self.show()

    def _go_on(self) -> None:
        if self.at + 1 < len(self.frames):
            self.go(self.at + 1)
        else:
            self._play(on=False)

    def _faster(self, step: int) -> None:
        self._speed = max(0, min(self._speed + step, len(SPEEDS_S) - 1))
        if self.is_playing:
            self._play(on=True)

    def on_key(self, event: Key) -> None:
        event.stop()
        printable = event.is_printable and event.character and event.key != "space"
        self.press(key_of(event.character or "") if printable else event.key)

    def press(self, key: str) -> None:
        match key:
            case "left" | "right":
                self.go(self.at + (1 if key == "right" else -1))
            case "up" | "down":
                self._find(1 if key == "down" else -1, lambda frame: frame.opens_trick)
            case "pageup" | "pagedown":
                self._find(1 if key == "pagedown" else -1, lambda frame: frame.opens_hand)
            case "home":
                self.go(0)
            case "end":
                self.go(len(self.frames) - 1)
            case "space":
                self._play(on=not self.is_playing)
            case "+" | "=" | "-":
                self._faster(-1 if key == "-" else 1)
            case "0":
                self._look(None)
            case "1" | "2" | "3" | "4":
                self._look(SEATS[int(key) - 1])
            case "c":
                lines = [line.plain for line in counter(self.seen, 44)]
                self._show("tui.counter", lines)
            case "r":
                lines = sheets.record(self.frame.scene, self.words)
                self._show("tui.record", lines)
            case "?":
                text = self.words.texts("tui.help_replay")
                self._show("tui.help", text.splitlines())
            case _:
                pass

    def _show(self, title: str, lines: Sequence[str]) -> None:
        texts = self.words.texts
        self.push_screen(Sheet(texts(title), lines, how=texts("tui.more_how")))

    def _look(self, eye: Seat | None) -> None:
        self.eye = eye
        self.show()

    def _buttons(self) -> list[Button]:
        texts = self.words.texts
        play = texts("tui.playing" if self.is_playing else "tui.paused_replay")
        return [
            Button("right", texts("tui.step_on")),
            Button("down", texts("tui.trick_on")),
            Button("pagedown", texts("tui.hand_on")),
            Button("space", play),
            Button("1-4", texts("tui.eyes")),
            Button("0", texts("tui.all_open")),
            Button("?", texts("tui.help")),
        ]

    def _clicked(self, x: int, _: int) -> None:
        key = drawn(self._buttons(), self.size.width, gap=" ").key(x)
        if key is not None:
            self.press(key)

    def _scrubbed(self, x: int, _: int) -> None:
        """A click on the bar goes there."""
        width = self.query_one("#line").size.width
        bar = self._place(width).plain.index("[") + 1
        start = Text(self._place(width).plain[:bar]).cell_len
        room = width - start - 2
        if x >= start and room > 0:
            self.go(round((x - start) / room * len(self.frames)))

    def action_leave_screen(self) -> None:
        self.exit(Exit.OK)

    def action_nothing(self) -> None:
        pass


def _by_suit(cards: Cards, level: Rank, words: Words, gap: str) -> Text:
    """Jokers, then each suit with its ranks."""
    text = Text()
    ordered = sorted(cards, key=lambda card: -height(rank_of(card), level))
    for card in ordered:
        if rank_of(card) > Rank.ACE:
            style = style_of(card, level, words)
            text.append(rank_name(rank_of(card)) + gap, style=style)
    text.append(" " if text.plain else "")
    for suit in Suit:
        held = [card for card in ordered if suit_of(card) is suit and rank_of(card) <= Rank.ACE]
        if not held:
            continue
        text.append(words.suits[suit], style=style_of(held[-1], level, words))
        for card in held:
            style = style_of(card, level, words)
            text.append(gap + rank_name(rank_of(card)), style=style)
        text.append("  " if gap else " ")
    return text
