"""From metres to pixels. The scene is drawn at twice the size and reduced at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bench.bridge.design.design import Design
from bench.bridge.level.level import BOTTOM_Y_M, Level
from bench.bridge.physics import constants as c

Point = tuple[float, float]

WIDTH, HEIGHT = 1280, 800
SUPERSAMPLE = 2
TOP_PX, BOTTOM_PX, LEFT_PX, RIGHT_PX = 56, 84, 44, 16
Box = tuple[float, float, float, float]
Area = tuple[int, int, int, int]
PLOT: Area = (LEFT_PX, TOP_PX, WIDTH - RIGHT_PX, HEIGHT - BOTTOM_PX)
"""Where the scene lies in a picture of the full height: left, top, right, bottom."""
LEAST_HEIGHT = 480
MARGIN_M = 1.5
HEADROOM_M = 4.5
"""So much sky is shown above the banks, for bridges above the deck."""
LOWEST_M, HIGHEST_M = -9.0, 14.0
"""The view grows with a design to these heights and no further."""
FAR_PX = 20_000
"""Pixels are clipped here: a node at 1,000 m must not cost time or overflow."""


@dataclass(frozen=True, slots=True)
class View:
    """A uniform scale: `scale` pixels a metre at the drawing size, (0, 0) m at (`x0`, `y0`).

    `plot` is where the scene lies in the finished picture, `size_px` how large that is.
    """

    scale: float
    x0: float
    y0: float
    left_m: float
    right_m: float
    bottom_m: float
    top_m: float
    plot: Area = PLOT
    size_px: tuple[int, int] = (WIDTH, HEIGHT)

    def at(self, x: float, y: float) -> Point:
        """Pixel of a point in metres, at the drawing size."""
        px, py = self.x0 + x * self.scale, self.y0 - y * self.scale
        return (min(max(px, -FAR_PX), FAR_PX), min(max(py, -FAR_PX), FAR_PX))

    def final(self, x: float, y: float) -> Point:
        """Pixel of a point in metres in the finished picture."""
        px, py = self.at(x, y)
        return px / SUPERSAMPLE, py / SUPERSAMPLE

    def metres(self, px: float, py: float) -> Point:
        """Point in metres under a pixel of the finished picture."""
        return (px * SUPERSAMPLE - self.x0) / self.scale, (self.y0 - py * SUPERSAMPLE) / self.scale

    def size(self, metres: float) -> float:
        """A length in pixels at the drawing size."""
        return metres * self.scale

    @property
    def px_per_m(self) -> float:
        """Pixels a metre in the finished picture."""
        return self.scale / SUPERSAMPLE


def view_of(level: Level, design: Design | None = None) -> View:
    """The view of a level: all of its scene, the vehicles and the flag, centred.

    A design that reaches higher or lower is shown whole, within `LOWEST_M` and `HIGHEST_M`.
    """
    queue = c.SPACING_M * max(0, len(level.vehicle_weights_pg) - 1)
    left = c.START_X_M - queue - MARGIN_M
    right = level.span_m + c.FLAG_OFFSET_M + MARGIN_M
    heights = [a.y for a in level.anchors]
    heights += [y for rock in level.rocks for _, y in rock.vertices]
    top = max(max(heights, default=0.0) + 0.8, max(0.0, level.rise_m) + HEADROOM_M)
    bottom = BOTTOM_Y_M - 0.3
    if design is not None and design.nodes:
        # In whole metres: designs that differ a little share one cached background.
        top = max(top, min(math.ceil(max(n.y for n in design.nodes) + 0.5), HIGHEST_M))
        bottom = min(bottom, max(math.floor(min(n.y for n in design.nodes) - 0.2), LOWEST_M))
    # A wide scene gets a lower picture rather than an empty sky.
    wide = PLOT[2] - PLOT[0]
    high = math.ceil(wide * (top - bottom) / (right - left))
    high = min(max(high, LEAST_HEIGHT - TOP_PX - BOTTOM_PX), PLOT[3] - PLOT[1])
    plot = (PLOT[0], PLOT[1], PLOT[2], PLOT[1] + high)
    return fitted((left, bottom, right, top), plot, (WIDTH, plot[3] + BOTTOM_PX))


def fitted(metres: Box, plot: Area, size_px: tuple[int, int]) -> View:
    """The view that shows a box (left, bottom, right, top, in metres) in a plot, centred.

    What the width leaves of the height goes to the sky, as below the banks is only water.
    """
    left, bottom, right, top = metres
    x, y0, x1, y1 = (v * SUPERSAMPLE for v in plot)
    scale = min((x1 - x) / (right - left), (y1 - y0) / (top - bottom))
    zero_x = (x + x1) / 2 - scale * (left + right) / 2
    zero_y = y1 + scale * bottom
    return View(
        scale, zero_x, zero_y,
        (x - zero_x) / scale, (x1 - zero_x) / scale,
        (zero_y - y1) / scale, (zero_y - y0) / scale,
        plot, size_px,
    )  # fmt: skip
