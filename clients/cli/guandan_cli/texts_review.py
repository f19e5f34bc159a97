"""What a review of somebody's play says, in both languages."""

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
    "review.unsure": "nothing certain, {gain} ± {error} levels",
    "review.outdone": "which does worse by about {gain} ± {error} levels",
    "review.reason": "; {reason}",
    "review.cost": "; what was played: {reason}",
    "review.more": "{n} more are not as {expert} plays: --top {all}",
    "review.balance": "{who}: {reviewed} of {decisions} decisions looked at, {share} as {expert}, "
    "{worse} surely worse; gave away {gain} ± {error} levels",
    "review.note": "Judged by what the seat could see then. Levels of a hand, and one more for "
    "coming first; after ± the standard error.",
    "review.title": "Review of your play",
    "review.asking": "Going through hand {hand} of {hands} …",
    "review.busy": "The server has other things to do; hand {hand} of {hands} is next.",
    "review.so_far": "To tell of so far: {n}",
    "review.looked": "{n} decisions in {hands} hands looked at, {share} as {expert}, who surely "
    "does better in {worse}.",
    "review.well": "{n} decisions in {hands} hands looked at, {share} as {expert}, who surely "
    "does better in none of them: well played.",
    "review.no_choice": "{hands} hands looked at; there was nothing to choose in them.",
    "review.left_out": "Decisions there was no time for: {n}.",
    "review.failed": "Not reviewed, because of a fault of the server: hand {hands}.",
    "review.missing": "Not reviewed: hands {first} to {last}.",
    "review.total": "All decisions together gave away {gain} ± {error} levels.",
    "review.no_busy": "This server reviews no matches.",
    "review.no_forbidden": "You did not play in this match.",
    "review.no_not_now": "A match can only be reviewed until the next one begins.",
    "review.no_not_seated": "Only who has a seat at the table can ask for a review.",
    "review.no_no_such_record": "The server has the record of this match no longer.",
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
    "review.unsure": "说不准，{gain} ± {error} 级",
    "review.outdone": "反而差约 {gain} ± {error} 级",
    "review.reason": "；{reason}",
    "review.cost": "；打出的牌：{reason}",
    "review.more": "另有{n}次与{expert}不同：--top {all}",
    "review.balance": "{who}：{decisions}次选择看了{reviewed}次，{share}与{expert}相同，"
    "{worse}次确实较差；共让出 {gain} ± {error} 级",
    "review.note": "只按各家当时看得见的来判断。单位是一局的级数，头游另算一级；± 后为标准误差。",
    "review.title": "你的打法点评",
    "review.asking": "正在看第{hand}局，共{hands}局……",
    "review.busy": "服务器正忙，稍等：第{hand}局，共{hands}局。",
    "review.so_far": "目前值得一提的：{n}手",
    "review.looked": "看了{hands}局里的{n}次选择，{share}与{expert}相同；"
    "有{worse}次{expert}确实打得更好。",
    "review.well": "看了{hands}局里的{n}次选择，{share}与{expert}相同；"
    "没有一次{expert}确实打得更好：打得好！",
    "review.no_choice": "看了{hands}局，其中没有需要选择的时候。",
    "review.left_out": "来不及看的选择：{n}次。",
    "review.failed": "服务器出错，没能点评：第{hands}局。",
    "review.missing": "没有点评：第{first}到第{last}局。",
    "review.total": "所有选择加起来让出 {gain} ± {error} 级。",
    "review.no_busy": "这个服务器不点评牌局。",
    "review.no_forbidden": "这一场你没有上场。",
    "review.no_not_now": "只能在下一场开始之前点评。",
    "review.no_not_seated": "坐在桌边的人才能要点评。",
    "review.no_no_such_record": "服务器已经没有这一场的记录。",
    "review.nobody": "记录里没有叫{name}的；有：{names}。",
}
