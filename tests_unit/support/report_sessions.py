"""Synthetic sessions for reports, episode by episode in letters; every number known by hand.

S: executed and won, F: executed and lost, V: refused before physics, ! after them: infra error.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.domain import DEFAULT_DOMAIN, get_domain
from bench.records import Manifest, Trajectory, read_session
from reports.rows import SessionInfo, SessionRows, row_from_trajectory, row_not_run
from reports.sources import REPORT_KEY, configuration_of
from tests_unit.support.report_domains import RECORDED

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


def facts(episode: Episode, budget: str = "strict", domain: str = DEFAULT_DOMAIN) -> dict[str, Any]:
    family = episode.level.split("_")[0]
    group, suite = GROUPS[family[:2]]
    return {
        "level": episode.level,
        "family": family,
        "group": group,
        "suite": suite,
        "tags": list(episode.tags),
        "strict_limit": episode.limit,
        "limit": episode.limit if budget == "strict" else 50_000.0,
        "unit": RECORDED[domain].unit,
        "condition": budget,
        **RECORDED[domain].facts,
    }


def trajectory(
    episode: Episode,
    budget: str = "strict",
    model: str = "test",
    domain: str = DEFAULT_DOMAIN,
) -> dict[str, Any]:
    letters = episode.letters or ""
    steps = letters.removesuffix("!")
    codes = iter(episode.codes)
    calls = [_call(episode, steps, i, codes, domain) for i in range(len(steps))]
    infra = {"where": "client", "error": "ClientError", "message": "gone", "call": len(calls) + 1}
    won = [c["call"] for c in calls if c["status"] == "success"]
    executed = [c["call"] for c in calls if c["attempt"]]
    outcome = "success" if won else "failure_or_timeout" if executed else "invalid"
    return {
        "schema": Trajectory.kind,
        "protocol": "pbb-1.0",
        "model": model,
        "level": episode.level,
        "sample": episode.sample,
        "outcome": "infra_error" if letters.endswith("!") else outcome,
        "facts": facts(episode, budget, domain),
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


def _call(episode: Episode, steps: str, index: int, codes: Any, domain: str) -> dict[str, Any]:
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
        else {"cost": episode.cost, **RECORDED[domain].design(episode)},
        "execution": RECORDED[domain].execution(episode, letter) if executed else None,
        "tokens": {"input": tokens[0], "output": tokens[1], "reasoning": None},
        "finish_reason": "length" if episode.truncated and index == 0 else "stop",
        "notes": _notes(episode, index),
        "response_sha256": "",
        "timing": {"reply_s": 2.0, "execution_s": 0.5 if executed else None},
    }


def _notes(episode: Episode, index: int) -> dict[str, Any]:
    notes: dict[str, Any] = {"wrapped": True} if episode.wrapped and index == 0 else {}
    return notes if episode.confidence is None else notes | {"confidence": episode.confidence}


def session(episodes: Sequence[Episode], name: str = "test", **info: Any) -> SessionRows:
    """Rows without a disk."""
    given = SessionInfo(**{"name": name, "model": name, "budget": "strict"} | info)
    measures = get_domain(given.domain).measures
    told = (given.budget, given.model, given.domain)
    rows = [
        row_not_run(e.level, e.sample, facts(e, given.budget, given.domain))
        if e.letters is None
        else row_from_trajectory(trajectory(e, *told), measures)
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


def example(domain: str = DEFAULT_DOMAIN) -> list[SessionRows]:
    """Sessions in which every table has something to say."""
    priced = {"price_input_usd": 2.0, "price_output_usd": 10.0}
    return [
        edge_cases(domain=domain),
        many("gpt-5.2", domain=domain),
        many("claude-sonnet-5", shift=1, budget="loose", domain=domain, **priced),
        repeats(domain=domain),
    ]


def write_session(
    folder: Path, episodes: Sequence[Episode], *, model: str = "test", **configuration: Any
) -> Path:
    """The session as records on disk, with its scene."""
    frozen = {"model": model, "budget": "strict", "samples": 1, "variants": []} | configuration
    budget, samples = frozen["budget"], frozen["samples"]
    domain = frozen.get("domain", DEFAULT_DOMAIN)
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
    levels = {e.level: facts(e, budget, domain) for e in episodes}
    scene = {"schema": "pbb-scene-2", "domain": domain, "levels": levels}
    write(folder / "scene" / "levels.json", scene)
    for episode in episodes:
        if episode.letters is None:
            continue
        path = folder / episode.level
        path = path if samples == 1 else path / f"sample-{episode.sample}"
        found = trajectory(episode, budget, model, domain)
        write(path / "trajectory.json", found)
        write(path / "result.json", _result(found, budget))
    return folder


def _result(found: dict[str, Any], budget: str) -> dict[str, Any]:
    """A result of the first version, which every later one reads."""
    kept = ("protocol", "model", "level", "sample", "outcome", "counters", "infra")
    return {
        "schema": "pbb-result-1",
        **{name: found[name] for name in kept},
        **{"condition": budget, "codes": [], "cost_usd": None, "limit_usd": None, "timing": {}},
    }


def as_first_version(folder: Path) -> Path:
    """Rewrite a session's records with the names that they had while bridges were all there was."""

    def older(value: dict[str, Any]) -> dict[str, Any]:
        names = {name: f"{name}_usd" for name in ("cost", "limit", "strict_limit")}
        return {names.get(key, key): item for key, item in value.items() if key != "unit"}

    for path in folder.rglob("trajectory.json"):
        found = json.loads(path.read_text())
        found["schema"], found["facts"] = "pbb-trajectory-2", older(found["facts"])
        for call in found["calls"]:
            call["design"] = call["design"] and older(call["design"])
        write(path, found)
    scene = folder / "scene" / "levels.json"
    levels = json.loads(scene.read_text())["levels"]
    older_levels = {name: older(value) for name, value in levels.items()}
    write(scene, {"schema": "pbb-scene-1", "levels": older_levels})
    return folder


def properties(episode: Episode, domain: str = DEFAULT_DOMAIN) -> dict[str, Any]:
    """What the test of an episode says of it in a JSON report."""
    found = trajectory(episode, domain=domain)
    return {
        "Outcome": found["outcome"],
        **{name: found[name] for name in ("level", "sample", "model")},
        **found["facts"],
        "statuses": [call["status"] for call in found["calls"]],
        "codes": [call["codes"] for call in found["calls"]],
        "costs": [(call["design"] or {}).get("cost") for call in found["calls"]],
        "domain": domain,
    }


def json_report(
    episodes: Sequence[Episode], folder: Path | None = None, domain: str = DEFAULT_DOMAIN
) -> dict[str, Any]:
    """The JSON report of a run, its tests in the wrong order; with what a session's folder adds."""
    tests = []
    for e in episodes:
        node = e.level if e.sample == 1 else f"{e.level}-s{e.sample}"
        test = {"nodeid": f"bench/test_levels.py::test_level[{node}]", "outcome": "passed"}
        if e.letters is not None:
            told = properties(e, domain)
            test["user_properties"] = [{key: value} for key, value in told.items()]
        tests.append(test)
    report: dict[str, Any] = {"tests": tests[::-1]}
    if folder is not None:
        report[REPORT_KEY] = configuration_of(read_session(folder))
    return report


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
