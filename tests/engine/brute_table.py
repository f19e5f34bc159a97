"""The slow referee's other half: tribute, levels and turns, told as a person would tell them.

Each function takes the `input` of a case in `tests/cases/rule-cases.jsonl`, the level of the hand
and a complete set of options (see `settings`), and gives what the case calls `expect`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.engine.brute import (
    JOKERS,
    RANKS,
    SUITS,
    Reading,
    brute_best,
    level_order,
    rank_of,
    wild_of,
)

Json = dict[str, Any]
Options = Mapping[str, Any]

# --- options -------------------------------------------------------------------------------------

VALUES: dict[str, list[Any]] = {
    "first_lead": ["seat1", "random", "drawn_card"],
    "advance_double": [3, 4],
    "a_win_on": ["rank", "own", "any"],
    "a_max_misses": [None, 2, 3],
    "a_miss_scope": ["own", "at_a"],
    "full_house_joker_pair": [False, True],
    "wild_run_plain": [True, False],
    "ambiguous_play": ["auto", "declare"],
    "tribute": [True, False],
    "tribute_pick": ["auto", "payer"],
    "double_tribute_tie": ["next", "prev"],
    "return_rule": ["le10", "le10_to_partner", "any"],
    "return_level_card": [False, True],
    "return_gift": [False, True],
    "return_fallback": ["lowest", "any"],
    "show_counts": ["always", "le10"],
}
"""Every option with its values, default first."""

NATIONAL: Json = {
    "first_lead": "drawn_card",
    "a_win_on": "own",
    "a_max_misses": 3,
    "full_house_joker_pair": True,
    "double_tribute_tie": "prev",
    "show_counts": "le10",
}

PRESETS: dict[str, Json] = {
    "site": {},
    "tournament": {"a_win_on": "own", "full_house_joker_pair": True},
    "house": {"a_win_on": "own", "full_house_joker_pair": True, "a_max_misses": 3},
    "national-2017": NATIONAL,
    "huaian": {**NATIONAL, "return_rule": "any", "double_tribute_tie": "next"},
    "nanjing": {**NATIONAL, "a_max_misses": 2},
}


def settings(preset: str | None = None, options: Options | None = None) -> Json:
    """All sixteen options: those given, then the preset's, then the defaults.

    ValueError for an unknown preset, name or value.
    """
    if (preset or "site") not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}")
    chosen = {**PRESETS[preset or "site"], **(options or {})}
    for name, value in chosen.items():
        if not any(type(value) is type(known) and value == known for known in VALUES.get(name, [])):
            raise ValueError(f"unknown option {name}={value!r}")
    return {name: chosen.get(name, values[0]) for name, values in VALUES.items()}


# --- seats ---------------------------------------------------------------------------------------


def seat_after(seat: int) -> int:
    return {1: 2, 2: 3, 3: 4, 4: 1}[seat]


def seat_before(seat: int) -> int:
    return {1: 4, 2: 1, 3: 2, 4: 3}[seat]


def partner_of(seat: int) -> int:
    return {1: 3, 2: 4, 3: 1, 4: 2}[seat]


def team_of(seat: int) -> str:
    return "13" if seat in (1, 3) else "24"


# --- tribute -------------------------------------------------------------------------------------


def brute_tribute(
    case: Mapping[str, Any],
    level: str,
    options: Options,
    chosen: Mapping[int, str] | None = None,
) -> Json:
    """Who gives what to whom, what may be returned, and who leads.

    `case` has `finish` of the last hand (None before the first), `hands` by seat as text, and
    `drawn` if the opener is drawn. `chosen` names the gift of a donor with equal cards to choose
    from; a donor it does not name gives the first of them in the order S, H, C, D. The leader is
    None where chance alone decides.
    """
    finish: list[int] | None = case["finish"]
    if finish is None:
        return _no_tribute("none", _opener(case, level, options["first_lead"]))
    first, second, third, last = finish
    if not options["tribute"]:
        return _no_tribute("none", first)

    hands: dict[int, list[str]] = {int(seat): list(cs) for seat, cs in case["hands"].items()}
    double = partner_of(first) == second
    donors = [third, last] if double else [last]
    if sum(hands.get(donor, []).count("Y") for donor in donors) == 2:
        return _no_tribute("resisted", first)

    eligible = {donor: _gift_choices(hands[donor], level) for donor in donors}
    pairs = [(last, first)]
    if double:
        to_first = _donor_to_first(first, eligible, level, options["double_tribute_tie"])
        pairs = [(to_first, first), (partner_of(to_first), second)]

    gifts, returns = [], {}
    for donor, recipient in pairs:
        gift = (chosen or {}).get(donor, eligible[donor][0])
        if gift not in eligible[donor]:
            raise ValueError(f"expected one of {eligible[donor]} from seat {donor}, got {gift}")
        gifts.append(
            {"from": donor, "to": recipient, "rank": rank_of(gift), "eligible": eligible[donor]}
        )
        returns[str(recipient)] = _return_choices(
            hands[recipient], gift, level, to_partner=partner_of(donor) == recipient, **options
        )
    kind = "double" if double else "single"
    return {"kind": kind, "gifts": gifts, "returns": returns, "leader": pairs[0][0]}


def _no_tribute(kind: str, leader: int | None) -> Json:
    return {"kind": kind, "gifts": [], "returns": {}, "leader": leader}


def _opener(case: Mapping[str, Any], level: str, first_lead: str) -> int | None:
    if first_lead == "seat1":
        return 1
    if first_lead == "random":
        return None
    for drawn in case["drawn"]:
        if drawn["card"] not in JOKERS and drawn["card"] != wild_of(level):
            seat: int = drawn["seat"]
            return seat
    raise ValueError("every drawn card was a joker or a wild")


def _gift_choices(hand: Sequence[str], level: str) -> list[str]:
    """The donor's highest cards; wilds stay at home."""
    order = level_order(level)
    cards = {card for card in hand if card != wild_of(level)}
    if not cards:
        raise ValueError("a donor holds nothing but wilds")
    highest = max(order.index(rank_of(card)) for card in cards)
    return _tidy(card for card in cards if order.index(rank_of(card)) == highest)


