"""The editor: the level, the current bridge by material, cost and budget."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PIL import Image

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics import constants as c
from bench.bridge.physics.draw import bridge
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.labels import Labels, sides_by_room
from bench.bridge.physics.draw.scene import Sheet, anchor_mark, write_name
from bench.bridge.physics.draw.view import WIDTH, Point, View, view_of

MOST_NODE_LABELS = 150
ROOF_M = 0.2
"""Labels stand this far above a vehicle."""


def draw_editor(
    level: Level,
    design: Design | None,
    *,
    limit_usd: float,
    show_name: bool = True,
    name: str | None = None,
) -> Image.Image:
    """The editor picture, RGB, 1280 wide and 480 to 800 high.

    `name` is shown instead of the level's own.
    """
    return editor_parts(level, design, limit_usd, _shown_name(level, name, show_name))[0]


def _shown_name(level: Level, name: str | None, show_name: bool) -> str | None:
    if not show_name:
        return None
    return level.name if name is None else name


def editor_parts(
    level: Level, design: Design | None, limit_usd: float, name: str | None
) -> tuple[Image.Image, Labels]:
    """The editor picture and the labels on it."""
    view = view_of(level, design)
    sheet = Sheet(level, view)
    queue = enumerate(level.vehicle_weights_pg)
    starts = [(c.START_X_M - c.SPACING_M * i, weight) for i, weight in queue]
    for x, weight in starts:
        bridge.vehicle(sheet.draw, view, (x, c.CENTRE_HEIGHT_M, 0.0), weight)
    if design is not None:
        _bridge(sheet, level, design)
    image, labels = sheet.finish()
    cost = 0.0 if design is None else design.cost_usd
    over = cost > limit_usd
    middle = WIDTH / 2
    labels.write((middle, 26), f"${cost:,.2f}", 24, p.BAD if over else p.INK, "ms")
    budget = f"budget ${limit_usd:,.0f}" + (": exceeded" if over else "")
    labels.write((middle, 49), budget, 15, p.BAD if over else p.FAINT, "ms")
    if name is not None:
        write_name(labels, name, 34, 19)
    for x, weight in starts:
        weight_label(labels, view, (x, c.CENTRE_HEIGHT_M, 0.0), weight)
    if design is not None and len(design.nodes) <= MOST_NODE_LABELS:
        node_labels(labels, view, design)
    return image, labels


def weight_label(
    labels: Labels, view: View, pose: bridge.Pose, weight_pg: float, size: int = 15
) -> None:
    """A vehicle's weight above whatever of it is highest."""
    place = view.final(pose[0], bridge.top_of(pose) + ROOF_M)
    labels.write(place, f"{weight_pg:g} PG", size, p.INK, "mb", back=p.PANEL, within=view.plot)


def _bridge(sheet: Sheet, level: Level, design: Design) -> None:
    view = sheet.view
    places = {key: view.at(n.x, n.y) for key, n in design.node_by_id.items()}
    lines = []
    for member, shift in zip(design.members, bridge.pair_shifts(design), strict=True):
        if member.a in places and member.b in places:
            ends = bridge.beside((places[member.a], places[member.b]), shift)
            lines.append((ends, p.MATERIAL.get(member.type, p.FAINT), member.type))
    bridge.members(sheet.draw, lines, plot=view.plot)
    bridge.nodes(sheet.draw, [places[n.id] for n in design.nodes if not n.is_anchor])
    for anchor in level.anchors:
        anchor_mark(sheet.draw, view, anchor.x, anchor.y)


def node_labels(
    labels: Labels,
    view: View,
    design: Design,
    places: Mapping[int, Point] | None = None,
    size: int = 13,
) -> None:
    """Ids of the dynamic nodes, where there is room, away from their members.

    `places` are the nodes' places in metres (default: the design's); one without is left out.
    """
    at = {n.id: (n.x, n.y) for n in design.nodes} if places is None else places
    directions: dict[int, list[float]] = {}
    for m in design.members:
        if m.a in at and m.b in at:
            (ax, ay), (bx, by) = at[m.a], at[m.b]
            angle = math.atan2(by - ay, bx - ax)
            directions.setdefault(m.a, []).append(angle)
            directions.setdefault(m.b, []).append(angle + math.pi)
    moving = [n.id for n in design.nodes if not n.is_anchor and n.id in at]
    for key in moving:
        labels.mark(view.final(*at[key]), bridge.NODE_PX)
    for key in moving:
        sides = sides_by_room(directions.get(key, []))
        labels.near(view.final(*at[key]), str(key), size, p.INK, 9.0, sides=sides)
