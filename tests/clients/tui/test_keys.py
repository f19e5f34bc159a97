"""Every key of the table does what its help says, and every button what its key does."""

from __future__ import annotations

import re

import pytest
from attrs import evolve
from textual.events import Key

from guandan_cli.tui.keys import RANK_KEYS, Button, drawn, key_of
from guandan_engine.cards import Rank
from guandan_engine.notation import cards_text
from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import Control, Phrase, Proposal, SeatKind, Stage
from tests.clients.parlour import Parlour
from tests.clients.scenes import FREE, LI, SEATS_TAKEN, ZH, bot
from tests.clients.tui.lounge import NARROW, Lounge, seated
from tests.clients.tui.screens import over, pair_of_nines
from tests.engine.table import Table

EVERY_RANK = "1: SA SK SQ SJ ST S9 S8 S7 S6 S5 S4 S3 C2 H2 X Y"


def following() -> Parlour:
    return Parlour(pair_of_nines().match)


def taken(lounge: Lounge) -> str:
    return cards_text(lounge.seen.taken)


# Cards


@pytest.mark.parametrize("key", [*RANK_KEYS, "w"])
async def test_the_key_of_a_rank_takes_a_card_of_it(key: str) -> None:
    async with seated(Parlour(Table.deal(EVERY_RANK, level="2").match)) as lounge:
        await lounge.press(key)
        (card,) = lounge.seen.taken
        if key == "w":
            assert cards_text([card]) == "H2"
        else:
            assert Rank(card >> 2) is RANK_KEYS[key]
            assert cards_text([card]) != "H2"


async def test_a_pair_is_taken_named_and_played() -> None:
    async with seated(following()) as lounge:
        await lounge.press("k", "k")
        assert "[Enter]  Play: pair of Ks " in lounge.text()
        await lounge.press("enter")
        assert isinstance(lounge.action, m.Play)
        assert lounge.action.turn == 16
        assert cards_text(lounge.action.cards) == "SK DK"
        assert taken(lounge) == ""


async def test_enter_waits_for_what_the_server_says_of_the_cards() -> None:
    async with seated(following()) as lounge:
        lounge.app.press("k")
        lounge.app.press("k")
        lounge.app.press("enter")
        await lounge.quiet()
        assert isinstance(lounge.action, m.Play)


async def test_what_cannot_be_played_is_said_and_stays_taken() -> None:
    async with seated(following()) as lounge:
        await lounge.press("3", "3", "enter")
        assert lounge.parlour.acted == []
        assert "pair of 3s: that does not beat the table" in lounge.text()
        assert taken(lounge) == "S3 C3"
        await lounge.press("escape", "3", "4")
        assert "no combination" in lounge.text()


async def test_a_rank_that_is_not_held_is_said() -> None:
    async with seated(following()) as lounge:
        await lounge.press("q")
        assert "you do not hold these cards" in lounge.text()
        await lounge.press("k")
        assert "you do not hold these cards" not in lounge.text()


async def test_caps_lock_is_no_hindrance() -> None:
    async with seated(following()) as lounge:
        await lounge.press("K", "K", "P")
        assert lounge.action == m.Pass(0, 16)
        assert len(lounge.seen.taken) == 2


async def test_escape_puts_all_back() -> None:
    async with seated(following()) as lounge:
        await lounge.press("k", "a", "w", "escape")
        assert taken(lounge) == ""


async def test_nothing_taken_is_nothing_played() -> None:
    async with seated(following()) as lounge:
        await lounge.press("enter")
        assert lounge.parlour.acted == []
        assert "Take cards first" in lounge.text()


async def test_p_passes() -> None:
    async with seated(following()) as lounge:
        await lounge.press("p")
        assert lounge.action == m.Pass(0, 16)


