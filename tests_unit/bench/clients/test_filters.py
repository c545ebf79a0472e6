"""Content filters that answer by an HTTP error: scored, whatever the provider's wording."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bench.clients.base import Reply
from bench.clients.choices import read_completion
from bench.clients.filters import FILTERS, STATUSES, filter_of_status
from bench.errors import FatalClientError
from tests_unit.support.asking import ask
from tests_unit.support.model_server import ModelServer, completion, error, sends

POLICY = "Invalid prompt: your prompt was flagged as potentially violating our usage policy."
SAFETY = "Invalid prompt: we've limited access to this content for safety reasons."

# Provider -> bodies in its forms, abridged from public reports.
BODIES: dict[str, list[Any]] = {
    "OpenAI": [
        {"error": {"message": POLICY, "type": "invalid_request_error", "code": "invalid_prompt"}},
        {"error": {"message": SAFETY, "type": "invalid_request_error", "code": "invalid_prompt"}},
        {"error": {"message": POLICY, "code": None}},
        {"error": {"message": "rejected by our safety system", "code": "content_policy_violation"}},
        {"error": {"message": "rejected", "code": "moderation_blocked"}},
    ],
    "Azure OpenAI": [
        {"error": {"message": "filtered", "code": "content_filter"}},
        {
            "error": {
                "message": "triggering our content management policy",
                "code": "400",
                "innererror": {"code": "ResponsibleAIPolicyViolation"},
            }
        },
    ],
    "Anthropic": [
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "Output blocked by content filtering policy",
            },
        }
    ],
    "Gemini": [
        {"error": {"code": 400, "message": "blocked: PROHIBITED_CONTENT", "status": "X"}},
        [{"error": {"code": 400, "message": "no", "details": [{"blockReason": "SAFETY"}]}}],
        {"promptFeedback": {"blockReason": "OTHER"}},
    ],
    "OpenRouter": [
        {"error": {"code": 403, "message": "m requires moderation on P. Your input was flagged"}},
        {
            "error": {
                "code": 403,
                "message": "no",
                "metadata": {"flagged_input": "x", "reasons": []},
            }
        },
    ],
    "xAI": [
        {
            "code": "The caller does not have permission",
            "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO",
        },
        {"error": "Failed check: SAFETY_CHECK_TYPE_DATA"},
    ],
    "Zhipu": [
        {"error": {"code": "1301", "message": "可能包含不安全或敏感内容"}},
        {"contentFilter": [{"level": 1, "role": "user"}], "error": {"code": "x", "message": "no"}},
    ],
    "Qwen": [
        {"error": {"code": "data_inspection_failed", "message": "inappropriate content"}},
        {"code": "DataInspectionFailed", "message": "Input data may be inappropriate"},
    ],
    "Moonshot": [
        {"error": {"type": "x", "message": "rejected because it was considered high risk"}}
    ],
    "DeepSeek": [{"error": {"message": "Content Exists Risk", "type": "invalid_request_error"}}],
    "Volcengine": [{"error": {"code": "InputTextSensitiveContentDetected", "message": "no"}}],
}

CASES = [(name, body) for name, bodies in BODIES.items() for body in bodies]
IDS = [f"{name} {number}" for name, bodies in BODIES.items() for number in range(len(bodies))]


@pytest.mark.parametrize(("provider", "body"), CASES, ids=IDS)
def test_filter_is_an_answer_by_an_http_error_and_in_http_200(provider: str, body: Any) -> None:
    own = next(row.status for row in FILTERS if row.provider == provider)
    with ModelServer(sends(body, own)) as server:
        asked = ask(server.url)
        assert len(server.seen) == 1
    assert [a["error"] for a in asked.attempts] == [None]
    for reply, status in (
        (asked.reply, own),
        (read_completion(json.dumps(body).encode()), 200),
    ):
        assert isinstance(reply, Reply), reply
        assert (reply.text, reply.finish_reason) == ("", "content_filter")
        assert (reply.meta["filter"], reply.meta["http_status"]) == (provider, status)


@pytest.mark.parametrize(("provider", "body"), CASES, ids=IDS)
def test_gateways_may_pass_it_on_under_another_status(provider: str, body: Any) -> None:
    found = [filter_of_status(status, json.dumps(body).encode()) for status in STATUSES]
    assert [row.provider for row in found if row is not None] == [provider] * len(STATUSES)
    assert filter_of_status(500, json.dumps(body).encode()) is None


def test_every_row_of_the_table_is_played() -> None:
    assert {row.provider for row in FILTERS} == set(BODIES)


OTHERS = {
    "a request of a wrong form": error(400, "messages: field required", "invalid_prompt"),
    "a country": error(403, "not allowed in your country"),
    "a field of that name": error(400, "unknown field safety_settings"),
    "a risk of another kind": error(400, "temperature is too high: risk of nonsense"),
    "another code with the digits": error(400, "limit is 1301 tokens"),
    "a server's fault": error(500, "content_filter service is down"),
}


@pytest.mark.parametrize("play", OTHERS.values(), ids=OTHERS.keys())
def test_other_errors_are_no_filters(play: Any) -> None:
    with ModelServer(play) as server:
        assert ask(server.url).reply is None


def test_filter_of_unknown_wording_stops_the_run_and_says_its_words() -> None:
    with ModelServer(error(400, "our guardians do not like bridges")) as server:
        asked = ask(server.url)
    assert type(asked.error) is FatalClientError
    assert asked.error.kind == "bad_request"
    assert "our guardians do not like bridges" in str(asked.error)


def test_an_answer_that_speaks_of_filters_is_only_an_answer() -> None:
    with ModelServer(sends(completion('{"note": "PROHIBITED_CONTENT content_filter"}'))) as server:
        asked = ask(server.url)
    assert asked.reply is not None
    assert asked.reply.finish_reason == "stop"
    assert json.loads(asked.reply.text)["note"].startswith("PROHIBITED")
