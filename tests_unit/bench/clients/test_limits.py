"""Shared limits: what several workers of one session may do together."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.clients.limits import SharedLimits
from bench.errors import BudgetReached, InputError, RecordError


class FakeTime:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_without_limits_nothing_is_written(tmp_path: Path) -> None:
    with SharedLimits(tmp_path).admit(5.0):
        pass
    with SharedLimits(None).admit(None):
        pass
    assert list(tmp_path.iterdir()) == []


def test_limits_need_a_folder_to_be_shared_in() -> None:
    with pytest.raises(InputError, match="session's folder"):
        SharedLimits(None, max_concurrency=1)


@pytest.mark.parametrize(
    "limits",
    [
        {"max_concurrency": 0},
        {"requests_per_minute": -1},
        {"max_cost_usd": 0.0},
        {"max_cost_usd": float("nan")},
        {"max_cost_usd": float("inf")},
    ],
)
def test_limit_that_lets_nothing_through_is_refused(
    limits: dict[str, float], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="must be"):
        SharedLimits(tmp_path, **limits)  # type: ignore[arg-type]


def test_fourth_request_waits_for_the_minute_of_the_first(tmp_path: Path) -> None:
    time_ = FakeTime()
    limits = SharedLimits(tmp_path, requests_per_minute=3, clock=time_.clock, sleep=time_.sleep)
    starts = []
    for pause in (0.0, 10.0, 10.0, 0.0, 0.0):
        time_.now += pause
        with limits.admit(None):
            starts.append(time_.now - 1_000_000.0)
    assert starts == pytest.approx([0, 10, 20, 60, 70])


def test_settled_money_replaces_the_reservation(tmp_path: Path) -> None:
    limits = SharedLimits(tmp_path, max_cost_usd=1.0)
    with limits.admit(0.9) as ticket:
        assert limits.spent_usd() == 0.9
        with pytest.raises(BudgetReached, match="next call may cost"):  # noqa: SIM117
            with SharedLimits(tmp_path, max_cost_usd=1.0).admit(0.9):
                pass
        ticket.settle(0.1)
    assert limits.spent_usd() == 0.1
    with limits.admit(0.9) as ticket:  # exactly what is left
        ticket.settle(None)
    assert limits.spent_usd() == 1.0
    with pytest.raises(BudgetReached), limits.admit(1e-6):
        pass


def test_unsettled_call_counts_in_full_also_when_it_raised(tmp_path: Path) -> None:
    limits = SharedLimits(tmp_path, max_cost_usd=1.0)
    with pytest.raises(KeyboardInterrupt), limits.admit(0.25):
        raise KeyboardInterrupt
    assert limits.spent_usd() == 0.25


def test_killed_worker_frees_its_slot_and_its_money_counts_as_spent(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from bench.clients.limits import SharedLimits\n"
        "with SharedLimits(Path(sys.argv[1]), max_concurrency=1, max_cost_usd=1.0).admit(0.4):\n"
        "    os._exit(9)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, tmp_path], check=False, timeout=30)
    assert run.returncode == 9
    limits = SharedLimits(tmp_path, max_concurrency=1, max_cost_usd=1.0)
    with limits.admit(0.1) as ticket:
        ticket.settle(0.0)
    assert limits.spent_usd() == pytest.approx(0.4)


def test_broken_state_is_said_and_never_taken_for_nothing_spent(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"schema": 1, "spe')
    with pytest.raises(RecordError, match=r"state\.json .* is broken"):
        SharedLimits(tmp_path, max_cost_usd=1.0).spent_usd()


def _work(folder: str, calls: int) -> None:
    limits = SharedLimits(Path(folder), max_concurrency=2, max_cost_usd=100.0)
    for _ in range(calls):
        with limits.admit(1.0) as ticket:
            begin = time.time()
            time.sleep(0.02)
            with open(Path(folder) / "spans.txt", "a") as file:
                file.write(f"{begin} {time.time()} {os.getpid()}\n")
            ticket.settle(0.01)


def test_four_workers_never_run_more_than_two_at_once_and_lose_no_cent(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_work, args=(str(tmp_path), 5)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    spans = [
        (float(a), float(b))
        for a, b, _ in (line.split() for line in (tmp_path / "spans.txt").read_text().splitlines())
    ]
    assert len(spans) == 20
    assert max(sum(a <= t < b for a, b in spans) for t, _ in spans) <= 2
    assert SharedLimits(tmp_path, max_cost_usd=100.0).spent_usd() == pytest.approx(0.2)
