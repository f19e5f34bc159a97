"""House rules that no single file shows: who may import whom, and what stays pure.

First the rules, as data and as functions from one source file to complaints; then the tests that
hold the checkout to them; then, for each rule, sources that break it, so that a rule which no
longer bites is noticed. When a rule stops you, move the line rather than the rule.
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest
from attrs import field, frozen

ROOT = Path(__file__).resolve().parent.parent

# The folder of each import package.
PACKAGES = {
    "guandan_engine": "engine",
    "guandan_protocol": "protocol",
    "guandan_server": "server",
    "guandan_bots": "bots",
    "guandan_cli": "clients/cli",
    "guandan_web": "clients/web",
}

# Folders below which no source is ours to judge.
NOT_OURS = frozenset({"__pycache__", "build", "dist", "node_modules", "vendor", "venv"})

# engine <- protocol <- bots | server        engine <- bots | server | clients
# protocol <- clients. Clients show the engine's values (cards, readings, views) and never reach
# those of its modules that know every hand, see `SEES_ALL`.
MAY_IMPORT: Mapping[str, frozenset[str]] = {
    "guandan_engine": frozenset(),
    "guandan_protocol": frozenset({"guandan_engine"}),
    "guandan_bots": frozenset({"guandan_engine", "guandan_protocol"}),
    "guandan_server": frozenset({"guandan_engine", "guandan_protocol"}),
    "guandan_cli": frozenset({"guandan_engine", "guandan_protocol"}),
    "guandan_web": frozenset(),
}

# Whoever imports these can see every hand, so these packages see views only.
SEES_ALL = frozenset({"guandan_engine.machine", "guandan_engine.state", "guandan_engine.events"})
CLOSED_TO: Mapping[str, frozenset[str]] = {
    "guandan_protocol": SEES_ALL - {"guandan_engine.events"},
    "guandan_bots": SEES_ALL,
    "guandan_cli": SEES_ALL,
    "guandan_web": SEES_ALL,
}

# Composition roots wire the parts together and may import any of them. Keep them few and thin.
COMPOSITION_ROOTS = frozenset(
    {
        "guandan_bots.arena",  # offline matches: the machine itself, with bots in its seats
        "guandan_cli.abroad",  # a bot at a platform of another dialect
        "guandan_cli.arena",  # levels of bots against each other, offline
        "guandan_cli.bot",  # remote bots over the protocol
        "guandan_cli.brains",  # the policies, as the server asks for them
        "guandan_cli.bridge",  # guests of another dialect at a table, with bots beside them
        "guandan_cli.doctor",  # asks the server's own parts what they need
        "guandan_cli.judge",  # the referee of anyone's cases
        "guandan_cli.levels",  # policies by what people type
        "guandan_cli.load",  # a swarm of clients with bots' choices
        "guandan_cli.replay",  # folds a record through the machine
        "guandan_cli.review",  # what the strongest bot would have played in a record
        "guandan_cli.serve",  # the server, its store and the bots of empty seats
        "guandan_cli.verify",  # recomputes a deal from its seed
        "guandan_server.__main__",
    }
)

# The engine knows no clock, no chance, no I/O and no log, so it needs no more than these.
ENGINE_STDLIB = frozenset(
    {
        *("__future__", "abc", "array", "bisect", "collections", "enum", "functools", "hashlib"),
        *("heapq", "hmac", "itertools", "math", "operator", "re", "struct", "types", "typing"),
    }
)
ENGINE_LIBRARIES = frozenset({"attrs"})
ENGINE_CALLS_NEVER = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print"}
)

# The rim of the server, where waiting is allowed; `store*` and what lies inside them belong to it.
SERVER_RIM = frozenset(
    """
    __main__ actor thoughts reviews pool rooms house node gate connection http
    store line trunk executors records embedded
    """.split()
)

# A file is named for its noun; these name nothing.
VAGUE_NAMES = frozenset({"common", "helper", "helpers", "misc", "util", "utils"})

SOURCE_LINES_MAX = 600


@frozen
class Source:
    """One Python file; `path` is relative to the checkout, with forward slashes."""

    path: str
    text: str = field(repr=False)
    tree: ast.Module = field(repr=False, eq=False)

    @classmethod
    def parse(cls, path: str, text: str) -> "Source":
        return cls(path=path, text=text, tree=ast.parse(text, filename=path))

    @property
    def module(self) -> str:
        """Its dotted import name; a package's is that of its folder."""
        parts = PurePosixPath(self.path).with_suffix("").parts
        for package, folder in PACKAGES.items():
            if self.path.startswith(f"{folder}/{package}/"):
                parts = parts[folder.count("/") + 1 :]
        return ".".join(parts[:-1] if self.is_front_door else parts)

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]

    @property
    def is_front_door(self) -> bool:
        return PurePosixPath(self.path).name == "__init__.py"

    def complaint(self, line: int, message: str) -> str:
        return f"{self.path}:{line}: {message}"


