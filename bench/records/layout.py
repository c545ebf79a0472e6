"""Every path of a session's folder, named once.

<session>/manifest.json summary.json report.json
<session>/scene/levels.json, scene/<level>.png
<session>/<level>/ or <session>/<level>/sample-K/      one episode
result.json trajectory.json
call-N/ request.json attempts.jsonl response.json execution.json feedback.json <picture>.png
"""

from __future__ import annotations

import re
from pathlib import Path

MANIFEST = "manifest.json"
SUMMARY = "summary.json"
JSON_REPORT = "report.json"
SCENE = "scene"
SCENE_LEVELS = f"{SCENE}/levels.json"
LIMITS = "limits"
FAULTS = "faults"
LOCK = ".lock"

RESULT = "result.json"
TRAJECTORY = "trajectory.json"

REQUEST = "request.json"
ATTEMPTS = "attempts.jsonl"
RESPONSE = "response.json"
EXECUTION = "execution.json"
FEEDBACK = "feedback.json"
DESIGN = "design.json"
ROLLOUT = "rollout.json.gz"

LISTED_OF_CALL = (REQUEST, EXECUTION)
"""What a manifest lists of a call: the records whose hashes no other record has."""

NODE_ID = re.compile(r"test_levels\.py::test_level\[(\w+?)(?:-s(\d+))?\]$")
"""A test of the benchmark: its level, and its sample from the second on."""


def episode_path(session: Path, level: str, sample: int, samples: int) -> Path:
    """Where an episode's records are: `<level>`, or `<level>/sample-K` with several samples."""
    folder = session / level
    return folder if samples == 1 else folder / f"sample-{sample}"


def call_path(episode: Path, call: int) -> Path:
    """The folder of one call of an episode."""
    return episode / f"call-{call}"


def scene_levels(session: Path) -> Path:
    """What a reader needs of the session's levels."""
    return session / SCENE / "levels.json"


def thumbnail(session: Path, level: str) -> Path:
    """The small picture of a level."""
    return session / SCENE / f"{level}.png"


def node_id(level: str, sample: int) -> str:
    """What stands in brackets in a test's node id."""
    return level if sample == 1 else f"{level}-s{sample}"
