"""The arithmetic of networks, and their files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from guandan_bots.judge import Network
from guandan_bots.judge.network import Layer


def network(*widths: int, seed: int = 1) -> Network:
    chance = Random(seed)

    def numbers(n: int) -> tuple[float, ...]:
        return tuple(chance.randrange(-64, 64) / 16 for _ in range(n))

    return Network(
        [
            Layer(tuple(numbers(after) for _ in range(before)), numbers(after))
            for before, after in pairwise(widths)
        ]
    )


def by_the_book(one: Network, inputs: list[float]) -> float:
    """As the definition has it."""
    held = inputs
    for number, layer in enumerate(one.layers):
        if number:
            held = [x if x > 0 else 0.0 for x in held]
        held = [
            added + sum(x * row[place] for x, row in zip(held, layer.rows, strict=True))
            for place, added in enumerate(layer.added)
        ]
    (value,) = held
    return value


def test_a_value_is_what_the_layers_say() -> None:
    one, chance = network(7, 5, 3, 1), Random(2)
    for _ in range(50):
        inputs = [chance.choice([0.0, 1.0, chance.random()]) for _ in range(7)]
        value = one.value(one.begun(inputs[:4]), inputs[4:])
        assert value == pytest.approx(by_the_book(one, inputs))


def test_what_options_share_is_summed_once() -> None:
    one = network(4, 3, 1)
    begun = one.begun([1.0, 2.0])
    first, second = one.value(begun, [0.0, 1.0]), one.value(begun, [3.0, 0.0])
    assert first == pytest.approx(by_the_book(one, [1.0, 2.0, 0.0, 1.0]))
    assert second == pytest.approx(by_the_book(one, [1.0, 2.0, 3.0, 0.0]))


def test_a_file_gives_back_the_network(tmp_path: Path) -> None:
    one = network(9, 4, 2, 1)
    one.write(tmp_path / "one.weights")
    other = Network.read((tmp_path / "one.weights").read_bytes())
    assert other.layers == one.layers


@pytest.mark.parametrize("cut", [slice(None, -4), slice(None, 12)])
def test_a_file_that_was_cut_off_is_refused(cut: slice, tmp_path: Path) -> None:
    network(9, 4, 1).write(tmp_path / "one.weights")
    with pytest.raises(ValueError, match="numbers where layers"):
        Network.read((tmp_path / "one.weights").read_bytes()[cut])


def test_a_file_with_more_than_it_says_is_refused(tmp_path: Path) -> None:
    network(9, 4, 1).write(tmp_path / "one.weights")
    with pytest.raises(ValueError, match="numbers where layers"):
        Network.read((tmp_path / "one.weights").read_bytes() + bytes(8))


def test_an_empty_file_is_no_network() -> None:
    with pytest.raises(ValueError, match="an empty file"):
        Network.read(b"")
