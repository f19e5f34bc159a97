"""Values in words."""

import pytest
from attrs import evolve

from guandan_cli.words import LETTERS, Words, padded, printable, rank_name
from guandan_engine.cards import Rank
from guandan_engine.notation import parse_card, parse_cards, parse_reading
from guandan_engine.options import rules
from guandan_engine.seats import SEATS, Seat, Team
from guandan_protocol.messages import SeatInfo, SeatKind
from guandan_server import seating
from tests.clients.scenes import EN, SEATS_TAKEN, ZH, bot, scene
from tests.engine.table import Table

READINGS = [
    ("single-9", "single 9", "单张9"),
    ("single-X", "single small joker", "单张小王"),
    ("pair-9", "pair of 9s", "对9"),
    ("pair-Y", "pair of big jokers", "对大王"),
    ("triple-A", "three As", "三张A"),
    ("full_house-T", "full house of 10s", "三带二（三张10）"),
    ("straight-5", "straight A-5", "顺子A-5"),
    ("straight-A", "straight 10-A", "顺子10-A"),
    ("straight_flush-9", "straight flush 5-9", "同花顺5-9"),
    ("tube-3", "tube A-3", "三连对A-3"),
    ("tube-A", "tube Q-A", "三连对Q-A"),
    ("plate-2", "plate A-2", "钢板A-2"),
    ("plate-K", "plate Q-K", "钢板Q-K"),
    ("bomb-4-7", "4-card bomb of 7s", "4张7炸弹"),
    ("bomb-10-K", "10-card bomb of Ks", "10张K炸弹"),
    ("joker_bomb", "joker bomb", "四大天王"),
]


@pytest.mark.parametrize(("text", "english", "chinese"), READINGS)
def test_readings(text: str, english: str, chinese: str) -> None:
    assert EN.reading(parse_reading(text)) == english
    assert ZH.reading(parse_reading(text)) == chinese


@pytest.mark.parametrize(
    ("card", "english", "chinese", "letters"),
    [
        ("S5", "♠5", "♠5", "S5"),
        ("HT", "♥10", "♥10", "H10"),
        ("DA", "♦A", "♦A", "DA"),
        ("X", "small joker", "小王", "small joker"),
        ("Y", "big joker", "大王", "big joker"),
    ],
)
def test_cards(card: str, english: str, chinese: str, letters: str) -> None:
    assert EN.card(parse_card(card)) == english
    assert ZH.card(parse_card(card)) == chinese
    assert Words(EN.texts, LETTERS).card(parse_card(card)) == letters


def test_cards_stand_from_high_to_low_with_the_wild_before_its_rank() -> None:
    cards = parse_cards("S2 SA X S7 H7 Y DT")
    assert EN.cards(cards, Rank.SEVEN) == "big joker small joker ♥7 ♠7 ♠A ♦10 ♠2"


@pytest.mark.parametrize(
    ("cards", "reading", "level", "laid"),
    [
        ("S9 D9", "pair-9", "2", "♠9 ♦9"),
        ("SK CK S9 H9 D9", "full_house-9", "2", "♠9 ♥9 ♦9 ♠K ♣K"),
        ("SA C2 D3 S4 S5", "straight-5", "7", "♠A ♣2 ♦3 ♠4 ♠5"),
        ("ST DJ CQ SK DA", "straight-A", "7", "♠10 ♦J ♣Q ♠K ♦A"),
        ("SA CA S2 C2 S3 C3", "tube-3", "7", "♠A ♣A ♠2 ♣2 ♠3 ♣3"),
        # A wild says what it stands for, unless that is itself.
        ("S5 S6 S7 S9 H2", "straight_flush-9", "2", "♠5 ♠6 ♠7 ♥2=♠8 ♠9"),
        ("S5 S6 S7 S9 H2", "straight-9", "2", "♠5 ♠6 ♠7 ♥2=♥8 ♠9"),
        ("H4 H5 H6 H7 H8", "straight_flush-8", "7", "♥4 ♥5 ♥6 ♥7 ♥8"),
        ("S9 H2", "pair-9", "2", "♠9 ♥2=♥9"),
        ("SK CK SQ DQ H2", "full_house-K", "2", "♠K ♥2=♥K ♣K ♠Q ♦Q"),
        ("X X Y Y", "joker_bomb", "2", "small joker small joker big joker big joker"),
    ],
)
def test_a_play_lies_in_the_order_of_its_shape(
    cards: str, reading: str, level: str, laid: str
) -> None:
    rank = Rank("23456789TJQKA".index(level))
    assert EN.laid(parse_cards(cards), parse_reading(reading), rank) == laid


