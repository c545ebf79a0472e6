"""Success as a band: recorded attempts at every weight that one PG may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bench.records import Session
from reports.domains.bridge.replay import attempts_of, params_of

BAND_PN_PER_PG = (121.0, 130.0, 136.0)
"""The range in which the weight of one PG can lie, and the benchmark's value."""


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
        attempts = list(attempts_of(session, episode, levels_dir))
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
