"""Writes the golden screens: `python -m tests.clients.screens`, then look at the difference.

Each is a scene of the table, in English and in Chinese: what `table`, the hand and the question
look like. `test_render` holds the renderer to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import evolve

from guandan_cli import render, sheets
from guandan_cli.scene import Scene
from guandan_cli.words import Words
from guandan_engine.options import rules
from guandan_engine.seats import Seat
from guandan_engine.state import new_match
from guandan_protocol.messages import Control, Proposal, Settings, Stage, Visibility
from tests.clients.scenes import ANN, EN, FREE, LI, SEATS_TAKEN, ZH, bot, scene
from tests.engine.table import Table

FOLDER: Final = Path(__file__).parent / "golden"
LANGUAGES: Final[Mapping[str, Words]] = {"en": EN, "zh": ZH}

OWN = "1: Y X H7 S7 C7 SA HA DA SK DK ST HT CT S9 S8 H8 D8 S6 D6 D6 S5 S4 H4 S3 C3 S2 D2"


def scenes() -> Iterator[tuple[str, Scene]]:
    nothing = new_match(rules())
    yield (
        "the lobby of a new table",
        scene(nothing, stage=Stage.LOBBY, seats=(ANN, FREE, FREE, FREE)),
    )
    filling = scene(
        nothing,
        seat=3,
        stage=Stage.LOBBY,
        seats=(ANN, bot("Orchid", "random"), LI, FREE),
        swaps=((Seat(1), Seat(3)),),
        preset="house",
        settings=Settings(visibility=Visibility.PUBLIC, clock_s=30, pace_ms=500),
        watchers=2,
    )
    yield "the lobby as the guest sees it", filling
    lead = Table.deal(OWN, level="7", levels={"13": "7", "24": "5"})
    yield "we lead at our own level", scene(lead)
    following = (
        Table.deal(
            OWN, "2: H9 C9 H3 …", "4: SJ …", level="7", levels={"13": "7", "24": "5"}, leader=4
        )
        .play(4, "SJ")
        .play(1, "SA")
        .pass_(2, 3, 4)
        .play(1, "S6 D6")
        .play(2, "H9 C9")
        .pass_(3, 4)
    )
    yield "we follow a pair, with a clock", scene(following, clock_ms=17_400)
    yield "the same as our partner sees it", scene(following, seat=3)
    yield "the same as a watcher sees it", scene(following, seat=None)
    absent = (evolve(ANN, control=Control.AUTOPILOT), SEATS_TAKEN[1])
    away = evolve(LI, online=False, control=Control.STAND_IN)
    yield "bots play for people", scene(following, seats=(*absent, away, SEATS_TAKEN[3]))
    out = Table.deal("1: SA", "2: S3 D3", "3: S4 D4 …", "4: C4 H4 …", level="2").play(1, "SA")
    yield "somebody is out", scene(out, seat=3)
    hidden = Table.deal(OWN, level="7", show_counts="le10")
    yield "counts are hidden", scene(hidden)
    paying = Table.deal(
        "4: S7 C7 …", level="7", levels={"13": "7", "24": "5"}, finish=[1, 2, 3, 4],
        tribute_pick="payer",
    )  # fmt: skip
    yield "we owe a tribute", scene(paying, seat=4)
    returning = Table.deal("1: S3 D8 CJ …", "4: SA DK …", level="4", finish=[1, 2, 3, 4])
    yield "we return a card", scene(returning)
    yield "we wait for the return", scene(returning, seat=4)
    over = Table.deal("1: SA", "2: S3 D3", "3: S4", "4: C4 H4 …", level="K")
    over.play(1, "SA").pass_(2).pass_(3).pass_(4).play(3, "S4")
    yield "the hand is over", scene(over)
    yield "the match is paused", scene(over, stage=Stage.PAUSED)
    won = Table.deal("1: SA", "2: S3 D3", "3: S4", "4: C4 H4 …", level="A")
    won.play(1, "SA").pass_(2).pass_(3).pass_(4).play(3, "S4")
    yield "the match is won", scene(won, stage=Stage.MATCH_OVER, proposal=Proposal.REMATCH)
    agreed = scene(won, stage=Stage.MATCH_OVER, proposal=Proposal.NEW_GAME, consents=(Seat(1),))
    yield "somebody has not agreed yet", agreed


def screen(seen: Scene, words: Words) -> list[str]:
    """All that is said when something is wanted."""
    return [
        *render.table(seen, words),
        *sheets.tallies(seen, words),
        *render.hand(seen, words),
        *render.ask(seen, words),
    ]


def written(words: Words) -> str:
    """All scenes in one language."""
    lines = ["# source: tests.clients.screens", ""]
    for title, seen in scenes():
        lines += [f"## {title}", "", *screen(seen, words), ""]
    return "\n".join(lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for language, words in LANGUAGES.items():
        (FOLDER / f"screens-{language}.txt").write_text(written(words), encoding="utf-8")


if __name__ == "__main__":
    main()
