"""The fault table: each fault is played by a real server, and everything that follows is pinned."""

from __future__ import annotations

import json
from dataclasses import dataclass

import httpx2
import pytest

from bench.clients.choices import MAX_REPLY_BYTES
from bench.clients.faults import RETRY_AFTER_CAP_S, RULES
from bench.clients.transport import fault_of_exception
from bench.errors import ClientError, FatalClientError
from tests_unit.support.asking import ask
from tests_unit.support.model_server import (
    ModelServer,
    Play,
    answer,
    closed_url,
    completion,
    error,
    html,
    in_turn,
    sends,
)

GOOD = answer('{"action": "modify"}')
LLAMA_SAYS = 'can only concatenate str (not "list") to str'


@dataclass(frozen=True)
class Case:
    """A fault, and what must follow: its kind, attempts made, and where the run goes."""

    play: Play
    kind: str
    tries: int
    ends: type[ClientError]
    status: int | None
    billed: bool
    said: str


CASES = {
    "429": Case(
        error(429, "slow down", "rate_limit_exceeded"),
        *("rate_limit", 3, ClientError, 429, False, "slow down"),
    ),
    "429 quota": Case(
        error(429, "You exceeded your current quota", "insufficient_quota"),
        *("quota", 1, FatalClientError, 429, False, "add credit"),
    ),
    "402": Case(
        error(402, "Payment required"), *("quota", 1, FatalClientError, 402, False, "Payment")
    ),
    "401": Case(
        error(401, "Incorrect API key provided"),
        *("authentication", 1, FatalClientError, 401, False, "no key was sent"),
    ),
    "403": Case(
        error(403, "not allowed in your country"),
        *("authentication", 1, FatalClientError, 403, False, "country"),
    ),
    "404 model": Case(
        error(404, "The model `x` does not exist", "model_not_found"),
        *("unknown_model", 1, FatalClientError, 404, False, "does not exist"),
    ),
    "400": Case(
        error(400, "Unsupported parameter: temperature", "unsupported_parameter"),
        *("bad_request", 1, FatalClientError, 400, False, "temperature"),
    ),
    "400 too long": Case(
        error(400, "too many tokens", "context_length_exceeded"),
        *("context_length", 1, ClientError, 400, False, "longer context"),
    ),
    "400 in a list": Case(
        sends([{"error": {"code": 400, "message": "API key not valid", "status": "INVALID"}}], 400),
        *("bad_request", 1, FatalClientError, 400, False, "API key not valid"),
    ),
    "500": Case(error(500, "internal"), *("server_error", 3, ClientError, 500, True, "internal")),
    "500 text only": Case(
        error(500, LLAMA_SAYS), *("text_only", 1, FatalClientError, 500, False, "--no-images")
    ),
    "502 html": Case(html(502), *("server_error", 3, ClientError, 502, True, "Bad Gateway")),
    "503": Case(error(503, "loading"), *("busy", 3, ClientError, 503, False, "loading")),
    "redirect": Case(
        Play(307, b"", {"Location": "http://elsewhere.example/v1/x?token=1"}),
        *("redirect", 1, FatalClientError, 307, False, "http://elsewhere.example/v1/x'"),
    ),
    "reset in mid-body": Case(
        Play(body=GOOD.body, reset_after=40),
        *("reset", 3, ClientError, None, True, "3 attempts"),
    ),
    "slow first byte": Case(
        Play(body=GOOD.body, delay_s=0.5),
        *("read_timeout", 3, ClientError, None, True, "3 attempts"),
    ),
    "trickle": Case(
        Play(body=b" " * 60, piece=1, pause_s=0.05),
        *("deadline", 3, ClientError, None, True, "0.8 s"),
    ),
    "broken JSON": Case(
        Play(body=GOOD.body[:-30]), *("not_json", 3, ClientError, 200, True, "bytes that begin")
    ),
    "202 without a body": Case(
        Play(202), *("not_json", 3, ClientError, 202, True, "HTTP 202: 0 bytes")
    ),
    "200 html": Case(html(200), *("not_json", 3, ClientError, 200, True, "Bad Gateway")),
    "not UTF-8": Case(
        Play(body=b'{"choices": "\xff"}'), *("not_json", 3, ClientError, 200, True, "16 bytes")
    ),
    "deep nesting": Case(
        Play(body=b"[" * 200_000), *("not_json", 3, ClientError, 200, True, "200000 bytes")
    ),
    "error object": Case(
        sends({"error": {"message": "upstream overloaded"}}),
        *("error_object", 3, ClientError, 200, True, "upstream overloaded"),
    ),
    "error object quota": Case(
        sends({"error": {"message": "no", "code": "insufficient_quota"}}),
        *("quota", 1, FatalClientError, 200, False, "add credit"),
    ),
    "error in the choice": Case(
        sends({"choices": [{"error": {"code": 502, "message": "upstream died"}}]}),
        *("server_error", 3, ClientError, 200, True, "upstream died"),
    ),
    "empty choices": Case(
        sends({"choices": []}), *("no_choice", 3, ClientError, 200, True, "choices = []")
    ),
    "null choices": Case(
        sends({"choices": None}), *("no_choice", 3, ClientError, 200, True, "choices = None")
    ),
    "no message": Case(
        sends({"choices": [{"finish_reason": "stop"}]}),
        *("no_choice", 3, ClientError, 200, True, "message = None"),
    ),
    "empty answer": Case(
        answer("", None), *("empty_answer", 3, ClientError, 200, True, "finish_reason")
    ),
    "huge body": Case(
        Play(body=b" " * 1_000_000, repeat=40),
        *("body_too_large", 1, ClientError, None, True, "16000000 bytes"),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_fault_is_tried_recorded_and_shown_as_the_table_says(case: Case) -> None:
    with ModelServer(case.play) as server:
        asked = ask(server.url, *(["read_timeout_s=2", "deadline_s=5"] if case.tries == 1 else []))
        assert len(server.seen) == case.tries
    assert type(asked.error) is case.ends
    assert f" {case.kind}: " in str(asked.error)
    assert case.said in str(asked.error)
    assert "\n" not in str(asked.error)
    assert [a["attempt"] for a in asked.attempts] == list(range(1, case.tries + 1))
    for attempt in asked.attempts:
        assert attempt["error"] == case.kind
        assert attempt["status"] == case.status
        assert attempt["possibly_billed"] is case.billed
        assert attempt["started_at"] == "2026-11-30T00:00:00+00:00"
        json.dumps(attempt, allow_nan=False)
    assert len(asked.shown) == case.tries
    assert f"G1_Test call 1: attempt 1 of 3 failed: {case.kind}" in asked.shown[0]
    assert asked.slept == [2.0, 4.0][: case.tries - 1]


def test_refused_connection_is_tried_and_not_billed() -> None:
    asked = ask(closed_url())
    assert type(asked.error) is ClientError
    assert [(a["error"], a["possibly_billed"]) for a in asked.attempts] == [
        ("no_connection", False)
    ] * 3


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ConnectTimeout("t"), "no_connection"),
        (httpx2.ProxyError("407"), "no_connection"),
        (httpx2.PoolTimeout("t"), "pool_timeout"),
        (httpx2.WriteTimeout("t"), "write_failed"),
        (httpx2.WriteError("gone"), "write_failed"),
        (httpx2.RemoteProtocolError("no response"), "reset"),
        (httpx2.DecodingError("bad gzip"), "not_json"),
    ],
)
def test_fault_is_found_below_the_sdks_own_exception(error: Exception, kind: str) -> None:
    try:
        try:
            raise error
        except httpx2.RequestError as cause:
            raise RuntimeError("Connection error.") from cause
    except RuntimeError as wrapped:
        fault = fault_of_exception(wrapped)
    assert (fault.kind, fault.message) == (kind, str(error))


