"""A whole world from one seed: nodes, a store, a network, people; one thread, virtual time.

    python -m tests.sim --seed 17 --verbose      one world, as a story
    python -m tests.sim --seeds 0..1000          many, and those that fail

The server in it is the real one, from the gate to the rooms, and so are the clients and the bytes
between them. The rest is played: time (`loop`), processes that sleep and die (`process`), nodes
(`cluster`), the network (`network`), the store's server (`storage`), people (`people`), and chance,
all of it from the seed. `trouble` decides what goes wrong and when, `course` what follows on what,
and `world` wires it all up.

None of those knows what is right. `history` follows the store and keeps the truth, entry by entry;
`witness` holds every frame that a server sends against it; `promises` what people were told.
`test_checkers` shows that each of them can say no.
"""
