"""What a platform says, as the view that our policies decide by.

A question of the platform has the hand, the counts, the levels and the play to beat in it, and what
it says holds. What only notices tell (who played what, who went out, which cards moved) is kept
here. Whoever missed some, or hears some that cannot be, still gets a view that can be decided by:
what contradicts the question is left out of it. So each view holds to this, as those of a table
of ours do:

    counts    of 108 cards at most; who is out has none, and no two of a team are out
    played    leaves at least as many cards unseen as the others hold
    exchange  nobody surely holds a card that is not unseen; who returns a card was given one
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import evolve

from guandan_bots.dialect.words import (
    BACK,
    TRIBUTE,
    DialectError,
    Message,
    card_of_word,
    cards_of_words,
    gift_of,
    is_pass,
    level_of_word,
    offer_of,
    seat_of,
    whole,
)
from guandan_bots.known import holders
from guandan_engine.cards import FULL_PACK, NO_CARDS, Card, Cards, Rank, rank_of, wild_of
from guandan_engine.combos import Reading
from guandan_engine.display import shown_as
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.order import height
from guandan_engine.phases import PASSED, Shown
from guandan_engine.readings import readings
from guandan_engine.seats import SEATS, Seat, Team, next_seat, team_of
from guandan_engine.tribute import Gift
from guandan_engine.views import Laid, OnTable, PhaseName, Private, Public, SeatView

__all__ = ["NOTICES", "QUESTIONS", "Listener"]

HAND_CARDS: Final = 27
HAND_CARDS_MAX: Final = 28
"""After tribute, before something is returned for it."""
RESISTING_MAX: Final = 2
"""There are two big jokers."""

NOTICES: Final = frozenset(
    {
        *("beginning", "play", TRIBUTE, BACK, "anti-tribute"),
        *("episodeOver", "gameOver", "gameResult"),
    }
)
QUESTIONS: Final = {
    "play": PhaseName.LEADING,
    TRIBUTE: PhaseName.PAYING,
    BACK: PhaseName.RETURNING,
}

ANY_SHAPE: Final = Rules(full_house_joker_pair=True)
"""What may lie on a platform's table: more than ours allows."""