async def test_a_refusal_is_said_and_the_selection_kept() -> None:
    async with seated(following()) as lounge:
        lounge.parlour.refusal = m.Refused(1, "stale", "")
        await lounge.press("k", "k", "enter")
        assert "Not possible: that turn has passed." in lounge.text()
        assert taken(lounge) == "SK DK"


async def test_tab_goes_through_the_readings() -> None:
    table = Table.deal("1: H7 S9 S8 S6 S5 …", "2: S3 …", level="7")
    async with seated(Parlour(table.match)) as lounge:
        await lounge.press("w", "9", "8", "6", "5")
        assert "[straight flush 5-9] wild as ♠7   straight 5-9" in lounge.text()
        await lounge.press("tab")
        assert "[straight 5-9] wild as" in lounge.text()
        await lounge.press("tab")
        assert "[straight flush 5-9]" in lounge.text()
        await lounge.press("shift+tab", "enter")
        assert isinstance(lounge.action, m.Play)
        assert lounge.action.reading is not None
        assert lounge.action.reading.combo == "straight"


async def test_cards_can_be_chosen_before_the_turn_comes() -> None:
    table = Table.deal("1: S5 H5 S9 …", "2: S4 …", level="2", leader=2)
    parlour = Parlour(table.match)
    parlour.others_act = False
    async with seated(parlour) as lounge:
        await lounge.press("5", "5")
        assert "pair of 5s" in lounge.text()
        await lounge.press("enter")
        assert lounge.parlour.acted == []
        assert "it is not your turn" in lounge.text()


# Hints


async def test_h_goes_through_the_hints_with_their_reasons() -> None:
    async with seated(following()) as lounge:
        await lounge.press("h")
        assert "hint 1 of 4:  pass - what beats this is worth more later" in lounge.text()
        assert "[Enter]  Pass " in lounge.text()
        await lounge.press("h")
        assert "hint 2 of 4:  pair of 10s" in lounge.text()
        assert taken(lounge) == "HT CT"
        await lounge.press("H")
        assert "hint 1 of 4:" in lounge.text()
        await lounge.press("enter")
        assert lounge.action == m.Pass(0, 16)


async def test_g_takes_the_suggestion_and_submits_nothing() -> None:
    async with seated(following()) as lounge:
        await lounge.press("g")
        assert "suggestion:  pair of As" in lounge.text()
        assert lounge.parlour.acted == []
        await lounge.press("enter")
        assert isinstance(lounge.action, m.Play)


async def test_without_hints_the_keys_say_so() -> None:
    parlour = following()
    settings = evolve(parlour.view.settings, hints=False)
    async with seated(Parlour(parlour.match, settings=settings)) as lounge:
        await lounge.press("h")
        assert "this table plays without hints" in lounge.text()
        assert not any(isinstance(query, m.AskHints) for query in lounge.parlour.asked)


async def test_what_cannot_help_is_dim_but_can_be_taken() -> None:
    async with seated(following()) as lounge:
        dim = [one.heading for one in lounge.seen.columns if lounge.seen.is_dim(one)]
        assert dim == ["Y", "X", "6"]
        await lounge.press("6")
        assert taken(lounge) == "D6"
        await lounge.press("m", "d")
        assert [one for one in lounge.seen.columns if lounge.seen.is_dim(one)] == []


# The table


async def test_s_sorts_by_rank_suit_and_combos() -> None:
    async with seated(following()) as lounge:
        for name in ("suit", "combos", "rank"):
            await lounge.press("s")
            assert f"[s] Sort: {name}" in lounge.text()


@pytest.mark.parametrize(
    ("key", "shows"),
    [
        ("c", "Still out (not played, not yours)"),
        ("l", "No trick has been finished yet."),
        ("/", "Hello everybody!"),
        ("?", "take a card of that rank, cheapest first"),
        ("r", "No hand has been finished yet."),
        ("m", "Quit, keep my seat"),
        ("o", "0.3 s a move"),
        ("i", "http://127.0.0.1:8765/r/K7QM2X"),
    ],
)
async def test_a_key_opens_a_sheet_and_escape_closes_it(key: str, shows: str) -> None:
    async with seated(following()) as lounge:
        await lounge.press(key)
        assert shows in lounge.text()
        await lounge.press("escape")
        assert shows not in lounge.text()
        assert lounge.parlour.acted == []


