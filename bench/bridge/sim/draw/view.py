"""From metres to pixels. Everything is drawn at twice the size and reduced at the end."""

from __future__ import annotations

from dataclasses import dataclass

from bench.bridge.level import BOTTOM_Y_M, Level
from bench.bridge.sim import constants as c

WIDTH, HEIGHT = 1280, 800
SUPERSAMPLE = 2
TOP_PX, BOTTOM_PX, LEFT_PX, RIGHT_PX = 56, 84, 44, 16
MARGIN_M = 1.5
FAR_PX = 20_000
"""Pixels are clipped here: a node at 1,000 m must not cost time or overflow."""


@dataclass(frozen=True, slots=True)
class View:
    """A uniform scale: `scale` pixels a metre at the drawing size, (0, 0) m at (`x0`, `y0`)."""

    scale: float
    x0: float
    y0: float
    left_m: float
    right_m: float
    bottom_m: float
    top_m: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Pixel of a point in metres, at the drawing size."""
        px, py = self.x0 + x * self.scale, self.y0 - y * self.scale
        return (min(max(px, -FAR_PX), FAR_PX), min(max(py, -FAR_PX), FAR_PX))

    def final(self, x: float, y: float) -> tuple[float, float]:
        """Pixel of a point in metres in the finished picture."""
        px, py = self.at(x, y)
        return px / SUPERSAMPLE, py / SUPERSAMPLE

    def size(self, metres: float) -> float:
        """A length in pixels at the drawing size."""
        return metres * self.scale


def view_of(level: Level) -> View:
    """The view of a level: all of its scene, the vehicles and the flag, centred."""
    queue = c.SPACING_M * max(0, len(level.vehicle_weights_pg) - 1)
    left = c.START_X_M - queue - MARGIN_M
    right = level.span_m + c.FLAG_OFFSET_M + MARGIN_M
    heights = [y for a in level.anchors for y in (a.y,)]
    heights += [y for rock in level.rocks for _, y in rock.vertices]
    heights += [0.0, level.rise_m]
    top = max(max(heights) + 0.8, 3.5)
    bottom = BOTTOM_Y_M - 0.2
    wide = (WIDTH - LEFT_PX - RIGHT_PX) * SUPERSAMPLE
    high = (HEIGHT - TOP_PX - BOTTOM_PX) * SUPERSAMPLE
    scale = min(wide / (right - left), high / (top - bottom))
    middle_x = LEFT_PX * SUPERSAMPLE + wide / 2
    middle_y = TOP_PX * SUPERSAMPLE + high / 2
    x0 = middle_x - scale * (left + right) / 2
    y0 = middle_y + scale * (bottom + top) / 2
    return View(
        scale, x0, y0,
        (LEFT_PX * SUPERSAMPLE - x0) / scale, ((WIDTH - RIGHT_PX) * SUPERSAMPLE - x0) / scale,
        (y0 - (HEIGHT - BOTTOM_PX) * SUPERSAMPLE) / scale, (y0 - TOP_PX * SUPERSAMPLE) / scale,
    )  # fmt: skip
