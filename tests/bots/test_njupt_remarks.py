"""What is said of a guest that does the same thing again and again."""

from __future__ import annotations

from guandan_bots.dialect.remarks import Kind, Remarks

RARE = Kind("sneezed {n} times in all", said_max=1)
OFTEN = Kind("coughed {n} times in all", said_max=3)


def test_each_kind_is_said_as_often_as_it_may_and_then_counted() -> None:
    said: list[str] = []
    remarks = Remarks(said.append)
    for n in range(5):
        remarks.add(RARE, f"sneezes {n}")
        remarks.add(OFTEN, f"coughs {n}")
    assert said == ["sneezes 0", "coughs 0", "coughs 1", "coughs 2"]
    remarks.close()
    remarks.close()
    assert said[4:] == ["sneezed 5 times in all", "coughed 5 times in all"]


def test_what_was_said_each_time_needs_no_total() -> None:
    said: list[str] = []
    remarks = Remarks(said.append)
    remarks.add(RARE, "sneezes")
    for n in range(3):
        remarks.add(OFTEN, f"coughs {n}")
    remarks.close()
    assert said == ["sneezes", "coughs 0", "coughs 1", "coughs 2"]
