"""Golden screens of the full-screen table: scenes at two sizes in two languages.

`python -m tests.clients.tui.screens` writes them anew (so does a run of the tests with
GUANDAN_GOLDEN=write); then look at the difference, as a player would.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from guandan_cli.frames import Frame
from guandan_cli.replay import frames
from guandan_cli.tui.playback import PlaybackApp
from guandan_cli.words import Words
from guandan_engine.record import read
from guandan_engine.seats import Seat
from guandan_protocol.client import Lost
from guandan_protocol.messages import Code, Control, Proposal, Settings, Stage, Visibility
from tests.clients.judgements import Answer, costly_lead, decision, hands, no, reviewed
from tests.clients.parlour import Parlour
from tests.clients.scenes import ANN, EN, FREE, LI, SEATS_TAKEN, ZH, bot
from tests.clients.screens import OWN
from tests.clients.tui.lounge import LARGE, NARROW, SMALL, Lounge, seated, text_of
from tests.engine.table import Table

FOLDER: Final = Path(__file__).parent / "golden"
RECORD: Final = Path(__file__).parents[2] / "engine/golden/record-v1.txt"
LANGUAGES: Final[Mapping[str, Words]] = {"en": EN, "zh": ZH}
SIZES: Final = {"80x24": SMALL, "120x36": LARGE, "60x20": NARROW}


@frozen
class Shot:
    """A scene, and what is pressed before it is looked at."""

    title: str
    table: Table | None
    keys: tuple[str, ...] = ()
    seat: int | None = 1
    room: Mapping[str, Any] = {}
    reviews: tuple[Answer, ...] = ()
    """What comes to who asks for a review."""


def pair_of_nines() -> Table:
    return (
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


def over(level: str = "K", **options: Any) -> Table:
    table = Table.deal("1: SA", "2: S3 D3", "3: S4", "4: C4 H4 …", level=level, **options)
    return table.play(1, "SA").pass_(2).pass_(3).pass_(4).play(3, "S4")


def shots() -> list[Shot]:
    lead = Table.deal(OWN, level="7", levels={"13": "7", "24": "5"})
    out = Table.deal("1: SA", "2: S3 D3", "3: S4 D4 …", "4: C4 H4 …", level="2").play(1, "SA")
    paying = Table.deal(
        "4: S7 C7 …", level="7", levels={"13": "7", "24": "5"}, finish=[1, 2, 3, 4],
        tribute_pick="payer",
    )  # fmt: skip
    returning = Table.deal("1: S3 D8 CJ …", "4: SA DK …", level="4", finish=[1, 2, 3, 4])
    resisted = Table.deal("1: S3 …", "4: Y Y SA …", level="4", finish=[1, 2, 3, 4])
    wild = Table.deal("1: H7 S9 S8 S6 S5 …", "2: S3 …", level="7")
    guest: Mapping[str, Any] = {
        "stage": Stage.LOBBY,
        "seats": (ANN, bot("Orchid", "random"), LI, FREE),
        "swaps": ((Seat(1), Seat(3)),),
        "preset": "house",
        "settings": Settings(visibility=Visibility.PUBLIC, clock_s=30, pace_ms=500),
        "watchers": 2,
    }
    autopilot = (evolve(ANN, control=Control.AUTOPILOT, pace_ms=500), *SEATS_TAKEN[1:])
    return [
        Shot("the lobby", None, room={"seats": (ANN, FREE, FREE, FREE)}),
        Shot("the lobby as a guest sees it", None, seat=3, room=guest),
        Shot("what can be done about a seat", None, ("2",)),
        Shot("rules and settings", None, ("r",)),
        Shot("we lead", lead),
        Shot(
            "a pair is taken, with a clock", pair_of_nines(), ("k", "k"), room={"clock_ms": 17_400}
        ),
        Shot("a hint", pair_of_nines(), ("h", "h")),
        Shot("sorted by suit", lead, ("s",)),
        Shot("sorted by combos", lead, ("s", "s")),
        Shot("cards that can be several things", wild, ("8", "9", "w", "6", "5")),
        Shot("the card counter", pair_of_nines(), ("c",)),
        Shot("phrases", pair_of_nines(), ("/",)),
        Shot("help", pair_of_nines(), ("?",)),
        Shot("autopilot is on", pair_of_nines(), room={"seats": autopilot}),
        Shot("as a watcher sees it", pair_of_nines(), seat=None),
        Shot("we are out", out),
        Shot("we owe a tribute", paying, seat=4),
        Shot("we return a card", returning),
        Shot("tribute is resisted", resisted),
        Shot("a hand is over", over(), room={"deal_ms": 9_000}),
        Shot("the match is won", over("A"), room={"stage": Stage.MATCH_OVER}),
        Shot(
            "a rematch is proposed",
            over("A"),
            room={"stage": Stage.MATCH_OVER, "proposal": Proposal.REMATCH},
        ),
        Shot(
            "our play is gone through",
            over("A"),
            ("v",),
            room={"stage": Stage.MATCH_OVER},
            reviews=(reviewed(decision(300)), no(Code.BUSY, 3_600_000)),
        ),
        Shot(
            "what our play was worth",
            over("A"),
            ("v",),
            room={"stage": Stage.MATCH_OVER},
            reviews=(
                reviewed(decision(300)),
                reviewed(costly_lead(1240), decision(-400)),
                reviewed(),
            ),
        ),
        Shot("the table is paused", lead, room={"stage": Stage.PAUSED}),
    ]


def parlour_of(shot: Shot) -> Parlour:
    match = None if shot.table is None else shot.table.match
    seat = None if shot.seat is None else Seat(shot.seat)
    parlour = Parlour(match, seat=seat, **shot.room)
    parlour.others_act = False
    parlour.reviews = list(shot.reviews)
    parlour.record = hands("2", "5", "A") if shot.reviews else ()
    return parlour


async def taken(words: Words, size: tuple[int, int]) -> AsyncIterator[tuple[str, list[str]]]:
    """Every screen with its title."""
    first = parlour_of(shots()[0])
    async with seated(first, size=size, words=words) as lounge:
        for shot in shots():
            await lounge.attend(parlour_of(shot))
            await lounge.quiet()
            for key in shot.keys:
                lounge.app.press(key)
                await lounge.quiet()
            yield shot.title, lounge.screen()
        await lounge.attend(Parlour(pair_of_nines().match))
        await lost(lounge)
        yield "the link is lost", lounge.screen()
    app = PlaybackApp(played(words), words)
    async with app.run_test(size=size) as pilot:
        await pilot.press("right", "right", "right")
        await pilot.pause()
        yield "a replay, all hands open", text_of(app)
        await pilot.press("pagedown", "2")
        await pilot.pause()
        yield "a replay with the eyes of a seat", text_of(app)


async def lost(lounge: Lounge) -> None:
    lounge.parlour.tell(Lost("gone", 3000))
    await lounge.quiet()


def played(words: Words) -> list[Frame]:
    return list(frames(read(RECORD.read_text(encoding="utf-8")), words))


async def written(language: str, size: str) -> str:
    """All screens of a language and a size."""
    lines = ["# source: tests.clients.tui.screens", ""]
    async for title, screen in taken(LANGUAGES[language], SIZES[size]):
        lines += [f"## {title}", "", *screen, ""]
    return "\n".join(lines)


def file_of(language: str, size: str) -> Path:
    return FOLDER / f"{size}-{language}.txt"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for language in LANGUAGES:
        for size in SIZES:
            text = asyncio.run(written(language, size))
            file_of(language, size).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
