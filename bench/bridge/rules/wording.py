"""How violations are worded and counted: numbers, lists of ids, and the cap on their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bench.bridge.design.design import Node
from bench.task import Violation

SHOWN_PER_CODE = 20
"""Violations of one code that are told one by one; a hostile answer may have thousands."""

SHOWN_IN_LIST = 12


def capped(violations: Iterable[Violation]) -> Iterator[Violation]:
    """The violations of one code: the first 20, then one that counts the rest."""
    more = 0
    code = ""
    for count, violation in enumerate(violations, start=1):
        if count <= SHOWN_PER_CODE:
            yield violation
        else:
            more, code = count - SHOWN_PER_CODE, violation.code
    if more:
        yield Violation(code, f"and {more} more of the kind {code}", values={"more": more})


def number(value: float) -> str:
    """A length or coordinate in metres, to 4 decimals at most, without trailing zeros."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def point(x: float, y: float) -> str:
    """A position in metres: `(1.5, -2)`."""
    return f"({number(x)}, {number(y)})"


def node_at(node: Node) -> str:
    """A node with its position: `node 5 at (1.5, -2)`."""
    return f"node {node.id} at {point(node.x, node.y)}"


def dollars(value: float) -> str:
    """An amount with thousands separators; cents only where there are any."""
    text = f"${value:,.2f}"
    return text.removesuffix(".00")


def listing(items: Sequence[object]) -> str:
    """`1, 2 and 3`; a long list is cut with the number of items left out."""
    words = [str(item) for item in items]
    if len(words) > SHOWN_IN_LIST:
        return f"{', '.join(words[:SHOWN_IN_LIST])} and {len(words) - SHOWN_IN_LIST} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
