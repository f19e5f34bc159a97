"""One honest message of every kind, in a match that could have come so.

They are the golden frames and the examples of `docs/protocol.md`. Nothing here is drawn: the seed
is a row of bytes, and the moves are the first ones that the engine lists.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from guandan_engine import Match, Offer, legal_plays, new_match, rules, step
from guandan_engine.commands import Pass, Play, StartHand
from guandan_engine.events import Event, HandEnded
from guandan_engine.notation import parse_card, parse_cards, parse_reading
from guandan_engine.phases import Following, Leading
from guandan_engine.scoring import Standing, settle
from guandan_engine.seats import Seat
from guandan_engine.shuffle import commitment
from guandan_engine.tribute import Gift
from guandan_engine.views import (
    CardsReturned,
    Chosen,
    HandSummary,
    OpenerDrawn,
    SeatEvent,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
    private_view,
    public_view,
    redact,
)
from guandan_protocol import messages as m

ME: Final = Seat(2)
SEED: Final = bytes(range(32))
NEXT_SEED: Final = bytes(range(32, 64))
TOKEN: Final = bytes(range(0x80, 0xA0))
CREATE_ID: Final = bytes(range(0x10, 0x20))
ROOM: Final = "K7QX2M"
LEVELS: Final = ("random", "basic")
BUILD: Final = "6f1c2d9a0b3e"


def _turn_of(match: Match) -> Seat:
    assert isinstance(match.phase, Leading | Following)
    return match.phase.turn


def _first_play(match: Match) -> Offer:
    top = match.phase.top if isinstance(match.phase, Following) else None
    hand = match.hands[_turn_of(match) - 1]
    plays = legal_plays(hand, match.standing.active, match.rules, top)
    return plays.offer(next(iter(plays)))


def _lay(match: Match) -> tuple[Match, tuple[Event, ...]]:
    offer = _first_play(match)
    return step(match, Play(_turn_of(match), offer.cards, offer.reading))


DEALT, DEAL_EVENTS = step(new_match(rules("site")), StartHand(SEED))
LED, LEAD_EVENTS = _lay(DEALT)
MY_PLAY: Final = _first_play(LED)
FOLLOWED, FOLLOW_EVENTS = _lay(LED)
PASSED_ON, PASS_EVENTS = step(FOLLOWED, Pass(Seat(3)))

VIEW: Final = m.RoomView(
    stage=m.Stage.PLAYING,
    host=Seat(1),
    seats=(
        m.SeatInfo(m.SeatKind.PERSON, "Ann", online=True, ready=True),
        m.SeatInfo(m.SeatKind.PERSON, "张三", online=True, ready=True),
        m.SeatInfo(m.SeatKind.BOT, "Plum", "basic", online=True, ready=True),
        m.SeatInfo(
            m.SeatKind.PERSON,
            "Bea",
            ready=True,
            control=m.Control.AUTOPILOT,
            pace_ms=500,
        ),
    ),
    watchers=1,
    match=1,
    preset="site",
    options={},
    settings=m.Settings(clock_s=30),
    commitment=commitment(NEXT_SEED),
    clock_ms=29_500,
    deal_ms=None,
    proposal=None,
    consents=(),
    swaps=(),
)

GIFT: Final = Gift(donor=Seat(4), recipient=Seat(1), card=parse_card("SA"))
RETURN: Final = Gift(donor=Seat(1), recipient=Seat(4), card=parse_card("D5"))
OUTCOME: Final = settle(Standing.start(), (Seat(2), Seat(1), Seat(4), Seat(3)), rules("site"))
SUMMARY: Final = HandSummary(
    number=1,
    level=Standing.start().active,
    owner=None,
    finish=OUTCOME.finish,
    gain=OUTCOME.gain,
    levels=OUTCOME.after.levels,
    resisted=(),
    gifts=(),
    returns=(),
    match_won=False,
)

EVENTS: Final[tuple[SeatEvent, ...]] = (
    redact(DEAL_EVENTS[0], ME),
    OpenerDrawn(((parse_card("X"), Seat(3)), (parse_card("D9"), Seat(1)))),
    TributeResisted((Seat(2), Seat(4))),
    Chosen(Seat(4), None),
    TributePaid((GIFT,)),
    CardsReturned((RETURN,)),
    TimedOut(Seat(3)),
    *[redact(event, ME) for event in (*FOLLOW_EVENTS, *PASS_EVENTS)],
    WentOut(Seat(2), 1),
    TrickClosed(winner=Seat(2), leader=Seat(4)),
    HandEnded(
        outcome=OUTCOME,
        left=(parse_cards(""), parse_cards(""), parse_cards("S3 H3 Y"), parse_cards("")),
        seed=SEED,
        nonces=(b"", b"salt", b"", b""),
    ),
)
"""One event of every kind, as seat 2 gets it; not a course that a hand can take."""

UPDATE: Final = m.Update(
    seq=3,
    epoch=1,
    events=tuple([redact(event, ME) for event in LEAD_EVENTS]),
    view=VIEW,
    public=public_view(LED),
    private=private_view(LED, ME),
    finished=None,
    seat=ME,
)
WELCOME: Final = m.Welcome(
    room=ROOM,
    seat=ME,
    token=TOKEN,
    counter=0,
    seq=2,
    epoch=1,
    view=evolve(VIEW, clock_ms=30_000),
    public=public_view(DEALT),
    private=private_view(DEALT, ME),
    record=(),
    levels=LEVELS,
    build=BUILD,
)

CLIENT: Final[tuple[m.ClientMessage, ...]] = (
    m.Create(
        version=m.VERSION,
        name="Ann",
        create_id=CREATE_ID,
        preset="house",
        options={"a_max_misses": 2, "tribute": False},
        settings=m.Settings(clock_s=30, pace_ms=500),
    ),
    m.Join(version=m.VERSION, room=ROOM, name="张三", seat=ME, join_id=CREATE_ID),
    m.Resume(version=m.VERSION, room=ROOM, token=TOKEN),
    m.Watch(version=m.VERSION, room=ROOM),
    m.Lobby(version=m.VERSION),
    m.Play(n=2, cards=MY_PLAY.cards, reading=MY_PLAY.reading, turn=LED.turn),
    m.Pass(n=3, turn=41),
    m.Pay(n=4, card=parse_card("SA"), turn=120),
    m.GiveBack(n=5, card=parse_card("D5"), turn=121),
    m.Ready(n=1, ready=True, nonce=b"salt"),
    m.Start(n=6),
    m.Sit(n=7, seat=Seat(3)),
    m.AddBot(n=8, seat=Seat(3), level="basic"),
    m.RemoveBot(n=9, seat=Seat(3)),
    m.Configure(
        n=10,
        preset="national-2017",
        options={"show_counts": "always"},
        settings=m.Settings(hints=False),
    ),
    m.Autopilot(n=11, on=True, pace_ms=300),
    m.SetPace(n=12, pace_ms=2000),
    m.Later(n=13, later=True),
    m.Propose(n=14, proposal=m.Proposal.REMATCH),
    m.Consent(n=15, agree=True),
    m.Leave(n=16),
    m.Kick(n=17, seat=Seat(4)),
    m.Decline(n=18, seat=Seat(1)),
    m.Preview(id=4294967296, cards=MY_PLAY.cards),
    m.AskHints(id=4294967297),
    m.AskReview(id=4294967302, hand=1),
    m.Say(id=4294967298, phrase=m.Phrase.WELL_PLAYED),
    m.ListRooms(id=4294967299),
    m.FetchRecord(id=4294967300, room=ROOM, match=1, page=0),
    m.Ping(id=4294967301),
)

SERVER: Final[tuple[m.ServerMessage, ...]] = (
    WELCOME,
    m.InLobby(version=m.VERSION, levels=LEVELS, build=BUILD),
    UPDATE,
    m.Done(n=2, seq=4),
    m.Refused(
        ref=3,
        code="not_your_turn",
        text="not_your_turn: expected seat 1, got seat 2",
    ),
    m.Previewed(
        id=4294967296,
        readings=(
            m.ReadingInfo(
                reading=parse_reading("straight_flush-9"),
                beats=True,
                shown_as=(parse_card("S8"),),
            ),
            m.ReadingInfo(
                reading=parse_reading("straight-9"),
                beats=False,
                shown_as=(parse_card("H8"),),
            ),
        ),
        code="",
    ),
    m.Hints(
        id=4294967297,
        turn=LED.turn,
        hints=(
            m.Hint(cards=MY_PLAY.cards, reading=MY_PLAY.reading, reason="cheapest_that_beats"),
            m.Hint(cards=parse_cards(""), reading=None, reason="saves_control"),
        ),
        best=0,
        helpful=(parse_card("S4"), parse_card("D9"), parse_card("X")),
    ),
    m.Review(
        id=4294967302,
        match=1,
        seat=ME,
        hand=1,
        hands=9,
        decisions=(
            m.Reviewed(
                command=2,
                left=27,
                top=MY_PLAY.reading,
                played=m.Hint(cards=parse_cards(""), reading=None, reason=""),
                best=m.Hint(
                    cards=MY_PLAY.cards, reading=MY_PLAY.reading, reason="cheapest_that_beats"
                ),
                lost_milli=412,
                won_milli=0,
                error_milli=145,
                sure=True,
                worlds=500,
            ),
        ),
        left_out=0,
    ),
    m.Said(seat=Seat(1), phrase=m.Phrase.WELL_PLAYED),
    m.Rooms(
        id=4294967299,
        rooms=(
            m.RoomLine(
                room=ROOM,
                stage=m.Stage.LOBBY,
                preset="house",
                people=2,
                bots=1,
                watchers=0,
                names=("Ann", "张三"),
            ),
        ),
    ),
    m.RecordPage(id=4294967300, match=1, page=0, pages=1, text="guandan-record 1\npreset site\n"),
    m.Pong(id=4294967301),
    m.Moved(url="wss://table.example/n/b/ws"),
    m.Goodbye(code=m.Code.GOING_AWAY, retry_after_ms=1500),
)

EVERY_EVENT: Final = evolve(UPDATE, events=EVENTS, finished=SUMMARY)

_PREVIEW = m.Preview(id=4294967296, cards=MY_PLAY.cards)
_MINE = m.Play(n=1, cards=MY_PLAY.cards, reading=MY_PLAY.reading, turn=LED.turn)
_MY_UPDATE = m.Update(
    seq=4,
    epoch=1,
    events=tuple([redact(event, ME) for event in FOLLOW_EVENTS]),
    view=evolve(VIEW, clock_ms=30_000),
    public=public_view(FOLLOWED),
    private=private_view(FOLLOWED, ME),
    finished=None,
    seat=ME,
)

SESSION: Final[tuple[tuple[str, str, m.ClientMessage | m.ServerMessage], ...]] = (
    (
        "►",
        "张三 joins Ann's room, where a bot sits at seat 2. The first message of the connection:",
        m.Join(version=m.VERSION, room=ROOM, name="张三", seat=ME, join_id=CREATE_ID),
    ),
    (
        "◄",
        (
            "The answer is everything there is to know. The first hand has been dealt, and seat 1 "
            "has to lead (`public.asked`). `token` opens the seat again: keep it. `counter` is 0, "
            "so the first action will have `n` 1."
        ),
        WELCOME,
    ),
    (
        "◄",
        (
            "Seat 1 leads a three. The event says what happened, the rest is the whole view after "
            "it: `public.asked` is `[2]`, our turn, and `public.turn` is 2."
        ),
        UPDATE,
    ),
    ("►", "What would this card be?", _PREVIEW),
    (
        "◄",
        "A single, which beats the table; `code` is empty, so it can be played now.",
        m.Previewed(
            id=_PREVIEW.id,
            readings=(m.ReadingInfo(reading=MY_PLAY.reading, beats=True, shown_as=()),),
            code="",
        ),
    ),
    ("►", "We play it. `turn` says which turn we mean:", _MINE),
    ("◄", "It is stored, as entry 4 of the room's log …", m.Done(n=1, seq=4)),
    ("◄", "… and everybody at the table is told, we too:", _MY_UPDATE),
    (
        "►",
        "The network breaks. On a new connection the token opens the seat again:",
        m.Resume(version=m.VERSION, room=ROOM, token=TOKEN),
    ),
    (
        "◄",
        (
            "`counter` is 1: our play was stored. Had it been 0, we should send the play again as "
            "it was, under `n` 1. The token stays the same, so none is told."
        ),
        evolve(
            WELCOME,
            token=b"",
            counter=1,
            seq=4,
            view=_MY_UPDATE.view,
            public=_MY_UPDATE.public,
            private=_MY_UPDATE.private,
        ),
    ),
)
"""Who speaks (► we, ◄ the server), what about, and the message: the session of the document."""
