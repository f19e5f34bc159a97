"""The bot of `docs/writing-a-bot.md` plays as it is written there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from guandan_engine.moves import legal_plays
from guandan_engine.options import rules
from guandan_engine.views import private_view, public_view
from tests.clients.commands import Commands
from tests.engine.table import Table

PAGE = Path(__file__).parents[2] / "docs/writing-a-bot.md"
WAIT_S = 60
LINES_MAX = 60
"""Blank lines and docstrings among them: a bot is a page, no more."""


def blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "mybot.py"
    path.write_text(blocks()[0], encoding="utf-8")
    return path


def test_the_bot_plays_a_match_to_its_end(commands: Commands, bot: Path) -> None:
    with commands.start("play", "--plain") as host:
        room = host.until("Room ")[-1].split()[1]
        with subprocess.Popen(
            [sys.executable, str(bot), commands.address, room],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as guest:
            try:
                host.until("2 My bot: sits down")
                host.type("start", "o 0.3", "wait match", "record", "quit")
                said = host.rest()
                out, err = guest.communicate(timeout=WAIT_S)
            finally:
                guest.kill()
    assert (guest.returncode, err) == (0, "")
    assert out.startswith("The match is over. Levels: ")
    # It has played itself: the server never had to stand in for it.
    assert [line for line in said if "2 My bot" in line and "stands in" in line] == []
    assert any(line.startswith("2 My bot: ") and "left)" in line for line in said)


def test_the_bot_is_no_longer_than_it_says() -> None:
    assert len(blocks()[0].splitlines()) <= LINES_MAX


def test_it_says_why_it_is_not_let_in(commands: Commands, bot: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(bot), commands.address, "ZZZZZZ"],
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("no_such_room: ")


def test_the_policy_meets_the_others_and_sits_at_a_table(
    commands: Commands, tmp_path: Path
) -> None:
    path = tmp_path / "friendly.py"
    path.write_text(blocks()[2], encoding="utf-8")
    name = f"{path}:Friendly"
    met = commands.run("arena", name, "random", "--deals", "3", "--workers", "2", "--json")
    found = json.loads(met.out[0])
    assert (found["deals"], found["firsts"], found["one"]["fallbacks"]) == (3, 1.0, 0)
    with commands.start("play", "--plain") as host:
        room = host.until("Room ")[-1].split()[1]
        with commands.start("bot", "--join", room, "--level", name, "--name", "Pal"):
            host.until("2 Pal: sits down")
            host.type("start", "o 0.3", "wait hand", "quit")
            said = host.rest()
    assert any(line.startswith("2 Pal: ") and "left)" in line for line in said)


def test_the_list_of_legal_plays_is_as_written() -> None:
    match = Table.deal("1: S5 H5 S9 …", "2: S4 …", level="2").match

    class client:  # noqa: N801 named as on the page
        private = private_view(match, match.phase.turn)  # type: ignore[union-attr]  # it leads
        public = public_view(match)

        class view:  # noqa: N801 named as on the page
            preset = "site"
            options: dict[str, object] = {}  # noqa: RUF012 nothing is shared here

    found: list[tuple[object, ...]] = []
    names = {"client": client, "print": lambda *what: found.append(what)}
    exec(blocks()[1], names)  # noqa: S102 it is the code of the page
    plays = legal_plays(client.private.hand, client.public.level, rules(), None)
    assert len(found) == len(list(plays))


FAILS = """
import sys
from guandan_bots.policy import policy

class Fails:
    name = "fails"

    def __init__(self):
        self.asked, self.basic = 0, policy("basic")

    def choose(self, view, rules, rng):
        self.asked += 1
        if self.asked == 2:
            raise RuntimeError("boom")
        if self.asked == 4:
            sys.exit(0)
        return self.basic.choose(view, rules, rng)
"""


def test_a_policy_that_fails_costs_moves_and_not_the_seat(
    commands: Commands, tmp_path: Path
) -> None:
    path = tmp_path / "fails.py"
    path.write_text(FAILS, encoding="utf-8")
    with commands.start("play", "--plain") as host:
        room = host.until("Room ")[-1].split()[1]
        level = ("--level", f"{path}:Fails")
        with commands.start("bot", "--join", room, *level, "--name", "Pal") as bot:
            host.until("2 Pal: sits down")
            host.type("start", "o 0.3", "wait hand", "quit")
            said = host.rest()
            assert bot.process.poll() is None
            bot.process.terminate()
            assert bot.process.stderr is not None
            told = bot.process.stderr.read()
    assert "fails failed: RuntimeError: boom" in told
    assert "fails failed: SystemExit: 0" in told
    assert sum("2 Pal: " in line for line in said) > 4
    assert [line for line in said if "2 Pal" in line and "stands in" in line] == []
