"""The save codec: payloads, designs and layout files."""

from __future__ import annotations

import base64
import json
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.design.save import (
    DECODED_LIMIT_BYTES,
    decode_payload,
    design_of,
    encode_payload,
    read_layout,
    replace_first_save,
    save_of,
)
from bench.errors import SaveError
from tests_unit.support.factories import deck, flat_level, warren
from tests_unit.support.paths import ROOT

OURS = ROOT / "golden" / "bridge" / "native_saves"
NATIVE = ROOT.parent / "shared" / "native"
STEADY = settings(deadline=None, derandomize=True)


def pack(text: str | bytes) -> str:
    """A payload made without the codec."""
    raw = text.encode() if isinstance(text, str) else text
    return base64.b64encode(zlib.compress(raw)).decode()


def unpack(payload: str) -> str:
    """A payload's text, read without the codec."""
    return zlib.decompress(base64.b64decode(payload.strip().replace("\\/", "/"))).decode()


def node(id_: int, x: float, y: float, **more: object) -> dict[str, object]:
    ends = {"anchorAID": 0, "anchorBID": 0, "splitForDrawBridge": 0, "rate": 0}
    return {"type": 0, "x": x, "y": y, "id": id_, **ends, **more}


def test_a_design_is_written_as_the_game_writes_it():
    design = Design(
        (Node(1, 0.0, 0.0, True), Node(5, 1.25, -0.5)),
        (Member(6, 3, 1, 5), Member(7, 2, 5, 1, 0.5)),
    )
    assert unpack(encode_payload(save_of(design, "Span"))) == (
        '{"DisplayName":"Span","Objects":['
        '{"type":0,"x":0,"y":0,"id":1,"anchorAID":0,"anchorBID":0,"splitForDrawBridge":0,"rate":0,'
        '"isKinematic":true},'
        '{"type":0,"x":1.25,"y":-0.5,"id":5,"anchorAID":0,"anchorBID":0,"splitForDrawBridge":0,'
        '"rate":0},'
        '{"type":3,"x":0.625,"y":-0.25,"id":6,"anchorAID":1,"anchorBID":5,"splitForDrawBridge":0,'
        '"rate":0},'
        '{"type":2,"x":0.625,"y":-0.25,"id":7,"anchorAID":5,"anchorBID":1,"splitForDrawBridge":0,'
        '"rate":0.5}]}'
    )


def test_a_midpoint_carries_no_noise_of_its_division():
    design = Design((Node(1, 0.1, 0.0), Node(2, 0.2, 0.0001)), (Member(3, 1, 1, 2),))
    assert unpack(encode_payload(save_of(design, ""))).count('"x":0.15,"y":0.00005') == 1


@pytest.mark.parametrize("path", sorted(OURS.glob("*.txt")), ids=lambda p: p.stem)
def test_our_native_saves_keep_object_key_order_and_spelling(path):
    text = path.with_suffix(".json").read_text(encoding="utf-8")
    save = decode_payload(path.read_text())
    assert save == json.loads(text)
    assert unpack(encode_payload(save)) == text


def test_our_native_saves_cover_every_zlib_header():
    headers = {
        base64.b64decode(p.read_text().replace("\\/", "/"))[:2].hex() for p in OURS.glob("*.txt")
    }
    assert headers == {"7801", "785e", "789c", "78da"}


@pytest.mark.parametrize(
    "name",
    [
        "game_written_save",
        "loaded_save_20260305_124434",
        "loaded_save_20260309_171546",
        "loaded_save_20260309_173626",
    ],
)
def test_real_saves_keep_object_key_order_and_spelling(name):
    path = NATIVE / f"{name}.txt"
    if not path.exists():
        pytest.skip("../shared is absent")
    payload = path.read_text()
    save = decode_payload(payload)
    assert save == json.loads(unpack(payload))
    assert unpack(encode_payload(save)) == unpack(payload)
    assert all(m.a and m.b for m in design_of(save).members)


def test_the_games_own_save_is_the_mechanism_that_its_pictures_show():
    path = NATIVE / "game_written_save.txt"
    if not path.exists():
        pytest.skip("../shared is absent")
    design = design_of(decode_payload(path.read_text()))
    assert [(n.id, n.x, n.y) for n in design.nodes if n.is_anchor] == [
        (1, 0, 0),
        (2, 8, 0),
        (3, 0, -2),
        (4, 8, -2),
    ]
    assert sorted(m.type for m in design.members) == [1] * 4 + [2] * 5


def test_numbers_made_here_are_written_without_a_decimal_point_when_whole():
    save = {"DisplayName": "", "Objects": [node(1, 8.0, -2.0), node(2, 0.5, -0.0)]}
    text = unpack(encode_payload(save))
    assert '"x":8,"y":-2,' in text
    assert '"x":0.5,"y":0,' in text


