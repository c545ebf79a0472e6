"""Finding the object: what is wrapping, and time linear in the text, however hostile."""

from __future__ import annotations

import pytest

from bench.answer_json import NotOneObject, find_object
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
    "open thoughts": fill("<think>"),
    "closed thoughts": fill("</think>", head="<think>"),
    "drafts in thoughts": fill('{"a":1}', head="<think>", tail="</think>"),
    "drafts in open thoughts": fill('{"a":1}', head="<think>"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_two_megabytes_of_anything_are_refused(name):
    text = HOSTILE[name]
    assert len(text) > SIZE - 1000
    found = parse_answer(text)
    assert found.violations[0].code in ("PARSE_ERROR", "SCHEMA_ERROR")
    assert len(found.violations) <= 21
    assert max(len(v.message) for v in found.violations) < 300


DRAFT = '{"draft": 1}'

WRAPPED = {
    "thoughts": f"<think>Let me see.</think>{DRAFT}",
    "empty thoughts": f"<think></think>\n\n{DRAFT}",
    "a draft in the thoughts": f'<think>\nMaybe {{"a": 1}}?\n</think>\n{DRAFT}',
    "a half draft in the thoughts": f'<think>{{"a": [</think>{DRAFT}',
    "a list left open in the thoughts": f"<think>first, [</think>{DRAFT}",
    "white space and a mark before the thoughts": f"\ufeff \n<think>x</think>{DRAFT}",
    "thoughts and a fence": f"<think>x</think>\n```json\n{DRAFT}\n```",
    "an end of thoughts without a begin": f"so it is. </think>{DRAFT}",
    "thoughts after other words": f"Well. <think>x</think>{DRAFT}",
    "thoughts left open before the only object": f"<think>so: {DRAFT}",
}


@pytest.mark.parametrize("text", WRAPPED.values(), ids=WRAPPED.keys())
def test_what_stands_around_the_one_object_is_dropped_and_noted(text: str) -> None:
    found = find_object(text)
    assert found.value == {"draft": 1}
    assert found.wrapped


NOT_ONE = {
    "a draft in the thoughts alone": (f"<think>{DRAFT}</think>", "no JSON object after its </thi"),
    "an object after the object": (f"<think>x</think>{DRAFT}{DRAFT}", "more than one JSON object"),
    "a second block of thoughts": (
        f"<think>x</think><think>{DRAFT}</think>{DRAFT}",
        "more than one JSON object: one starts at line 1, column 24",
    ),
    "a draft in thoughts after other words": (
        f"Well. <think>{DRAFT}</think>{DRAFT}",
        "more than one JSON object",
    ),
    "cut off after the thoughts": (f"<think>{DRAFT}</think>" + '{"a": [1', "cut off before it"),
    "in a list after the thoughts": (f"<think>x</think>[{DRAFT}]", "inside a list"),
    "thoughts left open with two drafts": (f"<think>{DRAFT}{DRAFT}", "more than one JSON object"),
}


@pytest.mark.parametrize(("text", "says"), NOT_ONE.values(), ids=NOT_ONE.keys())
def test_only_one_leading_block_of_thoughts_is_dropped(text: str, says: str) -> None:
    with pytest.raises(NotOneObject) as caught:
        find_object(text)
    assert says in str(caught.value)


def test_a_word_in_angle_brackets_within_the_answer_stays() -> None:
    found = find_object('{"thought": "<think>x</think>"}')
    assert found.value == {"thought": "<think>x</think>"}
    assert not found.wrapped
