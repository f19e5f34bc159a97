"""From rows to networks, with numpy: slopes of small nets, AdamW, a rate that falls to nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from guandan_bots.judge import Judge
from guandan_bots.judge.inputs import COMMON_FOLLOWING, COMMON_LEADING
from guandan_bots.judge.network import Layer, Network
from tools.judge.rows import DEAL, HEAD

__all__ = ["Lesson", "learn"]

Floats: TypeAlias = NDArray[np.float32]

OWN: Final = {"lead": 92, "follow": 102}
"""Inputs of an option's own, by network: its traits, and 47 more."""
COMMON: Final = {"lead": COMMON_LEADING, "follow": COMMON_FOLLOWING}
SPREAD_MIN: Final = 0.1
"""Inputs that hardly ever vary are not blown up."""


@frozen
class Lesson:
    """How long, how fast, how large."""

    hidden: tuple[int, ...]
    epochs: int
    batch: int
    rate: float
    decay: float
    """Of the weights, at each step, times the rate: against learning by heart."""


DEALS: Final = Lesson((192, 64), epochs=6, batch=1024, rate=2e-3, decay=1e-3)
CHOICES: Final = Lesson((128, 64), epochs=6, batch=256, rate=1.5e-3, decay=1e-2)
"""In decisions, of some five choices each."""
MORE: Final = evolve(CHOICES, epochs=3, rate=3e-4)
"""For networks that have learned already."""


class Net:
    """A network while it learns. Inputs are scaled; `plain` gives one for inputs as they are."""

    def __init__(self, inputs: Floats, hidden: Iterable[int], chance: np.random.Generator) -> None:
        self.middle: Floats = inputs.mean(0)
        self.spread: Floats = np.maximum(inputs.std(0), SPREAD_MIN)
        widths = [inputs.shape[1], *hidden, 1]
        self.weights: list[Floats] = []
        self.added: list[Floats] = []
        for before, after in pairwise(widths):
            size = np.sqrt((2.0 if after > 1 else 0.05) / before)
            self.weights.append((chance.standard_normal((before, after)) * size).astype(np.float32))
            self.added.append(np.zeros(after, np.float32))

    def scaled(self, inputs: Floats) -> Floats:
        return (inputs - self.middle) / self.spread

    def held(self, scaled: Floats) -> list[Floats]:
        """What every layer holds, the inputs first."""
        layers = [scaled]
        for place, (weights, added) in enumerate(zip(self.weights, self.added, strict=True)):
            sums = layers[-1] @ weights + added
            layers.append(np.maximum(sums, 0) if place + 1 < len(self.weights) else sums)
        return layers

    def values(self, inputs: Floats) -> Floats:
        return np.concatenate(
            [
                self.held(self.scaled(inputs[begin : begin + 65536]))[-1][:, 0]
                for begin in range(0, len(inputs), 65536)
            ]
        )

    def slopes(self, layers: list[Floats], blame: Floats) -> list[Floats]:
        """Of all weights, then of all that is added; `blame` is the slope at the value."""
        of_weights: list[Floats] = []
        of_added: list[Floats] = []
        back = blame[:, None]
        for place in range(len(self.weights) - 1, -1, -1):
            of_weights.append(layers[place].T @ back)
            of_added.append(back.sum(0))
            if place:
                back = (back @ self.weights[place].T) * (layers[place] > 0)
        return of_weights[::-1] + of_added[::-1]

    def plain(self) -> Network:
        layers = []
        for place, (weights, added) in enumerate(zip(self.weights, self.added, strict=True)):
            if place == 0:
                weights = weights / self.spread[:, None]
                added = added - self.middle @ weights
            rows = tuple(tuple(row) for row in weights.tolist())
            layers.append(Layer(rows, tuple(added.tolist())))
        return Network(layers)

    def take(self, network: Network) -> None:
        """Goes on from one for inputs as they are; `plain` the other way round."""
        self.weights = [np.array(layer.rows, np.float32) for layer in network.layers]
        self.added = [np.array(layer.added, np.float32) for layer in network.layers]
        self.added[0] += self.middle @ self.weights[0]
        self.weights[0] *= self.spread[:, None]


