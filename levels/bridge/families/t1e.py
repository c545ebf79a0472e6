"""T1E: a gap with a low anchor on one bank only.

Tests an unsymmetrical support: one bank offers a second anchor, the other does not, so that a
mirrored design hangs in the air on one side.
"""

from levels.bridge.build import Scene, banks, metres
from levels.bridge.registry import ANCHORS, Family, grid

GRID = grid(span_m=(8, 10, 12, 14), side=("L", "R"))


def build(span_m: float, side: str) -> Scene:
    """A gap of `span_m`; `side` is the bank (L or R) that has the low anchor."""
    scene = banks(
        f"T1E_OneSide{side}_{metres(span_m)}",
        span_m,
        left_anchor_m=-2.0 if side == "L" else None,
        right_anchor_m=-2.0 if side == "R" else None,
    )
    return scene.tagged("asymmetric_anchors", "bottom_anchor")


CONSTRAINTS = ("anchors",)

FAMILY = Family("T1E", ANCHORS, __doc__, GRID, build, CONSTRAINTS, part="test")
