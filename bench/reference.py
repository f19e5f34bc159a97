"""A plain listing of plays, the yardstick that the engine's speed is quoted against.

This is how the rules would be written down without tricks: count the cards, loop over ranks and
runs, append tuples. It is meant to be read, and it is not slow on purpose: it counts a hand once,
and when following it makes only what can beat the table.

Cards are strings, suit and rank, `X` and `Y` for the jokers. A play is
`(type, key, len, wilds)`: the listing is abstract, one entry for each type, key, length and number
of wilds used, whichever cards are chosen for it. Options are the default ones.

    >>> lead(["S9", "C9", "H2"], "2")  # doctest: +NORMALIZE_WHITESPACE
    [('single', '9', 1, 0), ('single', '2', 1, 1),
     ('pair', '9', 2, 0), ('pair', '9', 2, 1), ('triple', '9', 3, 1)]
    >>> follow(["S9", "C9", "H2"], "2", ("pair", "8", 2))
    [('pair', '9', 2, 0), ('pair', '9', 2, 1)]
"""

from collections.abc import Sequence

Play = tuple[str, str | None, int, int]
"""Type, key, number of cards, number of wilds among them."""

Table = tuple[str, str | None, int]
"""Type, key and number of cards of the play to beat."""

RANKS = "23456789TJQKA"
SUITS = "SHCD"
RUN_ORDER = "A" + RANKS  # the ace is below the two as well as above the king
STRAIGHTS = [RUN_ORDER[i : i + 5] for i in range(10)]
TUBES = [RUN_ORDER[i : i + 3] for i in range(12)]
PLATES = [RUN_ORDER[i : i + 2] for i in range(13)]

BOMB_LEN_MAX = 10  # eight of a rank and both wilds
ANY = -1  # below every strength


class Hand:
    """A hand, counted: natural cards by rank and by suit; wilds and jokers apart."""

    def __init__(self, cards: Sequence[str], level: str) -> None:
        self.level = level
        self.order = [rank for rank in RANKS if rank != level] + [level]
        self.wilds = 0
        self.jokers = {"X": 0, "Y": 0}
        self.count = dict.fromkeys(RANKS, 0)
        self.ranks_of: dict[str, set[str]] = {suit: set() for suit in SUITS}
        wild = "H" + level
        for card in cards:
            if card == wild:
                self.wilds += 1
            elif card in self.jokers:
                self.jokers[card] += 1
            else:
                self.count[card[1]] += 1
                self.ranks_of[card[0]].add(card[1])


def lead(cards: Sequence[str], level: str) -> list[Play]:
    """Every play of `cards` on an empty table."""
    hand = Hand(cards, level)
    plays: list[Play] = []
    for kind in ("single", "pair", "triple", "full_house", "straight", "tube", "plate"):
        plays += _ordinary(hand, kind, ANY)
    for size in range(4, BOMB_LEN_MAX + 1):
        plays += _same_rank(hand, "bomb", size, ANY)
    plays += _straight_flushes(hand, ANY)
    plays += _joker_bomb(hand)
    return plays


def follow(cards: Sequence[str], level: str, table: Table) -> list[Play]:
    """Every play of `cards` that beats `table`."""
    hand = Hand(cards, level)
    kind, key, length = table
    if key is None:  # the joker bomb
        return []
    plays: list[Play] = []
    if kind == "bomb":
        flushes_from: int | None = ANY if length <= 5 else None
        plays += _same_rank(hand, "bomb", length, _level_strength(hand, key))
        longer = length + 1
    elif kind == "straight_flush":
        flushes_from = _run_strength(STRAIGHTS, key)
        longer = 6
    else:
        flushes_from = ANY
        plays += _ordinary(hand, kind, _strength(hand, kind, key))
        longer = 4
    for size in range(longer, BOMB_LEN_MAX + 1):
        plays += _same_rank(hand, "bomb", size, ANY)
    if flushes_from is not None:
        plays += _straight_flushes(hand, flushes_from)
    plays += _joker_bomb(hand)
    return plays


def _level_strength(hand: Hand, rank: str) -> int:
    return len(RANKS) + "XY".index(rank) if rank in "XY" else hand.order.index(rank)