async def test_two_keys_at_once_close_a_sheet_once() -> None:
    async with seated(following()) as lounge:
        await lounge.press("?")
        for _ in range(2):
            lounge.app.screen.post_message(Key("escape", None))
        await lounge.quiet()
        assert "take a card of that rank" not in lounge.text()
        await lounge.press("p")
        assert isinstance(lounge.action, m.Pass)


async def test_a_click_beside_a_dialog_only_closes_it() -> None:
    async with seated(following()) as lounge:
        await lounge.press("o")
        await lounge.pilot.click(offset=(1, 1))
        await lounge.quiet()
        assert "0.3 s a move" not in lounge.text()
        assert lounge.parlour.acted == []


@pytest.mark.parametrize(("key", "pace_ms"), list(enumerate(m.PACES_MS, start=1)))
async def test_autopilot_has_seven_paces(key: int, pace_ms: int) -> None:
    async with seated(following()) as lounge:
        await lounge.press("o", str(key))
        assert lounge.action == m.Autopilot(0, on=True, pace_ms=pace_ms)
        assert f"Autopilot, {pace_ms / 1000:g} s a move." in lounge.text()
        await lounge.press("o")
        assert lounge.action == m.Autopilot(0, on=False)
        assert "Autopilot," not in lounge.text()


async def test_a_phrase_is_said_and_stands_beside_the_seat_for_a_while() -> None:
    async with seated(following()) as lounge:
        await lounge.press("/", "3")
        assert lounge.parlour.asked[-1] == m.Say(0, Phrase.WELL_PLAYED)
        assert '"Well played!"' in lounge.text()
        await lounge.pass_time(7)
        assert "pair of 6s  ♠6 ♦6" in lounge.screen()[14]
        assert '"Well played!"' not in lounge.screen()[14]


async def test_the_last_trick_is_told_again() -> None:
    async with seated(following()) as lounge:
        await lounge.press("k", "k", "enter", "l")
        text = lounge.text()
        assert "you: pair of Ks, ♠K ♦K" in text
        assert "Trick to you." in text


# Before and after


async def test_the_host_starts_with_enter() -> None:
    async with seated(Parlour()) as lounge:
        await lounge.press("enter")
        assert lounge.action == m.Start(0)
        assert "YOUR LEAD" in lounge.text()


async def test_a_guest_gets_ready_with_enter() -> None:
    async with seated(Parlour(seat=Seat(3))) as lounge:
        await lounge.press("enter")
        assert isinstance(lounge.action, m.Ready)
        assert lounge.action.ready
        assert len(lounge.action.nonce) == 16


@pytest.mark.parametrize(
    ("seat", "keys", "action"),
    [
        (3, ("2", "1"), m.AddBot(0, Seat(2), "club")),
        (3, ("2", "2"), m.AddBot(0, Seat(2), "expert")),
        (3, ("2", "x"), m.RemoveBot(0, Seat(2))),
        (3, ("4", "s"), m.Sit(0, Seat(4))),
        (3, ("1", "k"), m.Kick(0, Seat(1))),
        (3, ("1", "s"), m.Sit(0, Seat(1))),
        (3, ("2", "down", "down", "enter"), m.RemoveBot(0, Seat(2))),
    ],
)
async def test_seats_are_managed_by_their_numbers(
    seat: int, keys: tuple[str, ...], action: m.Action
) -> None:
    seats = (LI, bot("Orchid"), LI, FREE)
    parlour = Parlour(seat=Seat(seat), host=Seat(seat), seats=seats)
    async with seated(parlour) as lounge:
        await lounge.press(*keys)
        assert lounge.action == action


