"""A match to plain data and back: what the store keeps.

`dump` gives dicts with text keys, lists, text, bytes, ints, bools and None, ready for msgpack.
`load` takes nothing on trust: what comes out of a store may be damaged, or newer than this code.
Only what cannot be worked out is stored, so that most contradictions cannot even be written:

    v                 the version of this form, 2
    rules             every option by name
    standing          levels, active, owner, misses
    deal              number, seed, nonces, hands, drawn, resisted, gifts, returns
    hands             what seats 1..4 hold, 15 bytes each: a multiset as one big-endian int
    phase             name, and the fields of that phase
    turn

Ranks, cards and readings are written as `notation` writes them, a gift is [from, to, card].
Versions are read for ever: a change of the form raises `VERSION`, keeps the reader of the old one,
and adds golden files beside the old ones in `tests/engine/golden`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from guandan_engine.cards import FULL_PACK, NO_CARDS, Card, Cards
from guandan_engine.errors import OptionRefused, SnapshotError
from guandan_engine.moves import Offer
from guandan_engine.notation import card_text, rank_text, reading_text
from guandan_engine.options import OPTIONS, Rules, options_of, rules
from guandan_engine.phases import (
    PASSED,
    Following,
    HandOver,
    Leading,
    MatchOver,
    Paying,
    Phase,
    Returning,
    Shown,
    Waiting,
)
from guandan_engine.plain import (
    CARDS_BYTES,
    Plain,
    read_bytes,
    read_card,
    read_cards,
    read_count,
    read_fields,
    read_items,
    read_level,
    read_reading,
    read_row,
    read_seat,
    read_seats,
    read_team,
    wrong,
)
from guandan_engine.scoring import Outcome, Standing, finish_order, gain_of, hand_is_over
from guandan_engine.seats import SEATS, Seat, Team, partner_of, seats_from, team_of
from guandan_engine.shuffle import HAND_CARDS, NONCE_BYTES_MAX, SEED_BYTES
from guandan_engine.state import NO_DEAL, Deal, Hands, Match
from guandan_engine.tribute import Debt, Gift, eligible, returnable

__all__ = ["PARTS", "VERSION", "dump", "load"]

VERSION: Final = 2

T = TypeVar("T")


# Out.


def dump(match: Match) -> dict[str, Plain]:
    """The match as plain data; `load` gives back an equal one."""
    return {"v": VERSION, **{name: write(getattr(match, name)) for name, write in PARTS.items()}}


def _dump_standing(standing: Standing) -> dict[str, Plain]:
    return {
        "levels": {team.value: rank_text(standing.levels[team]) for team in Team},
        "active": rank_text(standing.active),
        "owner": None if standing.owner is None else standing.owner.value,
        "misses": {team.value: standing.misses[team] for team in Team},
    }


def _dump_deal(deal: Deal) -> dict[str, Plain]:
    return {
        "number": deal.number,
        "seed": deal.seed,
        "nonces": list(deal.nonces),
        "hands": _dump_hands(deal.hands),
        "drawn": [[card_text(card), seat] for card, seat in deal.drawn],
        "resisted": list(deal.resisted),
        "gifts": _dump_gifts(deal.gifts),
        "returns": _dump_gifts(deal.returns),
    }


def _dump_cards(cards: Cards) -> bytes:
    return cards.bits.to_bytes(CARDS_BYTES, "big")


def _dump_hands(hands: Hands) -> list[bytes]:
    return [_dump_cards(hand) for hand in hands]


def _dump_gifts(gifts: tuple[Gift, ...]) -> list[Plain]:
    return [[gift.donor, gift.recipient, card_text(gift.card)] for gift in gifts]


def _dump_shown(shown: Shown) -> Plain:
    if shown is None:
        return None
    if shown is PASSED:
        return "pass"
    return [_dump_cards(shown.cards), reading_text(shown.reading)]


def _dump_phase(phase: Phase) -> dict[str, Plain]:
    match phase:
        case Waiting():
            return {"name": "waiting"}
        case Paying(debts=debts, chosen=chosen):  # what may be paid follows from the hands
            owing = [[debt.donor, debt.recipient] for debt in debts]
            return {"name": "paying", "owing": owing, "chosen": _dump_gifts(chosen)}
        case Returning(chosen=chosen):  # the gifts are the deal's
            return {"name": "returning", "chosen": _dump_gifts(chosen)}
        case Leading():
            return {"name": "leading", "turn": phase.turn, "out": list(phase.out)}
        case Following():  # the top is what `by` shows
            return {
                "name": "following",
                "by": phase.by,
                "waiting": list(phase.waiting),
                "out": list(phase.out),
                "shown": [_dump_shown(one) for one in phase.shown],
                "leader": phase.leader,
            }
        case HandOver(outcome=outcome) | MatchOver(outcome=outcome):  # the places tell the gain
            return {
                "name": "match_over" if outcome.match_won else "hand_over",
                "finish": list(outcome.finish),
                "missed": [team.value for team in outcome.missed],
                "fallen": [team.value for team in outcome.fallen],
            }


_NO_DEAL: Final = _dump_deal(NO_DEAL)

PARTS: Final[Mapping[str, Callable[[Any], Plain]]] = {
    "rules": options_of,
    "standing": _dump_standing,
    "deal": _dump_deal,
    "hands": _dump_hands,
    "phase": _dump_phase,
    "turn": int,
}
"""How each field of a match is written, in order. Most are the same objects from one play to the
next, so whoever writes a match after every play need not write them again."""


# In.


def load(plain: Plain) -> Match:
    """The match that `dump` wrote; SnapshotError says where the data cannot be one."""
    version = plain.get("v") if isinstance(plain, Mapping) else None
    if type(version) is not int:
        raise wrong("snapshot", "an object with the version of its form in v")
    if version > VERSION:
        raise SnapshotError(f"written by a newer version: form {version}, this reads 1..{VERSION}")
    if version < 1:
        raise SnapshotError(f"there is no form {version} of a snapshot")
    return _load(plain)


def _load(plain: Plain) -> Match:
    of = read_fields(plain, "snapshot", "v rules standing deal hands phase turn")
    table = _load_rules(of["rules"])
    standing = _load_standing(of["standing"], table)
    deal = _load_deal(of["deal"])
    hands = _load_hands(of["hands"], "hands")
    for held, begun in zip(hands, deal.hands, strict=True):
        if not held <= begun:
            raise wrong("hands", "cards that each seat was dealt")
    phase = of["phase"] if of["v"] > 1 else _led(of["phase"])
    # The phase is read last, against all that it must agree with.
    return Match(
        rules=table,
        standing=standing,
        deal=deal,
        hands=hands,
        phase=_load_phase(phase, table, standing, deal, hands),
        turn=read_count(of["turn"], "turn"),
    )


def _led(phase: Plain) -> Plain:
    """A phase of form 1, which did not say who led the trick, with who did as far as it tells.

    Seats act in turn, so a trick whose first round is not over was led by the first seat after one
    that has not acted. Of a longer one it is not known; the last player stands for the leader,
    who is only shown and decides nothing.
    """
    match phase:
        case {"leader": _}:
            raise wrong("phase", "no leader in form 1")
        case {"name": "following", "by": 1 | 2 | 3 | 4 as by, "out": [*out], "shown": [*shown]}:
            return {**phase, "leader": _first_to_act(by, out, shown)}
        case _:
            return phase


def _first_to_act(by: Seat, out: list[Any], shown: list[Any]) -> Seat:
    leader = by
    for seat in reversed(seats_from(by)[1:]):
        if shown[seat - 1 : seat] not in ([None], []):
            leader = seat
        elif seat not in out:
            return leader
    return by


def _load_rules(plain: Plain) -> Rules:
    try:
        return rules("site", read_fields(plain, "rules", " ".join(OPTIONS)))
    except OptionRefused as error:
        raise SnapshotError(f"rules: {error}") from error


def _by_team(plain: Plain, place: str, read: Callable[[Plain, str], T]) -> dict[Team, T]:
    of = read_fields(plain, place, " ".join(Team))
    return {team: read(of[team.value], f"{place}.{team.value}") for team in Team}


def _load_standing(plain: Plain, table: Rules) -> Standing:
    of = read_fields(plain, "standing", "levels active owner misses")
    owner = of["owner"]
    standing = Standing(
        levels=_by_team(of["levels"], "standing.levels", read_level),
        active=read_level(of["active"], "standing.active"),
        owner=None if owner is None else read_team(owner, "standing.owner"),
        misses=_by_team(of["misses"], "standing.misses", read_count),
    )
    if standing.owner is None:
        if standing != Standing.start():
            raise wrong("standing", "an owner of the level once a hand has ended")
    elif standing.levels[standing.owner] != standing.active:
        raise wrong("standing.active", "its owner's level")
    most = table.a_max_misses
    if most is not None and max(standing.misses.values()) >= most:
        raise wrong("standing.misses", f"fewer than {most}")
    return standing


def _load_deal(plain: Plain) -> Deal:
    of = read_fields(plain, "deal", " ".join(_NO_DEAL))
    if not read_count(of["number"], "deal.number"):
        if of != _NO_DEAL:
            raise wrong("deal", "nothing dealt before the first hand")
        return NO_DEAL
    one, two, three, four = (
        read_bytes(nonce, "deal.nonces", least=0, most=NONCE_BYTES_MAX)
        for nonce in read_row(of["nonces"], "deal.nonces", len(SEATS))
    )
    deal = Deal(
        number=of["number"],
        seed=read_bytes(of["seed"], "deal.seed", least=SEED_BYTES, most=SEED_BYTES),
        nonces=(one, two, three, four),
        hands=_load_hands(of["hands"], "deal.hands"),
        drawn=read_items(of["drawn"], "deal.drawn", _load_drawn),
        resisted=read_seats(of["resisted"], "deal.resisted"),
        gifts=read_items(of["gifts"], "deal.gifts", _load_gift),
        returns=read_items(of["returns"], "deal.returns", _load_gift),
    )
    _check_tribute(deal)
    _check_pack(deal)
    return deal


def _load_hands(plain: Plain, place: str) -> Hands:
    one, two, three, four = read_items(read_row(plain, place, len(SEATS)), place, read_cards)
    return one, two, three, four


def _load_drawn(plain: Plain, place: str) -> tuple[Card, Seat]:
    card, seat = read_row(plain, place, 2)
    return read_card(card, place), read_seat(seat, place)


def _load_gift(plain: Plain, place: str) -> Gift:
    donor, recipient, card = read_row(plain, place, 3)
    return Gift(read_seat(donor, place), read_seat(recipient, place), read_card(card, place))


def _check_tribute(deal: Deal) -> None:
    seats = [seat for gift in deal.gifts for seat in (gift.donor, gift.recipient)]
    if len(set(seats)) < len(seats):
        raise wrong("deal.gifts", "each seat to give or to receive once")
    back = [(gift.recipient, gift.donor) for gift in deal.gifts]
    if deal.returns and [(gift.donor, gift.recipient) for gift in deal.returns] != back:
        raise wrong("deal.returns", "one for each gift, the other way")


def _check_pack(deal: Deal) -> None:
    moved = (*deal.gifts, *deal.returns)
    pack = NO_CARDS
    for seat, hand in zip(SEATS, deal.hands, strict=True):
        got = sum(gift.recipient == seat for gift in moved)
        gave = sum(gift.donor == seat for gift in moved)
        if len(hand) != HAND_CARDS + got - gave:
            raise wrong("deal.hands", f"{HAND_CARDS} cards a seat, and what tribute moved")
        try:
            pack += hand
        except ValueError:
            break
    if pack != FULL_PACK:
        raise wrong("deal.hands", "the cards of one pack")


def _load_phase(plain: Plain, table: Rules, standing: Standing, deal: Deal, hands: Hands) -> Phase:
    name = plain.get("name") if isinstance(plain, Mapping) else None
    if (name == "waiting") != (deal is NO_DEAL):
        raise wrong("phase.name", "waiting before the first hand, and only then")
    match name:
        case "waiting":
            read_fields(plain, "phase", "name")
            return Waiting()
        case "paying":
            return _load_paying(plain, standing, deal, hands)
        case "returning":
            return _load_returning(plain, table, standing, deal, hands)
        case "leading":
            return _load_leading(plain, hands)
        case "following":
            return _load_following(plain, hands)
        case "hand_over" | "match_over":
            outcome = _load_outcome(plain, table, standing, hands)
            return MatchOver(outcome) if outcome.match_won else HandOver(outcome)
        case _:
            raise wrong("phase.name", "the name of a phase")


def _load_paying(plain: Plain, standing: Standing, deal: Deal, hands: Hands) -> Paying:
    of = read_fields(plain, "phase", "name owing chosen")
    pairs = read_items(of["owing"], "phase.owing", read_seats)
    seats = [seat for pair in pairs for seat in pair]
    if not pairs or any(len(pair) != 2 for pair in pairs) or len(set(seats)) < len(seats):
        raise wrong("phase.owing", "one or two pairs of seats")
    if deal.gifts or deal.returns or hands != deal.hands:
        raise wrong("phase", "whole hands, and nothing paid")
    debts = tuple(
        Debt(donor, recipient, eligible(hands[donor - 1], standing.active))
        for donor, recipient in pairs
    )
    possible = {Gift(debt.donor, debt.recipient, card) for debt in debts for card in debt.eligible}
    return Paying(debts, _load_chosen(of["chosen"], possible, due=len(debts)))


def _load_returning(
    plain: Plain, table: Rules, standing: Standing, deal: Deal, hands: Hands
) -> Returning:
    of = read_fields(plain, "phase", "name chosen")
    if not deal.gifts or deal.returns or hands != deal.hands:
        raise wrong("phase", "whole hands, and gifts that nothing was returned for")
    possible = {
        Gift(gift.recipient, gift.donor, card)
        for gift in deal.gifts
        for card in returnable(
            hands[gift.recipient - 1],
            gift=gift.card,
            level=standing.active,
            rules=table,
            to_partner=partner_of(gift.recipient) == gift.donor,
        )
    }
    return Returning(deal.gifts, _load_chosen(of["chosen"], possible, due=len(deal.gifts)))


def _load_chosen(plain: Plain, possible: set[Gift], *, due: int) -> tuple[Gift, ...]:
    chosen = read_items(plain, "phase.chosen", _load_gift)
    choosers = {gift.donor for gift in chosen}
    if not set(chosen) <= possible or len(choosers) < len(chosen) or len(chosen) >= due:
        raise wrong("phase.chosen", "fewer choices than are due, each of them allowed")
    return chosen


def _load_out(plain: Plain, hands: Hands) -> tuple[Seat, ...]:
    out = read_seats(plain, "phase.out")
    if set(out) != _empty(hands) or hand_is_over(out):
        raise wrong("phase.out", "the seats without cards, while the hand goes on")
    return out


def _empty(hands: Hands) -> set[Seat]:
    return {seat for seat, hand in zip(SEATS, hands, strict=True) if not len(hand)}


def _load_leading(plain: Plain, hands: Hands) -> Leading:
    of = read_fields(plain, "phase", "name turn out")
    out = _load_out(of["out"], hands)
    turn = read_seat(of["turn"], "phase.turn")
    if turn in out:
        raise wrong("phase.turn", "a seat with cards")
    return Leading(turn=turn, out=out)


def _load_following(plain: Plain, hands: Hands) -> Following:
    of = read_fields(plain, "phase", "name by waiting out shown leader")
    out = _load_out(of["out"], hands)
    one, two, three, four = shown = read_items(
        read_row(of["shown"], "phase.shown", len(SEATS)), "phase.shown", _load_shown
    )
    by = read_seat(of["by"], "phase.by")
    top = shown[by - 1]
    if not isinstance(top, Offer):
        raise wrong("phase.by", "the seat whose play is to be beaten")
    leader = read_seat(of["leader"], "phase.leader")
    if shown[leader - 1] is None:
        raise wrong("phase.leader", "a seat that has played in the trick")
    waiting = read_seats(of["waiting"], "phase.waiting")
    # Seats answer in turn, so those that still have to are the last ones.
    answering = tuple([seat for seat in seats_from(by)[1:] if seat not in out])
    if not waiting or waiting != answering[-len(waiting) :]:
        raise wrong("phase.waiting", "the seats with cards that have not answered, in turn order")
    return Following(
        top=top.reading,
        by=by,
        waiting=waiting,
        out=out,
        shown=(one, two, three, four),
        leader=leader,
    )


def _load_shown(plain: Plain, place: str) -> Shown:
    if plain is None:
        return None
    if type(plain) is str:
        if plain != "pass":
            raise wrong(place, "pass, or cards and their reading")
        return PASSED
    cards, reading = read_row(plain, place, 2)
    offer = Offer(read_cards(cards, place), read_reading(reading, place))
    if len(offer.cards) != offer.reading.size:
        raise wrong(place, "as many cards as their reading has")
    return offer


def _load_outcome(plain: Plain, table: Rules, standing: Standing, hands: Hands) -> Outcome:
    of = read_fields(plain, "phase", "name finish missed fallen")
    out_count = len(_empty(hands))
    finish = read_seats(of["finish"], "phase.finish")
    out = finish[:out_count]
    if len(finish) != len(SEATS) or set(out) != _empty(hands) or not hand_is_over(out):
        raise wrong("phase.finish", "all four seats, those without cards first")
    first, second, third, last = finish
    winner = team_of(first)
    if finish != finish_order(out) or standing.owner is not winner:
        raise wrong("phase.finish", "the places of a hand that the owner of the level won")
    won = of["name"] == "match_over"
    missed = read_items(of["missed"], "phase.missed", read_team)
    fallen = read_items(of["fallen"], "phase.fallen", read_team)
    if (
        len(set(missed)) < len(missed)
        or not set(fallen) <= set(missed)
        or (won and winner in missed)
    ):
        raise wrong("phase.missed", "each team once, and those that have fallen among them")
    return Outcome(
        finish=(first, second, third, last),
        winner=winner,
        gain=gain_of((first, second, third, last), table),
        missed=missed,
        fallen=fallen,
        match_won=won,
        after=standing,
    )
