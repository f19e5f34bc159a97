"""Strangers at the table: what docs/ promises is enough to play, and holds for who plays."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.e2e.outsiders import Auditor, Leak, Map, Outsider, Player
from tests.e2e.serving import Served, serving

HASTE = ("--haste", "100000")


@asynccontextmanager
async def served_to(*clients: Outsider, at: Path) -> AsyncIterator[Served]:
    """A server, and clients that are closed before it is."""
    async with serving(at / "data", *HASTE) as served, AsyncExitStack() as stack:
        for client in clients:
            client.url = served.url
            await stack.enter_async_context(client)
        yield served


def auditor(client: Outsider) -> Auditor:
    assert client.auditor is not None
    return client.auditor


def as_anybody(events: list[Map]) -> list[Map]:
    """Events without what only one seat is told."""
    return [{key: event[key] for key in event.keys() - {"own", "card"}} for event in events]


def same_match(players: Sequence[Outsider]) -> None:
    """All were told the same, and each followed and proved every hand."""
    first = players[0]
    assert first.public["phase"] == "match_over"
    assert first.public["outcome"]["match_won"]
    *before, last = [hand["match_won"] for hand in first.record]
    assert last
    assert not any(before)
    for player in players:
        assert auditor(player).hands == len(first.record)
        assert player.record == first.record
        assert player.public == first.public
        assert as_anybody(player.events) == as_anybody(first.events)
        for seq in player.told.keys() & first.told.keys():
            assert player.told[seq] == first.told[seq]


async def record_of(client: Outsider, match: int) -> Map | str:
    """A match's record, all its pages; or the refusal."""
    text, page, pages = "", 0, 1
    while page < pages:
        answer = await client.ask("fetch_record", room=client.room, match=match, page=page)
        if answer["t"] == "refused":
            return answer
        text += answer["text"]
        page, pages = page + 1, answer["pages"]
    return text


async def test_four_strangers_play_a_match_and_a_fifth_watches(tmp_path: Path) -> None:
    players = [
        Player("Ann", keen=True),
        Player("Bea", keen=False),
        Player("Cid", keen=True),
        Player("Dan", keen=False),
    ]
    watcher = Outsider("Eve")
    async with served_to(*players, watcher, at=tmp_path):
        await players[0].create()
        for player in players[1:]:
            await player.join(players[0].room)
        assert [player.seat for player in players] == [1, 2, 3, 4]
        welcome = await watcher.watch(players[0].room)
        assert (welcome["seat"], welcome["token"], welcome["private"]) == (None, b"", None)

        async def play(player: Player) -> None:
            await player.act("ready", nonce=player.name.encode())
            await player.until(lambda: player.view["stage"] == "playing")
            await player.play_match()

        async def watch() -> None:
            await watcher.until(lambda: watcher.view["stage"] == "playing")
            refused = await record_of(watcher, 1)
            assert isinstance(refused, dict)
            assert refused["code"] == "no_such_record"
            refused = await watcher.act("pass")
            assert refused["code"] == "not_seated"
            refused = await watcher.ask("ask_hints")
            assert refused["code"] == "not_seated"
            refused = await watcher.ask("preview", cards=["S2"])
            assert refused["code"] == "not_seated"
            while watcher.view["stage"] != "match_over":
                await watcher.read()

        await asyncio.gather(watch(), *map(play, players))

        same_match([*players, watcher])
        # Of two who give or return at once, the later one may have quoted the turn before.
        assert {refused["code"] for player in players for refused in player.refusals} <= {"stale"}
        tokens = [player.token for player in players]
        assert len(set(tokens)) == 4
        for client in (*players, watcher):
            assert not auditor(client).bins & ({*tokens} - {client.token})
        # Whoever comes later is told the same, and the record is open now.
        async with Outsider("Fay", watcher.url) as late:
            await late.watch(watcher.room)
            assert late.public == watcher.public
            assert late.record == watcher.record
            assert await record_of(late, 1) == await record_of(watcher, 1)


async def test_the_auditor_sees_what_should_not_be_there(tmp_path: Path) -> None:
    """Each of these would be a leak; the same frame without it is none."""
    ann, bea = Outsider("Ann"), Outsider("Bea")
    async with served_to(ann, bea, at=tmp_path):
        await ann.create()
        await bea.join(ann.room)
        await ann.act("start")
        await ann.until(lambda: ann.public["phase"] == "leading")
        lead = ann.private["hand"][:1]
        await ann.act("play", cards=lead)
        await bea.until(lambda: bea.public["played"][0] == lead)
    hidden = ann.private["hand"][-1]
    *before, last = bea.frames
    assert [event["t"] for event in last["events"]] == ["played"]

    def leaks(**more: Any) -> bool:
        books = Auditor(2)
        for frame in before:
            books.audit(frame)
        try:
            books.audit({**last, **more})
        except Leak:
            return True
        return False

    public, private, view = last["public"], last["private"], last["view"]
    played = last["events"][0]
    chosen = {"t": "chosen", "seat": 1, "card": hidden}
    dealt = {"t": "dealt", "number": 1, "own": ann.private["hand"], "commitment": b""}
    assert not leaks()
    assert leaks(events=[played, chosen])
    assert leaks(events=[played, dealt])
    assert leaks(events=[{**played, "next": [hidden]}])
    assert leaks(public={**public, "left": [[hidden], [], [], []]})
    assert leaks(public={**public, "played": [[*lead, hidden], [], [], []]})
    assert leaks(
        public={
            **public,
            "shown": [{"cards": [hidden], "reading": None, "shown_as": []}, None, None, None],
        }
    )
    assert leaks(public={**public, "gifts": [{"donor": 1, "recipient": 2, "card": hidden}]})
    assert leaks(public={**public, "debug": {hidden: 1}})
    assert leaks(private={**private, "hand": [*private["hand"], hidden]})
    assert leaks(private={**private, "chosen": hidden})
    assert leaks(private=None)
    seed = b"s" * 32
    promised = {**view, "commitment": hashlib.sha256(seed).digest()}
    assert not leaks(view=promised)
    assert leaks(view=promised, nonce=seed)
    assert leaks(view={**view, "note": f"seat 1 holds {hidden if len(hidden) > 1 else 'SA'}"})


