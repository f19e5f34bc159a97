"""Every size that the protocol sets a limit to, and why it is that one.

What is bigger is no message: a reader stops before it has built it. Bounds of single settings
(clock, grace, pace) stand with their fields in `message_fields`.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "DECISIONS_MAX",
    "EVENTS_MAX",
    "FRAME_BYTES_MAX",
    "HANDS_MAX",
    "HAND_CARDS_MAX",
    "HINTS_MAX",
    "LABEL_CHARS_MAX",
    "LEVELS_MAX",
    "NAME_CHARS_MAX",
    "NUMBER_MAX",
    "OPTIONS_MAX",
    "READINGS_MAX",
    "RECORD_PAGE_CHARS_MAX",
    "ROOMS_MAX",
    "ROOM_CHARS_MAX",
    "SECRET_BYTES_MAX",
    "SERVER_FRAME_BYTES_MAX",
    "TEXT_CHARS_MAX",
    "URL_CHARS_MAX",
]

# The longest honest frame of a client is the creation of a room with every option named: under
# 800 bytes. A play of a whole hand would have 140.
FRAME_BYTES_MAX: Final = 4 * 1024
# The longest of a server is a welcome with the record of a long session: 150 bytes a hand, so
# that the 4096 hands below stay under it. An update has about 1.5 KiB.
SERVER_FRAME_BYTES_MAX: Final = 1024 * 1024

# What every language can count to without thinking: JavaScript has no larger whole numbers.
NUMBER_MAX: Final = 2**53 - 1

# A name stands beside a seat; 24 Chinese characters are 48 columns of a terminal.
NAME_CHARS_MAX: Final = 24
# Codes are read out and typed; ours have fewer.
ROOM_CHARS_MAX: Final = 16
# Names of presets, options, their values, levels of bots, reason codes: identifiers of ours.
LABEL_CHARS_MAX: Final = 32
# Strengths that a person can tell apart, and some more.
LEVELS_MAX: Final = 16
# A refusal says in a sentence or two what was expected and what came.
TEXT_CHARS_MAX: Final = 500
# An address of another node.
URL_CHARS_MAX: Final = 500
# The engine has 16 options; as many again are room to grow.
OPTIONS_MAX: Final = 32
# Tokens have 32 bytes. A wrong one is refused by the server, with one answer for every wrong one,
# so that much of it has to get there.
SECRET_BYTES_MAX: Final = 256

# What a seat can hold: 27, and one more between a tribute and its return.
HAND_CARDS_MAX: Final = 28
# A set of cards has at most six readings (rules 3.1).
READINGS_MAX: Final = 6
# All plays of the richest hands, one per shape, key, size and wilds: seldom 200.
HINTS_MAX: Final = 1024
# Decisions of a seat in a hand: seldom thirty, for whoever passes most of the time.
DECISIONS_MAX: Final = 256
# A step has at most six events. A reader that falls behind gets those of many steps at once.
EVENTS_MAX: Final = 1024
# Hands in the record of a session: weeks of play.
HANDS_MAX: Final = 4096
# A list for a person to choose from.
ROOMS_MAX: Final = 100
# A match of ten hands has some thirty kilobytes: one page of the largest.
RECORD_PAGE_CHARS_MAX: Final = 32 * 1024
