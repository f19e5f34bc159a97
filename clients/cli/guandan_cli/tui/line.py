"""The line over the hand: what the selection is, what it could be, why it cannot be played."""

from __future__ import annotations

from rich.text import Text

from guandan_cli.tui.look import ALERT, FAINT, GOLD, card, clipped, joined
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.seen import Seen
from guandan_engine.views import PhaseName
from guandan_protocol.messages import Hint, ReadingInfo

__all__ = ["line", "named"]


def line(seen: Seen, width: int) -> Text:
    """One line, whatever there is to say; nothing jumps when it fills."""
    return clipped(Text(" ") + _line(seen), width)


def _line(seen: Seen) -> Text:
    texts = seen.words.texts
    if seen.message:
        return Text(narrow(seen.message), style=ALERT)
    if seen.hint is not None:
        assert seen.hints is not None
        assert seen.hinted is not None
        number = texts("tui.hint_number", i=seen.hinted + 1, n=len(seen.hints.hints))
        if seen.hinted == seen.hints.best:
            number = texts("tui.hint_best")
        return joined([Text(number, style=FAINT), Text(_hint(seen.hint, seen), style=GOLD)])
    if not seen.taken:
        return _prompt(seen)
    if seen.is_exchange and seen.scene.is_asked:
        return Text()
    return _reading(seen)


def _hint(hint: Hint, seen: Seen) -> str:
    """What it is, and why; its cards are the ones that are taken."""
    words, texts = seen.words, seen.words.texts
    if not hint.cards:
        what = texts("event.pass_word")
    elif hint.reading is None:
        what = words.cards(hint.cards, seen.scene.public.level)
    else:
        what = words.reading(hint.reading)
    reason = texts.named("hint", hint.reason)
    return narrow(texts("hint.line", what=what, reason=reason) if reason else what)


def _reading(seen: Seen) -> Text:
    """What the cards are; several readings that can be played stand side by side."""
    texts, words = seen.words.texts, seen.words
    if seen.previewed is None:
        return Text(texts("tui.taken", n=len(seen.taken)), style=FAINT)
    able = seen.able
    if not able or not seen.may_act:
        names = [narrow(words.reading(info.reading)) for info in seen.previewed.readings]
        if not names:
            return Text(texts("tui.nothing"), style=ALERT)
        text = Text(texts("list.or").join(names), style="bold")
        if seen.may_act:
            why = words.refusal(seen.previewed.code)
            text.append(": " + narrow(why), style=ALERT)
        return text
    chips = [_chip(info, seen, is_chosen=info.reading == seen.reading) for info in able]
    if len(chips) == 1:
        return chips[0]
    return joined([*chips, Text(texts("tui.readings_how"), style=FAINT)])


def _chip(info: ReadingInfo, seen: Seen, *, is_chosen: bool) -> Text:
    words = seen.words
    name = narrow(words.reading(info.reading))
    text = Text(f"[{name}]" if is_chosen else name, style=GOLD if is_chosen else FAINT)
    if info.shown_as and is_chosen:
        text.append(" " + words.texts("tui.wild_as") + " ")
        for shown in info.shown_as:
            text.append_text(card(shown, seen.scene.public.level, words)).append(" ")
    return text


def _prompt(seen: Seen) -> Text:
    """What is wanted, when nothing is taken."""
    scene, words = seen.scene, seen.words
    texts, public = words.texts, scene.public
    if not scene.is_live or scene.seat is None:
        return Text()
    if scene.seat in public.out:
        place = words.place(public.out.index(scene.seat) + 1)
        return Text(texts("tui.you_are_out", place=place), style=FAINT)
    if not scene.plays_in_person:
        return Text(texts("tui.bot_plays"), style=FAINT)
    if not seen.may_act:
        return Text(texts("tui.prepare"), style=FAINT)
    match public.phase:
        case PhaseName.PAYING:
            return Text(texts("tui.pay"), style="bold")
        case PhaseName.RETURNING:
            return Text(texts("tui.give_back"), style="bold")
        case PhaseName.LEADING:
            return Text(texts("tui.lead"), style="bold")
        case _:
            if seen.must_pass:
                key = "tui.passes_itself" if seen.preferences.auto_pass else "tui.only_pass"
                return Text(texts(key), style="bold")
            return Text(texts("tui.follow"), style="bold")


def named(seen: Seen) -> str:
    """What Enter does now, in words; nothing if it does nothing."""
    scene, words = seen.scene, seen.words
    texts = words.texts
    taken = seen.taken
    if not seen.may_act:
        return ""
    if seen.hint is not None and not seen.hint.cards:
        return texts("tui.pass")
    if not taken:
        return ""
    if seen.is_exchange:
        if len(taken) != 1 or next(iter(taken)) not in seen.eligible:
            return ""
        key = "tui.do_pay" if scene.public.phase is PhaseName.PAYING else "tui.do_give_back"
        return texts(key, card=words.cards(taken, scene.public.level))
    reading = seen.reading
    return "" if reading is None else narrow(texts("tui.do_play", play=words.reading(reading)))
