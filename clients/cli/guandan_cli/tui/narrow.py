"""Only characters of which every terminal knows the width.

Dots, dashes, arrows and typographic quotes are one column wide in most terminals and two in some
Chinese ones, which would push a whole row aside. In lines that follow each other that does not
matter; on a screen of columns it does. So the full screen says everything in ASCII, in characters
that are always wide, and in the four suits, for which there is no other way.
"""

from __future__ import annotations

from typing import Final

from guandan_cli.texts import Texts

__all__ = ["narrow", "narrowed"]

_ASCII: Final = str.maketrans(
    {
        "±": "+/-",
        "·": "-",
        "…": "...",
        "—": "-",
        "–": "-",
        "─": "-",
        "═": "=",
        "→": ">",
        "“": '"',
        "”": '"',
    }
)


def narrow(text: str) -> str:
    """A text whose width is beyond doubt.

    >>> narrow("── Hand 2: playing 7 · level 7… ──")
    '-- Hand 2: playing 7, level 7... --'
    """
    return text.replace(" · ", ", ").translate(_ASCII)


def narrowed(texts: Texts) -> Texts:
    """The same language in such characters."""
    return Texts(texts.lang, {key: narrow(text) for key, text in texts.table.items()})
