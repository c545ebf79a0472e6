"""What every client keeps to, whoever answers: run over the registry of clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bench.clients.base import Client, Reply, Request
from bench.clients.frozen import free_part, frozen_part
from bench.clients.hashing import request_sha256
from bench.clients.registry import KINDS, SERVED, make_client
from bench.errors import ClientError
from tests_unit.bench.clients.test_registry import Stacks
from tests_unit.support.asking import PATIENT, observation
from tests_unit.support.model_server import ModelServer, answer, error

KEY = "sk-seeded-Contract77Qz"
ASKED = Request("G1_Test", 1, 1, observation())
LOST = Request("G1_Lost", 1, 1, observation("levelName: G1_Lost"))


@dataclass
class Made:
    """A client that answers ASKED and fails at LOST, and how often a server was asked."""

    client: Client
    name: str
    sent: Callable[[], int] = lambda: 0
    fails: bool = True
    rows: list[Mapping[str, Any]] = field(default_factory=list)

    def reply(self, request: Request = ASKED) -> Reply:
        return self.client.reply(request, self.rows.append)


@contextmanager
def scripted(tmp_path: Path) -> Iterator[Made]:
    path = tmp_path / "replies.json"
    path.write_text(json.dumps({"G1_Test": ["{}"], "G1_Lost": [{"error": "offline"}]}))
    yield Made(make_client(f"scripted:{path}"), "scripted:replies.json")


@contextmanager
def baseline(tmp_path: Path) -> Iterator[Made]:
    class Any(Stacks):
        def baseline(self, name: str) -> Callable[[Mapping[str, object]], str]:
            return lambda data: json.dumps(dict(data))

    yield Made(make_client("baseline:wall", baseline=Any()), "baseline:wall", fails=False)


def _options(url: str, **more: Any) -> dict[str, Any]:
    args = (
        *PATIENT,
        "attempts=2",
        "backoff_min_s=0",
        "backoff_max_s=0",
        "api_key_env=CONTRACT_KEY",
    )
    return {"base_url": url, "model_args": args, "env_file": None, **more}


def _script(seen: Any, _index: int) -> Any:
    return error(500, f"down for {KEY}") if "G1_Lost" in seen.text else answer("{}")


@contextmanager
def served(tmp_path: Path) -> Iterator[Made]:
    with ModelServer(_script) as server:
        client = make_client("some-model", _options(server.url))
        yield Made(client, "some-model", lambda: len(server.seen))


@contextmanager
def replay(tmp_path: Path) -> Iterator[Made]:
    url = "http://127.0.0.1:9/v1"
    described = make_client("some-model", _options(url)).describe()
    call = tmp_path / "s" / "G1_Test" / "call-1"
    call.mkdir(parents=True)
    (tmp_path / "s" / "manifest.json").write_text("{}")
    digest = request_sha256(described, ASKED)
    (call / "request.json").write_text(json.dumps({"request_sha256": digest}))
    (call / "response.json").write_text(json.dumps({"text": "{}", "finish_reason": "stop"}))
    yield Made(make_client("some-model", _options(url, replay=tmp_path / "s")), "some-model")


CLIENTS = {"scripted": scripted, "baseline": baseline, "served": served, "replay": replay}


@pytest.fixture(params=CLIENTS.values(), ids=CLIENTS.keys())
def made(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Made]:
    monkeypatch.setenv("CONTRACT_KEY", KEY)
    with request.param(tmp_path) as made:
        yield made
        made.client.close()


def test_every_kind_of_the_registry_is_here() -> None:
    assert set(KINDS) | {SERVED.__name__.strip("_")} | {"replay"} == set(CLIENTS)


def test_name_is_the_models_in_tables_without_a_folder(made: Made, tmp_path: Path) -> None:
    assert made.client.name == made.name
    assert str(tmp_path) not in made.client.name


def test_description_is_json_stays_the_same_and_holds_no_secret_or_folder(
    made: Made, tmp_path: Path
) -> None:
    before = json.dumps(made.client.describe(), allow_nan=False)
    assert json.loads(before)["model"] == made.name
    made.reply()
    assert json.dumps(made.client.describe(), allow_nan=False) == before
    assert KEY not in before
    assert str(tmp_path) not in before
    assert set(frozen_part(json.loads(before))) | set(free_part(json.loads(before))) == set(
        json.loads(before)
    )


def test_reply_is_a_text_with_json_beside_it(made: Made) -> None:
    reply = made.reply()
    assert isinstance(reply, Reply)
    assert reply.text == "{}"
    json.dumps(dict(reply.meta), allow_nan=False)


def test_same_request_again_gives_the_same_text(made: Made) -> None:
    assert made.reply().text == made.reply().text


def test_without_an_answer_there_is_a_client_error_in_one_line_without_secrets(made: Made) -> None:
    if not made.fails:
        assert made.reply(LOST).text == "{}"
        return
    with pytest.raises(ClientError) as caught:
        made.reply(LOST)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert made.reply().text == "{}"  # the next request has its own luck


@pytest.mark.parametrize("request_", [ASKED, LOST], ids=["answered", "lost"])
def test_every_attempt_is_a_row_of_json_and_nothing_else_is(made: Made, request_: Request) -> None:
    try:
        made.reply(request_)
    except ClientError as lost:
        assert request_ is LOST, lost  # noqa: PT017
    assert len(made.rows) == made.sent()
    for number, row in enumerate(made.rows, 1):
        assert row["attempt"] == number
        assert KEY not in json.dumps(dict(row), allow_nan=False)
        assert set(row["booked"]) == {"input_tokens", "output_tokens", "usd"}


def test_closing_twice_and_without_a_request_does_no_harm(made: Made) -> None:
    made.client.close()
    made.client.close()
    assert (made.sent(), made.rows) == (0, [])
