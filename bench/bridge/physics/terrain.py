"""The solid ground of a level as one-sided segments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.bridge.level.level import Level

FAR_M = 60.0
"""Banks reach this far to either side; vehicles never get there."""


def ground_segments(level: Level) -> NDArray[np.float64]:
    """Segments (S, 4): x0, y0, x1, y1 in metres, solid ground to the right of the direction.

    So the outward normal of a segment is its direction turned by +90 degrees.
    """
    (lx, ly), (ltx, lty) = level.left_bank_face
    (rx, ry), (rtx, rty) = level.right_bank_face
    rows = [(-FAR_M, ly, lx, ly), (lx, ly, ltx, lty)]
    for p in level.platforms:
        rows += [
            (p.x_start, p.bottom_y, p.x_start, p.surface_y),
            (p.x_start, p.surface_y, p.x_end, p.surface_y),
            (p.x_end, p.surface_y, p.x_end, p.bottom_y),
        ]
    rows += [(rtx, rty, rx, ry), (rx, ry, rx + FAR_M, ry)]
    return np.array(rows, dtype=np.float64)
