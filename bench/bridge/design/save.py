"""The save codec: Design <-> save <-> payload <-> layout file.

A save is the decoded object, `{"DisplayName": str, "Objects": [...]}`; a payload is the same as
compact UTF-8 JSON, zlib, Base64; a layout file is JSON with a list `saveFiles` of payloads, of
which the first is the one that is loaded.

Compressed bytes depend on the compressor, so compare decoded saves, never payloads.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bench.bridge.design.design import Design, Member, Node
from bench.errors import SaveError
from bench.task import Json

Save = dict[str, Json]

DECODED_LIMIT_BYTES = 16 * 1024 * 1024
"""A save of the largest legal design has 0.4 MB; more than this is a zlib bomb."""

NODE_TYPE = 0

_STRING = re.compile(r'[ \t\r\n]*("(?:[^"\\]|\\.)*+")', re.DOTALL)

MIDPOINT_DECIMALS = 5
"""Coordinates have 4 decimals, so a midpoint has 5; rounding drops the noise of the division."""


class SpelledFloat(float):
    """A number with the spelling that it was read with (`7.0`, `1E-05`)."""

    text: str

    def __new__(cls, text: str | float) -> SpelledFloat:
        """The number that `text` spells."""
        number = super().__new__(cls, text)
        number.text = str(text)
        return number


def encode_payload(save: Mapping[str, Json]) -> str:
    """The payload of a save: compact JSON in the save's key order, zlib, Base64.

    A decoded save is spelled as it was read; other whole numbers get no decimal point. Raises
    SaveError for what is no save (see `decode_payload`).
    """
    _check(save, "save")
    try:
        text = _json(save, "save")
    except RecursionError:
        raise SaveError("save: is nested too deeply to be written") from None
    return base64.b64encode(zlib.compress(text.encode())).decode()


def decode_payload(text: str, where: str = "save payload") -> Save:
    r"""The save in a payload; numbers keep their spelling for `encode_payload`.

    Slashes may be escaped (`\/`), white space around is ignored. Raises SaveError, which starts
    with `where`, for wrong Base64, wrong or oversized zlib data, wrong JSON, and objects without
    a type and an id of at least 1 (a reader takes 0 for 'no anchor').
    """
    raw = _inflate(_from_base64(text.strip().replace("\\/", "/"), where), where)
    save = _load(raw, where)
    _check(save, where)
    return dict(save)


def save_of(design: Design, display_name: str) -> Save:
    """The save of a design: nodes first, then members, each in the design's order.

    Raises SaveError when a member names a node that the design lacks: it has no midpoint.
    """
    objects: list[Json] = []
    for node in design.nodes:
        fields = _object(NODE_TYPE, node.x, node.y, node.id, 0, 0, 0)
        objects.append(fields | {"isKinematic": True} if node.is_anchor else fields)
    by_id = design.node_by_id
    for member in design.members:
        a, b = by_id.get(member.a), by_id.get(member.b)
        if a is None or b is None:
            missing = member.a if a is None else member.b
            raise SaveError(
                f"save: edge {member.id} names node {missing}, which the design does not have; "
                "validate a design before it is saved"
            )
        x, y = (round((p + q) / 2, MIDPOINT_DECIMALS) for p, q in ((a.x, b.x), (a.y, b.y)))
        objects.append(_object(member.type, x, y, member.id, member.a, member.b, member.rate))
    return {"DisplayName": display_name, "Objects": objects}


def design_of(save: Mapping[str, Json], where: str = "save") -> Design:
    """The design in a save: objects of type 0 are nodes, all others members.

    Coordinates are rounded to 4 decimals; midpoints are not read. Raises SaveError for a missing
    or mistyped field, and for a member without both anchors (readers would take it for a node).
    """
    _check(save, where)
    nodes: list[Node] = []
    members: list[Member] = []
    for i, entry in enumerate(save["Objects"]):
        place = f"{where}: Objects[{i}]"
        if entry["type"] == NODE_TYPE:
            kinematic = entry.get("isKinematic", False)
            if not isinstance(kinematic, bool):
                raise SaveError(f"{place}.isKinematic is {kinematic!r}; it must be true or absent")
            x, y = (round(_number(entry, key, place), 4) + 0.0 for key in ("x", "y"))
            nodes.append(Node(entry["id"], x, y, kinematic))
        else:
            a, b = (_integer(entry, key, place, least=1) for key in ("anchorAID", "anchorBID"))
            rate = _number(entry, "rate", place) if "rate" in entry else 0
            members.append(Member(entry["id"], entry["type"], a, b, _whole(rate)))
    return Design(tuple(nodes), tuple(members))


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout file: its exact text, and where in it the first save stands.

    `first_span` is the half-open range of the first entry's JSON string, quotes included.
    """

    text: str
    payloads: tuple[str, ...]
    first_span: tuple[int, int]
    where: str

    def first_save(self) -> Save:
        """The save that is loaded. Raises SaveError."""
        return decode_payload(self.payloads[0], f"{self.where}: saveFiles[0]")


