"""A decision of a review in words."""

from __future__ import annotations

from typing import Any

import pytest

from guandan_cli.judged import Judged, figures, judged_text, own_text
from guandan_engine.notation import parse_reading
from tests.clients.scenes import EN, ZH


def judged(**changes: Any) -> Judged:
    values: dict[str, Any] = {
        "hand": 3,
        "left": 14,
        "top": parse_reading("pair-8"),
        "done": own_text("pair of 9s", EN),
        "best": None,
        "gain": 0.8,
        "error": 0.2,
        "worlds": 350,
        "sure": True,
        "outdone": False,
        "reason": "partner_winning",
        "cost": "breaks_bomb",
    }
    return Judged(**(values | changes))


def test_a_sure_loss_says_what_speaks_for_the_other_play() -> None:
    assert judged_text(judged(), EN) == (
        "hand 3, 14 left, on pair of 8s, your pair of 9s: expert passes; worth about 0.8 ± 0.2 "
        "levels (350 worlds); your partner's play may win the trick"
    )


def test_where_nothing_speaks_for_it_what_speaks_against_ours_is_said() -> None:
    text = judged_text(judged(reason=None), EN)
    assert "(350 worlds); what was played: " in text


@pytest.mark.parametrize(
    ("changes", "worth"),
    [
        ({"sure": False}, "nothing certain, 0.8 ± 0.2 levels"),
        ({"sure": False, "gain": -0.1}, "nothing certain, -0.1 ± 0.2 levels"),
        (
            {"sure": False, "outdone": True, "gain": -0.8},
            "which does worse by about 0.8 ± 0.2 levels",
        ),
    ],
)
def test_what_is_not_sure_says_so_and_gives_no_reasons(changes: dict[str, Any], worth: str) -> None:
    text = judged_text(judged(**changes), EN)
    assert text.endswith(f"; {worth} (350 worlds)")


def test_a_lead_and_a_play_in_chinese() -> None:
    text = judged_text(judged(top=None, best="♥5", done=own_text(None, ZH), reason=None), ZH)
    assert text.startswith("第3局，剩14张，首出，你不出：高手出♥5；约值 0.8 ± 0.2 级")


def test_figures_have_the_digits_that_their_error_leaves_a_meaning() -> None:
    assert figures(0.834, 0.21) == {"gain": "0.8", "error": "0.2"}
    assert figures(0.834, 0.031) == {"gain": "0.83", "error": "0.03"}
    assert figures(-0.04, 0.2) == {"gain": "0.0", "error": "0.2"}
