"""The middle of the table: what is asked for, of whom, and the clock."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from guandan_cli.tui.look import ALERT, FAINT, GOLD, TURN, card, laid, wrapped
from guandan_cli.tui.narrow import narrow
from guandan_cli.tui.seen import Seen
from guandan_engine.views import Laid, PhaseName
from guandan_protocol.messages import Stage

__all__ = ["centre"]

SHORT_S = 5
"""From here down the clock is called out."""


def centre(seen: Seen, width: int) -> list[Text]:
    """Some lines, the most important first."""
    lines = list(_lines(seen, width))
    if seen.clock_s is not None and seen.scene.is_live:
        style = ALERT if seen.clock_s <= SHORT_S else "bold"
        lines.append(Text(seen.words.texts("tui.clock", s=seen.clock_s), style=style))
    return lines


def _lines(seen: Seen, width: int) -> Iterator[Text]:
    scene, words, public = seen.scene, seen.words, seen.scene.public
    texts = words.texts
    if scene.view.stage is Stage.PAUSED:
        yield Text(texts("tui.paused"), style="bold")
        return
    match public.phase:
        case PhaseName.PAYING | PhaseName.RETURNING:
            yield from _exchange(seen)
        case PhaseName.LEADING:
            yield from _exchanged(seen)
            if seen.may_act:
                yield Text(f" {texts('tui.your_lead')} ", style=TURN)
            else:
                yield Text(texts("tui.leads", who=words.everyone(public.asked, scene)))
        case PhaseName.FOLLOWING:
            yield from _to_beat(seen, width)
        case _:
            pass


def _to_beat(seen: Seen, width: int) -> Iterator[Text]:
    scene, words, public = seen.scene, seen.words, seen.scene.public
    if public.by is None or public.top is None:
        return
    if seen.may_act:
        yield Text(f" {words.texts('tui.your_turn')} ", style=TURN)
    else:
        who = words.everyone(public.asked, scene)
        yield Text(words.texts("tui.turn_of", who=who), style=FAINT)
    yield Text(narrow(words.reading(public.top)), style=GOLD)
    shown = public.shown[public.by - 1]
    if isinstance(shown, Laid):
        yield from wrapped(laid(shown.cards, shown.reading, public.level, words), width, 2)
    yield Text(words.texts("tui.by", who=words.who(public.by, scene)), style=FAINT)


def _exchange(seen: Seen) -> Iterator[Text]:
    """Tribute: who owes whom, what was given, and whose choice is awaited."""
    scene, words, public = seen.scene, seen.words, seen.scene.public
    texts = words.texts
    paying = public.phase is PhaseName.PAYING
    yield Text(texts("tui.tribute" if paying else "tui.return"), style=GOLD)
    if paying:
        for donor, recipient in public.owing:
            pair = {"donor": words.who(donor, scene), "recipient": words.who(recipient, scene)}
            yield Text(texts("tui.owes", **pair))
    yield from _exchanged(seen)
    if seen.may_act:
        yield Text(f" {texts('tui.your_choice')} ", style=TURN)
    else:
        yield Text(texts("tui.turn_of", who=words.everyone(public.asked, scene)), style=FAINT)


def _exchanged(seen: Seen) -> Iterator[Text]:
    scene, words, public = seen.scene, seen.words, seen.scene.public
    if public.resisted:
        yield Text(words.texts("tui.resisted"), style=GOLD)
        who = words.everyone(public.resisted, scene)
        yield Text(words.texts("tui.resisted_by", who=who), style=FAINT)
    for key, gifts in (("tui.given", public.gifts), ("tui.returned", public.returns)):
        for gift in gifts:
            pair = {
                "donor": words.who(gift.donor, scene),
                "recipient": words.who(gift.recipient, scene),
            }
            yield Text(words.texts(key, **pair) + " ").append_text(
                card(gift.card, public.level, words)
            )