@pytest.mark.parametrize(("key", "answer"), [("s", m.Sit), ("n", m.Decline)])
async def test_who_is_asked_to_swap_says_yes_or_no(
    key: str, answer: type[m.Sit | m.Decline]
) -> None:
    parlour = Parlour(seat=Seat(3), host=Seat(1), swaps=((Seat(1), Seat(3)),))
    async with seated(parlour) as lounge:
        await lounge.press("1", key)
        assert lounge.action == answer(n=0, seat=Seat(1))


async def test_a_guest_can_only_sit_elsewhere() -> None:
    async with seated(Parlour(seat=Seat(3))) as lounge:
        await lounge.press("2")
        assert "Sit here" in lounge.text()
        assert "Bot:" not in lounge.text()


async def test_rules_are_changed_with_the_arrows() -> None:
    async with seated(Parlour()) as lounge:
        await lounge.press("r", "right", "down", "right", "enter")
        assert isinstance(lounge.action, m.Configure)
        assert lounge.action.preset != "site"
        assert lounge.action.options == {"first_lead": "random"} or lounge.action.options


async def test_a_guest_only_reads_the_rules() -> None:
    async with seated(Parlour(seat=Seat(3))) as lounge:
        await lounge.press("r", "right", "enter")
        assert lounge.parlour.acted == []


async def test_after_a_hand_enter_goes_on_and_d_waits_for_another_day() -> None:
    async with seated(Parlour(over().match)) as lounge:
        assert "1st + 2nd: us +3" in lounge.text()
        await lounge.press("d")
        assert lounge.action == m.Later(0, later=True)
        await lounge.press("enter")
        assert isinstance(lounge.action, m.Ready)


async def test_after_a_match_enter_proposes_a_rematch_and_n_a_new_game() -> None:
    async with seated(Parlour(over("A").match, stage=Stage.MATCH_OVER)) as lounge:
        assert "Match won: us" in lounge.text()
        await lounge.press("enter")
        assert lounge.action == m.Propose(0, Proposal.REMATCH)
    async with seated(Parlour(over("A").match, stage=Stage.MATCH_OVER)) as lounge:
        await lounge.press("n")
        assert lounge.action == m.Propose(0, Proposal.NEW_GAME)


async def test_a_proposal_is_agreed_to_or_refused() -> None:
    parlour = Parlour(pair_of_nines().match, proposal=Proposal.NEW_GAME)
    async with seated(parlour) as lounge:
        assert "Proposed: a new game from level 2. + agrees, - refuses" in lounge.text()
        await lounge.press("+")
        assert lounge.action == m.Consent(0, agree=True)
        await lounge.press("-")
        assert lounge.action == m.Consent(0, agree=False)


async def test_a_paused_table_goes_on_with_enter() -> None:
    async with seated(Parlour(pair_of_nines().match, stage=Stage.PAUSED)) as lounge:
        await lounge.press("enter")
        assert isinstance(lounge.action, m.Ready)


async def test_tribute_comes_with_the_suggested_card_taken() -> None:
    table = Table.deal(
        "4: S7 C7 …", level="7", levels={"13": "7", "24": "5"}, finish=[1, 2, 3, 4],
        tribute_pick="payer",
    )  # fmt: skip
    parlour = Parlour(table.match, seat=Seat(4))
    parlour.others_act = False
    async with seated(parlour) as lounge:
        assert taken(lounge) == "C7"
        await lounge.press("7")
        assert taken(lounge) == "S7"
        await lounge.press("5")
        assert "No 5 may be given." in lounge.text()
        await lounge.press("enter")
        assert isinstance(lounge.action, m.Pay)
        assert cards_text([lounge.action.card]) == "S7"


