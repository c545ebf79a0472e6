"""What a session has spent is known from its records, whatever became of the shared state."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bench.clients.limits import SharedLimits
from bench.clients.options import ClientOptions
from bench.clients.profiles import Profile, read_profile
from bench.clients.spent import Bill, bills_of_session
from bench.errors import BudgetReached, FatalClientError, RecordError
from bench.task import Outcome
from tests_unit.support.asking import PATIENT, PRICES, play_episode
from tests_unit.support.model_server import (
    MISBEHAVIOURS,
    ModelServer,
    Play,
    Seen,
    answer,
    completion,
    error,
    in_turn,
    misbehaving,
    sends,
)

LIMIT = "max_output_tokens=500"
OUTPUT = 500
WON = answer("win")  # 1,000 input and 200 output tokens: $0.03
ZERO = sends({**completion("win"), "usage": {"prompt_tokens": 0, "completion_tokens": 0}})


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session's folder as a run has it when it starts."""
    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "manifest.json").write_text("{}")
    return folder


def profile() -> Profile:
    args = (*PATIENT, *PRICES, LIMIT)
    return read_profile("m", ClientOptions(base_url="http://127.0.0.1:9/v1", model_args=args))


def spent(session: Path) -> float:
    """What the state says."""
    return SharedLimits(session / "limits", price=profile().bill_usd).spent_usd()


def rebuilt(session: Path, *, cut_off: bool = True) -> float:
    """What the records say."""
    bills = bills_of_session(session, OUTPUT, cut_off=cut_off)
    price = profile().bill_usd
    dollars = [
        b.usd if b.usd is not None else price(b.input_tokens, b.output_tokens) for b in bills
    ]
    return sum(usd or 0.0 for usd in dollars)


PLAYS = {
    "an answer": [WON],
    "three answers": [answer("bad"), answer("fall"), WON],
    "a fault that may be billed": [Play(body=b"broken"), WON],
    "a fault that costs nothing": [error(429, "slow"), WON],
    "all attempts lost": [error(500, "down")],
    "a run that stopped": [error(401, "who")],
    "usage that is unknown": [ZERO],
    "a filter": [error(400, "no", "content_filter")],
}


@pytest.mark.parametrize("plays", PLAYS.values(), ids=PLAYS.keys())
@pytest.mark.parametrize("prices", [PRICES, ()], ids=["with prices", "without prices"])
def test_records_and_state_tell_the_same(
    plays: list[Play], prices: tuple[str, ...], session: Path
) -> None:
    with ModelServer(in_turn(*plays)) as server, suppress(FatalClientError):
        play_episode(session, server.url, *prices, LIMIT, session=session)
    assert rebuilt(session) == pytest.approx(spent(session), abs=1e-5)


@pytest.mark.parametrize("state", ["kept", "missing", "broken"])
@pytest.mark.parametrize("prices", [PRICES, ()], ids=["with prices", "without prices"])
def test_limit_of_a_later_run_counts_what_earlier_runs_spent_without_one(
    prices: tuple[str, ...], state: str, session: Path
) -> None:
    with ModelServer(WON) as server:
        for level in ("L1", "L2", "L3"):
            play_episode(session, server.url, *prices, LIMIT, level=level, session=session)
        if state == "missing":
            (session / "limits" / "state.json").unlink()
        elif state == "broken":
            (session / "limits" / "state.json").write_text("{")
        with pytest.raises(BudgetReached, match=r"\$0\.0900 is spent or reserved"):
            play_episode(
                session, server.url, *PRICES, LIMIT, level="L4", session=session, most_usd=0.1
            )
        assert len(server.seen) == 3


def test_call_that_the_limit_stopped_was_not_sent_and_costs_nothing(session: Path) -> None:
    with ModelServer(WON) as server:
        for _ in range(2):
            with pytest.raises(BudgetReached, match=r"\$0\.0000 is spent"):
                play_episode(session, server.url, *PRICES, LIMIT, session=session, most_usd=0.01)
            assert rebuilt(session) == 0.0
            (session / "limits" / "state.json").unlink()
        assert server.seen == []


KILLED = """
import os, sys
from contextlib import suppress
from pathlib import Path
from bench.task import Outcome
from tests_unit.support.asking import PRICES, play_episode
import bench.clients.openai_api as api
api.OpenAIClient._run = lambda self, coroutine: os._exit(9)
session = Path(sys.argv[1])
play_episode(session, "http://127.0.0.1:9/v1", *PRICES, "max_output_tokens=500", session=session)
"""


def test_request_that_was_out_when_a_run_was_killed_counts_at_its_worst(session: Path) -> None:
    killed = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", KILLED, session], check=False, timeout=60
    )
    assert killed.returncode == 9
    assert rebuilt(session) == pytest.approx(spent(session), abs=1e-6)
    assert rebuilt(session) > 0.05
    assert rebuilt(session, cut_off=False) == 0.0  # it may be another worker's that is out
    (session / "limits" / "state.json").unlink()
    lost = rebuilt(session)
    with ModelServer(WON) as server:
        play_episode(session, server.url, *PRICES, LIMIT, session=session, most_usd=1.0)
    assert spent(session) == pytest.approx(lost + 0.03, abs=1e-5)
    assert rebuilt(session) == pytest.approx(lost + 0.03, abs=1e-5)


