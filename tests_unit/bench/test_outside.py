"""Text from outside: secrets, characters that steer, length."""

from __future__ import annotations

import base64
import json
import random
import string
from urllib.parse import quote

import pytest

from bench.outside import (
    HIDDEN,
    Secret,
    hide_in,
    hide_secrets,
    is_no_variable_name,
    looks_like_key,
    one_line,
    visible,
)

KEY = "sk-seeded-Vb29Qm41Xx"
ODD = "pa55+/=%&word-Zq9"


def test_secret_shows_itself_nowhere() -> None:
    secret = Secret(KEY)
    assert repr([secret]) == "[Secret()]"
    assert f"{secret}" == "Secret()"
    with pytest.raises(TypeError, match="not written anywhere"):
        secret.__reduce__()


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"bad key {KEY}!", f"bad key {HIDDEN}!"),
        ("Authorization: Bearer abc.def-123, next", f"Authorization: Bearer {HIDDEN}, next"),
        ("key sk-proj-abcdef***********wxyz is wrong", f"key {HIDDEN} is wrong"),
        ("AIzaSyA1234567890abcdef", HIDDEN),
        ("a task-oriented disk-based answer", "a task-oriented disk-based answer"),
        ("skeletonisation of hfpredictions", "skeletonisation of hfpredictions"),
    ],
)
def test_redaction_hides_keys_and_leaves_words(text: str, clean: str) -> None:
    assert hide_secrets(text, Secret(KEY)) == clean


FORMS = {
    "as it is": lambda key: key,
    "for a URL": lambda key: quote(key, safe=""),
    "hex": lambda key: key.encode().hex(),
    "HEX": lambda key: key.encode().hex().upper(),
}


@pytest.mark.parametrize("key", [KEY, ODD])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_key_is_hidden_in_every_form(form, key: str) -> None:  # type: ignore[no-untyped-def]
    assert Secret(key).hide(f"x {form(key)} y") == f"x {HIDDEN} y"
    assert Secret(key).hide_bytes(f"x {form(key)} y".encode()) == f"x {HIDDEN} y".encode()


@pytest.mark.parametrize("key", [KEY, KEY + "1", KEY + "12", ODD])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", ["", "u:", "me:", "user:"])
@pytest.mark.parametrize("after", ["", ":", ":x", "\n"])
def test_key_is_hidden_in_base64_wherever_it_stands(encode, key, before, after) -> None:  # type: ignore[no-untyped-def]
    text = encode(f"{before}{key}{after}".encode()).decode()
    clean = Secret(key).hide(f"Basic {text}")
    assert HIDDEN in clean
    # What is left of it decodes to less than two characters of the key on either side.
    left = clean.removeprefix("Basic ").split(HIDDEN)
    assert len(left[0]) <= len(before) * 8 / 6 + 1
    assert len(left[1].rstrip("=")) <= len(after) * 8 / 6 + 2


def test_short_key_of_a_local_server_is_no_word_of_an_answer() -> None:
    secret = Secret("EMPTY")
    assert secret.hide("key EMPTY") == f"key {HIDDEN}"
    assert secret.hide('{"note": "EMPTY"}', shortest=8) == '{"note": "EMPTY"}'
    assert secret.hide_bytes(b"EMPTY") == b"EMPTY"


NAMES = ["OPENAI_API_KEY", "KEY", "MY_KEY_2", "key_of_the_house", "AZUREOPENAIAPIKEYOFTHEHOUSE", ""]
KEYS = [
    "sk_live_abcdefgh12345678",
    "hf_abcdEFGH1234567890",
    "gsk_1234567890abcdef",
    "AIzaSyA1234567890abcdefg",
    "a3f09c8b7d6e5f4a3b2c1d0e9f8a7b6c",
    "f47ac10b58cc4372a5670e02b2c3d479",
    "sk-proj-1234567890ab",
]


@pytest.mark.parametrize("text", KEYS)
def test_key_is_told_from_a_variables_name(text: str) -> None:
    assert is_no_variable_name(text)


@pytest.mark.parametrize("text", NAMES)
def test_name_of_a_variable_is_no_key(text: str) -> None:
    assert not is_no_variable_name(text)
    assert not looks_like_key(text)


STEERS = {
    "colour": ("\x1b[31mred", r"\x1b[31mred"),
    "clear": ("a\x1b[2Jb", r"a\x1b[2Jb"),
    "title": ("\x1b]0;x\x07", r"\x1b]0;x\x07"),
    "a control of one byte": ("a\x9b31mb", r"a\x9b31mb"),
    "delete": ("a\x7f\x08b", r"a\x7f\x08b"),
    "right to left": ("a\u202eb", r"a\u202eb"),
    "isolate": ("a\u2066b\u2069", r"a\u2066b\u2069"),
    "mark": ("a\u200fb", r"a\u200fb"),
    "zero width": ("a\u200bb\ufeff", r"a\u200bb\ufeff"),
    "tags": ("a\U000e0041b", r"a\U000e0041b"),
    "half a character": ("a\ud83db", r"a\ud83db"),
    "null": ("a\x00b", r"a\x00b"),
}


@pytest.mark.parametrize(("text", "seen"), STEERS.values(), ids=STEERS.keys())
def test_what_steers_a_terminal_is_written_out(text: str, seen: str) -> None:
    assert visible(text) == seen
    assert one_line(text) == seen
    one_line(text).encode("utf-8")


def test_every_character_there_is_comes_out_printable() -> None:
    for start in range(0, 0x110000, 0x400):
        text = "".join(map(chr, range(start, start + 0x400)))
        assert one_line(text, limit=10**6).isprintable()


def test_letters_of_all_scripts_stay() -> None:
    text = "Brücke 橋 мост جسر \U0001f309"
    assert one_line(text) == text


def test_line_is_one_line_and_cut_after_secrets_are_hidden() -> None:
    assert one_line(" a\n\n b\tc\r\n\u2028d\xa0e ") == "a b c d e"
    assert one_line("x" * 400) == "x" * 300 + "..."
    for before in range(300):
        line = one_line("x" * before + KEY, Secret(KEY))
        assert "sk-" not in line
        assert len(line) <= 303


def test_every_string_of_a_value_is_passed_through() -> None:
    value = {"a": [KEY, {"b": (KEY, 1, None, True)}], KEY: 2.5}
    clean = hide_in(value, Secret(KEY).hide)
    assert clean == {"a": [HIDDEN, {"b": [HIDDEN, 1, None, True]}], HIDDEN: 2.5}
    assert KEY not in json.dumps(clean)


def test_two_megabytes_of_anything_become_a_short_line() -> None:
    letters = random.Random(1).choices(string.printable, k=2_000_000)
    for text in ("".join(letters), "sk-" * 700_000, "Bearer " * 300_000, "\x1b" * 2_000_000):
        assert len(one_line(text, Secret(KEY))) <= 303