async def test_two_people_and_two_bots_play_a_match(tmp_path: Path) -> None:
    people = [Player("Ann", keen=True), Player("Bea", keen=False)]
    async with served_to(*people, at=tmp_path):
        await people[0].create()
        await people[1].join(people[0].room, seat=2)
        answer = await people[0].act("start")
        assert answer["t"] == "done"
        assert [seat["kind"] for seat in people[0].view["seats"]] == ["person"] * 2 + ["bot"] * 2

        async def play(player: Player) -> None:
            await player.until(lambda: player.view["stage"] == "playing")
            await player.play_match()

        await asyncio.gather(*map(play, people))
        same_match(people)


async def test_an_answer_that_is_lost_is_asked_for_again(tmp_path: Path) -> None:
    """Ann loses her connection three times; Bea sees that each of her moves is made once."""
    ann, bea = Player("Ann", keen=True), Player("Bea", keen=False)

    def moves_seen() -> list[Map]:
        """What Bea has seen seat 1 do."""
        kinds = ("played", "passed")
        return [event for event in bea.events if event["t"] in kinds and event["seat"] == 1]

    async def until_asked() -> Map:
        """Play on until it is Ann's turn, and say what she is going to do."""
        while True:
            await ann.until(lambda: ann.seq >= bea.seq)
            if ann.asked:
                break
            if bea.asked:
                await bea.move()
            else:
                await bea.read()
        cards = ann.lead() if ann.public["phase"] == "leading" else await ann.follow()
        move: Map = {"t": "play", "cards": cards} if cards else {"t": "pass"}
        return {**move, "n": ann.counter + 1, "turn": ann.public["turn"]}

    async def applied_once(move: Map, before: int) -> Map:
        """Come back, send it again, and see it done once."""
        await ann.resume()
        assert ann.counter in (move["n"] - 1, move["n"])
        answer = await ann.settle(move)
        assert answer["t"] == "done"
        assert ann.counter == move["n"]
        await bea.until(lambda: bea.seq >= answer["seq"])
        assert len(moves_seen()) == before + 1
        again = await ann.settle(move)
        assert again == answer
        return answer

    async with served_to(ann, bea, at=tmp_path):
        await ann.create()
        await bea.join(ann.room, seat=2)
        await ann.act("start")

        # It was stored: Bea has seen it.
        move, before = await until_asked(), len(moves_seen())
        await ann.send(move)
        await bea.until(lambda: len(moves_seen()) > before)
        stored = bea.seq
        await ann.drop()
        answer = await applied_once(move, before)
        assert answer["seq"] == stored
        other = await ann.settle({"t": "pass", "n": move["n"]})
        assert other["code"] == "action_conflict"
        older = await ann.settle({"t": "pass", "n": move["n"] - 1})
        assert older["code"] == "stale_action"

        # It never arrived: the wire broke in the middle of the frame.
        move, before = await until_asked(), len(moves_seen())
        await ann.half(move)
        await ann.drop()
        await ann.resume()
        assert ann.counter == move["n"] - 1
        await ann.drop()
        await applied_once(move, before)

        # Nobody can say.
        move, before = await until_asked(), len(moves_seen())
        await ann.send(move)
        await ann.drop()
        await applied_once(move, before)


async def test_a_hello_that_is_said_again_gives_the_same_room_and_seat(tmp_path: Path) -> None:
    ann, bea, cid = Outsider("Ann"), Outsider("Bea"), Outsider("Cid")

    async def twice(client: Outsider, t: str, **fields: Any) -> None:
        """Say it, lose the answer, and say it again."""
        await client.hello(t, name=client.name, **fields)
        place = client.room, client.seat
        await client.drop()
        client.token = b""
        await client.hello(t, name=client.name, **fields)
        assert (client.room, client.seat) == place
        await client.drop()
        await client.resume()
        assert (client.room, client.seat) == place

    async with served_to(ann, bea, cid, at=tmp_path):
        await twice(ann, "create", create_id=b"c" * 16)
        await twice(bea, "join", room=ann.room.lower(), join_id=b"j" * 16)
        await cid.watch(ann.room)
        assert [seat["name"] for seat in cid.view["seats"]] == ["Ann", "Bea", "", ""]
