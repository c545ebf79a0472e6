"""Measure the ladder of baselines: Success@1 and Success@3 by group and budget condition.

Every baseline plays every level in this process and its workers: the same task, checks and
physics as `pytest bench`, without pictures and records. Prints a Markdown table.

example: python -m bench ladder --processes 2
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.clients.baseline import BaselineClient
from bench.domain import DriverOptions, get_domain
from bench.errors import InputError
from bench.protocol import CONDITIONS, Settings, parse_budget
from bench.turn import play_episode

if TYPE_CHECKING:
    from bench.clients.base import AttemptLog, Reply, Request

LEVELS_A_JOB = 7


@dataclass(frozen=True)
class Episode:
    """How one baseline did on one level: the first call that succeeded, None without any."""

    baseline: str
    budget: str
    level: str
    group: str
    success_call: int | None
    calls: int
    slowest_call_s: float


@dataclass(frozen=True)
class Job:
    """Some levels for one baseline under one condition."""

    domain: str
    baseline: str
    budget: str
    levels: tuple[str, ...]
    root: Path | None
    anonymous: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("--baselines", nargs="+", metavar="NAME", help="default: the ladder")
    parser.add_argument("--budgets", nargs="+", default=list(CONDITIONS), metavar="BUDGET")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1), metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every n-th level only")
    parser.add_argument("--levels-dir", type=Path, metavar="DIR", help="other levels")
    parser.add_argument("--anonymous-levels", action="store_true", help="hide the levels' names")
    parser.add_argument("--json", action="store_true", help="print every episode as JSON")


def run(args: argparse.Namespace) -> int:
    """Play all episodes and print the table."""
    if args.processes < 1 or args.every < 1:
        raise InputError("--processes and --every need 1 or more")
    domain = get_domain(args.domain)
    args.baselines = args.baselines or list(domain.ladder)
    for baseline in args.baselines:
        domain.baseline(baseline)
    for budget in args.budgets:
        parse_budget(budget)
    names = [entry.name for entry in domain.levels(args.levels_dir)][:: args.every]
    jobs = [
        Job(args.domain, baseline, budget, tuple(chunk), args.levels_dir, args.anonymous_levels)
        for baseline in reversed(args.baselines)  # the slow ones first
        for budget in args.budgets
        for chunk in _chunks(names)
    ]
    begin = time.perf_counter()
    order = {name: number for number, name in enumerate(names)}
    episodes = sorted(_all(jobs, args.processes), key=lambda episode: order[episode.level])
    seconds = time.perf_counter() - begin
    if args.json:
        print(json.dumps([vars(e) for e in episodes], allow_nan=False))
        return 0
    print(table(episodes, args.baselines, args.budgets))
    slowest = max((e.slowest_call_s for e in episodes), default=0.0)
    print(
        f"{len(names)} levels, {len(episodes)} episodes in {seconds:.0f} s on {args.processes} "
        f"processes; slowest answer {slowest:.2f} s of processor time",
        file=sys.stderr,
    )
    return 0


def _chunks(names: Sequence[str]) -> list[Sequence[str]]:
    """Levels dealt out, so that each part has short and long spans."""
    parts = max(1, len(names) // LEVELS_A_JOB)
    return [names[i::parts] for i in range(parts)]


def _all(jobs: Sequence[Job], processes: int) -> list[Episode]:
    if processes == 1:
        return [episode for job in jobs for episode in play_job(job)]
    with ProcessPoolExecutor(processes) as pool:
        return [episode for part in pool.map(play_job, jobs) for episode in part]


def play_job(job: Job) -> list[Episode]:
    """Play one job's episodes."""
    domain = get_domain(job.domain)
    client = _Timed(BaselineClient(job.baseline, domain.baseline(job.baseline)))
    settings = Settings(budget=job.budget, anonymous=job.anonymous, images=False)
    driver = domain.driver(DriverOptions(domain.drivers[0], settings.window_s, quiet=True))
    episodes = []
    for name in job.levels:
        client.slowest_s = 0.0
        task = domain.task(name, settings, driver, job.root)
        turns = play_episode(task, client, settings)
        won = len(turns) if turns[-1].success else None
        group = str(task.facts["group"])
        episodes.append(
            Episode(job.baseline, job.budget, name, group, won, len(turns), client.slowest_s)
        )
    return episodes


class _Timed:
    """A baseline whose slowest answer is remembered, in seconds of processor time."""

    def __init__(self, inner: BaselineClient) -> None:
        self._inner = inner
        self.slowest_s = 0.0
        self.name, self.describe, self.close = inner.name, inner.describe, inner.close

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        begin = time.process_time()
        reply = self._inner.reply(request, log)
        self.slowest_s = max(self.slowest_s, time.process_time() - begin)
        return reply


def table(episodes: Sequence[Episode], baselines: Sequence[str], budgets: Sequence[str]) -> str:
    """The Markdown table: a row a baseline and condition, Success@1 / Success@3 by group."""
    groups = list(dict.fromkeys(e.group for e in episodes))
    counts = {g: len({e.level for e in episodes if e.group == g}) for g in groups}
    heads = [f"{group} ({counts[group]})" for group in groups] + [f"all ({sum(counts.values())})"]
    lines = [
        "| baseline | budget | " + " | ".join(heads) + " |",
        "|---|---|" + "---:|" * len(heads),
    ]
    for baseline in baselines:
        for budget in budgets:
            mine = [e for e in episodes if (e.baseline, e.budget) == (baseline, budget)]
            cells = [_cell([e for e in mine if e.group == g]) for g in groups] + [_cell(mine)]
            lines.append(f"| `baseline:{baseline}` | {budget} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(episodes: Sequence[Episode]) -> str:
    """Success@1 / Success@3 in percent."""
    if not episodes:
        return "-"
    shares = [sum((e.success_call or 9) <= k for e in episodes) / len(episodes) for k in (1, 3)]
    return " / ".join(f"{100 * share:.1f}" for share in shares)
