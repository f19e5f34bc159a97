"""What tables play differently: every rule option with its values, and the named presets.

A `Rules` value is fixed for a match. Names and values are those of `docs/rules.md`; anything else
is refused by name, and so are the variants that are known from elsewhere but not played here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from attrs import asdict, evolve, field, fields_dict, frozen

from guandan_engine.errors import OptionRefused

__all__ = ["OPTIONS", "PRESETS", "RESERVED", "Rules", "options_of", "rules"]


def _one_of(*values: object) -> Any:
    """A field whose first value is the default and whose values are listed."""
    return field(default=values[0], metadata={"values": values})


@frozen
class Rules:
    """One table's choice among the options; the first value of each is the default (`site`)."""

    first_lead: Literal["seat1", "random", "drawn_card"] = _one_of("seat1", "random", "drawn_card")
    """Who opens the match."""
    advance_double: Literal[3, 4] = _one_of(3, 4)
    """Levels gained by a first and second place."""
    a_win_on: Literal["own", "rank", "any"] = _one_of("rank", "own", "any")
    """The hands a team at A can win the match on: its own A, any hand at A, any hand."""
    a_max_misses: Literal[2, 3] | None = _one_of(None, 2, 3)
    """Failed attempts at A before the team falls to 2."""
    a_miss_scope: Literal["own", "at_a"] = _one_of("own", "at_a")
    """Which failed hands are attempts: those on the team's own A, or all while it is at A."""
    full_house_joker_pair: bool = _one_of(False, True)
    """May a pair of equal jokers fill a full house?"""
    wild_run_plain: bool = _one_of(True, False)
    """May a run with a wild whose naturals share a suit be read as a plain straight?"""
    ambiguous_play: Literal["auto", "declare"] = _one_of("auto", "declare")
    """An undeclared play with several readings: the strongest that beats, or a refusal."""
    tribute: bool = _one_of(True, False)
    tribute_pick: Literal["auto", "payer"] = _one_of("auto", "payer")
    """Who chooses among equal top cards."""
    double_tribute_tie: Literal["next", "prev"] = _one_of("next", "prev")
    """Equal double gifts: first place takes from the donor after, or before, it in turn order."""
    return_rule: Literal["le10", "le10_to_partner", "any"] = _one_of(
        "le10", "le10_to_partner", "any"
    )
    return_level_card: bool = _one_of(False, True)
    """May a plain level card of face 10 or lower go back?"""
    return_gift: bool = _one_of(False, True)
    """May the very card that was given go back?"""
    return_fallback: Literal["lowest", "any"] = _one_of("lowest", "any")
    """What goes back when no card of 10 or lower may."""
    show_counts: Literal["always", "le10"] = _one_of("always", "le10")
    """Are the others' card counts always shown, or from ten down?"""


OPTIONS: Final[Mapping[str, tuple[object, ...]]] = MappingProxyType(
    {name: attribute.metadata["values"] for name, attribute in fields_dict(Rules).items()}
)
"""Each option's values, the default first."""

_NATIONAL: Final = Rules(
    first_lead="drawn_card",
    a_win_on="own",
    a_max_misses=3,
    full_house_joker_pair=True,
    double_tribute_tie="prev",
    show_counts="le10",
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "site": Rules(),
        "tournament": Rules(a_win_on="own", full_house_joker_pair=True),
        "house": Rules(a_win_on="own", full_house_joker_pair=True, a_max_misses=3),
        "national-2017": _NATIONAL,
        "huaian": evolve(_NATIONAL, return_rule="any", double_tribute_tie="next"),
        "nanjing": evolve(_NATIONAL, a_max_misses=2),
    }
)

RESERVED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "a_miss_reset_to": "falling to K, J or the opponents' level instead of 2",
        "a_miss_consecutive": "counting only misses in a row",
        "a_drop_on_opponents_aces": "falling at once when the opponents finish on aces",
        "a_overshoot_wins": "winning the match by passing A without playing it",
        "resist_with": "resistance with any two jokers, or none",
        "equal_gifts": "allotting equal gifts by lot, by choice of first, or last to first",
        "one_four_tribute": "no tribute, or third place paying, after a first and last place",
        "must_play": "levels other than A that must be played",
        "straight_flush_rank": "another place for the straight flush",
        "hidden_returns": "return cards that the others do not see",
    }
)
"""Variants that are met elsewhere; their names are kept free and refused."""

_RESERVED_VALUES: Final = frozenset(
    {
        ("double_tribute_tie", "lot"),
        ("double_tribute_tie", "first_choice"),
        ("double_tribute_tie", "last_to_first"),
        ("a_win_on", "overshoot"),
        ("a_miss_scope", "consecutive"),
    }
)


def _checked(option: str, value: object) -> object:
    if option in RESERVED:
        raise OptionRefused(option, got=value, why=f"reserved, not played here: {RESERVED[option]}")
    if option not in OPTIONS:
        raise OptionRefused(option, why=f"no such option; there are {', '.join(OPTIONS)}")
    for known in OPTIONS[option]:
        # `1 == True` and `3.0 == 3`: the type must be the same one, too.
        if type(known) is type(value) and known == value:
            return known
    if isinstance(value, str) and (option, value) in _RESERVED_VALUES:
        raise OptionRefused(option, got=value, why="reserved, not played here")
    values = ", ".join(map(repr, OPTIONS[option]))
    raise OptionRefused(option, got=value, why=f"no such value; there are {values}")


def rules(preset: str = "site", options: Mapping[str, object] = MappingProxyType({})) -> Rules:
    """The preset with some options changed; OptionRefused for a name or value not known here."""
    if preset not in PRESETS:
        raise OptionRefused("preset", got=preset, why=f"there are {', '.join(PRESETS)}")
    changes: dict[str, Any] = {name: _checked(name, value) for name, value in options.items()}
    return evolve(PRESETS[preset], **changes)


def options_of(table: Rules) -> dict[str, object]:
    """Every option of a table by name, as plain data."""
    return asdict(table)
