"""What players are shown of their own play after a match, and how it is asked for."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.async_api import Locator, WebSocketRoute, expect

from guandan_engine.notation import parse_reading
from guandan_protocol import messages as m
from guandan_protocol.codec import decode_client, encode
from guandan_protocol.errors import BadMessage
from guandan_protocol.messages import Code
from guandan_web import static
from tests.clients.judgements import HANDS, Answer, costly_lead, decision, hint, no, reviewed
from tests.e2e.serving import Served
from tests.web.felt import PLAY_ON, Player
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size, serious

HASTE: Final = 30.0
MATCH_MS: Final = 240_000
"""A limit and no measure, for a match of bots and for a look back at it."""
BUTTON: Final = "Review my play"

WIN: Final = """
    const { table } = await at("table");
    await (await at("later")).fetchExtras();
    const now = table.value;
    const levels = { 13: "A", 24: "5" };
    const after = { levels, active: "A", owner: "13", misses: { 13: 0, 24: 0 } };
    const outcome = {
      finish: [1, 3, 2, 4], winner: "13", gain: 0, missed: [], fallen: [], match_won: true, after,
    };
    const hands = args.levels.map((level, i) => ({
      number: i + 1, level, owner: "13", finish: [1, 3, 2, 4], gain: 3, levels, resisted: [],
      gifts: [], returns: [], match_won: i + 1 === args.levels.length,
    }));
    table.value = {
      ...now,
      record: hands,
      view: { ...now.view, stage: "match_over" },
      public: { ...now.public, phase: "match_over", asked: [], outcome },
      private: { ...now.private, hand: [] },
    };
"""
"""While the table waits for this player, nothing else comes from the server."""

TOO_WIDE: Final = """all =>
    all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML)
