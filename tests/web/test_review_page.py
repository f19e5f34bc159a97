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
from tests.web.modules import record_text
from tests.web.pages import DESKTOP, LANDSCAPE, PHONE, Pages, Size, serious

HASTE: Final = 30.0
MATCH_MS: Final = 240_000
"""A limit and no measure, for a match of bots and for a look back at it."""
BUTTON: Final = "Review my play"
SHORT: Final = Size("short", 320, 568)

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


SHOW: Final = """
    const { Link } = await at("wire");
    const ask = Link.prototype.ask;
    const page = { t: "record_page", id: 0, match: 1, page: 0, pages: 1, text: args.record };
    Link.prototype.ask = function (query) {
      return query.t === "fetch_record" ? Promise.resolve(page) : ask.call(this, query);
    };
    const { moment, pathOf } = await at("moment");
    const [played, best] = [["bomb", "T", 4], ["straight_flush", "T", 5]];
    const decision = { command: 9, hand: 1, played: { reading: played }, best: { reading: best } };
    moment.value = { code: args.code, match: 1, seat: 3, decision };
    (await at("route")).go(pathOf(moment.value));
"""
"""The replay of a decision, in a record of the test's own."""


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
    counted = re.match(r"(\d+) of (\d+) decisions as Expert, the strongest bot, would play", said)
    assert counted is not None, said
    assert int(counted[2]) > 20
    # The autopilot that played knows much of what the strongest bot knows, and not all of it.
    assert int(counted[2]) / 3 < int(counted[1]) < int(counted[2])
    found = await me.run("return (await at('review')).review.value.found;")
    assert [one["hand"] for one in found] == [*range(1, hands + 1)]
    await each_decision_is_found_in_the_replay(me)
    await an_entry_leads_to_its_moment_and_back(me, dialog)
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


async def each_decision_is_found_in_the_replay(me: Player) -> None:
    """The moment before it shows the very hand, the play to beat, and then what was played."""
    record = await me.run(
        """
        const { inLobby } = await at("wire");
        return await inLobby(async (link) => {
          const texts = [];
          for (let page = 0, pages = 1; page < pages; page++) {
            const one = await link.ask({ t: "fetch_record", room: args.room, match: 1, page });
            pages = one.pages;
            texts.push(one.text);
          }
          return texts.join("");
        });
    """,
        room=me.code,
    )
    wrong = await me.run(
        """
        const { parseRecord } = await at("record");
        const { framesOf } = await at("frames");
        const { momentOf } = await at("replay_view");
        const frames = framesOf(parseRecord(args.record));
        const { review } = await at("review");
        return review.value.found.flatMap(({ seat, hand, decisions }) => decisions.filter((one) => {
          const at = momentOf(frames, `#${one.command}`);
          const [before, after] = [frames[at], frames[at + 1]];
          const { move } = after.step;
          const isPass = !one.played.reading;
          return before.hand !== hand - 1 || before.hands[seat - 1].length !== one.left
            || move.seat !== seat || move.t !== (isPass ? "pass" : "play")
            || (!isPass && [...move.cards].sort().join() !== [...one.played.cards].sort().join());
        }));
    """,
        record=record,
    )
    assert wrong == []


async def an_entry_leads_to_its_moment_and_back(me: Player, dialog: Locator) -> None:
    page = me.page
    # What the bot is sure of is chance: here it is of the first of three plays.
    chosen = await me.run("""
        const { review } = await at("review");
        const known = review.value;
        const all = known.found.flatMap((one) => one.decisions);
        const pass = { cards: [], reading: null, reason: "" };
        const plays = all.filter((one) => one.played.reading).slice(5, 8);
        const decisions = plays.map((one, i) =>
          ({ ...one, sure: i < 1, lost_milli: 900 - i, won_milli: 0, best: pass }));
        const hand = known.found.find((one) => one.decisions.includes(plays[1]));
        window.real = known;
        review.value = { ...known, found: [{ ...hand, decisions }] };
        return plays[1];
    """)
    items = dialog.locator(".review-list li")
    await expect(items).to_have_count(3)
    await dialog.locator(".review-more").evaluate("(one) => { one.open = true; }")
    said = await items.nth(1).locator(".review-cards > b").first.inner_text()
    for way in ("link", "browser"):
        await items.nth(1).get_by_role("button", name="Look at it in the replay").click()
        await expect(page).to_have_url(re.compile(rf"/replay/{me.code}-1#{chosen['command']}$"))
        await expect(page.locator(".rp-judged")).to_have_text(f"You: {said} · Expert: Pass")
        # Before the decision, four open hands; a step on it is on the table.
        await expect(page.locator(".rp-hand .card.back")).to_have_count(0)
        mine = page.locator('[data-seat="1"]')
        await expect(mine.locator(".rp-hand .card")).to_have_count(chosen["left"])
        await page.keyboard.press("ArrowRight")
        left = chosen["left"] - len(chosen["played"]["cards"])
        await expect(mine.locator(".rp-hand .card")).to_have_count(left)
        if way == "link":
            await page.get_by_role("link", name="Back to the review").click()
        else:
            await page.go_back()
        await expect(dialog).to_be_visible()
        show = items.nth(1).get_by_role("button")
        await expect(show).to_be_focused()
        await expect(show).to_be_in_viewport()
        await expect(page).to_have_url(re.compile(rf"/r/{me.code}$"))
    # Whoever closes it is at the table, and there it does not open again by itself.
    await me.press("Escape")
    await expect(dialog).to_have_count(0)
    await page.get_by_role("button", name="Replay").click()
    await page.get_by_role("link", name="Back to the table").click()
    await expect(page.locator(".summary.won")).to_be_visible()
    await expect(dialog).to_have_count(0)
    await me.run("(await at('review')).review.value = window.real;")
    await ask(me)


