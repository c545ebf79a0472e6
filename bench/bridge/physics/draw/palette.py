"""Colours, which people who see no red or no green can tell apart, and fonts."""

from __future__ import annotations

from functools import lru_cache

from PIL import ImageFont

Colour = tuple[int, int, int]

SKY_TOP: Colour = (214, 229, 240)
SKY_LOW: Colour = (243, 247, 248)
PANEL: Colour = (250, 250, 248)
INK: Colour = (32, 36, 42)
FAINT: Colour = (104, 114, 124)
GRID_FINE: Colour = (222, 231, 237)
GRID: Colour = (196, 210, 220)
GRID_STRONG: Colour = (150, 172, 188)
EARTH: Colour = (171, 146, 116)
EARTH_DEEP: Colour = (146, 122, 95)
EARTH_EDGE: Colour = (97, 76, 52)
TURF: Colour = (92, 128, 70)
PLATFORM: Colour = (205, 190, 164)
PLATFORM_DEEP: Colour = (184, 167, 139)
WATER: Colour = (150, 195, 222)
WATER_DEEP: Colour = (130, 179, 211)
WATER_GRID_FINE: Colour = (126, 176, 208)
WATER_GRID: Colour = (104, 157, 193)
WATER_GRID_STRONG: Colour = (80, 134, 173)
WATER_EDGE: Colour = (56, 122, 168)
WATER_INK: Colour = (20, 78, 116)
ROCK: Colour = (112, 92, 104)
ROCK_HATCH: Colour = (150, 130, 141)
ROCK_EDGE: Colour = (166, 24, 52)
ANCHOR: Colour = (214, 60, 44)
NODE: Colour = (255, 255, 255)
VEHICLE: Colour = (240, 196, 60)
VEHICLE_MIDDLE: Colour = (226, 120, 40)
VEHICLE_HEAVY: Colour = (146, 40, 36)
GLASS: Colour = (188, 220, 236)
WHEEL: Colour = (44, 44, 50)
HUB: Colour = (190, 190, 194)
FLAG: Colour = (0, 140, 110)
DEBRIS: Colour = (128, 124, 120)
DEBRIS_EDGE: Colour = (78, 74, 70)
SPLASH: Colour = (252, 254, 255)
GOOD: Colour = (0, 112, 90)
BAD: Colour = (166, 24, 52)
LANE: Colour = (232, 232, 232)
MATERIAL: dict[int, Colour] = {1: (66, 70, 78), 2: (214, 138, 40), 3: (24, 104, 178)}

_VIRIDIS: tuple[Colour, ...] = (
    (68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142),
    (31, 158, 137), (53, 183, 121), (110, 206, 88), (181, 222, 43), (253, 231, 37),
)  # fmt: skip


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """Colour between `a` (share 0) and `b` (share 1)."""
    return (
        round(a[0] + share * (b[0] - a[0])),
        round(a[1] + share * (b[1] - a[1])),
        round(a[2] + share * (b[2] - a[2])),
    )


def vehicle_colour(weight_pg: float) -> Colour:
    """Yellow up to 3 PG, orange, then dark red from 9 PG on."""
    share = min(max((weight_pg - 3.0) / 6.0, 0.0), 1.0)
    if share <= 0.5:
        return mix(VEHICLE, VEHICLE_MIDDLE, 2.0 * share)
    return mix(VEHICLE_MIDDLE, VEHICLE_HEAVY, 2.0 * share - 1.0)


def utilisation_colour(share: float) -> Colour:
    """Colour of |force| / strength: viridis, from dark (idle) to yellow (about to break)."""
    place = min(max(share, 0.0), 1.0) * (len(_VIRIDIS) - 1)
    i = min(int(place), len(_VIRIDIS) - 2)
    return mix(_VIRIDIS[i], _VIRIDIS[i + 1], place - i)


@lru_cache(maxsize=32)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's built-in scalable font, laid out the same way with and without Raqm."""
    face = ImageFont.load_default(size)
    if isinstance(face, ImageFont.FreeTypeFont):
        return face.font_variant(layout_engine=ImageFont.Layout.BASIC)
    return face
