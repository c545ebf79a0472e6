"""Simulating recorded attempts again: exactly, and for a band of vehicle weights."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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

BAND_PN_PER_PG = (121.0, 130.0, 136.0)
"""The range in which the weight of one PG can lie, and the benchmark's value."""


@dataclass(frozen=True)
class Attempt:
    """A recorded physics attempt with what it ran on."""

    where: str
    level: Level
    design: Design
    record: ExecutionRecord


@dataclass(frozen=True)
class Flip:
    """An episode whose success depends on the weight of one PG."""

    episode: str
    success: Mapping[float, bool]


@dataclass(frozen=True)
class Band:
    """Success over the scored episodes at each weight of one PG, and the episodes that flip.

    An episode counts as a success when one of its recorded attempts holds. Attempts that a
    model would have made after a success that is none at another weight are not known.
    """

    episodes: int
    successes: Mapping[float, int]
    flips: tuple[Flip, ...]

    def __str__(self) -> str:
        """A few lines for a terminal."""
        rates = {pn: 100.0 * won / max(self.episodes, 1) for pn, won in self.successes.items()}
        at = ", ".join(f"{rates[pn]:.1f}% at {pn:g}" for pn in rates)
        lines = [
            f"Success {min(rates.values()):.1f} to {max(rates.values()):.1f}% "
            f"of {self.episodes} episodes ({at} PN a PG); {len(self.flips)} flipped"
        ]
        for flip in self.flips:
            held = ", ".join(
                f"{pn:g}: {'won' if won else 'lost'}" for pn, won in flip.success.items()
            )
            lines.append(f"  {flip.episode}: {held}")
        return "\n".join(lines)


def replay_physics(session: Session, levels_dir: Path | None = None) -> Iterator[Finding]:
    """Simulate every attempt again; compare digests, or outcomes where the platform differs.

    Raises InputError for a driver that is no simulator, RecordError for a broken record.
    """
    from bench.bridge.physics.engine import simulate

    params = params_of(session)
    exact = same_platform(session.manifest.environment)
    for episode in session.episodes():
        for attempt in _attempts(session, episode, levels_dir):
            result = simulate(attempt.level, attempt.design, params=params)
            recorded = attempt.record
            outcome = "success" if result.success else "failure_or_timeout"
            if outcome != recorded.outcome:
                told = f"recorded {recorded.outcome}, simulated {outcome} ({result.ending.value})"
                yield Finding("physics-mismatch", attempt.where, told)
            elif exact and result.digest != recorded.facts.get("digest"):
                told = "the outcome agrees, the digest of the states does not"
                yield Finding("physics-mismatch", attempt.where, told)


def band(session: Session, levels_dir: Path | None = None) -> Band:
    """Success at every weight in BAND_PN_PER_PG. Raises InputError and RecordError."""
    from bench.bridge.physics.engine import simulate

    params = params_of(session)
    won = dict.fromkeys(BAND_PN_PER_PG, 0)
    flips = []
    episodes = 0
    for episode in session.episodes():
        if episode.result is None or episode.result.outcome == "infra_error":
            continue
        episodes += 1
        attempts = list(_attempts(session, episode, levels_dir))
        success = {
            pn: any(
                simulate(a.level, a.design, params=replace(params, pn_per_pg=pn)).success
                for a in attempts
            )
            for pn in BAND_PN_PER_PG
        }
        for pn in BAND_PN_PER_PG:
            won[pn] += success[pn]
        if len(set(success.values())) > 1:
            where = episode.folder.path.relative_to(session.path).as_posix()
            flips.append(Flip(where, success))
    return Band(episodes, won, tuple(flips))


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


def _attempts(session: Session, episode: Episode, levels_dir: Path | None) -> Iterator[Attempt]:
    for folder in episode.calls():
        record, response = folder.execution_record(), folder.response()
        design = parse_answer(response.text).design if response is not None else None
        if record is None or design is None:
            continue
        where = folder.path.relative_to(session.path).as_posix()
        yield Attempt(where, load_level(episode.key.level, levels_dir).level, design, record)
