"""The oracle must know the rules itself: every case, every row of the worked tables, some laws."""

import json
import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.engine.brute import (
    RANKS,
    SUITS,
    Reading,
    brute_beats,
    brute_best,
    brute_plays,
    brute_readings,
)
from tests.engine.brute_table import Json, brute_advance, brute_tribute, brute_turn, settings

CASES_PATH = Path(__file__).parents[1] / "cases" / "rule-cases.jsonl"
CASES: list[Json] = [json.loads(line) for line in CASES_PATH.read_text("utf-8").splitlines()]


# --- the case file -------------------------------------------------------------------------------


def reading_options(options: Mapping[str, Any]) -> dict[str, bool]:
    return {name: options[name] for name in ("full_house_joker_pair", "wild_run_plain")}


def to_reading(data: Mapping[str, Any]) -> Reading:
    return data["type"], data["key"], data["len"]


def to_data(reading: Reading | None) -> Json | None:
    return None if reading is None else dict(zip(("type", "key", "len"), reading, strict=True))


def answer(case: Mapping[str, Any]) -> Json:
    """What the oracle says where the case says `expect`."""
    level, given = case["level"], case["input"]
    options = settings(case.get("preset"), case.get("options"))
    match case["kind"]:
        case "classify":
            readings = brute_readings(given["cards"], level, **reading_options(options))
            return {"readings": list(map(to_data, readings))}
        case "beats":
            verdict = brute_best(
                given["cards"],
                to_reading(given["table"]) if given["table"] else None,
                level,
                declare=to_reading(given["declare"]) if "declare" in given else None,
                ambiguous=options["ambiguous_play"],
                **reading_options(options),
            )
            return {
                "allowed": verdict.allowed,
                "as": to_data(verdict.reading),
                "all": list(map(to_data, verdict.beating)),
                "reason": verdict.reason,
            }
        case "tribute":
            return brute_tribute(given, level, options)
        case "advance":
            return brute_advance(given, options)
        case "turn":
            return brute_turn(given, level, options)
        case kind:
            raise AssertionError(f"unknown kind {kind!r}")


def without_card_order(expect: Mapping[str, Any]) -> Json:
    """Eligible and returnable cards are sets."""
    plain = dict(expect)
    plain["gifts"] = [{**gift, "eligible": sorted(gift["eligible"])} for gift in expect["gifts"]]
    plain["returns"] = {seat: sorted(cards) for seat, cards in expect["returns"].items()}
    return plain


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Json) -> None:
    got, want = answer(case), case["expect"]
    if case["kind"] == "tribute":
        got, want = without_card_order(got), without_card_order(want)
    # A case may leave out the reason of a refusal or the misses; nothing else.
    optional = {"beats": {"reason"}, "advance": {"misses"}}.get(case["kind"], set())
    assert {name: got[name] for name in got if name in want or name not in optional} == want


def test_case_file_is_whole() -> None:
    assert len(CASES) == len({case["id"] for case in CASES}) == 227


# --- the table of sets with several readings -----------------------------------------------------

JOKER_PAIR = {"full_house_joker_pair": True}

