"""PromQL as the tests read it: which metrics and labels an expression uses."""

from __future__ import annotations

from collections.abc import Iterator

import promql_parser as promql
from attrs import field, frozen


@frozen
class Use:
    """One selector: a metric, what its labels are compared with, what it is grouped by."""

    metric: str
    matched: dict[str, str] = field(factory=dict)
    grouped: frozenset[str] = frozenset()


def uses(expression: str) -> list[Use]:
    """Every selector in it; AssertionError if it is no PromQL."""
    # Grafana fills this in; any length will do to read it.
    text = expression.replace("$__rate_interval", "1m")
    try:
        tree = promql.parse(text)
    except ValueError as error:
        raise AssertionError(f"{error}: {expression}") from error
    return list(_walk(tree, frozenset()))


def _walk(node: object, grouped: frozenset[str]) -> Iterator[Use]:
    match node:
        case promql.VectorSelector():
            assert node.name is not None, "a selector without a metric"
            matched = {one.name: one.value for one in node.matchers.matchers}
            yield Use(node.name, matched, grouped)
        case promql.MatrixSelector():
            yield from _walk(node.vector_selector, grouped)
        case promql.AggregateExpr():
            labels = frozenset(node.modifier.labels if node.modifier else ())
            yield from _walk(node.expr, grouped | labels)
        case promql.BinaryExpr():
            yield from _walk(node.lhs, grouped)
            yield from _walk(node.rhs, grouped)
        case promql.Call():
            for argument in node.args:
                yield from _walk(argument, grouped)
        case promql.ParenExpr() | promql.UnaryExpr() | promql.SubqueryExpr():
            yield from _walk(node.expr, grouped)
        case promql.NumberLiteral() | promql.StringLiteral():
            pass
        case _:
            raise AssertionError(f"not read: {type(node).__name__}")
