"""Events as plain data."""

import json

from guandan_cli.plain_events import plain
from guandan_engine.events import Event
from guandan_engine.notation import parse_card, parse_cards, parse_reading
from guandan_engine.record import replay
from tests.engine.walks import walk


def test_every_event_of_matches_becomes_json() -> None:
    names = set()
    for seed, options in ((1, {}), (8, {"tribute_pick": "payer", "first_lead": "drawn_card"})):
        for step in walk("site", options, seed):
            for event in step.events:
                found = plain(event)
                assert json.loads(json.dumps(found)) == found
                names.add(found["event"])
    assert names >= {"hand_started", "played", "passed", "went_out", "trick_closed", "hand_ended"}


def test_stable_keys() -> None:
    from guandan_engine.events import Played, TrickClosed, TributePaid
    from guandan_engine.seats import Seat
    from tests.engine.table import gift

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
    assert parse_card("SA") and replay