READINGS: list[tuple[str, str, dict[str, bool], list[str]]] = [
    ("2", "SK CK SQ DQ H2", {}, ["full_house K", "full_house Q"]),
    ("7", "S7 C7 H7 SK CK", {}, ["full_house 7", "full_house K"]),
    ("2", "SK CK S9 H2 H2", {}, ["full_house K", "full_house 9"]),
    ("2", "S9 C9 D9 H2 H2", {}, ["bomb 9", "full_house 9"]),
    ("2", "S9 C9 D9 D9 H2", {}, ["bomb 9"]),
    ("5", "Y Y H5 C4 S4", JOKER_PAIR, ["full_house 4"]),
    ("5", "Y Y H5 C4 S4", {}, []),
    ("2", "S5 S6 S7 S9 H2", {}, ["straight_flush 9", "straight 9"]),
    (
        "6",
        "S2 S3 S4 S5 H6",
        {},
        ["straight_flush 6", "straight_flush 5", "straight 6", "straight 5"],
    ),
    ("7", "H4 H5 H6 H7 H8", {}, ["straight_flush 8", "straight 8"]),
    (
        "7",
        "H4 H5 H6 H7 H7",
        {},
        [
            "straight_flush 8",
            "straight_flush 7",
            "straight_flush 6",
            "straight 8",
            "straight 7",
            "straight 6",
        ],
    ),
    ("2", "S3 S4 S5 S6 S7", {}, ["straight_flush 7"]),
    ("7", "S5 D6 S8 C9 H7", {}, ["straight 9"]),
    ("A", "ST DJ CQ SK HA", {}, ["straight A", "straight K"]),
    ("4", "H4 H4 C8 D8 S9 C9", {}, ["tube T", "plate 9", "tube 9"]),
    ("7", "SA CA S2 C2 H7 H7", {}, ["tube 3", "plate 2"]),
    ("5", "SA CK HA CK H5 H5", {}, ["plate A", "tube A"]),
    ("7", "H7 H7", {}, ["pair 7"]),
    ("2", "SA H2", {}, ["pair A"]),
    ("7", "S7 D7 H7 H7", {}, ["bomb 7"]),
    ("2", "S9 S9 C9 C9 D9 D9 H9 H9 H2 H2", {}, ["bomb 9"]),
    ("2", "X X Y Y", {}, ["joker_bomb None"]),
    ("2", "H2 H2 X X", {}, []),
    ("2", "X Y", {}, []),
]


@pytest.mark.parametrize(("level", "cards", "options", "readings"), READINGS)
def test_readings_table(
    level: str, cards: str, options: dict[str, bool], readings: list[str]
) -> None:
    got = brute_readings(cards.split(), level, **options)
    assert [f"{kind} {key}" for kind, key, _ in got] == readings
    assert all(length == len(cards.split()) for _, _, length in got)


# --- the table of tributes -----------------------------------------------------------------------


def tribute(
    finish: Sequence[int] | None,
    level: str,
    hands: Mapping[int, str],
    options: Mapping[str, object] | None = None,
    chosen: Mapping[int, str] | None = None,
) -> tuple[str, dict[str, str], int | None]:
    """Kind, gifts and returns as `{"4>1": "SA", "1>4": "S3 D8"}`, leader."""
    case = {"finish": finish, "hands": {str(seat): cs.split() for seat, cs in hands.items()}}
    got = brute_tribute(case, level, settings(options=options), chosen)
    moves = {}
    for gift in got["gifts"]:
        donor, recipient = gift["from"], gift["to"]
        moves[f"{donor}>{recipient}"] = " ".join(gift["eligible"])
        moves[f"{recipient}>{donor}"] = " ".join(got["returns"].pop(str(recipient)))
    assert got["returns"] == {}
    return got["kind"], moves, got["leader"]


SINGLE, DOUBLE = (1, 2, 3, 4), (1, 3, 2, 4)
LOW = {1: "S3", 3: "D3"}  # something to return where the row does not care
ROW_5 = {2: "SA", 4: "DA", **LOW}


def test_1_single() -> None:
    hands = {4: "SA DK", 1: "S3 D8 CJ"}
    assert tribute(SINGLE, "4", hands) == ("single", {"4>1": "SA", "1>4": "S3 D8"}, 4)


def test_2_last_is_partner_of_first() -> None:
    hands = {3: "SK", 1: "S5"}
    assert tribute((1, 2, 4, 3), "4", hands) == ("single", {"3>1": "SK", "1>3": "S5"}, 3)


def both(first: str, second: str) -> dict[str, str]:
    """Moves of a double tribute won by seat 1, written donor, seat, gift: `2>1 SA`."""
    moves = dict([first.split(), second.split()])
    for move in list(moves):
        donor, recipient = move.split(">")
        moves[f"{recipient}>{donor}"] = LOW[int(recipient)]
    return moves


