"""Search a reference design for any level: `search_reference`.

Annealing on linear statics proposes designs in milliseconds; the simulator then measures every
bar's peak force, and the ratio of the two becomes the bar's dynamic factor in the next round. So
the search spends its steps in statics, and only the simulator decides. Everything is counted in
steps and rounds and seeded: the same call gives the same reference on every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics.engine import simulate
from bench.bridge.physics.params import SimParams
from bench.bridge.statics.annealing import BIG, Schedule, anneal
from bench.bridge.statics.bars import HAS_STEEL, STRENGTH_PN
from bench.bridge.statics.graph import State, copy_state
from bench.bridge.statics.influence import MECHANISM, peak_forces, workspace
from bench.bridge.statics.price import is_legal
from levels.bridge.search.anneal import METHOD, Task
from levels.bridge.search.deformed import relaxed_forces
from levels.bridge.search.margins import HIGHEST_PEAK, holds_all
from levels.bridge.search.scene import (
    MAX_BARS,
    MAX_NODES,
    Floats,
    Scene,
    bar_peaks,
    design_of,
    empty_state,
    make_scene,
    state_of,
)
from levels.bridge.search.templates import templates

UNBREAKABLE = SimParams(breaking=False)
FIRST_FACTOR = 1.15
"""Dynamic and geometric amplification that a bar is given before it has been simulated."""
AIM = 0.896
"""Peak that annealing aims at, a little below the highest that is allowed."""
ROUND_STEPS, CYCLE = 3000, 8
"""Steps of a round, and rounds from warm to cold."""
SHORT_SPAN_M = 9.0
"""Up to here a track without symmetry is worth its steps beside one with it."""
MEASURED = 14
"""Tracks of the first pass that are simulated and annealed again."""
FIRST_SHARE = 0.5
"""Share of the iterations that the first pass over all templates takes."""


@dataclass(frozen=True)
class Reference:
    """What a search found: the design, and how."""

    design: Design
    cost_usd: float
    peak_utilisation: float
    template: str
    seed: int
    iterations: int


@dataclass
class Track:
    """One line of the search: a state with factors, and the cheapest design that it met."""

    name: str
    state: State
    median_factor: float
    found: list[tuple[float, float, Design]] = field(default_factory=list)
    best_state: State | None = None
    best_cost: float = BIG

    def offer(self, cost: float, peak: float, design: Design, state: State) -> None:
        """Remember a design that the simulator accepts."""
        self.found.append((cost, peak, design))
        if cost < self.best_cost:
            self.best_cost = cost
            self.best_state = empty_state()
            copy_state(state, self.best_state)


class Searcher:
    """The state of one level's search: scene, random seeds and scratch memory."""

    def __init__(self, level: Level, seed: int, highest_peak: float = HIGHEST_PEAK) -> None:
        self.level = level
        self.scene: Scene = make_scene(level)
        self.seeds = np.random.default_rng(seed)
        self.work = workspace(MAX_NODES, MAX_BARS)
        self.trial = empty_state()
        self.highest_peak = highest_peak
        self.aim = AIM * highest_peak / HIGHEST_PEAK
        self.measured = MEASURED if level.span_m > SHORT_SPAN_M else 2 * MEASURED
        self.iterations = 0

    def anneal(self, track: Track, steps: int, hot: float, cold: float, reach: float) -> float:
        """Anneal a track's state in place to the cheapest one without overload."""
        best = empty_state()
        scene = self.scene
        task = Task(
            scene.ground, scene.axles, self.work, scene.span_m, scene.steel, track.median_factor
        )
        seed = int(self.seeds.integers(2**31))
        schedule = Schedule(steps, hot, cold, reach)
        cost: float = anneal(
            task, track.state, self.trial, best, self.aim, seed, schedule, BIG, False
        )
        track.state = best
        self.iterations += steps
        return cost

    def measure(self, track: Track) -> float:
        """Simulate the state, set its factors, remember it when it is good; the peak."""
        state = track.state
        design = design_of(self.scene, state)
        result = simulate(self.level, design, params=UNBREAKABLE)
        peak = float(result.peak_utilisation.max())
        bars: Floats = bar_peaks(self.scene, state, design, result.peak_utilisation)
        static = np.zeros(MAX_BARS)
        factor, count = state.factor, int(state.used[1])
        codes = state.bars[:count, 2]
        axles = self.scene.axles
        if peak_forces(state, axles, METHOD, self.work, static) != MECHANISM:
            relaxed_forces(state, axles, METHOD.kick, self.work, static)
            use = static[:count] / STRENGTH_PN[codes]
            factor[:count] = np.clip((bars + 0.03) / (use + 0.03), 0.7, 2.0)
            track.median_factor = float(np.clip(np.median(factor[:count]), 1.0, 1.6))
        shape = is_legal(state, self.scene.ground)
        legal = shape and (self.scene.steel or not np.any(HAS_STEEL[codes]))
        if legal and result.success and peak <= self.highest_peak:
            track.offer(design.cost_usd, peak, design, state)
        return peak

    def round(self, track: Track, hot: float, reach: float, steps: int = ROUND_STEPS) -> None:
        """One round: anneal with the factors so far, then measure."""
        self.anneal(track, steps, hot, max(0.3, hot / 20), reach)
        self.measure(track)

    def rewind(self, track: Track) -> None:
        """Go back to the cheapest accepted state, if there is one."""
        if track.best_state is not None:
            copy_state(track.best_state, track.state)

    def unmirror(self, track: Track) -> Track:
        """A copy of a track whose search may leave symmetry."""
        state = empty_state()
        copy_state(track.best_state or track.state, state)
        state.mirror[:] = -1
        copy = Track(track.name, state, track.median_factor)
        if track.best_state is not None:
            copy.best_state, copy.best_cost = state, track.best_cost
            copy.state = empty_state()
            copy_state(state, copy.state)
            copy.found = list(track.found)
        return copy


