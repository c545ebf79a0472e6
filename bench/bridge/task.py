"""The bridge task: one level under one budget condition."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from bench.bridge.analysis.deck import continuous_deck
from bench.bridge.analysis.margin import validity_margin
from bench.bridge.answer.parse import parse_answer
from bench.bridge.design import save
from bench.bridge.design.design import Design, Node
from bench.bridge.design.graph import graph_of
from bench.bridge.drivers.base import Driver, Rollout
from bench.bridge.drivers.registry import make_driver
from bench.bridge.level.budget import limit_usd
from bench.bridge.level.context import visible_scene
from bench.bridge.level.files import LevelFile
from bench.bridge.level.level import Level
from bench.bridge.prompt.evidence import (
    eligible_frames,
    execution_summary,
    frame_time_s,
    selected_frames,
)
from bench.bridge.prompt.observation import build_observation, violation_data
from bench.bridge.rules import validate
from bench.bridge.unit import UNIT
from bench.domain import DriverOptions
from bench.errors import InputError, SaveError
from bench.protocol import PAPER, Settings
from bench.records.layout import DESIGN
from bench.task import (
    Candidate,
    Execution,
    Feedback,
    Json,
    Observation,
    Outcome,
    Picture,
    Step,
    Violation,
)

if TYPE_CHECKING:
    from PIL import Image


FLAGS = ("clean", "continuous_deck")
"""What metrics read of an execution. A screen shows no forces: natively `clean` is None."""


def anonymous_name(name: str) -> str:
    """A stable name that tells nothing of a level's family, span or parameters."""
    return "level-" + hashlib.sha256(f"polybridgebench/{name}".encode()).hexdigest()[:10]


def png_bytes(image: Image.Image) -> bytes:
    """The image as PNG. The bytes depend on the pixels alone.

    The lowest level: a third more bytes, a third less time, and encoding is half of an episode.
    """
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def _blank(picture: Picture) -> Picture:
    """A white picture of the same name and size."""
    from PIL import Image

    with Image.open(io.BytesIO(picture.png)) as image:
        size = image.size
    return Picture(picture.name, png_bytes(Image.new("RGB", size, "white")))