def _donor_to_first(first: int, eligible: Mapping[int, Sequence[str]], level: str, tie: str) -> int:
    """The donor whose gift is higher; of equal ones the option decides."""
    order = level_order(level)
    value = {donor: order.index(rank_of(cards[0])) for donor, cards in eligible.items()}
    best = [donor for donor in value if value[donor] == max(value.values())]
    if len(best) == 1:
        return best[0]
    return seat_after(first) if tie == "next" else seat_before(first)


def _return_choices(
    held: Sequence[str],
    gift: str,
    level: str,
    *,
    to_partner: bool,
    return_rule: str,
    return_level_card: bool,
    return_gift: bool,
    return_fallback: str,
    **_other: Any,
) -> list[str]:
    """Faces the recipient may give back; `held` is the hand before the gift came.

    The gift is barred as a face: a copy held before may go. The fallback looks at every face that
    is not barred, level cards included, because it is reached only when nothing else will do.
    """
    faces = set(held)
    if return_gift:
        faces.add(gift)
    if not faces:
        raise ValueError("the recipient holds nothing to return")
    if return_rule == "any" or (return_rule == "le10_to_partner" and not to_partner):
        return _tidy(faces)
    low = {card for card in faces if rank_of(card) in "23456789T" and card != wild_of(level)}
    if not return_level_card:
        low = {card for card in low if rank_of(card) != level}
    if low:
        return _tidy(low)
    if return_fallback == "any":
        return _tidy(faces)
    order = level_order(level)
    lowest = min(order.index(rank_of(card)) for card in faces)
    return _tidy(card for card in faces if order.index(rank_of(card)) == lowest)


def _tidy(cards: Iterable[str]) -> list[str]:
    """Faces by suit S, H, C, D, then jokers; within a suit by rank."""
    order = [suit + rank for suit in SUITS for rank in RANKS] + list(JOKERS)
    return sorted(cards, key=order.index)


# --- levels --------------------------------------------------------------------------------------


