"""The level `club`: the strongest play without trying any out.

    policy      a view in, a choice out
    seeing      the door between views, cards and readings, and the ints of all below
    style       every figure it weighs with, each with its reason
    table       what a seat knows, and a play, as plain ints
    outlook     what stands against what is unseen, and so what each group is worth
    grouping    a hand as the groups that are cheapest to play
    listing     what beats the table, what may be led, which faces go
    weighing    what speaks for each of them
    endgame     when two are left: who wins, counted out

All below `seeing` is ints and floats in plain classes, so that it can be compiled as it is for
whoever has to play a hand to its end many times (`Word` is what a machine word would hold).
"""
