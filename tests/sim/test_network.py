from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK

from guandan_protocol import messages as m
from guandan_protocol.codec import decode_client, decode_server, encode
from guandan_protocol.messages import ClientMessage, ServerMessage
from tests.sim.loop import VirtualLoop
from tests.sim.network import WINDOW_FRAMES, Line, Weather


class Ear:
    """Hears everything, and has no opinion."""

    def __init__(self) -> None:
        self.heard_by_client: list[ServerMessage] = []

    def said(self, line: Line, frame: bytes) -> ClientMessage:
        return decode_client(frame)

    def sent(self, line: Line, frame: bytes) -> ServerMessage:
        return decode_server(frame)

    def heard(self, line: Line, message: ServerMessage) -> None:
        self.heard_by_client.append(message)


def live(main: Coroutine[Any, Any, None]) -> None:
    loop = VirtualLoop()
    loop.run_until_complete(main)
    loop.close()


def line(weather: Weather | None = None, tap: Ear | None = None) -> Line:
    return Line(
        "line",
        address="192.0.2.1",
        tap=tap or Ear(),
        weather=weather or Weather(),
        random=Random(1),
    )


def action(n: int) -> bytes:
    return encode(m.Pass(n))


def test_what_is_said_comes_late_and_in_order() -> None:
    async def main() -> None:
        one = line(Weather(spike_rate=0.5))
        for n in range(1, 50):
            await one.client.send(action(n))
        assert [await one.server.recv() for n in range(1, 50)] == [action(n) for n in range(1, 50)]
        assert asyncio.get_running_loop().time() > 1001.0

    live(main())


def test_a_close_is_answered() -> None:
    async def main() -> None:
        one = line()
        await one.server.send(encode(m.Goodbye("left")))
        await one.server.close(4411, "left")
        assert await one.client.recv_message() == m.Goodbye("left")
        with pytest.raises(ConnectionClosedError):
            await one.client.recv()
        assert one.client.close_code == one.server.close_code == 4411
        with pytest.raises(ConnectionClosedError):
            await one.client.send(action(1))

    live(main())


def test_a_fine_end_ends_the_iteration() -> None:
    async def main() -> None:
        one = line()
        await one.client.send(action(1))
        closing = asyncio.create_task(one.client.close())
        assert [frame async for frame in one.server] == [action(1)]
        await closing
        with pytest.raises(ConnectionClosedOK):
            await one.server.recv()

    live(main())


def test_a_cut_is_noticed_and_a_hang_much_later() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        for harm, at_least_s, at_most_s in (("cut", 0.0, 1.0), ("hang", 10.0, 25.0)):
            one = line()
            began_s = loop.time()
            getattr(one, harm)()
            with pytest.raises(ConnectionClosedError):
                await one.client.recv()
            assert at_least_s <= loop.time() - began_s <= at_most_s
            with pytest.raises(ConnectionClosedError):
                await one.server.recv()
            assert not one.is_open
            assert one.client.close_code == 1006

    live(main())


def test_a_sender_waits_for_a_stalled_pipe() -> None:
    async def main() -> None:
        one = line()
        loop = asyncio.get_running_loop()
        one.stall(5.0)
        began_s = loop.time()
        for n in range(1, WINDOW_FRAMES + 1):
            await one.client.send(action(n))
        assert loop.time() == began_s
        await one.client.send(action(99))
        assert loop.time() >= began_s + 5.0
        for _ in range(WINDOW_FRAMES):
            await one.server.recv()
        assert await one.server.recv() == action(99)

    live(main())


@pytest.mark.parametrize(
    ("answers", "heard"),
    [
        ((m.Done(1, 7), m.Done(1, 7)), [m.Done(1, 7)]),
        ((m.Done(1, 7), m.Refused(1, "busy", "")), [m.Done(1, 7)]),
        ((m.Refused(1, "busy", ""), m.Done(1, 7)), [m.Done(1, 7)]),
        ((m.Refused(1, "busy", ""), m.Refused(1, "stale", "")), [m.Refused(1, "stale", "")]),
    ],
)
def test_what_was_doubled_on_its_way_is_answered_once(
    answers: tuple[m.ServerMessage, ...], heard: list[m.ServerMessage]
) -> None:
    async def main() -> None:
        ear = Ear()
        one = line(Weather(double_rate=1.0), ear)
        await one.client.send(action(1))
        for answer in answers:
            assert await one.server.recv() == action(1)
            await one.server.send(encode(answer))
        await asyncio.sleep(1.0)
        assert ear.heard_by_client == heard

    live(main())