# The names that a package's front door hands on, and where each of them lives.
Doors = Mapping[str, str]
Rule = Callable[[Source, Doors], Iterator[str]]
NO_DOORS: Doors = {}


def is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")


def imported_from(source: Source, node: ast.ImportFrom) -> str:
    """The absolute name of the module that a `from … import` reads."""
    if not node.level:
        return node.module or ""
    here = source.module.split(".")
    up = node.level - (1 if source.is_front_door else 0)
    base = here[: len(here) - up]
    return ".".join([*base, node.module] if node.module else base)


def imports(source: Source, doors: Doors = NO_DOORS) -> Iterator[tuple[int, str]]:
    """Each name that the file takes from elsewhere, in full, with its line.

    `from p import x` gives `p.x`, for x may be a module; so does `p.x` after `import p`. A name
    that a front door hands on is given as the one behind the door.
    """
    bound: dict[str, str] = {}
    found: list[tuple[int, str]] = []
    for node in ast.walk(source.tree):
        match node:
            case ast.Import(names=names):
                found += [(node.lineno, alias.name) for alias in names]
                for alias in names:
                    top = alias.name.partition(".")[0]
                    bound[alias.asname or top] = alias.name if alias.asname else top
            case ast.ImportFrom(names=names):
                origin = imported_from(source, node)
                found += [(node.lineno, f"{origin}.{alias.name}") for alias in names]
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                found.append((node.lineno, name))
            case _:
                pass
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            origin = bound.get(node.value.id, "")
            if origin in PACKAGES:
                found.append((node.lineno, f"{origin}.{node.attr}"))
    for line, name in sorted(set(found)):
        yield line, doors.get(name, name)


def front_doors(sources: list[Source]) -> Doors:
    """For every package, `package.name` -> `package.module.name` as its `__init__` imports it."""
    doors: dict[str, str] = {}
    for source in sources:
        if source.is_front_door and source.module in PACKAGES:
            for node in source.tree.body:
                if isinstance(node, ast.ImportFrom):
                    origin = imported_from(source, node)
                    for alias in node.names:
                        name = f"{source.module}.{alias.asname or alias.name}"
                        doors[name] = f"{origin}.{alias.name}"
    return doors


def import_directions(source: Source, doors: Doors) -> Iterator[str]:
    """Imports point one way, and nobody imports the server."""
    if source.package not in PACKAGES or source.module in COMPOSITION_ROOTS:
        return
    allowed = MAY_IMPORT[source.package]
    for line, name in imports(source, doors):
        other = name.partition(".")[0]
        if other in PACKAGES and other != source.package and other not in allowed:
            may = " and ".join(sorted(allowed)) or "nothing of the project"
            yield source.complaint(
                line, f"imports {name}, but {source.package} may import {may}: move the line"
            )


def hidden_state(source: Source, doors: Doors) -> Iterator[str]:
    """Bots, clients and the protocol never reach what knows every hand."""
    if source.module in COMPOSITION_ROOTS:
        return
    for line, name in imports(source, doors):
        for closed in CLOSED_TO.get(source.package, frozenset()):
            if is_within(name, closed):
                yield source.complaint(
                    line,
                    f"imports {name}, which knows every hand; {source.package} gets views",
                )


def engine_imports(source: Source, doors: Doors) -> Iterator[str]:
    """The engine stands on a few pure modules of the standard library, and on attrs."""
    if source.package != "guandan_engine":
        return
    for line, name in imports(source, doors):
        top = name.partition(".")[0]
        if top not in PACKAGES and top not in ENGINE_STDLIB | ENGINE_LIBRARIES:
            yield source.complaint(
                line,
                f"imports {name}: the engine has no clock, chance, I/O or log "
                "(seeds and time-outs arrive as commands); ENGINE_STDLIB lists what it may use",
            )


