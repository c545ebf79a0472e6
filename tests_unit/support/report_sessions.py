"""Synthetic sessions for reports, episode by episode in letters; every number known by hand.

S: executed and won, F: executed and lost, V: refused before physics, ! after them: infra error.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.records import Manifest, Result, Trajectory
from reports.rows import SessionInfo, SessionRows, row_from_trajectory, row_not_run

STATUS = {"S": "success", "F": "failure_or_timeout", "V": "invalid"}
GROUPS = {
    "T1": ("Anchor and Connectivity", "core"),
    "T2": ("Terrain and Geometry", "core"),
    "T4": ("Dynamic Load", "core"),
    "G1": ("Compositional Constraints", "compositional"),
    "G2": ("Compositional Constraints", "compositional"),
}


@dataclass(frozen=True)
class Episode:
    """`letters` None: not run. `codes` are those of the V calls, in order."""

    level: str
    letters: str | None
    cost: float = 1000.0
    limit: float = 2000.0
    codes: tuple[tuple[str, ...], ...] = ()
    tags: tuple[str, ...] = ()
    sample: int = 1
    deck: bool = True
    clean: bool | None = True
    wrapped: bool = False
    truncated: bool = False
    tokens: tuple[int, int] | None = None
    confidence: float | None = None
    margin: float | None = None
    capacity: tuple[float, float] | None = None


def facts(episode: Episode, budget: str = "strict") -> dict[str, Any]:
    family = episode.level.split("_")[0]
    group, suite = GROUPS[family[:2]]
    return {
        "level": episode.level,
        "family": family,
        "group": group,
        "suite": suite,
        "tags": list(episode.tags),
        "span_m": 8.0,
        "strict_limit_usd": episode.limit,
        "limit_usd": episode.limit if budget == "strict" else 50_000.0,
        "condition": budget,
    }


def trajectory(episode: Episode, budget: str = "strict", model: str = "test") -> dict[str, Any]:
    letters = episode.letters or ""
    steps = letters.removesuffix("!")
    codes = iter(episode.codes)
    calls = [_call(episode, steps, i, codes) for i in range(len(steps))]
    infra = {"where": "client", "error": "ClientError", "message": "gone", "call": len(calls) + 1}
    won = [c["call"] for c in calls if c["status"] == "success"]
    executed = [c["call"] for c in calls if c["attempt"]]
    outcome = "success" if won else "failure_or_timeout" if executed else "invalid"
    return {
        "schema": "pbb-trajectory-2",
        "protocol": "pbb-1.0",
        "model": model,
        "level": episode.level,
        "sample": episode.sample,
        "outcome": "infra_error" if letters.endswith("!") else outcome,
        "facts": facts(episode, budget),
        "counters": {
            "calls": len(calls),
            "executions": len(executed),
            "validation_repairs": steps.count("V"),
            "execution_repairs": sum(c["repairs"] == "execution" for c in calls),
            "valid_call": executed[0] if executed else None,
            "success_call": won[0] if won else None,
        },
        "calls": calls,
        "infra": infra if letters.endswith("!") else None,
        "timing": {"started": "2026-01-01T00:00:00+00:00", "ended": "2026-01-01T00:01:00+00:00"},
    }


def _call(episode: Episode, steps: str, index: int, codes: Any) -> dict[str, Any]:
    letter = steps[index]
    executed = letter in "SF"
    found = list(next(codes, ("OVER_BUDGET",))) if letter == "V" else []
    tokens = episode.tokens or (None, None)
    before = steps[index - 1] if index else ""
    return {
        "call": index + 1,
        "status": STATUS[letter],
        "codes": ["RUN_FALSE_AFTER_VALID"] if letter == "F" else found,
        "violations": [],
        "attempt": sum(s in "SF" for s in steps[: index + 1]) if executed else None,
        "repairs": None if not before else "violations" if before == "V" else "execution",
        "design": None
        if "PARSE_ERROR" in found
        else {
            "cost_usd": episode.cost,
            "nodes": 6,
            "members": 9,
            "metres_by_material": {"Road": 8.0, "Wood": 10.0},
            **({} if episode.margin is None else {"margin": episode.margin}),
        },
        "execution": _execution(episode, letter) if executed else None,
        "tokens": {"input": tokens[0], "output": tokens[1], "reasoning": None},
        "finish_reason": "length" if episode.truncated and index == 0 else "stop",
        "notes": _notes(episode, index),
        "response_sha256": "",
        "timing": {"reply_s": 2.0, "execution_s": 0.5 if executed else None},
    }


def _execution(episode: Episode, letter: str) -> dict[str, Any]:
    clean = None if episode.clean is None else episode.clean and letter == "S"
    found: dict[str, Any] = {"clean": clean, "continuous_deck": episode.deck}
    if letter != "S" or episode.capacity is None:
        return found
    multiplier, bound = episode.capacity
    return found | {"capacity": {"multiplier": multiplier, "static_bound": bound}}


def _notes(episode: Episode, index: int) -> dict[str, Any]:
    notes: dict[str, Any] = {"wrapped": True} if episode.wrapped and index == 0 else {}
    return notes if episode.confidence is None else notes | {"confidence": episode.confidence}


def session(episodes: Sequence[Episode], name: str = "test", **info: Any) -> SessionRows:
    """Rows without a disk."""
    given = SessionInfo(**{"name": name, "model": name, "budget": "strict"} | info)
    rows = [
        row_not_run(e.level, e.sample, facts(e, given.budget))
        if e.letters is None
        else row_from_trajectory(trajectory(e, given.budget, given.model))
        for e in episodes
    ]
    return SessionRows(given, tuple(rows))


EDGE_CASES = (
    Episode("T1B_1", "S", 1000, 2000, tags=("basic",)),
    Episode("T1B_2", "VS", 1500, 2000, tags=("basic", "slope"), wrapped=True),
    Episode("T1B_3", "FS", 2000, 2000, tags=("slope",), clean=False),
    Episode("T2A_1", "FFS", 900, 1000, deck=False),
    Episode("T2A_2", "VVF", 1000, 1000, codes=(("EDGE_TOO_LONG",), ("EDGE_TOO_LONG",))),
    Episode("T2A_3", "FVF", 1000, 1000, deck=False),
    Episode(
        "G1_1",
        "VVV",
        codes=(("PARSE_ERROR",), ("CLEARANCE", "OVER_BUDGET"), ("OVER_BUDGET",)),
        truncated=True,
    ),
    Episode("G1_2", "FFF"),
    Episode("G1_3", "F!"),
    Episode("G1_4", None),
)
"""All edge cases of the protocol: 8 results of 10."""


def edge_cases(**info: Any) -> SessionRows:
    return session(EDGE_CASES, "edge", **info)


def many(name: str = "many", shift: int = 0, **info: Any) -> SessionRows:
    """50 levels of 5 families: 8 + shift wins in the first and fewer by one in each next."""
    episodes = []
    for f, family in enumerate(("T1B", "T2A", "T4B", "G1", "G2")):
        for i in range(10):
            letters = "S" if i < 4 - f + shift else "FS" if i < 8 - f + shift else "VFF"
            cost = 1000.0 + 100 * i
            episodes.append(Episode(f"{family}_{i}", letters, cost, 2000.0, tokens=(1000, 200)))
    return session(episodes, name, **info)


def repeats(**info: Any) -> SessionRows:
    """4 levels x 3 samples: 3, 2, 1 and 0 wins.

    Later samples have a larger margin, more capacity and more confidence: 0.2, 0.5, 0.8.
    """
    letters = ("SSS", "SSF", "SFF", "FFF")
    episodes = [
        Episode(
            f"T1B_{i}",
            "S" if letter == "S" else "FFF",
            sample=s,
            confidence=0.3 * s - 0.1,
            margin=0.1 * s,
            capacity=(1.0 + 0.1 * s, 1.5),
        )
        for i, found in enumerate(letters)
        for s, letter in enumerate(found, 1)
    ]
    return session(episodes, "repeats", samples=3, **info)


def write_session(
    folder: Path, episodes: Sequence[Episode], *, model: str = "test", **configuration: Any
) -> Path:
    """The session as records on disk, with its scene."""
    frozen = {"model": model, "budget": "strict", "samples": 1, "variants": []} | configuration
    budget, samples = frozen["budget"], frozen["samples"]
    write(
        folder / "manifest.json",
        Manifest(
            protocol="pbb-1.0",
            session=folder.name,
            configuration=frozen,
            hashes={"levels": "a" * 64},
            expected=[{"level": e.level, "sample": e.sample} for e in episodes],  # type: ignore[list-item]
            source={},
            environment={},
        ).dump(),
    )
    levels = {e.level: facts(e, budget) for e in episodes}
    write(folder / "scene" / "levels.json", {"schema": "pbb-scene-1", "levels": levels})
    for episode in episodes:
        if episode.letters is None:
            continue
        path = folder / episode.level
        path = path if samples == 1 else path / f"sample-{episode.sample}"
        found = trajectory(episode, budget, model)
        record = Trajectory.load(found, "made")
        result = Result(
            protocol=record.protocol,
            model=model,
            level=episode.level,
            sample=episode.sample,
            condition=budget,
            outcome=record.outcome,
            counters=record.counters,
            codes=[],
            cost_usd=None,
            limit_usd=None,
            infra=record.infra,
            timing={},
        )
        write(path / "trajectory.json", record.dump())
        write(path / "result.json", result.dump())
    return folder


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
