"""What one address may do: connect, make rooms, guess codes. Sessions come first.

A household, a school or a whole mobile network may share an address, so a limit by address never
stops somebody who holds a valid token: it bounds strangers. Programs of this very machine are no
strangers and have no limit; behind a proxy of ours the proxy's word on the address counts, behind
any other it does not.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from ipaddress import ip_address, ip_network
from typing import Final

from guandan_server.limits import Bucket

__all__ = ["CONNECTIONS_MAX", "Peers"]

CONNECTIONS_MAX: Final = 64
"""Of one address: sixteen tables in one house. More are cut before they have said hello."""
ROOMS_PER_MINUTE: Final = 5
"""People make one room an evening; five are mistakes, the sixth in a minute is a program."""
WRONG_PER_MINUTE: Final = 10
"""Wrong codes and tokens: typing errors, not a search."""
PEERS_MAX: Final = 10_000
"""Addresses remembered, a hundred bytes each; the longest unheard of are forgotten first."""


class _Peer:
    def __init__(self) -> None:
        self.connections = 0
        self.rooms = Bucket(per_s=ROOMS_PER_MINUTE / 60, burst=ROOMS_PER_MINUTE)
        self.wrong = Bucket(per_s=WRONG_PER_MINUTE / 60, burst=WRONG_PER_MINUTE)


class Peers:
    """Addresses and what they have used up."""

    def __init__(self, *, trusted_proxies: Collection[str]) -> None:
        """ValueError for a proxy that is neither an address nor a network of them."""
        self._trusted = tuple([ip_network(one, strict=False) for one in trusted_proxies])
        self._peers: OrderedDict[str, _Peer] = OrderedDict()

    def __len__(self) -> int:
        return len(self._peers)

    def address(self, peer: str, forwarded: str | None) -> str:
        """Whose connection it is: the last address that no proxy of ours stands for.

        `forwarded`: the X-Forwarded-For header; each proxy appends whom it heard.
        """
        hops = [hop.strip() for hop in (forwarded or "").split(",") if hop.strip()]
        while hops and self._is_trusted(peer):
            peer = hops.pop()
        return peer

    def _is_trusted(self, peer: str) -> bool:
        try:
            address = ip_address(peer)
        except ValueError:  # a unix socket, or what a stranger wrote
            return False
        return any(address in network for network in self._trusted)

    def connected(self, address: str) -> bool:
        """Note a connection; False if there are too many."""
        if self.is_local(address):
            return True
        peer = self._peer(address)
        if peer.connections >= CONNECTIONS_MAX:
            return False
        peer.connections += 1
        return True

    def disconnected(self, address: str) -> None:
        peer = self._peers.get(_household(address))
        if peer is not None and peer.connections:
            peer.connections -= 1

    def may_create(self, address: str, now_s: float) -> bool:
        """Note a new room; False if there were too many in the last minute."""
        return self.is_local(address) or self._peer(address).rooms.try_take(now_s)

    def may_try(self, address: str, now_s: float) -> bool:
        """Has the address guesses left? `wrong` notes one."""
        return self.is_local(address) or self._peer(address).wrong.has(now_s)

    def wrong(self, address: str, now_s: float) -> None:
        """Note a wrong code or token."""
        if not self.is_local(address):
            self._peer(address).wrong.try_take(now_s)

    @staticmethod
    def is_local(address: str) -> bool:
        """Is it a program of this very machine?"""
        try:
            return ip_address(address).is_loopback
        except ValueError:  # a unix socket, or what is no address
            return not address

    def _peer(self, address: str) -> _Peer:
        address = _household(address)
        peer = self._peers.get(address)
        if peer is None:
            peer = self._peers[address] = _Peer()
            if len(self._peers) > PEERS_MAX:
                self._peers.popitem(last=False)
        else:
            self._peers.move_to_end(address)
        return peer


def _household(address: str) -> str:
    """What is counted together: of IPv6 the 64 bits that a provider gives to one customer.

    >>> _household("2001:db8::1") == _household("2001:db8::ffff:1")
    True
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(ip_network((found, 64), strict=False))
