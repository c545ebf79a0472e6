"""Builds the page from sessions: a shell with the tables, and data that loads on demand."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.errors import InputError, RecordError
from bench.records import Session, read_session
from bench.records.files import inside
from reports.html.episodes import EpisodeWriter
from reports.html.pictures import Pictures
from reports.html.scripts import write_script
from reports.html.shell import render_shell

if TYPE_CHECKING:
    from reports.build import Report

Json = Any
HERE = Path(__file__).parent
LETTERS = {"success": "S", "failure_or_timeout": "F", "invalid": "V"}


def write_html(report: Report, out: Path) -> Path:
    """The page of a report's sessions, as a format of the command line."""
    sessions = [read_session(rows.path) for rows in report.sessions if rows.path is not None]
    return write_page(sessions, out, report)


def write_page(sessions: Sequence[Session], out: Path, report: Report | None = None) -> Path:
    """Write index.html, assets/, data/, pictures/ and figures/ into `out`; gives index.html.

    Episodes are read one by one and none is kept. Raises InputError when `out` cannot be
    written, RecordError for a broken record.
    """
    from reports.figures import write_figures

    report = report or _report(sessions)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _clear(out)
        shutil.copytree(HERE / "assets", out / "assets", dirs_exist_ok=True)
        overview = _write_data(sessions, out)
        figures = write_figures(list(report.sessions), out / "figures")
        index = out / "index.html"
        index.write_text(render_shell(report, overview, figures), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--out {out}: cannot be written ({error.strerror})") from None
    return index


def _report(sessions: Sequence[Session]) -> Report:
    from reports.build import report_of
    from reports.sources import rows_of_session

    return report_of([rows_of_session(session) for session in sessions])


def _clear(out: Path) -> None:
    """Delete the data of an earlier page, and nothing that is not known to be one's."""
    if (out / "data" / "report.js").is_file():
        shutil.rmtree(out / "data")


def _write_data(sessions: Sequence[Session], out: Path) -> dict[str, Json]:
    pictures = Pictures(out)
    writer = EpisodeWriter(out, pictures)
    levels: dict[str, dict[str, Json]] = {}
    described: list[dict[str, Json]] = []
    for number, session in enumerate(sessions):
        scene = _scene(session)
        outcomes: dict[str, list[Json]] = {}
        for episode in session.episodes():
            name = episode.key.level
            if name not in levels:
                levels[name] = {
                    "id": f"l{len(levels)}",
                    "facts": {},
                    "thumb": None,
                    "scenes": [],
                    "sceneOf": {},
                }
            level = levels[name]
            found = scene.get(name) or (episode.trajectory.facts if episode.trajectory else {})
            level["facts"] = level["facts"] if level["facts"].get("scene") else found
            _keep_scene(level, f"s{number}", found.get("scene"))
            level["thumb"] = level["thumb"] or pictures.place(_thumbnail(session, name))
            key = f"s{number}-{level['id']}-{episode.key.sample}"
            writer.write(episode, key, {"session": f"s{number}", "levelId": level["id"]})
            outcomes.setdefault(level["id"], []).append(_outcome(episode, key))
        described.append(_describe(session, number, outcomes))
    overview = {
        "sessions": described,
        "levels": [_card(name, level) for name, level in levels.items()],
    }
    for name, level in levels.items():
        value = {"name": name, **level}
        write_script(out / "data" / "l" / f"{level['id']}.js", f"l/{level['id']}", value)
    write_script(out / "data" / "report.js", "report", overview)
    return overview


def _keep_scene(level: dict[str, Json], session: str, scene: Json) -> None:
    """Which scene a session saw: two versions of the benchmark may differ in it."""
    if scene is None:
        return
    if scene not in level["scenes"]:
        level["scenes"].append(scene)
    level["sceneOf"][session] = level["scenes"].index(scene)


def _thumbnail(session: Session, level: str) -> Path:
    return inside(session.path, f"scene/{level}.png")


def _describe(session: Session, number: int, outcomes: dict[str, list[Json]]) -> dict[str, Json]:
    return {
        "id": f"s{number}",
        "name": session.name,
        "model": session.model,
        "budget": session.budget,
        "samples": session.samples,
        "variants": list(session.manifest.configuration.get("variants") or ()),
        "outcomes": outcomes,
    }


def _outcome(episode: Any, key: str) -> dict[str, Json]:
    """One episode in the level map: outcome, its calls in letters, cost, codes."""
    trajectory = episode.trajectory
    if trajectory is None:
        return {"key": key, "sample": episode.key.sample, "outcome": None, "path": ""}
    result = episode.result
    return {
        "key": key,
        "sample": episode.key.sample,
        "outcome": trajectory.outcome.value,
        "path": "".join(LETTERS[call.status] for call in trajectory.calls),
        "cost": result.cost if result else None,
        "codes": list(dict.fromkeys(code for call in trajectory.calls for code in call.codes)),
    }


def _card(name: str, level: dict[str, Json]) -> dict[str, Json]:
    facts = level["facts"]
    return {
        "id": level["id"],
        "name": name,
        "thumb": level["thumb"],
        "family": facts.get("family") or name.split("_")[0],
        "group": facts.get("group") or "",
        "suite": facts.get("suite") or "",
        "tags": facts.get("tags") or [],
        "span": facts.get("span_m"),
        "about": (facts.get("scene") or {}).get("description") or "",
    }


def _scene(session: Session) -> dict[str, dict[str, Json]]:
    path = session.path / "scene" / "levels.json"
    if not path.is_file():
        return {}
    try:
        levels = json.loads(path.read_text(encoding="utf-8"))["levels"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path}: cannot be read ({error!r})") from None
    return dict(levels)
