"""Teaches the judge of the bots what choices lead to; what came of it is in docs/tuning.md.

    python -m tools.judge collect FOLDER --seed 1 --seconds 3600     as often as there are cores
    python -m tools.judge learn FOLDER bots/guandan_bots/judge       two networks

Hands are played by `expert` without its search, half of them against `club`. What all four hands
come to at a lead, and how the hand ended, teaches a network of the whole deal. It tells what a
choice has led to once its trick is over, so that a choice needs no play to the end of the hand to
be judged. What it says of the choices at a decision, in the true cards, is what the judge learns
to say from the seat's own view.

New networks play new hands: a second round begins with `collect` again. A last one goes on from
networks that have learned (`--begin`), by what choices led to a trick later (`--tricks 1`).
Compiled bots (`make fast`) collect in a third of the time.
"""
