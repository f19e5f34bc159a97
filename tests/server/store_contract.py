"""What every store promises a room. One class of tests, run against each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

import pytest
from attrs import evolve, frozen

from guandan_server.errors import SnapshotCorrupt, StoreUnavailable
from guandan_server.store import (
    Action,
    ActionMark,
    Already,
    BadSeq,
    Claimed,
    CommitAnswer,
    Conflict,
    Created,
    Deleted,
    Entry,
    Exists,
    Loaded,
    Lost,
    NoRoom,
    Ok,
    Record,
    RecordPage,
    Released,
    StaleFence,
    Store,
)

ROOM = "K7QM"
TTL_S = 600

Answer = TypeVar("Answer")


class Backstage(Protocol):
    """The hands of whoever breaks the store under a room."""

    store: Store

    async def flush(self) -> None: ...

    async def corrupt(self, room: str) -> None: ...

    async def lives_s(self, room: str) -> float:
        """Seconds the room has left; all its parts have the same."""

    async def forget_claim(self, room: str, fence: int) -> None:
        """What a failover does that loses the last claim; it takes a while."""

    def losing_a_reply(self) -> AbstractAsyncContextManager[Store]:
        """A way to the same data on which the answer to the next call gets lost."""


def play(counter: int, body: bytes = b"H5 S5", *, seat_key: str = "seat-1") -> Action:
    return Action.of(seat_key=seat_key, counter=counter, body=body)


@frozen
class Owner:
    """Who owns a room, or believes so: commits go out under this fence."""

    store: Store
    fence: int
    room: str = ROOM

    async def commit(
        self,
        seq: int,
        *,
        action: Action | None = None,
        record: Record | None = None,
        forget: tuple[str, ...] = (),
        trim_through: int = 0,
        version: str = "",
    ) -> CommitAnswer:
        """Entry and state say their own number; `version` makes them another's of that number."""
        return await self.store.commit(
            self.room,
            fence=self.fence,
            seq=seq,
            entry=f"entry {seq}{version}".encode(),
            snapshot=f"state {seq}{version}".encode(),
            ttl_s=TTL_S,
            action=action,
            record=record,
            forget=forget,
            trim_through=trim_through,
        )

    async def deposed_by(self, node: str) -> Owner:
        """The new owner."""
        claimed = await self.store.claim(self.room, node=node, expect_fence=self.fence)
        assert isinstance(claimed, Claimed)
        return evolve(self, fence=claimed.fence)


async def create(store: Store, room: str = ROOM, *, public: bool = True) -> Owner:
    made = await store.create(room, node="a", snapshot=b"state 0", public=public, ttl_s=TTL_S)
    assert isinstance(made, Created)
    assert made.epoch == 1
    return Owner(store, made.fence, room)


async def insist(call: Callable[[], Awaitable[Answer]]) -> Answer:
    """What a room does about `StoreUnavailable`: the same again."""
    for _ in range(3):
        try:
            return await call()
        except StoreUnavailable:
            continue
    raise AssertionError("unavailable three times")


