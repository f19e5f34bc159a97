"""`guandan verify`: was every hand dealt from its seed, and every play legal?"""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

from guandan_cli import flags, records
from guandan_cli.exits import Exit
from guandan_engine.errors import EngineError
from guandan_engine.record import read
from guandan_engine.record import verify as problems_of

__all__ = ["verify"]


async def verify(
    source: records.Source,
    /,
    *,
    json_line: Annotated[bool, Parameter(name="--json", help="One object, for programs.")] = False,
    match: records.MatchNumber = None,
    server: flags.Server = None,
    lang: flags.Language = None,
) -> int:
    """Check a finished match: commitments, seeds, deals, levels, and every single play.

    That the seed of a hand is the one committed to, that the deal follows from it and from the
    players' nonces, that levels follow from the hands before, and that every play was legal. Names,
    the preset's name and comments are for people: nothing can prove them, and a changed name is not
    noticed. Prints each problem; ends with 1 if there is one.

    For example:

        guandan verify match.txt

        guandan verify K7QM2X --match 2
    """
    texts = flags.spoken(lang)
    text = await records.text_of(source, match=match, server=server, texts=texts)
    try:
        record = read(text)
        problems = problems_of(record)
    except (EngineError, ValueError) as error:
        raise records.broken(source, error) from error
    hands = len(record.openings)
    if json_line:
        print(json.dumps({"ok": not problems, "hands": hands, "problems": problems}))
    else:
        for problem in problems:
            print(problem)
        bad = texts("verify.bad", n=len(problems))
        print(bad if problems else texts("verify.good", n=hands))
        if not problems:
            print(texts("verify.unchecked"))
    return Exit.FAILURE if problems else Exit.OK
