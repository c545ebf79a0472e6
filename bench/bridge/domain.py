"""The bridge as one of the domains. A stand-in for reports' tests; `core` brings the real one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.domain import Measures, Unit
from bench.protocol import Settings
from bench.task import Json


class BridgeDomain:
    """What reports read of the bridge."""

    name = "bridge"
    title = "Bridges"
    unit = Unit("usd", "dollar", "dollars", prefix="$")

    def task(
        self, level: str, settings: Settings, driver: Any, root: Path | None = None, **own: Json
    ) -> Any:
        """The task of a level under the settings."""
        from bench.bridge.level.files import load_level
        from bench.bridge.prompt.options import PromptOptions
        from bench.bridge.task import BridgeTask

        file = load_level(level, root)
        return BridgeTask(
            file,
            settings.budget,
            driver,
            anonymous=settings.anonymous,
            options=PromptOptions(
                feedback=settings.feedback,
                ask_confidence=settings.ask_confidence,
                images=settings.images,
                image=settings.image,
            ),
            frames=settings.frames,
            other_level=file.level,
        )

    def hashes(self, root: Path | None = None) -> Mapping[str, str]:
        """The hash of every part that decides a number."""
        from bench.bridge.hashes import hashes

        return hashes(root)

    def measures(self, call: Mapping[str, Json]) -> Measures:
        """What reports read off one call of a trajectory."""
        design, execution = call.get("design") or {}, call.get("execution") or {}
        capacity = execution.get("capacity") or {}
        metres = design.get("metres_by_material") or {}
        numbers = {f"metres {material}": value for material, value in metres.items()} | {
            "margin": design.get("margin"),
            "capacity": capacity.get("multiplier"),
            "static_bound": capacity.get("static_bound"),
        }
        return Measures(
            size=design.get("members"),
            numbers={name: value for name, value in numbers.items() if value is not None},
            marks={name: execution.get(name) for name in ("clean", "continuous_deck")},
        )


DOMAIN = BridgeDomain()
