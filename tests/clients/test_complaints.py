"""What is said of a command that cannot be, in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest
from attrs import frozen

from guandan_cli.complaints import language, worded
from guandan_cli.texts import Lang, texts
from tests.clients.commands import Commands
from tests.clients.tui.screens import RECORD

NOBODY: Final = "ws://127.0.0.1:9"
"""Nothing listens there."""
HANZI: Final = re.compile(r"[\u4e00-\u9fff]")


@frozen
class Case:
    typed: str
    code: int
    english: str
    chinese: str

    @property
    def arguments(self) -> list[str]:
        return self.typed.replace("RECORD", str(RECORD)).replace("NOBODY", NOBODY).split()


CASES: Final = [
    # How a command is called
    Case("sevre", 2, "did you mean serve?", "没有 sevre 这个命令；有：serve, "),
    Case("play --dance", 2, "there is no option --dance", "没有 --dance 这个选项"),
    Case("play --clok 9", 2, "did you mean --clock?", "是不是 --clock？"),
    Case("play --clock x", 2, "--clock: x is not a whole number", "--clock：应当是整数"),
    Case("load --rate x", 2, "--rate: x is not a number", "--rate：应当是数字"),
    Case("play --solo=maybe", 2, "--solo: maybe is not yes or no", "--solo：应当是“yes”或“no”"),
    Case("play --clock 2", 2, "--clock: must be >= 5, not 2", "--clock：必须 >= 5，不能是 2"),
    Case("play --clock", 2, "--clock: it needs a value", "--clock：后面要有值"),
    Case("play --clock 9 --clock 9", 2, "--clock: given twice", "--clock：写了两次"),
    Case("play --seat 7", 2, "--seat: one of 1, 2, 3, 4, not 7", "只能是 1, 2, 3, 4 之一"),
    Case("play --lang fr", 2, "--lang: one of en, zh, not fr", "--lang：只能是 en, zh 之一"),
    Case("play A B", 2, "B: nobody asked for that", "多出来的：B"),
    Case("completion", 2, "SHELL is missing", "缺少 SHELL"),
    Case("rooms --color no", 2, "--color: auto, always or never", "--color：只能是 auto"),
    Case("--config nowhere.toml rooms", 3, "no such file", "nowhere.toml：没有这个文件"),
    # Places
    Case("watch", 2, "which table? Give its CODE or link", "哪一桌？"),
    Case("watch !!", 2, "is neither a room's code nor a link", "不是房间码，也不是房间的链接"),
    Case("new --server :::", 2, "is no address of a server", "不是服务器地址"),
    Case("rooms --server NOBODY", 5, "Connection refused", "连不上ws://127.0.0.1:9：连接被拒绝"),
    Case("bridge --server NOBODY", 5, "Connection refused", "连接被拒绝"),
    Case("load --server NOBODY", 5, "Connection refused", "连接被拒绝"),
    Case("bot --join ABC --server NOBODY", 5, "Connection refused", "连接被拒绝"),
    # Records
    Case("replay nowhere.txt", 3, "nowhere.txt: no such file", "nowhere.txt：没有这个文件"),
    Case("verify ./", 1, "./: Is a directory", "./：是文件夹，不是文件"),
    Case("review - --seat 1", 1, "standard input: ", "标准输入：不是完好的记录"),
    Case("replay RECORD --hand 9", 3, "The record has hands 1 to 2", "记录里有第1到第2局"),
    Case("review RECORD --seat 1 --name A", 2, "--seat, --name: one of them", "只能选一个"),
    # Options that mean nothing there
    Case("replay RECORD --match 2", 2, "--match means nothing here", "--match 在这里没有意义"),
    Case("verify - --match 1", 2, "comes from standard input", "记录来自标准输入"),
    Case("review RECORD --server NOBODY", 2, "--server means nothing here", "记录来自文件"),
    Case("play --solo --server NOBODY", 2, "--solo has a server of its own", "--solo 自带服务器"),
    Case("bot --dialect njupt --stdio --server NOBODY", 2, "named by --url", "平台由 --url 指定"),
    Case("watch http://a/r/ABC --server NOBODY", 2, "the link leads to", "链接指向 ws://a/ws"),
    # Tables
    Case("play --pace 500", 2, "--pace: The pace is in seconds, 0.5 ", "--pace：速度按秒算：是 "),
    Case("new --pace 9", 2, "--pace: The pace is one of 0.3, ", "--pace：速度可选：0.3, "),
    Case("new --option luck=1", 2, "no such option luck; there", "没有 luck 这条规则"),
    Case("new --option tribute=9", 2, "tribute cannot be 9; there are true, false", "不能是 9"),
    Case("new --option must_play=1", 2, "must_play: reserved", "must_play：这里不打"),
    Case("new --option x", 2, "--option: “x” is no rule option", "--option：“x”不是规则选项"),
    Case("play --bots club", 2, "--bots is for --solo", "--bots 只用于 --solo"),
    Case("play --solo ABC", 2, "--solo opens a match", "--solo 自己开一场"),
    Case("play ABC --rules house", 2, "for a new table", "只用于新开的桌"),
    Case("play --token 12", 2, "--token needs the CODE", "--token 还需要房间码"),
    Case("play ABC --token 12", 2, "64 hexadecimal digits", "64位十六进制"),
    Case("play --name=", 2, "--name: 1 to 24 characters", "--name：请用1到24个"),
    # Bots
    Case("bot", 2, "a table to --join, or a platform", "二选一"),
    Case("bot --dialect njupt", 2, "a platform's --url, or over --stdio", "还是用 --stdio"),
    Case("bot --join ABC --level x", 2, "--level: no bot level 'x'", "--level：没有 'x' 这一级"),
    Case("bridge --level x", 2, "--level: no bot level 'x'", "--level：没有 'x' 这一级"),
    Case("bridge --seat 1 --seat 1", 2, "each seat once", "每个座位只写一次"),
    Case("bridge --level club --seat 1", 2, "1 guests and 1 bots", "1位客人加1个机器人不是四家"),
    Case("bridge --room http://a", 2, "--room: which table?", "--room：哪一桌？"),
    Case("arena club", 2, "LEVEL: two of them, please, not 1", "LEVEL：要两级，不是1级"),
    Case("arena club x", 2, "no bot level 'x'; there are", "没有 'x' 这一级机器人；有："),
    Case("arena club club:x=1", 2, "club has no figure 'x'", "（club has no figure 'x'"),
    Case("arena --round-robin club", 2, "two levels at least", "至少两级"),
    Case("arena club basic --log no/log", 3, "No such file or directory", "没有这个文件或文件夹"),
    Case("load --rooms 1 --rate 9999", 2, "--rate: at most", "--rate：1桌最多"),
    # The rest
    Case("judge nowhere", 3, "nowhere: no such file", "nowhere：没有这个文件"),
    Case("judge -x", 2, "a file of that name is ./-x", "要读这个名字的文件请写 ./-x"),
    Case("serve --node a/b", 2, "--node: letters, digits", "--node：只能用字母"),
    Case("serve --origin x", 2, "--origin: such as", "--origin：要像"),
    Case("serve --trusted-proxy x", 2, "--trusted-proxy: an address", "--trusted-proxy：要地址"),
]


@pytest.fixture(scope="module")
def guandan(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    user = Commands("", tmp_path_factory.mktemp("user"))
    for name in ("GUANDAN_SERVER", "GUANDAN_NAME", "GUANDAN_LANG"):
        del user.environment[name]
    return user


@pytest.mark.parametrize("case", CASES, ids=[case.typed for case in CASES])
def test_what_goes_wrong_is_said_in_both_languages(guandan: Commands, case: Case) -> None:
    for locale, says in (("C.UTF-8", case.english), ("zh_CN.UTF-8", case.chinese)):
        ended = guandan.run(*case.arguments, LANG=locale)
        assert ended.code == case.code
        last = ended.err[-1]
        assert last.startswith("guandan: ")
        assert says in last
        assert bool(HANZI.search(last)) is (says is case.chinese)


def test_a_server_for_all_commands_disturbs_none(guandan: Commands, tmp_path: Path) -> None:
    ended = guandan.run("verify", str(RECORD), "--json", GUANDAN_SERVER=NOBODY)
    assert json.loads(ended.out[0])["ok"], ended
    file = tmp_path / "config.toml"
    file.write_text(f'server = "{NOBODY}"\n')
    ended = guandan.run("--config", str(file), "verify", str(RECORD), "--json")
    assert ended.code == 0, ended


@pytest.mark.parametrize(
    ("written", "code", "english", "chinese"),
    [
        ("[dance]\n", 2, "there is no command [dance]", "没有 [dance] 这个命令"),
        ("[play]\nluck = 1\n", 2, "play has no option --luck", "play 没有 --luck 这个选项"),
        ("= 1", 2, "config.toml: ", "config.toml：读不懂（"),
        ("[play]\npace = 500\n", 2, "0.5 rather than 500", "是 0.5，不是 500"),
    ],
)
def test_a_file_of_settings_too(
    guandan: Commands, tmp_path: Path, written: str, code: int, english: str, chinese: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(written)
    for lang, says in (("en", english), ("zh", chinese)):
        ended = guandan.run("--config", str(file), "play", GUANDAN_LANG=lang)
        assert (ended.code, len(ended.err)) == (code, 1)
        assert says in ended.err[0]


def test_the_language_is_the_one_that_a_command_would_take(tmp_path: Path) -> None:
    here = {"XDG_CONFIG_HOME": str(tmp_path), "LANG": "zh_CN.UTF-8"}
    assert language([], here, {}).lang is Lang.ZH
    (tmp_path / "guandan").mkdir()
    (tmp_path / "guandan/preferences.json").write_text('{"lang": "en"}')
    assert language([], here, {}).lang is Lang.EN
    assert language(["play"], here, {"lang": "zh"}).lang is Lang.ZH
    own = {"lang": "zh", "play": {"lang": "en"}}
    assert language(["play"], here, own).lang is Lang.EN
    assert language(["rooms"], here, own).lang is Lang.ZH
    there = here | {"GUANDAN_LANG": "zh"}
    assert language(["play"], there, own).lang is Lang.ZH
    assert language(["play", "--lang", "en"], there, own).lang is Lang.EN
    assert language(["play", "--lang=en"], there, own).lang is Lang.EN
    assert language(["play", "--lang", "fr"], there, own).lang is Lang.ZH
    assert language(["play", "--lang"], there, own).lang is Lang.ZH


def test_a_number_of_the_system_becomes_words() -> None:
    message = "No connection to x: [Errno 111] Connect call failed ('127.0.0.1', 9)"
    assert worded(message, texts("en")) == "No connection to x: Connection refused"
    assert worded(message, texts("zh")) == "No connection to x: 连接被拒绝"
    assert worded("one\n  line", texts("en")) == "one line"
