"""A soak: a hundred rooms on two nodes and one store, all of which are killed at random times.

    python -m tests.soak --minutes 10 --rooms 100 --seed 7

Real processes, real sockets, a real store; chance comes from the seed, so that the same things are
done in the same order. Three parts:

    trouble   nodes are killed, stopped and put to sleep, and the store is killed, while all play
    calm      all of it is well again: every room must go on
    quiet     they play, and nothing else happens: memory and descriptors must stay what they are

In the end the store is asked: is everything there that anybody was told, and does each room's log
fold to what is stored of it?
"""
