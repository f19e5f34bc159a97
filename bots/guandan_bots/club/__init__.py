"""The level `club`: the strongest play that rules alone give us, without looking ahead.

    policy      a view in, a choice out; nothing else here knows views, cards or readings
    style       every figure it weighs with, each with its reason
    table       what a seat knows, and a play, as plain ints
    outlook     what stands against what is unseen, and so what each group is worth
    grouping    a hand as the groups that are cheapest to play
    listing     what beats the table, what may be led, which faces go
    weighing    what speaks for each of them

All below `policy` is ints and floats in plain classes, so that it can be compiled as it is for
whoever has to play a hand to its end many times (`Word` is what a machine word would hold).
"""
