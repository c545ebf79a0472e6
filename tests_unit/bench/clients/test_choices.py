"""Complete choices: every form that servers give an answer, its usage and its thoughts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.answer_json import LIMIT_BYTES
from bench.clients.base import Reply
from bench.clients.choices import BROKEN_OFF, read_completion
from bench.clients.faults import Fault
from bench.clients.said import shape_of
from tests_unit.support.asking import ask
from tests_unit.support.model_server import ModelServer, Play, answer, completion, error

SCORED = {
    "refusal": (answer(None, "stop", refusal="I will not"), "", "stop", {"refusal": "I will not"}),
    "filtered": (answer(None, "content_filter"), "", "content_filter", {}),
    "cut off": (answer('{"action": "mod', "length"), '{"action": "mod', "length", {}),
    "cut off before any text": (answer(None, "length"), "", "length", {}),
    "empty": (answer("", "stop"), "", "stop", {}),
    "tool call": (
        answer(None, "tool_calls", tool_calls=[{"id": "1"}]),
        *("", "tool_calls", {"tool_calls": [{"id": "1"}]}),
    ),
    "no finish reason": (answer("{}", None), "{}", None, {}),
    "text parts": (
        answer([{"type": "text", "text": "{"}, {"type": "text", "text": "}"}]),  # type: ignore
        *("{}", "stop", {}),
    ),
    "prompt filtered": (
        error(400, "The response was filtered", "content_filter"),
        *("", "content_filter", {"http_status": 400}),
    ),
    "wrong content type": (
        Play(body=json.dumps(completion("{}")).encode(), headers={"Content-Type": "text/plain"}),
        *("{}", "stop", {}),
    ),
    "unicode": (answer("Brücke \U0001f309 橋 \x00"), "Brücke \U0001f309 橋 \x00", "stop", {}),
    "half a character": (answer("a\ud83d!"), "a\ufffd!", "stop", {"lone_surrogates": 1}),
    "other spacing": (answer(" \n{}\r\n"), " \n{}\r\n", "stop", {}),
}


@pytest.mark.parametrize(
    ("play", "text", "finish_reason", "meta"), SCORED.values(), ids=SCORED.keys()
)
def test_complete_choice_is_returned_as_it_came_and_asked_once(
    play: Play, text: str, finish_reason: str | None, meta: dict[str, object]
) -> None:
    with ModelServer(play) as server:
        asked = ask(server.url)
        assert len(server.seen) == 1
    assert asked.error is None
    assert asked.reply is not None
    assert asked.reply.text == text
    assert asked.reply.finish_reason == finish_reason
    assert meta.items() <= asked.reply.meta.items()
    assert [a["error"] for a in asked.attempts] == [None]
    asked.reply.text.encode("utf-8")


def test_long_reply_is_cut_just_past_the_limit_and_says_so() -> None:
    with ModelServer(answer("x" + "ü" * 1_200_000)) as server:
        asked = ask(server.url, "read_timeout_s=5", "deadline_s=20")
    assert asked.reply is not None
    assert len(asked.reply.text.encode()) == LIMIT_BYTES + 1
    assert asked.reply.meta["cut_from_bytes"] == 2_400_001


def read(body: Any) -> Reply | Fault:
    return read_completion(json.dumps(body).encode())


def reply_of(content: Any, finish: str | None = "stop", **message: Any) -> Reply:
    reply = read(completion(content, finish, **message))
    assert isinstance(reply, Reply), reply
    return reply


TEXT = {"type": "text", "text": "{}"}
THOUGHT = {"type": "thinking", "thinking": "hm"}

CONTENT = {
    "nothing": (None, ""),
    "text": ("{}", "{}"),
    "text parts": ([TEXT, TEXT], "{}{}"),
    "output_text": ([{"type": "output_text", "text": "{}", "annotations": []}], "{}"),
    "bare strings": (["{", "}"], "{}"),
    "parts without a type": ([{"text": "{}"}], "{}"),
    "a text with a value": ([{"type": "text", "text": {"value": "{}"}}], "{}"),
    "one part that is no list": (TEXT, "{}"),
    "all forms": (["{", {"text": '"a": '}, {"type": "output_text", "text": "1}"}], '{"a": 1}'),
    "thoughts before the text": ([THOUGHT, TEXT], "{}"),
    "thoughts alone": ([THOUGHT], ""),
    "no part": ([], ""),
    "a refusal part": ([{"type": "refusal", "refusal": "no"}], ""),
    "a call part": ([TEXT, {"type": "tool_use", "name": "build", "input": {}}], "{}"),
}


@pytest.mark.parametrize(("content", "text"), CONTENT.values(), ids=CONTENT.keys())
def test_what_is_text_is_read_in_every_form(content: Any, text: str) -> None:
    assert reply_of(content).text == text


def test_a_refusal_and_calls_within_the_content_are_kept_beside_it() -> None:
    call = {"type": "tool_use", "name": "build"}
    reply = reply_of([{"type": "refusal", "refusal": "no"}, call])
    assert reply.meta["refusal"] == "no"
    assert reply.meta["tool_calls"] == [call]


UNKNOWN = {
    "another type": ([{"type": "image", "url": "u"}], "content: [{type: 'image', url: str}]"),
    "another type beside a text": ([TEXT, {"type": "x", "blob": 1}], "{type: 'x', blob: int}"),
    "a text that is none": ([{"type": "text", "text": 5}], "[{type: 'text', text: int}]"),
    "a text part without a text": ([{"type": "text"}], "[{type: 'text'}]"),
    "a list in the list": ([["{}"]], "content: [[str]]"),
    "a number": (5, "content: int"),
    "an object without a text": ({"parts": [TEXT]}, "content: {parts: [{type: 'text'"),
}


@pytest.mark.parametrize(("content", "form"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_what_is_not_understood_is_no_complete_choice_and_its_form_is_told(
    content: Any, form: str
) -> None:
    fault = read(completion(content))
    assert isinstance(fault, Fault)
    assert fault.kind == "unreadable"
    assert form in fault.message


THOUGHTS: dict[str, tuple[dict[str, Any], str | None]] = {
    "none": ({}, None),
    "reasoning_content": ({"reasoning_content": "hm"}, "hm"),
    "reasoning": ({"reasoning": "hm"}, "hm"),
    "thinking": ({"thinking": "hm"}, "hm"),
    "thinking_blocks": ({"thinking_blocks": [THOUGHT, {"type": "redacted", "data": "x"}]}, "hm"),
    "reasoning_details": (
        {
            "reasoning_details": [
                {"type": "reasoning.text", "text": "h"},
                {"type": "reasoning.summary", "summary": "m"},
                {"type": "reasoning.encrypted", "data": "x"},
            ]
        },
        "hm",
    ),
    "the words before their details": (
        {"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]},
        "hm",
    ),
    "parts": ({"content": [THOUGHT, TEXT]}, "hm"),
    "parts with parts": (
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, TEXT]},
        "hm",
    ),
    "encrypted parts": ({"content": [{"type": "redacted_thinking", "data": "x"}, TEXT]}, None),
    "empty": ({"reasoning_content": "", "thinking": []}, None),
}


@pytest.mark.parametrize(("message", "thoughts"), THOUGHTS.values(), ids=THOUGHTS.keys())
def test_thoughts_are_recorded_from_wherever_they_stand(
    message: dict[str, Any], thoughts: str | None
) -> None:
    reply = reply_of(**{"content": "{}", **message})
    assert reply.reasoning == thoughts
    assert reply.text == "{}"


@pytest.mark.parametrize("finish", [*sorted(BROKEN_OFF), "ERROR", "Aborted"])
def test_an_answer_that_the_server_broke_off_is_no_complete_choice(finish: str) -> None:
    fault = read(completion("{}", finish))
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.message) == ("error_object", f"finish_reason = {finish!r}")


@pytest.mark.parametrize("finish", ["stop", "length", "content_filter", "sensitive", "tool_calls"])
def test_other_finish_reasons_leave_the_answer_whole(finish: str) -> None:
    assert reply_of("{}", finish).finish_reason == finish


@pytest.mark.parametrize("nothing", [None, "", {}, [], {"code": None, "message": ""}, False])
def test_an_error_that_says_nothing_is_none(nothing: Any) -> None:
    reply = read({**completion("{}"), "error": nothing})
    assert isinstance(reply, Reply)


def test_the_form_of_a_body_shows_no_value_but_names_and_stays_short() -> None:
    body = {"type": "x", "id": "secret", "n": [1, 2, "a"], "deep": {"a": {"b": {"c": {}}}}}
    assert shape_of(body) == ("{type: 'x', id: str, n: [int, str], deep: {a: {b: {c: {}}}}}")
    assert len(shape_of({str(i): i for i in range(1000)})) < 200
    assert len(shape_of([[i] for i in range(1000)])) < 20
