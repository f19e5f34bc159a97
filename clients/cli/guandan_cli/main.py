"""The `guandan` command: which commands there are, and how every one of them ends.

Data goes to standard output, messages to standard error. Options are taken from the command line,
then from `GUANDAN_*` in the environment, then from a file, then from their defaults. Whatever goes
wrong is one line and one of the codes in `exits`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from cyclopts import App, CycloptsError, Parameter
from cyclopts.config import Env

from guandan_cli.configfile import CONFIG_VARIABLE, Configured, taken_from
from guandan_cli.exits import Exit, Failure, Said, about, said
from guandan_cli.notes import QUIET_VARIABLE

if TYPE_CHECKING:
    from cyclopts import ArgumentCollection

__all__ = ["COMMANDS", "CONFIG_VARIABLE", "command_line", "main"]

TRACEBACK_VARIABLE: Final = "GUANDAN_TRACEBACK"
"""Set it to anything to see where a fault of the program itself happened."""

COMMANDS: Final = {
    "serve": "Start a server, with a store of its own unless you name one.",
    "play": "Open a table or take a seat at one, and play.",
    "watch": "Watch a table.",
    "rooms": "List the public tables of a server.",
    "new": "Open a table and print its code and link.",
    "bot": "Let bots of this machine play at a table.",
    "bridge": "Let programs of the competition dialect play at a table.",
    "replay": "Go through a finished match, play by play.",
    "verify": "Check the deals and plays of a finished match.",
    "review": "See what the strongest bot would have played in a finished match.",
    "judge": "Decide cases of the rules.",
    "load": "Play at many tables at once, and measure the server.",
    "arena": "Let levels of bots play each other, and measure which is better.",
    "doctor": "Check whether everything is there to serve and to play.",
    "completion": "Print what makes a shell complete these commands.",
}
"""Each is a function in the module of its name."""

EPILOGUE: Final = """\
--color never, always or auto decides about colours, and so does NO_COLOR in the environment.
--quiet leaves nothing but data and errors; -v shows where a fault of this program comes from.

An option --like-this can be set as GUANDAN_LIKE_THIS in the environment, or as `like-this` in a
file: --config FILE, GUANDAN_CONFIG, or guandan/config.toml where settings are kept
(~/.config). In that file, what stands under [play] is for `play` alone.
"""


COLOR_OPTION: Final = "--color"
MANNERS: Final = {
    "--quiet": QUIET_VARIABLE,
    "-v": TRACEBACK_VARIABLE,
    "--verbose": TRACEBACK_VARIABLE,
}


class _Environment(Env):
    """`GUANDAN_PORT` for `--port`, and so on; what stands without a name is never taken from it."""

    def __call__(self, app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        options = [argument for argument in arguments if argument.name.startswith("-")]
        super().__call__(app, commands, type(arguments)(options))


def _version() -> str:
    return f"guandan {version('guandan-table')}"


def command_line(called: str = "", configured: Configured | None = None) -> App:
    """All commands. Only the one that is called is imported, and has its own text as its help."""
    layers = [_Environment("GUANDAN_", command=False)]
    app = App(
        name="guandan",
        help="A table for Guandan (掼蛋): serve it, play at it, watch, check what was played.",
        help_epilogue=EPILOGUE,
        version=_version,
        config=[*layers, configured] if configured is not None else layers,
        help_format="markdown",
        # One way to say a thing: no --no-json beside --json.
        default_parameter=Parameter(negative=()),
    )
    for name, summary in COMMANDS.items():
        place = f"guandan_cli.{name}:{name}"
        app.command(place, name=name, help=None if name == called else summary)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, the program's own without `arguments`; the exit code comes back."""
    if arguments is None:
        arguments = sys.argv[1:]
        # To be told to end is to be told so, by whatever signal: seats are kept, bots leave.
        signal.signal(signal.SIGTERM, _told_to_end)
    try:
        code = _run(list(arguments))
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()  # at the interpreter's end it could not be caught
        return code
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does: that is their right, and no fault. The
        # interpreter flushes once more at its end, which must not fail again.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK


def _told_to_end(*_: object) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell's background job: Ctrl-C is not meant for it, but this is.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.raise_signal(signal.SIGINT)


def _run(arguments: list[str]) -> int:
    # An empty variable is one that was not set.
    for name in [name for name, value in os.environ.items() if not value]:
        if name.startswith("GUANDAN_"):
            del os.environ[name]
    configured: Configured | None = None

    def complain(code: int, message: str | Said) -> int:
        return _complain(code, message, arguments, configured)

    try:
        arguments, file = taken_from(_without_manners(arguments), os.environ)
        called = arguments[0] if arguments and arguments[0] in COMMANDS else ""
        configured = None if file is None else Configured.read(file, COMMANDS)
        app = command_line(called, configured)
    except Failure as failure:
        return complain(failure.exit, failure.message)
    try:
        result = app(
            arguments, exit_on_error=False, print_error=False, result_action="return_value"
        )
    except CycloptsError as error:
        from guandan_cli.complaints import usage

        manual = " ".join(filter(None, ["guandan", called, "--help"]))
        why = usage(error, COMMANDS)
        return complain(Exit.USAGE, said("error.see", why=why, manual=manual))
    except Failure as failure:
        return complain(failure.exit, failure.message)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else Exit.FAILURE
    except BrokenPipeError:
        raise
    except Exception as fault:
        if os.environ.get(TRACEBACK_VARIABLE):
            raise
        what = f"{type(fault).__name__}: {fault}"
        return complain(Exit.FAILURE, said("error.fault", what=what))
    return result if isinstance(result, int) else Exit.OK


def _without_manners(arguments: Sequence[str]) -> list[str]:
    """The arguments without those that all commands have, which the environment can say, too."""
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            return [*rest, word, *words]
        if word in MANNERS:
            os.environ[MANNERS[word]] = "1"
            continue
        name, sign, value = word.partition("=")
        if name != COLOR_OPTION:
            rest.append(word)
            continue
        match value if sign else next(words, ""):
            case "never":
                os.environ["NO_COLOR"] = "1"
            case "always":
                os.environ.pop("NO_COLOR", None)
                os.environ["FORCE_COLOR"] = "1"
            case "auto":
                pass
            case _:
                raise Failure(Exit.USAGE, about(COLOR_OPTION, said("error.colours")))
    return rest


def _complain(
    code: int, message: str | Said, arguments: Sequence[str], configured: Configured | None
) -> int:
    """One line on standard error."""
    from guandan_cli.complaints import language, worded

    settings = {} if configured is None else configured.settings
    words = language(arguments, os.environ, settings)
    told = message.told(words) if isinstance(message, Said) else message
    print(f"guandan: {worded(told, words)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