class StoreContract:
    @pytest.fixture
    async def backstage(self) -> Backstage:
        raise NotImplementedError

    @pytest.fixture
    def store(self, backstage: Backstage) -> Store:
        return backstage.store

    # Creating

    async def test_a_new_room_stands_at_seq_0(self, store: Store) -> None:
        owner = await create(store)
        assert await store.load(ROOM) == Loaded(
            fence=owner.fence,
            epoch=1,
            seq=0,
            node="a",
            public=True,
            snapshot=b"state 0",
            counters={},
        )
        assert await store.log(ROOM) == ()

    async def test_a_code_is_taken_once(self, store: Store) -> None:
        await create(store)
        again = await store.create(ROOM, node="b", snapshot=b"other", public=True, ttl_s=TTL_S)
        assert again == Exists()
        loaded = await store.load(ROOM)
        assert isinstance(loaded, Loaded)
        assert (loaded.node, loaded.snapshot) == ("a", b"state 0")

    async def test_four_creating_one_code_make_one_room(self, store: Store) -> None:
        made = await asyncio.gather(
            *(
                store.create(ROOM, node=node, snapshot=b"", public=False, ttl_s=TTL_S)
                for node in "abcd"
            )
        )
        assert [type(answer) for answer in made] == [Created, Exists, Exists, Exists]

    async def test_a_code_is_not_free_while_its_records_are_kept(self, store: Store) -> None:
        owner = await create(store)
        await store.save_record(ROOM, Record(1, b"a match of ours", ttl_s=TTL_S))
        await store.delete(ROOM, fence=owner.fence)
        again = await store.create(ROOM, node="b", snapshot=b"", public=False, ttl_s=TTL_S)
        assert again == Exists()

    @pytest.mark.parametrize("code", ["", "A}{B", "a b", "K7QM:log", "x" * 33])
    async def test_a_code_that_could_leave_its_slot_is_refused(
        self, store: Store, code: str
    ) -> None:
        with pytest.raises(ValueError, match="not a room code"):
            await store.create(code, node="a", snapshot=b"", public=False, ttl_s=TTL_S)

    # Committing

    async def test_commits_append_and_the_last_snapshot_stands(self, store: Store) -> None:
        owner = await create(store)
        for seq in (1, 2, 3):
            assert await owner.commit(seq, action=play(seq * 10)) == Ok(seq)
        assert await store.load(ROOM) == Loaded(
            fence=owner.fence,
            epoch=1,
            seq=3,
            node="a",
            public=True,
            snapshot=b"state 3",
            counters={"seat-1": ActionMark(30, play(30).digest, 3)},
        )
        assert await store.log(ROOM) == tuple(
            Entry(seq, f"entry {seq}".encode()) for seq in (1, 2, 3)
        )

    async def test_any_bytes_come_back_as_they_were(self, store: Store) -> None:
        owner = await create(store)
        every_byte = bytes(range(256))
        answer = await store.commit(
            ROOM, fence=owner.fence, seq=1, entry=every_byte, snapshot=every_byte[::-1], ttl_s=TTL_S
        )
        assert answer == Ok(1)
        loaded = await store.load(ROOM)
        assert isinstance(loaded, Loaded)
        assert loaded.snapshot == every_byte[::-1]
        assert await store.log(ROOM) == (Entry(1, every_byte),)

    async def test_the_same_counter_again_is_already_stored(self, store: Store) -> None:
        owner = await create(store)
        assert await owner.commit(1, action=play(7)) == Ok(1)
        assert await owner.commit(2, action=play(1, seat_key="seat-2")) == Ok(2)
        # Whatever else the call says by now: the action stands as number 1.
        assert await owner.commit(3, action=play(7)) == Already(1, owner.fence)
        assert len(await store.log(ROOM)) == 2

    async def test_fifty_of_one_action_are_stored_once(self, store: Store) -> None:
        owner = await create(store)
        answers = await asyncio.gather(*(owner.commit(1, action=play(7)) for _ in range(50)))
        assert answers.count(Ok(1)) == 1
        assert answers.count(Already(1, owner.fence)) == 49
        assert await store.log(ROOM) == (Entry(1, b"entry 1"),)

    async def test_the_same_counter_with_another_body_is_a_conflict(self, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1, action=play(7, b"H5 S5"))
        assert await owner.commit(2, action=play(7, b"H6 S6")) == Conflict(counter=7, seq=1)

    async def test_an_older_counter_is_a_conflict(self, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1, action=play(7))
        assert await owner.commit(2, action=play(6)) == Conflict(counter=7, seq=1)
        assert len(await store.log(ROOM)) == 1

    async def test_counters_of_seats_are_their_own(self, store: Store) -> None:
        owner = await create(store)
        assert await owner.commit(1, action=play(7, seat_key="seat-1")) == Ok(1)
        assert await owner.commit(2, action=play(7, seat_key="seat-2")) == Ok(2)

    async def test_a_time_out_sent_twice_stands_once(self, store: Store) -> None:
        owner = await create(store)
        assert await owner.commit(1) == Ok(1)
        assert await owner.commit(1) == Already(1, owner.fence)
        assert await owner.commit(2) == Ok(2)

    async def test_another_entry_of_the_same_number_is_not_the_same(self, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1)
        assert await owner.commit(1, version="b") == BadSeq(head=1)
        assert await store.log(ROOM) == (Entry(1, b"entry 1"),)

    @pytest.mark.parametrize("seq", [1, 2, 4, 100])
    async def test_only_the_next_number_is_appended(self, store: Store, seq: int) -> None:
        owner = await create(store)
        await owner.commit(1)
        await owner.commit(2)
        assert await owner.commit(seq, version="b") == BadSeq(head=2)

    async def test_a_forgotten_seat_key_starts_anew(self, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1, action=play(7))
        await owner.commit(2, action=play(1, seat_key="host"), forget=("seat-1", "nobody"))
        loaded = await store.load(ROOM)
        assert isinstance(loaded, Loaded)
        assert set(loaded.counters) == {"host"}
        assert await owner.commit(3, action=play(1)) == Ok(3)

    async def test_a_room_never_made_takes_nothing(self, store: Store) -> None:
        assert await Owner(store, fence=1).commit(1, action=play(1)) == NoRoom()
        assert await store.load(ROOM) == NoRoom()
        assert await store.log(ROOM) == ()

    async def test_a_flushed_room_does_not_come_back(
        self, backstage: Backstage, store: Store
    ) -> None:
        owner = await create(store)
        await owner.commit(1)
        await backstage.flush()
        assert await owner.commit(2) == NoRoom()
        assert await store.load(ROOM) == NoRoom()
        assert not await store.refresh(ROOM, ttl_s=TTL_S)
        assert await store.claim(ROOM, node="b", expect_fence=owner.fence) == NoRoom()

    # Fences

    async def test_a_claim_raises_the_fence_and_only_that(self, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1, action=play(7))
        claimed = await store.claim(ROOM, node="b", expect_fence=owner.fence)
        assert isinstance(claimed, Claimed)
        assert claimed.fence > owner.fence
        assert claimed == Claimed(claimed.fence, epoch=1, seq=1)
        assert await store.load(ROOM) == Loaded(
            fence=claimed.fence,
            epoch=1,
            seq=1,
            node="b",
            public=True,
            snapshot=b"state 1",
            counters={"seat-1": ActionMark(7, play(7).digest, 1)},
        )

    async def test_a_claim_after_lost_history_raises_the_epoch_too(self, store: Store) -> None:
        owner = await create(store)
        claimed = await store.claim(ROOM, node="b", expect_fence=owner.fence, rewound=True)
        assert isinstance(claimed, Claimed)
        assert claimed.fence > owner.fence
        assert (claimed.epoch, claimed.seq) == (2, 0)

    async def test_a_claim_that_was_forgotten_is_not_given_again(
        self, backstage: Backstage, store: Store
    ) -> None:
        old = await create(store)
        first = await old.deposed_by("b")
        await backstage.forget_claim(ROOM, old.fence)
        second = await old.deposed_by("c")
        assert len({old.fence, first.fence, second.fence}) == 3
        assert await first.commit(1) == StaleFence(second.fence)
        assert await second.commit(1) == Ok(1)

    async def test_of_a_hundred_claims_one_wins(self, store: Store) -> None:
        owner = await create(store)
        answers = await asyncio.gather(
            *(store.claim(ROOM, node=f"node-{n}", expect_fence=owner.fence) for n in range(100))
        )
        winners = {n: answer for n, answer in enumerate(answers) if isinstance(answer, Claimed)}
        ((winner, claimed),) = winners.items()
        assert answers.count(Lost(claimed.fence, f"node-{winner}")) == 99

    async def test_the_deposed_owner_is_refused(self, store: Store) -> None:
        old = await create(store)
        await old.commit(1, action=play(1))
        new = await old.deposed_by("b")
        assert await old.commit(2, action=play(2)) == StaleFence(new.fence)
        assert await new.commit(2, action=play(2)) == Ok(2)
        assert await old.commit(3) == StaleFence(new.fence)
        assert await old.commit(2) == StaleFence(new.fence)

    async def test_whether_it_is_stored_comes_before_who_owns_the_room(self, store: Store) -> None:
        old = await create(store)
        await old.commit(1, action=play(1))
        new = await old.deposed_by("b")
        assert await old.commit(1, action=play(1)) == Already(1, new.fence)
        assert await old.commit(2, action=play(1, b"?")) == Conflict(1, seq=1)

    async def test_a_fence_from_the_future_is_no_better(self, store: Store) -> None:
        owner = await create(store)
        future = evolve(owner, fence=owner.fence + 1)
        assert await future.commit(1) == StaleFence(owner.fence)

    async def test_an_owner_who_slept_through_it_all_has_no_say_in_the_next_room(
        self, store: Store
    ) -> None:
        asleep = await create(store)
        awake = await asleep.deposed_by("b")
        await awake.commit(1)
        await store.delete(ROOM, fence=awake.fence)
        anew = await create(store)
        assert await asleep.commit(1) == StaleFence(anew.fence)
        assert await awake.commit(1) == StaleFence(anew.fence)

    # Lost replies

    async def test_a_play_whose_reply_was_lost_stands_once(self, backstage: Backstage) -> None:
        owner = await create(backstage.store)
        async with backstage.losing_a_reply() as store:
            answer = await insist(lambda: evolve(owner, store=store).commit(1, action=play(1)))
        assert answer == Already(1, owner.fence)
        assert await backstage.store.log(ROOM) == (Entry(1, b"entry 1"),)

    async def test_a_time_out_whose_reply_was_lost_stands_once(self, backstage: Backstage) -> None:
        owner = await create(backstage.store)
        async with backstage.losing_a_reply() as store:
            answer = await insist(lambda: evolve(owner, store=store).commit(1))
        assert answer == Already(1, owner.fence)
        assert await backstage.store.log(ROOM) == (Entry(1, b"entry 1"),)

    async def test_a_match_whose_reply_was_lost_is_on_record_once(
        self, backstage: Backstage
    ) -> None:
        owner = await create(backstage.store)
        async with backstage.losing_a_reply() as store:
            record = Record(1, b"won", ttl_s=TTL_S)
            answer = await insist(lambda: evolve(owner, store=store).commit(1, record=record))
        assert answer == Already(1, owner.fence)
        assert await backstage.store.records(ROOM) == (1,)

    # Keeping and removing

    async def test_every_commit_keeps_the_room_alive(
        self, backstage: Backstage, store: Store
    ) -> None:
        made = await store.create(ROOM, node="a", snapshot=b"", public=False, ttl_s=30)
        assert isinstance(made, Created)
        owner = Owner(store, made.fence)
        assert 20 < await backstage.lives_s(ROOM) <= 30
        await owner.commit(1)
        assert TTL_S - 10 < await backstage.lives_s(ROOM) <= TTL_S

    async def test_refresh_keeps_the_room_alive(self, backstage: Backstage, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1)
        assert await store.refresh(ROOM, ttl_s=9000)
        assert 8990 < await backstage.lives_s(ROOM) <= 9000

    async def test_only_the_owner_deletes(self, store: Store) -> None:
        old = await create(store)
        await old.commit(1)
        new = await old.deposed_by("b")
        assert await store.delete(ROOM, fence=old.fence) == StaleFence(new.fence)
        assert await store.delete(ROOM, fence=new.fence) == Deleted()
        assert await store.delete(ROOM, fence=new.fence) == NoRoom()
        assert await store.load(ROOM) == NoRoom()
        assert await store.log(ROOM) == ()

    async def test_a_code_used_again_knows_nothing_of_before(self, store: Store) -> None:
        before = await create(store)
        await before.commit(1, action=play(9))
        await store.delete(ROOM, fence=before.fence)
        owner = await create(store)
        assert await store.log(ROOM) == ()
        assert await owner.commit(1, action=play(1)) == Ok(1)

    async def test_a_damaged_snapshot_is_noticed(self, backstage: Backstage, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1, action=play(7))
        await backstage.corrupt(ROOM)
        with pytest.raises(SnapshotCorrupt) as caught:
            await store.load(ROOM)
        damage = caught.value
        assert (damage.room, damage.fence) == (ROOM, owner.fence)
        assert (damage.epoch, damage.seq, damage.node) == (1, 1, "a")
        assert damage.counters == {"seat-1": ActionMark(7, play(7).digest, 1)}
        assert await store.log(ROOM) == (Entry(1, b"entry 1"),)

    # The log

    async def test_the_log_is_read_in_pages(self, store: Store) -> None:
        owner = await create(store)
        for seq in range(1, 8):
            await owner.commit(seq)
        seen: list[int] = []
        while page := await store.log(ROOM, after_seq=seen[-1] if seen else 0, limit=3):
            assert len(page) <= 3
            seen += [entry.seq for entry in page]
        assert seen == [1, 2, 3, 4, 5, 6, 7]

    async def test_what_is_trimmed_is_gone_and_the_rest_goes_on(self, store: Store) -> None:
        owner = await create(store)
        for seq in (1, 2, 3):
            await owner.commit(seq)
        assert await owner.commit(4, trim_through=3) == Ok(4)
        assert await store.log(ROOM) == (Entry(4, b"entry 4"),)
        assert await owner.commit(5) == Ok(5)

    async def test_the_whole_log_may_be_trimmed(self, store: Store) -> None:
        owner = await create(store)
        assert await owner.commit(1, trim_through=1) == Ok(1)
        assert await store.log(ROOM) == ()
        assert await owner.commit(2) == Ok(2)

    # The list

    async def test_public_rooms_are_listed(self, store: Store) -> None:
        await create(store, "OPEN")
        await create(store, "SECRET", public=False)
        gone = await create(store, "GONE")
        await store.delete("GONE", fence=gone.fence)
        page = await store.rooms()
        assert page.rooms == ("OPEN",)
        assert page.cursor is None

    async def test_the_list_is_read_in_pages(self, store: Store) -> None:
        codes = {f"R{n:03}" for n in range(60)}
        for code in codes:
            await create(store, code)
        seen: set[str] = set()
        page = await store.rooms(limit=7)
        seen |= set(page.rooms)
        pages = 1
        while page.cursor is not None:
            page = await store.rooms(page.cursor, limit=7)
            seen |= set(page.rooms)
            pages += 1
        assert seen == codes
        assert 1 < pages <= 60

    # Records

    async def test_a_match_ends_and_is_on_record_in_one(self, store: Store) -> None:
        owner = await create(store)
        assert await owner.commit(1, record=Record(1, b"first", ttl_s=TTL_S)) == Ok(1)
        assert await owner.commit(2, record=Record(2, b"second", ttl_s=TTL_S)) == Ok(2)
        assert await store.records(ROOM) == (1, 2)
        whole = await store.load_record(ROOM, 2, offset=0, limit=100)
        assert whole == RecordPage(b"second", total_bytes=6)

    async def test_a_refused_commit_leaves_no_record(self, store: Store) -> None:
        owner = await create(store)
        assert await owner.commit(5, record=Record(1, b"?", ttl_s=TTL_S)) == BadSeq(head=0)
        assert await store.records(ROOM) == ()

    async def test_a_record_is_read_in_pages(self, store: Store) -> None:
        body = bytes(range(256)) * 4
        await store.save_record(ROOM, Record(1, body, ttl_s=TTL_S))
        read = b""
        while len(read) < len(body):
            page = await store.load_record(ROOM, 1, offset=len(read), limit=300)
            assert page is not None
            assert page.total_bytes == len(body)
            assert 0 < len(page.body) <= 300
            read += page.body
        assert read == body
        beyond = await store.load_record(ROOM, 1, offset=len(body), limit=300)
        assert beyond == RecordPage(b"", total_bytes=len(body))

    async def test_no_record_is_none(self, store: Store) -> None:
        await create(store)
        assert await store.records(ROOM) == ()
        assert await store.load_record(ROOM, 1, offset=0, limit=10) is None

    async def test_records_outlive_their_room(self, store: Store) -> None:
        owner = await create(store)
        await owner.commit(1, record=Record(1, b"won", ttl_s=TTL_S))
        await store.delete(ROOM, fence=owner.fence)
        assert await store.records(ROOM) == (1,)

    # Nodes

    async def test_a_released_room_is_nobodys_until_it_is_claimed(self, store: Store) -> None:
        fence = (await create(store)).fence
        assert await store.release(ROOM, fence=fence + 1) == StaleFence(fence)
        assert await store.release(ROOM, fence=fence) == Released()
        loaded = await store.load(ROOM)
        assert isinstance(loaded, Loaded)
        assert (loaded.node, loaded.fence) == ("", fence)
        claimed = await store.claim(ROOM, node="b", expect_fence=fence)
        assert isinstance(claimed, Claimed)
        assert (claimed.epoch, claimed.seq) == (1, 0)
        assert await store.release(ROOM, fence=fence) == StaleFence(claimed.fence)

    async def test_no_room_is_not_released(self, store: Store) -> None:
        assert await store.release(ROOM, fence=1) == NoRoom()

    async def test_a_node_is_there_while_its_heart_beats(self, store: Store) -> None:
        assert await store.node_url("a") is None
        await store.beat("a", "ws://a", ttl_ms=60_000)
        assert await store.node_url("a") == "ws://a"
        await store.beat("b", "ws://b", ttl_ms=60_000)
        assert await store.nodes() == ("a", "b")
        await store.part("a")
        assert await store.node_url("a") is None
        assert await store.nodes() == ("b",)

    async def test_what_a_node_holds_can_be_found(self, store: Store) -> None:
        await store.beat("a", "ws://a", ttl_ms=60_000)
        await store.hold("a", "K7QM")
        await store.hold("a", "PPPP")
        await store.let_go("a", "PPPP")
        await store.let_go("b", "PPPP")
        assert await store.held("a") == ("K7QM",)
        assert await store.held("b") == ()
        await store.part("a")
        assert await store.held("a") == ()
