"""A refusal inside the server: what the client is told, and nothing has changed."""

from __future__ import annotations

from guandan_engine.errors import Reason
from guandan_protocol.messages import Code

__all__ = ["Elsewhere", "Refusal"]


class Refusal(Exception):
    """An action, query or hello that is not accepted."""

    def __init__(self, code: Code | Reason, text: str, *, retry_ms: int | None = None) -> None:
        super().__init__(code, text, retry_ms)
        self.code = code
        self.text = text
        self.retry_ms = retry_ms

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


class Elsewhere(Exception):
    """The room lives on another node, which is alive."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url