def engine_purity(source: Source, _: Doors) -> Iterator[str]:
    """The engine neither prints, opens, evaluates nor waits."""
    if source.package != "guandan_engine":
        return
    for line in waits(source.tree):
        yield source.complaint(line, "waits: the engine is plain functions")
    for node in ast.walk(source.tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in ENGINE_CALLS_NEVER:
                yield source.complaint(node.lineno, f"calls {name}(): the engine does no I/O")
            case _:
                pass


def waits(tree: ast.AST) -> Iterator[int]:
    """The lines that await, or that define something to be awaited."""
    for node in ast.walk(tree):
        match node:
            case ast.Await() | ast.AsyncFor() | ast.AsyncWith() | ast.AsyncFunctionDef():
                yield node.lineno
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                if any(loop.is_async for loop in node.generators):
                    yield node.lineno
            case _:
                pass


def server_rim(source: Source, _: Doors) -> Iterator[str]:
    """In the server only the rim waits; the room decides in plain functions."""
    if source.package != "guandan_server":
        return
    _package, _dot, inner = source.module.partition(".")
    place = inner.partition(".")[0]
    if place in SERVER_RIM or place.startswith("store_"):
        return
    for line in waits(source.tree):
        yield source.complaint(
            line,
            f"waits, but {place or 'the front door'} is not at the rim: "
            "decide here, and let actor.py and its neighbours carry it out",
        )


def front_door_only(source: Source, _: Doors) -> Iterator[str]:
    """An `__init__` is a docstring, imports and `__all__`."""
    if not source.is_front_door:
        return
    for place, node in enumerate(source.tree.body):
        match node:
            case ast.Import() | ast.ImportFrom():
                pass
            case ast.Expr(value=ast.Constant(value=str())) if place == 0:
                pass
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                pass
            case ast.AnnAssign(target=ast.Name(id="__all__")):
                pass
            case _:
                yield source.complaint(
                    node.lineno,
                    "an __init__ holds its docstring, imports and __all__: "
                    "the rest goes into a module with a name",
                )


def telling_names(source: Source, _: Doors) -> Iterator[str]:
    """No file and no folder is a drawer for everything."""
    for part in PurePosixPath(source.path).with_suffix("").parts:
        if part.strip("_").lower() in VAGUE_NAMES:
            yield source.complaint(1, f"{part!r} names nothing: name the file for its noun")


# A checker is silenced by name, and a reader is told why.
EXCUSES = {
    "type: ignore": re.compile(r"type:\s*ignore\b(?P<codes>\s*\[[\w\-, ]+\])?"),
    "noqa": re.compile(
        r"(?:ruff:\s*)?noqa\b(?P<codes>\s*:\s*[A-Z]+\d+(?:[, ]\s*[A-Z]+\d+\b)*)?", re.IGNORECASE
    ),
}
REASON = re.compile(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}|[\u4e00-\u9fff]{4,}")


def reasoned_excuses(source: Source, _: Doors) -> Iterator[str]:
    """`type: ignore` and `noqa` carry their code, and after it a reason in words."""
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type != tokenize.COMMENT:
            continue
        reason = token.string
        excused = False
        for name, pattern in EXCUSES.items():
            for found in pattern.finditer(token.string):
                excused = True
                reason = reason.replace(found.group(), " ")
                if found["codes"] is None:
                    yield source.complaint(token.start[0], f"`{name}` names no code")
        if excused and not REASON.search(reason):
            yield source.complaint(
                token.start[0], f"{token.string!r} gives no reason; write it after the code"
            )


def short_files(source: Source, _: Doors) -> Iterator[str]:
    """A file is one thought."""
    lines = len(source.text.splitlines())
    if lines > SOURCE_LINES_MAX:
        yield source.complaint(
            SOURCE_LINES_MAX, f"{lines} lines, {SOURCE_LINES_MAX} at most: split it by noun"
        )


RULES: tuple[Rule, ...] = (
    import_directions,
    hidden_state,
    engine_imports,
    engine_purity,
    server_rim,
    front_door_only,
    telling_names,
    reasoned_excuses,
    short_files,
)


def name_of(rule: Rule) -> str:
    return rule.__name__


# The checkout


def python_files(folder: Path) -> Iterator[Path]:
    """Every Python file below the folder, but for other people's and what `make` made."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in NOT_OURS:
            continue
        if path.is_dir():
            yield from python_files(path)
        elif path.suffix == ".py":
            yield path


@pytest.fixture(scope="module")
def checkout() -> list[Source]:
    return [
        Source.parse(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for path in python_files(ROOT)
    ]


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_the_checkout_keeps(rule: Rule, checkout: list[Source]) -> None:
    doors = front_doors(checkout)
    complaints = [complaint for source in checkout for complaint in rule(source, doors)]
    if complaints:
        pytest.fail("\n".join([rule.__doc__ or "", *complaints]), pytrace=False)


def test_the_checkout_is_read_whole(checkout: list[Source]) -> None:
    read = {source.path for source in checkout}
    folders = {folder for folder in PACKAGES.values() if any((ROOT / folder).rglob("*.py"))}
    unread = {folder for folder in folders if not any(p.startswith(f"{folder}/") for p in read)}
    assert not unread
    assert Path(__file__).relative_to(ROOT).as_posix() in read


# The rules themselves: each snippet is a file, and what the complaint about it says.

ENGINE = "engine/guandan_engine/moves.py"
PROTOCOL = "protocol/guandan_protocol/codec.py"
SERVER = "server/guandan_server/room.py"
BOT = "bots/guandan_bots/basic.py"
CLI = "clients/cli/guandan_cli/table.py"

BROKEN: list[tuple[Rule, str, str, str]] = [
    (import_directions, ENGINE, "import guandan_protocol", "nothing of the project"),
    (import_directions, ENGINE, "from guandan_bots import basic", "guandan_bots.basic"),
    (import_directions, PROTOCOL, "from guandan_server.room import Room", "guandan_server.room"),
    (import_directions, PROTOCOL, "import guandan_bots.basic as b", "guandan_bots.basic"),
    (import_directions, SERVER, "from guandan_bots import basic", "guandan_bots.basic"),
    (import_directions, SERVER, "import guandan_cli", "guandan_cli"),
    (import_directions, BOT, "def f():\n    import guandan_server", ":2:"),
    (import_directions, CLI, "from guandan_bots import basic", "guandan_protocol"),
    (import_directions, CLI, "from guandan_server import actor", "guandan_server.actor"),
    (import_directions, CLI, "import importlib\nimportlib.import_module('guandan_server')", ":2:"),
    (import_directions, "clients/web/guandan_web/page.py", "import guandan_protocol", "nothing"),
    (import_directions, "server/guandan_server/store/keys.py", "import guandan_bots", "bots"),
    (hidden_state, BOT, "from guandan_engine.state import Match", "knows every hand"),
    (hidden_state, BOT, "from guandan_engine import machine", "guandan_engine.machine"),
    (hidden_state, BOT, "import guandan_engine.events as e", "guandan_engine.events"),
    (hidden_state, BOT, "import guandan_engine as g\ng.machine.step()", ":2:"),
    (hidden_state, CLI, "import guandan_engine.cards\nguandan_engine.state", ":2:"),
    (hidden_state, PROTOCOL, "from guandan_engine.state import Match", "guandan_engine.state"),
    (engine_imports, ENGINE, "import random", "imports random"),
    (engine_imports, ENGINE, "from time import monotonic", "time.monotonic"),
    (engine_imports, ENGINE, "import os.path", "os.path"),
    (engine_imports, ENGINE, "from pathlib import Path", "pathlib"),
    (engine_imports, ENGINE, "import msgpack", "msgpack"),
    (engine_imports, ENGINE, "if True:\n    import structlog", ":2:"),
    (engine_purity, ENGINE, "print('H7')", "calls print()"),
    (engine_purity, ENGINE, "with open('x') as f:\n    pass", "calls open()"),
    (engine_purity, ENGINE, "async def step():\n    pass", "waits"),
    (engine_purity, ENGINE, "async def f(s):\n    return [c async for c in s]", ":2:"),
    (server_rim, SERVER, "async def handle(self):\n    await self.commit()", ":2:"),
    (server_rim, SERVER, "async def handle(lock):\n    async with lock:\n        pass", ":2:"),
    (server_rim, "server/guandan_server/storage.py", "async def get(): ...", "not at the rim"),
    (server_rim, "server/guandan_server/__init__.py", "async def run(): ...", "front door"),
    (front_door_only, "bots/guandan_bots/__init__.py", '"""Bots."""\nVERSION = 1', ":2:"),
    (front_door_only, "bots/guandan_bots/__init__.py", "def f(): ...", "a module with a name"),
    (front_door_only, "bots/guandan_bots/__init__.py", "import a\n'text'", ":2:"),
    (telling_names, "bots/guandan_bots/utils.py", "", "'utils'"),
    (telling_names, "tests/engine/_helpers.py", "", "'_helpers'"),
    (telling_names, "server/guandan_server/common/keys.py", "", "'common'"),
    (reasoned_excuses, BOT, "x = f()  # type: ignore", "names no code"),
    (reasoned_excuses, BOT, "x = f()  # type: ignore  # because it is so", "names no code"),
    (reasoned_excuses, BOT, "x = f()  # type: ignore[misc]", "gives no reason"),
    (reasoned_excuses, BOT, "x = f()  # noqa", "names no code"),
    (reasoned_excuses, BOT, "x = f()  # noqa: S311", "gives no reason"),
    (reasoned_excuses, BOT, "x = f()  # noqa: S311, S101", "gives no reason"),
    (reasoned_excuses, BOT, "x = f()  # type: ignore[misc]  # noqa: S311", "gives no reason"),
    (reasoned_excuses, BOT, "# ruff: noqa", "names no code"),
    (short_files, BOT, "x = 1\n" * (SOURCE_LINES_MAX + 1), "split it by noun"),
]

CLEAN: list[tuple[Rule, str, str]] = [
    (import_directions, ENGINE, "from guandan_engine.cards import Card\nfrom . import seats"),
    (import_directions, PROTOCOL, "from guandan_engine.cards import Card"),
    (import_directions, BOT, "import guandan_engine\nfrom guandan_protocol import messages"),
    (import_directions, CLI, "import guandan_protocol, websockets\nfrom .lines import render"),
    (import_directions, CLI, "from guandan_engine.cards import Card"),
    (import_directions, "clients/cli/guandan_cli/serve.py", "import guandan_server, guandan_bots"),
    (import_directions, "server/guandan_server/__main__.py", "import guandan_bots"),
    (import_directions, "tests/server/test_room.py", "import guandan_server, guandan_cli"),
    (hidden_state, BOT, "from guandan_engine.views import SeatView\nfrom .state import Belief"),
    (hidden_state, "bots/guandan_bots/arena.py", "from guandan_engine.machine import step"),
    (hidden_state, SERVER, "from guandan_engine import machine, state"),
    (engine_imports, ENGINE, "import re\nfrom collections.abc import Iterator\nimport attrs"),
    (engine_imports, BOT, "import random"),
    (engine_purity, ENGINE, "def step(state):\n    return state.open()"),
    (server_rim, "server/guandan_server/actor.py", "async def run(room):\n    await room"),
    (server_rim, "server/guandan_server/store_redis.py", "async def commit(): ..."),
    (server_rim, "server/guandan_server/store/redis.py", "async def commit(): ..."),
    (front_door_only, "bots/guandan_bots/__init__.py", '"""B."""\nimport a\n__all__ = ["a"]'),
    (front_door_only, BOT, "VERSION = 1"),
    (telling_names, "bots/guandan_bots/belief.py", ""),
    (reasoned_excuses, BOT, "x = f()  # type: ignore[misc]  # the stub forgets the overload"),
    (reasoned_excuses, BOT, "x = f()  # noqa: S311 chance comes from the seed"),
    (reasoned_excuses, BOT, "x = f()  # noqa: S311, S101  # chance comes from the seed"),
    (reasoned_excuses, BOT, "x = '# noqa'"),
    (short_files, BOT, "x = 1\n" * SOURCE_LINES_MAX),
]


@pytest.mark.parametrize(("rule", "path", "text", "says"), BROKEN)
def test_a_broken_rule_is_reported(rule: Rule, path: str, text: str, says: str) -> None:
    complaints = list(rule(Source.parse(path, text), NO_DOORS))
    assert any(complaint.startswith(path) and says in complaint for complaint in complaints), (
        f"{rule.__name__} let this pass, or said something else: {complaints}\n{text[:200]}"
    )


@pytest.mark.parametrize(("rule", "path", "text"), CLEAN)
def test_a_kept_rule_is_quiet(rule: Rule, path: str, text: str) -> None:
    assert list(rule(Source.parse(path, text), NO_DOORS)) == []


def test_every_rule_is_shown_to_bite() -> None:
    assert {rule for rule, *_ in BROKEN} == set(RULES)


def test_the_front_door_is_no_way_round() -> None:
    door = Source.parse(
        "engine/guandan_engine/__init__.py",
        "from guandan_engine.machine import step\nfrom .cards import Card as Face",
    )
    doors = front_doors([door])
    asked = Source.parse(BOT, "from guandan_engine import Face, step")
    assert [name for _, name in imports(asked, doors)] == [
        "guandan_engine.cards.Card",
        "guandan_engine.machine.step",
    ]
    assert len(list(hidden_state(asked, doors))) == 1


def test_relative_imports_are_resolved() -> None:
    inner = Source.parse(
        "server/guandan_server/store/redis.py", "from . import keys\nfrom ..room import Room"
    )
    door = Source.parse("server/guandan_server/store/__init__.py", "from .redis import Store")
    assert [name for _, name in imports(inner)] == [
        "guandan_server.store.keys",
        "guandan_server.room.Room",
    ]
    assert [name for _, name in imports(door)] == ["guandan_server.store.redis.Store"]
