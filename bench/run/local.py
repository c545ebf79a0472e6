"""The executor of this process: one episode after another, records into the session's folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.clients.registry import make_client
from bench.episode import EpisodeResult, record_crash, run_episode
from bench.records import CallRecord, EpisodeFolder
from bench.records.layout import episode_path
from bench.records.scene import write_thumbnail
from bench.run.options import RunOptions
from bench.run.select import EpisodeKey
from bench.task import Outcome

if TYPE_CHECKING:
    from bench.clients.base import Client
    from bench.domain import Driver, Unit
    from bench.task import Observation, Task


@dataclass(frozen=True)
class EpisodeRun:
    """An episode that was run or read back, and how a person is told of it."""

    episode: EpisodeResult
    unit: Unit

    @property
    def outcome(self) -> Outcome:
        """The episode's outcome."""
        return self.episode.outcome

    @property
    def success(self) -> bool:
        """Whether the model solved it."""
        return self.episode.success

    @property
    def message(self) -> str:
        """The episode in a few lines: each call, and where the records are."""
        result = self.episode.result
        lines = [f"{result.level}: {result.outcome.value} ({result.model}, {result.condition})"]
        calls = self.episode.trajectory.calls
        lines += [_call_line(call, result.limit, self.unit) for call in calls]
        if result.infra is not None:
            infra = result.infra
            lines.append(
                f"  call {infra.call}: no result, a fault of the {infra.where}: "
                f"{infra.error}: {infra.message} (run again with --resume)"
            )
        lines.append(f"  records: {self.episode.folder.path}")
        return "\n".join(lines)


class LocalExecutor:
    """Runs the episodes of a session that is open, with one client and one open driver."""

    def __init__(self, options: RunOptions, session: Path, client: Client, driver: Driver) -> None:
        self.options = options
        self.session = session
        self.client = client
        self.driver = driver

    def refusal(self, key: EpisodeKey) -> str | None:
        """Why the driver cannot show a level that has no result yet; None when it can.

        What has a result is read back: it needs no driver. Raises RecordError.
        """
        finished = episode_folder(self.options, self.session, key).result()
        if finished is not None and finished.outcome is not Outcome.INFRA_ERROR:
            return None
        level = self.options.domain.load(key.level, self.options.levels_dir)
        return self.driver.refuses(level)

    def run(self, key: EpisodeKey) -> EpisodeRun:
        """Run, or read back, one episode. Raises what `bench.episode.run_episode` does."""
        options = self.options
        folder = episode_folder(options, self.session, key)
        task = make_task(options, key.level, self.driver)
        result = run_episode(task, self.client, folder, options.settings, sample=key.sample)
        if key.sample == 1:
            write_thumbnail(self.session, key.level, folder)
        return EpisodeRun(result, options.domain.unit)


def make_task(options: RunOptions, level: str, driver: Any) -> Task[Any]:
    """The task of a level under a run's options. Raises LevelError; no driver need be open."""
    domain = options.domain
    own = {name: value for name, value in options.own.items() if name in domain.task_options}
    return domain.task(level, options.settings, driver, options.levels_dir, **own)


def episode_folder(options: RunOptions, session: Path, key: EpisodeKey) -> EpisodeFolder:
    """The folder of an episode's records."""
    return EpisodeFolder(episode_path(session, key.level, key.sample, options.samples))


def scene_row(options: RunOptions, level: str) -> dict[str, Any]:
    """What readers need of a level: its facts, and the domain's scene of it."""
    driver = options.domain.driver(options.driver_options())
    facts = dict(make_task(options, level, driver).facts)
    return {**facts, **options.domain.scene(level, options.levels_dir)}


def crashed(options: RunOptions, session: Path, key: EpisodeKey, message: str) -> EpisodeRun:
    """Record an episode whose process died as INFRA_ERROR."""
    domain = options.domain
    task = make_task(options, key.level, domain.driver(options.driver_options()))
    client = make_client(options.model, options.client_options(session), baseline=domain)
    try:
        folder = episode_folder(options, session, key)
        return EpisodeRun(
            record_crash(task, client, folder, message, sample=key.sample), domain.unit
        )
    finally:
        client.close()


def first_prompts(options: RunOptions, levels: Sequence[str]) -> Iterator[tuple[str, Observation]]:
    """The first observation of each level, without a call."""
    driver = options.domain.driver(options.driver_options())
    for level in levels:
        yield level, make_task(options, level, driver).observe([])


def _call_line(call: CallRecord, limit: float | None, unit: Unit) -> str:
    """`  call 2: invalid, CLEARANCE, OVER_BUDGET; $6,000.00 of $5,000.00`."""
    line = f"  call {call.call}: {', '.join([call.status, *call.codes])}"
    cost = (call.design or {}).get("cost")
    if cost is not None:
        of = "" if limit is None else f" of {unit.exactly(limit)}"
        line += f"; {unit.exactly(cost)}{of}"
    return line
