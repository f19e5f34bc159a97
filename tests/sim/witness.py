"""Every frame that a server sends, held against the truth.

Two independent questions about each. Does it say what is so: the view of that very seat, as the
log gives it? And do its bare bytes name a card, a seed or a token that this audience may not know?
The second one does not trust the engine's redaction: it looks for names of cards wherever they
stand, and asks of each where this audience could have seen it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgpack
from attrs import define, field

from guandan_engine.cards import Card
from guandan_engine.notation import card_text
from guandan_engine.phases import HandOver, MatchOver
from guandan_engine.seats import SEATS, Seat
from guandan_engine.state import Match, played_by
from guandan_engine.views import Public, private_view, public_view, redact
from guandan_protocol import messages as m
from guandan_protocol.messages import RoomView, ServerMessage
from guandan_server import frontdesk
from guandan_server.roomstate import RoomState
from tests.sim.history import History, Moment
from tests.sim.process import Process

__all__ = ["Audience", "Witness"]

CARD_BYTES: Final = re.compile(rb"\xa2([SHCD][2-9TJQKA])|\xa1([XY])")
"""What names of cards are in msgpack; other bytes may look the same, so a find is checked."""
CARD_NAMES: Final = frozenset(card_text(Card(4 * r + s)) for r in range(13) for s in range(4)) | {
    "X",
    "Y",
}


@define(eq=False)
class Audience:
    """Whoever is at the other end of a connection, and what they know."""

    name: str
    node: Process
    hello: m.Hello | None = None
    token: bytes = b""
    room: str = ""
    epoch: int = 0
    seq: int = 0
    said: dict[int, bytes] = field(factory=dict, repr=False)
    """Its last action under each counter."""

    @property
    def is_inside(self) -> bool:
        return self.epoch > 0


class Witness:
    """Looks at frames; `complain` hears of what is wrong."""

    def __init__(
        self, histories: dict[str, History], tokens: set[bytes], complain: Callable[[str], None]
    ) -> None:
        self._histories = histories
        self._tokens = tokens
        """All there are."""
        self._complain = complain
        self.frames = 0

    def sent(self, audience: Audience, frame: bytes, message: ServerMessage) -> None:
        """A server sends something."""
        self.frames += 1
        history = self._history(audience)
        match message:
            case m.Welcome():
                self._welcomed(audience, message, frame)
            case m.Update() if history is not None:
                self._updated(audience, history, message, frame)
            case m.Done(n=n, seq=seq) if history is not None:
                self._done(audience, history, n, seq)
            case m.Hints() if history is not None:
                self._check_secrets(audience, self._moment(audience, history), frame)
            case m.Update() | m.Done() | m.Hints():
                self._complain(f"{audience.name} is told of a room before it was let in")
            case _:
                pass
        if not isinstance(message, m.Welcome):
            self._check_tokens(frame, but=b"", to=audience)

    def heard(self, audience: Audience, message: ServerMessage) -> None:
        """A client has got something: from now on it is known."""
        if isinstance(message, m.Welcome | m.Update):
            history = self._histories[audience.room]
            moment = self._meant(history, message)
            if moment is not None:
                history.tell(message.epoch, moment)

    # What is said

    def _welcomed(self, audience: Audience, welcome: m.Welcome, frame: bytes) -> None:
        history = self._histories.get(welcome.room)
        hello = audience.hello
        if history is None or hello is None or isinstance(hello, m.Lobby):
            self._complain(f"{audience.name} is welcomed to {welcome.room}, unasked")
            return
        if audience.is_inside:
            self._complain(f"{audience.name} is welcomed twice")
        if not isinstance(hello, m.Create) and hello.room.upper() != welcome.room:
            self._complain(f"{audience.name} is welcomed to another room")
        seen = (hello.epoch, hello.seq) if isinstance(hello, m.Resume) else (0, 0)
        if seen[0] == welcome.epoch and seen[1] > welcome.seq:
            self._complain(f"{audience.name} has seen {seen[1]} and is shown {welcome.seq}")
        if bool(welcome.token) != isinstance(hello, m.Create | m.Join):
            self._complain(f"{audience.name} gets a token for {type(hello).__name__}, or none")
        audience.room = welcome.room
        audience.token = welcome.token or getattr(hello, "token", b"")
        if welcome.token:
            self._tokens.add(welcome.token)
        self._check_tokens(frame, but=welcome.token, to=audience)
        moment = self._meant(history, welcome)
        if moment is None:
            self._complain(f"{audience.name} is shown {welcome.epoch}.{welcome.seq}: never stored")
            return
        seat = _seat_of(audience.token, moment.state)
        self._check_view(audience, moment, welcome, seat, frame)
        mark = None if seat is None else moment.marks.get(moment.state.seat(seat).key)
        if welcome.counter != (0 if mark is None else mark.counter):
            self._complain(f"{audience.name} is told to go on from {welcome.counter}, not {mark}")
        if welcome.record != moment.state.session:
            self._complain(f"{audience.name} is told another record of the session")
        audience.epoch, audience.seq = welcome.epoch, welcome.seq

    def _updated(
        self, audience: Audience, history: History, update: m.Update, frame: bytes
    ) -> None:
        moment = self._meant(history, update)
        if moment is None:
            self._complain(f"{audience.name} is told {update.epoch}.{update.seq}: never stored")
            return
        known = (audience.epoch, audience.seq)
        told = (update.epoch, update.seq)
        if told < known:
            self._complain(f"{audience.name} is taken back from {known} to {told}")
        if update.epoch == audience.epoch and update.seq > audience.seq + 1:
            self._complain(f"{audience.name} misses what came between {known} and {told}")
        seat = _seat_of(audience.token, moment.state)
        is_news = update.seq != audience.seq and update.epoch == audience.epoch
        events = tuple([redact(event, seat) for event in moment.events]) if is_news else ()
        if update.events != events and (update.events or update.epoch == audience.epoch):
            self._complain(f"{audience.name} is told other events than those of {told}")
        self._check_view(audience, moment, update, seat, frame)
        audience.epoch, audience.seq = told

    def _done(self, audience: Audience, history: History, n: int, seq: int) -> None:
        for moment in history.all_at(audience.epoch, seq):
            occupant = next(
                (
                    before.state.seat(seat)
                    for before in history.all_at(audience.epoch, seq - 1)
                    for seat in SEATS
                    if before.state.seat(seat).digest == _digest(audience.token)
                ),
                None,
            )
            mark = moment.mark
            if mark is not None and occupant is not None:
                if (mark.key, mark.counter) == (occupant.key, n):
                    return
            elif mark is None:  # leaving takes the counter along
                return
        self._complain(f"{audience.name} is told that its {n} is done as {seq}, and it is not")

    def _check_view(
        self,
        audience: Audience,
        moment: Moment,
        told: m.Welcome | m.Update,
        seat: Seat | None,
        frame: bytes,
    ) -> None:
        name, state = audience.name, moment.state
        if audience.token and seat is None:
            self._complain(f"{name} is told of a room in which it has no seat any more")
        if told.seat != seat:
            self._complain(f"{name} sits at {seat} and is told {told.seat}")
        if told.public != self._public(moment):
            self._complain(f"{name} sees another table than {moment.seq} is: {told.public}")
        own = None if seat is None else private_view(state.match, seat)
        if told.private != own:
            self._complain(f"{name} is shown another hand than its own, or one too many")
        if _lasting(told.view) != self._view(moment):
            self._complain(f"{name} sees another room than {moment.seq} is: {told.view}")
        self._check_secrets(audience, moment, frame)

    # What is given away

    def _check_secrets(self, audience: Audience, moment: Moment | None, frame: bytes) -> None:
        if moment is None:
            return
        match = moment.state.match
        seeds = [moment.state.pledge]
        if not isinstance(match.phase, HandOver | MatchOver):
            seeds.append(match.deal.seed)
        if any(seed and seed in frame for seed in seeds):
            self._complain(f"{audience.name} is told a seed")
        found = {(one or other).decode() for one, other in CARD_BYTES.findall(frame)}
        seat = _seat_of(audience.token, moment.state)
        unknown = found - self._known(moment, seat)
        if unknown and (named := unknown & set(_cards_in(msgpack.unpackb(frame)))):
            self._complain(f"{audience.name} is told of {', '.join(sorted(named))} at {moment.seq}")

    def _check_tokens(self, frame: bytes, *, but: bytes, to: Audience) -> None:
        for token in self._tokens:
            if token != but and token in frame:
                self._complain(f"{to.name} is told somebody's token")

    def _known(self, moment: Moment, seat: Seat | None) -> frozenset[str]:
        """The faces that this audience can have seen by then."""
        key = ("known", seat)
        if key not in moment.cache:
            if ("known", None) not in moment.cache:
                moment.cache["known", None] = frozenset(_faces(_open_cards(moment.state)))
            own = () if seat is None else moment.state.match.hands[seat - 1]
            moment.cache[key] = moment.cache["known", None] | frozenset(_faces(own))
        known: frozenset[str] = moment.cache[key]
        return known

    # The truth

    def _history(self, audience: Audience) -> History | None:
        return self._histories.get(audience.room) if audience.is_inside else None

    def _moment(self, audience: Audience, history: History) -> Moment | None:
        return next(history.all_at(audience.epoch, audience.seq), None)

    def _meant(self, history: History, told: m.Welcome | m.Update) -> Moment | None:
        """What stands, or stood, under that number; the one that is told of, if there were two."""
        if told.epoch > history.epoch:
            return None
        found = list(history.all_at(told.epoch, told.seq))
        same = [moment for moment in found if told.public == self._public(moment)]
        return next(iter([*same, *found]), None)

    def _public(self, moment: Moment) -> Public:
        if "public" not in moment.cache:
            moment.cache["public"] = public_view(moment.state.match)
        public: Public = moment.cache["public"]
        return public

    def _view(self, moment: Moment) -> tuple[object, ...]:
        if "view" not in moment.cache:
            view = frontdesk.room_view(
                moment.state, online=frozenset(), watchers=0, clock_ms=None, deal_ms=None
            )
            moment.cache["view"] = _lasting(view)
        lasting: tuple[object, ...] = moment.cache["view"]
        return lasting


def _lasting(view: RoomView) -> tuple[object, ...]:
    """All of the room but what is of the moment: who is connected, and the clock."""
    seats = [
        (one.kind, one.name, one.level, one.ready, one.control, one.later, one.pace_ms)
        for one in view.seats
    ]
    return (
        seats,
        view.stage,
        view.host,
        view.match,
        view.preset,
        dict(view.options),
        view.settings,
        view.commitment,
        view.proposal,
        view.consents,
        view.swaps,
    )


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def _seat_of(token: bytes, state: RoomState) -> Seat | None:
    if not token:
        return None
    digest = _digest(token)
    return next((seat for seat in SEATS if state.seat(seat).digest == digest), None)


def _open_cards(state: RoomState) -> Iterator[Card]:
    """Every card that has been on the table, or was named to all."""
    match: Match = state.match
    for seat in SEATS:
        yield from played_by(match, seat)
    if isinstance(match.phase, HandOver | MatchOver):
        for hand in match.hands:
            yield from hand
    for card, _ in match.deal.drawn:
        yield card
    for gift in (*match.deal.gifts, *match.deal.returns):
        yield gift.card
    for hand_before in state.session:
        for gift in (*hand_before.gifts, *hand_before.returns):
            yield gift.card


def _faces(cards: Iterable[Card]) -> Iterator[str]:
    for card in cards:
        yield card_text(card)


def _cards_in(plain: object) -> Iterator[str]:
    """Every text in a message that is the name of a card.

    But for what a wild stands for: that is no card, and follows from the play on the table.
    """
    match plain:
        case dict():
            for name, value in plain.items():
                if name != "shown_as":
                    yield from _cards_in(value)
        case list():
            for value in plain:
                yield from _cards_in(value)
        case str() if plain in CARD_NAMES:
            yield plain
        case _:
            pass
