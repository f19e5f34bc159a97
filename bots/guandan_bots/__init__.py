"""Players that get what a person at that seat gets: a view and the table's rules.

    policy("basic").choose(view, rules, rng)     -> Offer | Pass | Give
    suggest(view, rules)                         -> hints for people, by the judgement of `club`

`policy` has the levels, `club` the judgement. By name only, for they bring more: `arena` plays
offline matches through the machine, `player` plays a seat over the protocol.
"""

from guandan_bots.hints import HintReason, Suggestion, Suggestions, suggest
from guandan_bots.policy import (
    PASS,
    POLICIES,
    Choice,
    Give,
    Pass,
    Policy,
    UnknownLevel,
    policy,
)

__all__ = [
    # who plays
    "POLICIES",
    "Policy",
    "UnknownLevel",
    "policy",
    # what they answer
    "PASS",
    "Choice",
    "Give",
    "Pass",
    # hints for people
    "HintReason",
    "Suggestion",
    "Suggestions",
    "suggest",
]
