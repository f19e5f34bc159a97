"""The dialect of the competition platforms (NJUPT 2020): JSON, seats 0..3, plays by number.

    words       cards, ranks and actions, both ways
    plays       everything that may be played, as concrete cards
    telling     what our table says to a guest who speaks it
    hearing     what a platform says, as the view that our policies decide by
    matching    which of the platform's actions a choice of ours is
    visitor     a policy that answers a platform
    visiting    where a visitor reads and writes: lines, or a WebSocket
    remarks     what is said of a guest that does the same again and again
    chairs      one seat of our table, held for a guest or by a bot of ours
    bridge      the WebSocket server that guests come to

Only visiting, chairs and bridge do I/O. What the two worlds do differently is in `docs/bridge.md`.
"""

__all__: list[str] = []
