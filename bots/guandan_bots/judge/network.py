"""A small network in plain floats: weighted sums, what of them is above zero, sums of that again.

Its file begins with how many widths there are and the widths, a byte each: of the inputs, then of
every layer. Then come, layer by layer, the weights, a row for each input, and what is added to the
sums, as little-endian floats of 32 bits.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from itertools import pairwise
from operator import mul
from pathlib import Path

from attrs import frozen

__all__ = ["Layer", "Network"]


@frozen
class Layer:
    """From some numbers to others."""

    rows: tuple[tuple[float, ...], ...]
    """By input: its weight in each sum."""
    added: tuple[float, ...]


class Network:
    """Layers, each on what the one before it gave; the last gives one number."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self.layers = tuple(layers)
        self._first = self.layers[0].rows
        # Of the other layers the weights of each sum lie together.
        self._rest = tuple(
            tuple(zip(zip(*layer.rows, strict=True), layer.added, strict=True))
            for layer in self.layers[1:]
        )

    @property
    def inputs(self) -> int:
        return len(self._first)

    def begun(self, common: Sequence[float]) -> list[float]:
        """The sums of the first layer after its first inputs: once for what options share."""
        return self._added(self.layers[0].added, common, 0)

    def value(self, begun: Sequence[float], own: Sequence[float]) -> float:
        """What comes out, with an option's own inputs."""
        sums = self._added(begun, own, len(self._first) - len(own))
        for layer in self._rest:
            held = [max(one, 0.0) for one in sums]
            sums = [sum(map(mul, held, weights)) + more for weights, more in layer]
        return sums[0]

    def _added(self, sums: Sequence[float], inputs: Sequence[float], first: int) -> list[float]:
        """Most inputs are zero, and those take no time."""
        found = list(sums)
        for place, one in enumerate(inputs, first):
            if one:
                found = [
                    a + one * weight for a, weight in zip(found, self._first[place], strict=True)
                ]
        return found

    def write(self, path: Path) -> None:
        widths = [self.inputs, *(len(layer.added) for layer in self.layers)]
        numbers = array("f")
        for layer in self.layers:
            for row in layer.rows:
                numbers.extend(row)
            numbers.extend(layer.added)
        if sys.byteorder == "big":
            numbers.byteswap()
        path.write_bytes(bytes([len(widths), *widths]) + numbers.tobytes())

    @classmethod
    def read(cls, data: bytes) -> Network:
        """What `write` wrote. ValueError if it is cut off or has more than it says."""
        if not data:
            raise ValueError("an empty file")
        widths = list(data[1 : 1 + data[0]])
        numbers = array("f")
        numbers.frombytes(data[1 + data[0] :])
        if sys.byteorder == "big":
            numbers.byteswap()
        layers: list[Layer] = []
        place = 0
        for before, after in pairwise(widths):
            rows = [tuple(numbers[place + after * n :][:after]) for n in range(before)]
            place += before * after
            layers.append(Layer(tuple(rows), tuple(numbers[place : place + after])))
            place += after
        if place != len(numbers):
            raise ValueError(f"{len(numbers)} numbers where layers of {widths} have {place}")
        return cls(layers)
