"""Limits that all workers of a session share: requests at once, a minute, and dollars.

The workers are processes that know nothing of each other but the session's folder, so the
state is a file there, changed under a file lock. What a crash leaves behind is safe: the
system releases the locks of a dead process, and money that it had reserved counts as spent.
Every attempt is booked, limit or not: a limit of a later run counts from the first request.
"""

from __future__ import annotations

import json
import math
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from bench.clients.spent import Bill, Price
from bench.errors import BudgetReached, InputError, RecordError
from bench.records.files import write_bytes

_WINDOW_S = 60.0
_POLL_S = 0.05
_MICRO = 1_000_000
SCHEMA = 2


@dataclass(slots=True)
class Ticket:
    """Leave for one HTTP attempt. Unless `settle` is called, its worst case counts as spent."""

    reserved: Bill
    settled: Bill | None = None

    def settle(self, bill: Bill) -> None:
        """Say what the attempt counts for."""
        self.settled = bill


def _no_price(_input: int, _output: int) -> float | None:
    return None


class SharedLimits:
    """The limits of one session, as one of its workers sees them.

    `most_usd` bounds the whole session: what earlier runs of the same folder spent counts,
    also what ran without a limit or a price. `price` is what tokens cost that were booked when
    none was known. `bills` gives the session's bills from its records, with what was cut off
    or without, and is asked only where the state is missing or broken. Money is kept in whole
    millionths of a dollar, rounded up. `clock` is wall time in seconds, since processes share
    no other. Without a folder nothing is shared and nothing booked.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        max_concurrency: int | None = None,
        requests_per_minute: int | None = None,
        most_usd: float | None = None,
        price: Price = _no_price,
        bills: Callable[[bool], Sequence[Bill]] = lambda _cut_off: (),
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        for name, value in (
            ("--max-concurrency", max_concurrency),
            ("--requests-per-minute", requests_per_minute),
        ):
            if value is not None and value < 1:
                raise InputError(f"{name} {value} must be at least 1")
        if most_usd is not None and not (math.isfinite(most_usd) and most_usd > 0):
            raise InputError(f"--max-cost {most_usd} must be above 0 US dollars")
        self._concurrency = max_concurrency
        self._per_minute = requests_per_minute
        self._max_micro = None if most_usd is None else int(most_usd * _MICRO)
        self._price, self._bills = price, bills
        self._clock, self._sleep = clock, sleep
        self._shared = folder is not None
        if folder is None and any((max_concurrency, requests_per_minute, most_usd)):
            raise InputError("limits that workers share need the session's folder")
        self._folder = folder or Path()

    def prepare(self) -> None:
        """Make the state of a session whose state is missing or broken, before anything is sent.

        Only now are requests without an end those of a run that was cut off: later they may be
        another worker's that are out.
        """
        if self._shared:
            with self._state(cut_off=True):
                pass

    @contextmanager
    def admit(self, worst_case: Bill) -> Iterator[Ticket]:
        """Wait for a slot and a place in the minute, reserve the money, and settle at the end.

        Raises BudgetReached, with nothing reserved, when the worst case does not fit.
        """
        ticket = Ticket(worst_case)
        if not self._shared:
            yield ticket
            return
        slot = self._take_slot()
        try:
            name = self._reserve(worst_case)
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
        self._make_folder()
        while True:
            for index in range(self._concurrency):
                lock = FileLock(self._folder / f"slot-{index}.lock")
                try:
                    lock.acquire(timeout=0)
                except Timeout:
                    continue
                return lock
            self._sleep(_POLL_S)

    def _reserve(self, worst: Bill) -> str:
        """Enter the attempt; waits for a place in the minute with the lock released."""
        need = self._micro_of(worst)
        while True:
            with self._state() as state:
                self._check_money(state, need)
                wait_s = self._wait_for_minute(state)
                if wait_s <= 0:
                    name = uuid.uuid4().hex
                    state["reserved"][name] = _entry(worst)
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
        with self._state() as state:
            state["reserved"].pop(name, None)
            _book(state, ticket.reserved if ticket.settled is None else ticket.settled)

    def _used(self, state: dict[str, Any]) -> int:
        """Millionths of a dollar that are spent or reserved."""
        unpriced = Bill(*state["unpriced"])
        reserved = [Bill(*entry) for entry in state["reserved"].values()]
        return int(state["spent"]) + sum(map(self._micro_of, [unpriced, *reserved]))

    def _micro_of(self, bill: Bill) -> int:
        usd = bill.usd
        if usd is None:
            usd = self._price(bill.input_tokens, bill.output_tokens)
        return _micro(usd or 0.0)

    @contextmanager
    def _state(self, cut_off: bool = False) -> Iterator[dict[str, Any]]:
        """The shared state under its lock; what the block leaves in it is written whole."""
        self._make_folder()
        path = self._folder / "state.json"
        with FileLock(self._folder / "state.lock"):
            state = _read_state(path)
            if state is None:
                state = _new_state()
                for bill in self._bills(cut_off):
                    _book(state, bill)
            yield state
            write_bytes(path, json.dumps(state, allow_nan=False).encode())

    def _make_folder(self) -> None:
        """The folder, within the session's, which is never made anew: its records are gone."""
        try:
            self._folder.mkdir(exist_ok=True)
        except FileNotFoundError:
            raise RecordError(
                "the session's folder is gone; nothing more is sent, as no answer could be kept"
            ) from None


def _micro(usd: float) -> int:
    # The tiny margin keeps 0.1 + 0.2 style noise from rounding a whole number up.
    return math.ceil(usd * _MICRO - 1e-6)


def _new_state() -> dict[str, Any]:
    return {"schema": SCHEMA, "spent": 0, "unpriced": [0, 0], "reserved": {}, "starts": []}


def _book(state: dict[str, Any], bill: Bill) -> None:
    if bill.usd is not None:
        state["spent"] += _micro(bill.usd)
        return
    tokens = (bill.input_tokens, bill.output_tokens)
    state["unpriced"] = [a + b for a, b in zip(state["unpriced"], tokens, strict=True)]


def _entry(bill: Bill) -> list[Any]:
    return [bill.input_tokens, bill.output_tokens, bill.usd]


def _read_state(path: Path) -> dict[str, Any] | None:
    """The state, None where it is missing, broken or of an older version: records tell then."""
    try:
        state = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(state, dict) or state.get("schema") != SCHEMA:
        return None
    return state if set(state) == set(_new_state()) else None
