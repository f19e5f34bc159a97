"""The document says what the code does, and its samples are real."""

from __future__ import annotations

import json
import re

import pytest

from guandan_protocol.codec import decode_client, decode_server, encode
from guandan_protocol.message_fields import CLIENT_RECORDS, SERVER_RECORDS
from guandan_protocol.view_fields import EVENTS
from tests.protocol import samples
from tools import protocol_table
from tools.protocol_table import DOC, GOLDEN, golden_files, render

DOCUMENT = DOC.read_text(encoding="utf-8")


def test_the_document_is_up_to_date() -> None:
    stale = "run `python -m tools.protocol_table --write`"
    assert render(DOCUMENT) == DOCUMENT, stale


def test_every_message_and_event_has_its_table() -> None:
    for one in (*CLIENT_RECORDS, *SERVER_RECORDS, *EVENTS):
        assert DOCUMENT.count(f"#### `{one.tag}`\n") == 1


def test_every_record_that_a_table_names_has_one_itself() -> None:
    for name in set(re.findall(r"map `(\w+)`", DOCUMENT)):
        assert f"#### `{name}`\n" in DOCUMENT
    for name in set(re.findall(r"str, `(\w+)`", DOCUMENT)):
        assert f"| `{name}` | meaning |" in DOCUMENT


def test_every_table_says_what_it_is_about() -> None:
    assert not re.findall(r"^#### `\w+`\n\n\n", DOCUMENT, re.MULTILINE)


def test_links_within_the_document_lead_somewhere() -> None:
    titles = re.findall(r"^#+ (.+)$", DOCUMENT, re.MULTILINE)
    places = {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}
    links = set(re.findall(r"\]\(#([\w-]+)\)", DOCUMENT))
    assert links
    assert links <= places


def test_a_lost_part_is_noticed() -> None:
    with pytest.raises(LookupError, match="has no part"):
        render(DOCUMENT.replace("<!-- end: closes -->", ""))


def test_a_changed_part_is_noticed() -> None:
    changed = DOCUMENT.replace("| `4409` |", "| `4499` |")
    assert changed != DOCUMENT
    assert render(changed) == render(DOCUMENT)


def test_the_tool_fails_on_a_stale_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["protocol_table"])
    monkeypatch.setattr(protocol_table, "render", lambda document: document)
    assert protocol_table.main() == 0
    monkeypatch.setattr(protocol_table, "render", lambda document: document + "\n")
    assert protocol_table.main() == 1
    assert "out of date" in capsys.readouterr().err


# Golden frames

FRESH = golden_files()


def frame_of(text: str) -> bytes:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return bytes.fromhex(" ".join(lines))


def test_there_is_one_golden_frame_for_each_message() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(FRESH)


@pytest.mark.parametrize("name", FRESH)
def test_frames_are_golden(name: str) -> None:
    changed = (
        "this message has other bytes than before, and so has every client: if that is meant, "
        "run `python -m tools.protocol_table --golden`"
    )
    assert (GOLDEN / name).read_text(encoding="utf-8") == FRESH[name], changed


FRAMES = [name for name in FRESH if name.endswith(".hex")]


def test_the_index_has_every_frame_and_what_it_says() -> None:
    index = json.loads((GOLDEN / "index.json").read_text(encoding="utf-8"))
    assert {f"{one['name']}.hex" for one in index} == set(FRAMES)
    for one in index:
        frame = frame_of((GOLDEN / f"{one['name']}.hex").read_text(encoding="utf-8"))
        assert bytes.fromhex(one["frame"]) == frame
        assert one["message"]["t"] == ("update" if one["name"] == "events" else one["name"])


@pytest.mark.parametrize("name", FRAMES)
def test_golden_frames_are_read(name: str) -> None:
    frame = frame_of((GOLDEN / name).read_text(encoding="utf-8"))
    tag = name.removesuffix(".hex")
    by_tag = dict(zip([one.tag for one in CLIENT_RECORDS], samples.CLIENT, strict=True))
    if tag in by_tag:
        assert decode_client(frame) == by_tag[tag]
    else:
        told = dict(zip([one.tag for one in SERVER_RECORDS], samples.SERVER, strict=True))
        expected = samples.EVERY_EVENT if tag == "events" else told[tag]
        assert decode_server(frame) == expected
        assert encode(expected) == frame


def test_the_session_of_the_document_can_be_decoded() -> None:
    for who, _, message in samples.SESSION:
        decode = decode_client if who == "►" else decode_server
        assert decode(encode(message)) == message
