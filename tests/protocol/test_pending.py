"""What has no answer yet, without a socket."""

from __future__ import annotations

import pytest
from attrs import evolve

from guandan_protocol import messages as m
from guandan_protocol.errors import SessionEnded
from guandan_protocol.pending import QUERY_ID_FIRST, Pending
from tests.protocol import samples


def welcome(counter: int, seq: int = 100) -> m.Welcome:
    return evolve(samples.WELCOME, counter=counter, seq=seq)


async def test_actions_go_out_one_at_a_time() -> None:
    pending = Pending()
    first, second = pending.act(m.Start(0)), pending.act(m.Leave(0))
    assert list(pending.due()) == [m.Start(1)]
    assert list(pending.due()) == [], "once a connection"
    pending.answered(m.Done(1, 7))
    assert first.result() == m.Done(1, 7)
    assert list(pending.due()) == [m.Leave(2)]
    assert not second.done()


async def test_counters_go_on_from_the_welcome() -> None:
    pending = Pending()
    pending.welcomed(welcome(counter=40))
    pending.act(m.Start(0))
    assert list(pending.due()) == [m.Start(41)]


async def test_a_refused_counter_is_used_again() -> None:
    pending = Pending()
    first = pending.act(m.Start(0))
    list(pending.due())
    pending.answered(m.Refused(1, "not_now", ""))
    assert first.result().code == "not_now"
    pending.act(m.Leave(0))
    assert list(pending.due()) == [m.Leave(1)]


@pytest.mark.parametrize("code", ["storage_unavailable", "action_conflict"])
async def test_a_counter_that_may_be_used_is_not_used_again(code: str) -> None:
    pending = Pending()
    first = pending.act(m.Start(0))
    list(pending.due())
    pending.answered(m.Refused(1, code, ""))
    assert first.result().code == code
    other = pending.act(m.Leave(0))
    assert list(pending.due()) == [m.Leave(2)]
    # Should the first one be announced as done now, that is not the other's answer.
    pending.answered(m.Done(1, 7))
    assert not other.done()


async def test_what_has_no_answer_is_due_on_every_connection() -> None:
    pending = Pending()
    pending.act(m.Start(0))
    pending.ask(m.AskHints(0))
    said = list(pending.due())
    assert said == [m.Start(1), m.AskHints(QUERY_ID_FIRST)]
    for _ in range(2):
        pending.welcomed(welcome(counter=0))
        assert list(pending.due()) == said


async def test_a_welcome_can_be_the_answer() -> None:
    pending = Pending()
    first = pending.act(m.Start(0))
    list(pending.due())
    pending.welcomed(welcome(counter=1, seq=9))
    assert first.result() == m.Done(1, 9)
    assert list(pending.due()) == []


async def test_rewound_history_does_not_lower_a_counter_in_flight() -> None:
    pending = Pending()
    pending.welcomed(welcome(counter=5))
    pending.act(m.Start(0))
    list(pending.due())
    pending.welcomed(welcome(counter=3))
    assert list(pending.due()) == [m.Start(6)]
    pending.answered(m.Done(6, 1))
    pending.act(m.Leave(0))
    assert list(pending.due()) == [m.Leave(7)]


async def test_answers_to_nothing_are_ignored() -> None:
    pending = Pending()
    acting = pending.act(m.Start(0))
    list(pending.due())
    for answer in (
        m.Done(2, 1),
        m.Refused(0, "too_fast", "", 5),
        m.Refused(2, "not_now", ""),
        m.Refused(QUERY_ID_FIRST, "not_now", ""),
        m.Hints(QUERY_ID_FIRST, 1, (), -1),
    ):
        pending.answered(answer)
    assert not acting.done()


async def test_an_action_given_up_before_it_was_sent_is_never_sent() -> None:
    pending = Pending()
    first, second, third = (pending.act(action(0)) for action in (m.Start, m.Leave, m.Later))
    second.cancel()
    list(pending.due())
    first.cancel()
    pending.answered(m.Done(1, 1))
    assert list(pending.due()) == [m.Later(2)]
    assert not third.done()


async def test_an_action_given_up_in_flight_is_still_settled_first() -> None:
    pending = Pending()
    first = pending.act(m.Start(0))
    list(pending.due())
    first.cancel()
    pending.act(m.Leave(0))
    assert list(pending.due()) == []
    pending.welcomed(welcome(counter=0))
    assert list(pending.due()) == [m.Start(1)]
    pending.answered(m.Done(1, 1))
    assert list(pending.due()) == [m.Leave(2)]


async def test_a_query_given_up_is_not_asked_again() -> None:
    pending = Pending()
    asking = pending.ask(m.AskHints(0))
    list(pending.due())
    asking.cancel()
    pending.welcomed(welcome(counter=0))
    assert list(pending.due()) == []


async def test_the_end_fails_everything() -> None:
    pending = Pending()
    open_ones = [pending.act(m.Start(0)), pending.act(m.Leave(0)), pending.ask(m.AskHints(0))]
    list(pending.due())
    done = pending.ask(m.AskHints(0))
    done.cancel()
    pending.fail(SessionEnded("left", "gone"))
    for answer in open_ones:
        with pytest.raises(SessionEnded):
            answer.result()
    assert list(pending.due()) == []
