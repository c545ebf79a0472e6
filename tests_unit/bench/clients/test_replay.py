"""Request hashes, and a client that answers from a recorded session."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from bench.clients.base import Reply, Request, Usage
from bench.clients.hashing import picture_sha256, request_sha256
from bench.clients.openai_api import make_openai_client
from bench.clients.options import ClientOptions
from bench.clients.replay import read_reply
from bench.errors import FatalClientError, RecordError, SessionError
from tests_unit.support.asking import ask, observation, png, request
from tests_unit.support.model_server import ModelServer, answer

URL = "http://127.0.0.1:9/v1"
REPLY = Reply("{}", "stop", Usage(10, 5, None), "thought", {"request_id": "r1"})


def description(*args: str, url: str = URL, model: str = "m") -> dict[str, Any]:
    options = ClientOptions(base_url=url, model_args=args, env_file=None)
    return dict(make_openai_client(model, options).describe())


def record(session: Path, asked: Request, reply: Reply | None, *args: str) -> Path:
    """One call folder of a session, as far as a replay reads it."""
    folder = session / asked.level / f"call-{asked.call}"
    folder.mkdir(parents=True)
    digest = request_sha256(description(*args), asked)
    (session / "manifest.json").write_text("{}")
    (folder / "request.json").write_text(json.dumps({"request_sha256": digest}))
    if reply is not None:
        (folder / "response.json").write_text(
            json.dumps({**asdict(reply), "meta": dict(reply.meta)})
        )
    return folder


def replay(session: Path, asked: Request, *args: str) -> Reply:
    options = ClientOptions(base_url=URL, model_args=args, env_file=None, replay=session)
    return make_openai_client("m", options).reply(asked, lambda _attempt: None)


def test_hash_changes_with_everything_that_could_change_the_answer() -> None:
    base = request()
    other_prompt = replace(base, observation=observation("levelName: G1_Other"))
    other_picture = replace(base, observation=observation(picture=png(grey=9)))
    hashes = [
        request_sha256(description(), base),
        request_sha256(description(model="n"), base),
        request_sha256(description(url="http://127.0.0.1:8/v1"), base),
        request_sha256(description("temperature=0.2"), base),
        request_sha256(description("reasoning.reasoning_effort=low"), base),
        request_sha256(description("body.seed=1"), base),
        request_sha256(description("max_output_tokens=9"), base),
        request_sha256(description("vision=false"), base),
        request_sha256(description("image_detail=low"), base),
        request_sha256(description("image_order=images_last"), base),
        request_sha256(description(), replace(base, call=2)),
        request_sha256(description(), replace(base, sample=2)),
        request_sha256(description(), other_prompt),
        request_sha256(description(), other_picture),
    ]
    assert len(set(hashes)) == len(hashes)


def test_hash_leaves_out_what_cannot_change_the_answer() -> None:
    plain = request_sha256(description(), request())
    for arg in ("attempts=1", "read_timeout_s=5", "api_key_env=K", "assumed_output_tokens=9"):
        assert request_sha256(description(arg), request()) == plain


def test_hash_is_the_same_for_another_png_encoder() -> None:
    from io import BytesIO

    from PIL import Image

    out = BytesIO()
    Image.open(BytesIO(png(40, 40))).save(out, "PNG", compress_level=0)
    assert out.getvalue() != png(40, 40)
    assert picture_sha256(out.getvalue()) == picture_sha256(png(40, 40))
    assert picture_sha256(png(40, 40)) != picture_sha256(png(40, 40, grey=1))
    assert picture_sha256(png(2, 8)) != picture_sha256(png(8, 2))


def test_hash_is_that_of_the_canonical_json_written_out() -> None:
    # Another form would make every published session unreplayable.
    prompt = (
        '[["system",[{"text":"Build a bridge."}]],["user",[{"text":"levelName: G1_Test"},'
        '{"image":"editor"},{"text":"Answer in JSON."}]]]'
    )
    picture = b"2x1 " + bytes([0, 0, 0, 255, 0, 0, 0, 255])
    whole = (
        f'{{"call":1,"client":{{"model":"m"}},"images":["{_sha(picture)}"],'
        f'"prompt":"{_sha(prompt.encode())}","sample":1}}'
    )
    assert request_sha256({"request": {"model": "m"}}, request()) == _sha(whole.encode())


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_recorded_reply_comes_back_whole_without_a_key_or_a_request(tmp_path: Path) -> None:
    record(tmp_path, request(), REPLY)
    assert replay(tmp_path, request()) == REPLY


def test_reply_carries_the_hash_under_which_it_is_found(tmp_path: Path) -> None:
    with ModelServer(answer("{}")) as server:
        asked = ask(server.url)
    assert asked.reply is not None
    assert asked.reply.meta["request_sha256"] == request_sha256(asked.description, request())


def test_miss_stops_the_run_and_names_the_call(tmp_path: Path) -> None:
    record(tmp_path, request(), REPLY)
    with pytest.raises(FatalClientError, match="holds no reply to G1_Test call 2"):
        replay(tmp_path, request(call=2))
    with pytest.raises(FatalClientError, match="holds no reply to G1_Test call 1"):
        replay(tmp_path, request(), "temperature=0.3")


def test_call_that_ended_without_a_reply_is_no_answer(tmp_path: Path) -> None:
    record(tmp_path, request(), None)
    with pytest.raises(FatalClientError, match="holds no reply"):
        replay(tmp_path, request())


def test_folder_without_a_session_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="no session is there"):
        replay(tmp_path, request())


def test_two_answers_to_one_request_are_refused(tmp_path: Path) -> None:
    record(tmp_path, request(), REPLY)
    folder = record(tmp_path / "x", request(), replace(REPLY, text="[]"))
    assert folder.exists()
    with pytest.raises(RecordError, match="different replies to one request"):
        replay(tmp_path, request())


@pytest.mark.parametrize("text", ["", "[]", '{"text": 3}', '{"finish_reason": "stop"}', '{"a'])
def test_broken_record_says_which_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "response.json"
    path.write_text(text)
    with pytest.raises(RecordError, match=r"response\.json"):
        read_reply(path)


def test_description_of_a_replay_is_that_of_the_replayed_client(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    options = ClientOptions(base_url=URL, env_file=None, replay=tmp_path)
    client = make_openai_client("m", options)
    assert client.describe() == {**description(), "replay": tmp_path.name}
    assert client.name == "m"
