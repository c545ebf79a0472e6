"""Finding the object takes time linear in the text, however hostile."""

from __future__ import annotations

import pytest

from bench.bridge.answer.parse import parse_answer

SIZE = 2_000_000


def fill(piece: str, head: str = "", tail: str = "") -> str:
    """Two megabytes of one piece."""
    return head + piece * ((SIZE - len(head) - len(tail)) // len(piece)) + tail


HOSTILE = {
    "open braces": fill("{"),
    "open brackets": fill("["),
    "spaced braces": fill("{ "),
    "closing braces": fill("}"),
    "unbalanced braces": fill("{{}"),
    "nested objects": fill('{"a":'),
    "nested lists": fill("[", head='{"a":'),
    "object starts without colon": fill('{"a" '),
    "object starts in strings": fill('{"'),
    "escaped quotes": fill('{\\"'),
    "backslashes": fill("\\", head='{"'),
    "escapes": fill("\\n", head='{"a":"', tail='"}'),
    "lone surrogates": fill("\\ud800", head='{"a":"', tail='"}'),
    "empty objects": fill("{}"),
    "brackets and spaces": fill(" " * 999 + "["),
    "one object and braces": fill(" {", head='{"x":1}'),
    "empty lists": fill("[],", head='{"a":[', tail="1]}"),
    "empty nodes": fill("{},", head='{"nodes":[', tail="{}]}"),
    "integers": fill("1,", head='{"a":[', tail="1]}"),
    "digits": fill("7", head='{"a":', tail="}"),
    "decimals": fill("7", head='{"a":0.', tail="}"),
    "repeated keys": fill('"a":1,', head="{", tail='"a":1}'),
    "many repeated keys": fill('{"a":1,"a":2},', head='{"a":[', tail="1]}"),
    "NaN": fill("NaN,", head='{"a":[', tail="1]}"),
    "lines": fill("\n", tail="{"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_two_megabytes_of_anything_are_refused(name):
    text = HOSTILE[name]
    assert len(text) > SIZE - 1000
    found = parse_answer(text)
    assert found.violations[0].code in ("PARSE_ERROR", "SCHEMA_ERROR")
    assert len(found.violations) <= 21
    assert max(len(v.message) for v in found.violations) < 300
