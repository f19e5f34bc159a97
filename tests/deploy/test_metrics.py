"""What a running node tells Prometheus is what the documentation lists."""

from __future__ import annotations

import asyncio
import re
import urllib.request
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from guandan_protocol import messages as m
from tests.deploy.shipped import DOCS, rows
from tests.e2e.players import party
from tests.e2e.serving import free_port, serving


async def test_a_node_serves_the_catalogue(tmp_path: Path) -> None:
    port = free_port()
    async with (
        serving(tmp_path / "data", "--metrics-port", str(port)) as served,
        party(served.url) as table,
    ):
        for person in table.people:
            await person.do(m.Ready(0))
        await table.play(until=lambda client: client.seq > 12)
        text = await asyncio.to_thread(scraped, port)
    families = {
        one.name: one
        for one in text_string_to_metric_families(text)
        if not one.name.endswith("_created")  # when each was counted first: of no use to us
    }
    told = {}
    for name, labels, _ in rows(
        (DOCS / "operations.md").read_text(encoding="utf-8"), "### The catalogue"
    ):
        told[name.strip("`").removesuffix("_total")] = set(re.findall(r"`(\w+)`", labels))
    assert families.keys() == told.keys()
    for name, family in families.items():
        assert family.documentation
        for sample in family.samples:
            assert sample.labels.keys() - {"le"} == told[name]
    assert families["guandan_seats"].samples
    assert {s.labels["kind"]: s.value for s in families["guandan_seats"].samples}["person"] == 4
    assert families["guandan_connections"].samples[0].value == 4
    assert sum(s.value for s in families["guandan_actions"].samples if "_total" in s.name) > 12


def scraped(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
        return text