async def test_a_return_names_its_card() -> None:
    table = Table.deal("1: S3 D8 CJ …", "4: SA DK …", level="4", finish=[1, 2, 3, 4])
    parlour = Parlour(table.match)
    parlour.others_act = False
    async with seated(parlour) as lounge:
        assert "[Enter]  Return ♦8 " in lounge.text()
        await lounge.press("enter")
        assert isinstance(lounge.action, m.GiveBack)


# The menu


@pytest.mark.parametrize(
    ("keys", "action"),
    [
        (("m", "b", "1"), m.SetPace(0, 300)),
        (("m", "l"), m.Later(0, later=True)),
        (("m", "n"), m.Propose(0, Proposal.NEW_GAME)),
        (("m", "v", "y"), m.Leave(0)),
    ],
)
async def test_the_menu_has_the_rest(keys: tuple[str, ...], action: m.Action) -> None:
    async with seated(following()) as lounge:
        await lounge.press(*keys)
        assert lounge.action == action


async def test_a_seat_is_not_given_up_by_a_slip() -> None:
    async with seated(following()) as lounge:
        await lounge.press("m", "v", "enter")
        assert lounge.parlour.acted == []
        assert not lounge.app.has_left


async def test_the_bell_rings_once_a_turn_if_it_is_wanted() -> None:
    rung = []
    table = Table.deal("1: S5 H5 S9 …", "2: S4 …", level="2", leader=2)
    parlour = Parlour(table.match)
    parlour.others_act = False
    async with seated(parlour) as lounge:
        lounge.app.bell = lambda: rung.append(1)  # type: ignore[method-assign]  # to hear it
        await lounge.press("m", "g")
        assert "bell" not in lounge.text()
        assert rung == []
        for _ in range(1):
            lounge.parlour._let_others_act()  # noqa: SLF001 the parlour's own next move
            await lounge.quiet()
        while not lounge.seen.may_act:
            lounge.parlour._let_others_act()  # noqa: SLF001 the parlour moves by itself
            await lounge.quiet()
        await lounge.press("5")
        assert rung == [1]


# Watchers


async def test_a_watcher_sees_the_table_from_any_side() -> None:
    async with seated(Parlour(pair_of_nines().match, seat=None)) as lounge:
        assert lounge.screen()[-5].startswith(" >1 Ann")
        await lounge.press("3")
        assert lounge.screen()[-5].startswith("  3 李明")
        assert lounge.parlour.acted == []


async def test_a_watcher_can_look_but_not_act() -> None:
    async with seated(Parlour(pair_of_nines().match, seat=None)) as lounge:
        await lounge.press("p", "enter", "9", "h", "g", "o", "d", "/", "escape")
        assert lounge.parlour.acted == []
        await lounge.press("c")
        assert "Still out" in lounge.text()


# Input


def test_full_width_keys_are_keys() -> None:
    assert [key_of(char) for char in "９ｋ？／"] == ["9", "k", "?", "/"]
    assert key_of("好") == "好"


async def test_a_key_of_a_chinese_input_method_takes_its_card() -> None:
    async with seated(following(), words=ZH) as lounge:
        lounge.app.press(key_of("ｋ"))
        await lounge.quiet()
        assert taken(lounge) == "SK"


# The mouse


async def test_buttons_do_what_their_keys_do() -> None:
    async with seated(following()) as lounge:
        row = lounge.screen()[22]
        await lounge.click("#actions", row.index("[p]"))
        assert lounge.action == m.Pass(0, 16)


async def test_a_button_is_where_it_is_drawn() -> None:
    buttons = [Button("p", "不出"), Button("h", "提示")]
    laid = drawn(buttons, 80)
    assert laid.text.plain == " [p] 不出  [h] 提示  "
    assert (laid.key(0), laid.key(1), laid.key(8), laid.key(9), laid.key(11)) == (
        None, "p", "p", None, "h",
    )  # fmt: skip


