"""Text read line by line, each line against the form that belongs there.

A form is a line with words in capitals for what may vary; those have a reader each:

    lines.take("pay SEAT CARD")             [4, SA]; NotationError names the line if it is another
    lines.take("SEAT CARDS = READING")      CARDS and WORDS are one word or more
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from guandan_engine.errors import NotationError
from guandan_engine.notation import level_of, parse_card, parse_cards, parse_reading
from guandan_engine.seats import Seat

__all__ = ["Lines", "Reader", "hex_reader"]

Reader = Callable[[str], Any]
"""From a word to its value; NotationError if it has none."""


def _seat(text: str) -> Seat:
    if text not in ("1", "2", "3", "4"):
        raise NotationError(text, expected="a seat, 1..4")
    return Seat(int(text))


def hex_reader(least: int, most: int) -> Reader:
    """For so many bytes."""
    sizes = str(least) if least == most else f"{least} to {most}"

    def parse(text: str) -> bytes:
        try:
            parsed = bytes.fromhex(text)
        except ValueError:
            parsed = b""
        if not least <= len(parsed) <= most:
            raise NotationError(text, expected=f"{sizes} bytes in hex")
        return parsed

    return parse


_READERS: Final[Mapping[str, Reader]] = {
    "SEAT": _seat,
    "CARD": parse_card,
    "CARDS": parse_cards,
    "LEVEL": level_of,
    "READING": parse_reading,
    "WORDS": str,
}
"""How to read what stands in the place of a word in capitals."""
_SEVERAL: Final = frozenset({"CARDS", "WORDS"})


class Lines:
    """The lines of a text that say something, one after the other."""

    def __init__(self, text: str) -> None:
        self._rest = iter(text.splitlines())
        self._number = 0
        self._line = ""
        self.words: list[str] = []
        """Of the line at hand; none past the last."""
        self._advance()

    def _advance(self) -> None:
        for line in self._rest:
            self._number += 1
            words = line.split()
            # A name may hold anything; no other line has a "#" of its own.
            if words[:1] != ["name"]:
                words = line.partition("#")[0].split()
            if words:
                self._line, self.words = line, words
                return
        self._line, self.words = "", []

    def take(self, form: str, **readers: Reader) -> list[Any]:
        """What stands where `form` has capitals; then on to the next line.

        Everything else stands as it is written. CARDS and WORDS are one word or more.
        """
        places, words = form.split(), list(self.words)
        for i, place in enumerate(places):
            if place in _SEVERAL:
                end = len(words) - (len(places) - i - 1)
                words[i:end] = [" ".join(words[i:end])] if i < end else []
        if len(words) != len(places) or any(
            place != word for place, word in zip(places, words, strict=True) if not place.isupper()
        ):
            raise self.error(form)
        taken = []
        for place, word in zip(places, words, strict=True):
            if place.isupper():
                try:
                    taken.append((readers.get(place) or _READERS[place])(word))
                except NotationError as error:
                    raise self.error(error.expected, got=error.text) from None
        self._advance()
        return taken

    def error(self, expected: str, got: str | None = None) -> NotationError:
        """An error that names the line at hand."""
        return NotationError(
            self._line if got is None else got, expected=expected, line=self._number
        )
