"""The keys of the table, which are those of the page, and the buttons that stand for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen
from rich.text import Text

from guandan_cli.tui.line import named
from guandan_cli.tui.look import FAINT
from guandan_cli.tui.seen import Seen
from guandan_engine.cards import Rank
from guandan_engine.views import PhaseName
from guandan_protocol.messages import Stage

__all__ = ["RANK_KEYS", "WILD_KEY", "Button", "Laid", "actions", "drawn", "footer", "key_of"]

RANK_KEYS: Final = {
    **{str(n): Rank(n - 2) for n in range(2, 10)},
    "0": Rank.TEN,
    "t": Rank.TEN,
    "j": Rank.JACK,
    "q": Rank.QUEEN,
    "k": Rank.KING,
    "a": Rank.ACE,
    "x": Rank.SMALL_JOKER,
    "y": Rank.BIG_JOKER,
    "z": Rank.BIG_JOKER,
}
WILD_KEY: Final = "w"

FULL_WIDTH: Final = range(0xFF01, 0xFF5F)
"""What a Chinese input method may send for the keys of ASCII."""


def key_of(character: str) -> str:
    """The key that was meant; with Caps Lock, too, but for H, which is a key of its own.

    >>> key_of("９"), key_of("？"), key_of("Q"), key_of("H")
    ('9', '?', 'q', 'H')
    """
    code = ord(character[0]) if character else 0
    key = chr(code - 0xFEE0) if code in FULL_WIDTH else character
    return key if key == "H" else key.lower()


@frozen
class Button:
    """A key, and what it does now."""

    key: str
    text: str
    is_on: bool = True
    is_main: bool = False


@frozen
class Laid:
    """A row of buttons as drawn, and where each stands."""

    text: Text
    spans: tuple[tuple[range, str], ...]

    def key(self, x: int) -> str | None:
        return next((key for span, key in self.spans if x in span), None)


MAIN: Final = "bold #0b1a17 on #ffd166"
KEY_NAMES: Final = {
    "enter": "Enter",
    "escape": "Esc",
    "right": "<- ->",
    "down": "Down",
    "pagedown": "PgDn",
    "space": "Space",
}


def actions(seen: Seen) -> list[Button]:
    """What can be done now, in the order of the page: pass, hint, suggestion, play."""
    return list(_actions(seen))


def _actions(seen: Seen) -> Iterator[Button]:
    scene, texts = seen.scene, seen.words.texts
    if scene.view.proposal is not None and scene.seat is not None:
        if scene.seat not in scene.view.consents:
            yield Button("+", texts("tui.agree"), is_main=True)
        yield Button("-", texts("tui.refuse"))
    if scene.seat is None:
        return
    match scene.view.stage:
        case Stage.LOBBY:
            yield from _lobby(seen)
        case Stage.PAUSED:
            yield Button("enter", texts("tui.play_on"), is_main=True)
        case Stage.MATCH_OVER:
            if scene.is_host and scene.view.proposal is None:
                yield Button("enter", texts("tui.rematch"), is_main=True)
                yield Button("n", texts("tui.new_game"))
            yield Button("v", texts("tui.review"))
            yield Button("r", texts("tui.record"))
        case Stage.PLAYING:
            yield from _between(seen) if not scene.is_live else _playing(seen)


def _lobby(seen: Seen) -> Iterator[Button]:
    scene, texts = seen.scene, seen.words.texts
    assert scene.seat is not None
    if scene.is_host:
        yield Button("enter", texts("tui.start"), is_main=True)
    ready = scene.info(scene.seat).ready
    key = "d" if scene.is_host else "enter"
    text = texts("tui.not_ready" if ready else "tui.ready")
    yield Button(key, text, is_main=not scene.is_host)
    yield Button("1-4", texts("tui.seats_how"))
    yield Button("r", texts("tui.rules_settings"))
    yield Button("i", texts("tui.invite"))


def _between(seen: Seen) -> Iterator[Button]:
    scene, texts = seen.scene, seen.words.texts
    assert scene.seat is not None
    if scene.public.phase is PhaseName.HAND_OVER and not scene.info(scene.seat).ready:
        yield Button("enter", texts("tui.next_hand"), is_main=True)
    key = "tui.not_later" if scene.info(scene.seat).later else "tui.later"
    yield Button("d", texts(key))
    yield Button("r", texts("tui.record"))
    if scene.is_host and scene.view.proposal is None:
        yield Button("n", texts("tui.new_game"))


def _playing(seen: Seen) -> Iterator[Button]:
    scene, texts = seen.scene, seen.words.texts
    name = named(seen)
    may = seen.may_act
    may_pass = may and scene.public.phase is PhaseName.FOLLOWING
    yield Button("enter", name or texts("tui.play"), is_on=bool(name), is_main=True)
    if not seen.is_exchange:
        yield Button("p", texts("tui.pass"), is_on=may_pass)
    if scene.view.settings.hints:
        yield Button("h", texts("tui.hint"), is_on=may)
        yield Button("g", texts("tui.suggest"), is_on=may)
    yield Button("escape", texts("tui.clear"), is_on=bool(seen.taken))
    if not seen.is_exchange:
        yield Button("u", texts("tui.suits"), is_on=scene.plays_in_person)


def footer(seen: Seen) -> list[Button]:
    """What can always be done."""
    texts, scene = seen.words.texts, seen.scene
    found = []
    if scene.seat is not None and scene.is_live:
        found.append(Button("s", texts("tui.sort", sort=texts(f"sort.{seen.sort}"))))
    if scene.public.hand and scene.view.settings.counter:
        found.append(Button("c", texts("tui.counter")))
    if scene.seat is not None and scene.is_live:
        own = scene.plays_in_person
        found.append(Button("o", texts("tui.autopilot" if own else "tui.no_autopilot")))
        found.append(Button("l", texts("tui.last")))
    if scene.seat is not None and scene.view.settings.phrases:
        found.append(Button("/", texts("tui.phrases")))
    found.append(Button("m", texts("tui.menu")))
    found.append(Button("?", texts("tui.help")))
    return found


def drawn(buttons: Sequence[Button], width: int, *, gap: str = "  ") -> Laid:
    """The buttons side by side; where they do not fit, those at the right lose their words first.

    The menu and the help keep theirs for longer, for they say what the others do, and the main one
    in any case.
    """
    worded = [True] * len(buttons)
    if _width(buttons, worded, gap) > width:
        gap = " "
    by_weight = sorted(range(len(buttons)), key=lambda i: (buttons[i].key in ("m", "?"), -i))
    for i in [i for i in by_weight if not buttons[i].is_main]:
        if _width(buttons, worded, gap) <= width:
            break
        worded[i] = False
    text, spans = Text(" "), []
    for button, has_words in zip(buttons, worded, strict=True):
        piece = _piece(button, has_words=has_words)
        if text.cell_len + piece.cell_len > width:
            break
        start = text.cell_len
        text.append_text(piece)
        spans.append((range(start, text.cell_len), button.key))
        text.append(gap)
    return Laid(text, tuple(spans))


def _width(buttons: Sequence[Button], worded: Sequence[bool], gap: str) -> int:
    pieces = [_piece(one, has_words=has) for one, has in zip(buttons, worded, strict=True)]
    return 1 + sum(piece.cell_len for piece in pieces) + len(gap) * (len(pieces) - 1)


def _piece(button: Button, *, has_words: bool) -> Text:
    """The key in bold, the words after it; both faint where it does nothing now."""
    key = KEY_NAMES.get(button.key, button.key)
    text = Text().append(f"[{key}]", style="bold" if button.is_on else FAINT)
    if has_words:
        is_lit = button.is_main and button.is_on
        style = MAIN if is_lit else "" if button.is_on else FAINT
        text.append(" ").append(f" {button.text} " if is_lit else button.text, style=style)
    return text
