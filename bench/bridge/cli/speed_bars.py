"""What single steps may take: each measured beside its bar, for `python -m bench speed --bars`.

No test holds these: a slow or busy machine is no fault of the code.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

SIZE = 2_000_000


@dataclass(frozen=True)
class Bar:
    """One step: the least seconds of processor time of several runs, and what it may take."""

    name: str
    seconds: float
    bar_s: float

    @property
    def held(self) -> bool:
        """Whether it took no more than it may."""
        return self.seconds <= self.bar_s

    def line(self) -> str:
        """One row of the table."""
        mark = "" if self.held else "  over"
        return f"  {self.name:<44}{1e3 * self.seconds:9.1f} ms of {1e3 * self.bar_s:7.0f}{mark}"


def bars(repeat: int = 5) -> Iterator[Bar]:
    """Measure every step; imports and compiling are not counted."""
    for name, bar_s, call in _steps():
        call()
        yield Bar(name, min(_timed(call) for _ in range(repeat)), bar_s)


def _timed(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def _steps() -> Iterator[tuple[str, float, Callable[[], object]]]:
    from bench.bridge.answer.parse import parse_answer
    from bench.bridge.cli.speed import truss
    from bench.bridge.level.files import load_all
    from bench.bridge.physics.draw import draw_editor, draw_frame
    from bench.bridge.physics.engine import simulate
    from bench.bridge.rules import validate

    yield "all levels read", 0.3, load_all
    for name, unit in (("brackets", "["), ("repeated keys", '"a":1,'), ("fences", "```json\n{")):
        text = unit * (SIZE // len(unit))
        yield f"2 MB of {name} refused", 2.0, partial(parse_answer, text)
    level, design = truss(700.0, 350, (3.0,))
    yield "the largest answer validated", 0.1, lambda: validate(level, design, 5000.0)
    level, design = truss(14.0, 10, (3.0, 3.0))
    yield "an editor picture", 0.025, lambda: draw_editor(level, design, limit_usd=9000.0)
    result = simulate(level, design)
    frames = range(48)
    yield "48 frames", 1.0, lambda: [draw_frame(level, design, result, k) for k in frames]
