"""Which suits cards have, and how they look: the keys for both."""

from __future__ import annotations

from guandan_cli.tui.hand import hand
from guandan_cli.tui.look import FAINT
from guandan_engine.notation import cards_text
from tests.clients.parlour import Parlour
from tests.clients.screens import OWN
from tests.clients.tui.lounge import Lounge, seated
from tests.clients.tui.screens import pair_of_nines
from tests.engine.table import Table


def taken(lounge: Lounge) -> str:
    return cards_text(lounge.seen.taken)


async def test_u_makes_a_straight_flush_of_five_in_a_row() -> None:
    lead = Table.deal(OWN, level="7", levels={"13": "7", "24": "5"})
    async with seated(Parlour(lead.match)) as lounge:
        await lounge.press("2", "3", "4", "5", "6")
        assert "[straight 2-6]" in lounge.text()
        await lounge.press("u")
        assert "[straight flush 2-6]" in lounge.text()
        assert taken(lounge) == "S2 S3 S4 S5 S6"


async def test_u_alone_goes_through_the_straight_flushes_of_the_hand() -> None:
    lead = Table.deal(OWN, level="7", levels={"13": "7", "24": "5"})
    async with seated(Parlour(lead.match)) as lounge:
        await lounge.press("u")
        first = taken(lounge)
        assert "straight flush" in lounge.text()
        await lounge.press("u")
        assert taken(lounge) != first
        await lounge.press("escape", "j", "q", "u")
        assert taken(lounge) != "", "with nothing taken they begin again"


async def test_u_says_what_it_cannot_do() -> None:
    async with seated(Parlour(Table.deal("1: S3 H5 C9", level="2").match)) as lounge:
        await lounge.press("u")
        assert "You hold no straight flush." in lounge.text()
        await lounge.press("9", "u")
        assert "in no other suits" in lounge.text()


def colours(lounge: Lounge) -> set[str]:
    """Of the suits in the hand."""
    width = lounge.app.size.width
    lines = hand(lounge.seen, width, 10)
    styles = {
        str(span.style) for line in lines for span in line.spans if line.plain[span.start] in "♠♥♣♦"
    }
    return {style for style in styles if style.startswith("#")}


async def test_f_changes_between_four_colours_and_two() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        assert len(colours(lounge) - {FAINT}) == 4
        await lounge.press("f")
        assert len(colours(lounge) - {FAINT}) == 2
        await lounge.press("f")
        assert len(colours(lounge) - {FAINT}) == 4


async def test_the_language_is_changed_at_the_table() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        await lounge.press("m")
        assert "中文 / English" in lounge.text()
        await lounge.press("t")
        assert "轮到你" in lounge.text()
        await lounge.press("m", "t")
        assert "YOUR TURN" in lounge.text()