def read_layout(data: bytes, where: str = "layout file") -> Layout:
    """Read a layout file's bytes; `where` (its name) starts every message.

    Raises SaveError when it is no UTF-8 JSON object with a list `saveFiles` of at least one
    string. The payloads themselves are not decoded.
    """
    content = _load(data.removeprefix(b"\xef\xbb\xbf"), where)
    if not isinstance(content, dict):
        raise SaveError(f"{where}: must be a JSON object, not {_kind(content)}")
    files = content.get("saveFiles")
    if not isinstance(files, list) or not files:
        raise SaveError(f"{where}: saveFiles must be a list with at least one payload")
    for i, entry in enumerate(files):
        if not isinstance(entry, str):
            raise SaveError(f"{where}: saveFiles[{i}] must be a string, not {_kind(entry)}")
    text = data.decode()
    return Layout(text, tuple(files), _first_entry_span(text), where)


def replace_first_save(data: bytes, save: Mapping[str, Json], where: str = "layout file") -> bytes:
    """The layout file's bytes with another first save; every other byte stays as it was.

    The new payload has its slashes escaped where the old one had. Raises SaveError like
    `read_layout` and `encode_payload`.
    """
    layout = read_layout(data, where)
    start, end = layout.first_span
    payload = encode_payload(save)
    if "\\/" in layout.text[start:end]:
        payload = payload.replace("/", "\\/")
    return f'{layout.text[:start]}"{payload}"{layout.text[end:]}'.encode()


def _object(type_: int, x: float, y: float, id_: int, a: int, b: int, rate: float) -> Save:
    return {
        "type": type_,
        "x": _whole(x),
        "y": _whole(y),
        "id": id_,
        "anchorAID": a,
        "anchorBID": b,
        "splitForDrawBridge": 0,
        "rate": _whole(rate),
    }


def _from_base64(text: str, where: str) -> bytes:
    wrong = re.search(r"[^A-Za-z0-9+/=]", text)
    if wrong:
        raise SaveError(
            f"{where}: is not Base64: character {wrong[0]!r} at position {wrong.start()}"
        )
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise SaveError(f"{where}: is not Base64 ({len(text)} characters): {error}") from None


def _inflate(data: bytes, where: str) -> bytes:
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(data, DECODED_LIMIT_BYTES + 1)
    except zlib.error as error:
        raise SaveError(
            f"{where}: is not zlib data (begins {data[:4].hex(' ')}): {error}"
        ) from None
    if len(raw) > DECODED_LIMIT_BYTES:
        raise SaveError(
            f"{where}: unpacks to more than {DECODED_LIMIT_BYTES} bytes from {len(data)}; "
            "no bridge is that large"
        )
    if not stream.eof:
        raise SaveError(f"{where}: zlib data are cut off after {len(data)} bytes")
    if stream.unused_data:
        extra = len(stream.unused_data)
        raise SaveError(f"{where}: {extra} bytes follow the zlib data at byte {len(data) - extra}")
    return raw


