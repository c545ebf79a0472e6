"""The task: answer `{"order": [...]}`; a move costs one for every number that left its place."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image

from bench.answer_json import NotOneObject, find_object
from bench.domain import Unit
from bench.protocol import Settings, parse_budget
from bench.task import (
    Candidate,
    Execution,
    Feedback,
    ImagePart,
    Message,
    Observation,
    Outcome,
    Picture,
    Step,
    TextPart,
    Violation,
)
from tests_unit.support.toy.level import Level

UNIT = Unit("moves", "move", "moves", suffix=" moves")
LOOSE = 99

Design = tuple[int, ...]


def picture(name: str, numbers: Sequence[int]) -> Picture:
    """One column a number, as high as it is."""
    image = Image.new("RGB", (8 * max(1, len(numbers)), 80), "white")
    for i, number in enumerate(numbers):
        image.paste((0, 90, 160), (8 * i, 80 - 8 * min(number, 10), 8 * i + 7, 80))
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return Picture(name, buffer.getvalue())


class ToyTask:
    """Implements `bench.task.Task`. Two pictures a call: the goal, and how the numbers lie."""

    def __init__(self, level: Level, settings: Settings, driver: Any) -> None:
        self.level = level
        self.settings = settings
        self.driver = driver
        condition, factor = parse_budget(settings.budget)
        self.condition = condition
        self.limit = LOOSE if factor is None else level.strict * factor

    @property
    def name(self) -> str:
        return self.level.name

    @property
    def facts(self) -> Mapping[str, Any]:
        entry = self.level.entry
        return {
            "level": entry.name,
            "family": entry.family,
            "group": entry.group,
            "suite": entry.suite,
            "tags": list(entry.tags),
            "strict_limit": self.level.strict,
            "limit": self.limit,
            "unit": UNIT.name,
            "condition": self.condition,
        }

    def observe(self, steps: Sequence[Step[Design]]) -> Observation:
        done = [s.candidate.design for s in steps if s.executed]
        now = done[-1] if done else self.level.numbers
        shown = "?" if self.settings.anonymous else self.name
        data: dict[str, Any] = {"call": len(steps) + 1, "level": shown, "numbers": list(now or ())}
        data["way"] = "down" if self.level.entry.family == "DOWN" else "up"
        data["limit"] = self.limit
        if steps:
            data["previous"] = dict(steps[-1].feedback.data)
        parts: list[TextPart | ImagePart] = [TextPart(f"Put the numbers in order: {data}")]
        if self.settings.images:
            goal = picture("goal", self.level.goal)
            parts += [ImagePart(goal), ImagePart(picture("numbers", now or ()))]
            parts += [ImagePart(p) for s in steps[-1:] for p in s.feedback.pictures]
        system = Message("system", (TextPart('Answer {"order": [...]}.'),))
        return Observation(data, (system, Message("user", tuple(parts))))

    def parse(self, text: str) -> Candidate[Design]:
        try:
            found = find_object(text)
        except NotOneObject as error:
            return Candidate(None, (Violation("PARSE_ERROR", str(error)),))
        order = found.value.get("order")
        if not isinstance(order, list) or not all(type(n) is int for n in order):
            told = "order must be a list of whole numbers"
            return Candidate(None, (Violation("SCHEMA_ERROR", told),), found.value)
        return Candidate(tuple(order), draft=found.value)

    def validate(self, design: Design) -> tuple[Violation, ...]:
        found = []
        if sorted(design) != sorted(self.level.numbers):
            found.append(Violation("OTHER_NUMBERS", f"these are not {self.level.numbers}"))
        if self.cost(design) > self.limit:
            told = f"{self.cost(design)} moves are above the limit of {self.limit}"
            found.append(Violation("OVER_BUDGET", told))
        return tuple(found)

    def execute(self, design: Design) -> Execution:
        won = self.driver.execute(self.level, design)
        sheet = () if won or self.driver.quiet else (picture("sheet", design),)
        return Execution(
            Outcome.SUCCESS if won else Outcome.FAILURE_OR_TIMEOUT,
            summary={"outcome": "success" if won else "failure_or_timeout"},
            facts={"rising": list(design) == sorted(design)},
            files={} if self.driver.quiet else {"order.txt": repr(design).encode()},
            pictures=sheet,
        )

    def feedback(
        self,
        candidate: Candidate[Design],
        violations: tuple[Violation, ...],
        execution: Execution | None,
    ) -> Feedback:
        if execution is None:
            return Feedback("violations", {"messages": [v.message for v in violations]})
        if execution.outcome is Outcome.SUCCESS:
            return Feedback("success", execution.summary)
        return Feedback("execution", execution.summary, execution.pictures)

    def flags(self, execution: Execution) -> Mapping[str, Any]:
        return {"rising": execution.facts["rising"]}

    def picture(self, design: Design | None) -> Picture:
        return picture("numbers", self.level.numbers if design is None else design)

    def cost(self, design: Design) -> int:
        pairs = zip(design, self.level.numbers, strict=False)
        return sum(a != b for a, b in pairs) + abs(len(design) - len(self.level.numbers))

    def measure(self, design: Design) -> Mapping[str, Any]:
        return {"cost": self.cost(design), "length": len(design)}

    def files(self, design: Design) -> Mapping[str, bytes]:
        return {"design.json": repr(list(design)).encode()}