def _tracks(searcher: Searcher, starts: Iterable[tuple[str, Design]]) -> Iterator[Track]:
    """Tracks of starting designs, mirrored where it is possible; short ones both ways."""
    for name, design in starts:
        for mirrored in (True, False) if searcher.scene.symmetric else (False,):
            state = state_of(searcher.scene, design, mirrored=mirrored, factor=FIRST_FACTOR)
            if state is not None:
                yield Track(name, state, FIRST_FACTOR)
                if searcher.level.span_m > SHORT_SPAN_M:
                    break


def _first_pass(searcher: Searcher, tracks: Iterable[Track], hot: float, steps: int) -> list[Track]:
    """Anneal every track from hot; those that statics like best are measured and go on."""
    costs = [(searcher.anneal(track, steps, hot, 8.0, 0.4), track) for track in tracks]
    chosen = [track for _, track in sorted(costs, key=lambda row: row[0])[: searcher.measured]]
    for track in chosen:
        searcher.measure(track)
        searcher.round(track, 40.0, 0.2, 2 * steps)
    return chosen


def _improve(searcher: Searcher, tracks: list[Track], steps: int, hot: float) -> None:
    """Share out steps: rounds in cycles from warm to cold, each from the cheapest design so far."""
    rounds = max(1, round(steps / max(1, len(tracks)) / ROUND_STEPS))
    for track in tracks:
        for k in range(rounds):
            if k % CYCLE == 0:
                searcher.rewind(track)
            part = (k % CYCLE) / (CYCLE - 1)
            warmth = hot * (1.0 - 0.8 * k / rounds)
            searcher.round(track, max(1.0, warmth * 0.03**part), 0.3 * (1.0 - 0.9 * part))


def _cheapest(tracks: Iterable[Track], keep: int) -> list[Track]:
    """The `keep` tracks with the cheapest designs, of different cost."""
    found: list[Track] = []
    for track in sorted(tracks, key=lambda t: t.best_cost):
        if all(abs(track.best_cost - t.best_cost) > 1.0 for t in found):
            found.append(track)
    return found[:keep]


def search_reference(
    level: Level,
    seed: int,
    iterations: int,
    start: Iterable[tuple[str, Design]] = (),
    *,
    use_templates: bool = True,
    highest_peak: float = HIGHEST_PEAK,
) -> Reference | None:
    """Search the cheapest design that wins clean under every margin; None when none was found.

    `iterations`: annealing steps to spend, in stated shares on all templates, on the best of them,
    and on the two winners, which may then leave symmetry. `start`: named designs of this scene to
    go on from, with or without the templates.
    """
    searcher = Searcher(level, seed, highest_peak)
    # A short bridge has few members, and each is a large step up in cost: it takes more heat.
    hot = min(800.0, 7350.0 / level.span_m**1.5)
    given = list(_tracks(searcher, start))
    for track in given:
        searcher.measure(track)
    tracks = list(_tracks(searcher, templates(level))) if use_templates or not given else []
    if tracks:
        each = round(FIRST_SHARE * iterations / (len(tracks) + 2 * searcher.measured))
        tracks = _first_pass(searcher, tracks, hot, max(200, each))
    left = iterations - searcher.iterations
    best = _cheapest([*given, *tracks], 6)
    _improve(searcher, best, left // 2, 0.5 * hot)
    finals = _cheapest(best, 2)
    if searcher.scene.symmetric:
        finals = [searcher.unmirror(track) for track in finals]
    _improve(searcher, finals, left // 2, 0.3 * hot)
    rows = [(*r, t.name) for t in (*given, *tracks, *finals) for r in t.found]
    for cost, peak, design, name in sorted(rows, key=lambda row: row[0]):
        if holds_all(level, design):
            return Reference(design, cost, round(peak, 4), name, seed, searcher.iterations)
    return None
