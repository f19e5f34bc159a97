"""Commands to type, and an evening from the first welcome to the last word."""

import asyncio
from collections import deque
from pathlib import Path

import pytest

from guandan_cli import sitting
from guandan_cli.address import DEFAULT_SERVER
from guandan_cli.exits import Exit, Failure
from guandan_cli.kept import Keeper, Kept
from guandan_cli.obey import Next, Player
from guandan_engine.seats import Seat
from tests.clients.parlour import WAIT_S, Parlour
from tests.engine.table import Table


def test_a_command_names_the_server_only_if_it_must() -> None:
    assert sitting.command("play", "K7QM2X", server=DEFAULT_SERVER) == "guandan play K7QM2X"
    assert sitting.command("watch", "K7QM2X", server="ws://[::1]:1/ws") == (
        "guandan watch K7QM2X --server 'ws://[::1]:1/ws'"
    )


def test_coming_back_names_the_seat_only_among_several(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    ours = Kept(DEFAULT_SERVER, "K7QM2X", Seat(1), bytes(32))
    keeper.keep(ours)
    assert sitting.resume_command(keeper, ours) == "guandan play K7QM2X --resume"
    keeper.keep(Kept(DEFAULT_SERVER, "K7QM2X", Seat(3), bytes(31) + b"x"))
    keeper.keep(Kept("ws://elsewhere", "K7QM2X", Seat(4), bytes(31) + b"y"))
    assert sitting.resume_command(keeper, ours) == "guandan play K7QM2X --resume --seat 1"


async def evening(
    parlour: Parlour, *typed: str, until_input_ends: bool = True
) -> tuple[Exit, Next]:
    parlour.console.typed = deque(typed)
    game = parlour.game()
    player = Player(game, resume=lambda: "come back")
    async with asyncio.timeout(WAIT_S):
        return await sitting.run(game, player, until_input_ends=until_input_ends)


def table() -> Parlour:
    return Parlour(Table.deal("1: S9 H9 SK", "2: S4 …").match)


async def test_the_end_of_the_input_ends_the_evening() -> None:
    parlour = table()
    parlour.welcome()
    assert await evening(parlour, "9 9") == (Exit.OK, Next.INPUT_ENDED)
    assert any(line.startswith("you: pair of 9s") for line in parlour.console.printed)


async def test_leaving_ends_the_evening() -> None:
    parlour = table()
    parlour.welcome()
    assert await evening(parlour, "leave", "yes", "9 9") == (Exit.OK, Next.LEFT)


async def test_the_server_may_end_it() -> None:
    parlour = table()
    parlour.welcome()
    parlour.end("room_gone")
    with pytest.raises(Failure) as failure:
        await evening(parlour, until_input_ends=False)
    assert failure.value.exit is Exit.NOT_FOUND


async def test_it_may_never_begin() -> None:
    parlour = table()
    parlour.end("full")
    with pytest.raises(Failure) as failure:
        await evening(parlour, "9 9")
    assert failure.value.exit is Exit.REFUSED
    assert parlour.acted == []


async def test_watching_goes_on_without_an_input() -> None:
    parlour = Parlour(Table.deal().match, seat=None)
    parlour.welcome()
    watching = asyncio.create_task(evening(parlour, until_input_ends=False))
    for _ in range(100):
        await asyncio.sleep(0)
    assert parlour.console.printed  # and the input, an empty one, has ended long since
    assert not watching.done()
    parlour.end("room_gone")
    with pytest.raises(Failure):
        await watching


async def test_a_watcher_may_quit_all_the_same() -> None:
    parlour = Parlour(Table.deal().match, seat=None)
    parlour.welcome()
    assert await evening(parlour, "quit", until_input_ends=False) == (Exit.OK, Next.QUIT)


async def test_nothing_is_left_running() -> None:
    parlour = table()
    parlour.welcome()
    await evening(parlour)
    names = {task.get_name() for task in asyncio.all_tasks()}
    assert not names & {"listen", "obey"}


# How this program is called


@pytest.mark.parametrize("on_path", [True, False])
def test_the_way_back_names_the_program_so_that_it_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, on_path: bool
) -> None:
    program = tmp_path / "bin" / "guandan"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.setenv("PATH", str(program.parent) if on_path else "/nowhere")
    assert sitting.program() == ("guandan" if on_path else str(program))
    assert sitting.command("play", "K7QM2X", server="ws://x") == (
        "guandan play K7QM2X --server ws://x"
    ), "others have it elsewhere"


def test_another_program_says_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/usr/bin/pytest"])
    assert sitting.program() == "guandan"