async def test_what_cost_most_comes_first_and_what_is_not_sure_apart_from_it(pages: Pages) -> None:
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
    # One is no worse than what the bot does, and yet another play; none is the bot's own.
    await expect(state.locator("p").first).to_have_text(
        "0 of 4 decisions as Expert, the strongest bot, would play them."
    )
    await expect(state).to_contain_text("In 2 of the others it would surely have done better;")
    await expect(state).to_contain_text("Decisions there was no time for: 2.")
    assert desk.asked == [1, 2, 3]
    items = dialog.locator(".dialog-body > .review-list li")
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
    more = dialog.locator(".review-more")
    await expect(more.locator("li").first).not_to_be_visible()
    await more.get_by_text("What else it would have played otherwise: 2").click()
    await expect(more.locator("li").nth(0)).to_contain_text("Nothing certain.")
    await expect(more.locator("li").nth(1)).to_contain_text("What you did is better, by about 0.5")
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


async def test_where_nothing_is_sure_that_is_said_and_all_of_it_is_shown(pages: Pages) -> None:
    quiet = reviewed(decision(700, sure=False), decision(-900))
    me = await over(pages, Desk(quiet, quiet, quiet))
    dialog = await ask(me)
    await expect(dialog.get_by_role("status")).to_contain_text(
        "In none of the others can it be told that it would have done better"
    )
    # With nothing else to look at, what it would have done is open.
    await expect(dialog.locator("li")).to_have_count(6)
    await expect(dialog.locator("li").first).to_be_visible()
    await expect(dialog).not_to_contain_text("gave away")


async def test_the_share_is_that_of_plays_as_the_strongest_bot_makes_them(pages: Pages) -> None:
    nines, others = hint("S9 H9", "pair-9"), hint("C9 D9", "pair-9")
    same = decision(0, sure=False, best=nines)
    quits = decision(0, sure=False, played=hint(), best=hint())
    # Other suits of the same play are one play, unless they surely make a difference.
    suits, worse = decision(30, sure=False, best=others), decision(400, best=others)
    wild = decision(20, sure=False, best=hint("S9 H5", "pair-9"))
    desk = Desk(
        reviewed(same, quits, suits), reviewed(worse, wild), reviewed(decision(20, sure=False))
    )
    me = await over(pages, desk)
    dialog = await ask(me)
    first = dialog.get_by_role("status").locator("p").first
    await expect(first).to_have_text(
        "4 of 6 decisions as Expert, the strongest bot, would play them."
    )


async def test_who_played_as_the_strongest_bot_is_told_so_in_one_line(pages: Pages) -> None:
    same = reviewed(decision(0, sure=False, best=hint("S9 H9", "pair-9")))
    me = await over(pages, Desk(same, same, same), locale="zh-CN")
    dialog = await ask(me, "点评我的打法")
    await expect(dialog.get_by_role("status")).to_have_text(
        "3 次选择里 3 次，也就是全都与最强的机器人（高手）一样：打得好！"
    )


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


@pytest.mark.parametrize("size", [SHORT, PHONE, LANDSCAPE, DESKTOP], ids=lambda size: size.name)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
async def test_its_moment_in_the_replay_fits(pages: Pages, size: Size, locale: str) -> None:
    me = await Player.seated(pages, size=size, locale=locale)
    await me.run(SHOW, record=record_text(), code=me.code)
    head = me.page.locator(".rp-judged")
    await expect(head).to_be_in_viewport(ratio=1)
    await expect(head).to_have_text(re.compile("10.*10" if locale == "en-GB" else "10.*高手.*10"))
    # Whose decision it was is seen without scrolling, on a wide screen at the bottom of the table.
    mine, across = me.page.locator('[data-seat="3"]'), me.page.locator('[data-seat="1"]')
    await expect(mine).to_contain_text("You, 22 left" if locale == "en-GB" else "你，剩 22 张")
    await expect(mine).to_be_in_viewport(ratio=1)
    boxes = [await mine.bounding_box(), await across.bounding_box()]
    assert None not in boxes
    tops = [box["y"] for box in boxes if box]
    assert (tops[0] > tops[1]) is (size is DESKTOP)
    await me.settled()
    await pages.shot(me.page, f"review-moment-{size.name}-{locale}")
    assert await me.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await serious(me.page) == []
    # Who came here by no review is led nowhere but to the table that they came from.
    await me.run("(await at('moment')).moment.value = null;")
    await me.page.go_back()
    await expect(me.page.locator(".table")).to_be_visible()
    await expect(me.page.locator("dialog.review")).to_have_count(0)


def test_its_words_come_when_somebody_asks() -> None:
    """They are in none of the files that a table begins with, or has soon after."""
    own = ("texts/review.js", "review_view.js")
    for entry in static().iterdir():
        if entry.name.endswith(".js") and entry.name not in own:
            text = entry.read_text(encoding="utf-8")
            assert not any(f'from "./{name}"' in text for name in own), entry.name
