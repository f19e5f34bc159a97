"""What can be typed at the table: commands and their other names, cards, and what is neither."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from attrs import frozen

from guandan_cli.entry import Typed, ascii_of, is_number, parse

__all__ = ["HOLDS_FOR_TURN", "NAMES", "Order", "Unknown", "Verb", "understand"]


class Verb(StrEnum):
    """The commands, by their full English names."""

    # While a hand is played
    PASS = "pass"  # noqa: S105 a word that is typed, no secret
    PLAY = "play"
    """The cards that a hint selected."""
    BEST = "!"
    """Do what is recommended."""
    HINT = "hint"
    SUGGEST = "suggest"
    AUTOPILOT = "auto"
    AUTO_PASS = "autopass"  # noqa: S105 a word that is typed, no secret
    """Pass by ourselves where nothing beats the table."""
    # To look at
    TABLE = "table"
    HAND = "hand"
    RECORD = "record"
    COUNTER = "counter"
    RULES = "rules"
    HELP = "help"
    RESUME = "resume"
    """Show how to come back."""
    READINGS = "readings"
    """Be asked which reading is meant."""
    REVIEW = "review"
    """What the strongest bot would have played in our place."""
    SAY = "phrase"
    """Say one to everybody: `/hello`, or `say hello`, for `say` alone is A of spades and joker."""
    MUTE = "mute"
    """Hear no phrases of a seat."""
    # Around the match
    READY = "ready"
    NEXT = "next"
    START = "start"
    LATER = "later"
    REMATCH = "rematch"
    NEW = "new"
    YES = "yes"
    NO = "no"
    WAIT = "wait"
    # The lobby
    SIT = "sit"
    DECLINE = "decline"
    BOT = "bot"
    NO_BOT = "nobot"
    KICK = "kick"
    SET = "set"
    PACE = "pace"
    # The way out
    LEAVE = "leave"
    QUIT = "quit"


NAMES: Final[Mapping[str, Verb]] = {
    **{verb.value: verb for verb in Verb},
    "p": Verb.PASS,
    "h": Verb.HINT,
    "g": Verb.SUGGEST,
    "o": Verb.AUTOPILOT,
    "c": Verb.COUNTER,
    "v": Verb.REVIEW,
    "?": Verb.HELP,
    "exit": Verb.QUIT,
    "autopilot": Verb.AUTOPILOT,
    # 中文
    "不出": Verb.PASS,
    "不要": Verb.PASS,
    "过": Verb.PASS,
    "要不起": Verb.PASS,
    "出牌": Verb.PLAY,
    "出": Verb.PLAY,
    "提示": Verb.HINT,
    "建议": Verb.SUGGEST,
    "托管": Verb.AUTOPILOT,
    "自动不出": Verb.AUTO_PASS,
    "牌桌": Verb.TABLE,
    "手牌": Verb.HAND,
    "战绩": Verb.RECORD,
    "记牌器": Verb.COUNTER,
    "记牌": Verb.COUNTER,
    "规则": Verb.RULES,
    "帮助": Verb.HELP,
    "点评": Verb.REVIEW,
    "说": Verb.SAY,
    "静音": Verb.MUTE,
    "准备": Verb.READY,
    "继续": Verb.NEXT,
    "下一局": Verb.NEXT,
    "开始": Verb.START,
    "稍后": Verb.LATER,
    "再来": Verb.REMATCH,
    "重开": Verb.NEW,
    "同意": Verb.YES,
    "是": Verb.YES,
    "不同意": Verb.NO,
    "否": Verb.NO,
    "坐": Verb.SIT,
    "不换": Verb.DECLINE,
    "加机器人": Verb.BOT,
    "去机器人": Verb.NO_BOT,
    "踢": Verb.KICK,
    "设置": Verb.SET,
    "离开": Verb.LEAVE,
    "退出": Verb.QUIT,
}
"""Every name of a command; none of them can be read as cards, which a test holds."""

HOLDS_FOR_TURN: Final = frozenset({Verb.PASS, Verb.PLAY, Verb.BEST, Verb.HINT, Verb.SUGGEST})
"""In a script these, like cards, wait until the seat is asked."""


@frozen
class Order:
    verb: Verb
    args: tuple[str, ...] = ()


@frozen
class Unknown:
    """Neither a command nor cards."""

    word: str


def understand(line: str) -> Order | Typed | Unknown | None:
    """What a line means; None for an empty one.

    >>> understand("h 2"), understand("9 9") == parse("99")
    (Order(verb=<Verb.HINT: 'hint'>, args=('2',)), True)
    """
    line = ascii_of(line)
    words = line.split()
    if not words:
        return None
    first = words[0].lower()
    if first.startswith("!") and is_number(first[1:]):
        return Order(Verb.BEST, (first[1:],))
    if first.startswith("/"):
        return Order(Verb.SAY, (first[1:],) if first != "/" else ())
    if first == "say" and len(words) > 1 and parse(line) is None:
        return Order(Verb.SAY, tuple([word.lower() for word in words[1:]]))
    if first in NAMES:
        return Order(NAMES[first], tuple([word.lower() for word in words[1:]]))
    return parse(line) or Unknown(words[0])
