"""What `guandan review` says, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["REVIEW_EN", "REVIEW_ZH"]

REVIEW_EN: Final[Mapping[str, str]] = {
    "review.line": "hand {hand}, {left} left, {where}, {done}: {best}; {worth} ({worlds} worlds)",
    "review.leading": "leading",
    "review.following": "on {play}",
    "review.own_play": "your {play}",
    "review.own_pass": "your pass",
    "review.play": "{play} of {who}",
    "review.pass": "pass of {who}",
    "review.expert_plays": "{expert} plays {play}",
    "review.expert_passes": "{expert} passes",
    "review.sure": "worth about {gain} ± {error} levels",
    "review.unsure": "no difference that can be told, {gain} ± {error} levels",
    "review.outdone": "which does worse by about {gain} ± {error} levels",
    "review.reason": "; {reason}",
    "review.cost": "; what was played: {reason}",
    "review.more": "{n} more are not as {expert} plays: --top {all}",
    "review.balance": "{who}: {reviewed} of {decisions} decisions looked at, {share} as {expert}, "
    "{worse} surely worse; gave away {gain} ± {error} levels",
    "review.note": "Judged by what the seat could see then. Levels of a hand, and one more for "
    "coming first; after ± the standard error.",
    "review.nobody": "Nobody in the record is called {name}; there are: {names}.",
}

REVIEW_ZH: Final[Mapping[str, str]] = {
    "review.line": "第{hand}局，剩{left}张，{where}，{done}：{best}；{worth}（{worlds}种牌局）",
    "review.leading": "首出",
    "review.following": "面对{play}",
    "review.own_play": "你出{play}",
    "review.own_pass": "你不出",
    "review.play": "{who}出{play}",
    "review.pass": "{who}不出",
    "review.expert_plays": "{expert}出{play}",
    "review.expert_passes": "{expert}不出",
    "review.sure": "约值 {gain} ± {error} 级",
    "review.unsure": "看不出差别，{gain} ± {error} 级",
    "review.outdone": "反而差约 {gain} ± {error} 级",
    "review.reason": "；{reason}",
    "review.cost": "；打出的牌：{reason}",
    "review.more": "另有{n}次与{expert}不同：--top {all}",
    "review.balance": "{who}：{decisions}次选择看了{reviewed}次，{share}与{expert}相同，"
    "{worse}次确实较差；共让出 {gain} ± {error} 级",
    "review.note": "只按各家当时看得见的来判断。单位是一局的级数，头游另算一级；± 后为标准误差。",
    "review.nobody": "记录里没有叫{name}的；有：{names}。",
}