class Listener:
    """What one seat has heard of the hand that is on."""

    def __init__(self) -> None:
        self._seat: Seat | None = None
        self._hands = 0
        self._turn = 0
        self._winners: Team | None = None
        """Of the hand before."""
        self._deal(None)

    def _deal(self, hand: Cards | None) -> None:
        self._dealt = hand
        """What our seat began with, after what moved in tribute; None: not heard."""
        self._counts = dict.fromkeys(SEATS, HAND_CARDS)
        self._played = dict.fromkeys(SEATS, NO_CARDS)
        self._out: list[Seat] = []
        self._gifts: tuple[Gift, ...] = ()
        self._returns: tuple[Gift, ...] = ()
        self._resisted: tuple[Seat, ...] = ()
        self._clear()

    def _clear(self) -> None:
        """The trick is closed."""
        self._top: tuple[Seat, Reading] | None = None
        self._leader: Seat | None = None
        self._shown: dict[Seat, Shown] = dict.fromkeys(SEATS)
        self._waiting: set[Seat] = set()
        """Who may still answer the play on the table."""

    def hears(self, notice: Message) -> None:
        """Take a notice in; DialectError for one that makes no sense, which changes nothing."""
        match notice.get("stage"):
            case "beginning":
                hand, seat = cards_of_words(notice.get("handCards")), seat_of(notice.get("myPos"))
                self._hands += 1
                self._seat = seat
                self._deal(hand)
            case "play":
                self._acted(seat_of(notice.get("curPos")), notice.get("curAction"))
            case "tribute":
                gifts = _gifts(notice.get("result"))
                self._gifts = gifts
                self._moved(gifts)
            case "back":
                returns = _gifts(notice.get("result"))
                self._returns = returns
                self._moved(returns)
            case "anti-tribute":
                self._resisted = _seats(notice.get("antiPos"))
            case "episodeOver":
                order = _seats(notice.get("order"))
                self._winners = team_of(order[0]) if order else None
            case "gameOver":
                self._winners = None
            case _:
                pass

    def _moved(self, gifts: Sequence[Gift]) -> None:
        self._turn += 1
        for gift in gifts:
            self._counts[gift.donor] -= 1
            self._counts[gift.recipient] += 1
            card = Cards.of([gift.card])
            if self._dealt is not None and self._seat == gift.donor:
                self._dealt = self._dealt - card if card <= self._dealt else None
            if self._dealt is not None and self._seat == gift.recipient:
                try:
                    self._dealt += card
                except ValueError:  # a third copy: something was missed
                    self._dealt = None

    def _acted(self, seat: Seat, action: object) -> None:
        if is_pass(action):
            self._turn += 1
            self._shown[seat] = PASSED
            self._waiting.discard(seat)
            if not self._waiting:
                self._clear()
            return
        offer = offer_of(action)
        self._turn += 1
        if self._top is None:
            self._leader = seat
        self._top = seat, offer.reading
        self._shown[seat] = offer
        try:
            self._played[seat] += offer.cards
        except ValueError:  # a third copy: something was missed
            self._played[seat] = offer.cards
        self._counts[seat] = max(self._counts[seat] - len(offer.cards), 0)
        if not self._counts[seat] and seat not in self._out:
            self._out.append(seat)
        self._waiting = {other for other in SEATS if other != seat and other not in self._out}

    def asked(self, question: Message) -> SeatView:
        """What our seat knows when it is asked; DialectError if the question makes no sense."""
        stage = question.get("stage")
        phase = QUESTIONS.get(stage) if isinstance(stage, str) else None
        if phase is None:
            raise DialectError("a question: play, tribute or back", stage)
        hand = cards_of_words(question.get("handCards"))
        if not 0 < len(hand) <= HAND_CARDS_MAX:
            raise DialectError(f"a hand of 1 to {HAND_CARDS_MAX} cards", question["handCards"])
        level = level_of_word(question.get("curRank"))
        said = _counts(question.get("publicInfo"))
        seat = self._our_seat(question, said, hand)
        counts = self._possible(said, hand, seat)
        top, by = self._to_beat(question, seat) if phase is PhaseName.LEADING else (None, None)
        if top is not None:
            phase = PhaseName.FOLLOWING
        elif phase is PhaseName.LEADING:
            self._clear()
        self._out = [other for other in self._out if not counts[other]]
        self._out += [other for other in SEATS if not counts[other] and other not in self._out]
        self._counts = dict(counts)
        team = team_of(seat)
        levels = {
            team: _level(question.get("selfRank"), level),
            team.other: _level(question.get("oppoRank"), level),
        }
        shown = {other: _laid(lies, level) for other, lies in self._shown.items()}
        public = Public(
            phase=phase,
            turn=self._turn,
            asked=(seat,),
            hand=max(self._hands, 1),
            level=level,
            owner=self._owner(levels, level),
            levels=levels,
            misses=dict.fromkeys(Team, 0),
            counts=(counts[SEATS[0]], counts[SEATS[1]], counts[SEATS[2]], counts[SEATS[3]]),
            out=tuple(self._out),
            top=top,
            by=by,
            leader=self._leader if top is not None else None,
            shown=(shown[SEATS[0]], shown[SEATS[1]], shown[SEATS[2]], shown[SEATS[3]]),
            played=self._known_played(hand, seat, counts),
            drawn=(),
            owing=(),
            resisted=self._resisted,
            gifts=self._gifts,
            returns=self._returns,
            outcome=None,
            left=None,
        )
        private = _private(hand, phase, question)
        return _exchanged(SeatView(seat=seat, public=public, private=private))

    def _possible(self, said: dict[Seat, int] | None, hand: Cards, seat: Seat) -> dict[Seat, int]:
        """The cards that each seat holds: as was said, or as we counted, or as a hand begins."""
        for known in (said, self._counts):
            if known is not None:
                counts = {**known, seat: len(hand)}
                if _can_be(counts):
                    return counts
        return {**dict.fromkeys(SEATS, HAND_CARDS), seat: len(hand)}

    def _our_seat(self, question: Message, counts: dict[Seat, int] | None, hand: Cards) -> Seat:
        """As the hand began; a platform that was joined late may say, or the counts may tell."""
        if self._seat is None:
            try:
                self._seat = seat_of(question.get("myPos"))
            except DialectError:
                fitting = [s for s in SEATS if counts is None or counts[s] == len(hand)]
                return fitting[0] if fitting else SEATS[0]
        return self._seat

    def _to_beat(self, question: Message, me: Seat) -> tuple[Reading | None, Seat | None]:
        pos, action = question.get("greaterPos"), question.get("greaterAction")
        try:
            by, offer = seat_of(pos), offer_of(action)
        except DialectError:
            return None, None  # -1, null and three nulls all say that there is nothing
        if by == me:
            return None, None
        if self._top != (by, offer.reading):
            self._top, self._leader = (by, offer.reading), self._leader or by
            self._shown[by] = offer
        return offer.reading, by

    def _known_played(
        self, hand: Cards, seat: Seat, counts: dict[Seat, int]
    ) -> tuple[Cards, Cards, Cards, Cards]:
        """What each seat has played; nothing at all if that does not add up."""
        played = dict(self._played)
        if self._dealt is not None and hand <= self._dealt:
            played[seat] = self._dealt - hand  # whether or not we were told of our own plays
        one, two, three, four = (played[s] for s in SEATS)
        try:
            known = hand + one + two + three + four
        except ValueError:
            known = None
        held = sum(counts.values()) - len(hand)
        if known is None or not known <= FULL_PACK or len(FULL_PACK - known) < held:
            return NO_CARDS, NO_CARDS, NO_CARDS, NO_CARDS
        return one, two, three, four

    def _owner(self, levels: dict[Team, Rank], level: Rank) -> Team | None:
        able = [team for team in Team if levels[team] == level]
        return able[0] if len(able) == 1 else self._winners