@pytest.mark.parametrize(
    ("row", "hands", "level", "options", "moves", "leader"),
    [
        (3, {2: "Y", 4: "SA"}, "5", {}, both("2>1 Y", "4>3 SA"), 2),
        (4, {2: "SQ", 4: "SK"}, "5", {}, both("4>1 SK", "2>3 SQ"), 4),
        (5, ROW_5, "5", {"double_tribute_tie": "next"}, both("2>1 SA", "4>3 DA"), 2),
        (6, ROW_5, "5", {"double_tribute_tie": "prev"}, both("4>1 DA", "2>3 SA"), 4),
        (8, {2: "X", 4: "X"}, "5", {"double_tribute_tie": "next"}, both("2>1 X", "4>3 X"), 2),
        (8, {2: "X", 4: "X"}, "5", {"double_tribute_tie": "prev"}, both("4>1 X", "2>3 X"), 4),
        (9, {2: "H7 SA", 4: "DA"}, "7", {}, both("2>1 SA", "4>3 DA"), 2),
        (15, {2: "Y", 1: "S3 Y", 4: "SA"}, "5", {}, both("2>1 Y", "4>3 SA"), 2),
        (16, {2: "Y", 4: "X"}, "5", {}, both("2>1 Y", "4>3 X"), 2),
    ],
)
def test_double(
    row: int,
    hands: dict[int, str],
    level: str,
    options: dict[str, object],
    moves: dict[str, str],
    leader: int,
) -> None:
    assert tribute(DOUBLE, level, {**LOW, **hands}, options) == ("double", moves, leader), row


def test_7_tie_with_first_at_seat_2() -> None:
    hands = {1: "SK", 3: "DK", 2: "S3", 4: "D3"}
    finish = (2, 4, 1, 3)
    forward = {"3>2": "DK", "2>3": "S3", "1>4": "SK", "4>1": "D3"}
    backward = {"1>2": "SK", "2>1": "S3", "3>4": "DK", "4>3": "D3"}
    assert tribute(finish, "5", hands, {"double_tribute_tie": "next"}) == ("double", forward, 3)
    assert tribute(finish, "5", hands, {"double_tribute_tie": "prev"}) == ("double", backward, 1)


@pytest.mark.parametrize(
    ("row", "finish", "level", "hands"),
    [
        (10, SINGLE, "4", {4: "Y Y"}),
        (13, DOUBLE, "5", {2: "Y", 4: "Y"}),
        (14, DOUBLE, "5", {2: "SA", 4: "Y Y"}),
        (14, DOUBLE, "5", {2: "Y Y", 4: "SA"}),
    ],
)
def test_resisted(row: int, finish: Sequence[int], level: str, hands: dict[int, str]) -> None:
    assert tribute(finish, level, hands) == ("resisted", {}, 1), row


@pytest.mark.parametrize(
    ("row", "level", "hands", "gift"),
    [
        (11, "4", {4: "Y", 2: "Y"}, "Y"),
        (12, "4", {2: "Y Y", 4: "SA"}, "SA"),
        (17, "4", {4: "X DK"}, "X"),
        (18, "7", {4: "H7 S7 SA"}, "S7"),
        (19, "7", {4: "C7 S7"}, "S7 C7"),
        (20, "8", {4: "S8 SA"}, "S8"),
    ],
)
@pytest.mark.parametrize("pick", ["auto", "payer"])
def test_gift(row: int, level: str, hands: dict[int, str], gift: str, pick: str) -> None:
    got = tribute(SINGLE, level, {1: "S3", **hands}, {"tribute_pick": pick})
    assert got == ("single", {"4>1": gift, "1>4": "S3"}, 4), row


def test_19_either_choice_stands() -> None:
    hands = {1: "SJ", 4: "S7 C7"}
    options = {"return_gift": True, "return_level_card": True}
    for choice in ("S7", "C7"):
        _, moves, _ = tribute(SINGLE, "7", hands, options, {4: choice})
        assert moves["1>4"] == choice
    with pytest.raises(ValueError, match="expected one of"):
        tribute(SINGLE, "7", hands, options, {4: "SA"})


PARTNER_LAST, OPPONENT_LAST = (1, 2, 4, 3), SINGLE
TO_PARTNER = {"return_rule": "le10_to_partner"}


