"""What our table says to a guest who speaks the dialect.

A guest gets what its seat gets and nothing more: all of this is made from views and events as the
protocol brings them. `Teller` turns what happens into notices; `ask` asks the seat for an action.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from attrs import frozen

from guandan_bots.dialect.plays import every_play
from guandan_bots.dialect.words import (
    BACK,
    PASSING,
    TRIBUTE,
    Action,
    Message,
    action_of,
    card_word,
    gift_action,
    hand_words,
    level_word,
    pos_of,
)
from guandan_bots.policy import PASS, Choice, Give
from guandan_engine.cards import Cards, Rank
from guandan_engine.combos import Reading
from guandan_engine.moves import Offer
from guandan_engine.options import Rules
from guandan_engine.phases import PASSED
from guandan_engine.seats import Seat, Team, prev_seat, team_of
from guandan_engine.tribute import Gift
from guandan_engine.views import (
    CardsReturned,
    Dealt,
    HandEnded,
    Laid,
    Passed,
    PhaseName,
    Played,
    Public,
    SeatEvent,
    SeatView,
    TributePaid,
    TributeResisted,
)

__all__ = ["Ask", "Teller", "ask", "game_over", "game_result"]

HAND_CARDS: Final = 27
NOBODY: Final = -1


@frozen
class Ask:
    """A question, and what each number that may be its answer means."""

    message: Message
    choices: tuple[Choice, ...]


class Teller:
    """Tells one seat what happens; it remembers the play that is to be beaten."""

    def __init__(self) -> None:
        self._level = Rank.TWO
        self._hand = 0
        self._top: tuple[Seat, Cards, Reading] | None = None

    def sees(self, view: SeatView) -> list[Message]:
        """The first view of a table, or one after a gap; a hand that is on begins with it."""
        public = view.public
        told: list[Message] = []
        on = public.outcome is None and public.phase is not PhaseName.WAITING
        if on and public.hand != self._hand:
            told = self._begins(public.hand, public.level, view.private.hand, view.seat)
        self._top = None
        if public.by is not None and public.top is not None:
            laid = public.shown[public.by - 1]
            if isinstance(laid, Laid):
                self._top = public.by, laid.cards, laid.reading
        return told

    def told(self, events: Iterable[SeatEvent], seat: Seat) -> list[Message]:
        """The notices of what has happened, in order; much has none."""
        return [message for event in events for message in self._told(event, seat)]

    def _told(self, event: SeatEvent, seat: Seat) -> list[Message]:
        match event:
            case Dealt(number=number, level=level, own=own) if own is not None:
                return self._begins(number, level, own, seat)
            case TributeResisted(holders):
                held = [pos_of(holder) for holder in holders]
                return [_notice("anti-tribute", antiNums=len(held), antiPos=held)]
            case TributePaid(gifts):
                return [_notice("tribute", result=_moved(gifts))]
            case CardsReturned(returns):
                return [_notice("back", result=_moved(returns))]
            case Played(by, cards, reading):
                self._top = by, cards, reading
                return [self._play(by, self._greater())]
            case Passed(by):
                return [self._play(by, _pass())]
            case HandEnded():
                return [self._ends(event)]
            case _:
                return []

    def _begins(self, number: int, level: Rank, hand: Cards, seat: Seat) -> list[Message]:
        self._level, self._hand, self._top = level, number, None
        return [_notice("beginning", handCards=hand_words(hand, level), myPos=pos_of(seat))]

    def _greater(self) -> Action:
        if self._top is None:
            return _nothing()
        _, cards, reading = self._top
        return action_of(Offer(cards, reading), self._level)

    def _play(self, by: Seat, action: Action) -> Message:
        return _notice(
            "play",
            curPos=pos_of(by),
            curAction=action,
            greaterPos=NOBODY if self._top is None else pos_of(self._top[0]),
            greaterAction=self._greater(),
        )

    def _ends(self, event: HandEnded) -> Message:
        order = [pos_of(seat) for seat in event.outcome.finish]
        left = {pos: hand_words(event.left[pos], self._level) for pos in order}
        return _notice(
            "episodeOver",
            order=order,
            curRank=level_word(self._level),
            restCards=[[pos, cards] for pos, cards in left.items() if cards],
        )


def game_over(done: int, games: int) -> Message:
    """A match was won, number `done` of so many."""
    return _notice("gameOver", curTimes=done, settingTimes=games)


def game_result(winners: Iterable[Team]) -> Message:
    """All matches are over: how many each seat has won. None can be drawn here."""
    won = list(winners)
    victories = [won.count(team_of(Seat(seat))) for seat in range(1, 5)]
    return _notice("gameResult", victoryNum=victories, draws=[0, 0, 0, 0])


def ask(view: SeatView, rules: Rules) -> Ask:
    """What the seat is asked now; ValueError if nothing is asked of it."""
    public, private = view.public, view.private
    level = public.level
    choices: list[Choice]
    actions: list[Action]
    match public.phase:
        case _ if view.seat not in public.asked:
            raise ValueError(f"nothing is asked of seat {view.seat}")
        case PhaseName.PAYING:
            stage, gifts = TRIBUTE, private.pay
        case PhaseName.RETURNING:
            stage, gifts = BACK, private.give_back
        case _:
            stage, gifts = "play", ()
    if stage == "play":
        offers = every_play(private.hand, level, rules, public.top)
        choices = [*offers]
        actions = [action_of(offer, level) for offer in offers]
        if public.top is not None:
            choices.insert(0, PASS)
            actions.insert(0, _pass())
    else:
        choices = [Give(card) for card in gifts]
        actions = [gift_action(stage, card) for card in gifts]
    team = team_of(view.seat)
    last, greater = _last(view), public.by
    message: Message = {
        "type": "act",
        "stage": stage,
        "handCards": hand_words(private.hand, level),
        "publicInfo": [_of_seat(public, Seat(seat)) for seat in range(1, 5)],
        "selfRank": level_word(public.levels[team]),
        "oppoRank": level_word(public.levels[team.other]),
        "curRank": level_word(level),
        "curPos": NOBODY if last is None else pos_of(last),
        "curAction": _nothing() if last is None else _shown(public, last),
        "greaterPos": NOBODY if greater is None else pos_of(greater),
        "greaterAction": _nothing() if greater is None else _shown(public, greater),
        "actionList": actions,
        "indexRange": len(actions) - 1,
    }
    return Ask(message, tuple(choices))


def _last(view: SeatView) -> Seat | None:
    """Who acted last in the open trick: the nearest before us who is still in, or owns the top."""
    public = view.public
    seat = prev_seat(view.seat)
    while seat != view.seat:
        if public.shown[seat - 1] is not None and (seat not in public.out or seat == public.by):
            return seat
        seat = prev_seat(seat)
    return None


def _of_seat(public: Public, seat: Seat) -> Message:
    rest = public.counts[seat - 1]
    if rest is None:  # where the table hides a count, adding up shows it, too
        moved = (*public.gifts, *public.returns)
        came = [one.recipient for one in moved].count(seat)
        went = [one.donor for one in moved].count(seat)
        rest = HAND_CARDS - len(public.played[seat - 1]) + came - went
    lies = public.shown[seat - 1]
    return {"rest": rest, "playArea": None if lies is None else _shown(public, seat)}


def _shown(public: Public, seat: Seat) -> Action:
    match public.shown[seat - 1]:
        case Laid(cards, reading):
            return action_of(Offer(cards, reading), public.level)
        case lies if lies is PASSED:
            return _pass()
        case _:
            return _nothing()


def _moved(gifts: Iterable[Gift]) -> list[list[Any]]:
    return [[pos_of(one.donor), pos_of(one.recipient), card_word(one.card)] for one in gifts]


def _pass() -> Action:
    return [PASSING, PASSING, PASSING]


def _nothing() -> Action:
    # Not null: that is what the platforms send, and bots look at its first part.
    return [None, None, None]


def _notice(stage: str, **parts: Any) -> Message:
    return {"type": "notify", "stage": stage, **parts}
