"""The replay: records are read, looked at move by move, and their shuffles checked in the page."""

from __future__ import annotations

import hashlib
import random
import re
from typing import Any

import pytest
from playwright.async_api import FilePayload, Page, expect

from guandan_engine import shuffle
from guandan_engine.cards import Cards
from guandan_engine.commands import StartHand, TimeOut
from guandan_engine.events import HandEnded
from guandan_engine.notation import cards_text, rank_text
from guandan_engine.options import PRESETS, options_of
from guandan_engine.record import read, replay
from guandan_protocol.bounds import RECORD_PAGE_CHARS_MAX
from guandan_protocol.messages import Stage, Start
from guandan_server.node import Node
from tests.e2e.players import party
from tests.engine.test_shuffle import GOLDEN
from tests.web.modules import NAMES, call, record_text
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size, serious

TEXT = record_text("house")
SMALL = Size("small", 320, 640)


async def opened(pages: Pages, text: str = TEXT, **options: Any) -> Page:
    """A page with a record file open."""
    page = await pages.open("/replay", **options)
    await choose(page, text)
    await expect(page.locator(".replay-table")).to_be_visible()
    return page


async def choose(page: Page, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    file = FilePayload(name="match.txt", mimeType="text/plain", buffer=data)
    await page.set_input_files("input[type=file]", file)


async def said(page: Page) -> str:
    return await page.locator(".replay-words").inner_text()


# The shuffle, recomputed.


async def test_sha256_is_that_of_everybody_else(pages: Pages) -> None:
    page = await pages.open()
    chance = random.Random(1)
    told = [b"", b"abc", *[chance.randbytes(n) for n in (1, 54, 55, 56, 63, 64, 65, 119, 120, 999)]]
    found = await call(
        page,
        "sha256.js",
        "given[0].map(one => [...m.sha256(Uint8Array.from(one))])",
        [list(one) for one in told],
    )
    assert [bytes(one) for one in found] == [hashlib.sha256(one).digest() for one in told]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden[2][:6])
async def test_a_deal_is_that_of_the_engine(pages: Pages, golden: tuple[Any, ...]) -> None:
    seed, nonces, digest, first, *_ = golden
    page = await pages.open()
    given = [list(seed), [list(one) for one in nonces]]
    bytes_of = "[Uint8Array.from(given[0]), given[1].map(one => Uint8Array.from(one))]"
    pack = await call(page, "shuffle.js", f"m.shuffled(m.handKey(...{bytes_of}))", *given)
    assert hashlib.sha256(" ".join(pack).encode()).hexdigest() == digest
    hands = await call(page, "shuffle.js", f"m.deal(...{bytes_of})", *given)
    assert sorted(hands[0]) == sorted(first.split())
    whole = shuffle.deal(shuffle.hand_key(seed, nonces))
    assert [sorted(hand) for hand in hands] == [sorted(cards_text(one).split()) for one in whole]


# Records, read.


@pytest.mark.parametrize("preset", PRESETS)
async def test_the_page_reads_of_a_record_what_the_engine_knows(pages: Pages, preset: str) -> None:
    text = record_text(preset)
    record = read(text)
    steps = list(replay(record))
    page = await pages.open()
    found = await call(page, "record.js", "m.parseRecord(given[0])", text)
    assert found["preset"] == preset
    assert found["options"] == options_of(record.rules)
    assert found["names"] == list(NAMES)
    starts = [one for one in record.commands if isinstance(one, StartHand)]
    assert len(found["hands"]) == len(starts)
    assert sum(len(one["steps"]) for one in found["hands"]) == len(record.commands)
    clocks = [step["isClock"] for hand in found["hands"] for step in hand["steps"]]
    assert clocks == [isinstance(one, TimeOut) for one in record.commands]
    assert any(clocks)

    told = await call(page, "record.js", "m.summaries(m.parseRecord(given[0]))", text)
    ended = [
        event.outcome for _, events in steps for event in events if isinstance(event, HandEnded)
    ]
    assert [one["finish"] for one in told] == [list(one.finish) for one in ended]
    assert [one["gain"] for one in told] == [one.gain for one in ended]
    assert [one["levels"] for one in told] == [
        {team.value: rank_text(level) for team, level in one.after.levels.items()} for one in ended
    ]
    assert [one["match_won"] for one in told] == [one.match_won for one in ended]


