"""The words of the terminal, by key and language; what people see is nowhere else.

A key is `subject.thing`; a text has `{name}` for what is filled in. Both tables have the same keys
and the same names, which a test holds. Help pages are in English only.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from attrs import field, frozen

from guandan_cli.texts_en import EN
from guandan_cli.texts_errors import ERRORS_EN, ERRORS_ZH
from guandan_cli.texts_review import REVIEW_EN, REVIEW_ZH
from guandan_cli.texts_screen_en import SCREEN_EN
from guandan_cli.texts_screen_zh import SCREEN_ZH
from guandan_cli.texts_zh import ZH

__all__ = ["TABLES", "Lang", "Texts", "lang_of", "texts"]


class Lang(StrEnum):
    EN = "en"
    ZH = "zh"


TABLES: Final[Mapping[Lang, Mapping[str, str]]] = {
    Lang.EN: {**EN, **SCREEN_EN, **REVIEW_EN, **ERRORS_EN},
    Lang.ZH: {**ZH, **SCREEN_ZH, **REVIEW_ZH, **ERRORS_ZH},
}


@frozen
class Texts:
    """One language."""

    lang: Lang
    table: Mapping[str, str] = field(repr=False)

    def __call__(self, key: str, /, **fields: object) -> str:
        """The text of `key` with its places filled; KeyError for an unknown key."""
        return self.table[key].format_map(fields)

    def named(self, family: str, code: str) -> str:
        """The text of a code that came over the wire; a newer server's unknown one stands as it is.

        >>> texts("en").named("reason", "stale"), texts("en").named("reason", "new_thing")
        ('that turn has passed', 'new_thing')
        """
        return self.table.get(f"{family}.{code}", code)


def texts(lang: str) -> Texts:
    return Texts(Lang(lang), TABLES[Lang(lang)])


def lang_of(environment: Mapping[str, str]) -> Lang:
    """The language of a locale: the first of these variables that is set decides, as in POSIX.

    >>> lang_of({"LC_ALL": "", "LANG": "zh_CN.UTF-8"})
    <Lang.ZH: 'zh'>
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return Lang.ZH if environment[name].lower().startswith("zh") else Lang.EN
    return Lang.EN
