"""The fault table: each fault is played by a real server, and everything that follows is pinned."""

from __future__ import annotations

import json
from dataclasses import dataclass

import httpx2
import pytest

from bench.clients.faults import RETRY_AFTER_CAP_S, RULES, fault_of_status, recurs
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
HTML = {"Content-Type": "text/html"}
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
    args: tuple[str, ...] = ()


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
        *("forbidden", 1, FatalClientError, 403, False, "country"),
    ),
    "404 nginx": Case(
        Play(404, b"<html><h1>404 Not Found</h1><hr>nginx/1.27</html>", HTML),
        *("wrong_address", 1, FatalClientError, 404, False, "check --base-url"),
    ),
    "404 without a word of a model": Case(
        sends({"detail": "Not Found"}, 404),
        *("wrong_address", 1, FatalClientError, 404, False, "Not Found; check --base-url"),
    ),
    "405": Case(
        sends({"detail": "Method Not Allowed"}, 405),
        *("wrong_address", 1, FatalClientError, 405, False, "Method Not Allowed"),
    ),
    "404 model of another wording": Case(
        sends({"error": {"code": 404, "message": "models/x is not found for API v1beta"}}, 404),
        *("unknown_model", 1, FatalClientError, 404, False, "models/x is not found"),
    ),
    "422 with a list of details": Case(
        sends(
            {
                "detail": [
                    {"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Not permitted"},
                    {"type": "x", "loc": ["body", "messages", 1], "msg": "Too short", "input": "p"},
                ]
            },
            422,
        ),
        *("bad_request", 1, FatalClientError, 422, False, "body.seed: Not permitted; body.messag"),
    ),
    "422 with a list of errors": Case(
        sends({"errors": [{"message": "top_k is no number"}]}, 422),
        *("bad_request", 1, FatalClientError, 422, False, "top_k is no number"),
    ),
    "400 with a reason within a reason": Case(
        sends({"error": {"message": {"detail": "temperature must be 1"}}}, 400),
        *("bad_request", 1, FatalClientError, 400, False, "temperature must be 1"),
    ),
    "400 plain HTTP to a TLS port": Case(
        Play(400, b"<title>400 The plain HTTP request was sent to HTTPS port</title>", HTML),
        *("tls", 1, FatalClientError, 400, False, "check --base-url: http:// or https://"),
    ),
    "429 that asks to wait for a day": Case(
        error(429, "slow down", Retry_After="86400"),
        *("rate_limit", 1, FatalClientError, 429, False, "wait 86400 s, more than the 120 s"),
    ),
    "500 that asks to wait for an hour": Case(
        error(500, "down", retry_after_ms="3600000"),
        *("server_error", 1, FatalClientError, 500, True, "wait 3600 s, more than the 120 s"),
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
        args=("read_timeout_s=0.3",),
    ),
    "trickle": Case(
        Play(body=b" " * 60, piece=1, pause_s=0.05),
        *("deadline", 3, ClientError, None, True, "0.8 s"),
        args=("deadline_s=0.8",),
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
    "error beside a choice": Case(
        sends({**completion("{}"), "error": {"message": "upstream died"}}),
        *("error_object", 3, ClientError, 200, True, "upstream died"),
    ),
    "finish reason error": Case(
        answer("{}", "error"), *("error_object", 3, ClientError, 200, True, "'error'")
    ),
    "finish reason abort": Case(
        answer('{"action"', "abort"), *("error_object", 3, ClientError, 200, True, "'abort'")
    ),
    "content of an unknown form": Case(
        answer([{"type": "video", "url": "secret"}]),  # type: ignore[arg-type]
        *("unreadable", 1, ClientError, 200, True, "content: [{type: 'video', url: str}]"),
    ),
    "empty choices": Case(
        sends({"choices": []}), *("no_choice", 3, ClientError, 200, True, "choices = []")
    ),
    "null choices with a reason": Case(
        sends({"choices": None, "message": "no worker is free", "object": "error"}),
        *("no_choice", 3, ClientError, 200, True, "choices = None; no worker is free"),
    ),
    "null choices": Case(
        sends({"choices": None, "id": "1"}),
        *("no_choice", 3, ClientError, 200, True, "None; the body is {choices: null, id: str}"),
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
        asked = ask(server.url, *case.args)
        assert len(server.seen) == case.tries
    assert type(asked.error) is case.ends
    assert f" {case.kind}: " in str(asked.error)
    assert case.said in str(asked.error)
    assert "\n" not in str(asked.error)
    assert isinstance(asked.error, ClientError)
    assert asked.error.kind == case.kind
    assert (asked.error.__cause__, asked.error.__context__) == (None, None)  # one reason, alone
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
        ("Retry_After", "120", RETRY_AFTER_CAP_S),
        ("Retry_After", "soon", 2.0),
        ("Retry_After", "nan", 2.0),
        ("Retry_After", "-5", 2.0),
        ("Retry_After", "Mon, 30 Nov 2026 00:01:30 GMT", 90.0),
        ("Retry_After", "Thu, 01 Jan 1998 00:00:00 GMT", 2.0),
        ("retry_after_ms", "3500", 3.5),
    ],
)
def test_retry_after_is_honoured_up_to_its_cap(header: str, value: str, waits: float) -> None:
    with ModelServer(in_turn(error(429, "slow", **{header: value}), GOOD)) as server:
        asked = ask(server.url)
    assert asked.slept == [waits]
    assert f"next try in {waits:g} s" in asked.shown[0]


