"""The Kubernetes manifests: valid by their schemas, and they fit together."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it has none

from guandan_server.node import DRAIN_S
from guandan_server.peers import Peers
from tests.deploy.shipped import DEPLOY, document, documents, serve_options

FOLDER = DEPLOY / "k8s"
KUSTOMIZATION = FOLDER / "kustomization.yaml"
MANIFESTS: list[dict[str, Any]] = [
    one
    for path in sorted(FOLDER.glob("*.yaml"))
    if path != KUSTOMIZATION
    for one in documents(path)
]


def named(kind: str, name: str = "guandan") -> dict[str, Any]:
    (only,) = [one for one in MANIFESTS if one["kind"] == kind and one["metadata"]["name"] == name]
    return only


SET = named("StatefulSet")
POD = SET["spec"]["template"]["spec"]
(NODE,) = POD["containers"]
DOMAIN = named("ConfigMap")["data"]["domain"]


def test_all_are_valid() -> None:
    for one in MANIFESTS:
        kubernetes_validate.validate(one, kubernetes_validate.latest_version(), strict=True)


def test_all_are_applied_but_the_secret_which_is_only_shown() -> None:
    listed = set(document(KUSTOMIZATION)["resources"])
    there = {path.name for path in FOLDER.glob("*.yaml")}
    assert there - listed == {"kustomization.yaml", "secret.example.yaml"}
    assert listed <= there
    assert {one["metadata"].get("namespace", "guandan") for one in MANIFESTS} == {"guandan"}


def test_each_pod_has_a_name_an_address_and_a_way_of_its_own() -> None:
    assert "--node=$(POD_NAME)" in NODE["args"]
    assert "--node-url=wss://$(DOMAIN)/n/$(POD_NAME)/ws" in NODE["args"]
    assert "--host=0.0.0.0" in NODE["args"]
    headless = named("Service", SET["spec"]["serviceName"])
    assert headless["spec"]["clusterIP"] == "None"
    ingress = named("Ingress")
    (rule,) = ingress["spec"]["rules"]
    assert rule["host"] == DOMAIN
    assert ingress["spec"]["tls"][0]["hosts"] == [DOMAIN]
    ways = {
        path["path"]: (path["pathType"], path["backend"]["service"]["name"])
        for path in rule["http"]["paths"]
    }
    pods = [f"guandan-{i}" for i in range(SET["spec"]["replicas"])]
    assert ways == {
        "/": ("Prefix", "guandan"),
        **{f"/n/{pod}/ws": ("Exact", pod) for pod in pods},
    }
    for pod in pods:
        selector = named("Service", pod)["spec"]["selector"]
        assert selector["statefulset.kubernetes.io/pod-name"] == pod


def test_every_selector_finds_the_pods() -> None:
    labels = SET["spec"]["template"]["metadata"]["labels"]
    assert SET["spec"]["selector"]["matchLabels"] == labels
    assert named("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert named("NetworkPolicy")["spec"]["podSelector"]["matchLabels"] == labels
    ports = {port["name"] for port in NODE["ports"]}
    for service in [one for one in MANIFESTS if one["kind"] == "Service"]:
        selector = dict(service["spec"]["selector"])
        selector.pop("statefulset.kubernetes.io/pod-name", None)
        assert selector == labels
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports


def test_options_exist_and_values_come_from_somewhere() -> None:
    options = {arg.partition("=")[0] for arg in NODE["args"] if arg.startswith("--")}
    names = [one["name"] for one in NODE["env"]]
    options |= {
        f"--{name[8:].lower().replace('_', '-')}" for name in names if name.startswith("GUANDAN_")
    }
    assert options <= serve_options()
    for one in NODE["env"]:
        source = one.get("valueFrom", {})
        if "configMapKeyRef" in source:
            assert source["configMapKeyRef"]["key"] in named("ConfigMap")["data"]
        if "secretKeyRef" in source:
            secret = named("Secret", source["secretKeyRef"]["name"])
            assert source["secretKeyRef"]["key"] in secret["stringData"]


def test_the_word_of_the_ingress_counts_and_no_others() -> None:
    trusted = named("ConfigMap")["data"]["trusted-proxy"].split()
    peers = Peers(trusted_proxies=trusted)
    inside = str(ip_network(trusted[0])[77])
    assert peers.address(inside, "203.0.113.9") == "203.0.113.9"
    assert peers.address(inside, f"203.0.113.9, {inside}") == "203.0.113.9"
    outside = str(ip_address("198.51.100.7"))
    assert peers.address(outside, "203.0.113.9") == outside


def test_stopping_leaves_time_to_drain() -> None:
    (pause,) = [
        int(word.rpartition("(")[2].rstrip(")"))
        for word in NODE["lifecycle"]["preStop"]["exec"]["command"]
        if "sleep" in word
    ]
    assert POD["terminationGracePeriodSeconds"] > pause + DRAIN_S + 2
    assert SET["spec"]["replicas"] > named("PodDisruptionBudget")["spec"]["maxUnavailable"]


def test_probes_ask_the_right_question() -> None:
    asked = {
        name: NODE[name]["httpGet"] for name in ("livenessProbe", "readinessProbe", "startupProbe")
    }
    assert asked["livenessProbe"]["path"] == asked["startupProbe"]["path"] == "/healthz"
    assert asked["readinessProbe"]["path"] == "/readyz"
    assert {one["port"] for one in asked.values()} == {"table"}


def test_it_may_do_nothing_else() -> None:
    assert POD["securityContext"]["runAsNonRoot"] is True
    assert POD["automountServiceAccountToken"] is False
    assert NODE["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
