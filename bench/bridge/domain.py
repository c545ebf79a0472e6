"""The domain `bridge`: what the benchmark's generic half knows of bridges. Imports on use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bench.bridge.unit import UNIT
from bench.domain import DriverOptions, Entry, Measures, Part
from bench.protocol import WINDOW_S, Settings
from bench.task import Json

if TYPE_CHECKING:
    from bench.bridge.design.design import Design
    from bench.bridge.drivers.base import Driver
    from bench.bridge.level.files import LevelFile
    from bench.bridge.level.level import Level
    from bench.bridge.task import BridgeTask
    from bench.turn import Turn

HALF_A_CATALOGUE = 2


class BridgeDomain:
    """Bridges: a design carries vehicles across a gap, in a simulator or in the game."""

    name = "bridge"
    title = "Bridges"
    reports = "reports.domains.bridge"
    unit = UNIT
    default_baseline = "engineer"
    ladder = ("plank", "wood-truss-deck", "truss", "engineer")
    task_options = ("capacity",)
    unsupported: Mapping[str, str] = MappingProxyType({})
    level_parts: Mapping[str, tuple[str, ...]] = MappingProxyType(
        {"levels": ("data/*/*.json", "index.json"), "budgets": ("budgets.json",)}
    )

    @property
    def parts(self) -> Mapping[str, Part]:
        """Which files decide which part of a number."""
        from bench.bridge.parts import PARTS

        return PARTS

    @property
    def levels_root(self) -> Path:
        """The repository's own levels."""
        from bench.bridge.level.files import DEFAULT_ROOT

        return DEFAULT_ROOT

    @property
    def drivers(self) -> tuple[str, ...]:
        """The registered drivers, the default one first."""
        from bench.bridge.drivers.registry import DRIVERS

        return tuple(DRIVERS)

    @property
    def baselines(self) -> Sequence[str]:
        """The baselines, from the weakest on."""
        from bench.bridge.baselines.registry import BASELINES

        return tuple(BASELINES)

    @property
    def commands(self) -> Mapping[str, tuple[str, str]]:
        """The subcommands of `python -m bench` that know bridges."""
        from bench.bridge.cli import COMMANDS

        return COMMANDS

    def refuses(self, driver: str, settings: Settings) -> str | None:
        """The game is filmed for the paper's window and no other."""
        if driver == "native" and settings.window_s != WINDOW_S:
            return f"--window needs --driver embedded; the native driver records for {WINDOW_S:g} s"
        return None

    def levels(self, root: Path | None = None) -> Sequence[Entry]:
        """All levels in catalogue order. Raises LevelError."""
        from bench.bridge.level.files import level_index

        return [Entry(entry.name, entry.family) for entry in level_index(root)]

    def load(self, name: str, root: Path | None = None) -> Level:
        """One level. Raises LevelError, with the closest names for an unknown one."""
        return self._file(name, root).level

    def task(
        self, level: str, settings: Settings, driver: Any, root: Path | None = None, **own: Json
    ) -> BridgeTask:
        """The task of a level; `capacity` records how much more a bridge carries."""
        from bench.bridge.task import BridgeTask

        other = None
        if settings.image == "other-level":
            other = self.load(self._other_level(level, root), root)
        file = self._file(level, root)
        capacity = bool(own.get("capacity", False))
        return BridgeTask(file, driver, settings, other_level=other, capacity=capacity)

    def driver(self, options: DriverOptions) -> Driver:
        """A driver, not yet opened. Raises InputError."""
        from bench.bridge.drivers.registry import make_driver

        return make_driver(options)

    def baseline(self, name: str) -> Callable[[Mapping[str, Json]], str]:
        """A baseline: an observation's data -> an answer's text. Raises ModelError."""
        from bench.bridge.baselines.registry import get_baseline

        return get_baseline(name)

    def scene(self, level: str, root: Path | None = None) -> dict[str, Json]:
        """Generator parameters and geometry, for readers of records."""
        file = self._file(level, root)
        scene = {key: value for key, value in file.layout.items() if key != "saveFiles"}
        return {"parameters": dict(file.metadata.parameters), "scene": scene}

    def measures(self, call: Mapping[str, Json]) -> Measures:
        """Members, metres by material, margin, capacity; a clean run, a continuous deck."""
        design, execution = call.get("design") or {}, call.get("execution") or {}
        capacity = execution.get("capacity") or {}
        numbers = {f"metres {k}": v for k, v in (design.get("metres_by_material") or {}).items()}
        numbers |= {
            "margin": design.get("margin"),
            "capacity": capacity.get("multiplier"),
            "static_bound": capacity.get("static_bound"),
        }
        return Measures(
            size=design.get("members"),
            numbers={name: value for name, value in numbers.items() if value is not None},
            marks={name: execution.get(name) for name in ("clean", "continuous_deck")},
        )

    def reward(self, task: Any, turn: Turn[Design]) -> Mapping[str, Json]:
        """The parts of a training reward of one turn, `total` among them, each in [0, 1]."""
        from bench.bridge.training.reward import reward_of

        return vars(reward_of(task, turn))

    def _file(self, name: str, root: Path | None) -> LevelFile:
        from bench.bridge.level.files import load_level

        return load_level(name, root)

    def _other_level(self, level: str, root: Path | None) -> str:
        """The level whose picture stands in for this one's: half the catalogue away.

        A function of the name alone: the same in every worker, and under any selection.
        """
        names = [entry.name for entry in self.levels(root)]
        step = max(1, len(names) // HALF_A_CATALOGUE)
        return names[(names.index(level) + step) % len(names)]


DOMAIN = BridgeDomain()
