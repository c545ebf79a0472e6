"""Builds the page of a report: a shell with the tables, and data that loads on demand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.errors import InputError
from bench.records import Session, read_session
from bench.records.files import inside
from bench.records.layout import SCENE
from reports.face import face_of, unit_of
from reports.figures import write_figures
from reports.html.episodes import EpisodeWriter
from reports.html.pictures import Pictures
from reports.html.scripts import write_script
from reports.html.shell import render_shell
from reports.report import Report
from reports.rows import EpisodeRow, SessionRows
from reports.sources import scene_levels

Json = Any
HERE = Path(__file__).parent


def write_html(report: Report, out: Path) -> Path:
    """Write index.html, assets/, data/, pictures/ and figures/ into `out`; gives index.html.

    Sessions without a folder have their tables alone. Episodes are read one by one and none is
    kept. Raises InputError when `out` cannot be written, RecordError for a broken record.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        _clear(out)
        _copy_assets(report.domain, out / "assets")
        overview = DataWriter(report, out).write()
        figures = write_figures(report.sessions, out / "figures")
        index = out / "index.html"
        levels = len(overview["levels"])
        index.write_text(render_shell(report, levels, figures), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"--out {out}: cannot be written ({error.strerror})") from None
    return index


def _clear(out: Path) -> None:
    """Delete the data of an earlier page, and nothing that is not known to be one's."""
    if (out / "data" / "report.js").is_file():
        shutil.rmtree(out / "data")


def _copy_assets(domain: str, folder: Path) -> None:
    """The scripts and styles of every page, and the domain's own beside them."""
    shutil.copytree(HERE / "assets", folder, dirs_exist_ok=True)
    for path in face_of(domain).assets:
        shutil.copyfile(path, folder / path.name)


class DataWriter:
    """Writes data/ and pictures/ of a page: sessions, levels, and an episode a file."""

    def __init__(self, report: Report, out: Path) -> None:
        self.report = report
        self.out = out
        self.pictures = Pictures(out)
        self.episodes = EpisodeWriter(out, self.pictures, face_of(report.domain).context)
        self.levels: dict[str, dict[str, Json]] = {}

    def write(self) -> dict[str, Json]:
        """Write all; gives what data/report.js holds."""
        kept = [rows for rows in self.report.sessions if rows.path is not None]
        sessions = [self._write_session(rows, f"s{number}") for number, rows in enumerate(kept)]
        overview = {
            "unit": asdict(unit_of(self.report.domain)),
            "sessions": sessions,
            "levels": [_card(name, level) for name, level in self.levels.items()],
        }
        for name, level in self.levels.items():
            value = {"name": name, **level}
            key = f"l/{level['id']}"
            write_script(self.out / "data" / f"{key}.js", key, value)
        write_script(self.out / "data" / "report.js", "report", overview)
        return overview

    def _write_session(self, rows: SessionRows, number: str) -> dict[str, Json]:
        outcomes: dict[str, list[Json]] = {}
        for row, level, key in self._write_episodes(rows, number):
            outcomes.setdefault(level, []).append(_outcome(row, key))
        info = rows.info
        return {
            "id": number,
            "name": info.name,
            "model": info.model,
            "budget": info.budget,
            "samples": info.samples,
            "variants": list(info.variants),
            "outcomes": outcomes,
        }

    def _write_episodes(
        self, rows: SessionRows, number: str
    ) -> Iterator[tuple[EpisodeRow, str, str]]:
        """Write the episodes of a session; gives their rows, levels' ids and keys."""
        assert rows.path is not None
        session = read_session(rows.path)
        scenes = scene_levels(session)
        for episode, row in zip(session.episodes(), rows.rows, strict=True):
            name = episode.key.level
            trajectory = episode.trajectory
            found = scenes.get(name) or (trajectory.facts if trajectory else {})
            level = self._level(session, number, name, found)
            key = f"{number}-{level}-{episode.key.sample}"
            self.episodes.write(episode, key, {"session": number, "levelId": level})
            yield row, level, key

    def _level(self, session: Session, number: str, name: str, facts: Mapping[str, Json]) -> str:
        """The id of a level; keeps what a session knows of it."""
        level = self.levels.setdefault(
            name,
            {
                "id": f"l{len(self.levels)}",
                "facts": {},
                "thumb": None,
                "scenes": [],
                "sceneOf": {},
            },
        )
        level["facts"] = level["facts"] if level["facts"].get("scene") else facts
        _keep_scene(level, number, facts.get("scene"))
        if level["thumb"] is None:
            level["thumb"] = self.pictures.place(inside(session.path, f"{SCENE}/{name}.png"))
        return str(level["id"])


def _keep_scene(level: dict[str, Json], session: str, scene: Json) -> None:
    """Which scene a session saw: two versions of the benchmark may differ in it."""
    if scene is None:
        return
    if scene not in level["scenes"]:
        level["scenes"].append(scene)
    level["sceneOf"][session] = level["scenes"].index(scene)


def _outcome(row: EpisodeRow, key: str) -> dict[str, Json]:
    """One episode in the level map: outcome, its calls in letters, cost, codes.

    The cost is that of the last design, which is the one that worked if any did.
    """
    found: dict[str, Json] = {"key": key, "sample": row.sample, "outcome": row.outcome}
    if row.outcome is None:
        return {**found, "path": ""}
    costs = [call.cost for call in row.calls if call.cost is not None]
    codes = list(dict.fromkeys(code for call in row.calls for code in call.codes))
    return {**found, "path": row.letters, "cost": costs[-1] if costs else None, "codes": codes}


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
        "about": (facts.get("scene") or {}).get("description") or "",
    }
