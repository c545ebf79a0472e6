"""What a level family is, and the ordered registry of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal

from levels.bridge.build import Scene

ANCHORS = "Anchor and Connectivity"
TERRAIN = "Terrain and Geometry"
LOAD = "Dynamic Load"
COMPOSITIONAL = "Compositional Constraints"
GROUPS = (ANCHORS, TERRAIN, LOAD, COMPOSITIONAL)
"""The four groups, in the order of every table."""

Parameters = Mapping[str, float | str]


@dataclass(frozen=True)
class Family:
    """One family: a goal, a parameter grid and a `build` that makes one scene of one entry.

    `doc` is the family module's docstring: its first line is `CODE: title.`, its first paragraph
    says what the family tests. `constraints` are the kinds that its twins lack, as
    `levels.bridge.studies.twins` names them; `part` is its side of the split for training.
    """

    code: str
    group: str
    doc: str | None
    grid: tuple[Parameters, ...]
    build: Callable[..., Scene]
    constraints: tuple[str, ...] = ()
    part: Literal["train", "test"] = "train"

    @property
    def suite(self) -> Literal["core", "compositional"]:
        """The suite, which follows from the group."""
        return "compositional" if self.group == COMPOSITIONAL else "core"

    @property
    def title(self) -> str:
        """The title from the docstring's first line, without the code and the full stop."""
        first = (self.doc or "").strip().partition("\n")[0]
        return first.partition(": ")[2].removesuffix(".")

    @property
    def goal(self) -> str:
        """What the family tests: the first paragraph below the docstring's first line."""
        body = (self.doc or "").strip().partition("\n")[2].strip()
        return " ".join(body.partition("\n\n")[0].split())

    def levels(self) -> Iterator[tuple[Scene, Parameters]]:
        """The family's scenes with the parameters that made them, in the grid's order."""
        for parameters in self.grid:
            yield self.build(**parameters), parameters


class Registry:
    """Families by code, in a stated order; a code or a level name may appear only once."""

    def __init__(self, families: Iterable[Family]) -> None:
        self._families: dict[str, Family] = {}
        owners: dict[str, str] = {}
        for family in families:
            if family.code in self._families:
                raise ValueError(f"family {family.code} is registered twice; give it another code")
            if family.group not in GROUPS:
                raise ValueError(f"family {family.code}: group {family.group!r} is not in {GROUPS}")
            for scene, _ in family.levels():
                key = scene.name.casefold()  # two files that differ in case are one on some disks
                if key in owners:
                    raise ValueError(
                        f"level {scene.name} of {family.code} exists in {owners[key]} already; "
                        "level names must be unique"
                    )
                if not scene.name.startswith(f"{family.code}_"):
                    raise ValueError(f"level {scene.name} must start with {family.code}_")
                owners[key] = family.code
            self._families[family.code] = family

    def __iter__(self) -> Iterator[Family]:
        return iter(self._families.values())

    def __len__(self) -> int:
        return len(self._families)

    def __getitem__(self, code: str) -> Family:
        return self._families[code]

    def scenes(self) -> Iterator[tuple[Family, Scene, Parameters]]:
        """Every level of every family, in catalogue order."""
        for family in self:
            for scene, parameters in family.levels():
                yield family, scene, parameters


def grid(**axes: Iterable[float | str]) -> tuple[Parameters, ...]:
    """All combinations of the axes, the last one varying fastest."""
    return tuple(dict(zip(axes, values, strict=True)) for values in product(*axes.values()))
