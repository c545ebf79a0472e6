"""A Warren truss over one gap: geometry only."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bench.bridge.baselines.build import points_on
from bench.bridge.baselines.scene import Gap, Point

Segment = tuple[Point, Point]


@dataclass(frozen=True)
class Warren:
    """Deck pieces, the other chord, and the diagonals, each from left to right."""

    deck: tuple[Segment, ...]
    chord: tuple[Segment, ...]
    diagonals: tuple[Segment, ...]


def warren(gap: Gap, panels: int, depth_m: float, *, above: bool) -> Warren:
    """A Warren truss of equal panels along the straight deck.

    The other chord runs at `depth_m` below the deck, or above it, with a joint over the middle
    of each panel; the first and last diagonals end at the gap's own anchors.
    """
    deck = points_on(gap.left, gap.right, panels)
    offset = depth_m if above else -depth_m
    apexes = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + offset) for a, b in pairwise(deck)]
    diagonals: list[Segment] = []
    for (a, b), apex in zip(pairwise(deck), apexes, strict=True):
        diagonals += [(a, apex), (apex, b)]
    return Warren(tuple(pairwise(deck)), tuple(pairwise(apexes)), tuple(diagonals))