@given(st.text(), st.lists(st.floats(-1000, 1000).map(lambda x: round(x, 4)), max_size=8))
@STEADY
def test_a_design_comes_back_from_its_payload(name, numbers):
    nodes = tuple(Node(i + 1, x, -x / 2 if i % 2 else 0.0, i == 0) for i, x in enumerate(numbers))
    nodes = tuple(Node(n.id, n.x + 0.0, round(n.y, 4) + 0.0, n.is_anchor) for n in nodes)
    members = tuple(
        Member(len(nodes) + i, 1 + i % 3, i, i + 1, i / 4) for i in range(1, len(nodes))
    )
    save = decode_payload(encode_payload(save_of(Design(nodes, members), name)))
    assert design_of(save) == Design(nodes, members)
    assert save["DisplayName"] == name


def test_a_truss_comes_back_from_its_payload():
    design = warren(flat_level(9.0, rise=1.0), depth=1.2345)
    assert design_of(decode_payload(encode_payload(save_of(design, "")))) == design


GOOD = '{"DisplayName":"","Objects":[%s]}'
NODE = json.dumps(node(1, 0, 0))
BAD_PAYLOADS = {
    "not base64": ("eJy9*bad", r"is not Base64: character '\*' at position 4"),
    "base64 of odd length": ("eJy9b", "is not Base64"),
    "inner space": ("eJy9 eJy9", "is not Base64: character ' ' at position 4"),
    "empty": ("", "is not zlib data|cut off"),
    "not zlib": (base64.b64encode(b"hello world").decode(), "is not zlib data .begins 68 65 6c 6c"),
    "cut zlib": (base64.b64encode(zlib.compress(b"x" * 99)[:-3]).decode(), "cut off after 9 bytes"),
    "more after zlib": (
        base64.b64encode(zlib.compress(b"{}") + b"more").decode(),
        "4 bytes follow the zlib data at byte 10",
    ),
    "wrong checksum": (
        base64.b64encode(zlib.compress(b"{}")[:-1] + b"\0").decode(),
        "is not zlib data",
    ),
    "bomb": (pack(b"0" * (DECODED_LIMIT_BYTES + 1)), "unpacks to more than 16777216 bytes"),
    "not utf-8": (pack(b'{"a":"\xff"}'), "is not UTF-8 at byte 6"),
    "not json": (pack("{'DisplayName': 1}"), "is not valid JSON: .*char 1"),
    "nan": (pack(GOOD % NODE.replace('"x": 0', '"x": NaN')), "NaN is no JSON number"),
    "duplicate key": (pack(GOOD % '{"id":1,"id":2}'), "key 'id' is there twice"),
    "endless digits": (pack(GOOD % ('{"id":' + "1" * 9999 + "}")), "is not valid JSON"),
    "nested": (pack("[" * 100_000), "is not valid JSON"),
    "list": (pack("[]"), "must be an object with DisplayName and Objects"),
    "no name": (pack('{"Objects":[]}'), "DisplayName must be a string, not missing"),
    "no objects": (pack('{"DisplayName":""}'), "Objects must be a list, not missing"),
    "object is text": (pack(GOOD % '"x"'), r"Objects\[0\] must be an object, not 'x'"),
    "id 0": (
        pack(GOOD % (NODE + "," + json.dumps(node(0, 0, 0)))),
        r"Objects\[1\].id is 0; it must be at least 1",
    ),
    "id true": (pack(GOOD % '{"type":0,"id":true}'), r"Objects\[0\].id must be an integer"),
    "no type": (pack(GOOD % '{"id":1}'), r"Objects\[0\].type must be an integer, not missing"),
}


@pytest.mark.parametrize("name", BAD_PAYLOADS)
def test_a_bad_payload_is_refused_with_what_and_where(name):
    payload, message = BAD_PAYLOADS[name]
    with pytest.raises(SaveError, match=message) as caught:
        decode_payload(payload, "bridge.layout: saveFiles[0]")
    assert str(caught.value).startswith("bridge.layout: saveFiles[0]: ")


def test_a_save_at_the_size_limit_is_still_read():
    head, tail = b'{"DisplayName":"', b'","Objects":[]}'
    raw = head + b"x" * (DECODED_LIMIT_BYTES - len(head) - len(tail)) + tail
    assert len(decode_payload(pack(raw))["DisplayName"]) == len(raw) - len(head) - len(tail)


@given(st.text())
@STEADY
def test_no_text_makes_the_decoder_fail_otherwise_than_by_a_save_error(text):
    with pytest.raises(SaveError, match=r"^save payload: "):
        decode_payload(text)


