"""The settings of a session against what it says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench import VERSION
from bench.domain import DEFAULT_DOMAIN
from bench.errors import InputError
from bench.protocol import CONDITIONS, PAPER, Settings, parse_budget
from bench.records import Manifest
from reports.face import face_of
from reports.verify.findings import Finding

WHERE = "manifest.json"


def settings_of(manifest: Manifest) -> Settings:
    """The settings of a session. Raises InputError for values that no run can have."""
    try:
        return Settings.from_configuration(manifest.configuration)
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(f"the settings cannot be read ({error!r})") from None


def check_protocol(manifest: Manifest) -> Iterator[Finding]:
    """Settings, budget and driver against what the session says it is."""
    frozen = manifest.configuration
    recorded: Mapping[str, Any] = frozen.get("settings") or {}
    if manifest.protocol != VERSION:
        yield Finding("other-version", WHERE, f"is {manifest.protocol}, this is {VERSION}")
    declared = PAPER.record()
    changed = [key for key in declared if recorded.get(key) != declared[key]]
    try:
        condition, _ = parse_budget(str(frozen.get("budget")))
    except InputError as error:
        yield Finding("budget-mismatch", WHERE, str(error))
    else:
        changed += [] if condition in CONDITIONS else ["budget"]
        yield from _check_settings(manifest)
    if frozen.get("protocol") == "paper":
        for key in changed:
            told = f"{key} is {recorded.get(key, frozen.get(key))!r}, the paper's protocol has "
            expected = declared.get(key, " or ".join(CONDITIONS))
            yield Finding("protocol-mismatch", WHERE, f"{told}{expected}")
        if frozen.get("variants"):
            told = f"declares the paper's protocol and {', '.join(frozen['variants'])}"
            yield Finding("protocol-mismatch", WHERE, told)
    elif len(frozen.get("variants") or ()) != len(changed):
        told = f"{', '.join(changed) or 'nothing'} differs from the paper, and the variants say "
        yield Finding("protocol-mismatch", WHERE, told + (", ".join(frozen["variants"]) or "none"))
    yield from _check_driver(
        str(frozen.get("domain") or DEFAULT_DOMAIN), frozen.get("driver") or {}, recorded
    )


def _check_settings(manifest: Manifest) -> Iterator[Finding]:
    try:
        settings_of(manifest)
    except InputError as error:
        yield Finding("protocol-mismatch", WHERE, str(error))


def _check_driver(
    domain: str, driver: Mapping[str, Any], recorded: Mapping[str, Any]
) -> Iterator[Finding]:
    declared = face_of(domain).drivers.get(str(driver.get("name")), {})
    for key, value in declared.items():
        # The window is a setting, which a variant may change.
        expected = recorded.get(key) if key == "window_s" else value
        if driver.get(key) != expected:
            told = f"driver.{key} is {driver.get(key)!r}, the settings call for {expected!r}"
            yield Finding("protocol-mismatch", WHERE, told)
