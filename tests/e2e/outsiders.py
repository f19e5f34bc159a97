"""Clients by somebody who has read README.md and docs/, and none of the code.

They have `websockets`, `msgpack` and the standard library, know a little of the rules, and believe
nothing: an `Auditor` keeps its own books on what its seat may know and holds every frame against
them.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import re
import secrets
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final, Self

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

WAIT_S: Final = 30
"""A time-out of a wait; nothing here takes a second on an idle machine."""

FIRST_ID: Final = 2**32
"""Ids of queries begin above every counter, for `refused` names both in one field."""

RANKS: Final = "23456789TJQKA"
PACK: Final = [suit + rank for rank in RANKS for suit in "SHCD" for _ in range(2)] + list("XXYY")
CARD: Final = re.compile(r"[SHCD][2-9TJQKA]|[XY]")
CARD_IN_TEXT: Final = re.compile(r"\b[SHCD][2-9TJQKA]\b")

Map = dict[str, Any]
Moves = tuple[list[Map], list[Map]]
Place = tuple[str | int, ...]


def deal(seed: bytes, nonces: list[bytes]) -> list[Counter[str]]:
    """The four hands that a seed stands for: "Checking a deal" of docs/protocol.md."""
    salt = b"".join(bytes([len(nonce)]) + nonce for nonce in nonces)
    key = hashlib.sha256(b"guandan/1 key" + seed + salt).digest()

    def stream() -> Iterator[int]:
        for counter in itertools.count():
            block = hashlib.sha256(key + b"deal" + b"\0" + counter.to_bytes(8, "big"))
            yield from struct.unpack(">8I", block.digest())

    numbers = stream()

    def below(n: int) -> int:
        limit = 2**32 // n * n
        return next(number for number in numbers if number < limit) % n

    pack = list(PACK)
    for i in range(len(pack) - 1, 0, -1):
        j = below(i + 1)
        pack[i], pack[j] = pack[j], pack[i]
    return [Counter(pack[first : first + 27]) for first in range(0, 108, 27)]


def cards_in(value: Any, path: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every card anywhere in a message, with its place: keys, values and words of texts alike."""
    match value:
        case str() if CARD.fullmatch(value):
            yield path, value
        case str():
            for word in CARD_IN_TEXT.findall(value):
                yield (*path, "…"), word
        case dict():
            for key, item in value.items():
                yield from cards_in(key, (*path, "key"))
                yield from cards_in(item, (*path, key))
        case list():
            for index, item in enumerate(value):
                yield from cards_in(item, (*path, index))
        case _:
            pass


def bins_in(value: Any) -> Iterator[bytes]:
    match value:
        case bytes():
            yield value
        case dict():
            for item in value.values():
                yield from bins_in(item)
        case list():
            for item in value:
                yield from bins_in(item)
        case _:
            pass


class Leak(AssertionError):
    """A frame says what its seat may not know, or what cannot be."""


