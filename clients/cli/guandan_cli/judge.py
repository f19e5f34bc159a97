"""`guandan judge`: a referee for anyone's cases, one JSON object a line in and out."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, BinaryIO, Final, TextIO

from attrs import frozen
from cyclopts import Parameter

from guandan_cli.exits import Exit, Failure, about, said, system_says
from guandan_engine.cases import CaseError, agrees, decide

__all__ = ["judge", "judged"]

LINE_BYTES_MAX: Final = 1 << 20
"""A case has some 300 bytes; one with every card of the pack in all four hands has under 4,000."""
ERROR_CHARS_MAX: Final = 300
ID_CHARS_MAX: Final = 200
"""Of a case's own words that are repeated."""


@frozen
class Verdict:
    """The answer to one line."""

    line: int
    id: Any
    result: dict[str, Any] | None
    error: str = ""
    """Why there is no result; empty if there is."""
    differences: tuple[str, ...] | None = None
    """From what the case expects; None if it expects nothing."""

    def text(self) -> str:
        """The line of output: `{"id", "result"}`, or `{"id", "line", "error"}`."""
        if self.result is None:
            return _dumped({"id": self.id, "line": self.line, "error": self.error})
        return _dumped({"id": self.id, "result": self.result})


def judge(
    file: Annotated[
        str,
        Parameter(
            help="The cases; `-` is standard input.",
            allow_leading_hyphen=True,
            show_env_var=False,
        ),
    ],
    /,
    *,
    check: Annotated[
        bool,
        Parameter(
            help="Compare with what each case expects, and end with 1 unless all agree. The "
            "differences and a count go to standard error."
        ),
    ] = False,
) -> int:
    """Decide cases of the rules, one JSON object a line, and write one line for each.

    Reads JSON Lines from FILE, or from standard input if FILE is `-`, in the format of
    docs/judge.md, and answers in order `{"id": …, "result": {…}}`. A line that is no case is
    answered by `{"id": …, "line": N, "error": …}`, so that answers and questions stay in step;
    the rest is still decided, and the command ends with 1.

    For example:

        guandan judge cases.jsonl > answers.jsonl

        guandan judge --check cases.jsonl

        some-program | guandan judge -
    """
    if file == "-":
        if sys.stdin is None:
            raise Failure(Exit.FAILURE, said("error.stdin_closed"))
        return _judge_all(sys.stdin.buffer, "standard input", check=check)
    if file.startswith("-"):
        raise Failure(Exit.USAGE, said("error.file_named", file=file))
    try:
        with open(file, "rb") as cases:  # noqa: PTH123 a path as typed, which `Path` would rewrite
            return _judge_all(cases, file, check=check)
    except BrokenPipeError:
        raise  # whoever reads the answers has gone; `main` knows what to do
    except FileNotFoundError as error:
        raise Failure(Exit.NOT_FOUND, about(file, said("error.no_file"))) from error
    except OSError as error:
        raise Failure(Exit.FAILURE, about(file, system_says(error))) from error


def _judge_all(cases: BinaryIO, name: str, *, check: bool) -> int:
    verdicts = judged(_lines(cases))
    return _report(verdicts, name, check=check, out=sys.stdout, err=sys.stderr)


def judged(lines: Iterable[bytes]) -> Iterator[Verdict]:
    """A verdict for every line that is not blank, in order; never raises for what a line holds."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _judged(number, line)


def _judged(number: int, line: bytes) -> Verdict:
    case: dict[str, Any] = {}
    try:
        case = _case(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line)
        result = decide(case)
        expect = case.get("expect")
        differences = None if expect is None else tuple(agrees(expect, result))
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: byte {error.start + 1} of the line"
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg} at column {error.colno}"
    except RecursionError:
        reason = "nested too deeply"
    except (CaseError, ValueError) as error:
        reason = " ".join(str(error).split())[:ERROR_CHARS_MAX]
    else:
        return Verdict(number, _id_of(case), result, differences=differences)
    return Verdict(number, _id_of(case), None, error=reason)


def _case(line: bytes) -> dict[str, Any]:
    """The object of a line; CaseError, or what `json` raises, if it holds none."""
    if len(line) > LINE_BYTES_MAX:
        raise CaseError(f"the line is longer than {LINE_BYTES_MAX} bytes")
    case = json.loads(line.decode(), parse_constant=_no_constant)
    if not isinstance(case, dict):
        raise CaseError("a case is an object")
    return case


def _id_of(case: dict[str, Any]) -> Any:
    """What the case is called, if that is something one can be called."""
    named = case.get("id")
    if isinstance(named, str):
        return named[:ID_CHARS_MAX]
    return named if type(named) is int else None


def _no_constant(name: str) -> Any:
    raise ValueError(f"not JSON: {name}")


def _dumped(plain: Any) -> str:
    # Escapes what is not ASCII, so that no case can steer a terminal.
    return json.dumps(plain, ensure_ascii=True, separators=(", ", ": "))


def _lines(cases: BinaryIO) -> Iterator[bytes]:
    """Lines, of which no more is held than is of use: the rest of an endless one is skipped."""
    while line := cases.readline(LINE_BYTES_MAX + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = cases.readline(LINE_BYTES_MAX)
        yield line


def _report(
    verdicts: Iterable[Verdict], name: str, *, check: bool, out: TextIO, err: TextIO
) -> int:
    agreed = differed = malformed = unchecked = 0
    for verdict in verdicts:
        print(verdict.text(), file=out, flush=True)
        if verdict.result is None:
            malformed += 1
            print(f"{name}:{verdict.line}: {verdict.error}", file=err, flush=True)
        elif not check:
            continue
        elif verdict.differences is None:
            unchecked += 1
            print(f"{name}:{verdict.line}: nothing is expected, so nothing agrees", file=err)
        elif verdict.differences:
            differed += 1
            for line in verdict.differences:
                print(f"{name}:{verdict.line}: {_dumped(verdict.id)}: {line}", file=err, flush=True)
        else:
            agreed += 1
    if check:
        total = agreed + differed + malformed + unchecked
        counts = [f"{agreed} agree", f"{differed} differ"]
        counts += [f"{unchecked} expect nothing"] if unchecked else []
        counts += [f"{malformed} malformed"] if malformed else []
        print(f"{total} cases: {', '.join(counts)}", file=err)
        if not total:
            return Exit.FAILURE  # a check of nothing, as of a wrong file, is none
    return Exit.FAILURE if differed or malformed or unchecked else Exit.OK
