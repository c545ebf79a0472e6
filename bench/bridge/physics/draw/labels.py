"""Text that never overlaps other text. All places are pixels of the finished picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from PIL import Image, ImageDraw

from bench.bridge.physics.draw.palette import INK, PANEL, Colour, font
from bench.bridge.physics.draw.view import HEIGHT, PLOT, WIDTH, Area, Box, Point

Side = tuple[int, int]
SIDES: tuple[Side, ...] = (
    (1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0),
)  # fmt: skip
"""Right, left and below, above a point; y counts downwards."""
PAD = 2.0
CELL_PX = 2
WHOLE = (0, 0, WIDTH, HEIGHT)
_MEASURE = Image.new("RGB", (1, 1))
_ACROSS = {1: "l", -1: "r", 0: "m"}
_ALONG = {1: "t", -1: "b", 0: "m"}


@dataclass(frozen=True, slots=True)
class Text:
    """One placed label."""

    xy: Point
    text: str
    size: int
    colour: Colour
    anchor: str
    back: Colour | None
    box: Box

    def paint(self, draw: ImageDraw.ImageDraw) -> None:
        """Draw it."""
        if self.back is not None:
            draw.rounded_rectangle(self.box, radius=3, fill=self.back)
        draw.text(self.xy, self.text, self.colour, font(self.size), self.anchor)


@dataclass
class Labels:
    """Places labels on one picture: `texts` holds those that found a place.

    Taken room is kept as cells of a coarse grid, so a place is tried in constant time.
    """

    draw: ImageDraw.ImageDraw
    texts: list[Text] = field(default_factory=list)
    plot: Area = PLOT
    _taken: set[tuple[int, int]] = field(default_factory=set)
    _marked: set[tuple[int, int]] = field(default_factory=set)

    @classmethod
    def on(cls, image: Image.Image, plot: Area = PLOT) -> Labels:
        """Labels for an empty picture; those beside points stay in its plot."""
        return cls(ImageDraw.Draw(image), plot=plot)

    def on_copy(self, image: Image.Image) -> Labels:
        """Labels for a copy of this picture, on which these are drawn."""
        draw = ImageDraw.Draw(image)
        return Labels(draw, list(self.texts), self.plot, set(self._taken), set(self._marked))

    def mark(self, xy: Point, radius: float) -> None:
        """Keep `near` labels away from a drawn point."""
        x, y = xy
        self._marked.update(cells((x - radius, y - radius, x + radius, y + radius)))

    def write(
        self,
        xy: Point,
        text: str,
        size: int = 14,
        colour: Colour = INK,
        anchor: str = "lt",
        *,
        back: Colour | None = None,
        within: Sequence[float] = WHOLE,
        clear: bool = False,
    ) -> bool:
        """Write at a place; False (nothing written) where other text is or beyond `within`.

        `clear`: not over marks either.
        """
        xy = (round(xy[0]), round(xy[1]))
        reach = text_box(text, size, anchor)
        box = (xy[0] + reach[0], xy[1] + reach[1], xy[0] + reach[2], xy[1] + reach[3])
        if box[0] < within[0] or box[1] < within[1] or box[2] > within[2] or box[3] > within[3]:
            return False
        room = cells(box)
        if not self._taken.isdisjoint(room) or (clear and not self._marked.isdisjoint(room)):
            return False
        placed = Text(xy, text, size, colour, anchor, back, box)
        placed.paint(self.draw)
        self.texts.append(placed)
        self._taken.update(room)
        return True

    def near(
        self,
        xy: Point,
        text: str,
        size: int = 14,
        colour: Colour = INK,
        distance: float = 9.0,
        *,
        sides: Sequence[Side] = SIDES,
        back: Colour | None = PANEL,
    ) -> bool:
        """Write beside a point on the first side that is free; False where none is."""
        plot = self.plot
        if not (plot[0] <= xy[0] <= plot[2] and plot[1] <= xy[1] <= plot[3]):
            return False
        for reach in (distance, 1.8 * distance):
            for dx, dy in sides:
                # A straight side is as far away as a corner is.
                r = reach if dx and dy else 1.3 * reach
                place = (xy[0] + dx * r, xy[1] + dy * r)
                anchor = _ACROSS[dx] + _ALONG[dy]
                if self.write(
                    place, text, size, colour, anchor, back=back, within=plot, clear=True
                ):
                    return True
        return False


@lru_cache(maxsize=4096)
def text_box(text: str, size: int, anchor: str) -> Box:
    """Where a text at (0, 0) lies, with its padding. Measuring is the dear part of placing."""
    left, top, right, bottom = ImageDraw.Draw(_MEASURE).textbbox((0, 0), text, font(size), anchor)
    return left - PAD, top - PAD, right + PAD, bottom + PAD


def cells(box: Box) -> list[tuple[int, int]]:
    """Cells of the coarse grid that a box touches."""
    left, top = math.floor(box[0] / CELL_PX), math.floor(box[1] / CELL_PX)
    right, bottom = math.floor(box[2] / CELL_PX), math.floor(box[3] / CELL_PX)
    return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]


def sides_by_room(directions: Sequence[float]) -> tuple[Side, ...]:
    """The sides of a joint, those first that lie furthest from its members' directions (rad)."""
    if not directions:
        return SIDES

    def room(side: Side) -> float:
        angle = math.atan2(-side[1], side[0])
        gaps = (abs((angle - d + math.pi) % math.tau - math.pi) for d in directions)
        return round(-min(gaps), 6)

    return tuple(sorted(SIDES, key=room))
