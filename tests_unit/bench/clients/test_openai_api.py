"""The client beside its faults: what is sent, where it goes, and what never leaks."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

import pytest

from bench.clients.limits import SharedLimits
from bench.clients.openai_api import make_openai_client
from bench.clients.options import ClientOptions
from bench.errors import BudgetReached, FatalClientError, ModelError
from tests_unit.support.asking import PATIENT, PRICES, ask, observation, png, request
from tests_unit.support.model_server import ModelServer, Play, answer, error, in_turn

KEY = "sk-seeded-Zq7Xv93LmTb42"


def test_request_holds_the_messages_and_only_the_parameters_of_the_profile() -> None:
    with ModelServer(answer("{}")) as server:
        ask(server.url, "temperature=0.2", "max_output_tokens=500", "image_detail=low")
        seen = server.seen[0]
    picture = base64.b64encode(png()).decode()
    assert seen.path == "/v1/chat/completions"
    assert seen.body == {
        "model": "local-model",
        "temperature": 0.2,
        "max_tokens": 500,
        "messages": [
            {"role": "system", "content": "Build a bridge."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "levelName: G1_Test"},
                    {
                        "type": "image_url",
                        "image_url": {"url": f"data:image/png;base64,{picture}", "detail": "low"},
                    },
                    {"type": "text", "text": "Answer in JSON."},
                ],
            },
        ],
    }


def test_unset_parameters_are_not_sent() -> None:
    with ModelServer(answer("{}")) as server:
        ask(server.url, "reasoning.reasoning_effort=low", "body.seed=7")
        body = server.seen[0].body
    assert set(body) == {"model", "messages", "reasoning_effort", "seed"}
    assert (body["reasoning_effort"], body["seed"]) == ("low", 7)


@pytest.mark.parametrize(
    ("order", "types"),
    [
        ("as_observed", ["text", "image_url", "text"]),
        ("images_first", ["image_url", "text", "text"]),
        ("images_last", ["text", "text", "image_url"]),
    ],
)
def test_image_order_is_the_profiles(order: str, types: list[str]) -> None:
    with ModelServer(answer("{}")) as server:
        ask(server.url, f"image_order={order}")
        content = server.seen[0].body["messages"][1]["content"]
    assert [part["type"] for part in content] == types


@pytest.mark.parametrize("how", ["vision=false", "--no-images"])
def test_model_without_sight_gets_plain_strings(how: str) -> None:
    with ModelServer(answer("{}")) as server:
        asked = ask(server.url, no_images=True) if how == "--no-images" else ask(server.url, how)
        user = server.seen[0].body["messages"][1]["content"]
    assert user == "levelName: G1_Test\n\nAnswer in JSON."
    assert asked.description["text_only"] is True


def test_every_resolved_value_is_in_the_description() -> None:
    with ModelServer(answer("{}")) as server:
        asked = ask(server.url, "temperature=0.5")
    described = asked.description
    assert described["profile"]["temperature"] == 0.5
    assert described["profile"]["read_timeout_s"] == 30
    assert described["profile"]["base_url"] == server.url
    assert described["request"]["parameters"] == {"temperature": 0.5}
    json.dumps(described, allow_nan=False)


def test_proxy_of_the_environment_does_not_take_local_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with ModelServer(answer("{}")) as server:
        assert ask(server.url).reply is not None


def test_proxy_of_the_environment_takes_other_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(answer("{}")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert ask("http://models.example/v1").reply is not None
        assert proxy.seen[0].path == "http://models.example/v1/chat/completions"


def test_redirect_never_carries_the_key_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIDGE_KEY", KEY)
    with ModelServer(answer("{}")) as target:
        moved = Play(308, b"", {"Location": f"{target.url}/chat/completions?key={KEY}"})
        with ModelServer(moved) as server:
            asked = ask(server.url, "api_key_env=BRIDGE_KEY")
        assert target.seen == []
    assert isinstance(asked.error, FatalClientError)
    assert KEY not in str(asked.error)


def test_key_is_sent_and_shows_up_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BRIDGE_KEY", f" {KEY}\n")
    caplog.set_level("DEBUG")
    echo = error(401, f"Incorrect API key provided: {KEY}. Header was: Bearer {KEY}")
    filtered = error(400, f"filtered for {KEY}", "content_filter")
    with ModelServer(in_turn(echo, filtered)) as server:
        refused = ask(server.url, "api_key_env=BRIDGE_KEY")
        blocked = ask(server.url, "api_key_env=BRIDGE_KEY")
        assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert refused.error is not None
    everything = [
        "".join(traceback.format_exception(refused.error)),
        repr(refused),
        repr(blocked),
        json.dumps(refused.attempts),
        caplog.text,
    ]
    assert "check BRIDGE_KEY" in str(refused.error)
    assert "Incorrect API key provided: [key]" in str(refused.error)
    for text in everything:
        assert KEY not in text


def test_key_is_in_no_traceback_with_locals(tmp_path: Path) -> None:
    test = tmp_path / "test_leak.py"
    with ModelServer(error(401, f"bad key {KEY}")) as server:
        test.write_text(
            "import os\n"
            "from tests_unit.support.asking import request\n"
            "from bench.clients.openai_api import make_openai_client\n"
            "def test_leak():\n"
            f"    client = make_openai_client('m', dict(base_url={server.url!r},\n"
            "        model_args=('api_key_env=BRIDGE_KEY',)))\n"
            "    try:\n"
            "        client.reply(request(), print)\n"
            "    finally:\n"
            "        client.close()\n"
        )
        command = [sys.executable, "-m", "pytest", "-l", "--full-trace", "-vv", "-p"]
        run = subprocess.run(
            [*command, "no:cacheprovider", "-c", os.devnull, "--rootdir", tmp_path, test],
            env={**os.environ, "BRIDGE_KEY": KEY, "PYTHONPATH": os.getcwd()},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert len(server.seen) == 1
    assert "FatalClientError" in run.stdout
    assert "client     = " in run.stdout  # locals were shown
    assert KEY not in run.stdout + run.stderr


def test_key_comes_from_the_env_file_and_not_into_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BRIDGE_KEY", raising=False)
    (tmp_path / ".env").write_text(f"BRIDGE_KEY={KEY}\n")
    with ModelServer(answer("{}")) as server:
        options = ClientOptions(
            base_url=server.url,
            model_args=("api_key_env=BRIDGE_KEY",),
            env_file=tmp_path / ".env",
        )
        client = make_openai_client("m", options)
        client.reply(request(), lambda _attempt: None)
        client.close()
        assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert "BRIDGE_KEY" not in os.environ


@pytest.mark.parametrize("value", ["two words", "line\nbreak", "schlüssel"])
def test_key_that_no_header_can_carry_is_refused_unseen(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIDGE_KEY", value)
    with pytest.raises(ModelError, match="BRIDGE_KEY holds") as caught:
        ask("http://127.0.0.1:9/v1", "api_key_env=BRIDGE_KEY")
    assert value not in str(caught.value)


def test_missing_key_is_said_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match=r"gpt-5\.2 needs a key: set OPENAI_API_KEY"):
        make_openai_client("gpt-5.2", ClientOptions(env_file=None))


def test_mistyped_model_gets_the_known_one_as_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match=r"or in \.env \(did you mean --model gpt-5\.2\?\)"):
        make_openai_client("gpt-52", ClientOptions(env_file=None))
    with ModelServer(error(404, "The model does not exist", "model_not_found")) as server:
        asked = ask(server.url, model="gpt-52")
    assert str(asked.error).endswith("; did you mean --model gpt-5.2?")


def test_providers_key_does_not_follow_to_another_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ModelServer(answer("{}")) as server:
        ask(server.url, model="gpt-5.2")
        assert KEY not in json.dumps(dict(server.seen[0].headers))


def test_variables_of_the_sdk_are_not_sent_to_other_hosts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Gateway: {KEY}\nAuthorization: Bearer {KEY}")
    monkeypatch.setenv("OPENAI_ORG_ID", KEY)
    monkeypatch.setenv("OPENAI_PROJECT_ID", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    with ModelServer(answer("{}")) as server:
        ask(server.url)
        headers = server.seen[0].headers
    assert set(headers) <= {
        *("host", "accept", "accept-encoding", "connection"),
        *("content-length", "content-type", "user-agent"),
    }
    assert KEY not in json.dumps(headers)


def test_max_cost_without_a_price_is_refused(tmp_path: Path) -> None:
    options = ClientOptions(base_url="http://127.0.0.1:9/v1", most_usd=1.0, limits_folder=tmp_path)
    with pytest.raises(ModelError, match="--max-cost needs the prices of model m"):
        make_openai_client("m", options)


def test_run_stops_before_the_call_that_could_pass_max_cost(tmp_path: Path) -> None:
    # One answer costs 1000 x $10/M + 200 x $100/M = $0.03; one call may cost 100 output
    # tokens more than that: the bound of its input (bytes, frame, picture) and 500 x $100/M.
    args = (*PRICES, "max_output_tokens=500")
    text_bytes = len("Build a bridge." + "levelName: G1_Test" + "Answer in JSON.")
    worst = (text_bytes + 2 * 16 + 2 * 1) * 10e-6 + 500 * 100e-6
    with ModelServer(answer("{}")) as server:
        limit = 2 * 0.03 + worst - 1e-6
        outcomes = [
            ask(server.url, *args, most_usd=limit, limits_folder=tmp_path) for _ in range(3)
        ]
        assert len(server.seen) == 2
    assert [type(o.error) for o in outcomes] == [type(None), type(None), BudgetReached]
    assert "$0.0600 is spent" in str(outcomes[2].error)
    assert [a["event"] for a in outcomes[2].attempts] == ["not_sent"]


@pytest.mark.parametrize(
    ("play", "spent"),
    [
        (error(429, "slow"), 0.0),
        (error(400, "bad"), 0.0),
        (Play(body=b"broken"), 3 * (82 * 10e-6 + 500 * 100e-6)),
        (answer("{}"), 0.03),
    ],
)
def test_failed_attempts_cost_their_worst_case_where_they_may_be_billed(
    play: Play, spent: float, tmp_path: Path
) -> None:
    with ModelServer(play) as server:
        args = (*PRICES, "max_output_tokens=500")
        ask(server.url, *args, most_usd=5.0, limits_folder=tmp_path)
    limits = SharedLimits(tmp_path, most_usd=5.0)
    assert limits.spent_usd() == pytest.approx(spent, abs=1e-6)


INTERRUPTED = """
import json, sys
from bench.clients.openai_api import make_openai_client
from tests_unit.support.asking import request
client = make_openai_client("m", {"base_url": sys.argv[1], "env_file": None})
attempts = []
try:
    client.reply(request(), attempts.append)