@pytest.mark.parametrize("preset", PRESETS)
async def test_at_every_moment_the_seats_hold_what_they_hold(pages: Pages, preset: str) -> None:
    text = record_text(preset, seed=11, hands_max=6)
    page = await pages.open()
    read_there = await call(page, "record.js", "m.parseRecord(given[0])", text)
    frames = await call(page, "frames.js", "m.framesOf(given[0]).map(one => one.hands)", read_there)
    states = [match for match, _ in replay(read(text))]
    assert len(frames) == len(states)
    for frame, match in zip(frames, states, strict=True):
        assert [sorted(hand) for hand in frame] == [
            sorted(cards_text(hand).split()) if hand != Cards.of([]) else [] for hand in match.hands
        ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "This file is not a record of Guandan."),
        ("hello", "This file is not a record of Guandan."),
        (b"\xff\xfe\x00", "This file is not a record of Guandan."),
        (TEXT.replace("guandan-record 1", "guandan-record 2"), "a newer version"),
        (re.sub(r"# did: .*\n", "", TEXT), "an older kind"),
        (TEXT.replace(" = single-", " = ", 1).replace("\n1 ", "\n1 Q9 ", 1), "Line "),
        (
            re.sub(r"\n(\d) (\w\w) = single", r"\n\1 \2 \2 \2 = single", TEXT, count=1),
            "do not hold",
        ),
        ("\n".join(TEXT.splitlines()[:18]), "There is no hand in this record."),
    ],
)
async def test_what_is_no_record_is_told(pages: Pages, text: str | bytes, says: str) -> None:
    page = await pages.open("/replay")
    await choose(page, text)
    await expect(page.get_by_role("alert")).to_contain_text(says)


# What the server has.

_SERVE = """
    const build = document.documentElement.dataset.build;
    const { Link } = await import(`/a/${build}/wire.js`);
    const { go } = await import(`/a/${build}/route.js`);
    const answer = new Promise((done) => (window.serve = done));
    Link.prototype.ask = async () => ({ t: "record_page", pages: 1, text: await answer });
    go("/replay/K7QX2M-1");
"""
_DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector("main").dispatchEvent(event);
}"""


async def served(pages: Pages) -> Page:
    """A page that waits for the record of a match: `serve(text)` in it is the server's answer."""
    page = await pages.open("/")
    await page.evaluate(f"async () => {{ {_SERVE} }}")
    await expect(page.locator("main.replay").get_by_role("status")).to_be_visible()
    return page


async def test_a_record_of_the_server_that_cannot_be_read_is_told(pages: Pages) -> None:
    page = await served(pages)
    await page.evaluate("(text) => serve(text)", re.sub(r"# did: .*\n", "", TEXT))
    await expect(page.get_by_role("alert")).to_contain_text("an older kind")
    await expect(page.locator("main.replay").get_by_role("status")).to_have_count(0)


async def test_a_late_answer_does_not_put_away_the_file_that_was_opened_meanwhile(
    pages: Pages,
) -> None:
    page = await served(pages)
    await page.evaluate(_DROP, ["mine.txt", TEXT])
    await expect(page.locator("h1")).to_contain_text("mine.txt")
    await page.evaluate("(text) => serve(text)", record_text("site"))
    # A whole turn of the page's own doings later it would have been drawn.
    await page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    )
    await expect(page.locator("h1")).to_contain_text("mine.txt")


# Looking at it.


async def test_a_shorter_file_of_the_same_name_is_shown_from_its_beginning(pages: Pages) -> None:
    page = await opened(pages)
    await page.keyboard.press("End")
    await choose(page, record_text("house", 11, hands_max=1))
    await expect(page.locator(".replay-facts")).to_contain_text("Hand 1 of 1")
    assert "the cards are dealt" in await said(page)


async def test_a_table_that_scrolls_has_the_keys_to_itself(pages: Pages) -> None:
    page = await opened(pages)
    before = await said(page)
    await page.locator(".scroll-x").last.focus()
    for key in ("ArrowRight", "ArrowDown", "End", "PageDown"):
        await page.keyboard.press(key)
    assert await said(page) == before
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("ArrowRight")
    assert await said(page) != before


async def test_step_by_step_there_and_back(pages: Pages) -> None:
    page = await opened(pages)
    assert "the cards are dealt" in await said(page)
    await page.get_by_role("button", name="One step on").click()
    first = await said(page)
    assert re.match(r"Ann: \S", first)
    await expect(page.locator('[data-seat="1"]')).to_contain_text("left")
    await page.get_by_role("button", name="One step on").click()
    assert await said(page) != first
    await page.get_by_role("button", name="One step back").click()
    assert await said(page) == first


