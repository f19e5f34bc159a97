"""A policy of ours at somebody else's platform: messages in, answers out.

It never gives up: what it does not understand it mentions once and passes over, and whatever
happens inside, a question gets a legal answer. What did not go as it should is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from guandan_bots.dialect.hearing import NOTICES, QUESTIONS, Listener
from guandan_bots.dialect.matching import Fit, match_of
from guandan_bots.dialect.words import DialectError, Message, is_pass, shown
from guandan_bots.policy import Policy
from guandan_bots.steady import in_words
from guandan_engine.options import Rules

__all__ = ["Visitor"]

SAID_MAX: Final = 100
"""Different remarks; a platform that has more to wonder at is none of this dialect."""


class Visitor:
    """One seat at a platform."""

    def __init__(
        self, policy: Policy, rng: random.Random, *, say: Callable[[str], None], rules: Rules
    ) -> None:
        self._policy = policy
        self._rng = rng
        self._say = say
        self._rules = rules
        self._listener = Listener()
        self._said: set[str] = set()
        self.is_over = False
        """The platform has told the result of all games."""
        self.answers = 0
        self.fits: Counter[Fit] = Counter()
        """How well what was answered fits what was chosen."""
        self.fallbacks = 0
        """Questions that were answered without a choice of the policy."""

    @property
    def mismatches(self) -> int:
        """Answers that are not what the policy chose."""
        return sum([count for fit, count in self.fits.items() if fit is not Fit.EXACT])

    def hears(self, message: object) -> Message | None:
        """The answer to a question; None to everything else. What is given stays as it is."""
        if not isinstance(message, dict):
            self._remark(f"no message: {shown(message)}")
            return None
        if message.get("type") == "act":
            return {"actIndex": self._answer(message)}
        if message.get("type") == "notify":
            self._notice(message.get("stage"), message)
        else:
            self._remark(f"no message of this dialect: {shown(message.get('type'))}")
        return None

    def summary(self) -> str:
        """What it came to, for people."""
        odd = ", ".join([f"{fit} {n}" for fit, n in self.fits.items() if fit is not Fit.EXACT])
        return (
            f"{self.answers} answers, {self.mismatches} mismatches"
            f"{f' ({odd})' if odd else ''}, {self.fallbacks} fallbacks"
        )

    def _notice(self, stage: object, notice: dict[str, Any]) -> None:
        if not isinstance(stage, str) or stage not in NOTICES:
            self._remark(f"a stage that is not known: {shown(stage)}")
            return
        self.is_over = self.is_over or stage == "gameResult"
        try:
            self._listener.hears(notice)
        except DialectError as error:
            self._remark(f"{stage}: {error}")

    def _answer(self, question: dict[str, Any]) -> int:
        self.answers += 1
        actions = question.get("actionList")
        if not isinstance(actions, list):
            self._remark(f"a list of actions was expected, got {shown(actions)}")
            actions = []
        stage = question.get("stage")
        if not isinstance(stage, str) or stage not in QUESTIONS:
            self._remark(f"a question that is not known: {shown(stage)}")
            return self._fall_back(actions)
        try:
            view = self._listener.asked(question)
            choice = self._policy.choose(view, self._rules, self._rng)
        except DialectError as error:
            self._remark(f"{stage}: {error}")
            return self._fall_back(actions)
        except (Exception, SystemExit) as error:  # noqa: BLE001  a policy's fault costs a move
            self._remark(f"{self._policy.name} failed: {in_words(error)}")
            return self._fall_back(actions)
        found = match_of(choice, actions)
        self.fits[found.fit] += 1
        return found.index

    def _fall_back(self, actions: list[object]) -> int:
        self.fallbacks += 1
        return next((place for place, action in enumerate(actions) if is_pass(action)), 0)

    def _remark(self, text: str) -> None:
        if text not in self._said and len(self._said) < SAID_MAX:
            self._said.add(text)
            self._say(text)