class Auditor:
    """The books of one seat, or of a watcher (None), kept from the events it was told.

    The events of a frame are booked first; each is a disclosure of its own and allowed only in its
    form. Then every card in the frame, wherever it stands, has to be in the books at that place.
    """

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.cards = 0
        """How many cards were looked at."""
        self.hands = 0
        """How many hands were followed from their deal to their end."""
        self.bins: set[bytes] = set()
        """All bytes that were told."""
        self.questions: dict[int, list[str]] = {}
        """The cards of our own previews, by id."""
        self._sealed: set[bytes] = set()
        """Commitments whose seeds nobody may know yet."""
        self._gone: list[Moves] = []
        """Gifts and returns of the hands before."""
        self._hand = (0, 0)
        """Match and hand."""
        self._finished = 0
        """The last match that is over."""
        self._new_hand(None, b"")

    def _new_hand(self, dealt: list[str] | None, commitment: bytes) -> None:
        self._dealt = Counter(dealt or [])
        self._commitment = commitment
        """Empty if we did not see the deal."""
        self._played: list[Counter[str]] = [Counter() for _ in range(4)]
        self._shown: list[Map | str | None] = [None] * 4
        self._gifts: list[Map] = []
        self._returns: list[Map] = []
        self._drawn: list[list[Any]] = []
        self._left: list[list[str]] | None = None
        self._chosen: str | None = None
        self._own = Counter(dealt or [])

    def question(self, message: Map) -> None:
        """Note what we are about to ask."""
        if message["t"] == "preview":
            self.questions[message["id"]] = message["cards"]

    def audit(self, message: Map) -> None:
        """Book what a frame discloses, and hold everything in it against the books."""
        match message["t"]:
            case "welcome":
                self._welcome(message)
            case "update":
                for event in message["events"]:
                    self._event(event)
                if message["finished"] is not None:
                    self._gone.append((self._gifts, self._returns))
            case _:
                pass
        if "public" in message:
            self._views(message["view"], message["public"], message["private"])
        for path, card in cards_in(message):
            self.cards += 1
            if path[0] != "events" and not self._allowed(message, path, card):
                raise Leak(f"{card} at {path} of {message}")
        told = set(bins_in(message))
        if self._sealed & {hashlib.sha256(each).digest() for each in told}:
            raise Leak(f"an unopened seed in {message['t']}")
        self.bins |= told

    def _welcome(self, message: Map) -> None:
        """A view without events: what is public in it is so from now on."""
        view, public, private = message["view"], message["public"], message["private"]
        if message["seat"] != self.seat:
            raise Leak(f"welcome of seat {message['seat']}, not {self.seat}")
        hand = (view["match"], public["hand"])
        known = self._dealt if hand == self._hand else None
        if known is None:
            self._new_hand(None, b"")
        self._hand = hand
        self._played = [Counter(cards) for cards in public["played"]]
        self._shown = [self._laid(one, public["level"]) for one in public["shown"]]
        self._drawn, self._left = public["drawn"], public["left"]
        self._gifts, self._returns = public["gifts"], public["returns"]
        self._chosen = private and private["chosen"]
        if known is None and private is not None:
            self._dealt = Counter(private["hand"])
            self._dealt = self._dealt - self._balance(+1) + self._balance(-1)
        self._own = self._dealt + self._balance(+1) - self._balance(-1)
        self._gone = [(past["gifts"], past["returns"]) for past in message["record"]]

    def _balance(self, sign: int) -> Counter[str]:
        """What came to our hand since the deal, or what went."""
        if self.seat is None:
            return Counter()
        role = "recipient" if sign > 0 else "donor"
        moves = self._gifts + self._returns
        moved = Counter(move["card"] for move in moves if move[role] == self.seat)
        return moved if sign > 0 else moved + self._played[self.seat - 1]

    def _event(self, event: Map) -> None:
        """Book one event. `places` are the fields in which such an event may have cards."""
        places: tuple[str, ...] = ()
        match event:
            case {"t": "dealt", "own": own, "commitment": commitment}:
                if (own is None) != (self.seat is None) or commitment not in self._sealed:
                    raise Leak(f"seat {self.seat} was dealt {event}")
                self._new_hand(own, commitment)
                first = event["number"] == 1
                self._hand = (self._hand[0] + first, event["number"])
                places = ("own",)
            case {"t": "opener_drawn", "drawn": drawn}:
                self._drawn = drawn
                places = ("drawn",)
            case {"t": "chosen", "seat": seat, "card": card}:
                if (card is None) != (seat != self.seat) or (card and card not in self._own):
                    raise Leak(f"seat {self.seat} is told of {event}")
                self._chosen = card or self._chosen
                places = ("card",)
            case {"t": "tribute_paid", "gifts": gifts}:
                self._gifts, self._chosen = gifts, None
                places = ("gifts",)
            case {"t": "cards_returned", "returns": returns}:
                self._returns, self._chosen = returns, None
                places = ("returns",)
            case {"t": "played", "seat": seat, "cards": cards, "reading": reading}:
                if seat == self.seat and not Counter(cards) <= self._own:
                    raise Leak(f"we played {cards} from {self._own}")
                self._played[seat - 1].update(cards)
                self._shown[seat - 1] = {"cards": cards, "reading": reading}
                places = ("cards", "reading")
            case {"t": "passed", "seat": seat}:
                self._shown[seat - 1] = "pass"
            case {"t": "trick_closed"}:
                self._shown = [None] * 4
            case {"t": "hand_ended", "left": left}:
                self._shown, self._left = [None] * 4, left
                places = ("left",)
            case _:
                pass
        for path, card in cards_in(event):
            if path[0] not in places:
                raise Leak(f"{card} at {path} of {event}")
        self._own = self._dealt + self._balance(+1) - self._balance(-1)
        known = self._own + sum(self._played, Counter())
        if not known <= Counter(PACK):
            raise Leak(f"a third copy of {known - Counter(PACK)} after {event}")
        if event["t"] == "hand_ended":
            self._conserved(event)

    @staticmethod
    def _laid(shown: Map | str | None, level: str) -> Map | str | None:
        """What lies there without what its wilds stand for, which is one card each."""
        if not isinstance(shown, dict):
            return shown
        if len(shown["shown_as"]) != shown["cards"].count(f"H{level}"):
            raise Leak(f"{shown['shown_as']} is not one card for each wild of {shown['cards']}")
        return {"cards": shown["cards"], "reading": shown["reading"]}

    def _conserved(self, end: Map) -> None:
        """All 108 cards are there at the end; and the open seed deals what was played and left."""
        left = [Counter(cards) for cards in end["left"]]
        if sum(self._played, Counter()) + sum(left, Counter()) != Counter(PACK):
            raise Leak(f"not 108 cards: {self._played} played, {left} left")
        if self.seat is not None and left[self.seat - 1] != self._own:
            raise Leak(f"told that {left[self.seat - 1]} is left of {self._own}")
        if not self._commitment:
            return
        if hashlib.sha256(end["seed"]).digest() != self._commitment:
            raise Leak("the seed is not the one committed to")
        self._sealed.discard(self._commitment)
        hands = deal(end["seed"], end["nonces"])
        if self.seat is not None and hands[self.seat - 1] != self._dealt:
            raise Leak(f"the seed deals {hands[self.seat - 1]}, we had {self._dealt}")
        for move in self._gifts + self._returns:
            hands[move["donor"] - 1].subtract([move["card"]])
            hands[move["recipient"] - 1].update([move["card"]])
        for hand, played, rest in zip(hands, self._played, left, strict=True):
            if hand != played + rest:
                raise Leak(f"the seed deals {hand}; {played} was played and {rest} left")
        self.hands += 1

    def _views(self, view: Map, public: Map, private: Map | None) -> None:
        """The views say what the books say, no more and no less."""
        if [Counter(cards) for cards in public["played"]] != self._played:
            raise Leak(f"played {public['played']}, in the books {self._played}")
        books = [self._shown, self._drawn, self._gifts, self._returns, self._left]
        told = [public[name] for name in ("shown", "drawn", "gifts", "returns", "left")]
        told[0] = [self._laid(one, public["level"]) for one in told[0]]
        if told != books:
            raise Leak(f"told {told}, in the books {books}")
        if (self._left is not None) != (public["phase"] in ("hand_over", "match_over")):
            raise Leak(f"hands {self._left} in the phase {public['phase']}")
        moves = self._gifts + self._returns
        for seat, count in enumerate(public["counts"], 1):
            counted = 27 * (public["hand"] > 0) - self._played[seat - 1].total()
            counted += sum(move["recipient"] == seat for move in moves)
            counted -= sum(move["donor"] == seat for move in moves)
            if count not in (counted, None):
                raise Leak(f"seat {seat} has {count} cards, in the books {counted}")
        if (private is None) != (self.seat is None):
            raise Leak(f"seat {self.seat} is told {private}")
        if private is not None:
            told = [Counter(private["hand"]), private["chosen"]]
            if told != [self._own, self._chosen]:
                raise Leak(f"{told} are ours, in the books {self._own}, {self._chosen}")
        self._finished = view["match"] - (public["phase"] != "match_over")
        if view["commitment"]:
            self._sealed.add(view["commitment"])

    def _allowed(self, message: Map, path: Place, card: str) -> bool:
        """May this card stand at this place? Places that are not named here have no cards."""
        match path:
            case ("public", "shown" | "played" | "gifts" | "returns" | "drawn" | "left", *_):
                return True  # compared with the books as a whole
            case ("private", "hand", int()) | ("private", "chosen"):
                return True  # likewise
            case ("public", "top", 1):  # a joker is its own rank
                return card in self._played[message["public"]["by"] - 1]
            case ("private", "pay", int()):
                return message["public"]["phase"] == "paying" and card in self._own
            case ("private", "give_back", int()):
                return message["public"]["phase"] == "returning" and card in self._own
            case ("hints", int(index), "cards" | "reading", int()):
                return Counter(message["hints"][index]["cards"]) <= self._own
            case ("helpful", int()):
                return card in self._own
            case ("readings", int(), "reading", 1):
                return card in self.questions[message["id"]]
            case ("readings", int(index), "shown_as", int()):  # no card that there is: our wilds
                shown: list[str] = message["readings"][index]["shown_as"]
                hearts = [face for face in self.questions[message["id"]] if face[0] == "H"]
                return len(shown) <= min(2, len(hearts))
            case ("record", int(index), "gifts" | "returns", int(), "card"):
                past: Map = message["record"][index]
                return (past["gifts"], past["returns"]) == self._gone[index]
            case ("finished", "gifts" | "returns", int(), "card"):
                past = message["finished"]
                return (past["gifts"], past["returns"]) == (self._gifts, self._returns)
            case ("text", "…") if message["t"] == "record_page":
                return bool(message["match"] <= self._finished)
            case ("text", "…"):  # of a refusal: our own words, or the examples of the page
                return card in self._own or card in ("S5", "HT")
            case _:
                return False


