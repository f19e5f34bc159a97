"""`guandan review`: few play-outs, on a match of bots."""

from __future__ import annotations

import json
import signal
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from guandan_bots.review import Plan, Reviewed, decisions, reviewed
from guandan_cli import review as command
from guandan_engine.notation import parse_card, parse_reading, reading_text
from guandan_engine.record import write
from guandan_engine.seats import Seat
from tests.bots.recorded import RULES, recorded
from tests.clients.commands import Commands, Ended

RECORD = recorded(("random", "club", "random", "club"), "two")
FEW = ("--playouts", "20", "--workers", "1")
NOBODY = {"GUANDAN_NAME": ""}


@pytest.fixture
def guandan(tmp_path: Path) -> Commands:
    return Commands("ws://127.0.0.1:1", tmp_path)  # nobody is asked


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("records") / "match.txt"
    path.write_text(write(RECORD), encoding="utf-8")
    return str(path)


def plain(ended: Ended) -> dict[str, Any]:
    (line,) = ended.out
    found: dict[str, Any] = json.loads(line)
    return found


def test_all_seats_for_programs(guandan: Commands, file: str) -> None:
    ended = guandan.run("review", file, *FEW, "--json", **NOBODY)
    assert (ended.code, ended.err) == (0, [])
    found = plain(ended)
    assert list(found) == ["playouts", "seed", "complete", "seats", "decisions"]
    assert (found["playouts"], found["seed"], found["complete"]) == (20, "1", True)
    expected = list(reviewed(decisions(RECORD), RULES, Plan(playouts=20), workers=1))
    assert len(found["decisions"]) == len(expected)
    by_turn = {one["turn"]: one for one in found["decisions"]}
    for one in expected:
        said = by_turn[one.decision.turn]
        assert (said["seat"], said["hand"]) == (one.decision.seat, 1)
        assert (said["agreed"], said["sure"], said["worlds"]) == (one.agreed, one.sure, one.worlds)
        assert said["gain"] == pytest.approx(one.gain, abs=1e-4)
        assert (said["beats"] is None) == (said["phase"] == "leading")
        for choice in (said["played"], said["best"]):
            if "pass" not in choice:
                assert reading_text(parse_reading(choice["reading"])) == choice["reading"]
                assert [parse_card(card) for card in choice["cards"]]
    ranks = [(not one["sure"], -one["gain"]) for one in found["decisions"]]
    assert ranks == sorted(ranks)
    assert [one["seat"] for one in found["seats"]] == [1, 2, 3, 4]
    assert [one["name"] for one in found["seats"]] == ["Ann", "Ben", "Cai", ""]
    assert sum(one["reviewed"] for one in found["seats"]) == len(expected)


def test_one_seat_is_spoken_to(guandan: Commands, file: str) -> None:
    ended = guandan.run("review", file, "--seat", "3", "--top", "2", *FEW)
    assert (ended.code, ended.err) == (0, [])
    first, second, more, balance, note = ended.out
    for line in (first, second):
        assert line.startswith("hand 1, ")
        assert " your " in line
        assert ": expert p" in line
        assert "(10 worlds)" in line
    assert "are not as expert plays: --top" in more
    assert balance.startswith("3 Cai: ")
    assert "gave away" in balance
    assert note.startswith("Judged by what the seat could see then.")


def test_in_chinese(guandan: Commands, file: str) -> None:
    ended = guandan.run("review", file, "--seat", "3", "--top", "1", "--lang", "zh", *FEW)
    assert ended.code == 0
    assert ended.out[0].startswith("第1局，剩")
    assert "：高手" in ended.out[0]
    assert ended.out[-2].startswith("3号Cai：")


def test_the_same_again_with_the_same_seed_only(guandan: Commands, file: str) -> None:
    asked = ("review", file, "--seat", "1", "--json", "--playouts", "20")
    once = plain(guandan.run(*asked, "--workers", "1"))
    assert plain(guandan.run(*asked, "--workers", "2")) == once
    other = plain(guandan.run(*asked, "--workers", "1", "--seed", "x"))
    assert other["decisions"] != once["decisions"]


@pytest.mark.parametrize(
    ("arguments", "seats"),
    [
        (("--name", "cai"), [3]),
        (("--seat", "2"), [2]),  # and Ann, who is one by all commands, is not meant
        ((), [1]),
    ],
)
def test_a_player_is_found_by_name(
    guandan: Commands, file: str, arguments: tuple[str, ...], seats: list[int]
) -> None:
    found = plain(guandan.run("review", file, *arguments, *FEW, "--json", GUANDAN_NAME="Ann"))
    assert [one["seat"] for one in found["seats"]] == seats
    assert {one["seat"] for one in found["decisions"]} == set(seats)


