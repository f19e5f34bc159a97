"""The catalogue of reasons."""

from __future__ import annotations

import inspect
import re

from guandan_bots.reasons import HintReason


def test_a_reason_is_its_name_in_small_letters() -> None:
    assert all(reason.value == reason.name.lower() for reason in HintReason)


def test_every_reason_says_what_a_sentence_should_say() -> None:
    source = inspect.getsource(HintReason)
    for reason in HintReason:
        assert re.search(rf'    {reason.name} = "{reason}"\n    """[A-Z].+\."""\n', source), reason
