"""`guandan bridge` called as it cannot be, or where there is nothing to listen at."""

from __future__ import annotations

import socket

import pytest

from tests.clients.commands import Commands


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--level", "basic", "--seat", "1"], "1 guests and 1 bots are not four"),
        (["--level", "genius", "--seat", "1", "--seat", "2", "--seat", "4"], "genius"),
        (["--seat", "1", "--seat", "1"], "--seat"),
        (["--level", "basic"] * 4, "--level"),
        (["--room", "ws://127.0.0.1:1"], "--room"),
        (["--games", "0"], "--games"),
        (["--room", "ABCDEF", "--rules", "house"], "--room: rules and settings are for a new"),
        (["--room", "ABCDEF", "--option", "advance_double=4"], "--room: rules and settings"),
        (["--room", "ABCDEF", "--clock", "20"], "--room: rules and settings"),
        (["--room", "ABCDEF", "--pace", "0.3"], "--room: rules and settings"),
        (["--room", "ABCDEF", "--public"], "--room: rules and settings"),
        (["--option", "nonsense=1"], "--option"),
    ],
)
def test_wrong_usage_of_a_bridge(commands: Commands, arguments: list[str], says: str) -> None:
    ended = commands.run("bridge", "--port", "0", *arguments)
    assert (ended.code, ended.out) == (2, [])
    assert says in ended.err[-1]


def test_a_bridge_needs_a_server_and_a_port(commands: Commands) -> None:
    ended = commands.run("bridge", "--port", "0", "--server", "ws://127.0.0.1:1")
    assert ended.code == 5
    assert ended.err[0].startswith("guandan: no connection to ws://127.0.0.1:1")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = commands.run("bridge", "--port", str(taken.getsockname()[1]))
    assert ended.code == 1
    assert "--port: cannot listen on 127.0.0.1 port " in ended.err[-1]
