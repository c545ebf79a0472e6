"""What of a client's description a resumed run may change: how it asks, never what it asks.

An answer depends on model, host, parameters and pictures, which `request` holds; how long
somebody waits for it, how often he tries and what it costs changes no answer. Each start of a
session records its own free part.
"""

from __future__ import annotations

from collections.abc import Mapping

from bench.task import Json

FREE: tuple[str, ...] = (
    "sdk",
    *(f"profile.{name}_timeout_s" for name in ("connect", "read", "write", "pool")),
    "profile.deadline_s",
    "profile.attempts",
    "profile.backoff_min_s",
    "profile.backoff_max_s",
    "profile.assumed_output_tokens",
    "profile.price_input_usd",
    "profile.price_output_usd",
    "profile.price_date",
    "profile.api_key_env",
    # What of these is sent is in `request`.
    "profile.output_limit_field",
    "profile.max_output_tokens",
)
"""Names within a description, a dot between a table and its key."""


def frozen_part(description: Mapping[str, Json]) -> dict[str, Json]:
    """What must be the same in every run of a session."""
    return _part(description, free=False)


def free_part(description: Mapping[str, Json]) -> dict[str, Json]:
    """What each start may set anew, and records."""
    return _part(description, free=True)


def _part(description: Mapping[str, Json], *, free: bool, path: str = "") -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in description.items():
        name = f"{path}{key}"
        inside = isinstance(value, Mapping) and any(f.startswith(f"{name}.") for f in FREE)
        if inside:
            found[key] = _part(value, free=free, path=f"{name}.")
        elif (name in FREE) is free:
            found[key] = value
    return found
