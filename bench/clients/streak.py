"""When going on makes no sense: episodes that end alike, one after another, by no model's fault."""

from __future__ import annotations

from bench.errors import ClientError

MOST_IN_A_ROW = 5
"""Infra_errors of one kind in a row after which a run stops."""


def kind_of(error: Exception) -> str:
    """What kind of infra_error an episode's fault is: the fault's own kind, else its type."""
    kind = error.kind if isinstance(error, ClientError) else ""
    return kind or type(error).__name__


class Streak:
    """Counts infra_errors of one kind in a row, in the order in which episodes end.

    `most` is how many end the run; 0 never does. An episode with a result ends the row, and so
    does a fault of another kind, which begins its own.
    """

    def __init__(self, most: int = MOST_IN_A_ROW) -> None:
        self._most = most
        self._kind: str | None = None
        self._count = 0

    def add(self, kind: str | None) -> str | None:
        """Enter an episode's end: its kind of fault, None for a result.

        Gives the reason to stop once the row is long enough, else None.
        """
        self._count = self._count + 1 if kind is not None and kind == self._kind else 1
        self._kind = kind
        if kind is None or self._most < 1 or self._count < self._most:
            return None
        return (
            f"{self._count} episodes in a row ended as infra_error for one reason ({kind}): "
            "going on would only pay for more of them; mend the cause and run with --resume"
        )
