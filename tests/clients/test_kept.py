"""Seats to come back to, in files that are the user's own."""

import json
import os
import stat
from pathlib import Path

import pytest
from attrs import evolve

from guandan_cli.kept import FILES_MAX, Keeper, Kept, state_folder
from guandan_engine.seats import Seat

KEPT = Kept(server="ws://127.0.0.1:8765", room="K7QM2X", seat=Seat(2), token=bytes(range(32)))
OTHER = evolve(KEPT, seat=Seat(3), token=bytes(32))


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path / "guandan")


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "guandan" / "seats").iterdir())


def test_a_seat_is_found_again(keeper: Keeper) -> None:
    keeper.keep(KEPT)
    assert keeper.seats() == [KEPT]
    assert keeper.seats("K7QM2X") == keeper.seats("K7QM2X", KEPT.server) == [KEPT]
    assert keeper.seats("ANOTHER") == keeper.seats("K7QM2X", "ws://elsewhere") == []


def test_nobody_else_can_read_it(keeper: Keeper, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        keeper.keep(KEPT)
    finally:
        os.umask(old)
    (file,) = files(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.parent.parent.stat().st_mode) == 0o700


def test_two_seats_of_a_room_do_not_meet(keeper: Keeper) -> None:
    keeper.keep(KEPT)
    keeper.keep(OTHER)
    keeper.keep(evolve(OTHER, seat=Seat(4)))
    assert {(kept.seat, kept.token) for kept in keeper.seats("K7QM2X")} == {
        (2, KEPT.token),
        (4, OTHER.token),
    }


def test_the_newest_comes_first(keeper: Keeper, tmp_path: Path) -> None:
    for age, kept in enumerate((KEPT, OTHER)):
        keeper.keep(kept)
        for file in files(tmp_path):
            if json.loads(file.read_text())["token"] == kept.token.hex():
                os.utime(file, (1_000_000 - age, 1_000_000 - age))
    assert keeper.seats() == [KEPT, OTHER]


def test_a_seat_is_forgotten_once_it_opens_nothing(keeper: Keeper) -> None:
    keeper.keep(KEPT)
    keeper.forget(KEPT)
    keeper.forget(KEPT)
    assert keeper.seats() == []


def test_old_files_go(keeper: Keeper, tmp_path: Path) -> None:
    for number in range(FILES_MAX + 3):
        keeper.keep(evolve(KEPT, token=number.to_bytes(32, "big")))
    assert len(files(tmp_path)) == FILES_MAX
    assert any(kept.token == (FILES_MAX + 2).to_bytes(32, "big") for kept in keeper.seats())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"server": 1, "room": "R", "seat": 1, "token": "' + "00" * 32 + '"}',
        '{"server": "s", "room": "R", "seat": 5, "token": "' + "00" * 32 + '"}',
        '{"server": "s", "room": "R", "seat": "1", "token": "' + "00" * 32 + '"}',
        '{"server": "s", "room": "R", "seat": [], "token": "' + "00" * 32 + '"}',
        '{"server": "s", "room": "R", "seat": 1, "token": "00"}',
        '{"server": "s", "room": "R", "seat": 1, "token": "zz"}',
        '{"server": "s", "room": "R", "seat": 1, "token": 1}',
        "[" * 3000,
        "\x00",
    ],
)
def test_a_damaged_file_is_passed_over(keeper: Keeper, tmp_path: Path, text: str) -> None:
    keeper.keep(KEPT)
    (tmp_path / "guandan" / "seats" / "broken.json").write_text(text)
    (tmp_path / "guandan" / "seats" / "unrelated.txt").write_text("hello")
    (tmp_path / "guandan" / "seats" / "folder.json").mkdir()
    assert keeper.seats() == [KEPT]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keeper = Keeper(tmp_path / "file")
    with pytest.raises(FileExistsError):
        keeper.keep(KEPT)
    assert keeper.seats() == []


def test_a_room_s_code_never_becomes_a_path(keeper: Keeper) -> None:
    with pytest.raises(OSError, match="no room"):
        keeper.keep(evolve(KEPT, room="../../x"))


def test_a_token_is_not_printed() -> None:
    assert KEPT.token.hex() not in repr(KEPT)
    assert "token" not in repr(KEPT)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"XDG_STATE_HOME": "/var/state"}, "/var/state/guandan"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/home/ann"}, "/home/ann/.local/state/guandan"),
        ({"HOME": "/home/ann"}, "/home/ann/.local/state/guandan"),
        ({"XDG_STATE_HOME": "", "HOME": "/home/ann"}, "/home/ann/.local/state/guandan"),
    ],
)
def test_where_state_lives(environment: dict[str, str], folder: str) -> None:
    assert state_folder(environment) == Path(folder)
