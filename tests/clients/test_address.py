"""Codes, links and servers."""

import pytest

from guandan_cli.address import DEFAULT_SERVER, AddressError, Place, invitation, place_of, server_of


@pytest.mark.parametrize(
    ("text", "room", "server"),
    [
        ("K7QM2X", "K7QM2X", None),
        ("k7qm2x", "K7QM2X", None),
        ("http://127.0.0.1:8765/r/K7QM2X", "K7QM2X", "ws://127.0.0.1:8765/ws"),
        ("https://cards.example/r/k7qm2x/", "K7QM2X", "wss://cards.example/ws"),
        ("https://cards.example/play/r/K7QM2X", "K7QM2X", "wss://cards.example/play/ws"),
        ("ws://127.0.0.1:9000/r/K7QM2X", "K7QM2X", "ws://127.0.0.1:9000"),
        ("https://[::1]:8765/r/K7QM2X?x=1#y", "K7QM2X", "wss://[::1]:8765/ws"),
        ("ws://127.0.0.1:9000", None, "ws://127.0.0.1:9000"),
        ("http://127.0.0.1:9000/", None, "ws://127.0.0.1:9000/ws"),
    ],
)
def test_a_place(text: str, room: str | None, server: str | None) -> None:
    assert place_of(text) == Place(room=room, server=server)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ab",
        "no such place",
        "K7QM2X!",
        "a" * 17,
        "../../etc",
        "ftp://cards.example/r/K7QM2X",
        "http:///r/K7QM2X",
        "http://h:99999/r/K7QM2X",
        "http://h:x/r/K7QM2X",
        "https://cards.example/r/no%20code",
        "http://[::1/r/K7QM2X",
    ],
)
def test_what_is_no_place_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(AddressError) as error:
        place_of(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("ws://127.0.0.1:8765", "ws://127.0.0.1:8765"),
        ("127.0.0.1:9000", "ws://127.0.0.1:9000"),
        ("cards.example", "ws://cards.example"),
        ("wss://cards.example/ws", "wss://cards.example/ws"),
        ("https://cards.example", "wss://cards.example/ws"),
        ("http://cards.example/a/", "ws://cards.example/a/ws"),
    ],
)
def test_a_server(text: str, server: str) -> None:
    assert server_of(text) == server


@pytest.mark.parametrize("server", [DEFAULT_SERVER, "ws://h:1/ws", "wss://cards.example/a/ws"])
def test_an_invitation_leads_back_to_the_room(server: str) -> None:
    link = invitation(server, "K7QM2X")
    back = place_of(link)
    assert back.room == "K7QM2X"
    assert back.server is not None
    assert back.server.removesuffix("/ws") == server.removesuffix("/ws")
    assert invitation(back.server, "K7QM2X") == link
