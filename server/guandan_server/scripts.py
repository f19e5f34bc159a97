"""The Lua scripts that the store runs, and how one is called.

Their KEYS and ARGV are explained on top of each file in `lua/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from importlib import resources
from typing import Any

from attrs import frozen

Part = str | bytes | int
Reply = Any
"""What redis-py hands back for a command; each caller knows which."""


@frozen
class Script:
    name: str
    text: str
    sha: str

    @classmethod
    def read(cls, name: str) -> Script:
        text = resources.files("guandan_server").joinpath("lua", f"{name}.lua").read_text("utf-8")
        return cls(name, text, sha1(text.encode(), usedforsecurity=False).hexdigest())

    def call(self, keys: Sequence[str], *args: Part) -> tuple[Part, ...]:
        """EVALSHA as a plain command: a cluster refuses it in any other form."""
        return ("EVALSHA", self.sha, len(keys), *keys, *args)


CREATE = Script.read("create")
CLAIM = Script.read("claim")
LOAD = Script.read("load")
COMMIT = Script.read("commit")
REFRESH = Script.read("refresh")
RELEASE = Script.read("release")
DELETE = Script.read("delete")
RECORD = Script.read("record")
SCRIPTS = (CREATE, CLAIM, LOAD, COMMIT, REFRESH, RELEASE, DELETE, RECORD)
