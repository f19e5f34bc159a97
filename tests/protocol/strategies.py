"""What hypothesis draws from: every message with anything in it that the protocol allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st

from guandan_engine.cards import Cards
from guandan_engine.combos import READINGS
from guandan_engine.events import (
    CardsReturned,
    HandEnded,
    OpenerDrawn,
    Passed,
    Played,
    TimedOut,
    TributePaid,
    TributeResisted,
    TrickClosed,
    WentOut,
)
from guandan_engine.phases import PASSED
from guandan_engine.scoring import Outcome, Standing
from guandan_engine.seats import SEATS, Team
from guandan_engine.tribute import Gift
from guandan_engine.views import Chosen, Dealt, HandSummary, Laid, PhaseName, Private, Public
from guandan_protocol import bounds
from guandan_protocol import messages as m
from tests.engine.strategies import faces, levels, multisets, seats

Strategy = st.SearchStrategy[Any]

# Values

counts: Strategy = st.one_of(st.integers(0, 300), st.integers(0, bounds.NUMBER_MAX))
flags = st.booleans()
hands: Strategy = multisets(most=bounds.HAND_CARDS_MAX).map(Cards.of)
readings = st.sampled_from(READINGS)
teams = st.sampled_from(Team)
team_tuples = st.lists(teams, max_size=2).map(tuple)
seat_tuples = st.lists(seats, max_size=4).map(tuple)
four_seats = st.permutations(SEATS).map(tuple)
_printable = st.characters(categories=("L", "M", "N", "P", "S"), include_characters=" \u3000\u200d")
names = st.text(_printable, min_size=1, max_size=bounds.NAME_CHARS_MAX).map(str.strip).filter(bool)
labels = st.text(max_size=bounds.LABEL_CHARS_MAX)
rooms = st.text(st.sampled_from("23456789ABCDEFGHJKMNPQRSTUVWXYZ"), min_size=1, max_size=16)
digests = st.one_of(st.just(b""), st.binary(min_size=32, max_size=32))
by_team: Strategy = st.fixed_dictionaries(dict.fromkeys(Team, levels))
counts_by_team: Strategy = st.fixed_dictionaries(dict.fromkeys(Team, counts))
gifts = st.lists(st.builds(Gift, seats, seats, faces), max_size=2).map(tuple)
pairs = st.tuples(seats, seats)
face_tuples = st.lists(faces, max_size=bounds.HAND_CARDS_MAX).map(tuple)


def four(one: Strategy) -> Strategy:
    return st.tuples(one, one, one, one)


def optional(one: Strategy) -> Strategy:
    return st.none() | one


options: Strategy = st.dictionaries(
    labels, st.none() | flags | counts | labels, max_size=bounds.OPTIONS_MAX
)

# Views

laid = st.builds(Laid, hands, readings, st.lists(faces, max_size=2).map(tuple))
standings = st.builds(
    Standing, levels=by_team, active=levels, owner=optional(teams), misses=counts_by_team
)
outcomes = st.builds(
    Outcome,
    finish=four_seats,
    winner=teams,
    gain=st.integers(1, 4),
    missed=team_tuples,
    fallen=team_tuples,
    match_won=flags,
    after=standings,
)
publics = st.builds(
    Public,
    phase=st.sampled_from(PhaseName),
    turn=counts,
    asked=seat_tuples,
    hand=counts,
    level=levels,
    owner=optional(teams),
    levels=by_team,
    misses=counts_by_team,
    counts=four(optional(st.integers(0, 28))),
    out=seat_tuples,
    top=optional(readings),
    by=optional(seats),
    leader=optional(seats),
    shown=four(st.none() | st.just(PASSED) | laid),
    played=four(hands),
    drawn=st.lists(st.tuples(faces, seats), max_size=7).map(tuple),
    owing=st.lists(pairs, max_size=2).map(tuple),
    resisted=seat_tuples,
    gifts=gifts,
    returns=gifts,
    outcome=optional(outcomes),
    left=optional(four(hands)),
)
privates = st.builds(
    Private, hand=hands, pay=face_tuples, give_back=face_tuples, chosen=optional(faces)
)
summaries = st.builds(
    HandSummary,
    number=st.integers(1, 1000),
    level=levels,
    owner=optional(teams),
    finish=four_seats,
    gain=st.integers(1, 4),
    levels=by_team,
    resisted=seat_tuples,
    gifts=gifts,
    returns=gifts,
    match_won=flags,
)
EVENTS: Final[Mapping[type, Strategy]] = {
    Dealt: st.builds(
        Dealt,
        number=st.integers(1, 1000),
        level=levels,
        owner=optional(teams),
        commitment=digests,
        own=optional(hands),
    ),
    OpenerDrawn: st.builds(OpenerDrawn, st.lists(st.tuples(faces, seats), max_size=7).map(tuple)),
    TributeResisted: st.builds(TributeResisted, seat_tuples),
    Chosen: st.builds(Chosen, seats, optional(faces)),
    TributePaid: st.builds(TributePaid, gifts),
    CardsReturned: st.builds(CardsReturned, gifts),
    TimedOut: st.builds(TimedOut, seats),
    Played: st.builds(Played, seats, hands, readings),
    Passed: st.builds(Passed, seats),
    WentOut: st.builds(WentOut, seats, st.integers(1, 3)),
    TrickClosed: st.builds(TrickClosed, seats, seats),
    HandEnded: st.builds(
        HandEnded,
        outcome=outcomes,
        left=four(hands),
        seed=st.binary(min_size=32, max_size=32),
        nonces=four(st.binary(max_size=32)),
    ),
}
events = st.one_of(list(EVENTS.values()))

# The room

settings_drawn = st.builds(
    m.Settings,
    visibility=st.sampled_from(m.Visibility),
    clock_s=optional(st.integers(5, 300)),
    pace_ms=st.sampled_from(m.PACES_MS),
    grace_s=st.integers(5, 600),
    hints=flags,
    counter=flags,
    phrases=flags,
)
seat_infos = st.builds(
    m.SeatInfo,
    kind=st.sampled_from(m.SeatKind),
    name=st.just("") | names,
    level=labels,
    online=flags,
    ready=flags,
    control=st.sampled_from(m.Control),
    later=flags,
    pace_ms=counts,
)
room_views = st.builds(
    m.RoomView,
    stage=st.sampled_from(m.Stage),
    host=optional(seats),
    seats=four(seat_infos),
    watchers=counts,
    match=counts,
    preset=labels,
    options=options,
    settings=settings_drawn,
    commitment=digests,
    clock_ms=optional(counts),
    deal_ms=optional(counts),
    proposal=optional(st.sampled_from(m.Proposal)),
    consents=seat_tuples,
    swaps=st.lists(pairs, max_size=4).map(tuple),
)

# Messages

_version = st.integers(0, 65535)
_n = st.integers(1, bounds.NUMBER_MAX)
_turn = optional(counts)
_pace = st.sampled_from(m.PACES_MS)
_hand = st.integers(1, bounds.HANDS_MAX)
_hint: Strategy = st.builds(m.Hint, hands, optional(readings), labels)
_token = st.binary(max_size=bounds.SECRET_BYTES_MAX)
_id16 = st.binary(min_size=16, max_size=16)
_retry = optional(counts)
levels_of_bots = st.lists(labels, max_size=bounds.LEVELS_MAX).map(tuple)

CLIENT: Final[Mapping[type, Strategy]] = {
    m.Create: st.builds(
        m.Create, _version, names, _id16, labels, options, optional(settings_drawn)
    ),
    m.Join: st.builds(m.Join, _version, rooms, names, optional(seats), st.just(b"") | _id16),
    m.Resume: st.builds(m.Resume, _version, rooms, _token, counts, counts),
    m.Watch: st.builds(m.Watch, _version, rooms),
    m.Lobby: st.builds(m.Lobby, _version),
    m.Play: st.builds(m.Play, _n, hands, optional(readings), _turn),
    m.Pass: st.builds(m.Pass, _n, _turn),
    m.Pay: st.builds(m.Pay, _n, faces, _turn),
    m.GiveBack: st.builds(m.GiveBack, _n, faces, _turn),
    m.Ready: st.builds(m.Ready, _n, flags, st.binary(max_size=32)),
    m.Start: st.builds(m.Start, _n),
    m.Sit: st.builds(m.Sit, _n, seats),
    m.AddBot: st.builds(m.AddBot, _n, seats, labels),
    m.RemoveBot: st.builds(m.RemoveBot, _n, seats),
    m.Configure: st.builds(m.Configure, _n, labels, options, settings_drawn),
    m.Autopilot: st.builds(m.Autopilot, _n, flags, _pace),
    m.SetPace: st.builds(m.SetPace, _n, _pace),
    m.Later: st.builds(m.Later, _n, flags),
    m.Propose: st.builds(m.Propose, _n, st.sampled_from(m.Proposal)),
    m.Consent: st.builds(m.Consent, _n, flags),
    m.Leave: st.builds(m.Leave, _n),
    m.Kick: st.builds(m.Kick, _n, seats),
    m.Decline: st.builds(m.Decline, _n, seats),
    m.Preview: st.builds(m.Preview, _n, hands),
    m.AskHints: st.builds(m.AskHints, _n),
    m.AskReview: st.builds(m.AskReview, _n, _hand),
    m.Say: st.builds(m.Say, _n, st.sampled_from(m.Phrase)),
    m.ListRooms: st.builds(m.ListRooms, _n),
    m.FetchRecord: st.builds(m.FetchRecord, _n, rooms, counts, counts),
    m.Ping: st.builds(m.Ping, _n),
}
SERVER: Final[Mapping[type, Strategy]] = {
    m.Welcome: st.builds(
        m.Welcome,
        room=rooms,
        seat=optional(seats),
        token=_token,
        counter=counts,
        seq=counts,
        epoch=counts,
        view=room_views,
        public=publics,
        private=optional(privates),
        record=st.lists(summaries, max_size=3).map(tuple),
        levels=levels_of_bots,
        build=labels,
    ),
    m.InLobby: st.builds(m.InLobby, _version, levels_of_bots, labels),
    m.Update: st.builds(
        m.Update,
        seq=counts,
        epoch=counts,
        events=st.lists(events, max_size=4).map(tuple),
        view=room_views,
        public=publics,
        private=optional(privates),
        finished=optional(summaries),
        seat=optional(seats),
    ),
    m.Done: st.builds(m.Done, _n, counts),
    m.Refused: st.builds(
        m.Refused, counts, labels, st.text(max_size=bounds.TEXT_CHARS_MAX), _retry
    ),
    m.Previewed: st.builds(
        m.Previewed,
        _n,
        st.lists(st.builds(m.ReadingInfo, readings, flags, face_tuples), max_size=6).map(tuple),
        labels,
    ),
    m.Hints: st.builds(
        m.Hints,
        _n,
        counts,
        st.lists(_hint, max_size=5).map(tuple),
        st.integers(-1, 5),
        face_tuples,
    ),
    m.Review: st.builds(
        m.Review,
        id=_n,
        match=counts,
        seat=seats,
        hand=_hand,
        hands=_hand,
        decisions=st.lists(
            st.builds(
                m.Reviewed,
                command=counts,
                left=st.integers(1, bounds.HAND_CARDS_MAX),
                top=optional(readings),
                played=_hint,
                best=_hint,
                lost_milli=counts,
                won_milli=counts,
                error_milli=counts,
                sure=flags,
                worlds=counts,
            ),
            max_size=3,
        ).map(tuple),
        left_out=counts,
    ),
    m.Said: st.builds(m.Said, seats, labels, counts),
    m.Pong: st.builds(m.Pong, _n),
    m.Rooms: st.builds(
        m.Rooms,
        _n,
        st.lists(
            st.builds(
                m.RoomLine,
                room=rooms,
                stage=st.sampled_from(m.Stage),
                preset=labels,
                people=counts,
                bots=counts,
                watchers=counts,
                names=st.lists(names, max_size=4).map(tuple),
            ),
            max_size=3,
        ).map(tuple),
    ),
    m.RecordPage: st.builds(m.RecordPage, _n, counts, counts, counts, st.text(max_size=200)),
    m.Moved: st.builds(m.Moved, st.text(min_size=1, max_size=bounds.URL_CHARS_MAX)),
    m.Goodbye: st.builds(m.Goodbye, labels, _retry),
}

# What is no message, or was one

plain: Strategy = st.recursive(
    st.none()
    | flags
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=40)
    | st.binary(max_size=40)
    | st.sampled_from(["S5", "X", "pair", "9", "13", "pass", "played", "self", "t"])
    | st.integers(0, 30),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=8,
)
"""What msgpack can say, and the protocol mostly cannot."""
