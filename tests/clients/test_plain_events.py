"""Events as plain data."""

import json

from guandan_cli.plain_events import plain
from guandan_engine.events import Event, Played, TimedOut, TributePaid, TrickClosed, WentOut
from guandan_engine.notation import parse_cards, parse_reading
from guandan_engine.options import rules
from guandan_engine.seats import Seat
from tests.engine.table import gift
from tests.engine.walks import walk

NAMES = {
    *("hand_started", "opener_drawn", "tribute_resisted", "gift_chosen", "tribute_paid"),
    *("return_chosen", "cards_returned", "timed_out", "played", "passed", "went_out"),
    *("trick_closed", "hand_ended"),
}


def test_every_kind_of_event_becomes_json() -> None:
    names = set()
    table = rules("site", {"tribute_pick": "payer", "first_lead": "drawn_card"})
    for seed in range(40):
        for step in walk(table, seed, hands_max=4):
            for event in step.events:
                found = plain(event)
                assert json.loads(json.dumps(found)) == found
                names.add(found["event"])
        if names == NAMES:
            break
    assert names == NAMES


def test_keys_are_stable() -> None:
    play: Event = Played(Seat(2), parse_cards("S9 H9"), parse_reading("pair-9"))
    assert plain(play) == {
        "event": "played",
        "seat": 2,
        "cards": ["S9", "H9"],
        "reading": "pair-9",
    }
    assert plain(TributePaid((gift("4→1 SA"),))) == {
        "event": "tribute_paid",
        "gifts": [{"from": 4, "to": 1, "card": "SA"}],
    }
    assert plain(TrickClosed(Seat(1), Seat(3))) == {
        "event": "trick_closed",
        "winner": 1,
        "leader": 3,
        "jiefeng": True,
    }
    assert plain(TimedOut(Seat(1))) == {"event": "timed_out", "seat": 1}
    assert plain(WentOut(Seat(1), 2)) == {"event": "went_out", "seat": 1, "place": 2}
