"""Hands played to their end in plain ints: what a search asks many thousand times a decision.

    worlds.deal(), worlds.stir(n)             the others' hands, as they may lie
    arrange(low, high, level, prices)         a hand's cards as the groups it is played in
    game.begin(hands, turn, kind, top, by, out, seed)
    game.play()                               who goes out when, two bits a place

A hand is arranged once and then played group by group, so that a decision is a few operations on
masks: what beats the table are the bits above one. What is weighed, and by how much, stands in
`Habits`. Of the others a seat knows how many cards they hold, and of which heights anybody still
has something; chance comes from the seed alone.

The modules run as they are, and twenty times faster when mypyc has compiled them (`make fast`);
both play the same games. So all is ints that fit 63 bits, what is shifted is no literal, constants
are `Final`, and tables tuples of no declared length.

    seats        0..3, in turn order
    low, high    the two halves of `Cards.bits`
    masks        single, pair, triple: a bit per height (`order.height`), 0..15
                 straight, tube, plate: a bit per rank of the top; a second one 16 bits higher up
    bombs        a byte each, lowest first: `combos.tier_of` and the key, a nibble each
"""

from guandan_bots.playout.arranging import arrange
from guandan_bots.playout.dealing import Worlds
from guandan_bots.playout.figures import (
    BOMB,
    FLUSH,
    FULL_HOUSE,
    JOKERS,
    NO_JOKERS,
    NOTHING,
    PAIR,
    PLATE,
    ROW,
    SINGLE,
    STRAIGHT,
    TIERS,
    TRIPLE,
    TUBE,
    Habits,
    Part,
    Prices,
    kind,
)
from guandan_bots.playout.games import Game
from guandan_bots.playout.hands import Hand

__all__ = [
    # what it is
    "Game",
    "Habits",
    "Hand",
    "Part",
    "Prices",
    "Worlds",
    "arrange",
    "kind",
    # kinds of play, codes of bombs
    "NOTHING",
    "SINGLE",
    "PAIR",
    "TRIPLE",
    "FULL_HOUSE",
    "STRAIGHT",
    "TUBE",
    "PLATE",
    "BOMB",
    "FLUSH",
    "JOKERS",
    # figures of its tables
    "NO_JOKERS",
    "ROW",
    "TIERS",
]
