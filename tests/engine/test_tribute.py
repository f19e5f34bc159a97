"""Tribute, resistance and return, against the slow referee and the worked table of rules 4."""

from __future__ import annotations

import random
from itertools import chain, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guandan_engine.cards import CARDS, Cards, rank_of, wild_of
from guandan_engine.errors import InvariantBroken
from guandan_engine.notation import (
    card_text,
    cards_text,
    level_of,
    parse_card,
    parse_cards,
    rank_text,
)
from guandan_engine.options import Rules, options_of, rules
from guandan_engine.order import LEVELS, height
from guandan_engine.seats import SEATS, Seat, partner_of
from guandan_engine.tribute import (
    Gift,
    debts,
    donors,
    eligible,
    exchanged,
    resisters,
    returnable,
)
from tests.engine.brute_table import brute_tribute
from tests.engine.strategies import rules_drawn
from tests.engine.table import gifts

FINISHES = [tuple(map(Seat, order)) for order in permutations(SEATS)]

TRIBUTE_OPTIONS = {
    "double_tribute_tie": ("next", "prev"),
    "return_rule": ("le10", "le10_to_partner", "any"),
    "return_level_card": (False, True),
    "return_gift": (False, True),
    "return_fallback": ("lowest", "any"),
}


def deal_some(rng: random.Random, size: int, pack: list[Any]) -> dict[Seat, Cards]:
    dealt = rng.sample(pack, 4 * size)
    return {s: Cards.of(dealt[i * size : (i + 1) * size]) for i, s in enumerate(SEATS)}


def told(
    finish: tuple[Seat, ...], hands: dict[Seat, Cards], level: str, table: Rules
) -> dict[str, Any]:
    """What the engine's parts say, put together as the slow referee reports."""
    rank = level_of(level)
    if resisters(finish, hands):
        return {"kind": "resisted", "gifts": [], "returns": {}, "leader": finish[0]}
    due = debts(finish, hands, rank, table)
    paid = [Gift(debt.donor, debt.recipient, debt.eligible[0]) for debt in due]
    after = exchanged(hands, paid)
    returns = {
        gift.recipient: returnable(
            after[gift.recipient],
            gift=gift.card,
            level=rank,
            rules=table,
            to_partner=partner_of(gift.recipient) == gift.donor,
        )
        for gift in paid
    }
    return {
        "kind": "double" if len(due) == 2 else "single",
        "gifts": [
            {
                "from": debt.donor,
                "to": debt.recipient,
                "rank": rank_text(rank_of(debt.eligible[0])),
                "eligible": list(map(card_text, debt.eligible)),
            }
            for debt in due
        ],
        "returns": {str(seat): sorted(map(card_text, cards)) for seat, cards in returns.items()},
        "leader": due[0].donor,
    }


