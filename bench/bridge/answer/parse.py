"""Reading an answer: text -> Design, or the violations that keep it from being one.

What a model wrote never raises. PARSE_ERROR: the text is not exactly one JSON object.
SCHEMA_ERROR: the object is no Design; every place is named (`edges[4].anchorAID`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bench.answer_json import HugeNumber, NotOneObject, find_object, quoted, shortened
from bench.bridge.design.design import Design, Member, Node
from bench.bridge.rules.wording import SHOWN_PER_CODE, capped
from bench.task import Candidate, Json, Violation

ACTION = "modify"
COORDINATE_LIMIT_M = 1000
COORDINATE_DECIMALS = 4
LARGEST_ID = 2**31 - 1
MOST_NODES = 1000
MOST_EDGES = 2000

Fault = tuple[str, str, Json]
"""Place, what is wrong there, and the value found (None where it is missing)."""

Check = Callable[[Any], str | None]
"""What a field must be, None when it is that."""


def parse_answer(text: str) -> Candidate[Design]:
    """Read an answer.

    Notes: `wrapped` when there was text around the object, `unknown_fields` with the places of
    fields that are ignored (indices dropped), `confidence` when it is given and within 0..1.
    """
    try:
        found = find_object(text)
    except NotOneObject as error:
        return Candidate(None, (Violation("PARSE_ERROR", str(error)),))
    answer = found.value
    notes: dict[str, Json] = {"wrapped": True} if found.wrapped else {}
    confidence = answer.get("confidence")
    known = _ANSWER_FIELDS
    if _is_share(confidence):
        notes["confidence"] = confidence
        known = known | {"confidence"}
    unknown = list(dict.fromkeys(_unknown_fields(answer, known)))
    if unknown:
        notes["unknown_fields"] = unknown[:SHOWN_PER_CODE]
    thought = answer.get("thought_process")
    violations = tuple(capped(_violation(answer, fault) for fault in _faults(answer)))
    return Candidate(
        design=None if violations else _design(answer),
        violations=violations,
        draft=answer,
        thought=thought if isinstance(thought, str) else "",
        notes=notes,
    )


def _design(answer: Mapping[str, Any]) -> Design:
    """The design of an object without faults."""
    nodes = (
        Node(n["id"], _metres(n["x"]), _metres(n["y"]), n["isKinematic"]) for n in answer["nodes"]
    )
    members = (
        Member(e["id"], e["type"], e["anchorAID"], e["anchorBID"], e.get("rate", 0))
        for e in answer["edges"]
    )
    return Design(tuple(nodes), tuple(members))


def _metres(value: float) -> float:
    """The coordinate rounded to 4 decimals; adding 0 turns -0 into 0."""
    return round(float(value), COORDINATE_DECIMALS) + 0.0


def _faults(answer: Mapping[str, Any]) -> Iterator[Fault]:
    """Everything that keeps the object from being a Design, in the order of its fields."""
    yield from _field_faults(answer, "", _ANSWER_CHECKS)
    for name, fields, most in _LISTS:
        items = answer.get(name)
        if not isinstance(items, list):
            continue
        if len(items) > most:
            # An answer this long is refused whole; its items are not worth the time.
            yield name, f"must have at most {most} items, not {len(items)}", len(items)
            continue
        for i, item in enumerate(items):
            place = f"{name}[{i}]"
            if isinstance(item, dict):
                yield from _field_faults(item, f"{place}.", fields)
            else:
                yield place, f"must be an object, not {_told(item)}", item


def _field_faults(
    item: Mapping[str, Any], prefix: str, checks: Mapping[str, Check]
) -> Iterator[Fault]:
    for name, check in checks.items():
        if name not in item:
            if name not in _OPTIONAL:
                yield prefix + name, f"is missing; it {_demand(check)}", None
            continue
        wrong = check(item[name])
        if wrong is not None:
            yield prefix + name, f"{wrong}, not {_told(item[name])}", item[name]


def _violation(answer: Mapping[str, Any], fault: Fault) -> Violation:
    place, problem, value = fault
    values: dict[str, Json] = {"place": place}
    if isinstance(value, str):
        values["value"] = shortened(value)
    elif isinstance(value, bool | int | float):
        values["value"] = value
    return Violation("SCHEMA_ERROR", f"{place} {problem}", _ids(answer, place), values)


def _ids(answer: Mapping[str, Any], place: str) -> tuple[int, ...]:
    """The id of the node or edge that a place is in, where it has a usable one."""
    name, _, rest = place.partition("[")
    if not rest:
        return ()
    item = answer[name][int(rest.partition("]")[0])]
    id_ = item.get("id") if isinstance(item, dict) else None
    return () if id_ is None or _check_id(id_) else (id_,)


def _unknown_fields(answer: Mapping[str, Any], known: frozenset[str]) -> Iterator[str]:
    yield from (shortened(name) for name in answer if name not in known)
    for name, fields, _ in _LISTS:
        items = answer.get(name)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict):
                yield from (f"{name}[].{shortened(k)}" for k in item if k not in fields)


def _told(value: Any) -> str:
    """A value as a message names it."""
    if isinstance(value, HugeNumber):
        return f"{shortened(value, 20)} (a number of {len(value)} characters)"
    if isinstance(value, str):
        return f"the string {quoted(value)}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _demand(check: Check) -> str:
    """What a field must be: what its check says of null, which is never right."""
    return str(check(None))


def _check_id(value: Any) -> str | None:
    good = _is_integer(value) and 1 <= value <= LARGEST_ID
    return None if good else f"must be an integer from 1 to {LARGEST_ID}"


def _check_type(value: Any) -> str | None:
    return None if _is_integer(value) else "must be an integer, the number of a material"


def _check_coordinate(value: Any) -> str | None:
    good = _is_number(value) and abs(value) <= COORDINATE_LIMIT_M
    limit = COORDINATE_LIMIT_M
    return None if good else f"must be a number of metres from -{limit} to {limit}"


def _check_flag(value: Any) -> str | None:
    return None if isinstance(value, bool) else "must be true or false"


def _check_rate(value: Any) -> str | None:
    return None if _is_number(value) else "must be a finite number"


def _check_action(value: Any) -> str | None:
    return None if value == ACTION else f'must be "{ACTION}"'


def _check_text(value: Any) -> str | None:
    good = isinstance(value, str) and not isinstance(value, HugeNumber)
    return None if good else "must be a string"


def _check_list(value: Any) -> str | None:
    return None if isinstance(value, list) else "must be a list of objects"


_ANSWER_CHECKS: Mapping[str, Check] = {
    "action": _check_action,
    "thought_process": _check_text,
    "nodes": _check_list,
    "edges": _check_list,
}
_ANSWER_FIELDS = frozenset(_ANSWER_CHECKS)
_NODE_CHECKS: Mapping[str, Check] = {
    "id": _check_id,
    "x": _check_coordinate,
    "y": _check_coordinate,
    "isKinematic": _check_flag,
}
_EDGE_CHECKS: Mapping[str, Check] = {
    "id": _check_id,
    "type": _check_type,
    "anchorAID": _check_id,
    "anchorBID": _check_id,
    "rate": _check_rate,
}
_OPTIONAL = frozenset({"rate"})
_LISTS = (("nodes", _NODE_CHECKS, MOST_NODES), ("edges", _EDGE_CHECKS, MOST_EDGES))
