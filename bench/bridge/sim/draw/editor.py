"""The editor: the level, the current bridge by material, cost and budget."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image, ImageDraw

from bench.bridge.design import Design
from bench.bridge.level import Level
from bench.bridge.sim import constants as c
from bench.bridge.sim.draw import bridge
from bench.bridge.sim.draw import palette as p
from bench.bridge.sim.draw.labels import Box, Labels
from bench.bridge.sim.draw.scene import anchor_mark, background
from bench.bridge.sim.draw.view import SUPERSAMPLE, WIDTH, view_of

S = SUPERSAMPLE
MOST_NODE_LABELS = 80


def draw_editor(
    level: Level,
    design: Design | None,
    *,
    limit_usd: float,
    show_name: bool = True,
    name: str | None = None,
) -> Image.Image:
    """The editor picture, RGB 1280 x 800. `name` is shown instead of the level's own."""
    shown = (level.name if name is None else name) if show_name else None
    return draw_editor_with_labels(level, design, limit_usd=limit_usd, name=shown)[0]


def draw_editor_with_labels(
    level: Level, design: Design | None, *, limit_usd: float, name: str | None = None
) -> tuple[Image.Image, list[Box]]:
    """The picture, and the boxes of all its labels at drawing size. No name is shown for None."""
    # The level's own name must not decide what is cached: it may be hidden.
    still, boxes = background(replace(level, name=""), name)
    image, view = still.copy(), view_of(level)
    draw = ImageDraw.Draw(image)
    labels = Labels(draw, list(boxes))
    cost = 0.0 if design is None else design.cost_usd
    colour = p.BAD if cost > limit_usd else p.INK
    text = f"${cost:,.2f} of ${limit_usd:,.0f}"
    labels.write((WIDTH * S / 2, 14 * S), text, 22, colour, "mt")
    for i, weight in enumerate(level.vehicle_weights_pg):
        x = c.START_X_M - c.SPACING_M * i
        bridge.vehicle(draw, view, x, c.CENTRE_HEIGHT_M, 0.0)
        labels.write(view.at(x, 1.25), f"{weight:g} PG", 13, p.INK, "mb", back=p.PANEL)
    if design is not None:
        _bridge(draw, labels, level, design)
    return image.reduce(S), labels.boxes


def _bridge(draw: ImageDraw.ImageDraw, labels: Labels, level: Level, design: Design) -> None:
    view = view_of(level)
    places = {n.id: view.at(n.x, n.y) for n in design.nodes}
    lines = []
    for member, shift in zip(design.members, bridge.pair_shifts(design), strict=True):
        if member.a in places and member.b in places:
            ends = bridge.beside((places[member.a], places[member.b]), shift)
            lines.append((ends, p.MATERIAL.get(member.type, p.FAINT), member.type))
    bridge.members(draw, lines)
    bridge.nodes(draw, [places[n.id] for n in design.nodes if not n.is_anchor])
    for anchor in level.anchors:
        anchor_mark(draw, view, anchor.x, anchor.y)
    if len(design.nodes) <= MOST_NODE_LABELS:
        bridge.node_labels(labels, design, places)
