"""Where rows come from: a session's records, or a pytest-json-report file alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.domain import DEFAULT_DOMAIN, Domain, get_domain
from bench.errors import InputError, RecordError
from bench.protocol import Settings
from bench.records import Session, read_session
from bench.records.layout import NODE_ID
from reports.rows import (
    EpisodeRow,
    SessionInfo,
    SessionRows,
    row_from_properties,
    row_from_trajectory,
    row_not_run,
)

REPORT_KEY = "polybridgebench"
"""Where the exported JSON report carries what its tests cannot say of the session."""


def load(path: Path, domain: str | None = None) -> SessionRows:
    """A session folder, or a JSON report.

    Raises InputError when it is neither, and for a session that is not of `domain`.
    """
    try:
        if path.is_dir():
            found = rows_of_session(read_session(path))
        elif path.is_file():
            found = rows_of_report(_json(path), path.stem)
        else:
            raise InputError(f"{path}: no such session folder or JSON report")
    except RecordError as error:
        raise InputError(str(error)) from None
    check_domain(found.info.name, found.info.domain, domain)
    return found


def check_domain(session: str, found: str, asked: str | None) -> None:
    """Raise InputError for a session that is not of the domain asked for; None: of any."""
    if asked is not None and found != get_domain(asked).name:
        raise InputError(f"session {session} is of --domain {found}, not {asked}")


def session_paths(folder: Path) -> list[Path]:
    """The session folders directly inside a folder, by name. Raises InputError for none."""
    found = sorted(p.parent for p in folder.glob("*/manifest.json"))
    if not found:
        raise InputError(f"{folder}: holds no session (no <session>/manifest.json)")
    return found


def rows_of_session(session: Session) -> SessionRows:
    """The rows of all expected episodes. Raises RecordError for a broken record."""
    info = info_of(session)
    measures = _domain(info).measures
    facts = scene_levels(session)
    rows = []
    for episode in session.episodes():
        key = episode.key
        trajectory = episode.trajectory
        if trajectory is None:
            rows.append(row_not_run(key.level, key.sample, facts.get(key.level, {})))
        else:
            rows.append(row_from_trajectory(trajectory.model_dump(mode="json"), measures))
    return SessionRows(info, tuple(rows), session.path)


def info_of(session: Session) -> SessionInfo:
    """What a session is, from its manifest alone."""
    return _info(session.name, configuration_of(session))


def configuration_of(session: Session) -> dict[str, Any]:
    """What reports need of the manifest, as it is put into the exported JSON report."""
    manifest = session.manifest
    frozen = manifest.configuration
    keep = ("domain", "model", "budget", "samples", "variants", "settings", "driver", "client")
    return {
        "session": session.name,
        **{key: frozen[key] for key in keep if key in frozen},
        "hashes": manifest.hashes,
        "expected": [[key.level, key.sample] for key in manifest.expected],
    }


def _info(name: str, configuration: Mapping[str, Any]) -> SessionInfo:
    settings = Settings.from_configuration({"settings": configuration.get("settings")})
    profile = (configuration.get("client") or {}).get("profile") or {}
    return SessionInfo(
        name=str(configuration.get("session") or name),
        model=str(configuration.get("model") or ""),
        budget=str(configuration.get("budget") or ""),
        samples=int(configuration.get("samples") or 1),
        variants=tuple(configuration.get("variants") or ()),
        calls=settings.calls,
        attempts=settings.attempts,
        price_input_usd=profile.get("price_input_usd"),
        price_output_usd=profile.get("price_output_usd"),
        driver=str((configuration.get("driver") or {}).get("name") or ""),
        hashes=dict(configuration.get("hashes") or {}),
        domain=str(configuration.get("domain") or DEFAULT_DOMAIN),
    )


def _domain(info: SessionInfo) -> Domain:
    """The domain of a session. Raises RecordError for one that this version does not know."""
    try:
        return get_domain(info.domain)
    except InputError as error:
        raise RecordError(f"session {info.name}: {error}") from None


def scene_levels(session: Session) -> dict[str, dict[str, Any]]:
    """The facts, parameters and scenes of the levels, empty without a scene file.

    A trajectory has the facts too, an episode that was not run has none. Raises RecordError.
    """
    return {} if session.scene is None else session.scene.levels


def rows_of_report(report: Mapping[str, Any], name: str = "report") -> SessionRows:
    """The rows of a JSON report: enough for the headline tables.

    Rows come in the order of the session where the report tells it, else in that of its tests.
    Raises RecordError for a report without a test of the benchmark.
    """
    found: dict[tuple[str, int], EpisodeRow] = {}
    told = {"model": "", "budget": "", "domain": DEFAULT_DOMAIN}
    for test in report.get("tests") or ():
        match = NODE_ID.search(str(test.get("nodeid", "")))
        if match is None:
            continue
        level, sample = match[1], int(match[2] or 1)
        properties = {k: v for pair in test.get("user_properties") or () for k, v in pair.items()}
        if "Outcome" not in properties:
            found[level, sample] = row_not_run(level, sample, {})
            continue
        found[level, sample] = row_from_properties(properties)
        for field, key in (("model", "model"), ("budget", "condition"), ("domain", "domain")):
            told[field] = properties.get(key) or told[field]
    if not found:
        raise RecordError(f"{name}: is no JSON report of pytest bench (it holds no level)")
    configuration = {
        **told,
        "samples": max(sample for _, sample in found),
        **(report.get(REPORT_KEY) or {}),
    }
    expected = [(str(a), int(b)) for a, b in configuration.get("expected") or found]
    rows = [found.get(key) or row_not_run(*key, {}) for key in expected]
    info = _info(name, configuration)
    _domain(info)
    return SessionRows(info, tuple(rows))


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RecordError(f"{path}: cannot be read as JSON ({error})") from None
    if not isinstance(value, dict):
        raise RecordError(f"{path}: holds no JSON object")
    return value