def test_every_rule_of_the_table_is_played_or_named_here() -> None:
    not_played = {"no_connection", "pool_timeout", "write_failed", "interrupted"}
    assert {case.kind for case in CASES.values()} == set(RULES) - not_played


def test_a_fault_that_passes_leaves_a_reply_and_its_trace() -> None:
    with ModelServer(in_turn(error(503, "loading"), html(502), GOOD)) as server:
        asked = ask(server.url)
    assert asked.reply is not None
    assert asked.reply.text == '{"action": "modify"}'
    assert [a["error"] for a in asked.attempts] == ["busy", "server_error", None]
    assert [a["request_id"] for a in asked.attempts] == ["req-1", "req-2", "req-3"]
    assert asked.attempts[2]["status"] == 200


def test_backoff_doubles_from_2_s_and_stays_at_10_s() -> None:
    with ModelServer(error(500, "no")) as server:
        assert ask(server.url, "attempts=6").slept == [2.0, 4.0, 8.0, 10.0, 10.0]


@pytest.mark.parametrize(
    ("header", "value", "waits"),
    [
        ("Retry_After", "7", 7.0),
        ("Retry_After", "1", 2.0),
        ("Retry_After", "86400", RETRY_AFTER_CAP_S),
        ("Retry_After", "soon", 2.0),
        ("Retry_After", "nan", 2.0),
        ("Retry_After", "-5", 2.0),
        ("Retry_After", "Thu, 01 Jan 2099 00:00:00 GMT", RETRY_AFTER_CAP_S),
        ("Retry_After", "Thu, 01 Jan 1998 00:00:00 GMT", 2.0),
        ("retry_after_ms", "3500", 3.5),
    ],
)
def test_retry_after_is_honoured_up_to_its_cap(header: str, value: str, waits: float) -> None:
    with ModelServer(in_turn(error(429, "slow", **{header: value}), GOOD)) as server:
        asked = ask(server.url)
    assert asked.slept == [waits]
    assert f"next try in {waits:g} s" in asked.shown[0]


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
    assert len(asked.reply.text.encode()) == MAX_REPLY_BYTES + 1
    assert asked.reply.meta["cut_from_bytes"] == 2_400_001


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "7"}, {"prompt_tokens": -1}])
def test_missing_usage_stays_unknown(usage: object) -> None:
    with ModelServer(sends({**completion("{}"), "usage": usage})) as server:
        asked = ask(server.url)
    assert asked.reply is not None
    assert asked.reply.usage.input_tokens is None
    assert asked.reply.usage.output_tokens is None


def test_usage_and_reasoning_are_kept_apart_from_the_text() -> None:
    with ModelServer(answer("{}", reasoning_content="Let me think")) as server:
        asked = ask(server.url)
    assert asked.reply is not None
    usage = asked.reply.usage
    assert (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens) == (1000, 200, 150)
    assert asked.reply.reasoning == "Let me think"
    assert asked.reply.text == "{}"