@pytest.mark.parametrize("size", [27, 9])
def test_as_the_slow_referee_pays(size: int) -> None:
    """Whole hands; and thirds of hands, of high cards, where nothing of ten or lower is left."""
    rng = random.Random(size)
    kinds = set()
    for i in range(700):
        level = rng.choice(LEVELS)
        ranks = range(15) if size == 27 or i % 2 else range(7, 15)
        pack = [card for card in 2 * CARDS if card >> 2 in ranks]
        hands = deal_some(rng, min(size, len(pack) // 4), pack)
        finish = rng.choice(FINISHES)
        chosen = {name: rng.choice(values) for name, values in TRIBUTE_OPTIONS.items()}
        table = rules("site", chosen)
        naturals = [set(hand) - {wild_of(level)} for hand in hands.values()]
        if not all(naturals):
            continue  # nobody is dealt nothing but wilds in a whole hand
        case = {
            "finish": list(finish),
            "hands": {str(seat): cards_text(hand).split() for seat, hand in hands.items()},
        }
        expected = brute_tribute(case, rank_text(level), options_of(table))
        expected["returns"] = {seat: sorted(cards) for seat, cards in expected["returns"].items()}
        assert told(finish, hands, rank_text(level), table) == expected, (case, level, chosen)
        kinds.add(expected["kind"])
    assert kinds == {"single", "double", "resisted"}


@given(st.sampled_from(FINISHES), st.sampled_from(LEVELS), rules_drawn, st.integers(0, 1 << 30))
@settings(max_examples=150)
def test_cards_move_and_none_is_lost(
    finish: tuple[Seat, ...], level: Any, table: Rules, seed: int
) -> None:
    hands = deal_some(random.Random(seed), 27, 2 * list(CARDS))
    due = debts(finish, hands, level, table)
    assert tuple(sorted(debt.donor for debt in due)) == tuple(sorted(donors(finish)))
    paid = [Gift(debt.donor, debt.recipient, debt.eligible[-1]) for debt in due]
    after = exchanged(hands, paid)
    back = [Gift(g.recipient, g.donor, min(after[g.recipient])) for g in paid]
    at_last = exchanged(after, back)
    for seat in SEATS:
        assert len(after[seat]) == 27 + sum(g.recipient == seat for g in paid) - sum(
            g.donor == seat for g in paid
        )
        assert len(at_last[seat]) == 27
    assert sorted(chain(*at_last.values())) == sorted(chain(*hands.values()))
    for debt in due:  # the higher gift goes to first place
        heights = {height(rank_of(card), level) for card in debt.eligible}
        assert len(heights) == 1
        assert heights.pop() <= height(rank_of(due[0].eligible[0]), level)


# The worked table of rules 4. Hands name what matters.


def hands_in(text: str) -> dict[Seat, Cards]:
    named = {Seat(s): Cards() for s in SEATS}
    for part in text.split(";"):
        seat, cards = part.split(":")
        named[Seat(int(seat))] = parse_cards(cards)
    return named


def pay(finish: str, level: str, hands: str, **options: Any) -> str:
    """The gifts of a finish, each donor giving the first of its equal cards."""
    due = debts(
        tuple(Seat(int(s)) for s in finish),
        hands_in(hands),
        level_of(level),
        rules("site", options),
    )
    return ", ".join(f"{d.donor}→{d.recipient} {card_text(d.eligible[0])}" for d in due)


@pytest.mark.parametrize(
    ("finish", "level", "hands", "expected"),
    [
        ("1234", "4", "4: SA DK", "4→1 SA"),
        ("1243", "4", "3: SK", "3→1 SK"),
        ("1324", "5", "2: Y; 4: SA", "2→1 Y, 4→3 SA"),
        ("1324", "5", "2: SQ; 4: SK", "4→1 SK, 2→3 SQ"),
        ("1324", "5", "2: SA; 4: DA", "2→1 SA, 4→3 DA"),
        ("2413", "5", "1: SK; 3: DK", "3→2 DK, 1→4 SK"),
        ("1324", "5", "2: X; 4: X", "2→1 X, 4→3 X"),
        ("1324", "7", "2: H7 SA; 4: DA", "2→1 SA, 4→3 DA"),
        ("1324", "5", "2: Y; 4: X", "2→1 Y, 4→3 X"),
        ("1234", "4", "4: X DK", "4→1 X"),
        ("1234", "7", "4: H7 S7 SA", "4→1 S7"),
        ("1234", "8", "4: S8 SA", "4→1 S8"),
    ],
)
def test_gifts(finish: str, level: str, hands: str, expected: str) -> None:
    assert pay(finish, level, hands) == expected


def test_equal_gifts_where_first_takes_from_behind() -> None:
    assert pay("1324", "5", "2: SA; 4: DA", double_tribute_tie="prev") == "4→1 DA, 2→3 SA"
    assert pay("2413", "5", "1: SK; 3: DK", double_tribute_tie="prev") == "1→2 SK, 3→4 DK"
    # The option is about ties alone.
    assert pay("1324", "5", "2: SA; 4: DK", double_tribute_tie="prev") == "2→1 SA, 4→3 DK"


@pytest.mark.parametrize(
    ("finish", "hands", "holders"),
    [
        ("1234", "4: Y Y", (4,)),
        ("1234", "4: Y; 2: Y", ()),
        ("1234", "2: Y Y; 4: SA", ()),
        ("1324", "2: Y; 4: Y", (2, 4)),
        ("1324", "4: Y Y; 2: SA", (4,)),
        ("1324", "2: Y Y; 4: SA", (2,)),
        ("1324", "2: Y; 1: Y; 4: SA", ()),
        ("1324", "2: X; 4: X", ()),
    ],
)
def test_resistance(finish: str, hands: str, holders: tuple[int, ...]) -> None:
    assert resisters(tuple(Seat(int(s)) for s in finish), hands_in(hands)) == holders


def test_equal_top_cards_are_all_eligible() -> None:
    seven = level_of("7")
    assert [card_text(c) for c in eligible(parse_cards("D7 C7 S7 SA"), seven)] == ["S7", "C7", "D7"]
    with pytest.raises(InvariantBroken):
        eligible(parse_cards("H7 H7"), seven)


def back(hand: str, gift: str, level: str, *, to_partner: bool = False, **options: Any) -> str:
    return cards_text(
        returnable(
            parse_cards(hand),
            gift=parse_card(gift),
            level=level_of(level),
            rules=rules("site", options),
            to_partner=to_partner,
        )
    )


@pytest.mark.parametrize(
    ("hand", "gift", "level", "expected"),
    [
        ("S3 D8 CJ SA", "SA", "4", "S3 D8"),
        ("S7 D3 CT HJ SA", "SA", "7", "D3 CT"),
        ("ST D9 SQ SA", "SA", "T", "D9"),
        ("SJ DQ CK SA X Y", "Y", "4", "SJ"),
        ("SJ DQ CK SA Y", "Y", "J", "DQ"),
        ("S7 C7 SJ DK Y", "Y", "7", "SJ"),
        ("SJ DQ CK C9", "C9", "4", "SJ"),
        ("C9 C9 DQ", "C9", "4", "C9"),
        ("H7 SJ DK Y", "Y", "7", "SJ"),
        ("SJ DJ CJ Y", "Y", "4", "SJ CJ DJ"),
        ("H7 S7 X X", "X", "7", "S7"),
    ],
)
def test_returns(hand: str, gift: str, level: str, expected: str) -> None:
    assert back(hand, gift, level) == expected


def test_return_options() -> None:
    assert back("SJ DQ CK C9", "C9", "4", return_gift=True) == "C9"
    assert back("S7 H7 D3 SA", "SA", "7", return_level_card=True) == "D3 S7"
    assert back("SJ H7 DK SA", "SA", "7", return_fallback="any") == "SJ DK H7"
    assert back("D3 HJ SA X", "SA", "7", return_rule="any") == "D3 HJ X"
    assert back("D3 HJ SA H7", "SA", "7", return_rule="any") == "D3 HJ H7"
    assert back("D3 HJ SA X", "X", "7", return_rule="le10_to_partner", to_partner=False) == (
        "D3 HJ SA"
    )
    assert back("D3 HJ SA X", "X", "7", return_rule="le10_to_partner", to_partner=True) == "D3"
    assert back("D3 HJ SA", "SA", "7", return_rule="any", return_gift=True) == "D3 HJ SA"


def test_nothing_to_return() -> None:
    """No whole hand is like that; a case of somebody's may be."""
    with pytest.raises(InvariantBroken):
        back("C9", "C9", "4")


def test_exchanges_happen_all_at_once() -> None:
    hands = hands_in("1: S3; 2: SA; 3: D4; 4: DA")
    after = exchanged(hands, gifts("2→1 SA,4→3 DA"))
    assert {seat: cards_text(cards) for seat, cards in after.items()} == {
        1: "S3 SA",
        2: "",
        3: "D4 DA",
        4: "",
    }
    assert exchanged(after, gifts("1→2 SA,3→4 DA")) == hands
