"""Waiting for what other processes bring about, without sleeping through it."""

import asyncio
from collections.abc import Awaitable, Callable


async def until(
    condition: Callable[[], object | Awaitable[object]], *, timeout_s: float = 5.0
) -> None:
    """Wait for something that other processes bring about; fails if it takes too long."""
    async with asyncio.timeout(timeout_s):
        while True:
            answer = condition()
            if await answer if isinstance(answer, Awaitable) else answer:
                return
            await asyncio.sleep(0.002)