async def test_the_keys_go_by_steps_tricks_and_hands(pages: Pages) -> None:
    page = await opened(pages)
    head = page.locator(".replay-facts")
    await expect(head).to_contain_text("Hand 1 of")
    await page.keyboard.press("ArrowRight")
    first = await said(page)
    await page.keyboard.press("ArrowDown")
    second_trick = await said(page)
    assert second_trick != first
    await page.keyboard.press("ArrowUp")
    assert await said(page) == first
    await page.keyboard.press("PageDown")
    await expect(head).to_contain_text("Hand 2 of")
    assert "the cards are dealt" in await said(page)
    await page.keyboard.press("PageUp")
    await expect(head).to_contain_text("Hand 1 of")
    await page.keyboard.press("End")
    assert "win the match." in await said(page)
    await expect(page.locator(".rp-place-1")).to_have_text("First")
    await page.keyboard.press("Home")
    assert "Hand 1," in await said(page)


async def test_it_plays_by_itself_at_several_speeds(pages: Pages) -> None:
    page = await opened(pages)
    await page.get_by_role("button", name="Speed").click()
    await page.get_by_role("button", name="Speed").click()
    await expect(page.get_by_role("button", name="Speed")).to_have_text("4×")
    # A button that has the focus takes the space bar for itself.
    await page.locator(".replay-table").click()
    await page.keyboard.press("Space")
    await page.wait_for_function("() => Number(document.querySelector('.rp-scrub').value) >= 3")
    await page.get_by_role("button", name="Pause").click()
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


async def test_all_hands_are_open_or_one_seats_only(pages: Pages) -> None:
    page = await opened(pages)
    await expect(page.locator(".rp-hand .card.back")).to_have_count(0)
    await expect(page.locator(".rp-hand .card")).to_have_count(108)
    await page.get_by_role("group", name="Whose cards are open").get_by_text("李雷").click()
    await expect(page.locator(".rp-hand .card.back")).to_have_count(81)
    await expect(page.locator('[data-seat="3"] .card.back')).to_have_count(0)
    mine, other = [await page.locator(f'[data-seat="{seat}"]').bounding_box() for seat in (3, 1)]
    assert mine is not None
    assert other is not None
    assert mine["y"] > other["y"]


async def test_tribute_and_levels_are_told(pages: Pages) -> None:
    page = await opened(pages)
    await page.get_by_label("Hand", exact=True).select_option(index=2)
    await page.locator(".replay-table").click()  # whose keys are then the page's again
    words = ""
    for _ in range(5):
        await page.keyboard.press("ArrowRight")
        words += await said(page)
    assert re.search(r" gives .* to |No tribute", words)
    await page.keyboard.press("PageDown")
    await page.keyboard.press("ArrowLeft")
    assert re.search(
        r"The hand is over\.\s+First and \w+: .* rise \d, from \w+ to \w+\.", await said(page)
    )


async def test_any_move_of_the_list_leads_to_its_moment(pages: Pages) -> None:
    page = await opened(pages)
    await page.get_by_text("Moves of this hand").click()
    moves = page.locator(".rp-move")
    await moves.nth(7).click()
    await expect(moves.nth(7)).to_have_attribute("aria-current", "step")
    assert (await moves.nth(7).inner_text()).split(":")[0] in await said(page)


async def test_the_chart_has_a_table_beside_it(pages: Pages) -> None:
    page = await opened(pages)
    chart = page.get_by_role("img", name=re.compile("Levels after each of"))
    hands = TEXT.count("\nhand ")
    assert f"each of {hands} hands" in str(await chart.get_attribute("aria-label"))
    await expect(page.locator(".hand-table").last.locator("tbody tr")).to_have_count(hands)


async def test_a_fair_shuffle_is_verified_with_reasons(pages: Pages) -> None:
    page = await opened(pages)
    check = page.locator(".rp-check")
    await expect(check).to_have_attribute("data-verified", "true")
    await check.locator("summary").click()
    await expect(check.get_by_text("fits")).to_have_count(2 * TEXT.count("\nhand "))
    await expect(check.locator("ol li")).to_have_count(4)


def swapped(text: str) -> str:
    """The record with the first cards of two seats' first deals exchanged."""
    one, two = [re.search(rf"^deal {seat} (\S+)", text, re.MULTILINE) for seat in (1, 2)]
    assert one is not None
    assert two is not None
    assert one[1] != two[1]
    text = text.replace(one[0], f"deal 1 {two[1]}", 1)
    return text.replace(two[0], f"deal 2 {one[1]}", 1)


