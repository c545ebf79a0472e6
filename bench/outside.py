"""Text that comes from outside (a model, a server, a file, a foreign session), made safe to show.

Three dangers, one place: secrets that somebody echoes, characters that steer a terminal or turn
the order of a line round, and length. What a model answers is data and stays as it came, but
for the key; everything else passes `one_line` before it is shown or written.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

HIDDEN = "[key]"
LONGEST_LINE = 300

_SHORTEST_IN_DATA = 8
"""A shorter key (`EMPTY`, `test`, for a local server) may be a word of an answer."""

_BEARER = re.compile(r"(?i)\bbearer\s+[^\s\"',;]+")
_KEY = re.compile(
    r"\b(?:(?:sk|pk|rk|hf|gsk|xai|pplx|nvapi|ghp|glpat|r8|fw|tgp|csk)[-_]|AIza)[-_A-Za-z0-9*]{12,}"
)
_WORD_OF_KEY = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{20,}")


class Secret:
    """A key that neither `repr`, `str`, pickling nor a traceback's locals can show."""

    __slots__ = ("_forms", "_reveal")

    def __init__(self, value: str) -> None:
        def reveal() -> str:
            return value

        def forms() -> tuple[str, ...]:
            return _forms(value)

        self._reveal: Callable[[], str] = reveal
        self._forms: Callable[[], tuple[str, ...]] = forms

    def reveal(self) -> str:
        """The key itself, for the one place that sends it."""
        return self._reveal()

    def hide(self, text: str, shortest: int = 4) -> str:
        """`text` without the key, as it is, in base64, in hex or escaped for a URL."""
        if len(self._reveal()) >= shortest:
            for form in self._forms():
                text = text.replace(form, HIDDEN)
        return text

    def hide_bytes(self, data: bytes) -> bytes:
        """`data`, the body of a response, without the key in any of these forms."""
        if len(self._reveal()) >= _SHORTEST_IN_DATA:
            for form in self._forms():
                data = data.replace(form.encode("ascii"), HIDDEN.encode("ascii"))
        return data

    def __repr__(self) -> str:
        return "Secret()"

    def __reduce__(self) -> str:
        raise TypeError("a Secret is not written anywhere")


def _forms(key: str) -> tuple[str, ...]:
    """The key as it may be echoed, the longest form first.

    Base64 of a text that holds the key somewhere: one form for each of the three places in a
    group of three bytes, without the characters that its neighbours decide.
    """
    forms = {key, quote(key, safe="")}
    data = key.encode()
    if len(data) >= _SHORTEST_IN_DATA:
        forms |= {data.hex(), data.hex().upper()}
        for before in range(3):
            text = base64.b64encode(bytes(before) + data).decode("ascii").rstrip("=")
            whole = (before + len(data)) * 8 // 6
            core = text[(before * 8 + 5) // 6 : whole]
            forms |= {core, core.replace("+", "-").replace("/", "_")}
    return tuple(sorted(forms, key=len, reverse=True))


def hide_secrets(text: str, secret: Secret | None = None) -> str:
    """`text` without the key, without bearer tokens and without what looks like a key."""
    if secret is not None:
        text = secret.hide(text)
    return _KEY.sub(HIDDEN, _BEARER.sub(f"Bearer {HIDDEN}", text))


def looks_like_key(text: str) -> bool:
    """Whether a text is or holds a key by its prefix."""
    return bool(_KEY.search(text) and any(char.isdigit() for char in text))


def is_no_variable_name(text: str) -> bool:
    """Whether a text that should name an environment variable is rather the key itself."""
    words = text.split("_")
    return looks_like_key(text) or any(_WORD_OF_KEY.fullmatch(word) for word in words)


def visible(text: str) -> str:
    r"""`text` with every character that cannot be seen written out: `\x1b`, `\u202e`.

    Controls, escapes of a terminal, marks that turn the direction, zero-width characters, half
    characters: whatever Python calls not printable, line ends included.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def one_line(text: str, secret: Secret | None = None, limit: int = LONGEST_LINE) -> str:
    """`text` from outside as one line that is safe to show and to record.

    Secrets are hidden before anything is cut; white space becomes single spaces; what cannot
    be seen is written out; a longer line ends with `...` after `limit` characters.
    """
    line = visible(" ".join(hide_secrets(text, secret).split()))
    return line if len(line) <= limit else f"{line[:limit]}..."


def hide_in(value: Any, hide: Callable[[str], str]) -> Any:
    """A JSON value with `hide` applied to every string in it, keys included."""
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {hide(str(key)): hide_in(item, hide) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [hide_in(item, hide) for item in value]
    return value


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
