"""Sessions with calls on disk for the page, hostile texts among them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from PIL import Image

from bench.domain import DEFAULT_DOMAIN
from tests_unit.support.report_sessions import Episode, facts, write, write_session

SCENE: dict[str, Any] = {
    "description": "4 m between banks",
    "banks": {
        "left": {"edge": {"x": 0.0, "y": 0.0}, "toe": {"x": 0.0, "y": -5.0}},
        "right": {"edge": {"x": 4.0, "y": 0.0}, "toe": {"x": 4.0, "y": -5.0}},
    },
    "anchors": [{"id": 1, "x": 0.0, "y": 0.0}, {"id": 2, "x": 4.0, "y": 0.0}],
    "platforms": [],
    "rocks": [],
    "water_y": -1.7,
    "vehicles": [{"weight_pg": 3.0, "start_x": -2.1}],
    "flags": [{"x": 6.0, "y": 0.0}],
    "materials": ["Road", "Wood"],
}
DESIGN = {
    "nodes": [
        {"id": 1, "x": 0.0, "y": 0.0, "isKinematic": True},
        {"id": 2, "x": 4.0, "y": 0.0, "isKinematic": True},
        {"id": 3, "x": 2.0, "y": 0.0, "isKinematic": False},
    ],
    "edges": [
        {"id": 4, "type": 1, "anchorAID": 1, "anchorBID": 3, "rate": 0},
        {"id": 5, "type": 2, "anchorAID": 3, "anchorBID": 2, "rate": 0},
    ],
}
HZ, RECORDS = 40, 21
VIOLATION = {"code": "EDGE_TOO_LONG", "message": "edge 5 is 9 m long", "ids": [5], "values": {}}


def states() -> bytes:
    """Half a second in which the wooden member breaks at 0.25 s."""
    broken = 10
    value = {
        "schema": "pbb-rollout-1",
        "hz": HZ,
        "ending": "fell",
        "end_s": 0.5,
        "digest": "",
        "positions_m": [[[0, 0], [4, 0], [2, -0.01 * i]] for i in range(RECORDS)],
        "utilisation": [[0.5, 0.9 if i < broken else 0] for i in range(RECORDS)],
        "alive": [[1, int(i < broken)] for i in range(RECORDS)],
        "vehicles": [[[-2 + 0.05 * i, 0.42, 0]] for i in range(RECORDS)],
        "arrived": [[0] for _ in range(RECORDS)],
        "break_s": [None, 0.25],
        "peak_utilisation": [0.5, 1.0],
    }
    return gzip.compress(json.dumps(value).encode(), mtime=0)


def picture(path: Path, colour: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (64, 40), (colour % 256, 120, 200)).save(path)


def page_session(
    folder: Path,
    episodes: list[Episode],
    *,
    text: str = "A beam.",
    model: str = "test",
    design: Any = DESIGN,
    **more: Any,
) -> Path:
    """A session whose calls have requests, replies, designs, pictures and replays."""
    write_session(folder, episodes, model=model, **more)
    domain = more.get("domain", DEFAULT_DOMAIN)
    levels = {
        e.level: {**facts(e, domain=domain), "scene": SCENE, "parameters": {}} for e in episodes
    }
    scene = {"schema": "pbb-scene-2", "domain": domain, "levels": levels}
    write(folder / "scene" / "levels.json", scene)
    for episode in episodes:
        picture(folder / "scene" / f"{episode.level}.png")
        for number, letter in enumerate((episode.letters or "").removesuffix("!"), 1):
            _call(folder / episode.level / f"call-{number}", number, letter, episode.level, text)
            write(folder / episode.level / f"call-{number}" / "design.json", design)
        _hostile_violations(folder / episode.level / "trajectory.json", text)
    return folder


def _hostile_violations(path: Path, text: str) -> None:
    if not path.exists():
        return
    found = json.loads(path.read_text())
    for call in found["calls"]:
        if call["status"] == "invalid":
            call["violations"] = [{**VIOLATION, "message": f"edge 5: {text}"}]
    path.write_text(json.dumps(found))


def _call(folder: Path, number: int, letter: str, level: str, text: str) -> None:
    picture(folder / "editor.png", number)
    shown = [{"name": "editor", "file": f"{folder.name}/editor.png", "sha256": f"{number:064x}"}]
    messages = [
        {"role": "system", "parts": [{"text": "Rules. " * 400}]},
        {"role": "user", "parts": [{"text": text}, {"image": "editor"}]},
    ]
    request = {
        "schema": "pbb-request-1", "level": level, "call": number, "sample": 1,
        "request_sha256": "", "messages": messages, "data": {"task_context": {"levelName": level}},
        "pictures": shown, "timing": {},
    }  # fmt: skip
    response = {
        "schema": "pbb-response-1", "text": text, "cut": False, "finish_reason": "stop",
        "usage": {}, "reasoning": text, "meta": {}, "timing": {},
    }  # fmt: skip
    feedback = {
        "schema": "pbb-feedback-1", "data": {}, "violations": [], "notes": {}, "thought": text,
        "feedback": {"S": "success", "F": "execution", "V": "violations"}[letter], "pictures": [],
    }  # fmt: skip
    write(folder / "request.json", request)
    write(folder / "response.json", response)
    write(folder / "feedback.json", feedback)
    if letter == "V":
        return
    outcome = "success" if letter == "S" else "failure_or_timeout"
    execution = {
        "schema": "pbb-execution-1", "outcome": outcome, "summary": {"outcome": outcome},
        "facts": {"end_s": 0.5, "first_break_s": 0.25}, "files": {}, "pictures": shown,
        "timing": {},
    }  # fmt: skip
    write(folder / "execution.json", execution)
    (folder / "rollout.json.gz").write_bytes(states())
