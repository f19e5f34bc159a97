"""A referee for single questions in plain data, the format of `docs/judge.md`.

Each kind of case asks one value of the engine: `readings`, `beating` and `judge`, `tribute`,
`scoring`, `play`. Hands may be partial. `CaseError` names what is wrong with a case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from guandan_engine import play, tribute
from guandan_engine.cards import Card, Cards, Rank, rank_of, wild_of
from guandan_engine.combos import Combo, Reading, reading
from guandan_engine.errors import EngineError, IllegalCommand, Reason
from guandan_engine.events import TrickClosed
from guandan_engine.moves import Offer
from guandan_engine.notation import card_text, level_of, parse_card, parse_cards, rank_text
from guandan_engine.options import Rules, rules
from guandan_engine.phases import Following, Leading
from guandan_engine.readings import beating, judge, readings
from guandan_engine.scoring import Standing, hand_is_over, settle
from guandan_engine.seats import SEATS, Seat, Team, partner_of

__all__ = ["CaseError", "agrees", "decide"]

Plain = Any
"""Parsed JSON, checked as it is read."""


class CaseError(EngineError):
    """A case that cannot be read: which part, and why."""


def decide(case: Plain) -> dict[str, Plain]:
    """The referee's answer, shaped as the case's `expect`; CaseError if the case is malformed."""
    if not isinstance(case, dict):
        raise CaseError("a case is an object")
    kind = _text(case.get("kind"), "kind")
    deciders = {
        "classify": _classify,
        "beats": _beats,
        "tribute": _tribute,
        "advance": _advance,
        "turn": _turn,
    }
    if kind not in deciders:
        raise CaseError(f"kind: expected one of {', '.join(deciders)}, got {kind!r}")
    try:
        table = rules(case.get("preset", "site"), _mapping(case.get("options", {}), "options"))
        level = level_of(_text(case.get("level"), "level"))
        return deciders[kind](_mapping(case.get("input"), "input"), level, table)
    except KeyError as error:
        raise CaseError(f"input: {error.args[0]!r} is missing or unknown") from error
    except (TypeError, ValueError) as error:
        raise CaseError(str(error)) from error
    except EngineError as error:
        raise error if isinstance(error, CaseError) else CaseError(str(error)) from error


def agrees(expect: Plain, result: Plain, path: str = "") -> list[str]:
    """The differences, one line each: what `expect` says must hold, more in `result` is fine.

    But a refusal (`rejected`) or a recipient in `returns` that `expect` does not name is a
    difference. Cards in `returns` and `eligible` are sets and compared without order.
    """
    if isinstance(expect, dict) and isinstance(result, dict):
        lines = []
        for key, value in expect.items():
            place = f"{path}.{key}" if path else key
            if key not in result:
                lines.append(f"{place}: expected {value!r}, got nothing")
            else:
                lines += agrees(value, result[key], place)
        for key in result:
            place = f"{path}.{key}" if path else key
            if key not in expect and (path == "returns" or place == "rejected"):
                lines.append(f"{place}: not expected")
        return lines
    if isinstance(expect, list) and isinstance(result, list):
        if path.startswith("returns.") or path.endswith(".eligible"):
            expect, result = sorted(expect, key=str), sorted(result, key=str)
        if len(expect) == len(result):
            pairs = enumerate(zip(expect, result, strict=True))
            return [line for i, (a, b) in pairs for line in agrees(a, b, f"{path}[{i}]")]
    if expect == result and type(expect) is type(result):
        return []
    return [f"{path}: expected {expect!r}, got {result!r}"]


# Plain data in.


def _mapping(value: Plain, what: str) -> Mapping[str, Plain]:
    if not isinstance(value, dict):
        raise CaseError(f"{what}: expected an object, got {value!r}")
    return value


def _list(value: Plain, what: str) -> Sequence[Plain]:
    if not isinstance(value, list):
        raise CaseError(f"{what}: expected a list, got {value!r}")
    return value


def _text(value: Plain, what: str) -> str:
    if not isinstance(value, str):
        raise CaseError(f"{what}: expected text, got {value!r}")
    return value


def _cards(value: Plain, what: str = "cards") -> Cards:
    words = [_text(card, what) for card in _list(value, what)]
    if any(len(word.split()) != 1 for word in words):
        raise CaseError(f"{what}: expected single cards")
    return parse_cards(" ".join(words))


def _seat(value: Plain, what: str) -> Seat:
    """A seat, as a number or as the text of one."""
    number = int(value) if isinstance(value, str) and value.isdecimal() else value
    if type(number) is not int or number not in SEATS:
        raise CaseError(f"{what}: expected a seat 1..4, got {value!r}")
    return Seat(number)


def _seats(value: Plain, what: str) -> tuple[Seat, ...]:
    seats = tuple(_seat(seat, what) for seat in _list(value, what))
    if len(set(seats)) != len(seats):
        raise CaseError(f"{what}: a seat stands twice")
    return seats


def _finish(value: Plain) -> tuple[Seat, Seat, Seat, Seat]:
    seats = _seats(value, "finish")
    if len(seats) != len(SEATS):
        raise CaseError("finish: expected all four seats")
    return seats[0], seats[1], seats[2], seats[3]


def _reading(value: Plain, what: str) -> Reading | None:
    if value is None:
        return None
    given = _mapping(value, what)
    try:
        combo = Combo(_text(given["type"], what))
        key = given.get("key")
        rank = None if key is None else _rank(_text(key, what))
        return reading(combo, rank, given.get("len"))
    except (KeyError, ValueError) as error:
        raise CaseError(f"{what}: no such reading: {value!r}") from error


def _rank(text: str) -> Rank:
    return Rank.SMALL_JOKER if text == "X" else Rank.BIG_JOKER if text == "Y" else level_of(text)


def _plain(one: Reading) -> dict[str, Plain]:
    key = None if one.key is None else rank_text(one.key)
    return {"type": one.combo.value, "key": key, "len": one.size}


# The five questions.


def _classify(given: Mapping[str, Plain], level: Rank, table: Rules) -> dict[str, Plain]:
    found = readings(_cards(given["cards"]), level, table)
    return {"readings": [_plain(one) for one in found]}


def _beats(given: Mapping[str, Plain], level: Rank, table: Rules) -> dict[str, Plain]:
    top = _reading(given.get("table"), "table")
    cards = _cards(given["cards"])
    declared = _reading(given.get("declare"), "declare")
    able = beating(readings(cards, level, table), top, level)
    result: dict[str, Plain] = {
        "allowed": False,
        "as": None,
        "all": [_plain(one) for one in able],
    }
    try:
        result |= {"allowed": True, "as": _plain(judge(cards, declared, top, level, table))}
    except IllegalCommand as refusal:
        result["reason"] = refusal.reason.value
    return result


def _tribute(given: Mapping[str, Plain], level: Rank, table: Rules) -> dict[str, Plain]:
    hands = {
        _seat(seat, "hands"): _cards(cards, f"hands.{seat}")
        for seat, cards in _mapping(given["hands"], "hands").items()
    }
    nothing = {"kind": "none", "gifts": [], "returns": {}}
    if given.get("finish") is None:
        return nothing | {"leader": _opener(given, level, table)}
    finish = _finish(given["finish"])
    if not table.tribute:
        return nothing | {"leader": finish[0]}
    needed = [*tribute.donors(finish)]
    missing = [seat for seat in needed if seat not in hands]
    if missing:
        raise CaseError(f"hands: seat {missing[0]} pays and has no hand")
    if tribute.resisters(finish, hands):
        return nothing | {"kind": "resisted", "leader": finish[0]}
    debts = tribute.debts(finish, hands, level, table)
    gifts = [tribute.Gift(d.donor, d.recipient, d.eligible[0]) for d in debts]
    known = {seat: hands.get(seat, Cards()) for seat in SEATS}
    after = tribute.exchanged(known, gifts)
    return {
        "kind": "double" if len(debts) == 2 else "single",
        "gifts": [
            {
                "from": debt.donor,
                "to": debt.recipient,
                "rank": rank_text(rank_of(debt.eligible[0])),
                "eligible": [card_text(card) for card in debt.eligible],
            }
            for debt in debts
        ],
        "returns": {
            str(gift.recipient): _returns(after[gift.recipient], gift, level, table)
            for gift in gifts
            if gift.recipient in hands
        },
        "leader": debts[0].donor,
    }


def _returns(hand: Cards, gift: tribute.Gift, level: Rank, table: Rules) -> list[str]:
    cards = tribute.returnable(
        hand,
        gift=gift.card,
        level=level,
        rules=table,
        to_partner=partner_of(gift.recipient) == gift.donor,
    )
    return [card_text(card) for card in cards]


def _opener(given: Mapping[str, Plain], level: Rank, table: Rules) -> Seat | None:
    """Who opens the match; None where only a seed could tell."""
    if table.first_lead == "seat1":
        return SEATS[0]
    for turned in _list(given.get("drawn", []), "drawn"):
        card: Card = parse_card(_text(turned["card"], "drawn.card"))
        if rank_of(card) <= Rank.ACE and card != wild_of(level):
            return _seat(turned["seat"], "drawn.seat")
    return None


def _teams(value: Plain, what: str) -> Mapping[Team, Plain]:
    return {Team(team): of_team for team, of_team in _mapping(value, what).items()}


def _misses(value: Plain) -> int:
    if type(value) is not int or value < 0:
        raise CaseError(f"misses: expected a count, got {value!r}")
    return value


def _advance(given: Mapping[str, Plain], level: Rank, table: Rules) -> dict[str, Plain]:
    of_team = _teams(given["levels"], "levels")
    levels = {team: level_of(_text(rank, "levels")) for team, rank in of_team.items()}
    active = _mapping(given["active"], "active")
    owner = active.get("owner")
    misses = _teams(given.get("misses", {"13": 0, "24": 0}), "misses")
    before = Standing(
        levels={team: levels[team] for team in Team},
        active=level_of(_text(active["rank"], "active.rank")),
        owner=None if owner is None else Team(owner),
        misses={team: _misses(misses[team]) for team in Team},
    )
    outcome = settle(before, _finish(given["finish"]), table)
    after = outcome.after
    over = outcome.match_won
    return {
        "winner_team": outcome.winner.value,
        "gain": outcome.gain,
        "levels": {team.value: rank_text(after.levels[team]) for team in Team},
        "next": None if over else {"rank": rank_text(after.active), "owner": outcome.winner.value},
        "match_over": over,
        "match_winner": outcome.winner.value if over else None,
        "misses": {team.value: after.misses[team] for team in Team},
    }


def _turn(given: Mapping[str, Plain], level: Rank, table: Rules) -> dict[str, Plain]:
    """Actions in turn, enough cards assumed held; a refused one changes nothing."""
    out = _seats(given.get("out", []), "out")
    leader = _seat(given["leader"], "leader")
    if leader in out:
        raise CaseError("leader: that seat is out")
    phase: Leading | Following = Leading(turn=leader, out=out)
    closed: TrickClosed | None = None
    rejected: dict[str, Plain] | None = None
    for index, action in enumerate(_list(given["actions"], "actions")):
        seat, verb, *rest = _list(action, f"actions[{index}]")
        try:
            phase, trick = _act(phase, _seat(seat, "actions"), verb, rest, level, table)
            closed = trick or closed
        except IllegalCommand as refusal:
            rejected = rejected or {"index": index, "reason": refusal.reason.value}
    over = hand_is_over(phase.out)
    following = isinstance(phase, Following) and not over
    result: dict[str, Plain] = {
        "phase": "hand_over" if over else "follow" if following else "lead",
        "turn": None if over else phase.turn,
        "trick_winner": closed.winner if closed else None,
        "jiefeng": closed.jiefeng if closed else False,
        "out": list(phase.out),
        "table": _plain(phase.top) if isinstance(phase, Following) and not over else None,
    }
    return result | ({"rejected": rejected} if rejected else {})


def _act(
    phase: Leading | Following,
    seat: Seat,
    verb: Plain,
    rest: Sequence[Plain],
    level: Rank,
    table: Rules,
) -> tuple[Leading | Following, TrickClosed | None]:
    if verb not in ("play", "pass"):
        raise CaseError(f"actions: expected play or pass, got {verb!r}")
    if hand_is_over(phase.out):
        raise IllegalCommand(Reason.HAND_OVER)
    play.check_turn(phase, seat)
    if verb == "pass":
        if isinstance(phase, Leading):
            raise IllegalCommand(Reason.LEADER_MUST_PLAY)
        after, closed = play.give_up(phase)
        return after, (closed[0] if closed else None)
    emptied = bool(rest) and rest[-1] == "out"
    cards = _cards(list(rest[:-1] if emptied else rest))
    top = phase.top if isinstance(phase, Following) else None
    offer = Offer(cards, judge(cards, None, top, level, table))
    return play.lay(phase, offer, emptied=emptied), None
