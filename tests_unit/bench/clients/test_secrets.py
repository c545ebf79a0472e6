"""A key that a server echoes anywhere: it reaches no record, no message and no terminal."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from bench.clients.openai_api import make_openai_client
from bench.clients.options import ClientOptions
from bench.errors import FatalClientError, ModelError
from bench.outside import HIDDEN
from tests_unit.support.asking import ask, play_episode
from tests_unit.support.model_server import ModelServer, Play, completion, error, sends

KEY = "sk-seeded-Kq81Lw0PzXe7"
BASIC = base64.b64encode(f":{KEY}".encode()).decode()
FORMS = {
    "plain": KEY,
    "bearer": f"Bearer {KEY}",
    "base64": base64.b64encode(KEY.encode()).decode(),
    "basic": f"Basic {BASIC}",
    "url": f"https://x.example/?key={quote(KEY)}",
    "hex": KEY.encode().hex(),
}


def _with(place: Callable[[dict[str, Any], str], Any]) -> Callable[[str], Play]:
    def play(form: str) -> Play:
        body = completion("win")
        place(body, form)
        return sends(body)

    return play


def _message(body: dict[str, Any]) -> dict[str, Any]:
    return body["choices"][0]["message"]  # type: ignore[no-any-return]


ANSWERS: dict[str, Callable[[str], Play]] = {
    "model name": _with(lambda body, form: body.update(model=form)),
    "text": _with(lambda body, form: _message(body).update(content=f"it is {form}!")),
    "text part": _with(
        lambda body, form: _message(body).update(content=[{"type": "text", "text": form}])
    ),
    "reasoning": _with(lambda body, form: _message(body).update(reasoning_content=form)),
    "thoughts": _with(lambda body, form: _message(body).update(reasoning_details=[{"text": form}])),
    "refusal": _with(lambda body, form: _message(body).update(refusal=form)),
    "tool call": _with(lambda body, form: _message(body).update(tool_calls=[{form: [form]}])),
    "finish reason": _with(lambda body, form: body["choices"][0].update(finish_reason=form)),
    "usage": _with(lambda body, form: body["usage"].update({"completion_tokens": 0, form: form})),
    "request id": lambda form: sends(completion("win"), x_request_id=form),
    "escaped": lambda form: Play(
        body=json.dumps(completion(form))
        .replace(KEY, "".join(f"\\u{ord(char):04x}" for char in KEY))
        .encode()
    ),
}

FAULTS: dict[str, Callable[[str], Play]] = {
    "error": lambda form: error(500, f"bad header {form}"),
    "error code": lambda form: error(500, "no", form),
    "cut at the end of a line": lambda form: error(500, "x" * 290 + form),
    "detail list": lambda form: sends({"detail": [{"loc": [form], "msg": form}]}, 422),
    "page": lambda form: Play(502, f"<h1>{form}</h1>".encode()),
    "page with HTTP 200": lambda form: Play(200, b"x" * 100 + form.encode()),
    "error object": lambda form: sends({"error": {"message": form}}),
    "error text": lambda form: sends({"error": form}),
    "error beside a choice": lambda form: sends({**completion("win"), "error": form}),
    "no choice": lambda form: sends({"choices": None, "message": form}),
    "choices of another form": lambda form: sends({"choices": form}),
    "unknown content": lambda form: sends(completion([{"type": form, "x": form}])),  # type: ignore
    "names of a body": lambda form: sends({form: 1, "choices": []}),
    "filter": lambda form: error(400, f"filtered {form}", "content_filter"),
    "request id of a fault": lambda form: error(500, "no", x_request_id=form),
    "redirect": lambda form: Play(307, b"", {"Location": f"http://x.example/{quote(form)}"}),
}


ALL_FORMS = " ".join(FORMS.values())
LEAKS = (KEY, FORMS["base64"][:-4], BASIC[4:-4], FORMS["hex"])


@pytest.mark.parametrize("play", [*ANSWERS.values(), *FAULTS.values()], ids=[*ANSWERS, *FAULTS])
def test_echoed_key_is_in_no_record_and_no_message(
    play: Callable[[str], Play], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIDGE_KEY", KEY)
    told: list[str] = []
    with ModelServer(play(ALL_FORMS)) as server:
        args = ("api_key_env=BRIDGE_KEY", "attempts=1")
        try:
            play_episode(tmp_path, server.url, *args, show=told.append)
        except FatalClientError as error:
            told.append(str(error))
        assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    files = [path.read_text() for path in tmp_path.rglob("*.json*")]
    assert len(files) >= 4
    for text in (*told, *files):
        assert not [leak for leak in LEAKS if leak in text]


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_stays_one_with_the_key_hidden_in_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIDGE_KEY", KEY)
    with ModelServer(ANSWERS[name](KEY)) as server:
        asked = ask(server.url, "api_key_env=BRIDGE_KEY")
    assert asked.reply is not None
    assert HIDDEN in repr(asked.reply)
    assert asked.reply.text in ("win", f"it is {HIDDEN}!", HIDDEN)


def test_what_steers_a_terminal_reaches_no_message_or_name() -> None:
    bad = "\x1b[2J\u202e"
    plays = [
        error(500, f"a{bad}b", x_request_id="a\x9bb"),
        sends({"detail": [{"loc": [bad], "msg": bad}]}, 422),
        Play(404, bad.encode()),
        Play(200, bad.encode()),
        sends({"choices": None, "message": bad}),
        sends({**completion("{}", bad), "model": bad}, x_request_id="\x1b]0;x"),
        sends({bad: 1, "choices": []}),
    ]
    for play in plays:
        with ModelServer(play) as server:
            asked = ask(server.url, "attempts=1")
        said = [str(asked.error or ""), *asked.shown, json.dumps(asked.attempts)]
        if asked.reply is not None:
            meta = asked.reply.meta
            said += [asked.reply.finish_reason or "", meta["response_model"], meta["request_id"]]
        assert all(text.isprintable() for text in said), said


KEYS = ["sk-proj-1234567890ab", "AIzaSyA1234567890abcdefg", "a3f09c8b7d6e5f4a3b2c1d0e9f8a7b6c"]


@pytest.mark.parametrize("key", KEYS)
def test_key_in_place_of_its_variables_name_is_refused_unseen(key: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    url = "http://127.0.0.1:9/v1"
    file.write_text(f"[models.m]\nbase_url = '{url}'\napi_key_env = '{key}'\n")
    for options in (
        ClientOptions(base_url=url, model_args=(f"api_key_env={key}",)),
        ClientOptions(models_file=file),
    ):
        with pytest.raises(ModelError, match="holds what looks like a key") as caught:
            make_openai_client("m", options)
        assert key not in str(caught.value)


@pytest.mark.parametrize(
    "arg",
    [
        "api_key=KEY",
        "KEY",
        "temperature=KEY",
        "body.api_key=KEY",
        'body.headers={"authorization": "KEY"}',
        "reasoning.token=KEY",
        "model=KEY",
        "base_url=https://x.example/KEY/v1",
        "image_detail=KEY",
        "header.x=KEY",
    ],
)
def test_key_in_any_setting_is_refused_unseen(arg: str) -> None:
    options = ClientOptions(
        base_url="http://127.0.0.1:9/v1", model_args=(arg.replace("KEY", KEYS[0]),)
    )
    with pytest.raises(ModelError) as caught:
        make_openai_client("m", options)
    assert KEYS[0] not in str(caught.value)