def test_a_single_card_needs_no_name() -> None:
    two = Rank.TWO
    assert EN.shown(parse_cards("S9"), parse_reading("single-9"), two) == "♠9"
    assert EN.shown(parse_cards("S9 D9"), parse_reading("pair-9"), two) == "pair of 9s · ♠9 ♦9"


def test_ten_is_written_as_on_the_card() -> None:
    assert [rank_name(rank) for rank in (Rank.TEN, Rank.JACK, Rank.BIG_JOKER)] == ["10", "J", "Y"]


def test_places_have_their_own_names() -> None:
    assert [ZH.place(i) for i in (1, 2, 3, 4)] == ["头游", "二游", "三游", "末游"]


@pytest.mark.parametrize(
    ("options", "misses", "text"),
    [({}, 2, "A"), ({"a_max_misses": 3}, 0, "A1/3"), ({"a_max_misses": 2}, 1, "A2/2")],
)
def test_at_ace_the_attempt_is_counted_where_attempts_are(
    options: dict[str, object], misses: int, text: str
) -> None:
    assert EN.level(Rank.ACE, misses, rules("site", options)) == text
    assert EN.level(Rank.KING, misses, rules("site", options)) == "K"


def test_people_are_a_number_and_a_name_and_oneself_is_you() -> None:
    seen = scene(Table.deal(), seat=1)
    assert [EN.who(Seat(s), seen) for s in (1, 2, 3)] == ["you", "2 Orchid", "3 李明"]
    assert ZH.who(Seat(3), seen) == "3号李明"
    assert EN.who(Seat(1), scene(Table.deal(), seat=None)) == "1 Ann"
    assert EN.everyone([Seat(1), Seat(3)], seen) == "you and 3 李明"
    assert EN.seat(Seat(3), seen) == "3"


def test_teams_are_us_and_them_but_two_seats_to_a_watcher() -> None:
    second = scene(Table.deal(), seat=2)
    assert EN.team(Team.EVEN, second) == "us"
    assert EN.team(Team.ODD, second) == "them"
    assert EN.team(Team.ODD, scene(Table.deal(), seat=None)) == "1+3"
    assert EN.owner(Team.EVEN, second) == "our level"
    assert EN.owner(Team.ODD, second) == "their level"
    assert EN.owner(Team.ODD, scene(Table.deal(), seat=None)) == "level of 1+3"
    assert EN.owner(None, second) == "both start at 2"


def test_a_name_cannot_steer_the_terminal() -> None:
    evil = SeatInfo(kind=SeatKind.PERSON, name="a\x1b[2J\r\n\u202eb\x07", online=True)
    seen = scene(Table.deal(), seats=(SEATS_TAKEN[0], evil, *SEATS_TAKEN[2:]))
    assert EN.who(Seat(2), seen) == "2 a?[2J???b?"
    assert printable("x" * 100) == "x" * 24


def test_seats_without_a_name_have_one_all_the_same() -> None:
    assert EN.name(SeatInfo(kind=SeatKind.EMPTY)) == "(empty)"
    assert EN.name(SeatInfo(kind=SeatKind.BOT)) == "bot"
    assert EN.name(evolve(SEATS_TAKEN[0], name="")) == "player"


def test_the_servers_bots_have_chinese_names_in_chinese_and_people_their_own() -> None:
    bots = [evolve(bot("x"), name=seating.bot(seat, "club").name) for seat in SEATS]
    assert [ZH.name(one) for one in bots] == ["阿竹", "阿兰", "阿梅", "阿菊"]
    assert [EN.name(one) for one in bots] == ["Bamboo", "Orchid", "Plum", "Chrysanthemum"]
    plum = SeatInfo(kind=SeatKind.PERSON, name="Plum")
    assert ZH.name(plum) == "Plum"
    assert ZH.name(bot("Deep")) == "Deep"
    assert evolve(ZH, of_record=True).name(plum) == "阿梅", "a record does not tell who is a bot"


def test_padding_counts_columns() -> None:
    assert padded("头游", 6) == "头游  "
    assert padded("1st", 6) == "1st   "
    assert padded("too long", 3) == "too long"
