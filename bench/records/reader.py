"""Reading a session back, for reports. Nothing is read before it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench import VERSION
from bench.domain import DEFAULT_DOMAIN
from bench.errors import RecordError
from bench.records.folder import CallFolder, EpisodeFolder, read_record
from bench.records.layout import MANIFEST, RESULT, SUMMARY, episode_path, scene_levels
from bench.records.schema import (
    Key,
    Manifest,
    Result,
    Scene,
    Summary,
    SummaryRow,
    Trajectory,
)


@dataclass(frozen=True)
class Episode:
    """One expected episode of a session, run or not."""

    key: Key
    folder: EpisodeFolder

    @cached_property
    def result(self) -> Result | None:
        """How it ended, None while it is not finished. Raises RecordError."""
        return self.folder.result()

    @cached_property
    def trajectory(self) -> Trajectory | None:
        """What the metrics are made of, None while it is not finished. Raises RecordError."""
        return None if self.result is None else self.folder.trajectory()

    def calls(self) -> list[CallFolder]:
        """The folders of its calls, also of an unfinished episode."""
        return self.folder.calls()


@dataclass(frozen=True)
class Session:
    """A session folder. `expected` are its episodes in the order in which they were asked for."""

    path: Path

    @cached_property
    def manifest(self) -> Manifest:
        """The frozen configuration and hashes. Raises RecordError."""
        path = self.path / MANIFEST
        if not path.exists():
            raise RecordError(f"{path}: is missing; {self.path} is no session folder")
        return Manifest.load(read_record(path, str(path)), str(path))

    @cached_property
    def summary(self) -> Summary | None:
        """The summary, None when the run never came to its end. Raises RecordError."""
        path = self.path / SUMMARY
        return Summary.load(read_record(path, str(path)), str(path)) if path.exists() else None

    @property
    def name(self) -> str:
        """The session's name, which is its folder's when it was created."""
        return self.manifest.session

    @property
    def model(self) -> str:
        """The model's name in tables."""
        return str(self.manifest.configuration.get("model", ""))

    @property
    def budget(self) -> str:
        """The budget condition."""
        return str(self.manifest.configuration.get("budget", ""))

    @property
    def domain(self) -> str:
        """The domain's name; sessions from before there were several name none."""
        return str(self.manifest.configuration.get("domain", DEFAULT_DOMAIN))

    @cached_property
    def scene(self) -> Scene | None:
        """What a reader needs of its levels, None when the file is not there.

        Raises RecordError.
        """
        path = scene_levels(self.path)
        return Scene.load(read_record(path, str(path)), str(path)) if path.exists() else None

    @property
    def samples(self) -> int:
        """Episodes a level."""
        return int(self.manifest.configuration.get("samples", 1))

    def episode(self, key: Key) -> Episode:
        """One episode by level and sample."""
        return Episode(
            key, EpisodeFolder(episode_path(self.path, key.level, key.sample, self.samples))
        )

    def episodes(self) -> Iterator[Episode]:
        """All expected episodes, finished or not, in order; holds none of them in memory."""
        for key in self.manifest.expected:
            yield self.episode(key)

    def trajectories(self) -> Iterator[Trajectory]:
        """The trajectories of the finished episodes, in order; infra errors among them."""
        for episode in self.episodes():
            if episode.trajectory is not None:
                yield episode.trajectory

    def strays(self) -> list[str]:
        """Episode folders on disk that the manifest does not expect."""
        known = {self.episode(key).folder.path for key in self.manifest.expected}
        found = {path.parent for path in self.path.glob(f"*/{RESULT}")}
        found |= {path.parent for path in self.path.glob(f"*/sample-*/{RESULT}")}
        return sorted(path.relative_to(self.path).as_posix() for path in found - known)


def read_session(path: Path | str) -> Session:
    """A session folder. Raises RecordError when it has no readable manifest."""
    session = Session(Path(path))
    _ = session.manifest
    return session


def summarize(session: Session) -> Summary:
    """The summary of a session from the results on disk."""
    rows = []
    for episode in session.episodes():
        result = episode.result
        counters = result.counters if result else None
        rows.append(
            SummaryRow(
                level=episode.key.level,
                sample=episode.key.sample,
                outcome=result.outcome if result else None,
                valid_call=counters.valid_call if counters else None,
                success_call=counters.success_call if counters else None,
                calls=counters.calls if counters else 0,
                executions=counters.executions if counters else 0,
                cost=result.cost if result else None,
            )
        )
    outcomes = Counter(row.outcome.value for row in rows if row.outcome is not None)
    manifest = session.manifest
    return Summary(
        protocol=VERSION,
        configuration=manifest.configuration,
        hashes=manifest.hashes,
        expected=len(rows),
        finished=sum(outcomes.values()),
        outcomes=dict(sorted(outcomes.items())),
        results=rows,
    )
