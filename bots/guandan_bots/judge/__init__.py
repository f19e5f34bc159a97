"""A second opinion on what `club` weighs: networks that have learned what choices led to.

    judge = Judge.learned()
    judge.values(table, weighed, weighed.options)      what each is worth, in levels

`club` judges by a sum, which counts each trait by itself. The networks see the same traits, and the
plans before and after, all at once. How they were taught is in docs/tuning.md; `tools.judge` does
it again.
"""

from guandan_bots.judge.inputs import common_inputs, option_inputs
from guandan_bots.judge.judge import Judge
from guandan_bots.judge.network import Network

__all__ = ["Judge", "Network", "common_inputs", "option_inputs"]
