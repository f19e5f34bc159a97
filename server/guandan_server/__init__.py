"""The table server: rooms, the store under them, the sockets in front of them.

Where to look first, on call at night:

    errors      what can go wrong, whose doing it is, and the exit status that goes with it
    keys        every key this server writes, field by field
    lua/        the scripts that write them; KEYS and ARGV are explained on top of each

The store, from the inside out:

    store           the interface a room talks to, and the answers it gets
    store_redis     the real one, on Redis or Valkey
    store_memory    the same answers without a server, for simulations and tests
    embedded        the Valkey we bring along: found, started, watched, stopped
    launcher        what stands between us and that process, so that it never outlives us
"""