def test_a_name_of_the_configuration_may_be_no_player(guandan: Commands, file: str) -> None:
    found = plain(guandan.run("review", file, *FEW, "--json", GUANDAN_NAME="Zoe"))
    assert len(found["seats"]) == 4


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--name", "Zoe"), 3, "Nobody in the record is called Zoe; there are: Ann, Ben, Cai."),
        (("--name", "Ann", "--seat", "1"), 2, "--seat, --name: one of them"),
        (("--seat", "5"), 2, "--seat"),
        (("--playouts", "1"), 2, "--playouts"),
        (("--workers", "0"), 2, "--workers"),
        (("--seconds", "0"), 2, "--seconds"),
        (("--top", "x"), 2, "--top"),
    ],
)
def test_what_cannot_be_is_one_line(
    guandan: Commands, file: str, arguments: tuple[str, ...], code: int, says: str
) -> None:
    ended = guandan.run("review", file, *arguments)
    assert (ended.code, ended.out, len(ended.err)) == (code, [], 1)
    assert says in ended.err[0]


def test_a_file_that_is_no_record(guandan: Commands, file: str, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("dear diary\n")
    ended = guandan.run("review", str(other))
    assert (ended.code, ended.out, len(ended.err)) == (1, [], 1)
    assert f"{other}: " in ended.err[0]
    assert guandan.run("review", "nowhere.txt").code == 3
    forbidden = Path(file).read_text(encoding="utf-8").splitlines()
    first = next(place for place, line in enumerate(forbidden) if " = " in line)
    other.write_text("\n".join([*forbidden[:first], forbidden[first], *forbidden[first:]]))
    ended = guandan.run("review", str(other))
    assert (ended.code, ended.out, len(ended.err)) == (1, [], 1)


def test_what_was_found_is_told_when_it_is_interrupted(
    guandan: Commands, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, **named: Any) -> Generator[Reviewed, None, None]:
        for number, one in enumerate(reviewed(*arguments, **named)):
            if number == 3:
                raise KeyboardInterrupt
            yield one

    monkeypatch.setattr(command, "reviewed", interrupted)
    ended = guandan.run("review", file, *FEW, "--json", "--seat", "1")
    assert ended.code == 130
    found = plain(ended)
    assert len(found["decisions"]) == 3
    assert found["complete"] is False
    (seat,) = found["seats"]
    assert (seat["reviewed"], seat["decisions"]) == (3, len(list(decisions(RECORD, [Seat(1)]))))


def test_ctrl_c_from_outside(guandan: Commands, file: str) -> None:
    text = Path(file).read_text(encoding="utf-8").splitlines()
    # More than a pipe holds: when all of it is written, the program is there and reads.
    text[1:1] = ["# " + "x" * 98] * 10_000
    with guandan.start("review", "-", "--playouts", "1000000", "--lang", "en") as program:
        program.type(*text)
        assert program.process.stdin is not None
        program.process.stdin.close()
        program.process.send_signal(signal.SIGINT)
        assert program.ended() == (130, "")


def test_a_record_of_no_decisions(guandan: Commands, tmp_path: Path) -> None:
    path = tmp_path / "begun.txt"
    path.write_text(write(evolve(RECORD, commands=RECORD.commands[:1])), encoding="utf-8")
    ended = guandan.run("review", str(path), "--seat", "1")
    assert (ended.code, ended.err) == (0, [])
    assert ended.out[0] == (
        "1 Ann: 0 of 0 decisions looked at, – as expert, 0 surely worse; gave away 0.0 ± 0.0 levels"
    )


def test_as_a_process(guandan: Commands, file: str) -> None:
    ended = guandan.spawn("review", file, "--playouts", "10", "--seat", "1", "--json")
    assert (ended.code, ended.err) == (0, [])
    assert plain(ended)["complete"] is True


def test_a_bot_is_called_in_chinese_as_at_the_table(guandan: Commands, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    named = evolve(RECORD, names=("Ann", "Orchid", "Cai", "Chrysanthemum"))
    path.write_text(write(named), encoding="utf-8")
    for name in ("阿兰", "orchid"):
        ended = guandan.run("review", str(path), "--name", name, "--top", "0", "--lang", "zh", *FEW)
        assert ended.code == 0
        assert ended.out[0].startswith("2号阿兰：")
    nobody = guandan.run("review", str(path), "--name", "Zoe", "--lang", "zh")
    assert "有：Ann，阿兰，Cai，阿菊。" in nobody.err[0]
    told = guandan.run("replay", str(path), "--plain", "--lang", "zh").out
    assert any("2号阿兰" in line for line in told)
    assert not any("Orchid" in line for line in told)
