"""A decision of a review in words, wherever the review comes from."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from guandan_cli.words import Words
from guandan_engine.combos import Reading

__all__ = ["Judged", "figures", "judged_text", "own_text"]

FINE: Final = 0.05
"""An error that a tenth of a level would hide."""


@frozen
class Judged:
    """What was done, and what `expert` would have done instead."""

    hand: int
    left: int
    """Cards held."""
    top: Reading | None
    """The play to beat; None: it was a lead."""
    done: str
    """In words, and who did it."""
    best: str | None
    """A play in words; None for a pass."""
    gain: float
    """Levels that `best` does better by; below 0 it does worse."""
    error: float
    """Standard error of that."""
    worlds: int
    sure: bool
    outdone: bool
    """Does `best` surely do worse?"""
    reason: str | None = None
    """What speaks for `best`, by the name of a hint."""
    cost: str | None = None
    """What speaks against what was done."""


def judged_text(one: Judged, words: Words) -> str:
    texts, expert = words.texts, words.texts("strength.expert")
    leading = texts("review.leading")
    key = "review.sure" if one.sure else "review.outdone" if one.outdone else "review.unsure"
    gain = abs(one.gain) if one.sure or one.outdone else one.gain
    line = texts(
        "review.line",
        hand=one.hand,
        left=one.left,
        where=leading
        if one.top is None
        else texts("review.following", play=words.reading(one.top)),
        done=one.done,
        best=texts("review.expert_passes", expert=expert)
        if one.best is None
        else texts("review.expert_plays", expert=expert, play=one.best),
        worth=texts(key, **figures(gain, one.error)),
        worlds=one.worlds,
    )
    if not one.sure:
        return line
    if one.reason is not None:
        return line + texts("review.reason", reason=texts.named("hint", one.reason))
    if one.cost is not None:
        return line + texts("review.cost", reason=texts.named("hint", one.cost))
    return line


def own_text(play: str | None, words: Words) -> str:
    """What the one who is spoken to did; None: passed."""
    if play is None:
        return words.texts("review.own_pass")
    return words.texts("review.own_play", play=play)


def figures(gain: float, error: float) -> dict[str, str]:
    """As many digits as the error leaves a meaning; never a minus before nothing."""
    digits = 2 if 0 < error < FINE else 1
    return {
        "gain": f"{round(gain, digits) + 0.0:.{digits}f}",
        "error": f"{error:.{digits}f}",
    }