def brute_advance(case: Mapping[str, Any], options: Options) -> Json:
    """What a finished hand does to levels, misses and the match.

    `case` has `levels`, `active` (`rank`, `owner`), `misses` and `finish`. The loser of the last
    hand of a match is treated as after any other hand: it takes its miss, and its reset.
    """
    before: dict[str, str] = dict(case["levels"])
    active_rank, owner = case["active"]["rank"], case["active"]["owner"]
    misses: dict[str, int] = dict(case["misses"])
    finish: list[int] = case["finish"]

    winner = team_of(finish[0])
    partner_place = finish.index(partner_of(finish[0])) + 1
    gain = {2: options["advance_double"], 3: 2, 4: 1}[partner_place]

    won = before[winner] == "A" and partner_place != 4
    if options["a_win_on"] == "own":
        won = won and active_rank == "A" and owner == winner
    if options["a_win_on"] == "rank":
        won = won and active_rank == "A"

    after = dict(before)
    for _ in range(gain):
        if after[winner] != "A":
            after[winner] = RANKS[RANKS.index(after[winner]) + 1]

    for team in ("13", "24"):
        if before[team] != "A" or (won and team == winner):
            continue
        owned_this_a = active_rank == "A" and owner == team
        if owned_this_a or options["a_miss_scope"] == "at_a":
            misses[team] += 1
            if misses[team] == options["a_max_misses"]:
                after[team] = "2"
                misses[team] = 0

    return {
        "winner_team": winner,
        "gain": gain,
        "levels": after,
        "next": None if won else {"rank": after[winner], "owner": winner},
        "match_over": won,
        "match_winner": winner if won else None,
        "misses": misses,
    }


# --- turns ---------------------------------------------------------------------------------------


def brute_turn(case: Mapping[str, Any], level: str, options: Options) -> Json:
    """Play the `actions` one after another; enough cards are assumed held.

    `case` has `leader`, `out` (seats already out, in order) and `actions`. A refused action changes
    nothing and play goes on; `rejected`, present only then, reports the first of them.
    """
    table = _Table(leader=case["leader"], out=case["out"])
    rejected: Json | None = None
    for index, (seat, verb, *rest) in enumerate(case["actions"]):
        goes_out = rest[-1:] == ["out"]
        cards = rest[:-1] if goes_out else rest
        if verb == "pass":
            reason = table.pass_(int(seat))
        else:
            reason = table.play(int(seat), cards, goes_out, level, options)
        if reason is not None and rejected is None:
            rejected = {"index": index, "reason": reason}
    result = table.report()
    if rejected is not None:
        result["rejected"] = rejected
    return result


class _Table:
    """Four seats around a trick."""

    def __init__(self, *, leader: int, out: Sequence[int]) -> None:
        self.turn = leader
        self.out = list(out)
        self.top: Reading | None = None
        self.top_seat = 0
        self.passed: set[int] = set()
        self.trick_winner: int | None = None
        self.jiefeng = False

    def over(self) -> bool:
        """Three are out, or both of one team."""
        return len(self.out) >= 3 or any(partner_of(seat) in self.out for seat in self.out)

    def play(
        self, seat: int, cards: Sequence[str], goes_out: bool, level: str, options: Options
    ) -> str | None:
        """The reason of a refusal, or None."""
        if self.over():
            return "hand_over"
        if seat != self.turn:
            return "not_your_turn"
        verdict = brute_best(
            cards,
            self.top,
            level,
            ambiguous=options["ambiguous_play"],
            full_house_joker_pair=options["full_house_joker_pair"],
            wild_run_plain=options["wild_run_plain"],
        )
        if not verdict.allowed:
            return verdict.reason
        self.top, self.top_seat, self.passed = verdict.reading, seat, set()
        if goes_out:
            self.out.append(seat)
        if not self.over():
            self.turn = self._holder_after(seat)
        return None

    def pass_(self, seat: int) -> str | None:
        """The reason of a refusal, or None."""
        if self.over():
            return "hand_over"
        if seat != self.turn:
            return "not_your_turn"
        if self.top is None:
            return "leader_must_play"
        self.passed.add(seat)
        to_answer = [s for s in (1, 2, 3, 4) if s not in self.out and s != self.top_seat]
        if all(s in self.passed for s in to_answer):
            self._close()
        else:
            self.turn = self._holder_after(seat)
        return None

    def _close(self) -> None:
        self.trick_winner = self.top_seat
        self.jiefeng = self.top_seat in self.out
        self.turn = partner_of(self.top_seat) if self.jiefeng else self.top_seat
        if self.turn in self.out:
            raise AssertionError("the wind blows to a seat that is out")
        self.top, self.passed = None, set()

    def _holder_after(self, seat: int) -> int:
        seat = seat_after(seat)
        while seat in self.out:
            seat = seat_after(seat)
        return seat

    def report(self) -> Json:
        over = self.over()
        phase = "hand_over" if over else "lead" if self.top is None else "follow"
        table = None
        if self.top is not None and not over:
            table = dict(zip(("type", "key", "len"), self.top, strict=True))
        return {
            "phase": phase,
            "turn": None if over else self.turn,
            "out": self.out,
            "table": table,
            "trick_winner": self.trick_winner,
            "jiefeng": self.jiefeng,
        }
