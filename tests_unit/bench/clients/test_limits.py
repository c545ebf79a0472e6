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
from bench.clients.spent import Bill
from bench.errors import BudgetReached, InputError, RecordError


class FakeTime:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def dollars(usd: float) -> Bill:
    """A bill of known dollars."""
    return Bill(usd=usd)


def test_without_a_folder_nothing_is_shared_or_booked() -> None:
    limits = SharedLimits(None)
    with limits.admit(dollars(5.0)):
        pass
    assert limits.spent_usd() == 0.0


def test_without_limits_every_attempt_is_booked_all_the_same(tmp_path: Path) -> None:
    for usd in (0.3, 0.4):
        with SharedLimits(tmp_path).admit(dollars(5.0)) as ticket:
            ticket.settle(dollars(usd))
    limited = SharedLimits(tmp_path, most_usd=1.0)
    assert limited.spent_usd() == pytest.approx(0.7)
    with pytest.raises(BudgetReached, match=r"\$0\.7000 is spent"), limited.admit(dollars(0.4)):
        pass


def test_tokens_without_a_price_are_booked_and_cost_what_a_later_run_says(tmp_path: Path) -> None:
    for _ in range(2):
        with SharedLimits(tmp_path).admit(Bill(1000, 500)) as ticket:
            ticket.settle(Bill(1000, 200))
    assert SharedLimits(tmp_path).spent_usd() == 0.0

    def price(input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * 10 + output_tokens * 100) / 1e6

    priced = SharedLimits(tmp_path, most_usd=0.07, price=price)
    assert priced.spent_usd() == pytest.approx(0.06)
    with pytest.raises(BudgetReached), priced.admit(dollars(0.02)):
        pass
    with priced.admit(dollars(0.01)) as ticket:
        ticket.settle(dollars(0.01))
    assert SharedLimits(tmp_path, price=price).spent_usd() == pytest.approx(0.07)


def test_session_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    limits = SharedLimits(tmp_path / "gone" / "limits")
    with pytest.raises(RecordError, match="folder is gone; nothing more is sent"):  # noqa: SIM117
        with limits.admit(Bill()):
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "left",
    [
        None,
        "",
        "null",
        '{"schema": 2, "spe',
        '{"schema": 2}',
        '{"schema": 1, "spent": 5, "reserved": {}, "starts": []}',
        "\x00\x00",
    ],
)
def test_state_that_is_missing_broken_or_old_is_made_again_from_the_records(
    left: str | None, tmp_path: Path
) -> None:
    if left is not None:
        (tmp_path / "state.json").write_text(left)
    asked: list[bool] = []

    def bills(cut_off: bool) -> list[Bill]:
        asked.append(cut_off)
        return [dollars(0.25), Bill(1000, 0), *([dollars(0.5)] if cut_off else [])]

    limits = SharedLimits(tmp_path, price=lambda i, o: i * 1e-5, bills=bills)
    limits.prepare()
    assert limits.spent_usd() == pytest.approx(0.76)
    limits.prepare()
    assert asked == [True]
    (tmp_path / "state.json").unlink()
    assert limits.spent_usd() == pytest.approx(0.26)  # requests that are out may be a worker's
    assert asked == [True, False]


def test_limits_need_a_folder_to_be_shared_in() -> None:
    with pytest.raises(InputError, match="session's folder"):
        SharedLimits(None, max_concurrency=1)


@pytest.mark.parametrize(
    "limits",
    [
        {"max_concurrency": 0},
        {"requests_per_minute": -1},
        {"most_usd": 0.0},
        {"most_usd": float("nan")},
        {"most_usd": float("inf")},
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
        with limits.admit(Bill()):
            starts.append(time_.now - 1_000_000.0)
    assert starts == pytest.approx([0, 10, 20, 60, 70])


def test_settled_money_replaces_the_reservation(tmp_path: Path) -> None:
    limits = SharedLimits(tmp_path, most_usd=1.0)
    with limits.admit(dollars(0.9)) as ticket:
        assert limits.spent_usd() == 0.9
        with pytest.raises(BudgetReached, match="next call may cost"):  # noqa: SIM117
            with SharedLimits(tmp_path, most_usd=1.0).admit(dollars(0.9)):
                pass
        ticket.settle(dollars(0.1))
    assert limits.spent_usd() == 0.1
    with limits.admit(dollars(0.9)):  # exactly what is left
        pass
    assert limits.spent_usd() == 1.0
    with pytest.raises(BudgetReached), limits.admit(dollars(1e-6)):
        pass


def test_unsettled_call_counts_in_full_also_when_it_raised(tmp_path: Path) -> None:
    limits = SharedLimits(tmp_path, most_usd=1.0)
    with pytest.raises(KeyboardInterrupt), limits.admit(dollars(0.25)):
        raise KeyboardInterrupt
    assert limits.spent_usd() == 0.25


def test_killed_worker_frees_its_slot_and_its_money_counts_as_spent(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from bench.clients.limits import SharedLimits\n"
        "from bench.clients.spent import Bill\n"
        "bill = Bill(usd=0.4)\n"
        "with SharedLimits(Path(sys.argv[1]), max_concurrency=1, most_usd=1.0).admit(bill):\n"
        "    os._exit(9)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, tmp_path], check=False, timeout=30)
    assert run.returncode == 9
    limits = SharedLimits(tmp_path, max_concurrency=1, most_usd=1.0)
    with limits.admit(dollars(0.1)) as ticket:
        ticket.settle(dollars(0.0))
    assert limits.spent_usd() == pytest.approx(0.4)


def _work(folder: str, calls: int) -> None:
    limits = SharedLimits(Path(folder), max_concurrency=2, most_usd=100.0)
    for _ in range(calls):
        with limits.admit(dollars(1.0)) as ticket:
            begin = time.time()
            time.sleep(0.02)
            with open(Path(folder) / "spans.txt", "a") as file:
                file.write(f"{begin} {time.time()} {os.getpid()}\n")
            ticket.settle(dollars(0.01))


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
    assert SharedLimits(tmp_path, most_usd=100.0).spent_usd() == pytest.approx(0.2)
