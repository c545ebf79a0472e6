"""Shared builders of the families: banks, platforms, rocks, loads, and Scene -> Level.

Metres throughout. A family starts from `banks(...)` and adds to it with `with_...`; nothing is
placed anywhere else, so a level's geometry can be read off its family's `build`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from bench.bridge.level.level import BOTTOM_Y_M, Anchor, Level, MaterialProfile, Platform, Rock

Point = tuple[float, float]
Triangle = tuple[Point, Point, Point]

LOADS = MappingProxyType(
    {
        "Light": ((3.0,), ()),
        "Multi2": ((3.0, 3.0), ("multi_vehicle",)),
        "Multi3": ((3.0, 3.0, 3.0), ("multi_vehicle",)),
        "HeavyW2": ((6.0,), ("heavy_vehicle",)),
        "HeavyW3": ((9.0,), ("heavy_vehicle",)),
        "ConvoyLightLead": ((3.0, 6.0), ("heavy_vehicle", "multi_vehicle")),
        "ConvoyHeavyLead": ((6.0, 3.0), ("heavy_vehicle", "multi_vehicle")),
    }
)
"""Vehicle weights in PG in driving order, and the tags that go with them, by load name."""

ROCK_TOP_Y_M = 8.0
"""Rocks that hang from above start here."""


@dataclass(frozen=True)
class Scene:
    """A level without its budget: what a family's `build` returns.

    `bank_anchors` are the banks' anchors beside the two deck anchors, left first. A platform is
    (x_start, x_end, surface_y). `piers` are free-standing anchors. `toe_offset_m` is how far the
    banks' faces reach into the gap at y = -5.
    """

    name: str
    span_m: float
    rise_m: float
    bank_anchors: tuple[Point, ...]
    platforms: tuple[tuple[float, float, float], ...] = ()
    piers: tuple[Point, ...] = ()
    rocks: tuple[Triangle, ...] = ()
    toe_offset_m: float = 0.0
    material_profile: MaterialProfile = "full"
    vehicle_weights_pg: tuple[float, ...] = LOADS["Light"][0]
    tags: tuple[str, ...] = ()

    def tagged(self, *tags: str) -> Scene:
        """The scene with more tags; tags are kept sorted."""
        return replace(self, tags=tuple(sorted({*self.tags, *tags})))

    def with_load(self, load: str) -> Scene:
        """The scene with the vehicles of a load name, tagged accordingly."""
        weights, tags = LOADS[load]
        return replace(self, vehicle_weights_pg=weights).tagged(*tags)

    def without_steel(self) -> Scene:
        """The scene with Road and Wood only."""
        return replace(self, material_profile="road_wood_only").tagged("road_wood_only")

    def with_platform(self, x_start_m: float, width_m: float, surface_y_m: float = 0.0) -> Scene:
        """The scene with a solid island; anchors at its top edges and 2 m below them."""
        platform = (float(x_start_m), float(x_start_m + width_m), float(surface_y_m))
        return replace(self, platforms=(*self.platforms, platform)).tagged("center_platform")

    def with_pier(self, x_m: float, y_m: float) -> Scene:
        """The scene with one free-standing anchor."""
        return replace(self, piers=(*self.piers, (float(x_m), float(y_m)))).tagged("mid_anchor")

    def with_rock(
        self, tip: Point, left_m: float, right_m: float, base_y_m: float = BOTTOM_Y_M
    ) -> Scene:
        """The scene with a forbidden triangle: its tip, and a level base at `base_y_m`.

        The base reaches from `left_m` left of the tip to `right_m` right of it; with 0 the rock's
        face on that side is vertical.
        """
        x = tip[0]
        return self.with_triangle(tip, (x - left_m, base_y_m), (x + right_m, base_y_m))

    def with_triangle(self, tip: Point, *corners: Point) -> Scene:
        """The scene with a forbidden triangle of any shape; the tip is what is nearest the deck."""
        points = (tip, *corners)
        rock: Triangle = tuple((round(float(x), 4), round(float(y), 4)) for x, y in points)  # type: ignore[assignment]
        return replace(self, rocks=(*self.rocks, rock)).tagged("rock_clearance")

    @property
    def anchors(self) -> tuple[Point, ...]:
        """Native anchors in id order: decks, platform tops, banks, platform sides, piers."""
        tops = [(x, y) for start, end, y in self.platforms for x in (start, end)]
        sides = [(x, y - 2.0) for x, y in tops]
        decks = ((0.0, 0.0), (self.span_m, self.rise_m))
        return (*decks, *tops, *self.bank_anchors, *sides, *self.piers)


def banks(
    name: str,
    span_m: float,
    *,
    rise_m: float = 0.0,
    left_anchor_m: float | None = -2.0,
    right_anchor_m: float | None = -2.0,
) -> Scene:
    """Two banks with vertical faces, a gap and one light vehicle.

    `left_anchor_m` and `right_anchor_m` are the heights of the banks' second anchors relative
    to their deck edges, None for a bank without one.
    """
    span_m, rise_m = float(span_m), float(rise_m)
    anchors: list[Point] = []
    if left_anchor_m is not None:
        anchors.append((0.0, float(left_anchor_m)))
    if right_anchor_m is not None:
        anchors.append((span_m, rise_m + right_anchor_m))
    return Scene(name, span_m, rise_m, tuple(anchors))


def slanted_banks(name: str, span_m: float, offset_m: float, depth_m: float = 3.0) -> Scene:
    """Two level banks whose faces slope into the gap.

    Each face runs from its deck edge through the bank's second anchor, `offset_m` into the gap
    at depth `depth_m`, and on down to y = -5.
    """
    scene = banks(name, span_m)
    anchors = ((float(offset_m), -float(depth_m)), (span_m - float(offset_m), -float(depth_m)))
    return replace(scene, bank_anchors=anchors, toe_offset_m=offset_m * -BOTTOM_Y_M / depth_m)


def metres(length_m: float) -> str:
    """A length as level names spell it: `8m`, `1p5m`."""
    return f"{length_m:g}m".replace(".", "p")


def to_level(scene: Scene, strict_limit_usd: int) -> Level:
    """The scene as the benchmark's `Level`: ids 1, 2, ... in the order of `Scene.anchors`."""
    anchors = tuple(Anchor(i, x, y) for i, (x, y) in enumerate(scene.anchors, start=1))
    platforms = tuple(
        Platform(
            start,
            end,
            y,
            BOTTOM_Y_M,
            tuple(a.id for a in anchors if a.y == y and a.x in (start, end)),
        )
        for start, end, y in scene.platforms
    )
    return Level(
        name=scene.name,
        span_m=scene.span_m,
        rise_m=scene.rise_m,
        material_profile=scene.material_profile,
        anchors=anchors,
        platforms=platforms,
        rocks=tuple(Rock(vertices) for vertices in scene.rocks),
        vehicle_weights_pg=scene.vehicle_weights_pg,
        left_toe_x=scene.toe_offset_m,
        right_toe_x=scene.span_m - scene.toe_offset_m,
        pier_anchor_ids=tuple(a.id for a in anchors if (a.x, a.y) in scene.piers),
        strict_limit_usd=strict_limit_usd,
    )