async def test_where_there_is_no_room_the_words_go_before_the_keys() -> None:
    buttons = [
        Button("enter", "Play: straight", is_main=True),
        *[Button(key, text) for key, text in (("p", "Pass"), ("m", "Menu"), ("?", "Help"))],
    ]
    for width in (60, 45, 40, 35, 30):
        laid = drawn(buttons, width)
        assert laid.text.cell_len - 2 <= width
        assert "[Enter]  Play: straight " in laid.text.plain
        assert [key for _, key in laid.spans] == ["enter", "p", "m", "?"][: len(laid.spans)]
    assert "[p] [m] Menu [?] Help" in drawn(buttons, 48).text.plain
    assert "[p] [m] [?]" in drawn(buttons, 38).text.plain


async def test_nothing_is_missing_at_the_foot_of_a_narrow_screen() -> None:
    async with seated(following(), size=NARROW) as lounge:
        *_, actions, footer = lounge.screen()
        assert re.findall(r"\[(.*?)\]", actions) == ["Enter", "p", "h", "g", "Esc", "u"]
        assert re.findall(r"\[(.*?)\]", footer) == ["s", "c", "o", "l", "/", "m", "?"]
        assert footer.endswith("[m] Menu [?] Help")


async def test_what_does_not_fit_a_sheet_is_folded_and_scrolled() -> None:
    async with seated(following(), size=NARROW) as lounge:
        await lounge.press("?")
        first = lounge.text()
        assert "up and down: more" in first
        assert ".." not in first.replace("...", "")
        assert "Ctrl+Q" not in first
        await lounge.press("pagedown", "pagedown")
        assert "quit; the seat stays yours" in lounge.text()


async def test_a_click_takes_the_very_card_and_a_heading_the_next() -> None:
    async with seated(following()) as lounge:
        heading = lounge.screen()[18]
        x = heading.index("10")
        await lounge.click("#hand", x, 3)
        assert taken(lounge) == "HT"
        await lounge.click("#hand", x, 1)
        assert len(lounge.seen.taken) == 2
        await lounge.click("#hand", x, 1)
        await lounge.click("#hand", x, 1)
        assert taken(lounge) == ""
        await lounge.click("#hand", heading.index("W"), 1)
        assert taken(lounge) == "H7"


async def test_a_click_on_a_seat_of_the_lobby_opens_its_menu() -> None:
    seats = (SEATS_TAKEN[0], bot("Orchid"), LI, FREE)
    async with seated(Parlour(seats=seats)) as lounge:
        await lounge.click("#table", 20, 5)
        assert "Bot: club" in lounge.text()
        await lounge.press("1")
        assert lounge.action == m.AddBot(0, Seat(4), "club")


async def test_a_click_on_the_banner_ends_the_autopilot() -> None:
    seats = (evolve(SEATS_TAKEN[0], control=Control.AUTOPILOT), *SEATS_TAKEN[1:])
    assert seats[0].kind is SeatKind.PERSON
    async with seated(Parlour(pair_of_nines().match, seats=seats)) as lounge:
        await lounge.click("#news", 5)
        assert lounge.action == m.Autopilot(0, on=False)


async def test_enter_right_after_a_suggestion_finds_no_fault_with_what_has_come_meanwhile() -> None:
    async with seated(following()) as lounge:
        entered = lounge.app.session.do()  # typed before the suggestion is there
        await lounge.press("g")
        await entered
        assert lounge.seen.message == ""
        assert lounge.seen.hinted is not None
        assert lounge.parlour.acted == []


async def test_where_nobody_can_come_nobody_is_invited() -> None:
    async with seated(following()) as lounge:
        await lounge.press("m")
        assert "i  Invite" in lounge.text()
        await lounge.press("escape")
        lounge.app.invitation = tuple
        await lounge.press("m")
        assert "Invite" not in lounge.text()
        assert "Record" in lounge.text()


async def test_a_dialog_is_as_wide_as_its_heading_in_chinese_too() -> None:
    async with seated(following(), words=ZH) as lounge:
        await lounge.press("o")
        assert "托管：由机器人代打" in lounge.text()