except KeyboardInterrupt:
    client.close()
    print(json.dumps(attempts))
    sys.exit(2)
"""


@pytest.mark.parametrize(
    ("play", "kind", "billed"),
    [
        (Play(body=b"{}", delay_s=3.0), "interrupted", True),
        (error(429, "slow", Retry_After="60"), "rate_limit", False),
    ],
    ids=["in mid-request", "in back-off"],
)
def test_interrupt_stops_within_two_seconds_and_is_recorded(
    play: Play, kind: str, billed: bool
) -> None:
    with ModelServer(play) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, server.url], stdout=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 20
        while not server.seen and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert process.returncode == 2
    assert [(a["error"], a["possibly_billed"]) for a in json.loads(out)] == [(kind, billed)]


def test_connection_is_used_again_for_the_next_call() -> None:
    with ModelServer(answer("{}")) as server:
        options = ClientOptions(base_url=server.url, model_args=PATIENT, env_file=None)
        client = make_openai_client("m", options)
        texts = [client.reply(request(call=n), lambda _a: None).text for n in (1, 2, 3)]
        client.close()
        client.close()
    assert texts == ["{}"] * 3


def test_observation_of_the_tests_holds_one_picture() -> None:
    assert [p.name for p in observation().pictures] == ["editor"]
