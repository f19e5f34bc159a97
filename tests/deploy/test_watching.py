"""Alerts, dashboard and runbook: they speak of metrics that exist, and of each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import pytest

from guandan_engine.errors import Reason
from guandan_protocol.messages import Code, SeatKind, Stage
from guandan_server.brains import Fallback
from guandan_server.errors import Trouble
from tests.deploy.expressions import Use, uses
from tests.deploy.shipped import DEPLOY, DOCS, document, rows

ALERTS: list[dict[str, Any]] = [
    rule for group in document(DEPLOY / "alerts.yaml")["groups"] for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads(
    (DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8")
)
RUNBOOK = (DEPLOY / "runbook.md").read_text(encoding="utf-8")

# Prometheus itself gives these to everything that it scrapes.
OF_PROMETHEUS = {"up": set[str]()}
OF_SCRAPES = {"job", "instance"}

VALUES: dict[tuple[str, str], type[StrEnum] | tuple[type[StrEnum], ...]] = {
    ("guandan_rooms", "stage"): Stage,
    ("guandan_seats", "kind"): SeatKind,
    ("guandan_store_errors_total", "trouble"): Trouble,
    ("guandan_refusals_total", "code"): (Code, Reason),
    ("guandan_decision_fallbacks_total", "reason"): Fallback,
}


def catalogue() -> dict[str, set[str]]:
    """Every name that can be queried, with its labels, from the table of the documentation."""
    text = (DOCS / "operations.md").read_text(encoding="utf-8")
    known: dict[str, set[str]] = dict(OF_PROMETHEUS)
    for name, labels, what in rows(text, "### The catalogue"):
        own = set(re.findall(r"`(\w+)`", labels))
        metric = name.strip("`")
        if what.startswith("histogram"):
            known |= {f"{metric}_bucket": own | {"le"}, f"{metric}_sum": own}
            known |= {f"{metric}_count": own}
        else:
            known[metric] = own
    return known


def faults(expression: str) -> Iterable[str]:
    known = catalogue()
    for use in uses(expression):
        if use.metric not in known:
            yield f"there is no metric {use.metric}"
            continue
        for label in (use.matched.keys() | use.grouped) - known[use.metric] - OF_SCRAPES:
            yield f"{use.metric} has no label {label}"
        for label, value in use.matched.items():
            yield from _unknown(use, label, value)


def _unknown(use: Use, label: str, value: str) -> Iterable[str]:
    kinds = VALUES.get((use.metric, label), ())
    known = {
        one.value for kind in (kinds if isinstance(kinds, tuple) else (kinds,)) for one in kind
    }
    for alternative in value.split("|"):
        if known and alternative not in known:
            yield f"{use.metric} has no {label} {alternative!r}"


def panels() -> list[dict[str, Any]]:
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: str(alert["alert"]))
def test_an_alert(alert: dict[str, Any]) -> None:
    assert list(faults(alert["expr"])) == []
    assert alert["labels"].keys() == {"severity"}
    assert alert["labels"]["severity"] in ("page", "ticket")
    assert alert["annotations"].keys() == {"summary", "runbook"}
    assert alert["annotations"]["runbook"] == f"runbook.md#{alert['alert'].lower()}"
    if alert["labels"]["severity"] == "page" and "changes(" not in alert["expr"]:
        assert re.fullmatch(r"\d+[smh]", alert["for"])  # nobody is woken by one scrape


def test_the_runbook_has_an_entry_for_each_alert_and_for_no_other() -> None:
    _, _, part = RUNBOOK.partition("\n## Alert fires …\n")
    part, _, _ = part.partition("\n## ")
    assert re.findall(r"^### (\w+)$", part, flags=re.MULTILINE) == [
        alert["alert"] for alert in ALERTS
    ]
    assert RUNBOOK.index("## Players say") < RUNBOOK.index("## Alert fires")


def test_every_metric_of_ours_is_watched() -> None:
    queries = [alert["expr"] for alert in ALERTS]
    queries += [target["expr"] for panel in panels() for target in panel["targets"]]
    used = {re.sub(r"_bucket$", "", use.metric) for query in queries for use in uses(query)}
    text = (DOCS / "operations.md").read_text(encoding="utf-8")
    ours = {name.strip("`") for name, *_ in rows(text, "### The catalogue")}
    assert {name for name in ours if name.startswith("guandan_")} - used == set()


@pytest.mark.parametrize("panel", panels(), ids=lambda panel: str(panel["title"]))
def test_a_panel(panel: dict[str, Any]) -> None:
    assert panel["datasource"]["uid"] == "${datasource}"
    assert panel["targets"]
    for target in panel["targets"]:
        assert list(faults(target["expr"])) == []
        shown = re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
        grouped = {label for use in uses(target["expr"]) for label in use.grouped}
        assert set(shown) <= grouped | OF_SCRAPES


def test_the_dashboard_is_one() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))
    variables = {one["name"] for one in DASHBOARD["templating"]["list"]}
    text = json.dumps(DASHBOARD)
    assert set(re.findall(r"\$\{?(\w+)", text)) - {"__rate_interval"} == variables
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert max(x for x, _ in cells) < 24
        assert not cells & taken, f"{panel['title']} lies on another"
        taken |= cells


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("rate(guandan_rooms_total[1m])", "no metric guandan_rooms_total"),
        ("sum by (room) (guandan_rooms)", "no label room"),
        ('guandan_store_errors_total{trouble="bad_luck"}', "no trouble 'bad_luck'"),
        ('guandan_refusals_total{code=~"busy|bored"}', "no code 'bored'"),
    ],
)
def test_what_is_wrong_is_noticed(expression: str, said: str) -> None:
    assert any(said in fault for fault in faults(expression))
