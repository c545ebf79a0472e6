"""Rollout frames: the bridge by utilisation, debris, splashes, vehicles, time, outcome."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageDraw

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics.draw import bridge
from bench.bridge.physics.draw import palette as p
from bench.bridge.physics.draw.editor import weight_label
from bench.bridge.physics.draw.fall import draw_fall, draw_splash
from bench.bridge.physics.draw.labels import Labels
from bench.bridge.physics.draw.scene import Sheet, anchor_mark, write_name
from bench.bridge.physics.draw.view import LEFT_PX, PLOT, WIDTH, View, view_of
from bench.bridge.physics.result import FRAME_HZ, RECORD_HZ, Ending, SimResult

LEGEND_PX = (WIDTH - 240, 12, 216, 14)
VERDICT_PX = (WIDTH // 2 - 190, 9, WIDTH // 2 + 190, 47)
VERDICTS = {
    Ending.SUCCESS: "ALL ACROSS",
    Ending.FELL: "FAILED",
    Ending.TIMEOUT: "TIME IS UP",
}


def draw_frame(
    level: Level,
    design: Design,
    result: SimResult,
    frame: int,
    *,
    name: str | None = "",
) -> Image.Image:
    """Evidence frame k (at k/4 s), RGB, as large as the editor picture.

    After the end the last state stands still.
    """
    record, time_s = result.record_of_frame(frame), frame / FRAME_HZ
    title = f"frame {frame}    t = {time_s:.2f} s"
    return _draw(level, design, result, record, time_s, title, name)[0]


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
    now = record / RECORD_HZ if time_s is None else time_s
    return _draw(level, design, result, record, now, f"t = {now:.2f} s", name)[0]


def _draw(
    level: Level,
    design: Design,
    result: SimResult,
    record: int,
    time_s: float,
    title: str,
    name: str | None,
) -> tuple[Image.Image, Labels]:
    view = view_of(level, design)
    sheet = Sheet(level, view)
    draw_state(sheet.draw, view, level, design, result, record)
    arrived = int(result.arrived[record].sum())
    image, labels = sheet.finish()
    for pose, weight in vehicles_at(level, result, record):
        weight_label(labels, view, pose, weight)
    labels.write((LEFT_PX, 30), title, 24, p.INK, "ls")
    if name:
        write_name(labels, name, 49, 14)
    image.paste(_legend(), (LEGEND_PX[0] - 12, 0))
    if arrived:
        place = view.final(level.span_m + 2.0, level.rise_m + 1.75)
        text = f"{arrived} of {len(level.vehicle_weights_pg)} across"
        labels.write(place, text, 14, p.GOOD, "mb", back=p.PANEL, within=view.plot)
    if time_s >= result.end_s:
        _verdict(labels, result)
    return image, labels


def draw_state(
    draw: ImageDraw.ImageDraw,
    view: View,
    level: Level,
    design: Design,
    result: SimResult,
    record: int,
    *,
    forces: bool = True,
) -> None:
    """Everything that moves, at one record. `forces`: members have the colour of their force."""
    splashes = draw_fall(draw, view, level, design, result, record)
    _bridge(draw, view, design, result, record, forces=forces)
    for anchor in level.anchors:
        anchor_mark(draw, view, anchor.x, anchor.y)
    poses = result.vehicles[record].tolist()
    for v, (pose, weight) in enumerate(zip(poses, level.vehicle_weights_pg, strict=True)):
        if not result.arrived[record, v]:
            bridge.vehicle(draw, view, tuple(pose), weight)
    for splash in splashes:
        draw_splash(draw, view, level.water_y, splash)


def vehicles_at(
    level: Level, result: SimResult, record: int
) -> Iterator[tuple[bridge.Pose, float]]:
    """Pose and weight (PG) of the vehicles that are still on their way."""
    poses = result.vehicles[record].tolist()
    for v, (pose, weight) in enumerate(zip(poses, level.vehicle_weights_pg, strict=True)):
        if not result.arrived[record, v]:
            yield tuple(pose), weight


def _bridge(
    draw: ImageDraw.ImageDraw,
    view: View,
    design: Design,
    result: SimResult,
    record: int,
    *,
    forces: bool,
) -> None:
    """The living members, coloured by |force| / strength or by material."""
    index = {key: i for i, key in reversed(list(enumerate(n.id for n in design.nodes)))}
    places = [view.at(x, y) for x, y in result.positions[record].tolist()]
    use, alive = result.utilisation[record].tolist(), result.alive[record].tolist()
    lines: list[bridge.Line] = []
    joints: set[int] = set()
    for i, (m, shift) in enumerate(zip(design.members, bridge.pair_shifts(design), strict=True)):
        if alive[i] and m.a in index and m.b in index:
            a, b = index[m.a], index[m.b]
            joints |= {a, b}
            ends = bridge.beside((places[a], places[b]), shift)
            material = p.MATERIAL.get(m.type, p.FAINT)
            colour = p.utilisation_colour(abs(use[i])) if forces else material
            lines.append((ends, colour, m.type))
    bridge.members(draw, lines, plot=view.plot)
    bridge.nodes(draw, [places[i] for i in sorted(joints) if not design.nodes[i].is_anchor])


@lru_cache(maxsize=1)
def _legend() -> Image.Image:
    """The utilisation scale, the same in every frame."""
    _, y, w, h = LEGEND_PX
    image = Image.new("RGB", (w + 24, PLOT[1] - 2), p.PANEL)
    draw = ImageDraw.Draw(image)
    for i in range(w):
        draw.line((12 + i, y, 12 + i, y + h), fill=p.utilisation_colour(i / (w - 1)))
    draw.rectangle((11, y - 1, 12 + w, y + h + 1), outline=p.INK)
    labels = Labels.on(image)
    for share, anchor in ((0.0, "lt"), (0.5, "mt"), (1.0, "rt")):
        text = "50% of strength" if share == 0.5 else f"{share:.0%}"
        labels.write((12 + w * share, y + h + 6), text, 13, p.INK, anchor)
    return image


def _verdict(labels: Labels, result: SimResult) -> None:
    """A band once the outcome is decided."""
    text = f"{VERDICTS[result.ending]} at {result.end_s:.2f} s"
    colour = p.GOOD if result.success else p.BAD
    labels.draw.rounded_rectangle(VERDICT_PX, radius=6, fill=colour)
    labels.write((WIDTH / 2, (VERDICT_PX[1] + VERDICT_PX[3]) / 2), text, 24, p.NODE, "mm")


__all__ = ["LEGEND_PX", "draw_frame", "draw_record", "draw_state", "vehicles_at"]
