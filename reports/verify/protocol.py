"""The declared protocol, stated apart from the options so that neither can drift unseen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench import VERSION
from bench.errors import InputError
from bench.protocol import parse_budget
from bench.records import Manifest
from reports.verify.findings import Finding

PAPER: dict[str, Any] = {
    "calls": 3,
    "attempts": 3,
    "feedback": "both",
    "frames": 4,
    "window_s": 12.0,
    "skill_sha256": None,
    "anonymous_levels": False,
    "images": True,
    "image": "real",
    "ask_confidence": False,
    "world_facts": False,
    "plain_frames": False,
}
"""The settings of `--protocol paper`."""

LATER = ("world_facts", "plain_frames")
"""Settings that older sessions do not have; there, they are the paper's."""

DRIVER = {"pn_per_pg": 130.0, "step_s": 0.00025, "window_s": 12.0, "cruise_mps": 3.5}
"""The embedded driver's parameters; the window is that of the settings in a variant."""

WHERE = "manifest.json"


def check_protocol(manifest: Manifest) -> Iterator[Finding]:
    """Settings, budget and driver against what the session says it is."""
    frozen = manifest.configuration
    settings: Mapping[str, Any] = frozen.get("settings") or {}
    if manifest.protocol != VERSION:
        yield Finding("other-version", WHERE, f"is {manifest.protocol}, this is {VERSION}")
    settings = {**{key: PAPER[key] for key in LATER}, **settings}
    changed = [key for key in PAPER if settings.get(key) != PAPER[key]]
    try:
        condition, _ = parse_budget(str(frozen.get("budget")))
    except InputError as error:
        yield Finding("budget-mismatch", WHERE, str(error))
    else:
        changed += [] if condition in ("strict", "loose") else ["budget"]
    if frozen.get("protocol") == "paper":
        for key in changed:
            told = f"{key} is {settings.get(key, frozen.get(key))!r}, the paper's protocol has "
            yield Finding("protocol-mismatch", WHERE, f"{told}{PAPER.get(key, 'strict or loose')}")
        if frozen.get("variants"):
            told = f"declares the paper's protocol and {', '.join(frozen['variants'])}"
            yield Finding("protocol-mismatch", WHERE, told)
    elif len(frozen.get("variants") or ()) != len(changed):
        told = f"{', '.join(changed) or 'nothing'} differs from the paper, and the variants say "
        yield Finding("protocol-mismatch", WHERE, told + (", ".join(frozen["variants"]) or "none"))
    yield from _check_driver(frozen.get("driver") or {}, settings)


def _check_driver(driver: Mapping[str, Any], settings: Mapping[str, Any]) -> Iterator[Finding]:
    if driver.get("name") != "embedded":
        return
    for key, value in {**DRIVER, "window_s": settings.get("window_s")}.items():
        if driver.get(key) != value:
            told = f"driver.{key} is {driver.get(key)!r}, the settings call for {value!r}"
            yield Finding("protocol-mismatch", WHERE, told)
