"""The figures that `club` weighs with, each with its reason.

A score is a sum: each figure times what it speaks of, in levels that the team will win more or
less. How they were found, and what each idea is worth, is in docs/tuning.md; the sums are in
`weighing`. Figures that speak of nearly the same correct each other, so one of them alone may have
a surprising sign.
"""

from __future__ import annotations

from attrs import frozen

__all__ = ["ClubStyle"]


@frozen
class ClubStyle:
    """How much one thing counts against another."""

    # What can be switched off, to see what it is worth.

    memory: int = 1
    """0 forgets what has been played, and who got which card in tribute."""
    team: int = 1
    """0 plays against the partner as against the opponents, and never for it."""
    endgame: int = 200
    """When two are left, so many plays are tried to count out who wins; 0 does not count."""
    nodes: int = 10
    """Sets of runs that are tried for a hand, promising ones first; 0 sees no straights, tubes and
    plates."""
    flushes: int = 2
    """Straight flushes that are tried for a hand, natural ones first; 0 sees none."""
    slack: float = 1.2
    """Runs that make a hand so much dearer are not looked at, although a further one, of what they
    leave behind, may make up for it."""
    leads: int = 8
    """Leads that are weighed besides the groups of the plan: those that look cheapest."""

    # What a group costs, for the plan: the unit is one loss of the lead.

    winner: float = 0.35
    """A sure winner is worth that much more than nothing."""
    bomb: float = 0.8
    """A bomb of four takes the lead whenever it is needed."""
    bomb_step: float = 0.12
    """What each class of bomb adds."""
    wild: float = 0.4
    """A wild left alone is worth that much more than a level card: it may still make a bomb."""

    # How often others answer: for each higher group that is to be expected against us.

    answer_single: float = 0.25
    """They hold many higher singles and spare most of them."""
    answer_pair: float = 0.5
    """Pairs are fewer, and every second one is spared."""
    answer_triple: float = 0.5
    """So are triples and full houses."""
    answer_run: float = 1.00
    """Straights, tubes and plates are rare, and whoever holds one is glad to be rid of it."""
    answer_bomb: float = 0.12
    """Bombs are saved: few plays are worth one."""

    # Leading: what speaks for a play.

    lead_stands: float = 0.394
    """The lead that comes back."""
    lead_damage: float = -0.783
    """For each loss of the lead that the rest costs more than the hand did."""
    lead_nearness: float = 3.414
    """One over the groups left and one: the last few count most."""
    lead_armed: float = 0.098
    """There is a bomb in the rest …"""
    lead_bombs: float = 0.310
    """… and for each of them."""
    lead_losses: float = 0.282
    """For each loss of the lead by what stands, without what winners make good."""
    lead_stands_runs_out: float = 0.168
    """With the lead, the rest can be played out."""
    lead_two: float = -0.651
    """Two groups left at most: the nearness says too much then."""
    lead_junk: float = -0.048
    """For each group of no use that stays."""
    lead_nearness_near: float = 0.653
    """Being near the end counts more when they are."""
    lead_single: float = -0.056
    """A single lets everybody get rid of one …"""
    lead_triple: float = 0.106
    """… what few can answer is better: a triple,"""
    lead_straight: float = 0.082
    """a straight,"""
    lead_tube: float = 0.139
    """a tube"""
    lead_plate: float = 0.164
    """or a plate."""
    lead_single_height: float = 0.122
    """A high single rather than one in the middle …"""
    lead_single_height_nearness: float = -0.833
    """… unless it is wanted for the end."""
    lead_back: float = 0.269
    """Another group of its kind can take the lead back."""
    lead_large_near: float = 0.351
    """Opponents with few cards can hardly answer five …"""
    lead_size_near: float = -0.098
    """… but it is not the number of cards that does it."""
    lead_too_large: float = 0.107
    """The opponent with the fewest cards has too few to answer."""
    lead_feed: float = 0.619
    """The partner goes out on it, if it is what it has."""
    lead_small_joker: float = -0.058
    """For each small joker spent."""
    lead_stands_alone: float = -0.418
    """Once the partner is out, the lead is not everything,"""
    lead_cost_alone: float = 0.232
    """a cheap hand is worth less"""
    lead_bombs_alone: float = -0.323
    """and bombs are there to be used."""
    lead_cost_behind: float = 0.290
    """The same of a hand once an opponent is out,"""
    lead_bombs_behind: float = -0.303
    """of its bombs,"""
    lead_size_behind: float = -0.032
    """and of cards got rid of."""
    lead_cost_last: float = -0.215
    """Of two who are left the cheaper hand wins after all."""
    lead_threat: float = -0.627
    """The chance that an opponent goes out on it."""
    lead_bombs_early: float = -0.181
    """Bombs kept while all hold many cards: there is time to use them."""
    lead_stands_next: float = 0.387
    """It has to stand when the opponent after us is near the end."""
    lead_unarmed_losses: float = 0.155
    """For each loss of the lead that no bomb makes good; the damage has it already."""
    lead_one_stands: float = 0.323
    """The last but one that stands is as good as the last,"""
    lead_one_bomb: float = 0.298
    """a bomb most of all,"""
    lead_one_armed: float = 0.182
    """or has a bomb behind it."""
    lead_one_best: float = -0.590
    """The last group need not be strong …"""
    lead_two_armed: float = 0.400
    """… of two groups left, a bomb is the better one,"""
    lead_two_best: float = 0.554
    """or what stands."""
    lead_single_few: float = 0.198
    """A single, when few cards are left after it."""
    lead_pair_left: float = 0.085
    """Two cards are left: they may be one play."""
    lead_winner_first: float = 0.500
    """All but one group are winners, and this is one: it goes first,"""
    lead_bomb_first: float = 0.181
    """bombs, too."""
    lead_stands_bombs: float = 0.096
    """The lead, with bombs to keep it."""

    # Following: what speaks for a play, or for a pass.

    follow_damage: float = -0.753
    """For each loss of the lead that the rest costs more than the hand did."""
    follow_groups: float = -0.052
    """For each group left …"""
    follow_nearness: float = 3.184
    """… and one over the groups left and one: the last few count most."""
    follow_armed: float = 0.119
    """There is a bomb in the rest …"""
    follow_bombs: float = 0.170
    """… and for each of them."""
    follow_stands_nearness: float = 1.486
    """The lead, the better the fewer groups are left,"""
    follow_stands_groups: float = 0.099
    """and good for a long hand, too."""
    follow_losses: float = 0.397
    """For each loss of the lead by what stands, without what winners make good."""
    follow_stands_runs_out: float = 0.225
    """With the lead, the rest can be played out."""
    follow_one: float = -0.369
    """One group left at most,"""
    follow_two: float = -0.209
    """or two: the nearness says too much then."""
    follow_junk: float = -0.041
    """For each group of no use that stays."""
    follow_stands_early: float = -0.103
    """The lead is worth less while all hold many cards."""
    follow_stands_surely: float = -0.336
    """What surely stands is kept for later, if something else will do."""
    follow_stands_losses: float = -0.103
    """The lead is worth less if it will be lost again."""
    follow_nearness_near: float = 1.712
    """Being near the end counts more when they are."""
    follow_few: float = -0.212
    """Few cards left draw bombs."""
    follow_small_joker: float = -0.084
    """For each small joker spent,"""
    follow_wild: float = -0.069
    """for each wild,"""
    follow_wild_bomb: float = -0.088
    """and for each wild in a bomb."""
    follow_threat: float = -0.969
    """The chance that an opponent goes out on what then lies on the table."""
    follow_pass: float = -0.140
    """To let an opponent have it."""
    follow_pass_bomb: float = -0.079
    """A bomb, that is,"""
    follow_pass_large: float = -0.037
    """or five cards and more;"""
    follow_pass_stands: float = -0.143
    """what nobody else will beat,"""
    follow_pass_owner_two: float = -0.427
    """of somebody with two cards at most."""
    follow_pass_partner: float = 0.197
    """The partner may beat it."""
    follow_pass_behind: float = 0.400
    """Once an opponent is out, the other one matters less."""
    follow_pass_ahead: float = 0.046
    """The partner is nearer the end than they are."""
    follow_pass_runs_out: float = 0.116
    """The hand is good enough to wait."""
    follow_over_stands: float = -0.600
    """To play over the partner, who had the trick for sure (half of that is as strong, and a
    partner nobody likes to have),"""
    follow_over_partner_near: float = -0.404
    """who is near the end,"""
    follow_over_early: float = -0.300
    """early on,"""
    follow_over_bomb: float = 0.095
    """or with a bomb, which damage speaks against already."""
    follow_bomb: float = 0.242
    """To bomb an opponent,"""
    follow_bomb_early: float = -0.070
    """while all hold many cards,"""
    follow_bomb_cost: float = -0.163
    """with a dear hand behind it,"""
    follow_bomb_losses: float = 0.230
    """which is not a matter of losses alone,"""
    follow_bomb_groups: float = -0.057
    """with many groups left,"""
    follow_bomb_partner: float = -0.078
    """though the partner might beat it,"""
    follow_bomb_armed: float = -0.069
    """with another bomb,"""
    follow_bomb_owner_five: float = 0.142
    """when its owner has five cards at most,"""
    follow_bomb_stands: float = -0.123
    """on what is high, so that it may be the last of it,"""
    follow_bomb_alone: float = -0.146
    """when the partner is out."""
    follow_last_stands: float = 0.141
    """The last to speak takes it."""
    follow_gains: float = -0.051
    """To get rid of something is not worth any lead."""
    follow_over_single: float = -0.064
    """Singles come round again."""
    follow_stands_alone: float = -0.311
    """Once the partner is out, the lead is not everything,"""
    follow_cost_alone: float = 0.202
    """a cheap hand is worth less"""
    follow_bombs_alone: float = -0.154
    """and bombs are there to be used."""
    follow_cost_behind: float = 0.298
    """The same of a hand once an opponent is out,"""
    follow_bombs_behind: float = -0.104
    """and of its bombs."""
    follow_cost_last: float = -0.070
    """Of two who are left the cheaper hand wins after all."""
    follow_bombs_early: float = -0.134
    """Bombs kept while all hold many cards: there is time to use them."""
    follow_unarmed_losses: float = 0.107
    """For each loss of the lead that no bomb makes good; the damage has it already."""