def _run_strength(windows: list[str], top: str) -> int:
    return next(i for i, window in enumerate(windows) if window[-1] == top)


def _strength(hand: Hand, kind: str, key: str) -> int:
    windows = {"straight": STRAIGHTS, "tube": TUBES, "plate": PLATES}.get(kind)
    return _level_strength(hand, key) if windows is None else _run_strength(windows, key)


def _ordinary(hand: Hand, kind: str, above: int) -> list[Play]:
    """Plays of one type that is no bomb, stronger than `above`."""
    match kind:
        case "single":
            return _same_rank(hand, kind, 1, above) + _jokers(hand, kind, 1, above)
        case "pair":
            return _same_rank(hand, kind, 2, above) + _jokers(hand, kind, 2, above)
        case "triple":
            return _same_rank(hand, kind, 3, above)
        case "full_house":
            return _full_houses(hand, above)
        case "straight":
            return _straights(hand, above)
        case "tube":
            return _doubled_runs(hand, kind, TUBES, 2, above)
        case "plate":
            return _doubled_runs(hand, kind, PLATES, 3, above)
        case _:
            raise ValueError(f"expected a type of play, got {kind!r}")


def _same_rank(hand: Hand, kind: str, size: int, above: int) -> list[Play]:
    plays: list[Play] = []
    for rank in hand.order[above + 1 :]:
        have = hand.count[rank]
        if have + hand.wilds < size:
            continue
        plays += [
            (kind, rank, size, wilds)
            for wilds in range(max(size - have, 0), min(hand.wilds, size) + 1)
            if wilds < size or rank == hand.level  # wilds alone are level cards
        ]
    return plays


def _jokers(hand: Hand, kind: str, size: int, above: int) -> list[Play]:
    return [
        (kind, joker, size, 0)
        for strength, joker in enumerate("XY", start=len(RANKS))
        if strength > above and hand.jokers[joker] >= size
    ]


def _full_houses(hand: Hand, above: int) -> list[Play]:
    # How many ranks could give that many natural cards to the pair.
    givers = [sum(1 for have in hand.count.values() if have >= n) for n in range(3)]
    plays: list[Play] = []
    for rank in hand.order[above + 1 :]:
        have = hand.count[rank]
        for wilds in range(hand.wilds + 1):
            for in_triple in range(1, min(have, 3) + 1):
                in_pair = 5 - wilds - in_triple
                if not 0 <= in_pair <= 2:
                    continue
                others = givers[in_pair] - (have >= in_pair)
                if others:
                    plays.append(("full_house", rank, 5, wilds))
                    break
    return plays


def _straights(hand: Hand, above: int) -> list[Play]:
    held = set().union(*hand.ranks_of.values())
    plays: list[Play] = []
    for window in STRAIGHTS[above + 1 :]:
        have = len(held.intersection(window))
        plays += [
            ("straight", window[-1], 5, wilds)
            for wilds in range(5 - have, hand.wilds + 1)
            if wilds or not _one_suit_only(hand, window)
        ]
    return plays


def _one_suit_only(hand: Hand, window: str) -> bool:
    """Whether the natural cards of these ranks share a suit, so that they are only a flush."""
    return sum(1 for ranks in hand.ranks_of.values() if not ranks.isdisjoint(window)) == 1


def _straight_flushes(hand: Hand, above: int) -> list[Play]:
    plays: list[Play] = []
    for window in STRAIGHTS[above + 1 :]:
        have = max(len(ranks.intersection(window)) for ranks in hand.ranks_of.values())
        plays += [
            ("straight_flush", window[-1], 5, wilds) for wilds in range(5 - have, hand.wilds + 1)
        ]
    return plays


def _doubled_runs(hand: Hand, kind: str, windows: list[str], each: int, above: int) -> list[Play]:
    """Runs of pairs or of triples: six cards, `each` of every rank."""
    plays: list[Play] = []
    for window in windows[above + 1 :]:
        have = sum(min(hand.count[rank], each) for rank in window)
        plays += [(kind, window[-1], 6, wilds) for wilds in range(6 - have, hand.wilds + 1)]
    return plays


def _joker_bomb(hand: Hand) -> list[Play]:
    return [("joker_bomb", None, 4, 0)] if hand.jokers == {"X": 2, "Y": 2} else []