class Outsider:
    """A client at one seat, or a watcher. It has no task of its own: whoever waits, reads."""

    def __init__(self, name: str, url: str = "") -> None:
        self.name = name
        self.url = url
        self.room = ""
        self.seat: int | None = None
        self.token = b""
        self.counter = 0
        self.seq = 0
        self.epoch = 0
        self.view: Map = {}
        self.public: Map = {}
        self.private: Map = {}
        self.record: list[Map] = []
        self.events: list[Map] = []
        """All that were told, in order."""
        self.told: dict[int, Map] = {}
        """The public view by `seq`."""
        self.refusals: list[Map] = []
        self.frames: list[Map] = []
        """All that were read since the first welcome."""
        self.auditor: Auditor | None = None
        self.answers: dict[int, Map] = {}
        self._ids = itertools.count(FIRST_ID)
        self._connection: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            await self._connection.close()

    # Frames.

    @property
    def connection(self) -> ClientConnection:
        assert self._connection is not None
        return self._connection

    async def send(self, message: Map) -> None:
        if self.auditor is not None:
            self.auditor.question(message)
        async with asyncio.timeout(WAIT_S):
            await self.connection.send(msgpack.packb(message))

    async def read(self) -> Map:
        """The next frame, audited, and what it changes."""
        async with asyncio.timeout(WAIT_S):
            frame = await self.connection.recv()
        assert isinstance(frame, bytes)
        message: Map = msgpack.unpackb(frame)
        match message["t"]:
            case "welcome":
                self.room, self.seat, self.counter = (
                    message["room"],
                    message["seat"],
                    message["counter"],
                )
                self.token = message["token"] or self.token
                self.record = message["record"]
                self.auditor = self.auditor or Auditor(self.seat)
            case "update" if message["finished"] is not None:
                self.record = [*self.record, message["finished"]]
            case "done" | "refused" | "previewed" | "hints" | "record_page":
                self.answers[message.get("n") or message.get("id") or message["ref"]] = message
            case _:
                pass
        if self.auditor is not None:
            self.auditor.audit(message)
            self.frames.append(message)
        if "public" in message:
            self.view, self.public = message["view"], message["public"]
            self.private, self.seat = message["private"], message["seat"]
            self.seq, self.epoch = message["seq"], message["epoch"]
            self.events += message.get("events", [])
            self.told[self.seq] = self.public
        return message

    async def until(self, true: Callable[[], bool]) -> None:
        """Read until something holds."""
        async with asyncio.timeout(WAIT_S):
            while not true():
                await self.read()

    async def drop(self) -> None:
        """Cut the wire, with no farewell."""
        self.connection.transport.abort()
        await self.connection.wait_closed()
        self._connection = None

    async def half(self, message: Map) -> None:
        """Send the first half of a frame."""
        frame = Frame(Opcode.BINARY, msgpack.packb(message)).serialize(mask=True)
        self.connection.transport.write(frame[: len(frame) // 2])

    # Hellos.

    async def hello(self, t: str, **fields: Any) -> Map:
        """Connect, say hello, and read the answer."""
        async with asyncio.timeout(WAIT_S):
            self._connection = await connect(
                self.url,
                subprotocols=[Subprotocol("guandan.v1")],
                compression=None,
                proxy=None,
                max_size=2**20,
            )
        await self.send({"t": t, "version": 1, **fields})
        return await self.read()

    async def create(self) -> Map:
        return await self.hello("create", name=self.name, create_id=secrets.token_bytes(16))

    async def join(self, room: str, seat: int | None = None) -> Map:
        fields = {"room": room, "name": self.name, "seat": seat}
        return await self.hello("join", **fields, join_id=secrets.token_bytes(16))

    async def watch(self, room: str) -> Map:
        return await self.hello("watch", room=room)

    async def resume(self) -> Map:
        fields = {"room": self.room, "token": self.token}
        return await self.hello("resume", **fields, seq=self.seq, epoch=self.epoch)

    # Actions and queries.

    async def answer(self, ref: int) -> Map:
        await self.until(lambda: ref in self.answers)
        return self.answers.pop(ref)

    async def act(self, t: str, **fields: Any) -> Map:
        """Send an action, wait for its answer, and for the view that contains it."""
        return await self.settle({"t": t, "n": self.counter + 1, **fields})

    async def settle(self, message: Map) -> Map:
        await self.send(message)
        answer = await self.answer(message["n"])
        if answer["t"] == "done":
            self.counter = max(self.counter, message["n"])
            await self.until(lambda: self.seq >= answer["seq"])
        else:
            self.refusals.append({"asked": message, **answer})
        return answer

    async def ask(self, t: str, **fields: Any) -> Map:
        number = next(self._ids)
        await self.send({"t": t, "id": number, **fields})
        return await self.answer(number)


class Player(Outsider):
    """One that plays. A keen one follows with hints; one that is not answers single cards only."""

    def __init__(self, name: str, *, keen: bool) -> None:
        super().__init__(name)
        self.keen = keen

    @property
    def asked(self) -> bool:
        """Is a move of ours waited for?"""
        return self.seat in self.public["asked"] and self.private["chosen"] is None

    @property
    def unready(self) -> bool:
        over = self.public["phase"] == "hand_over"
        return over and self.seat is not None and not self.view["seats"][self.seat - 1]["ready"]

    def strength(self, card: str) -> int:
        """Place in the order of single cards, rules.md; the wild is kept to the last."""
        level: str = self.public["level"]
        order = [rank for rank in RANKS if rank != level] + [level, "X", "Y"]
        return 2 * order.index(card[-1]) + (card == "H" + level)

    async def play_match(self) -> None:
        """Play until the match is over."""
        while self.view["stage"] != "match_over":
            if self.asked:
                await self.move()
            elif self.unready:
                await self.act("ready", nonce=secrets.token_bytes(8))
            else:
                await self.read()

    async def move(self) -> None:
        turn = self.public["turn"]
        match self.public["phase"]:
            case "paying":
                await self.act("pay", card=self.private["pay"][0], turn=turn)
            case "returning":
                await self.act("give_back", card=self.private["give_back"][0], turn=turn)
            case "leading":
                cards = self.lead()
                seen = await self.ask("preview", cards=cards)
                assert seen["code"] == "", (cards, seen)
                assert [reading["beats"] for reading in seen["readings"]] == [True], (cards, seen)
                await self.play(cards, turn)
            case "following":
                await self.play(await self.follow(), turn)
            case phase:
                raise AssertionError(f"asked in the phase {phase}")

    async def play(self, cards: list[str], turn: int) -> None:
        if cards:
            await self.act("play", cards=cards, turn=turn)
        else:
            await self.act("pass", turn=turn)

    def lead(self) -> list[str]:
        """The lowest single; of a keen one all of its rank, which is a pair, a triple, a bomb."""
        hand = sorted(self.private["hand"], key=self.strength)
        lowest = hand[0]
        if not self.keen or lowest in "XY":
            return [lowest]
        wild = "H" + self.public["level"]
        return [card for card in hand if card[-1] == lowest[-1] and card != wild] or [lowest]

    async def follow(self) -> list[str]:
        kind, key, _ = self.public["top"]
        if self.keen:
            hints = await self.ask("ask_hints")
            cards: list[str] = hints["hints"][hints["best"]]["cards"]
            return cards
        if kind != "single":
            return []
        top = self.strength("S" + key if key in RANKS else key)
        for card in sorted(self.private["hand"], key=self.strength):
            if self.strength(card) // 2 > top // 2:
                return [card]
        return []
