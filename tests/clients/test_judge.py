"""The referee of anyone's cases, as a command."""

import io
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from guandan_cli.judge import LINE_BYTES_MAX, judged
from guandan_cli.main import main

CASES = Path(__file__).parent.parent / "cases" / "rule-cases.jsonl"
GUANDAN = Path(sys.executable).with_name("guandan")

GOOD = {"id": "C1", "kind": "classify", "level": "7", "input": {"cards": ["H7", "H7"]}}
PAIR = {"readings": [{"type": "pair", "key": "7", "len": 2}]}


def lines(*cases: object) -> bytes:
    return b"".join(
        case if isinstance(case, bytes) else json.dumps(case).encode() + b"\n" for case in cases
    )


def run(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: bytes,
    *arguments: str,
) -> tuple[int, list[Any], list[str]]:
    """The command on standard input: its exit code, answers and messages."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    code = main(["judge", *arguments, "-"])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err.splitlines()


# All the cases there are


def test_all_cases_agree_in_a_process_of_its_own() -> None:
    ran = subprocess.run(
        [GUANDAN, "judge", "--check", str(CASES)], capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert ran.stderr == "227 cases: 227 agree, 0 differ\n"
    assert ran.returncode == 0
    assert len(ran.stdout.splitlines()) == 227


def test_standard_input_is_judged_like_a_file() -> None:
    with CASES.open("rb") as cases:
        ran = subprocess.run(
            [GUANDAN, "judge", "-", "--check"], stdin=cases, capture_output=True, timeout=120,
            check=False,
        )  # fmt: skip
    assert ran.returncode == 0
    assert b"227 agree" in ran.stderr


def test_answers_come_in_order_and_in_the_shape_of_what_is_expected() -> None:
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    verdicts = list(judged(CASES.read_bytes().splitlines(keepends=True)))
    assert [verdict.id for verdict in verdicts] == [case["id"] for case in cases]
    for case, verdict in zip(cases, verdicts, strict=True):
        assert verdict.differences == ()
        answer = json.loads(verdict.text())
        assert list(answer) == ["id", "result"]
        assert set(case["expect"]) <= set(answer["result"])


def test_an_answer_comes_before_the_next_question_is_asked() -> None:
    with subprocess.Popen(
        [GUANDAN, "judge", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as judge:
        assert judge.stdin is not None
        assert judge.stdout is not None
        for number in range(3):
            judge.stdin.write(lines({**GOOD, "id": number}))
            judge.stdin.flush()
            assert json.loads(judge.stdout.readline()) == {"id": number, "result": PAIR}
        judge.stdin.close()
        assert judge.wait(timeout=60) == 0


def test_a_reader_that_goes_away_is_no_fault() -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", f"'{GUANDAN}' judge '{CASES}' | head -n 1"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert len(ran.stdout.splitlines()) == 1
    assert ran.stderr == ""


# What a line may hold

MALFORMED: list[tuple[bytes, Any, str]] = [
    (b"nonsense\n", None, "not JSON"),
    (b'{"id": "a"\n', None, "not JSON"),
    (b'{"id": "a"} {}\n', None, "not JSON"),
    (b"[]\n", None, "a case is an object"),
    (b"17\n", None, "a case is an object"),
    (b"null\n", None, "a case is an object"),
    (b'{"id": "\xff"}\n', None, "not UTF-8"),
    (b'{"id": NaN}\n', None, "not JSON"),
    (b"{}\n", None, "kind"),
    (b'{"id": "b", "kind": "dance"}\n', "b", "kind"),
    (b'{"id": 7, "kind": "classify"}\n', 7, "level"),
    (b'{"id": [1], "kind": "classify"}\n', None, "level"),
    (b'{"id": true, "kind": "classify"}\n', None, "level"),
    (b'{"id": "c", "kind": "classify", "level": "7"}\n', "c", "input"),
    (lines({**GOOD, "id": "d", "input": {"cards": ["H1"]}}), "d", "H1"),
    (lines({**GOOD, "id": "e", "input": {"cards": 5}}), "e", "cards"),
    (lines({**GOOD, "id": "f", "input": []}), "f", "input"),
    (lines({**GOOD, "id": "g", "level": 7}), "g", "level"),
    (lines({**GOOD, "id": "h", "preset": "moon"}), "h", "moon"),
    (lines({**GOOD, "id": "i", "options": {"moon": 1}}), "i", "moon"),
    (lines({**GOOD, "id": "j", "kind": ["classify"]}), "j", "kind"),
    (b'{"id": "k", "input": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", None, "nested"),
    (b'{"id": "l", "input": ' + b"9" * 10_000 + b"}\n", None, "digits"),
    (b'{"id": "' + b"m" * LINE_BYTES_MAX + b'"}\n', None, "longer than"),
    (b'{"id": "n", "kind": "' + b"n" * 10_000 + b'"}\n', "n", "kind"),
    (b"\x00\n", None, "not JSON"),
]


@pytest.mark.parametrize(("line", "named", "says"), MALFORMED, ids=map(str, range(len(MALFORMED))))
def test_a_malformed_line_is_reported_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    line: bytes,
    named: Any,
    says: str,
) -> None:
    code, answers, messages = run(monkeypatch, capsys, lines(GOOD, line, GOOD))
    assert code == 1
    assert answers[0] == answers[2] == {"id": "C1", "result": PAIR}
    assert list(answers[1]) == ["id", "line", "error"]
    assert (answers[1]["id"], answers[1]["line"]) == (named, 2)
    assert says in answers[1]["error"]
    assert len(answers[1]["error"]) <= 300
    assert messages == [f"standard input:2: {answers[1]['error']}"]


def test_depth_that_json_allows_breaks_nothing_either(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = b"[" * 900 + b"]" * 900
    cases = [
        b'{"id": 1, "kind": "classify", "level": ' + deep + b"}\n",
        b'{"id": 2, "kind": "classify", "level": "7", "input": {"cards": ' + deep + b"}}\n",
        b'{"id": 3, "kind": "classify", "level": "7", "input": {"cards": ["H7"]}, "expect": '
        + deep
        + b"}\n",
    ]
    code, answers, _ = run(monkeypatch, capsys, lines(*cases, GOOD), "--check")
    assert code == 1
    assert [answer["id"] for answer in answers] == [1, 2, 3, "C1"]


def test_blank_lines_are_skipped_but_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = b"\n  \n" + lines(GOOD) + b"\r\n\t\n" + b"x\n"
    code, answers, _ = run(monkeypatch, capsys, text)
    assert code == 1
    assert answers[0] == {"id": "C1", "result": PAIR}
    assert answers[1]["line"] == 6


def test_a_last_line_needs_no_end_and_a_first_one_may_have_a_mark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = b"\xef\xbb\xbf" + lines(GOOD) + lines(GOOD).rstrip()
    assert run(monkeypatch, capsys, text) == (0, [{"id": "C1", "result": PAIR}] * 2, [])


def test_nothing_is_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, capsys, b"", "--check") == (1, [], ["0 cases: 0 agree, 0 differ"])


# Checking


def test_a_difference_is_printed_and_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = {**GOOD, "expect": PAIR}
    wrong = {**GOOD, "id": "\x1b[2J", "expect": {"readings": []}}
    silent = {**GOOD, "id": "quiet"}
    text = lines(right, wrong, silent, b"x\n")
    code, answers, messages = run(monkeypatch, capsys, text, "--check")
    assert code == 1
    assert len(answers) == 4
    assert messages[0].startswith('standard input:2: "\\u001b[2J": readings: expected []')
    assert messages[-1] == "4 cases: 1 agree, 1 differ, 1 expect nothing, 1 malformed"
    assert not any("\x1b" in message for message in messages)


def test_without_check_nothing_is_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, messages = run(monkeypatch, capsys, lines({**GOOD, "expect": {"readings": []}}))
    assert (code, messages) == (0, [])


# Files


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["judge", str(tmp_path / "none")]) == 3
    assert capsys.readouterr().err == f"guandan: {tmp_path / 'none'}: no such file\n"


def test_a_folder_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["judge", str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_closed_input_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["judge", "-"]) == 1
    assert capsys.readouterr().err == "guandan: standard input is closed\n"


def endless() -> Iterable[bytes]:
    while True:
        yield lines(GOOD)


def test_verdicts_come_one_by_one() -> None:
    verdicts = judged(endless())
    assert [next(verdicts).line for _ in range(3)] == [1, 2, 3]
