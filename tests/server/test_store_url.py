"""The forms of a store's URL."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guandan_server.errors import BadStoreUrl
from guandan_server.executors import Cluster, Sentinel, Standalone, executor_for
from guandan_server.store_url import ClusterSeeds, OneServer, Peer, Sentinels, parse


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("redis://localhost", "redis://localhost:6379/0"),
        ("redis://10.0.0.5:7000/", "redis://10.0.0.5:7000/0"),
        ("redis://:p%40ss@host:7000/3", "redis://:p%40ss@host:7000/3"),
        ("redis://someone:pass@host?db=2", "redis://someone:pass@host:6379/2"),
        ("redis://[::1]:7000/0", "redis://[::1]:7000/0"),
        ("rediss://host/0?ssl_cert_reqs=none", "rediss://host:6379/0?ssl_cert_reqs=none"),
        ("unix:///run/store.sock", "unix:///run/store.sock"),
        ("unix://:pass@/run/the%20store.sock?db=1", "unix://:pass@/run/the%20store.sock?db=1"),
        (" redis://host\n", "redis://host:6379/0"),
    ],
)
def test_one_server(url: str, read: str) -> None:
    assert parse(url) == OneServer(read)


def test_a_cluster() -> None:
    seeds = parse("redis+cluster://me:p%2F@a:7000,b,[::1]:7001?client_name=x")
    assert isinstance(seeds, ClusterSeeds)
    assert seeds.peers == (Peer("a", 7000), Peer("b", 6379), Peer("::1", 7001))
    assert seeds.url(Peer("c", 1)) == "redis://me:p%2F@c:1/0?client_name=x"
    assert seeds.url(Peer("::2", 1)) == "redis://me:p%2F@[::2]:1/0?client_name=x"


def test_sentinels() -> None:
    url = "rediss+sentinel://:pass@a,b:7000/the-table/2?sentinel_password=a%26b&ssl_ca_certs=/ca"
    sentinels = parse(url)
    assert isinstance(sentinels, Sentinels)
    assert sentinels.peers == (Peer("a", 26379), Peer("b", 7000))
    assert sentinels.name == "the-table"
    assert sentinels.url(Peer("c", 1)) == "rediss://:pass@c:1/2?ssl_ca_certs=%2Fca"
    assert sentinels.sentinel_url(Peer("a", 2)) == "rediss://:a%26b@a:2?ssl_ca_certs=%2Fca"


def test_sentinels_without_a_password_of_their_own_get_none() -> None:
    sentinels = parse("redis+sentinel://:pass@a/table")
    assert isinstance(sentinels, Sentinels)
    assert sentinels.sentinel_url(Peer("a", 2)) == "redis://a:2"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "no kind"),
        ("localhost:6379", "no kind"),
        ("http://host", "no kind"),
        ("sentinel://host/table", "no kind"),
        ("redis://", "host"),
        ("redis://:6379", "host"),
        ("redis://host:port", "port"),
        ("redis://host:0", "port"),
        ("redis://host:65536", "port"),
        ("redis://host:٣", "port"),
        ("redis://host/first", "database"),
        ("redis://host/0/1", "database"),
        ("redis://host?db=x", "database"),
        ("redis://a,b", "several"),
        ("redis://host?socket_timeout=60", "option"),
        ("redis://host?protocol=3", "option"),
        ("redis://host?ssl_cert_reqs=none", "option"),
        ("redis://:pa#ss@host", "%23"),
        ("unix://run/store.sock", "path"),
        ("unix://", "path"),
        ("redis+cluster://a,,b", "host"),
        ("redis+cluster://a:1,b:x", "port"),
        ("redis+cluster://a/1", "database"),
        ("redis+cluster://a?sentinel_password=x", "option"),
        ("redis+sentinel://a:1,b:2", "what-they-call-it"),
        ("redis+sentinel://a:1,b:2/", "what-they-call-it"),
        ("redis+sentinel://a/table/x", "database"),
        ("redis+sentinel://a/table/1/2", "database"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(url: str, reason: str) -> None:
    with pytest.raises(BadStoreUrl, match=reason) as caught:
        executor_for(url)
    assert caught.value.exit_code == 78
    assert "\n" not in str(caught.value)


schemes = st.sampled_from(["redis", "rediss", "unix", "redis+cluster", "redis+sentinel", "x"])
rests = st.text("sec:/@?#%,[]=0 ", max_size=20)


@given(schemes, rests)
def test_any_text_is_read_or_refused_without_quoting_it(scheme: str, rest: str) -> None:
    secret = "hunter2"
    told: object
    try:
        told = parse(f"{scheme}://:{secret}{rest}")
    except BadStoreUrl as error:
        told = error
    assert secret not in f"{told} {told!r}"


async def test_the_form_chooses_who_carries_the_commands() -> None:
    made = [
        executor_for(url)
        for url in (
            "redis://a",
            "rediss://a",
            "unix:///a",
            "redis+cluster://a",
            "rediss+cluster://a",
            "redis+sentinel://a/table",
            "rediss+sentinel://a/table",
        )
    ]
    assert [type(one) for one in made] == [
        *[Standalone] * 3,
        *[Cluster] * 2,
        *[Sentinel] * 2,
    ]