def _can_be(counts: dict[Seat, int]) -> bool:
    """Can somebody be asked while the seats hold so many cards?"""
    held = list(counts.values())
    out = [seat for seat in SEATS if not counts[seat]]
    is_over = any(team_of(seat) == team_of(other) for seat in out for other in out if seat < other)
    few = all(0 <= count <= HAND_CARDS_MAX for count in held)
    return few and sum(held) <= len(FULL_PACK) and not is_over


def _exchanged(view: SeatView) -> SeatView:
    """With no more of what moved in tribute than can be, and whom to return a card to."""
    public, hand = view.public, view.private.hand
    unseen = FULL_PACK - hand
    for played in public.played:
        unseen -= played
    surely = holders(view)
    resisted = public.resisted
    if (
        any(len(seats) > unseen.count(card) for card, seats in surely.items())
        or len(set(resisted)) < len(resisted)
        or len(resisted) > RESISTING_MAX
    ):
        public = evolve(public, gifts=(), returns=(), resisted=())
    if public.phase is PhaseName.RETURNING and all(
        gift.recipient != view.seat for gift in public.gifts
    ):
        # We do not know who gave, or which card: an opponent, as a rule, and the best there is.
        level = public.level
        naturals = [card for card in hand if card != wild_of(level)]
        best = max(naturals or hand, key=lambda card: height(rank_of(card), level))
        gift = Gift(next_seat(view.seat), view.seat, best)
        public = evolve(public, gifts=(*public.gifts, gift))
    return evolve(view, public=public)


def _private(hand: Cards, phase: PhaseName, question: Message) -> Private:
    if phase not in (PhaseName.PAYING, PhaseName.RETURNING):
        return Private(hand)
    actions = question.get("actionList")
    if not isinstance(actions, list):
        raise DialectError("a list of actions", actions)
    cards: list[Card] = []
    for action in actions:
        card = gift_of(action)
        if card not in cards and hand.count(card):
            cards.append(card)
    if not cards:
        raise DialectError("actions with cards of the hand", actions)
    private = Private(hand)
    if phase is PhaseName.PAYING:
        return evolve(private, pay=tuple(cards))
    return evolve(private, give_back=tuple(cards))


def _laid(lies: Shown, level: Rank) -> OnTable:
    # Notices do not say the level, so what wilds stand for is found out when we are asked.
    if not isinstance(lies, Offer):
        return lies
    possible = lies.reading in readings(lies.cards, level, ANY_SHAPE)
    as_shown = shown_as(lies.cards, lies.reading, level) if possible else ()
    return Laid(lies.cards, lies.reading, as_shown)


def _level(word: object, otherwise: Rank) -> Rank:
    try:
        return level_of_word(word)
    except DialectError:
        return otherwise


def _counts(seats: object) -> dict[Seat, int] | None:
    """The cards that each seat holds; None if it does not say."""
    match seats:
        case [{"rest": a}, {"rest": b}, {"rest": c}, {"rest": d}]:
            rests = [whole(rest) for rest in (a, b, c, d)]
        case _:
            return None
    counts = {seat: rest for seat, rest in zip(SEATS, rests, strict=True) if rest is not None}
    return counts if len(counts) == len(SEATS) else None


def _seats(positions: object) -> tuple[Seat, ...]:
    if not isinstance(positions, list):
        raise DialectError("a list of seats", positions)
    return tuple([seat_of(pos) for pos in positions])


def _gifts(result: object) -> tuple[Gift, ...]:
    if not isinstance(result, list):
        raise DialectError("a list of [giver, receiver, card]", result)
    return tuple([_gift(one) for one in result])


def _gift(moved: Any) -> Gift:
    match moved:
        case [giver, receiver, card]:
            return Gift(seat_of(giver), seat_of(receiver), card_of_word(card))
        case _:
            raise DialectError("[giver, receiver, card]", moved)
