r"""Finding the one JSON object of an answer, in time linear in its length.

Lenient about wrapping: a Markdown fence or text around the object is dropped, and so is one closed
`<think>...</think>` block before everything else, whatever it holds: some servers leave a model's
thoughts in its text, and a draft in them is no answer. Strict about content: what Python's
`json` lets pass (duplicate keys, NaN) is refused, and numbers that Python cannot hold (`1e999`,
an integer of 5,000 digits) stay data, as `HugeNumber`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

LIMIT_BYTES = 2_000_000
"""A longer reply is cut here, which no JSON object survives."""

DEEPEST = 100
"""Nesting allowed in an answer; its own fields have 3 levels, unknown ones may have more."""

LONGEST_INTEGER = 25
"""Digits up to which an integer is read as one; no field allows more than 10."""

_START = r'\{[ \t\r\n]*(?:\}|"(?:[^"\\]|\\.)*+"[ \t\r\n]*:)'
_THOUGHTS = ("<think>", "</think>")
_OBJECT_START = re.compile(_START, re.DOTALL)
# Runs of braces are one token each, so that megabytes of them cost nothing.
_BRACES = re.compile(rf"(?P<start>{_START})|(?P<open>\{{+(?=\{{)|\{{)|(?P<close>\}}+)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


class HugeNumber(str):
    """A number beyond what is read as one, as it was spelled; JSON records hold it as text."""

    __slots__ = ()


class NotOneObject(Exception):
    """The text is not exactly one JSON object; the message says what it is, and where."""


@dataclass(frozen=True, slots=True)
class FoundObject:
    """The object, and whether there was anything but white space around it."""

    value: dict[str, Any]
    wrapped: bool


def find_object(text: str) -> FoundObject:
    """The one JSON object in the text. Raises NotOneObject, and nothing else, for any text."""
    size = len(text.encode(errors="surrogatepass"))
    if size > LIMIT_BYTES:
        raise NotOneObject(
            f"the reply has {size} bytes and is cut at {LIMIT_BYTES}, so its JSON object is not "
            "complete; give a shorter one"
        )
    text = _without_surrogates(text)
    start = _first_start(text, _end_of_thoughts(text))
    value, end = _decode(text, start)
    more = _OBJECT_START.search(text, end)
    if more:
        raise NotOneObject(
            f"the reply has more than one JSON object: one starts at {_place(text, start)}, the "
            f"next at {_place(text, more.start())}; give exactly one"
        )
    return FoundObject(value, bool(text[:start].strip() or text[end:].strip()))


def _end_of_thoughts(text: str) -> int:
    """Where a leading, closed block of thoughts ends; 0 without one. What is left open stays."""
    opened, closed = _THOUGHTS
    begin = len(text) - len(text.lstrip().lstrip("\ufeff").lstrip())
    if not text.startswith(opened, begin):
        return 0
    end = text.find(closed, begin)
    return end + len(closed) if end >= 0 else 0


def _first_start(text: str, begin: int) -> int:
    """Where the first JSON object from `begin` on starts that is not part of something else."""
    depth, opened_at = 0, begin
    for token in _BRACES.finditer(text, begin):
        at = token.start()
        if token["close"]:
            depth = max(0, depth - len(token["close"]))
        elif token["open"]:
            opened_at = opened_at if depth else at
            depth += len(token["open"])
        elif depth:
            raise NotOneObject(_why_not(text, opened_at))
        elif text[begin:at].rstrip(" \t\r\n").endswith("["):
            raise NotOneObject(
                f"the JSON object at {_place(text, at)} is inside a list; give the object alone"
            )
        else:
            return at
    first = text.find("{", begin)
    if first >= 0:
        raise NotOneObject(_why_not(text, first))
    told = "the reply is empty" if not text.strip() else "the reply has no JSON object"
    if begin:
        told += f" after its {_THOUGHTS[1]}"
    raise NotOneObject(f"{told}; give exactly one JSON object, with nodes and edges")


def _decode(text: str, start: int) -> tuple[dict[str, Any], int]:
    """The object that starts there, and where it ends."""
    flaws: list[Any] = []
    decoder = json.JSONDecoder(
        object_pairs_hook=lambda pairs: _pairs(pairs, flaws),
        parse_float=_float,
        parse_int=_integer,
        parse_constant=lambda word: _constant(word, flaws),
    )
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise NotOneObject(_told(text, start, error)) from None
    except RecursionError:
        raise NotOneObject(_too_deep(text, start)) from None
    if _is_too_deep(value):
        raise NotOneObject(_too_deep(text, start))
    flaw = _first_flaw(value, "") if flaws else None
    if flaw is not None:
        raise NotOneObject(flaw)
    return value, end


class _Repeated(dict[str, Any]):
    """An object with a repeated key."""

    key: str


class _Constant(str):
    """NaN, Infinity or -Infinity."""

    __slots__ = ()


def _pairs(pairs: list[tuple[str, Any]], flaws: list[Any]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    flawed = _Repeated(found)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            flawed.key = key
            break
        seen.add(key)
    flaws.append(flawed)
    return flawed


def _constant(word: str, flaws: list[Any]) -> _Constant:
    flaws.append(word)
    return _Constant(word)


def _integer(digits: str) -> int | HugeNumber:
    return int(digits) if len(digits) <= LONGEST_INTEGER else HugeNumber(digits)


def _float(spelling: str) -> float | HugeNumber:
    value = float(spelling)
    return HugeNumber(spelling) if value in (float("inf"), float("-inf")) else value


def _is_too_deep(root: Any) -> bool:
    """Whether containers are nested more than 100 deep; level by level, without recursion."""
    level = [root]
    for _ in range(DEEPEST):
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _first_flaw(value: Any, path: str) -> str | None:
    """The first repeated key or constant, with its path (`edges[4].x`); nesting is bounded."""
    if isinstance(value, _Constant):
        return f"{path} is {value}, which is no JSON number; give a finite one"
    if isinstance(value, _Repeated):
        key = quoted(value.key)
        return f"{path or 'the answer'} has the key {key} more than once; keep one"
    children: Any = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in children:
        if isinstance(child, dict | list | _Constant):
            flaw = _first_flaw(child, _join(path, key))
            if flaw is not None:
                return flaw
    return None


def _join(path: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{shortened(key)}" if path else shortened(key)


def _without_surrogates(text: str) -> str:
    """The text with lone surrogates, raw or escaped, replaced: no UTF-8 record can hold them."""
    text = _SURROGATE.sub("\ufffd", text)
    if not _ESCAPED_SURROGATE.search(text):
        return text
    return _ESCAPE.sub(lambda m: "\\ufffd" if m["lone"] else m[0], text)


def _why_not(text: str, start: int) -> str:
    """Why there is no object at a brace."""
    try:
        json.JSONDecoder(parse_int=str, parse_float=str).raw_decode(text, start)
    except json.JSONDecodeError as error:
        return _told(text, start, error)
    except RecursionError:
        return _too_deep(text, start)
    return f"the reply has no single JSON object; see {_place(text, start)}"  # pragma: no cover


def _told(text: str, start: int, error: json.JSONDecodeError) -> str:
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return (
            f"the JSON object that starts at {_place(text, start)} is cut off before it ends; "
            "give the complete object"
        )
    near = quoted(text[error.pos : error.pos + 20])
    problem = f"{error.msg[:1].lower()}{error.msg[1:]}".removesuffix(" at")
    return (
        f"the JSON object that starts at {_place(text, start)} is not valid JSON: {problem} at "
        f"{_place(text, error.pos)}, near {near}"
    )


def _too_deep(text: str, start: int) -> str:
    return (
        f"the JSON object that starts at {_place(text, start)} is nested more than {DEEPEST} "
        "levels deep; an answer needs 3"
    )


def _place(text: str, at: int) -> str:
    line = text.count("\n", 0, at) + 1
    return f"line {line}, column {at - text.rfind(chr(10), 0, at)}"


def shortened(text: str, limit: int = 40) -> str:
    """The text, cut where it is longer than the limit."""
    return text if len(text) <= limit else f"{text[:limit]}..."


def quoted(text: str) -> str:
    """The text as a short JSON string, so that a message stays on one line."""
    return json.dumps(shortened(text), ensure_ascii=False)


def cut_text(text: str) -> tuple[str, bool]:
    """The text up to just past the size limit, and whether it was cut."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= LIMIT_BYTES:
        return text, False
    # Past the limit by at least one byte: the parser must still see that it was too long.
    end = LIMIT_BYTES + 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return data[:end].decode("utf-8", "surrogatepass"), True