class AdamW:
    """Steps as long as slopes are steady, and weights that shrink."""

    def __init__(self, net: Net, lesson: Lesson, steps: int) -> None:
        self._all = [*net.weights, *net.added]
        self._mean = [np.zeros_like(one) for one in self._all]
        self._square = [np.zeros_like(one) for one in self._all]
        self._lesson = lesson
        self._steps = max(steps, 1)
        self._done = 0

    def step(self, slopes: list[Floats]) -> None:
        rate = self._lesson.rate * (1 + np.cos(np.pi * self._done / self._steps)) / 2
        self._done += 1
        for one, mean, square, slope in zip(
            self._all, self._mean, self._square, slopes, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            way = (mean / (1 - 0.9**self._done)) / (
                np.sqrt(square / (1 - 0.999**self._done)) + 1e-8
            )
            one -= (rate * (way + self._lesson.decay * one)).astype(np.float32)


def learn(
    folder: Path,
    into: Path,
    begin: Judge | None = None,
    *,
    deals: Lesson = DEALS,
    choices: Lesson = CHOICES,
) -> None:
    """Both networks, from all rows in a folder; from where another judge is, if one is given."""
    say = _said
    ends = _rows(folder, "ends", 1 + DEAL)
    net = _of_deals(ends, deals, say)
    for name in ("lead", "follow"):
        rows = _rows(folder, name, HEAD + COMMON[name] + OWN[name] + DEAL)
        known = None if begin is None else getattr(begin, name)
        learned = _of_choices(name, rows, net, choices, known, say)
        learned.plain().write(into / f"{name}.weights")


def _said(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _rows(folder: Path, name: str, width: int) -> Floats:
    """All rows of a kind; decisions of different files keep apart."""
    found = []
    for path in sorted(folder.glob(f"{name}.*.rows")):
        rows = np.fromfile(path, np.float32)
        found.append(rows[: len(rows) // width * width].reshape(-1, width))
    if not found:
        raise FileNotFoundError(f"no {name}.*.rows in {folder}")
    if name != "ends":
        first = 0.0
        for rows in found:
            rows[:, 0] += first
            first = float(rows[-1, 0]) + 1
    return np.concatenate(found)


def _of_deals(rows: Floats, lesson: Lesson, say: Callable[[str], None]) -> Net:
    """Every twentieth row is for trying it out; neighbours are of one hand, so in blocks."""
    chance = np.random.default_rng(1)
    wanted, deals = rows[:, 0], rows[:, 1:]
    kept = np.arange(len(rows)) // 1000 % 20 == 19
    net = Net(deals, lesson.hidden, chance)
    scaled = net.scaled(deals)
    places = np.flatnonzero(~kept)
    adam = AdamW(net, lesson, lesson.epochs * (len(places) // lesson.batch))
    for epoch in range(lesson.epochs):
        chance.shuffle(places)
        for begin in range(0, len(places) - lesson.batch + 1, lesson.batch):
            some = places[begin : begin + lesson.batch]
            layers = net.held(scaled[some])
            blame = (layers[-1][:, 0] - wanted[some]) * np.float32(2 / len(some))
            adam.step(net.slopes(layers, blame))
        off = [_square(net.values(deals[one]) - wanted[one]) for one in (kept, ~kept) if one.any()]
        say(f"deals {epoch}: squared error {off} of {_square(wanted - wanted.mean()):.3f}")
    return net


def _of_choices(
    name: str,
    rows: Floats,
    deals: Net,
    lesson: Lesson,
    known: Network | None,
    say: Callable[[str], None],
) -> Net:
    """Differences between the choices of a decision are learned, not what they share."""
    inputs = rows[:, HEAD:-DEAL]
    worth = np.where(rows[:, 3] > 0, rows[:, 2], rows[:, 4] * deals.values(rows[:, -DEAL:]))
    numbers, decision, counts = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
    wanted = (worth - (np.bincount(decision, worth) / counts)[decision]).astype(np.float32)
    first = np.concatenate([[0], np.cumsum(counts)])
    kept = np.arange(len(numbers)) % 10 == 9
    chance = np.random.default_rng(1)
    net = Net(inputs, lesson.hidden, chance)
    if known is not None:
        net.take(known)
    scaled = net.scaled(inputs)
    order = np.flatnonzero(~kept)
    adam = AdamW(net, lesson, lesson.epochs * (len(order) // lesson.batch))
    for epoch in range(lesson.epochs):
        chance.shuffle(order)
        for begin in range(0, len(order) - lesson.batch + 1, lesson.batch):
            some = order[begin : begin + lesson.batch]
            places = np.concatenate([np.arange(first[one], first[one + 1]) for one in some])
            layers = net.held(scaled[places])
            off = _centred(layers[-1][:, 0], counts[some]) - wanted[places]
            blame = _centred(2 * off / len(places), counts[some])
            adam.step(net.slopes(layers, blame))
        values = net.values(inputs)
        held = kept[decision]
        off = _centred(values, counts) - wanted
        left = [_square(off[one]) / max(_square(wanted[one]), 1e-9) for one in (held, ~held)]
        say(
            f"{name} {epoch}: explains {1 - left[0]:.4f}, {1 - left[1]:.4f} of what it learned by; "
            f"gains {_gain(values, worth, rows[:, 1], first, kept):+.4f} levels a decision"
        )
    return net


def _centred(values: Floats, counts: NDArray[np.int64]) -> Floats:
    """Values less their mean within each decision; the choices of a decision lie together."""
    group = np.repeat(np.arange(len(counts)), counts)
    return (values - (np.bincount(group, values) / counts)[group]).astype(np.float32)


def _gain(
    values: Floats, worth: Floats, places: Floats, first: NDArray[np.int64], kept: NDArray[np.bool]
) -> float:
    """By how much the best-valued choice beats `club`'s, in decisions kept for that."""
    gains = []
    for one in np.flatnonzero(kept):
        some = slice(first[one], first[one + 1])
        own = worth[some][places[some] == 0]
        gains.append(float(worth[some][np.argmax(values[some])] - own[0]))
    return float(np.mean(gains)) if gains else 0.0


def _square(values: Floats) -> float:
    return float((values * values).mean()) if len(values) else 0.0
