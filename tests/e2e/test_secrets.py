"""What a server writes while a match is played, at its most talkative, holds no secret."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from guandan_engine.events import HandEnded
from guandan_engine.notation import cards_text
from guandan_engine.views import Dealt
from guandan_protocol import messages as m
from guandan_protocol.messages import Stage
from tests.e2e.players import Party, Person, party
from tests.e2e.serving import serving


def forms(secret: bytes) -> list[str]:
    """How some bytes could stand in a log."""
    return [secret.hex(), repr(secret)[2:-1], base64.b64encode(secret).decode()]


@pytest.mark.parametrize("style", ["console", "json"])
async def test_a_whole_match_at_debug_logs_no_token_hand_or_seed(
    tmp_path: Path, style: str
) -> None:
    seeds: set[bytes] = set()
    hands: set[str] = set()
    async with (
        serving(
            tmp_path / "data", "--log-level", "debug", "--log-format", style, "--haste", "100000"
        ) as served,
        party(served.url, seed=3) as table,
    ):
        for person in table.people:
            note(person, seeds, hands)
        await over(table)
        tokens = [person.client.token for person in table.people]
        # Kill and restart, bad frames and wrong tokens are logged as well.
        await served.kill()
        await served.start()
        assert await served.terminate() == 0
        log = served.log_path.read_text()
    assert len(seeds) > 3
    assert len(hands) > 12
    assert "room created" in log
    for secret in [*tokens, *seeds]:
        assert not [form for form in forms(secret) if form in log]
    assert not [hand for hand in hands if hand in log]
    assert "Traceback" not in log


async def over(table: Party) -> None:
    for person in table.people:
        await person.do(m.Ready(0))
    await table.play(
        until=lambda c: (
            (c.view is not None and c.view.stage is Stage.MATCH_OVER) or len(c.record) > 4
        )
    )


def note(person: Person, seeds: set[bytes], hands: set[str]) -> None:
    """Collect what must stay secret as the person is told it."""

    def heard(update: m.Update) -> None:
        for event in update.events:
            if isinstance(event, HandEnded):
                seeds.add(event.seed)
            if isinstance(event, Dealt) and event.own is not None:
                hands.add(cards_text(event.own))
                hands.add(repr([*map(int, event.own)]))

    person.on_update = heard
