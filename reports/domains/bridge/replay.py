"""Simulating recorded attempts of bridges again."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from bench.bridge.answer.parse import parse_answer
from bench.bridge.design.design import Design
from bench.bridge.level.files import load_level
from bench.bridge.level.level import Level
from bench.bridge.physics.params import DEFAULT, SimParams
from bench.errors import InputError
from bench.records import Episode, ExecutionRecord, Session
from reports.verify.findings import Finding


@dataclass(frozen=True)
class Attempt:
    """A recorded physics attempt with what it ran on."""

    where: str
    level: Level
    design: Design
    record: ExecutionRecord


def replay_physics(session: Session, levels_dir: Path | None = None) -> Iterator[Finding]:
    """Simulate every attempt again; compare digests, or outcomes where the platform differs.

    Raises InputError for a driver that is no simulator, RecordError for a broken record.
    """
    from bench.bridge.physics.engine import simulate

    params = params_of(session)
    exact = same_platform(session.manifest.environment)
    for episode in session.episodes():
        for attempt in attempts_of(session, episode, levels_dir):
            result = simulate(attempt.level, attempt.design, params=params)
            recorded = attempt.record
            outcome = "success" if result.success else "failure_or_timeout"
            if outcome != recorded.outcome:
                told = f"recorded {recorded.outcome}, simulated {outcome} ({result.ending.value})"
                yield Finding("physics-mismatch", attempt.where, told)
            elif exact and result.digest != recorded.facts.get("digest"):
                told = "the outcome agrees, the digest of the states does not"
                yield Finding("physics-mismatch", attempt.where, told)


def params_of(session: Session) -> SimParams:
    """The simulator's parameters as the manifest has them."""
    driver = session.manifest.configuration.get("driver") or {}
    if driver.get("name") != "embedded":
        raise InputError(
            f"{session.name} was run on the driver {driver.get('name')!r}; only sessions of the "
            "embedded simulator can be simulated again"
        )
    return SimParams(
        pn_per_pg=float(driver.get("pn_per_pg", DEFAULT.pn_per_pg)),
        step_s=float(driver.get("step_s", DEFAULT.step_s)),
        window_s=float(driver.get("window_s", DEFAULT.window_s)),
        cruise_mps=float(driver.get("cruise_mps", DEFAULT.cruise_mps)),
    )


def same_platform(environment: Mapping[str, Any]) -> bool:
    """Whether the states must agree to the bit: same processor family, numba and numpy."""
    packages = environment.get("packages") or {}
    same = all(packages.get(name) == _version(name) for name in ("numba", "numpy"))
    return same and environment.get("machine") == platform.machine()


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def attempts_of(session: Session, episode: Episode, levels_dir: Path | None) -> Iterator[Attempt]:
    """The recorded physics attempts of an episode. Raises RecordError and LevelError."""
    for folder in episode.calls():
        record, response = folder.execution_record(), folder.response()
        design = parse_answer(response.text).design if response is not None else None
        if record is None or design is None:
            continue
        where = folder.path.relative_to(session.path).as_posix()
        yield Attempt(where, load_level(episode.key.level, levels_dir).level, design, record)
