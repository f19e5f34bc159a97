"""Opening a socket to a server, and how long to wait before the next attempt."""

from __future__ import annotations

import ipaddress
import logging
from random import Random
from typing import Final

from attrs import frozen
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from guandan_protocol.bounds import SERVER_FRAME_BYTES_MAX
from guandan_protocol.codec import decode_server
from guandan_protocol.errors import BadMessage
from guandan_protocol.messages import SUBPROTOCOL, ServerMessage

__all__ = ["BACKOFF", "DIAL_ERRORS", "Backoff", "dial", "is_here", "receive", "retry_after_ms"]

DIAL_ERRORS: Final = (OSError, TimeoutError, WebSocketException)
"""All that `dial` fails with."""

OPEN_TIMEOUT_S: Final = 10
# Proxies cut what is silent for 60 s; a dead peer is noticed within 25 s.
PING_INTERVAL_S: Final = 15
PING_TIMEOUT_S: Final = 10
# Whoever does not answer a close within a second is not waited for.
CLOSE_TIMEOUT_S: Final = 1

# At DEBUG the library writes every frame out, and the first one carries the token.
_LOGGER: Final = logging.getLogger("guandan_protocol.socket")
_LOGGER.setLevel(logging.INFO)


@frozen
class Backoff:
    """Waits between attempts: none before the first, then doubling up to a cap, with jitter.

    The jitter is half of each wait: clients cut off together do not come back together.
    """

    base_ms: int = 500
    cap_ms: int = 15_000

    def delay_ms(self, attempt: int, random: Random) -> int:
        """The wait before an attempt; 0 is the first after a connection that had held."""
        if attempt == 0:
            return 0
        ceiling = min(self.cap_ms, self.base_ms << min(attempt - 1, 16))
        return random.randint(ceiling // 2, ceiling)


BACKOFF: Final = Backoff()


def is_here(host: str) -> bool:
    """Is that this machine? No proxy leads there, whatever the environment says."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def dial(url: str) -> ClientConnection:
    """A socket to the server at `url`, which may turn out to speak no `guandan.v1`."""
    return await connect(
        url,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        max_size=SERVER_FRAME_BYTES_MAX,
        open_timeout=OPEN_TIMEOUT_S,
        ping_interval=PING_INTERVAL_S,
        ping_timeout=PING_TIMEOUT_S,
        close_timeout=CLOSE_TIMEOUT_S,
        proxy=None if is_here(parse_uri(url).host) else True,
        logger=_LOGGER,
    )


async def receive(socket: ClientConnection) -> ServerMessage:
    """The next message; ConnectionClosed if there is none, BadMessage if it is no message."""
    frame = await socket.recv()
    if isinstance(frame, str):
        raise BadMessage("", "a binary frame", "a text frame")
    return decode_server(frame)


def retry_after_ms(error: BaseException) -> int:
    """What a refusal over HTTP asks to wait; 0 if it does not say."""
    if isinstance(error, InvalidStatus):
        seconds = error.response.headers.get("Retry-After", "")
        if seconds.isascii() and seconds.isdigit() and len(seconds) <= 4:
            return 1000 * int(seconds)
    return 0
