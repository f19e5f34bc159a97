"""Where a store is: the forms of URL that `--redis` and REDIS_URL take.

    redis://[user[:password]@]host[:port][/db]             one server
    unix://[user[:password]@]/path/to.sock[?db=n]          one server, by its unix socket
    redis+cluster://[user[:password]@]host[:port],…        a cluster; some of its servers will do
    redis+sentinel://[user[:password]@]host[:port],…/name[/db]
                                                           the primary that sentinels call `name`
    rediss…                                                each but the second, over TLS

User and password are the data servers'; sentinels that want their own get them as options,
`?sentinel_username=…&sentinel_password=…`. `/ ? # @ %` in a password are written as `%2F` and so
on. Nothing here waits or connects: a URL that reads well may still lead nowhere.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, urlencode

from attrs import field, frozen

from guandan_server.errors import BadStoreUrl

DATA_PORT = 6379
SENTINEL_PORT = 26379

_LOGIN_OPTIONS = frozenset({"username", "password"})
_SENTINEL_OPTIONS = frozenset({"sentinel_username", "sentinel_password"})
# Time-outs and retries are not among them: what we promise about lost answers rests on ours.
_OPTIONS = frozenset({"client_name"}) | _LOGIN_OPTIONS
_TLS_OPTIONS = frozenset(
    {
        "ssl_ca_certs",
        "ssl_cert_reqs",
        "ssl_certfile",
        "ssl_check_hostname",
        "ssl_keyfile",
        "ssl_password",
    }
)

Options = tuple[tuple[str, str], ...]


@frozen(order=True)
class Peer:
    """A server's address.

    >>> str(Peer("10.0.0.5", 6379)), str(Peer("::1", 6379))
    ('10.0.0.5:6379', '[::1]:6379')
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@frozen
class OneServer:
    url: str = field(repr=False)
    """As redis-py reads it."""


@frozen
class ClusterSeeds:
    """Servers of a cluster that are asked for the others."""

    peers: tuple[Peer, ...]
    scheme: str
    login: str = field(repr=False)
    options: Options = field(repr=False)

    def url(self, peer: Peer) -> str:
        return f"{self.scheme}://{self.login}{peer}/0{_query(self.options)}"


@frozen
class Sentinels:
    """Those who know which server is the primary."""

    peers: tuple[Peer, ...]
    name: str
    db: int
    scheme: str
    login: str = field(repr=False)
    options: Options = field(repr=False)

    def url(self, peer: Peer) -> str:
        """Of a data server."""
        options = [option for option in self.options if option[0] not in _SENTINEL_OPTIONS]
        return f"{self.scheme}://{self.login}{peer}/{self.db}{_query(options)}"

    def sentinel_url(self, peer: Peer) -> str:
        said = dict(self.options)
        user, password = (said.get(f"sentinel_{part}", "") for part in ("username", "password"))
        login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if user or password else ""
        options = [
            option for option in self.options if option[0] not in _SENTINEL_OPTIONS | _LOGIN_OPTIONS
        ]
        return f"{self.scheme}://{login}{peer}{_query(options)}"


StoreAddress = OneServer | ClusterSeeds | Sentinels


def parse(url: str) -> StoreAddress:
    """Read a store's URL; BadStoreUrl if it is none.

    >>> parse("redis+sentinel://10.0.0.5,10.0.0.6:26380/table/2")
    ... # doctest: +ELLIPSIS
    Sentinels(peers=(Peer(host='10.0.0.5', port=26379), ...), name='table', db=2, scheme='redis')
    """
    scheme, _, rest = url.strip().partition("://")
    parts = re.fullmatch(r"([^/?#]*)(/[^?#]*)?(?:\?([^#]*))?", rest)
    if parts is None:
        raise BadStoreUrl(reason="has a # in it; in a password it is written as %23")
    authority, path, query = (part or "" for part in parts.groups())
    login, at, hosts = authority.rpartition("@")
    login += at
    tls = _TLS_OPTIONS if scheme.startswith("rediss") else frozenset[str]()
    match scheme:
        case "redis" | "rediss":
            options = _options(query, _OPTIONS | tls | {"db"})
            [peer] = _peers(hosts, DATA_PORT, many=False)
            db = _db(path.strip("/") or dict(options).pop("db", "0"))
            options = tuple(option for option in options if option[0] != "db")
            return OneServer(f"{scheme}://{login}{peer}/{db}{_query(options)}")
        case "unix":
            options = _options(query, _OPTIONS | {"db"})
            _db(dict(options).get("db", "0"))
            if hosts or len(path) < 2:
                raise BadStoreUrl(reason="has a path that does not begin with /")
            return OneServer(f"unix://{login}{path}{_query(options)}")
        case "redis+cluster" | "rediss+cluster":
            if path not in ("", "/", "/0"):
                raise BadStoreUrl(reason="names a database, and a cluster has only number 0")
            return ClusterSeeds(
                peers=_peers(hosts, DATA_PORT),
                scheme=scheme.partition("+")[0],
                login=login,
                options=_options(query, _OPTIONS | tls),
            )
        case "redis+sentinel" | "rediss+sentinel":
            name, _, db_text = path.removeprefix("/").partition("/")
            if not re.fullmatch(r"[\w.-]+", name):
                raise BadStoreUrl(reason="does not say, after the sentinels, /what-they-call-it")
            return Sentinels(
                peers=_peers(hosts, SENTINEL_PORT),
                name=name,
                db=_db(db_text or "0"),
                scheme=scheme.partition("+")[0],
                login=login,
                options=_options(query, _OPTIONS | _SENTINEL_OPTIONS | tls),
            )
        case _:
            raise BadStoreUrl(reason="is of no kind that we know")


# What is wrong is said without quoting it: it may be half a password.


def _peers(text: str, default_port: int, *, many: bool = True) -> tuple[Peer, ...]:
    if "," in text and not many:
        raise BadStoreUrl(
            reason="names several servers, and does not say if as cluster or sentinel"
        )
    return tuple([_peer(part, default_port) for part in text.split(",")])


def _peer(text: str, default_port: int) -> Peer:
    parts = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:\[\]]+))(?::(.*))?", text)
    if parts is None:
        raise BadStoreUrl(reason="lacks a host")
    port = parts[3] if parts[3] is not None else str(default_port)
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 0 < int(port) < 65536:
        raise BadStoreUrl(reason="has a port that is no number from 1 to 65535")
    return Peer(parts[1] or parts[2], int(port))


def _db(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise BadStoreUrl(reason="has a database that is no number")
    return int(text)


def _options(query: str, known: frozenset[str]) -> Options:
    options = tuple(parse_qsl(query, keep_blank_values=True))
    if not known.issuperset(name for name, _ in options):
        raise BadStoreUrl(reason=f"has an option other than {', '.join(sorted(known))}")
    return options


def _query(options: Options | list[tuple[str, str]]) -> str:
    return f"?{urlencode(options)}" if options else ""
