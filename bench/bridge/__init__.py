"""Everything that knows bridges. This face is what users, notebooks and docs import.

    from bench.bridge import load_level, validate, simulate, score, reward, rewards_many

Each is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench.bridge.level.files import load_level
    from bench.bridge.physics.engine import simulate
    from bench.bridge.rules import validate
    from bench.bridge.training.reward import reward, rewards_many
    from bench.bridge.training.score import score

_HOMES = {
    "load_level": "bench.bridge.level.files",
    "validate": "bench.bridge.rules",
    "simulate": "bench.bridge.physics.engine",
    "score": "bench.bridge.training.score",
    "reward": "bench.bridge.training.reward",
    "rewards_many": "bench.bridge.training.reward",
}

__all__ = ["load_level", "reward", "rewards_many", "score", "simulate", "validate"]


def __getattr__(name: str) -> Any:
    """Import a name of the face from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