def _load(raw: bytes, where: str) -> Any:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise SaveError(f"{where}: is not UTF-8 at byte {error.start}") from None
    try:
        return json.loads(
            text,
            parse_float=SpelledFloat,
            parse_constant=_no_constant,
            object_pairs_hook=_unique,
        )
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{where}: is not valid JSON: {error}") from None


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON number")


def _unique(pairs: list[tuple[str, Json]]) -> Save:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(k for k in keys if keys.count(k) > 1)!r} is there twice")
    return found


def _check(save: Any, where: str) -> None:
    """Raise SaveError unless this has the shape of a save."""
    if not isinstance(save, Mapping):
        raise SaveError(
            f"{where}: must be an object with DisplayName and Objects, not {_kind(save)}"
        )
    if not isinstance(save.get("DisplayName"), str):
        raise SaveError(
            f"{where}: DisplayName must be a string, not {_kind(save.get('DisplayName'))}"
        )
    objects = save.get("Objects")
    if not isinstance(objects, list):
        raise SaveError(f"{where}: Objects must be a list, not {_kind(objects)}")
    for i, entry in enumerate(objects):
        place = f"{where}: Objects[{i}]"
        if not isinstance(entry, Mapping):
            raise SaveError(f"{place} must be an object, not {_kind(entry)}")
        _integer(entry, "type", place, least=0)
        _integer(entry, "id", place, least=1)


def _integer(entry: Mapping[str, Json], key: str, place: str, *, least: int) -> int:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise SaveError(f"{place}.{key} must be an integer, not {_kind(value)}")
    if value < least:
        raise SaveError(f"{place}.{key} is {value}; it must be at least {least}")
    return value


def _number(entry: Mapping[str, Json], key: str, place: str) -> float:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SaveError(f"{place}.{key} must be a number, not {_kind(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise SaveError(f"{place}.{key} is too large a number")
    return number


def _kind(value: Json) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _whole(number: float) -> float:
    """The number as an int where it is one, so that JSON spells it without a decimal point."""
    return int(number) if number == math.floor(number) else number


def _json(value: Json, place: str) -> str:
    """Compact JSON; `json` alone cannot be told how to spell a float."""
    if isinstance(value, Mapping):
        pairs = (f"{_string(k)}:{_json(v, f'{place}.{k}')}" for k, v in value.items())
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_json(v, f"{place}[{i}]") for i, v in enumerate(value)) + "]"
    if isinstance(value, SpelledFloat):
        return value.text
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float) and math.isfinite(value):
        # Decimal writes out what repr would give an exponent.
        return format(Decimal(repr(_whole(value))), "f")
    if value is None or isinstance(value, bool | int):
        return json.dumps(value)
    raise SaveError(f"{place}: {value!r} cannot be written as JSON")


def _string(text: str) -> str:
    # A lone surrogate has no UTF-8 form, only an escape.
    return json.dumps(text, ensure_ascii=not _is_utf8(text))


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _first_entry_span(text: str) -> tuple[int, int]:
    """Where the first string of the top-level `saveFiles` stands; the text is known to be valid."""
    decoder = json.JSONDecoder()
    at = text.index("{") + 1
    while True:
        key = _token(text, at)
        at = _after_space(text, _after_space(text, key.end()) + 1)
        if json.loads(key[1]) == "saveFiles":
            return _token(text, at + 1).span(1)
        _, at = decoder.raw_decode(text, at)
        at = _after_space(text, at) + 1


def _token(text: str, at: int) -> re.Match[str]:
    """The JSON string that comes next, as group 1."""
    match = _STRING.match(text, at)
    assert match is not None
    return match


def _after_space(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at