def call(session: Path, rows: list[dict[str, Any]], **files: Any) -> None:
    """A call folder as an older version left it: 4 + 16 bytes and tokens of frame."""
    folder = session / "L9" / "call-1"
    folder.mkdir(parents=True)
    message = {"role": "user", "parts": [{"text": "four"}]}
    (folder / "request.json").write_text(json.dumps({"messages": [message], "pictures": []}))
    (folder / "attempts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value))


USAGE = {"input_tokens": 7, "output_tokens": 3}
WORST = Bill(20, OUTPUT)
OLD: dict[str, tuple[list[dict[str, Any]], dict[str, Any], list[Bill]]] = {
    "an answer": ([{"attempt": 1, "error": None}], {"response": {"usage": USAGE}}, [Bill(7, 3)]),
    "an answer without usage": ([{"attempt": 1, "error": None}], {"response": {}}, [WORST]),
    "a fault that may be billed": (
        [{"attempt": 1, "error": "reset", "possibly_billed": True}, {"attempt": 2, "error": None}],
        {"response": {"usage": USAGE}},
        [WORST, Bill(7, 3)],
    ),
    "a fault that is not": (
        [{"attempt": 1, "error": "busy", "possibly_billed": False}],
        {"response": {}},
        [],
    ),
    "a run that was cut off before": (
        [{"event": "resumed", "possibly_billed": True}, {"attempt": 1, "error": None}],
        {"response": {"usage": USAGE}},
        [WORST, Bill(7, 3)],
    ),
    "a run that was stopped before": (
        [
            {"attempt": 1, "error": "interrupted", "possibly_billed": True},
            {"event": "resumed", "possibly_billed": True},
            {"attempt": 1, "error": None},
        ],
        {"response": {"usage": USAGE}},
        [WORST, Bill(7, 3)],
    ),
    "no row": ([], {}, [WORST]),
}


@pytest.mark.parametrize(("rows", "files", "bills"), OLD.values(), ids=OLD.keys())
def test_rows_of_older_versions_count_too(
    rows: list[dict[str, Any]], files: dict[str, Any], bills: list[Bill], session: Path
) -> None:
    call(session, rows, **files)
    assert bills_of_session(session, OUTPUT, cut_off=True) == bills


@pytest.mark.parametrize("where", ["worker", "client", "driver"])
def test_only_a_dead_workers_request_is_one_without_an_end(where: str, session: Path) -> None:
    call(session, [{"attempt": 1, "error": "busy", "possibly_billed": False}])
    result = {"infra": {"where": where}}
    (session / "L9" / "result.json").write_text(json.dumps(result))
    expected = [WORST] if where == "worker" else []
    assert bills_of_session(session, OUTPUT, cut_off=True) == expected


def test_nothing_is_sent_once_the_manifest_is_gone(session: Path) -> None:
    (session / "manifest.json").unlink()
    with ModelServer(WON) as server:
        with pytest.raises(RecordError, match=r"manifest\.json is gone; nothing is sent"):
            play_episode(session, server.url, session=session)
        assert server.seen == []


def test_every_answer_is_paid_once_by_a_server_that_misbehaves_at_random(session: Path) -> None:
    levels = [f"L{number}" for number in range(1, 25)]
    good: list[str] = []

    def script(seen: Seen, _index: int) -> Play:
        good.append(seen.text)
        return answer(["bad", "win"][" call 2" in seen.text])

    args = (*PRICES, LIMIT, "attempts=2")
    with ModelServer(misbehaving(script, seed=16, share=0.3)) as server:
        for _start in range(20):
            results = [
                play_episode(session, server.url, *args, level=level, session=session)
                for level in levels
            ]
            if all(result.outcome is Outcome.SUCCESS for result in results):
                break
        sent = len(server.seen)
    assert all(result.outcome is Outcome.SUCCESS for result in results)
    assert len(good) == len(set(good)) == 2 * len(levels)  # each request was answered once
    assert sent > len(good) + 10
    rows = [
        json.loads(line)
        for path in session.rglob("attempts.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert sum("attempt" in row for row in rows) == sent
    assert rebuilt(session) == pytest.approx(spent(session), abs=1e-4)
    faults = sum(row["possibly_billed"] for row in rows)
    assert spent(session) > len(good) * 0.03 + faults * 0.05


def test_every_misbehaviour_is_a_fault_that_lets_the_run_go_on(session: Path) -> None:
    for number, play in enumerate(MISBEHAVIOURS.values()):
        with ModelServer(play) as server:
            result = play_episode(session, server.url, "attempts=1", level=f"L{number}")
        assert result.outcome is Outcome.INFRA_ERROR
