"""A server for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from guandan_cli import solo
from guandan_cli.exits import Exit, Failure
from tests.clients.commands import Commands


@pytest.fixture
def alone(tmp_path: Path) -> Commands:
    """Somebody without a server, and with settings that are meant for one."""
    home = Commands("ws://nowhere", tmp_path)
    home.environment |= {"GUANDAN_HASTE": "1000", "REDIS_URL": "redis://127.0.0.1:1/0"}
    home.environment |= {"GUANDAN_HOST": "192.0.2.1", "GUANDAN_PORT": "1"}
    return home


def test_a_match_alone_in_lines_and_the_way_back_to_it(alone: Commands) -> None:
    first = alone.run("play", "--solo", "--plain", "--bots", "random", typed="wait\nhand\nquit\n")
    assert (first.code, first.err) == (0, [])
    assert first.out[-1] == "Come back at any time with: guandan play --solo --continue"
    hand = next(line for line in first.out if line.startswith("Your hand (27)"))
    start = first.out.index(hand)
    again = alone.run("play", "--solo", "--continue", "--plain", typed="hand\no 0.3\nwait hand\n")
    assert again.code == 0
    assert (
        again.out[again.out.index(hand) : again.out.index(hand) + 3] == first.out[start : start + 3]
    )
    assert any(line.startswith("── Hand over") for line in again.out)
    assert alone.seats() == [], "the seats of others' tables are not mixed with it"


def test_no_such_bots(alone: Commands) -> None:
    ended = alone.run("play", "--solo", "--plain", "--bots", "genius")
    assert (ended.code, len(ended.err)) == (2, 1)
    assert ended.err[0].startswith("guandan: --bots: ")


def test_there_is_nothing_to_go_on_with(alone: Commands) -> None:
    ended = alone.run("play", "--continue", "--plain")
    assert (ended.code, len(ended.err)) == (3, 1)
    assert "guandan play --solo begins one" in ended.err[0]


@pytest.mark.parametrize("arguments", [["ABCDEF"], ["--resume"], ["--public"]])
def test_solo_is_alone(alone: Commands, arguments: list[str]) -> None:
    assert alone.run("play", "--solo", *arguments).code == 2
    assert alone.run("play", "--bots", "basic").code == 2


async def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Failure) as failed:
        async with solo.private_server(tmp_path / "file" / "solo"):
            pass
    assert failed.value.exit == Exit.FAILURE


async def test_a_second_one_is_told_of_the_first(tmp_path: Path) -> None:
    for _ in range(2):  # the first one leaves nothing behind that keeps others out
        async with solo.private_server(tmp_path):
            with pytest.raises(Failure, match="another match alone is being played") as failed:
                async with solo.private_server(tmp_path):
                    pass
            assert failed.value.exit == Exit.REFUSED


async def test_why_the_server_does_not_start_is_its_last_word(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    with pytest.raises(Failure, match=r"the private server did not start: .*data"):
        async with solo.private_server(tmp_path):
            pass
