"""The twin of a level: the level of equal span without one of its constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from levels.bridge.build import LOADS, Scene, banks
from levels.bridge.families import REGISTRY

Removal = Callable[[Scene], Scene]


def _plain_banks(scene: Scene) -> Scene:
    """Flat vertical banks with one anchor 2 m below each deck, all else as it was."""
    plain = banks(scene.name, scene.span_m)
    return replace(
        scene,
        rise_m=0.0,
        bank_anchors=plain.bank_anchors,
        toe_offset_m=0.0,
        piers=(),
    )


def _no_rocks(scene: Scene) -> Scene:
    return replace(scene, rocks=())


def _no_platform(scene: Scene) -> Scene:
    return replace(scene, platforms=())


def _all_materials(scene: Scene) -> Scene:
    return replace(scene, material_profile="full")


def _light(scene: Scene) -> Scene:
    return replace(scene, vehicle_weights_pg=LOADS["Light"][0])


REMOVALS: dict[str, Removal] = {
    "anchors": _plain_banks,
    "slope": _plain_banks,
    "bank": _plain_banks,
    "rock": _no_rocks,
    "platform": _no_platform,
    "materials": _all_materials,
    "load": _light,
}
"""How each kind of constraint is taken away; a family names its kinds in `CONSTRAINTS`."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A level's scene without one kind of constraint."""

    kind: str
    scene: Scene


def twins_of(family: str, scene: Scene) -> Iterator[Twin]:
    """One twin for each constraint of the family that the scene really has."""
    for kind in REGISTRY[family].constraints:
        without = REMOVALS[kind](scene)
        if without != scene:
            yield Twin(kind, replace(without, name=f"{scene.name}__without_{kind}"))
