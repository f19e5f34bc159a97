"""Which cards go, and why."""

from __future__ import annotations

from typing import Any

from guandan_bots.club.policy import STYLE
from guandan_bots.gifts import partings
from guandan_bots.reasons import HintReason
from guandan_engine.notation import card_text
from tests.bots.table import seat


def given(*args: Any, **named: Any) -> tuple[dict[str, HintReason], str]:
    """Each card and its reason, in order, and the best one."""
    found, best = partings(seat(*args, **named), STYLE)
    assert [one.damage for one in found] == sorted(one.damage for one in found)
    return {card_text(one.card): one.reason for one in found}, card_text(found[best].card)


def test_the_only_card_is_given() -> None:
    assert given("X SA S3", paying="X") == ({"X": HintReason.FORCED_GIFT}, "X")
    assert given("SJ SA", returning="SJ") == ({"SJ": HintReason.FORCED_GIFT}, "SJ")


def test_equal_cards_are_equal() -> None:
    found, best = given("SA DA C3", paying="SA DA")
    assert found == dict.fromkeys(("SA", "DA"), HintReason.EQUAL_GIFT)
    assert best == "SA"


def test_a_flush_is_kept() -> None:
    found, best = given("SA DA SK SQ SJ ST", paying="SA DA")
    assert found == {"DA": HintReason.SAVES_FLUSH, "SA": HintReason.BREAKS_BOMB}
    assert best == "DA"


def test_what_a_return_would_break_is_named() -> None:
    hand = "S3 H4 C4 D5 C5 H5 S8 H8 C8 D8 ST DJ CQ HK CA SA"
    found, best = given(hand, returning="S3 H4 D5 S8 ST", gift="4 SA")
    assert best == "S3"
    assert found == {
        "S3": HintReason.USELESS_RETURN,
        "H4": HintReason.BREAKS_TRIPLE,  # it goes under the fives
        "D5": HintReason.BREAKS_TRIPLE,
        "ST": HintReason.BREAKS_RUN,
        "S8": HintReason.BREAKS_BOMB,
    }


def test_the_partner_gets_the_highest_useless_card_and_an_opponent_the_lowest() -> None:
    hand = "S3 C6 D9 SQ HQ SA CA"
    found, best = given(hand, returning="S3 C6 D9", gift="3 SA")
    assert (set(found.values()), best) == ({HintReason.HELPS_PARTNER}, "D9")
    found, best = given(hand, returning="S3 C6 D9", gift="4 SA")
    assert (found["S3"], best) == (HintReason.USELESS_RETURN, "S3")


def test_where_anything_may_go_back_not_everything_is_weighed() -> None:
    hand = "S3 H3 C4 D4 S5 C6 D6 S7 H8 C8 D9 ST HT CJ DJ SQ CK DA X Y"
    found, best = given(hand, returning=hand, gift="4 DA")
    assert len(found) == 12
    assert best in {"S5", "S7"}


def test_strong_cards_are_named_for_what_they_are() -> None:
    hand = "S3 S5 D5 SJ HJ SA DK CK H2 X"
    found, best = given(hand, returning=hand, gift="4 SA")
    assert best == "S3"
    assert found["H2"] == HintReason.USES_WILD
    assert found["X"] == HintReason.GIVES_CONTROL
    assert found["DK"] == HintReason.BREAKS_TRIPLE


def test_nothing_is_given_when_nothing_is_asked() -> None:
    assert partings(seat("S3 D9"), STYLE) == ([], 0)
