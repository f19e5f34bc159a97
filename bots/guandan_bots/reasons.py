"""Why a play is suggested: the catalogue that clients turn into sentences."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["HintReason"]


class HintReason(StrEnum):
    """Why this play, this pass or this card; each member's text is what a sentence should say."""

    # Any play.
    GOES_OUT = "goes_out"
    """These are your last cards."""
    ONLY_PLAY = "only_play"
    """Nothing else can be played."""
    RUNS_OUT = "runs_out"
    """With the lead, the rest of your hand can be played out."""

    # Leading.
    LEADS_LOWEST = "leads_lowest"
    """A low group, which can hardly be got rid of otherwise."""
    LEADS_LONGEST = "leads_longest"
    """Gets rid of many cards of little use at once."""
    LEADS_STRONG = "leads_strong"
    """A strong group: it probably keeps the lead."""
    LEADS_HIGH = "leads_high"
    """High, but others may well beat it, and it could win a trick later."""
    PARTNER_NEARLY_OUT = "partner_nearly_out"
    """Your partner has few cards left and may be able to take this."""
    OPPONENT_NEARLY_OUT = "opponent_nearly_out"
    """An opponent has few cards left: this keeps it from going out."""

    # Following.
    CHEAPEST_THAT_BEATS = "cheapest_that_beats"
    """Beats the table, and costs your hand least."""
    KEEPS_GROUPS = "keeps_groups"
    """Beats the table and breaks none of your combinations."""
    LEAST_HARM = "least_harm"
    """Costs your hand something, but the least of what beats the table."""
    TAKES_LEAD = "takes_lead"
    """Uses a strong card or group to take the lead."""
    ONLY_BOMBS_BEAT = "only_bombs_beat"
    """Nothing but a bomb beats the table."""
    WORTH_BOMB = "worth_bomb"
    """To have the lead now is worth a bomb."""
    BOMB = "bomb"
    """A bomb: beats the table, but may be worth more later."""

    # What a play costs.
    USES_WILD = "uses_wild"
    """Spends a wild card, which could be worth more later."""
    BREAKS_PAIR = "breaks_pair"
    """Breaks a pair."""
    BREAKS_TRIPLE = "breaks_triple"
    """Breaks a triple or a full house."""
    BREAKS_RUN = "breaks_run"
    """Breaks a straight, a tube or a plate."""
    BREAKS_BOMB = "breaks_bomb"
    """Breaks a bomb, or a straight flush."""

    # Passing.
    NOTHING_BEATS = "nothing_beats"
    """None of your cards beat the table."""
    PARTNER_WINNING = "partner_winning"
    """Your partner's play may win the trick."""
    SAVES_BOMBS = "saves_bombs"
    """Only a bomb would do, and it is worth more later."""
    SAVES_CONTROL = "saves_control"
    """What beats this is worth more later."""
    SAVES_GROUPS = "saves_groups"
    """What beats this would break your combinations, or cost a bomb."""

    # Tribute and return.
    FORCED_GIFT = "forced_gift"
    """The only card that may be given."""
    SAVES_FLUSH = "saves_flush"
    """Of equal cards, the one that no straight flush of yours needs."""
    EQUAL_GIFT = "equal_gift"
    """Equal cards: any of them will do."""
    USELESS_RETURN = "useless_return"
    """A card that your hand does not need."""
    GIVES_CONTROL = "gives_control"
    """A card that could win a trick."""
    HELPS_PARTNER = "helps_partner"
    """Of the cards your hand does not need, one your partner may make use of."""
