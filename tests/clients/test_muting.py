"""Whose phrases are not heard."""

from attrs import evolve

from guandan_cli.muting import Muted, speakers
from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Phrase
from tests.clients.parlour import Evening, Parlour
from tests.clients.scenes import LI, SEATS_TAKEN, ZH, scene
from tests.clients.tui.lounge import seated
from tests.clients.tui.screens import pair_of_nines

HELLO = m.Said(Seat(3), Phrase.HELLO)
HEARD = "3 李明: “Hello everybody!”"


def test_only_other_people_say_something() -> None:
    assert list(speakers(scene(pair_of_nines()))) == [3]
    assert list(speakers(scene(pair_of_nines(), seat=None))) == [1, 3]


def test_whoever_sits_there_later_is_heard() -> None:
    before = scene(pair_of_nines())
    muted = Muted().toggled(Seat(3), before)
    assert muted.has(Seat(3), before)
    bo = (*SEATS_TAKEN[:2], evolve(LI, name="Bo"), SEATS_TAKEN[3])
    assert not muted.has(Seat(3), scene(pair_of_nines(), seats=bo))
    assert not muted.toggled(Seat(3), before).has(Seat(3), before)


async def test_a_line_mutes_a_seat_and_another_one_lets_it_speak() -> None:
    async with Evening(Parlour(pair_of_nines().match)) as evening:

        async def heard() -> list[str]:
            evening.parlour.console.taken()
            evening.parlour.tell(HELLO)
            await evening.quiet()
            return evening.parlour.console.taken()

        assert await heard() == [HEARD]
        assert await evening.type("mute 3") == ["3 李明: phrases are not shown any more."]
        assert await heard() == []
        assert await evening.type("mute 3 on") == ["3 李明: phrases are not shown any more."]
        assert await evening.type("mute 3 off") == ["3 李明: phrases are shown."]
        assert await heard() == [HEARD]


async def test_a_seat_that_says_nothing_cannot_be_muted() -> None:
    async with Evening(Parlour(pair_of_nines().match), ZH) as evening:
        assert await evening.type("mute 2") == ["2号位没有会说话的人。"]
        assert await evening.type("静音 1") == ["1号位没有会说话的人。"]
        assert await evening.type("静音") == ["哪个座位？1到4，例如：mute 3"]
        assert await evening.type("静音 3") == ["3号李明：不再显示快捷语。"]


async def test_the_menu_of_the_full_screen_mutes_a_seat() -> None:
    async with seated(Parlour(pair_of_nines().match)) as lounge:
        lounge.parlour.tell(HELLO)
        await lounge.quiet()
        assert '"Hello everybody!"' in lounge.text()
        await lounge.press("m", "s")
        assert "Phrases of 3 李明: on" in lounge.text()
        await lounge.press("3")
        assert "Hello everybody!" not in "\n".join(lounge.screen()[:15]), "nor what stands there"
        before = lounge.seen.log
        lounge.parlour.tell(HELLO)
        await lounge.quiet()
        assert lounge.seen.log == before
        await lounge.press("m", "s", "3")
        lounge.parlour.tell(HELLO)
        await lounge.quiet()
        assert '"Hello everybody!"' in lounge.text()
        await lounge.press("m", "s")
        assert "Phrases of 3 李明: on" in lounge.text()
