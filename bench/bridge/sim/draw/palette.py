"""Colours, which people who see no red or no green can tell apart, and fonts."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PIL import ImageFont

from bench.bridge.sim.draw.view import SUPERSAMPLE

Colour = tuple[int, int, int]

SKY: Colour = (232, 241, 246)
PANEL: Colour = (250, 250, 248)
INK: Colour = (32, 36, 42)
FAINT: Colour = (116, 126, 136)
GRID: Colour = (208, 221, 229)
GRID_STRONG: Colour = (172, 191, 203)
EARTH: Colour = (171, 146, 116)
EARTH_EDGE: Colour = (97, 76, 52)
TURF: Colour = (92, 128, 70)
PLATFORM: Colour = (196, 178, 150)
WATER: Colour = (142, 190, 219)
WATER_EDGE: Colour = (66, 132, 176)
ROCK: Colour = (120, 98, 110)
ROCK_EDGE: Colour = (176, 32, 58)
ANCHOR: Colour = (214, 60, 44)
NODE: Colour = (255, 255, 255)
VEHICLE: Colour = (240, 196, 60)
WHEEL: Colour = (44, 44, 50)
FLAG: Colour = (0, 140, 110)
DEBRIS: Colour = (126, 126, 126)
SPLASH: Colour = (250, 252, 255)
GOOD: Colour = (0, 120, 96)
BAD: Colour = (176, 32, 58)
MATERIAL: dict[int, Colour] = {1: (52, 56, 64), 2: (206, 128, 32), 3: (24, 104, 178)}

_VIRIDIS: tuple[Colour, ...] = (
    (68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142),
    (31, 158, 137), (53, 183, 121), (110, 206, 88), (181, 222, 43), (253, 231, 37),
)  # fmt: skip


def utilisation_colour(share: float) -> Colour:
    """Colour of |force| / strength: viridis, from dark (idle) to yellow (about to break)."""
    place = min(max(share, 0.0), 1.0) * (len(_VIRIDIS) - 1)
    i = min(int(place), len(_VIRIDIS) - 2)
    t = place - i
    a, b = _VIRIDIS[i], _VIRIDIS[i + 1]
    return (
        round(a[0] + t * (b[0] - a[0])),
        round(a[1] + t * (b[1] - a[1])),
        round(a[2] + t * (b[2] - a[2])),
    )


@lru_cache(maxsize=16)
def font(size: int) -> Any:
    """Pillow's built-in scalable font; `size` as in the finished picture."""
    return ImageFont.load_default(size * SUPERSAMPLE)
