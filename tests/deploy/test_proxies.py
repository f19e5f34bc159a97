"""What holds between the configurations of proxies and the program behind them."""

from __future__ import annotations

import re

from guandan_protocol import dialing
from guandan_server.house import BEAT_TTL_MS
from guandan_server.node import PING_S
from tests.deploy.shipped import DEPLOY, DOCS, document

PLACES = (DEPLOY / "nginx/guandan/places.conf").read_text(encoding="utf-8")
NODES = (DEPLOY / "nginx/guandan/nodes.conf").read_text(encoding="utf-8")

# Many proxies, load balancers and phone networks cut what is silent for a minute.
CUT_S = 60


def seconds(directive: str, text: str = PLACES) -> int:
    (value,) = re.findall(rf"^\s*{directive} (\d+)s;", text, flags=re.MULTILINE)
    return int(value)


def test_nothing_is_silent_for_as_long_as_a_proxy_waits() -> None:
    # Both ways, and one ping may be lost.
    assert 2 * PING_S < CUT_S < seconds("proxy_read_timeout")
    assert 2 * dialing.PING_INTERVAL_S < CUT_S
    ingress = document(DEPLOY / "k8s/ingress.yaml")["metadata"]["annotations"]
    timeouts = {
        name.rpartition("/")[2]: value for name, value in ingress.items() if "timeout" in name
    }
    for name, value in timeouts.items():
        assert int(value) == seconds(name.replace("-", "_")), name


def test_a_dead_node_is_passed_over_before_it_counts_as_dead() -> None:
    assert seconds("proxy_connect_timeout") < BEAT_TTL_MS / 1000
    for fail_timeout in re.findall(r"fail_timeout=(\d+)s", NODES):
        assert int(fail_timeout) < BEAT_TTL_MS / 1000


def test_every_node_of_compose_has_its_ways() -> None:
    services = document(DEPLOY / "compose.yaml")["services"]
    names = [name for name in services if name.startswith("node-")]
    servers = re.findall(r"server (node-\w+):8765", NODES)
    assert sorted(servers) == sorted(names * 2)  # among all, and by itself
    for name in names:
        node = name.removeprefix("node-")
        assert re.search(rf"^\s*/n/{node}/ws\s+guandan_node_{node};$", NODES, flags=re.MULTILINE)
        assert f"upstream guandan_node_{node} {{" in NODES


def test_snippets_for_proxies_of_others_pass_on_what_is_needed() -> None:
    text = (DOCS / "play-with-friends.md").read_text(encoding="utf-8")
    (nginx,) = re.findall(r"```nginx\n(.*?)```", text, flags=re.DOTALL)
    for line in (
        "proxy_http_version 1.1;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Host $http_host;",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
    ):
        assert line in nginx
        assert line in PLACES
    assert seconds("proxy_read_timeout", nginx) == seconds("proxy_read_timeout")
