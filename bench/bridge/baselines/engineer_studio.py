"""The engineer's work on one gap: sketch, choose, improve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.bridge.baselines.engineer_search import fit_sizes
from bench.bridge.baselines.engineer_shapes import (
    empty_state,
    sketches,
    state_of,
)
from bench.bridge.baselines.engineer_site import MAX_BARS, Site
from bench.bridge.baselines.scene import Point
from bench.bridge.statics.annealing import Schedule, anneal, worth
from bench.bridge.statics.graph import State, copy_state

DYNAMIC = 1.2
"""Factor on axle loads for what statics leaves out; fitted to simulations once, like any code's."""
JOLT_STEP = 1.6
"""Factor on the jolts at bends of the road for each failed execution."""
DRAFTS, DRAFT_STEPS = 6, 2600
FINALISTS, FINAL_STEPS = 2, 3400
USD_PER_M_HOT = 8.0
"""First temperature for each metre of the gap."""
SIZING_ROUNDS = 4
LONG_M, MOST_EFFORT = 16.0, 2.5
"""Statics of a short gap and of few vehicles take less time: they get more steps."""


@dataclass
class Truss:
    """A truss over one gap."""

    concept: str
    state: State
    cost_usd: float

    def bars(self) -> list[tuple[Point, Point, int]]:
        """Ends and code of every bar, in a fixed order."""
        xy, _, _, bars, _, count = self.state
        points = [(round(float(x), 4), round(float(y), 4)) for x, y in xy[: count[0]]]
        rows = [(points[a], points[b], int(code)) for a, b, code in bars[: count[1]]]
        return sorted((min(a, b), max(a, b), code) for a, b, code in rows)


class Studio:
    """One gap's drafts.

    `share` of the whole effort is spent here; `attempt` varies the search; every failed
    execution takes the best sketch away and makes jolts count more.
    """

    def __init__(self, site: Site, attempt: int, failures: int, share: float) -> None:
        self.site = site
        self._task = site.task(DYNAMIC, JOLT_STEP**failures)
        self._failures = failures
        load = (4 + len(site.axles)) / 6
        self._effort = share * min(MOST_EFFORT, LONG_M / site.gap.width_m / load)
        self._seed = 1000 * attempt
        self._trial = empty_state()
        self._drafts: list[Truss] = []

    def begin(self, target: float) -> None:
        """Sketch, size, and improve the best sketches a little."""
        rows = []
        peak = np.zeros(MAX_BARS)
        for sketch in sketches(self.site):
            state = state_of(self.site, sketch)
            if state is not None:
                reached = fit_sizes(self._task, state, peak, target, SIZING_ROUNDS)
                rows.append((reached, sketch.concept, state))
        rows.sort(key=lambda row: row[0])
        hot = USD_PER_M_HOT * self.site.gap.width_m
        for reached, concept, state in rows[self._failures : self._failures + DRAFTS]:
            draft = Truss(concept, state, reached)
            self._anneal(draft, target, DRAFT_STEPS, hot, 5.0, 0.35)
            self._drafts.append(draft)
        self._drafts.sort(key=lambda t: t.cost_usd)
        self._drafts = self._drafts[:FINALISTS]

    def improve(self, target: float) -> Truss:
        """The finalists again, for this target; the cheapest one."""
        for draft in self._drafts:
            self._anneal(draft, target, FINAL_STEPS, 30.0, 1.0, 0.25)
        best = min(self._drafts, key=lambda t: t.cost_usd)
        state = empty_state()
        copy_state(best.state, state)
        return Truss(best.concept, state, best.cost_usd)

    def _anneal(
        self, truss: Truss, target: float, steps: int, hot: float, cold: float, reach: float
    ) -> None:
        best = empty_state()
        self._seed += 1
        ceiling = worth(self._task, truss.state, np.zeros(MAX_BARS), target)
        schedule = Schedule(int(steps * self._effort), hot, cold, reach)
        state, trial = truss.state, self._trial
        truss.cost_usd = anneal(
            self._task, state, trial, best, target, self._seed, schedule, ceiling, True
        )
        truss.state = best