"""


class Desk:
    """Answers questions for reviews in the server's place, in its own frames."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[int] = []
        self._held: list[tuple[WebSocketRoute, m.AskReview]] = []

    async def come_between(self, player: Player) -> None:
        await player.page.route_web_socket("**/ws", self._connected)
        await player.page.reload()
        await expect(player.page.locator(".hand .held")).to_have_count(27)

    def _connected(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def heard(frame: str | bytes) -> None:
            assert isinstance(frame, bytes)
            try:
                message = decode_client(frame)
            except BadMessage:
                message = None
            if not isinstance(message, m.AskReview):
                server.send(frame)
                return
            self.asked.append(message.hand)
            self._held.append((page, message))
            self.give()

        page.on_message(heard)

    def give(self, *more: Answer) -> None:
        """Answer what was asked, as far as there are answers."""
        self.answers += more
        while self._held and self.answers:
            page, message = self._held.pop(0)
            page.send(encode(self.answers.pop(0)(message)))


async def over(
    pages: Pages, desk: Desk, levels: str = "25A", *, size: Size = DESKTOP, locale: str = "en-GB"
) -> Player:
    """Somebody who has just won a match of three hands."""
    me = await Player.seated(pages, size=size, locale=locale)
    await desk.come_between(me)
    await me.my_turn()
    await me.run(WIN, levels=list(levels))
    await expect(me.page.locator(".summary.won")).to_be_visible()
    return me


async def ask(me: Player, button: str = BUTTON) -> Locator:
    await me.page.get_by_role("button", name=button).click()
    dialog = me.page.locator("dialog.review")
    await expect(dialog).to_be_visible()
    return dialog


async def test_a_match_that_was_played_is_gone_through_hand_by_hand(
    pages: Pages,
    served: Served,
) -> None:
    me = await Player.seated(pages)
    await me.run('const { act } = await at("table"); await act({ t: "set_pace", pace_ms: 300 });')
    await me.run(PLAY_ON)
    await expect(me.page.locator(".summary.won")).to_be_visible(timeout=MATCH_MS)
    dialog = await ask(me)
    await expect(dialog.locator("progress")).to_have_count(0, timeout=MATCH_MS)
    hands = await me.run("return (await at('table')).table.value.record.length;")
    said = await dialog.get_by_role("status").inner_text()
    counted = re.search(r"Decisions looked at: (\d+), in hands: (\d+)\.", said)
    assert counted is not None, said
    assert int(counted[1]) > 20
    assert int(counted[2]) == hands
    await pages.shot(me.page, "review-real")
    # The next match begins under it, and wants its player.
    await me.run("await (await at('table')).act({ t: 'propose', proposal: 'rematch' });")
    await me.when("(await at('table')).table.value.view.match === 2")
    await expect(dialog).to_have_count(0)
    # What was found can still be read.
    await me.page.get_by_label("Menu").click()
    await me.page.get_by_role("button", name=BUTTON).click()
    await expect(dialog.get_by_role("status")).to_have_text(re.sub(r"\s*\n\s*", "", said))
    await me.press("Escape")
    await expect(dialog).to_have_count(0)


async def test_what_cost_most_comes_first_and_what_is_not_sure_not_at_all(pages: Pages) -> None:
    desk = Desk()
    me = await over(pages, desk)
    dialog = await ask(me)
    state = dialog.get_by_role("status")
    await expect(state).to_have_text("Going through hand 1 of 3…")
    desk.give(reviewed(decision(300), decision(900, sure=False)))
    await expect(state).to_have_text("Going through hand 2 of 3…")
    await expect(dialog).to_contain_text("Plays to talk about so far: 1")
    assert await dialog.locator("progress").get_attribute("value") == "1"
    assert await serious(me.page) == []
    desk.give(reviewed(costly_lead(1240), decision(-500), left_out=2), reviewed())
    await expect(state).to_contain_text("Decisions looked at: 4, in hands: 3.")
    await expect(state).to_contain_text("Decisions there was no time for: 2.")
    assert desk.asked == [1, 2, 3]
    items = dialog.locator(".review-list li")
    await expect(items).to_have_count(2)
    await expect(items.first).to_contain_text("Hand 2, with 2 cards left")
    await expect(items.first).to_contain_text("Cost about 1.2 levels, give or take 0.2.")
    await expect(items.first).to_contain_text("Nothing: you led.")
    await expect(items.first).to_contain_text("Your last cards.")
    # At 5 this heart was a wild.
    await expect(items.first.locator(".card.wild")).to_have_count(1)
    await expect(items.nth(1)).to_contain_text("Hand 1, with 14 cards left")
    rows = items.nth(1).locator("dd")
    await expect(rows.nth(0)).to_have_text("Pair of 8s")
    await expect(rows.nth(1)).to_contain_text("Pair of 9s")
    await expect(rows.nth(2)).to_contain_text("Pass")
    await expect(dialog).to_contain_text("gave away about 1.9 levels, give or take 0.4")
    assert await serious(me.page) == []


async def test_a_busy_server_is_asked_again_when_it_says(pages: Pages) -> None:
    desk = Desk(no(Code.BUSY, 200), no(Code.STORAGE_UNAVAILABLE, 10), reviewed(), reviewed())
    me = await over(pages, desk)
    dialog = await ask(me)
    await expect(dialog.get_by_role("status")).to_have_text("Going through hand 3 of 3…")
    assert desk.asked == [1, 1, 1, 2, 3]
    desk.give(no(Code.BUSY, 3_600_000))
    busy = "The server has other things to do. Hand 3 of 3 is next."
    await expect(dialog.get_by_role("status")).to_have_text(busy)
    # Nobody waits who has closed it; who comes back does not wait out the hour.
    await me.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(me.page.get_by_role("button", name=BUTTON)).to_be_focused()
    desk.give(reviewed())
    await me.press("Enter")
    await expect(dialog.get_by_role("status")).to_have_text(
        "Hands looked at: 3. There was nothing for you to choose in them."
    )
    assert desk.asked == [1, 1, 1, 2, 3, 3]


async def test_who_played_well_is_told_so(pages: Pages) -> None:
    quiet = reviewed(decision(700, sure=False), decision(-900))
    me = await over(pages, Desk(quiet, quiet, quiet))
    dialog = await ask(me)
    await expect(dialog.get_by_role("status")).to_contain_text("In none of them does Expert")
    await expect(dialog.locator("li")).to_have_count(0)
    await expect(dialog).not_to_contain_text("gave away")


async def test_a_hand_that_cannot_be_reviewed_is_named_and_the_others_are_shown(
    pages: Pages,
) -> None:
    me = await over(
        pages, Desk(reviewed(decision(800)), no(Code.INTERNAL), reviewed(decision(400)))
    )
    dialog = await ask(me)
    await expect(dialog.get_by_role("status")).to_contain_text(
        "Not reviewed, because something went wrong on the server: hand 2."
    )
    await expect(dialog.locator(".review-list li")).to_have_count(2)


async def test_what_was_found_before_a_refusal_stays(pages: Pages) -> None:
    me = await over(pages, Desk(reviewed(decision(800)), no(Code.NOT_NOW)))
    dialog = await ask(me)
    state = dialog.get_by_role("status")
    await expect(state).to_contain_text("A match can only be reviewed until the next one begins.")
    await expect(state).to_contain_text("Not reviewed: hands 2 to 3.")
    await expect(dialog.locator(".review-list li")).to_have_count(1)


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_every_refusal_is_a_sentence(pages: Pages, locale: str) -> None:
    desk = Desk()
    me = await over(pages, desk, locale=locale)
    said = set()
    codes = [
        Code.BUSY, Code.FORBIDDEN, Code.NOT_SEATED, Code.NOT_NOW, Code.NO_SUCH_RECORD,
        Code.INTERNAL, Code.TOO_FAST, Code.BAD_MESSAGE,
    ]  # fmt: skip
    for code in codes:
        # The last of them goes on with the next hand.
        desk.give(no(code), *([no(code)] * (HANDS - 1) if code is Code.INTERNAL else []))
        dialog = await ask(me, BUTTON if locale == "en-GB" else "点评我的打法")
        await expect(dialog.locator("progress")).to_have_count(0)
        text = (await dialog.get_by_role("status").inner_text()).strip()
        assert text.endswith("." if locale == "en-GB" else "。"), code
        assert code.value not in text
        assert "server's words" not in text, code
        said.add(text)
        await me.press("Escape")
        await me.run("(await at('review')).review.value = null;")
    assert len(said) == len(codes)


async def test_a_proposal_is_answered_without_putting_the_review_away(pages: Pages) -> None:
    desk = Desk(reviewed(decision(800)))
    me = await over(pages, desk)
    dialog = await ask(me)
    await me.run("""
        const { table } = await at("table");
        const now = table.value;
        const seats = now.view.seats.map((one, i) => (i === 2 ? { ...one, kind: "person" } : one));
        table.value = { ...now, view: { ...now.view, seats, proposal: "rematch", consents: [3] } };
    """)
    await expect(dialog.get_by_role("alert")).to_contain_text("Another match?")
    await expect(dialog.get_by_role("button", name="Agree")).to_be_visible()
    assert await serious(me.page) == []


async def test_a_review_goes_on_after_the_connection_was_gone(pages: Pages) -> None:
    me = await over(pages, Desk(reviewed(decision(800))))
    await me.run("""
        const { Link } = await at("wire");
        const ask = Link.prototype.ask;
        Link.prototype.ask = function (query) {
          const isLost = query.t === "ask_review" && window.cut;
          return isLost ? Promise.resolve(null) : ask.call(this, query);
        };
        window.cut = true;
    """)
    dialog = await ask(me)
    state = dialog.get_by_role("status")
    await expect(state).to_have_text("No connection. It goes on with hand 1 of 3 when it is back.")
    await me.page.evaluate("window.cut = false")
    await expect(state).to_have_text("Going through hand 2 of 3…")


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=lambda size: size.name)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_all_of_it_fits(pages: Pages, size: Size, locale: str) -> None:
    long = decision(
        700,
        top=parse_reading("bomb-6-9"),
        played=hint("ST HT CT DT ST HT H5", "bomb-7-T", "uses_wild"),
        best=hint("H6 H7 H8 H9 HT", "straight_flush-T", "keeps_groups"),
    )
    desk = Desk(reviewed(decision(1240)))
    me = await over(pages, desk, size=size, locale=locale)
    await me.settled()
    await pages.shot(me.page, f"review-button-{size.name}-{locale}")
    dialog = await ask(me, BUTTON if locale == "en-GB" else "点评我的打法")
    await expect(dialog.locator("progress")).to_have_attribute("value", "1")
    await me.settled()
    await pages.shot(me.page, f"review-asking-{size.name}-{locale}")
    desk.give(reviewed(long, decision(310, top=None)), no(Code.INTERNAL))
    await expect(dialog.locator(".review-list li")).to_have_count(3)
    await me.settled()
    await pages.shot(me.page, f"review-{size.name}-{locale}")
    assert await dialog.locator("dd, p, h3").evaluate_all(TOO_WIDE) == []
    assert await dialog.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    box = await dialog.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size.width
    assert box["y"] + box["height"] <= size.height
    # With the keys alone down to its end.
    await me.press("End")
    await expect(dialog.locator("p").last).to_be_in_viewport()
    await me.settled()
    await pages.shot(me.page, f"review-end-{size.name}-{locale}")
    await me.press("Escape")
    await expect(dialog).to_have_count(0)


def test_its_words_come_when_somebody_asks() -> None:
    """They are in none of the files that a table begins with, or has soon after."""
    own = ("texts/review.js", "review_view.js")
    for entry in static().iterdir():
        if entry.name.endswith(".js") and entry.name not in own:
            text = entry.read_text(encoding="utf-8")
            assert not any(f'from "./{name}"' in text for name in own), entry.name
