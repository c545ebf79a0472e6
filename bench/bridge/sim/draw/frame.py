"""Rollout frames: the bridge by utilisation, debris, splashes, vehicles, time, outcome."""

from __future__ import annotations

import math
from dataclasses import replace

from PIL import Image, ImageDraw

from bench.bridge.design import Design
from bench.bridge.level import Level
from bench.bridge.sim import constants as c
from bench.bridge.sim.draw import bridge
from bench.bridge.sim.draw import palette as p
from bench.bridge.sim.draw.labels import Labels
from bench.bridge.sim.draw.scene import anchor_mark, background
from bench.bridge.sim.draw.view import RIGHT_PX, SUPERSAMPLE, TOP_PX, WIDTH, View, view_of
from bench.bridge.sim.result import RECORD_HZ, SimResult

S = SUPERSAMPLE
SPLASH_S = 0.5
LEGEND_PX = (WIDTH - RIGHT_PX - 216, TOP_PX + 14, 200, 10)


def draw_frame(
    level: Level,
    design: Design,
    result: SimResult,
    frame: int,
    *,
    limit_usd: float | None = None,
    name: str | None = "",
) -> Image.Image:
    """Evidence frame k (at k/4 s), RGB 1280 x 800; after the end the last state stands still."""
    return draw_record(
        level, design, result, result.record_of_frame(frame), time_s=frame / 4, name=name
    )


def draw_record(
    level: Level,
    design: Design,
    result: SimResult,
    record: int,
    *,
    time_s: float | None = None,
    name: str | None = "",
) -> Image.Image:
    """The state of one 40 Hz record. `time_s` is the shown time when it is not the record's.

    `name` is shown as the level's name; frames that a model sees carry none.
    """
    still, boxes = background(replace(level, name=""), name or None)
    image, view = still.copy(), view_of(level)
    draw = ImageDraw.Draw(image)
    labels = Labels(draw, list(boxes))
    now = record / RECORD_HZ if time_s is None else time_s
    _debris(draw, view, level, design, result, now)
    _bridge(draw, view, design, result, record)
    for anchor in level.anchors:
        anchor_mark(draw, view, anchor.x, anchor.y)
    _vehicles(draw, view, level, result, record)
    _legend(draw, labels)
    labels.write((WIDTH * S / 2, 12 * S), f"t = {now:.2f} s", 24, p.INK, "mt")
    if now >= result.end_s and result.ending != "timeout":
        _verdict(draw, labels, result)
    return image.reduce(S)


def _bridge(
    draw: ImageDraw.ImageDraw, view: View, design: Design, result: SimResult, record: int
) -> None:
    """The living members, coloured by |force| / strength."""
    index = {n.id: i for i, n in enumerate(design.nodes)}
    places = [view.at(float(x), float(y)) for x, y in result.positions[record]]
    lines = []
    used: set[int] = set()
    for i, (m, shift) in enumerate(zip(design.members, bridge.pair_shifts(design), strict=True)):
        if result.alive[record, i]:
            a, b = index[m.a], index[m.b]
            used |= {a, b}
            colour = p.utilisation_colour(abs(float(result.utilisation[record, i])))
            lines.append((bridge.beside((places[a], places[b]), shift), colour, m.type))
    bridge.members(draw, lines)
    bridge.nodes(
        draw, [places[i] for i, n in enumerate(design.nodes) if i in used and not n.is_anchor]
    )


