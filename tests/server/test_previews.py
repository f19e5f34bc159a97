"""What cards would be, and which are worth a look."""

from __future__ import annotations

from guandan_engine.cards import Cards
from guandan_engine.notation import cards_text
from guandan_engine.options import rules
from guandan_engine.seats import SEATS, Seat
from guandan_engine.views import PhaseName, asked, seat_view
from guandan_server.previews import helpful
from tests.engine.table import Table
from tests.engine.walks import walk


def faces(table: Table, seat: int) -> str:
    view = seat_view(table.match, Seat(seat))
    return cards_text(Cards.of(helpful(view, table.match.rules)))


def test_only_what_beats_the_table_helps() -> None:
    t = Table.deal("1: S5 H5 …", "2: S4 C4 D9 H9 S9 SK …", leader=1).play(1, "S5 H5")
    shown = faces(t, 2).split()
    assert {"D9", "H9", "S9"} <= set(shown)
    assert "S4" not in shown


def test_everything_helps_who_leads() -> None:
    t = Table.deal("1: S5 S5 H2 …", leader=1)
    assert faces(t, 1).split() == sorted(set(faces(t, 1).split()), key=faces(t, 1).split().index)
    hand = t.match.hands[0]
    assert faces(t, 1) == cards_text(Cards.of(hand.faces()))


def test_in_tribute_it_is_what_may_be_given() -> None:
    seen = set()
    table = rules("site", {"tribute_pick": "payer"})
    for moment in walk(table, 7, hands_max=4):
        match = moment.before
        for seat in SEATS:
            view = seat_view(match, seat)
            found = helpful(view, table)
            assert set(found) <= set(view.private.hand.faces())
            match view.public.phase:
                case PhaseName.PAYING:
                    assert found == view.private.pay
                case PhaseName.RETURNING:
                    assert found == view.private.give_back
                case PhaseName.HAND_OVER | PhaseName.WAITING:
                    assert found == ()
                case _:
                    continue
            seen.add((view.public.phase, seat in asked(match), bool(found)))
    assert (PhaseName.PAYING, True, True) in seen
    assert (PhaseName.RETURNING, True, True) in seen
    assert (PhaseName.PAYING, False, False) in seen