class BridgeTask:
    """Implements `bench.task.Task` for bridges.

    Anonymous settings replace the level's name in all that a client may see: context, save and
    editor picture (frames carry no name).
    `other_level` is drawn in place of this one under the image variant `other-level`.
    `capacity` adds the load capacity of a design to the facts of its success, which takes some
    ten more simulations; no model sees it.
    """

    def __init__(
        self,
        level_file: LevelFile,
        driver: Driver,
        settings: Settings = PAPER,
        *,
        other_level: Level | None = None,
        capacity: bool = False,
    ) -> None:
        if settings.image == "other-level" and other_level is None:
            raise InputError("the image variant other-level needs another level to show")
        self._file = level_file
        self._other_level = other_level
        self._driver = driver
        self._settings = settings
        self._capacity = capacity
        self.level = level_file.level
        self.condition, self.limit_usd = limit_usd(self.level.strict_limit_usd, settings.budget)
        shown = anonymous_name(self.level.name) if settings.anonymous else self.level.name
        self._shown_name = shown
        self._display_name = shown if settings.anonymous else level_file.display_name
        self._context = level_file.context(self.limit_usd, shown)
        anchors = tuple(Node(a.id, a.x, a.y, is_anchor=True) for a in self.level.anchors)
        self._anchors = Design(anchors, ())
        # After an invalid answer the editor shows what it showed before.
        self._drawn: tuple[Level, Design | None, Picture] | None = None

    @property
    def name(self) -> str:
        """The level's name, as in the test's node id."""
        return self.level.name

    @property
    def facts(self) -> Mapping[str, Json]:
        """What the records carry of the level and the condition."""
        metadata = self._file.metadata
        return {
            "level": self.level.name,
            "family": metadata.family,
            "group": metadata.group,
            "suite": metadata.suite,
            "tags": list(metadata.tags),
            "span_m": self.level.span_m,
            "strict_limit": self.level.strict_limit_usd,
            "limit": self.limit_usd,
            "unit": UNIT.name,
            "condition": self.condition,
        }

    def observe(self, steps: Sequence[Step[Design]]) -> Observation:
        """What the model sees at call `len(steps) + 1`.

        Save and editor picture show the last design that was executed, else the anchors.
        """
        executed = [s.candidate.design for s in steps if s.executed]
        current = executed[-1] if executed else None
        latest = steps[-1].candidate.design if steps and steps[-1].executed else None
        return build_observation(
            context=self._context,
            save=save.save_of(current or self._anchors, self._display_name),
            steps=steps,
            graph=graph_of(latest) if latest is not None else None,
            pictures=self._pictures(current, steps) if self._settings.images else (),
            settings=self._settings,
            scene=None if self._settings.images else visible_scene(self.level),
            shows_forces=self._shows_forces,
        )

    @property
    def _shows_forces(self) -> bool:
        """Whether members in frames have the colour of their force: drawn ones, unless plain."""
        return self._driver.capabilities.states and not self._settings.plain_frames

    def _pictures(
        self, current: Design | None, steps: Sequence[Step[Design]]
    ) -> tuple[Picture, ...]:
        """The editor, then the contact sheet when the latest call ran physics."""
        editor = self.picture(current)
        if self._settings.image == "other-level" and self._other_level is not None:
            editor = self._editor(self._other_level, None)
        latest = steps[-1:] if self._settings.shows_frames else ()
        pictures = (editor, *(p for step in latest for p in step.feedback.pictures))
        return tuple(map(_blank, pictures)) if self._settings.image == "blank" else pictures

    def parse(self, text: str) -> Candidate[Design]:
        """Read an answer."""
        return parse_answer(text)

    def validate(self, design: Design) -> tuple[Violation, ...]:
        """All broken rules, in a fixed order."""
        return validate(self.level, design, self.limit_usd)

    def execute(self, design: Design) -> Execution:
        """Run a valid design on the driver; draws the selected frames and no other."""
        rollout = self._driver.execute(self.level, design)
        indices = selected_frames(
            eligible_frames(rollout.decided_s, rollout.frame_count), self._settings.frames
        )
        files, pictures = self._evidence(rollout, indices)
        facts = {
            **rollout.facts,
            "decided_s": rollout.decided_s,
            "detector": rollout.detector,
            "continuous_deck": continuous_deck(self.level, design),
        }
        if self._capacity and rollout.outcome is Outcome.SUCCESS:
            from bench.bridge.statics.capacity import capacity_facts

            facts["capacity"] = capacity_facts(self.level, design)
        return Execution(
            outcome=rollout.outcome,
            summary=execution_summary(rollout, indices),
            facts=facts,
            files={**rollout.files, **files},
            pictures=pictures,
            rollout=rollout.states,
        )

    def _evidence(
        self, rollout: Rollout, indices: list[int]
    ) -> tuple[dict[str, bytes], tuple[Picture, ...]]:
        """The selected frames and their sheet; nothing of a rollout without frames."""
        frame = rollout.frame
        if frame is None:
            return {}, ()
        images = {k: frame(k) for k in dict.fromkeys(indices)}
        if rollout.sheet is not None:
            sheet = rollout.sheet(indices, self._shows_forces)
        else:
            # The import costs fonts and Pillow's drawing: only an execution needs it.
            from bench.bridge.physics.draw import contact_sheet

            captions = [f"frame {k}  t = {frame_time_s(k):.2f} s" for k in indices]
            sheet = contact_sheet([images[k] for k in indices], captions)
        files = {f"frames/frame_{k:02d}.png": png_bytes(image) for k, image in images.items()}
        return files, (Picture("contact_sheet", png_bytes(sheet)),)

    def feedback(
        self,
        candidate: Candidate[Design],
        violations: tuple[Violation, ...],
        execution: Execution | None,
    ) -> Feedback:
        """What the next call is told: violations verbatim, or summary and contact sheet."""
        if execution is None:
            return Feedback("violations", {"violations": [violation_data(v) for v in violations]})
        if execution.outcome is Outcome.SUCCESS:
            return Feedback("success", execution.summary)
        return Feedback("execution", execution.summary, execution.pictures)

    def flags(self, execution: Execution) -> Mapping[str, Json]:
        """FLAGS, None for what the driver cannot know, and the capacity where it was measured."""
        facts = execution.facts
        flags = {name: facts.get(name) for name in FLAGS}
        return flags | ({"capacity": facts["capacity"]} if "capacity" in facts else {})

    def picture(self, design: Design | None) -> Picture:
        """The editor with a design in it."""
        return self._editor(self.level, design)

    def _editor(self, level: Level, design: Design | None) -> Picture:
        if self._drawn is None or self._drawn[:2] != (level, design):
            image = self._driver.editor_picture(
                level, design, limit_usd=self.limit_usd, shown_name=self._shown_name
            )
            self._drawn = (level, design, Picture("editor", png_bytes(image)))
        return self._drawn[2]

    def measure(self, design: Design) -> Mapping[str, Json]:
        """Cost, counts, metres by material, and the distance from breaking a rule."""
        return {
            "cost": design.cost_usd,
            "nodes": len(design.nodes),
            "members": len(design.members),
            "metres_by_material": design.metres_by_material(),
            "margin": validity_margin(self.level, design, self.limit_usd),
        }

    def files(self, design: Design) -> Mapping[str, bytes]:
        """The design as a graph, and as the payload that the game would load.

        An illegal design that no save can hold (an edge to nowhere) has no payload.
        """
        graph = json.dumps(graph_of(design), indent=1, allow_nan=False)
        files = {DESIGN: (graph + "\n").encode()}
        with suppress(SaveError):
            payload = save.encode_payload(save.save_of(design, self._display_name))
            files["save.txt"] = (payload + "\n").encode()
        return files


def text_task(level: Level, budget: str = PAPER.budget) -> BridgeTask:
    """A task without pictures, files or metadata: the quiet simulator, for training.

    Data, checks, physics and outcomes are those of any task of the level.
    """
    driver = make_driver(DriverOptions("embedded", PAPER.window_s, quiet=True))
    settings = replace(PAPER, budget=budget, images=False)
    return BridgeTask(LevelFile.bare(level), driver, settings)
