"""Both languages say everything, and nothing is asked for that is not there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import guandan_cli
from guandan_bots.policy import POLICIES
from guandan_bots.reasons import HintReason
from guandan_cli.scene import Role
from guandan_cli.texts import TABLES, Lang, lang_of, texts
from guandan_engine.combos import Combo
from guandan_engine.errors import Reason
from guandan_engine.options import OPTIONS
from guandan_engine.seats import Team
from guandan_protocol.messages import Code, Control, Phrase, Proposal, Stage, Visibility

EN, ZH = TABLES[Lang.EN], TABLES[Lang.ZH]
PACKAGE = Path(guandan_cli.__file__).parent


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_keys() -> None:
    assert set(EN) ^ set(ZH) == set()


@pytest.mark.parametrize("key", sorted(EN))
def test_both_languages_fill_in_the_same_places(key: str) -> None:
    # The places may differ in order and in number of use, but neither may want what is not given.
    assert places(EN[key]) == places(ZH[key])


@pytest.mark.parametrize("key", sorted(EN))
def test_a_text_is_in_its_language(key: str) -> None:
    assert EN[key].strip()
    assert ZH[key].strip()
    assert not re.search(r"[\u4e00-\u9fff]", EN[key])


PATTERNS_ONLY = {
    *("event.place", "hand.joker", "hint.line", "level.of", "list.dot", "rank.several"),
    "record.gift",
}
"""Nothing but places to fill in."""


def test_chinese_texts_are_chinese() -> None:
    left = [
        key
        for key, text in ZH.items()
        if not re.search(r"[\u3000-\u9fff\uff00-\uffef]", text) and key not in PATTERNS_ONLY
    ]
    assert left == []


@pytest.mark.parametrize(
    ("family", "codes"),
    [
        ("reason", list(Reason)),
        ("code", list(Code)),
        ("hint", list(HintReason)),
        ("combo", list(Combo)),
        ("place", ["1", "2", "3", "4"]),
        ("team", [*Team, "us", "them"]),
        ("role", [role.value for role in Role if role is not Role.STRANGER]),
        ("proposal", list(Proposal)),
        ("stage", list(Stage)),
        ("settings", list(Visibility)),
        ("tag", [control for control in Control if control is not Control.SELF]),
        ("change", [control for control in Control if control is not Control.SELF]),
        ("option", list(OPTIONS)),
        ("phrase", list(Phrase)),
        ("strength", list(POLICIES)),
    ],
)
def test_every_code_has_words(family: str, codes: list[str]) -> None:
    assert [code for code in codes if f"{family}.{code}" not in EN] == []


def test_a_code_of_a_newer_server_stands_as_it_is() -> None:
    assert texts("en").named("code", "no_such_code_yet") == "no_such_code_yet"
    assert texts("zh").named("code", "full") == ZH["code.full"]


KEY = re.compile("({})[.][a-z0-9_]+".format("|".join({key.partition(".")[0] for key in EN})))


def strings_in_the_code() -> Iterator[tuple[str, ast.Constant | ast.JoinedStr]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if not path.stem.startswith("texts_"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant | ast.JoinedStr):
                    yield path.name, node


def asked_for() -> tuple[set[str], set[str]]:
    """The keys that the code names, and the beginnings of those that it puts together."""
    whole: set[str] = set()
    families = ("botname", "errno", "code", "hint", "reason", "stage", "preset", "strength")
    begun = {f"{family}." for family in families}
    for _, node in strings_in_the_code():
        match node:
            case ast.Constant(value=str(text)):
                whole.add(text)
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), ast.FormattedValue(), *_]):
                begun.add(text)
            case _:
                pass
    return whole, {text for text in begun if re.fullmatch(r"[a-z]+[.][a-z_]*", text)}


def test_every_key_in_the_code_exists() -> None:
    whole, begun = asked_for()
    keys = {text for text in whole if KEY.fullmatch(text)}
    assert len(keys) > 100
    assert {key for key in keys if not key.endswith("_")} - set(EN) == set()
    assert [text for text in begun if not any(key.startswith(text) for key in EN)] == []


def test_no_text_is_left_over() -> None:
    whole, begun = asked_for()
    assert [
        key for key in EN if key not in whole and not any(key.startswith(text) for text in begun)
    ] == []


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, Lang.EN),
        ({"LANG": "zh_CN.UTF-8"}, Lang.ZH),
        ({"LANG": "en_GB.UTF-8"}, Lang.EN),
        ({"LANG": "C"}, Lang.EN),
        ({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"}, Lang.EN),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, Lang.ZH),
        ({"LC_MESSAGES": "zh_TW", "LANG": "en_US"}, Lang.ZH),
        ({"LC_ALL": "zh_CN", "LC_MESSAGES": "en_US"}, Lang.ZH),
    ],
)
def test_the_locale_decides_the_language(environment: dict[str, str], lang: Lang) -> None:
    assert lang_of(environment) is lang
