"""Messages to bytes; what several connections are told alike is packed once.

The same `Public`, and mostly the same events, go to every seat of a room; the same `RoomView` goes
with one update after another, as a room makes a new one only when something around the match
changed. Both are recognised by being the very same object.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from guandan_protocol import messages as m
from guandan_protocol.codec import PackedUpdate, encode, pack_update, pack_view

__all__ = ["Packer"]

VIEWS_MAX: Final = 4_096
"""A kilobyte each, for the rooms that were last active."""


class Packer:
    """One process's."""

    def __init__(self) -> None:
        self._last: tuple[m.Update, PackedUpdate] | None = None
        self._views: OrderedDict[int, tuple[m.RoomView, bytes]] = OrderedDict()
        """By `id`, which belongs to that view for as long as it is kept here."""

    def __len__(self) -> int:
        """How many views are kept."""
        return len(self._views)

    def pack(self, message: m.ServerMessage) -> bytes:
        """The bytes of a message."""
        if not isinstance(message, m.Update):
            return encode(message)
        if self._last is None or not _is_told_alike(message, self._last[0]):
            packed = pack_update(
                seq=message.seq,
                epoch=message.epoch,
                events=message.events,
                view=self._view(message.view),
                public=message.public,
                finished=message.finished,
            )
            self._last = (message, packed)
        return self._last[1].to(message.private, message.seat)

    def _view(self, view: m.RoomView) -> bytes:
        key = id(view)
        known = self._views.get(key)
        if known is None:
            known = self._views[key] = (view, pack_view(view))
            if len(self._views) > VIEWS_MAX:
                self._views.popitem(last=False)
        else:
            self._views.move_to_end(key)
        return known[1]


def _is_told_alike(one: m.Update, other: m.Update) -> bool:
    """Do the two differ, if at all, in what only their own audience is told?"""
    return (
        one.public is other.public
        and one.view is other.view
        and one.finished is other.finished
        and (one.seq, one.epoch) == (other.seq, other.epoch)
        # What everybody may see is the same object for all; a card that one may see is compared.
        and one.events == other.events
    )
