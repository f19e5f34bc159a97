"""What a line at the table means."""

import pytest

from guandan_cli.entry import Typed, parse
from guandan_cli.orders import NAMES, Order, Unknown, Verb, understand


def test_no_command_can_be_read_as_cards() -> None:
    assert [name for name in NAMES if parse(name) is not None] == []


def test_every_command_has_its_name() -> None:
    assert {NAMES[verb.value] for verb in Verb} == set(Verb)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("p", Order(Verb.PASS)),
        ("  PASS  ", Order(Verb.PASS)),
        ("不出", Order(Verb.PASS)),
        ("h", Order(Verb.HINT)),
        ("h 2", Order(Verb.HINT, ("2",))),
        ("!", Order(Verb.BEST)),
        ("! 3", Order(Verb.BEST, ("3",))),
        ("!3", Order(Verb.BEST, ("3",))),
        ("o on 0.5", Order(Verb.AUTOPILOT, ("on", "0.5"))),
        ("托管", Order(Verb.AUTOPILOT)),
        ("bot 2 Basic", Order(Verb.BOT, ("2", "basic"))),
        ("rules house a_max_misses=2", Order(Verb.RULES, ("house", "a_max_misses=2"))),
        ("?", Order(Verb.HELP)),
        ("say good_luck", Order(Verb.SAY, ("good_luck",))),
        ("/Hello", Order(Verb.SAY, ("hello",))),
        ("/", Order(Verb.SAY)),
        ("exit", Order(Verb.QUIT)),
    ],
)
def test_commands(line: str, order: Order) -> None:
    assert understand(line) == order


@pytest.mark.parametrize(
    "line", ["9 9", "a", "q", "x", "10", "say", "say 9", "s5 h5", "w =pair-9", "jqk"]
)
def test_cards(line: str) -> None:
    assert isinstance(understand(line), Typed)


@pytest.mark.parametrize("line", ["hello", "99x9b", "!!", "=pair-9", "helpp", "l"])
def test_anything_else_is_told_apart(line: str) -> None:
    assert understand(line) == Unknown(line.split(maxsplit=1)[0])


@pytest.mark.parametrize(
    ("line", "same"),
    [("９９", "99"), ("！２", "!2"), ("ｈ　２", "h 2"), ("ｗ　＝２", "w =2"), ("？", "?")],
)
def test_full_width_is_as_good_as_ascii(line: str, same: str) -> None:
    assert understand(line) == understand(same) is not None


@pytest.mark.parametrize("line", ["!٣", "!²", "٩٩"])
def test_other_digits_are_none(line: str) -> None:
    assert isinstance(understand(line), Unknown)


@pytest.mark.parametrize("line", ["", "   ", "\t"])
def test_an_empty_line_means_nothing(line: str) -> None:
    assert understand(line) is None