def _debris(
    draw: ImageDraw.ImageDraw,
    view: View,
    level: Level,
    design: Design,
    result: SimResult,
    now: float,
) -> None:
    """Broken members fall freely from where they broke; the picture's own, no part of physics."""
    index = {n.id: i for i, n in enumerate(design.nodes)}
    last = len(result.positions) - 1
    lines = []
    splashes = []
    for i, m in enumerate(design.members):
        broke = float(result.break_s[i])
        if math.isnan(broke) or broke > now:
            continue
        row = min(math.ceil(broke * RECORD_HZ), last)
        before = max(row - 1, 0)
        age = now - broke
        ends = []
        for key in (m.a, m.b):
            x, y = (float(v) for v in result.positions[row, index[key]])
            vx, vy = (
                float(v) for v in (result.positions[row, index[key]]
                                    - result.positions[before, index[key]]) * RECORD_HZ
            )  # fmt: skip
            ends.append((x + vx * age, y + vy * age - 0.5 * c.GRAVITY * age * age))
        middle = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
        if middle[1] < level.water_y:
            depth = level.water_y - middle[1]
            if depth < 0.5 * c.GRAVITY * SPLASH_S**2 + 6.0 * SPLASH_S:
                splashes.append((middle[0], min(1.0, depth / 2.0)))
            continue
        lines.append(((view.at(*ends[0]), view.at(*ends[1])), p.DEBRIS, m.type))
    bridge.members(draw, lines, casing=(90, 90, 90))
    for x, age in splashes:
        _splash(draw, view, x, level.water_y, age)


def _splash(draw: ImageDraw.ImageDraw, view: View, x: float, y: float, age: float) -> None:
    """Drops that rise and spread from the water line; `age` from 0 to 1."""
    for k in range(5):
        side = (k - 2) * (0.15 + 0.35 * age)
        height = (0.9 - 0.12 * (k - 2) ** 2) * math.sin(math.pi * min(1.0, 0.25 + 0.75 * age))
        px, py = view.at(x + side, y + max(0.05, height))
        r = (5.5 - abs(k - 2)) * S
        draw.ellipse([(px - r, py - r), (px + r, py + r)], fill=p.SPLASH, outline=p.WATER_EDGE)
    (lx, ly), (rx, _) = view.at(x - 0.3 - 0.4 * age, y), view.at(x + 0.3 + 0.4 * age, y)
    draw.line([(lx, ly), (rx, ly)], fill=p.SPLASH, width=4 * S)


def _vehicles(
    draw: ImageDraw.ImageDraw, view: View, level: Level, result: SimResult, record: int
) -> None:
    for v in range(len(level.vehicle_weights_pg)):
        x, y, angle = (float(q) for q in result.vehicles[record, v])
        bridge.vehicle(draw, view, x, y, angle, faded=bool(result.arrived[record, v]))
        if y < level.water_y + 0.3:
            _splash(draw, view, x, level.water_y, 0.5)


def _legend(draw: ImageDraw.ImageDraw, labels: Labels) -> None:
    """The utilisation scale, the same in every frame."""
    x, y, w, h = (v * S for v in LEGEND_PX)
    draw.rounded_rectangle([(x - 10 * S, y - 8 * S), (x + w + 10 * S, y + h + 26 * S)],
                           radius=4 * S, fill=p.PANEL, outline=p.FAINT, width=S)  # fmt: skip
    steps = 50
    for i in range(steps):
        left, right = x + w * i / steps, x + w * (i + 1) / steps
        draw.rectangle([(left, y), (right, y + h)], fill=p.utilisation_colour(i / (steps - 1)))
    for share, anchor in ((0.0, "lt"), (0.5, "mt"), (1.0, "rt")):
        labels.write((x + w * share, y + h + 5 * S), f"{share:.0%}", 12, p.INK, anchor)
    labels.write((x + w / 4, y + h + 5 * S), "of strength", 11, p.FAINT, "mt")


def _verdict(draw: ImageDraw.ImageDraw, labels: Labels, result: SimResult) -> None:
    """A band once the outcome is decided."""
    good = result.success
    text = "ALL ACROSS" if good else "FAILED"
    text = f"{text} at {result.end_s:.2f} s"
    y = (TOP_PX + 34) * S
    draw.rounded_rectangle(
        [(WIDTH * S / 2 - 150 * S, y - 20 * S), (WIDTH * S / 2 + 150 * S, y + 20 * S)],
        radius=6 * S, fill=p.GOOD if good else p.BAD,
    )  # fmt: skip
    labels.write((WIDTH * S / 2, y), text, 22, (255, 255, 255), "mm", force=True)