def forged(pattern: str, by: str) -> str:
    """The record's first deal, with something in it replaced; what was played is left out."""
    begun = TEXT[: TEXT.index("\n", TEXT.index("\ndeal 4") + 1)]
    told = re.sub(pattern, by, begun, count=1, flags=re.MULTILINE)
    assert told != begun
    return told + "\n"


@pytest.mark.parametrize(
    ("pattern", "by"),
    [
        (r"^seed ..", "seed 00"),
        (r"^commitment ..", "commitment 00"),
        (r"^nonce (\d) ..", r"nonce \1 00"),
        (r"^deal 1 (\S+)(.*)\ndeal 2 (\S+)", r"deal 1 \3\2\ndeal 2 \1"),
    ],
    ids=["seed", "commitment", "nonce", "deal"],
)
async def test_a_forged_deal_is_found(pages: Pages, pattern: str, by: str) -> None:
    page = await opened(pages, forged(pattern, by))
    await expect(page.locator(".rp-check")).to_have_attribute("data-verified", "false")
    await expect(page.locator(".rp-check")).to_contain_text("In hand 1 something does not fit.")


async def test_the_record_can_be_saved_as_it_came(pages: Pages) -> None:
    page = await opened(pages, accept_downloads=True)
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Save the record").click()
    download = await waiting.value
    assert download.suggested_filename == "match.txt"
    assert (await download.path()).read_text("utf-8") == TEXT


async def test_a_match_of_this_server_by_its_link(pages: Pages, node: Node) -> None:
    """Played to the end by four people, fetched in pages, shared with the moment that is shown."""
    async with party(f"ws://127.0.0.1:{node.port}/ws", seed=3, preset="tournament") as people:
        await people.host.do(Start(0))
        await people.play(until=lambda c: c.view is not None and c.view.stage is Stage.MATCH_OVER)
        code, hands = people.host.client.room, len(people.host.client.record)
    page = await pages.open(
        f"/replay/{code}-1#2-4", permissions=["clipboard-read", "clipboard-write"]
    )
    await expect(page.locator(".replay-facts")).to_contain_text(f"Hand 2 of {hands}")
    await expect(page.locator(".rp-scrub")).to_have_value("3")
    await expect(page.locator(".rp-check")).to_have_attribute("data-verified", "true")
    await page.keyboard.press("ArrowRight")
    await page.get_by_role("button", name="Copy link to this moment").click()
    link = await page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/replay/{code}-1#2-5")
    # It is more than one page of the protocol.
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="Save the record").click()
    text = (await (await waiting.value).path()).read_text("utf-8")
    assert len(text) > RECORD_PAGE_CHARS_MAX / 2
    assert len(read(text).openings) == hands


async def test_a_match_that_is_not_there(pages: Pages) -> None:
    page = await pages.open("/replay/ZZZZZZ-1")
    await expect(page.get_by_role("alert")).to_be_visible()
    await expect(page.get_by_text("Choose a file")).to_be_visible()


async def test_a_server_that_does_not_answer(pages: Pages) -> None:
    page = await pages.open("/")
    await page.route_web_socket("**/ws", lambda ws: ws.close())
    await page.goto("/replay/ZZZZZZ-1")
    await expect(page.get_by_role("alert")).to_have_text("The server could not be reached.")


async def test_a_file_that_is_dropped(pages: Pages) -> None:
    page = await pages.open("/replay")
    data = await page.evaluate_handle(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.txt", { type: "text/plain" }));
            return data;
        }""",
        TEXT,
    )
    await page.dispatch_event(".replay", "drop", {"dataTransfer": data})
    await expect(page.get_by_role("heading", level=1)).to_contain_text("dropped.txt")
    await expect(page.locator(".replay-table")).to_be_visible()


@pytest.mark.parametrize("size", [SMALL, PHONE, LANDSCAPE, DESKTOP], ids=lambda size: size.name)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_it_fits_and_can_be_used_by_everybody(pages: Pages, size: Size, locale: str) -> None:
    page = await opened(pages, size=size, locale=locale)
    for _ in range(9):
        await page.keyboard.press("ArrowRight")
    await pages.shot(page, f"replay-{size.name}-{locale}")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await serious(page) == []


LONG = "Ottoottoottoottoottootto"


async def test_a_name_that_is_one_long_word_stays_within_its_button(pages: Pages) -> None:
    page = await opened(pages, TEXT.replace("Ann", LONG), size=Size("short", 320, 568))
    chip = page.locator(".replay-more .chip", has_text=LONG)
    await chip.scroll_into_view_if_needed()
    assert await chip.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