@given(st.binary(max_size=60), st.integers(0, 200), st.integers(0, 255))
@STEADY
def test_damage_in_the_bytes_is_a_save_error_or_another_save(extra, at, value):
    raw = bytearray(base64.b64decode(encode_payload(save_of(deck(flat_level(4.0)), "x"))) + extra)
    raw[at % len(raw)] = value
    try:
        found = decode_payload(base64.b64encode(raw).decode())
    except SaveError as error:
        found = str(error)[:14]
    assert found in ("save payload: ", save_of(deck(flat_level(4.0)), "x"))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"type": 1, "id": 9, "anchorAID": 1, "anchorBID": 0}, r"anchorBID is 0; it must be at le"),
        ({"type": 1, "id": 9, "anchorAID": 1}, r"anchorBID must be an integer, not missing"),
        (node(9, "3", 0), r"x must be a number, not '3'"),
        (node(9, 0, 10**400), r"y is too large a number"),
        (node(9, 0, 0, isKinematic=1), r"isKinematic is 1; it must be true or absent"),
    ],
)
def test_an_object_that_is_neither_node_nor_member_is_refused(entry, message):
    save = {"DisplayName": "", "Objects": [node(1, 0, 0), entry]}
    with pytest.raises(SaveError, match=r"^save: Objects\[1\]\." + message):
        design_of(save)


def test_the_encoder_refuses_what_the_decoder_would():
    with pytest.raises(SaveError, match=r"^save: Objects\[0\].id is 0"):
        encode_payload({"DisplayName": "", "Objects": [node(0, 0, 0)]})
    with pytest.raises(SaveError, match=r"Objects\[0\].x: nan cannot be written as JSON"):
        encode_payload({"DisplayName": "", "Objects": [node(1, float("nan"), 0)]})


def test_a_member_without_its_node_cannot_be_saved():
    with pytest.raises(SaveError, match="edge 6 names node 9, which the design does not have"):
        save_of(Design((Node(1, 0.0, 0.0, True),), (Member(6, 1, 1, 9),)), "")


SAVE = save_of(deck(flat_level(4.0)), "New")


def test_replacing_the_first_save_leaves_every_other_byte():
    before = (
        '\ufeff{ "description" : "a \\"saveFiles\\": [\\"x\\"]",\r\n\t'
        '"inner": {"saveFiles": ["y"]},\r\n "number": 1.50, "saveFiles" :\r\n [ '
    )
    after = ' , "eJy9\\/old"],\n"z": [1E-05, {}], "end": null }\n\n'
    data = f'{before}"eJy9old"{after}'.encode()
    changed = replace_first_save(data, SAVE)
    assert changed.startswith(before.encode() + b'"')
    assert changed.endswith(b'"' + after.encode())
    layout = read_layout(changed, "x.layout")
    assert layout.first_save() == SAVE
    assert layout.payloads[1] == "eJy9/old"


def test_a_layout_with_escaped_slashes_keeps_them_escaped():
    name = next(str(i) for i in range(99) if "/" in encode_payload({**SAVE, "DisplayName": str(i)}))
    save = {**SAVE, "DisplayName": name}
    plain = replace_first_save(b'{"saveFiles":["a"]}', save)
    escaped = replace_first_save(b'{"saveFiles":["a\\/b"]}', save)
    assert b"\\/" not in plain
    assert escaped == plain.replace(b"/", b"\\/")
    assert read_layout(escaped).first_save() == save


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[]", "must be a JSON object, not \\[\\]"),
        (b"{", "is not valid JSON"),
        (b'{"saveFiles":[]', "is not valid JSON"),
        (b"{}", "saveFiles must be a list with at least one payload"),
        (b'{"saveFiles":[]}', "saveFiles must be a list with at least one payload"),
        (b'{"saveFiles":["a",1]}', r"saveFiles\[1\] must be a string, not 1"),
        (
            b'{"saveFiles":["a"],"saveFiles":["b"]}',
            "is not valid JSON: key 'saveFiles' is there twice",
        ),
        (b'{"saveFiles":["\xff"]}', "is not UTF-8 at byte 15"),
    ],
)
def test_a_broken_layout_is_refused_with_its_name(data, message):
    with pytest.raises(SaveError, match=f"^my.layout: {message}"):
        replace_first_save(data, SAVE, "my.layout")


def test_a_broken_first_save_names_the_layout_and_the_entry():
    layout = read_layout(b'{"saveFiles":["###"]}', "my.layout")
    with pytest.raises(SaveError, match=r"^my.layout: saveFiles\[0\]: is not Base64"):
        layout.first_save()