@pytest.mark.parametrize(
    ("row", "finish", "level", "hand", "gift", "options", "returns"),
    [
        (21, SINGLE, "7", "S7 D3 CT HJ", "Y", {}, "CT D3"),
        (22, SINGLE, "T", "ST D9 SQ", "Y", {}, "D9"),
        (23, SINGLE, "4", "SJ DQ CK SA X", "Y", {}, "SJ"),
        (24, SINGLE, "J", "SJ DQ CK SA", "Y", {}, "DQ"),
        (25, SINGLE, "7", "S7 C7 SJ DK", "Y", {}, "SJ"),
        (26, SINGLE, "4", "SJ DQ CK", "C9 D8", {}, "SJ"),
        (26, SINGLE, "4", "SJ DQ CK", "C9 D8", {"return_gift": True}, "C9"),
        (27, SINGLE, "4", "C9 DQ", "C9 D8", {}, "C9"),
        (28, OPPONENT_LAST, "7", "D3 HJ SA", "Y", TO_PARTNER, "SA HJ D3"),
        (28, PARTNER_LAST, "7", "D3 HJ SA", "Y", TO_PARTNER, "D3"),
    ],
)
def test_return(
    row: int,
    finish: Sequence[int],
    level: str,
    hand: str,
    gift: str,
    options: dict[str, object],
    returns: str,
) -> None:
    last = finish[-1]
    _, moves, leader = tribute(finish, level, {1: hand, last: gift}, options)
    assert moves == {f"{last}>1": gift[:2].strip(), f"1>{last}": returns}, row
    assert leader == last


def test_29_tribute_off() -> None:
    assert tribute((3, 2, 1, 4), "4", {4: "SA"}, {"tribute": False}) == ("none", {}, 3)


def test_30_first_hand() -> None:
    hands = {1: "S3", 2: "S4", 3: "S5", 4: "S6"}
    assert tribute(None, "2", hands) == ("none", {}, 1)
    assert tribute(None, "2", hands, {"first_lead": "random"}) == ("none", {}, None)


# --- options -------------------------------------------------------------------------------------


def test_settings_refuse_what_they_do_not_know() -> None:
    for wrong in ({"colour": 1}, {"a_max_misses": 4}, {"advance_double": True}, {"tribute": 1}):
        with pytest.raises(ValueError, match="unknown option"):
            settings(options=wrong)
    with pytest.raises(ValueError, match="unknown preset"):
        settings("beijing")


def test_preset_under_options() -> None:
    assert settings() == settings("site")
    assert settings("huaian")["double_tribute_tie"] == "next"
    assert settings("nanjing", {"a_max_misses": 3}) == settings("national-2017")


# --- laws ----------------------------------------------------------------------------------------


def narrow_hand(rng: random.Random, *, size: int, level: str) -> list[str]:
    """Cards of a few neighbouring ranks, sometimes of few suits, so that shapes are common."""
    low = rng.randrange(13)
    ranks = (RANKS * 2)[low : low + rng.choice([2, 3, 5, 6])]
    suits = rng.choice([SUITS, "SHCD", "SH", "HD", "C"])
    pack = [suit + rank for suit in suits for rank in ranks] + ["X", "Y", "H" + level]
    pack = list(dict.fromkeys(pack)) * 2
    return rng.sample(pack, min(size, len(pack)))


