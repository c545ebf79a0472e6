"""Compiled test of a segment against a convex region."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def touches(ax, ay, bx, by, planes):
    """Whether a segment touches the convex region of half-planes (P, 3): nx, ny, c, n.p <= c."""
    low, high = 0.0, 1.0
    for i in range(planes.shape[0]):
        start = planes[i, 2] - planes[i, 0] * ax - planes[i, 1] * ay
        slope = planes[i, 0] * (bx - ax) + planes[i, 1] * (by - ay)
        if abs(slope) < 1e-12:
            if start < 0.0:
                return False
        elif slope > 0.0:
            high = min(high, start / slope)
        else:
            low = max(low, start / slope)
        if low > high:
            return False
    return True