def test_tls_to_a_plain_port_is_said_at_once() -> None:
    with ModelServer(GOOD) as server:
        asked = ask(server.url.replace("http://", "https://"))
        assert server.seen == []
    assert type(asked.error) is FatalClientError
    assert [(a["error"], a["possibly_billed"]) for a in asked.attempts] == [("tls", False)]
    assert "check --base-url: http:// or https://, and the port" in str(asked.error)


NO_IMAGES = {
    "llama-cpp-python": (500, LLAMA_SAYS),
    "llama.cpp": (500, "image input is not supported - hint: you may need to provide the mmproj"),
    "vLLM": (400, "At most 0 image(s) may be provided in one prompt."),
    "vLLM, older": (400, "my-model is not a multimodal model"),
    "DeepSeek": (400, "unknown variant `image_url`, expected `text` at line 1 column 90"),
    "OpenAI": (400, "Invalid content type. image_url is only supported by certain models."),
    "Ollama": (400, "this model does not support images"),
    "Groq": (400, "messages[1].content: this model doesn't support vision"),
    "OpenRouter": (404, "No endpoints found that support image input"),
    "MLX": (404, "Only 'text' content type is supported."),
    "Mistral": (400, "Image input is not allowed for this model"),
    "SGLang": (400, "multimodal inputs are not supported by this model"),
}


@pytest.mark.parametrize(("status", "words"), NO_IMAGES.values(), ids=NO_IMAGES.keys())
def test_a_server_without_sight_is_told_by_its_words(status: int, words: str) -> None:
    fault = fault_of_status(status, {}, json.dumps({"error": {"message": words}}).encode())
    assert fault.kind == "text_only"
    assert f"{words}; the server takes no images: give --no-images" in fault.line()


def test_a_schema_that_takes_only_texts_is_a_server_without_sight() -> None:
    place = ["body", "messages", 1, "content", "str"]
    detail = [{"type": "string_type", "loc": place, "msg": "Input should be a valid string"}]
    fault = fault_of_status(422, {}, json.dumps({"detail": detail}).encode())
    assert fault.kind == "text_only"


@pytest.mark.parametrize(
    "words",
    ["Unsupported value: 'temperature'", "images are too large", "Rate limit for vision models"],
)
def test_other_words_do_not_tell_of_a_server_without_sight(words: str) -> None:
    assert fault_of_status(400, {}, json.dumps({"error": words}).encode()).kind == "bad_request"


ROW = {"attempt": 1, "error": "bad_request"}
RECURS = {
    "first time": ("bad_request", [ROW], False),
    "second run": ("bad_request", [ROW, ROW], True),
    "second run after others": ("bad_request", [ROW, {"error": "reset"}, ROW], True),
    "a killed run between": ("bad_request", [ROW, {"event": "resumed"}, ROW], True),
    "two kinds": ("forbidden", [ROW, {"error": "forbidden"}], False),
    "not allowed, twice": ("forbidden", [{"error": "forbidden"}] * 2, True),
    "wrong key, twice": ("authentication", [{"error": "authentication"}] * 2, False),
    "tried again within one run": ("reset", [{"error": "reset"}] * 4, False),
    "no kind": ("", [{}, {}], False),
}


@pytest.mark.parametrize(("kind", "rows", "expected"), RECURS.values(), ids=RECURS.keys())
def test_what_may_be_one_prompts_fault_recurs_in_the_second_run(
    kind: str, rows: list[dict[str, object]], expected: bool
) -> None:
    assert recurs(kind, rows) is expected
    assert recurs(kind, rows[:1]) is False


def test_only_a_fault_that_stops_the_run_may_be_one_prompts() -> None:
    assert [kind for kind, rule in RULES.items() if rule.one_prompt and not rule.fatal] == []