@pytest.mark.parametrize("seed", range(4))
def test_order_of_cards_does_not_matter(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        level = rng.choice(RANKS)
        cards = narrow_hand(rng, size=rng.randint(1, 7), level=level)
        mixed = rng.sample(cards, len(cards))
        assert brute_readings(cards, level) == brute_readings(mixed, level)


@pytest.mark.parametrize("seed", range(4))
def test_readings_of_one_set_are_few_and_ordered(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        level = rng.choice(RANKS)
        cards = narrow_hand(rng, size=rng.choice([4, 5, 5, 5, 6, 6, 7]), level=level)
        readings = brute_readings(cards, level)
        assert len(readings) <= 6
        assert len(set(readings)) == len(readings)
        tubes = [kind for kind, _, _ in readings if kind == "tube"]
        assert len(tubes) <= 1 or cards.count("H" + level) == 2
        assert [kind for kind, _, _ in readings].count("plate") <= 1
        assert {"full_house", "straight"} - {kind for kind, _, _ in readings}
        for stronger, weaker in pairwise(readings):
            assert not brute_beats(weaker, stronger, level)
        strict = brute_readings(cards, level, wild_run_plain=False)
        assert strict == [r for r in readings if r in strict]
        assert readings == [
            r
            for r in brute_readings(cards, level, full_house_joker_pair=True)
            if r[0] != "full_house" or not {"X", "Y"} & set(cards)
        ]


def test_beating_is_an_order() -> None:
    rng = random.Random(0)
    seen: set[Reading] = set()
    while len(seen) < 80:
        cards = narrow_hand(rng, size=rng.randint(1, 6), level="7")
        seen.update(brute_readings(cards, "7"))
    for a in seen:
        assert not brute_beats(a, a, "7")
        assert not brute_beats(a, ("joker_bomb", None, 4), "7")
        for b in seen:
            assert not (brute_beats(a, b, "7") and brute_beats(b, a, "7"))


def test_refusals() -> None:
    two_houses = ["SK", "CK", "SQ", "DQ", "H2"]
    king, queen = ("full_house", "K", 5), ("full_house", "Q", 5)
    ace = ("full_house", "A", 5)
    assert brute_best(two_houses, None, "2", declare=queen).reading == queen
    assert brute_best(two_houses, queen, "2", declare=queen).reason == "does_not_beat"
    assert brute_best(two_houses, None, "2", declare=ace).reason == "not_a_reading"
    assert brute_best(two_houses, king, "2", declare=ace).reason == "not_a_reading"
    assert brute_best(["S3", "S5"], None, "2", declare=ace).reason == "not_a_combination"
    assert brute_best(two_houses, None, "2", ambiguous="declare").reason == "ambiguous"
    assert brute_best(two_houses, None, "2", ambiguous="declare", declare=king).allowed


def test_plays_forget_suits_but_not_wilds() -> None:
    plays = brute_plays(["S9", "C9", "D9", "H9", "H2"], "2", ("triple", "8", 3))
    assert plays == {
        ("triple", "9", 3, ("9", "9", "9"), 0, None),
        ("triple", "9", 3, ("9", "9"), 1, None),
        ("bomb", "9", 4, ("9", "9", "9", "9"), 0, None),
        ("bomb", "9", 4, ("9", "9", "9"), 1, None),
        ("bomb", "9", 5, ("9", "9", "9", "9"), 1, None),
    }


def test_plays_keep_the_suit_of_a_flush() -> None:
    hand = ["S5", "C5", "S6", "C6", "S7", "C7", "S8", "C8", "H2"]
    flushes = {play for play in brute_plays(hand, "2", None) if play[0] == "straight_flush"}
    assert {(play[1], play[5]) for play in flushes} == {
        (top, suit) for top in "89" for suit in "SC"
    }


def test_not_a_part_of_a_pack() -> None:
    with pytest.raises(ValueError, match="expected a card"):
        brute_readings(["10"], "2")
    with pytest.raises(ValueError, match="two copies"):
        brute_readings(["S9", "S9", "S9"], "2")


# --- turns beyond the case file ------------------------------------------------------------------


def test_a_refused_action_is_as_if_it_had_not_been() -> None:
    actions = [
        ["1", "play", "S5"],
        ["2", "play", "S4"],  # refused
        ["2", "play", "S9"],
        ["4", "pass"],  # refused
        ["3", "pass"],
    ]
    options = settings()
    got = brute_turn({"leader": 1, "out": [], "actions": actions}, "2", options)
    kept = [actions[0], actions[2], actions[4]]
    want = brute_turn({"leader": 1, "out": [], "actions": kept}, "2", options)
    assert got.pop("rejected") == {"index": 1, "reason": "does_not_beat"}
    assert got == want


def test_whole_hands_always_end() -> None:
    """Random tricks of singles: the wind never blows to a seat that is out."""
    rng = random.Random(7)
    options = settings()
    for _ in range(40):
        actions: list[list[str]] = []
        state: Json = {"phase": "lead", "turn": 1, "table": None}
        for _ in range(200):
            if state["phase"] == "hand_over":
                break
            key = state["table"]["key"] if state["table"] else None
            higher = RANKS[RANKS.index(key) + 1 :] if key else RANKS
            higher = higher.replace("2", "")
            if higher and (key is None or rng.random() < 0.4):
                out = ["out"] if rng.random() < 0.3 else []
                actions.append([str(state["turn"]), "play", "S" + rng.choice(higher), *out])
            else:
                actions.append([str(state["turn"]), "pass"])
            state = brute_turn({"leader": 1, "out": [], "actions": actions}, "2", options)
            assert "rejected" not in state
        assert state["phase"] == "hand_over"
        assert len(state["out"]) in (2, 3)
