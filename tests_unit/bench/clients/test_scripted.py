import json
from pathlib import Path
from typing import Any

import pytest

from bench.clients.base import Reply, Request, Usage
from bench.clients.scripted import ScriptedClient
from bench.errors import ClientError, FatalClientError, ModelError
from bench.task import Observation


def ask(client: ScriptedClient, level: str = "A", call: int = 1) -> Reply:
    return client.reply(Request(level, call, 1, Observation({}, ())), lambda attempt: None)


def script(tmp_path: Path, content: Any, name: str = "script.json") -> Path:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_calls_get_the_levels_replies_in_order_and_then_the_last_one(tmp_path: Path):
    client = ScriptedClient(script(tmp_path, {"A": ["one", "two"], "*": ["other"]}))
    assert [ask(client, "A", call).text for call in (1, 2, 3)] == ["one", "two", "two"]
    assert ask(client, "B").text == "other"
    assert ask(client).finish_reason == "stop"


def test_an_object_is_sent_as_json_and_a_string_as_it_is(tmp_path: Path):
    client = ScriptedClient(script(tmp_path, {"A": [{"action": "modify", "x": 1.0}, "```{}```"]}))
    assert json.loads(ask(client).text) == {"action": "modify", "x": 1.0}
    assert ask(client, call=2).text == "```{}```"


def test_instructions_set_finish_reason_usage_and_reasoning(tmp_path: Path):
    entry = {
        "text": {"cut": "off"},
        "finish_reason": "length",
        "usage": {"input_tokens": 7, "output_tokens": 9},
        "reasoning": "hm",
    }
    reply = ask(ScriptedClient(script(tmp_path, {"*": [entry]})))
    assert reply == Reply('{"cut": "off"}', "length", Usage(7, 9, None), "hm")


def test_errors_are_raised_where_the_script_says_so(tmp_path: Path):
    client = ScriptedClient(script(tmp_path, {"A": [{"error": "reset"}, {"fatal": "no key"}]}))
    with pytest.raises(ClientError, match=r"^reset$") as caught:
        ask(client)
    assert not isinstance(caught.value, FatalClientError)
    with pytest.raises(FatalClientError, match=r"^no key$"):
        ask(client, call=2)


def test_a_level_without_replies_stops_the_run(tmp_path: Path):
    client = ScriptedClient(script(tmp_path, {"A": ["x"]}))
    with pytest.raises(FatalClientError, match="no reply for level B"):
        ask(client, "B")


def test_lines_of_a_level_are_its_calls(tmp_path: Path):
    lines = [
        {"level": "A", "reply": "one"},
        {"level": "*", "reply": {"error": "x"}},
        {"level": "A", "reply": "two"},
    ]
    text = "\n\n".join(json.dumps(line) for line in lines)
    client = ScriptedClient(script(tmp_path, text, "script.jsonl"))
    assert [ask(client, "A", call).text for call in (1, 2)] == ["one", "two"]
    with pytest.raises(ClientError):
        ask(client, "B")


def test_a_folder_holds_raw_texts_by_level_and_call(tmp_path: Path):
    for folder, number, text in (("A", 1, b"one\r\n"), ("A", 2, b"two"), ("_default", 1, b"def")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{number}.txt").write_bytes(text)
    client = ScriptedClient(tmp_path)
    assert [ask(client, "A", call).text for call in (1, 2)] == ["one\r\n", "two"]
    assert ask(client, "B").text == "def"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("s.json", "{", "s.json: is not JSON"),
        ("s.json", "[]", "must be an object"),
        ("s.json", "{}", "holds no reply"),
        ("s.json", '{"A": []}', "holds no reply"),
        ("s.json", '{"A": "x"}', "replies of 'A' must be a list"),
        ("s.json", '{"A": ["x", 3]}', "'A', reply 2: a reply must be a string or an object"),
        ("s.json", '{"A": [{"text": "x", "error": "y"}]}', "both 'text' and 'error'"),
        ("s.json", '{"A": [{"text": "x", "finish": "y"}]}', "unknown field 'finish'"),
        ("s.json", '{"A": [{"text": 3}]}', "text must be a string or an object"),
        ("s.json", '{"A": [{"text": "x", "usage": {"tokens": 1}}]}', "usage takes whole numbers"),
        (
            "s.json",
            '{"A": [{"text": "x", "usage": {"input_tokens": true}}]}',
            "usage takes whole numbers",
        ),
        ("s.json", '{"A": [{"text": "x", "reasoning": 1}]}', "reasoning must be a string"),
        ("s.jsonl", '{"level": "A", "reply": "x"}\n{"level": "A"}', "line 2: must be"),
        ("s.jsonl", '{"level": 3, "reply": "x"}', "line 1: the level must be a string"),
        ("s.jsonl", '{"level": "A", "reply": "x"}\nnope', "line 2: is not JSON"),
    ],
)
def test_a_broken_script_is_one_clear_error(tmp_path: Path, name: str, content: str, message: str):
    with pytest.raises(ModelError) as caught:
        ScriptedClient(script(tmp_path, content, name))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_script_is_named(tmp_path: Path):
    with pytest.raises(ModelError, match=r"none\.json: there is no such script"):
        ScriptedClient(tmp_path / "none.json")


def test_bytes_that_are_no_text_are_a_model_error(tmp_path: Path):
    (tmp_path / "s.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelError, match="cannot be read"):
        ScriptedClient(tmp_path / "s.json")


def test_a_gap_in_a_folder_is_named(tmp_path: Path):
    (tmp_path / "A").mkdir()
    (tmp_path / "A" / "2.txt").write_text("x")
    with pytest.raises(ModelError, match=r"has 1 \.txt files but no 1\.txt"):
        ScriptedClient(tmp_path)


def test_the_description_has_no_path_of_the_machine_and_changes_with_the_replies(tmp_path: Path):
    one = ScriptedClient(script(tmp_path, {"A": ["x"]})).describe()
    two = ScriptedClient(script(tmp_path, {"A": ["y"]})).describe()
    assert one["model"] == "scripted:script.json"
    assert one["replies"] == {"A": 1}
    assert one["sha256"] != two["sha256"]
    assert str(tmp_path) not in json.dumps(one)
