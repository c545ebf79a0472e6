"""Text that never overlaps other text."""

from __future__ import annotations

from dataclasses import dataclass, field

from PIL import ImageDraw

from bench.bridge.sim.draw.palette import INK, PANEL, Colour, font
from bench.bridge.sim.draw.view import HEIGHT, SUPERSAMPLE, WIDTH

HALO: Colour = (255, 255, 255)
Box = tuple[float, float, float, float]
ANCHOR_SIDES = ((1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0))
PAD = 2 * SUPERSAMPLE


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes share an area."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@dataclass
class Labels:
    """Places labels on one picture, and keeps where they are (drawing pixels)."""

    draw: ImageDraw.ImageDraw
    boxes: list[Box] = field(default_factory=list)

    def write(
        self,
        xy: tuple[float, float],
        text: str,
        size: int = 13,
        colour: Colour = INK,
        anchor: str = "lt",
        *,
        back: Colour | None = None,
        force: bool = False,
    ) -> bool:
        """Write at a place; False (nothing written) where other text is, unless forced."""
        box = self.draw.textbbox(xy, text, font=font(size), anchor=anchor)
        box = (box[0] - PAD, box[1] - PAD, box[2] + PAD, box[3] + PAD)
        inside = (
            box[0] >= 0 and box[1] >= 0
            and box[2] <= WIDTH * SUPERSAMPLE and box[3] <= HEIGHT * SUPERSAMPLE
        )  # fmt: skip
        if not force and (not inside or any(overlap(box, other) for other in self.boxes)):
            return False
        if back is not None:
            self.draw.rounded_rectangle(box, radius=3 * SUPERSAMPLE, fill=back)
        halo = 2 * SUPERSAMPLE if back is None and not force else 0
        self.draw.text(
            xy, text, font=font(size), fill=colour, anchor=anchor,
            stroke_width=halo, stroke_fill=HALO,
        )  # fmt: skip
        self.boxes.append(box)
        return True

    def near(
        self,
        xy: tuple[float, float],
        text: str,
        size: int = 13,
        colour: Colour = INK,
        distance: float = 9.0,
        back: Colour | None = PANEL,
        first: tuple[int, int] = (1, -1),
    ) -> bool:
        """Write beside a point on the first side that is free; False where none is."""
        for reach in (distance, 1.8 * distance):
            for dx, dy in (first, *ANCHOR_SIDES):
                place = (
                    xy[0] + dx * reach * SUPERSAMPLE,
                    xy[1] + dy * reach * SUPERSAMPLE,
                )
                across = {1: "l", -1: "r", 0: "m"}[dx]
                along = {1: "t", -1: "b", 0: "m"}[dy]
                if self.write(place, text, size, colour, across + along, back=back):
                    return True
        return False
