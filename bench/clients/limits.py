"""Limits that all workers of a session share: requests at once, a minute, and dollars.

The workers are processes that know nothing of each other but the session's folder, so the
state is a file there, changed under a file lock. What a crash leaves behind is safe: the
system releases the locks of a dead process, and money that it had reserved counts as spent.
"""

from __future__ import annotations

import json
import math
import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from bench.errors import BudgetReached, InputError, RecordError

_WINDOW_S = 60.0
_POLL_S = 0.05
_MICRO = 1_000_000
SCHEMA = 1


@dataclass(slots=True)
class Ticket:
    """Leave for one HTTP attempt. Unless `settle` is called, its worst case counts as spent."""

    reserved_usd: float
    settled_usd: float | None = None

    def settle(self, usd: float | None) -> None:
        """Say what the attempt cost; None when nobody knows, which keeps the worst case."""
        self.settled_usd = self.reserved_usd if usd is None else usd


class SharedLimits:
    """The limits of one session, as one of its workers sees them.

    `max_cost_usd` bounds the whole session: what earlier runs of the same folder spent counts.
    The money is kept in whole millionths of a dollar, rounded up. `clock` is wall time in
    seconds, since processes share no other.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        max_concurrency: int | None = None,
        requests_per_minute: int | None = None,
        max_cost_usd: float | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        for name, value in (
            ("--max-concurrency", max_concurrency),
            ("--requests-per-minute", requests_per_minute),
        ):
            if value is not None and value < 1:
                raise InputError(f"{name} {value} must be at least 1")
        if max_cost_usd is not None and not (math.isfinite(max_cost_usd) and max_cost_usd > 0):
            raise InputError(f"--max-cost {max_cost_usd} must be above 0 US dollars")
        self._concurrency = max_concurrency
        self._per_minute = requests_per_minute
        self._max_micro = None if max_cost_usd is None else int(max_cost_usd * _MICRO)
        self._clock, self._sleep = clock, sleep
        self._active = any((max_concurrency, requests_per_minute, max_cost_usd))
        if self._active and folder is None:
            raise InputError("limits that workers share need the session's folder")
        self._folder = folder or Path()

    def describe(self) -> dict[str, Any]:
        """The limits, for the manifest."""
        return {
            "max_concurrency": self._concurrency,
            "requests_per_minute": self._per_minute,
            "max_cost_usd": None if self._max_micro is None else self._max_micro / _MICRO,
        }

    @contextmanager
    def admit(self, worst_case_usd: float | None) -> Iterator[Ticket]:
        """Wait for a slot and a place in the minute, reserve the money, and settle at the end.

        Raises BudgetReached, with nothing reserved, when the worst case does not fit.
        """
        ticket = Ticket(worst_case_usd or 0.0)
        if not self._active:
            yield ticket
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        slot = self._take_slot()
        try:
            name = self._reserve(ticket.reserved_usd)
            try:
                yield ticket
            finally:
                self._settle(name, ticket)
        finally:
            if slot is not None:
                slot.release()

    def spent_usd(self) -> float:
        """Dollars spent in this session so far, open reservations included."""
        with self._state() as state:
            return self._used(state) / _MICRO

    def _take_slot(self) -> FileLock | None:
        if self._concurrency is None:
            return None
        while True:
            for index in range(self._concurrency):
                lock = FileLock(self._folder / f"slot-{index}.lock")
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    continue
                return lock
            self._sleep(_POLL_S)

    def _reserve(self, usd: float) -> str:
        """Enter the attempt; waits for a place in the minute with the lock released."""
        need = _micro(usd)
        while True:
            with self._state() as state:
                self._check_money(state, need)
                wait_s = self._wait_for_minute(state)
                if wait_s <= 0:
                    name = uuid.uuid4().hex
                    state["reserved"][name] = need
                    state["starts"].append(self._clock())
                    return name
            self._sleep(min(wait_s, 1.0))

    def _check_money(self, state: dict[str, Any], need: int) -> None:
        if self._max_micro is None or self._used(state) + need <= self._max_micro:
            return
        raise BudgetReached(
            f"--max-cost {self._max_micro / _MICRO:g}: ${self._used(state) / _MICRO:.4f} is spent "
            f"or reserved and the next call may cost ${need / _MICRO:.4f}; resume with a higher "
            "--max-cost"
        )

    def _wait_for_minute(self, state: dict[str, Any]) -> float:
        """Seconds until the next request may start; forgets what is older than a minute."""
        now = self._clock()
        state["starts"] = [t for t in state["starts"] if now - _WINDOW_S < t <= now]
        if self._per_minute is None or len(state["starts"]) < self._per_minute:
            return 0.0
        return float(sorted(state["starts"])[-self._per_minute] + _WINDOW_S - now)

    def _settle(self, name: str, ticket: Ticket) -> None:
        usd = ticket.reserved_usd if ticket.settled_usd is None else ticket.settled_usd
        with self._state() as state:
            state["reserved"].pop(name, None)
            state["spent"] += _micro(usd)

    @staticmethod
    def _used(state: dict[str, Any]) -> int:
        return int(state["spent"] + sum(state["reserved"].values()))

    @contextmanager
    def _state(self) -> Iterator[dict[str, Any]]:
        """The shared state under its lock; what the block leaves in it is written whole."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / "state.json"
        with FileLock(self._folder / "state.lock"):
            state = _read_state(path)
            yield state
            temporary = path.with_suffix(".tmp")
            temporary.write_text(json.dumps(state, allow_nan=False), "utf-8")
            os.replace(temporary, path)


def _micro(usd: float) -> int:
    # The tiny margin keeps 0.1 + 0.2 style noise from rounding a whole number up.
    return math.ceil(usd * _MICRO - 1e-6)


def _read_state(path: Path) -> dict[str, Any]:
    try:
        state = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {"schema": SCHEMA, "spent": 0, "reserved": {}, "starts": []}
    except ValueError:
        state = None
    if not isinstance(state, dict) or state.get("schema") != SCHEMA:
        raise RecordError(
            f"{path.name} of the session's limits is broken, so what was spent is unknown; "
            "delete it to start from $0"
        )
    return state
