"""Simulate a design on a level, alone or in a batch. The one way into the kernel."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from bench.bridge.design.design import Design
from bench.bridge.level.level import Level
from bench.bridge.physics import kernel
from bench.bridge.physics.model import Model, build_model
from bench.bridge.physics.order import ordered
from bench.bridge.physics.params import DEFAULT, SimParams
from bench.bridge.physics.result import Ending, SimResult

_ENDINGS = {
    kernel.SUCCESS: Ending.SUCCESS,
    kernel.FELL: Ending.FELL,
    kernel.TIMEOUT: Ending.TIMEOUT,
}


def simulate(
    level: Level,
    design: Design,
    *,
    params: SimParams = DEFAULT,
    loads_pn: Sequence[tuple[int, float, float]] = (),
) -> SimResult:
    """Run one design. Deterministic to the bit; never raises for a design that is a graph.

    The order of nodes and edges, their ids and which end is which change no bit of any state.

    `loads_pn`: (node id, fx, fy) constant forces on nodes, for tests of statics.
    """
    order = ordered(design)
    result = run_model(build_model(level, order.design, params, loads_pn), params)
    return order.given_back(result)


def simulate_many(
    levels: Sequence[Level],
    designs: Sequence[Design],
    *,
    params: SimParams = DEFAULT,
    threads: int | None = None,
) -> list[SimResult]:
    """Run level i with design i for all i on all cores; the same bits as single runs.

    The kernel releases the interpreter lock, so plain threads use every core.
    """
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        return list(
            pool.map(
                lambda p: simulate(p[0], p[1], params=params), zip(levels, designs, strict=True)
            )
        )


def warm_up() -> None:
    """Compile the kernel, or load it from numba's cache, by running a tiny scene."""
    from bench.bridge.design.design import Member, Node
    from bench.bridge.level.level import Anchor

    anchors = (Anchor(1, 0.0, 0.0), Anchor(2, 2.0, 0.0))
    level = Level("warm-up", 2.0, 0.0, "full", anchors, (), (), (3.0, 3.0), 0.0, 2.0, (), 0)
    nodes = tuple(Node(a.id, a.x, a.y, True) for a in anchors)
    simulate(level, Design(nodes, (Member(3, 1, 1, 2),)), params=SimParams(window_s=0.025))


def run_model(model: Model, params: SimParams) -> SimResult:
    """Run the kernel on built arrays."""
    rows = params.record_count + 1
    nodes, bars, cars = len(model.position), len(model.bar_a), len(model.vehicles)
    out = kernel.Out(
        pos=np.zeros((rows, nodes, 2)),
        use=np.zeros((rows, bars)),
        alive=np.zeros((rows, bars), dtype=np.bool_),
        car=np.zeros((rows, cars, 4)),
        arrived=np.zeros((rows, cars), dtype=np.bool_),
        break_s=np.full(bars, np.nan),
        peak=np.zeros(bars),
    )
    code, done, count = kernel.run(_scene_of(model), _clock_of(params), out)
    member = model.bar_of_member
    return SimResult(
        ending=_ENDINGS[code],
        end_s=done * params.step_s,
        positions=out.pos[:count],
        utilisation=out.use[:count][:, member],
        alive=out.alive[:count][:, member],
        poses=out.car[:count],
        arrived=out.arrived[:count],
        break_s=out.break_s[member],
        peak_utilisation=out.peak[member],
    )


def _scene_of(model: Model) -> kernel.Scene:
    return kernel.Scene(
        start=model.position,
        weight=model.weight,
        loads=model.loads,
        inverse=model.inverse_inertia,
        a=model.bar_a,
        b=model.bar_b,
        rest=model.rest_length,
        stiffness=model.stiffness,
        damping=model.damping,
        strength=model.strength,
        is_road=model.is_road,
        ground=model.ground,
        vehicles=model.vehicles,
        flag=model.flag,
        water_y=model.water_y,
    )


def _clock_of(params: SimParams) -> kernel.Clock:
    return kernel.Clock(
        step=params.step_s,
        steps=(params.record_count - 1) * params.steps_per_record,
        per_record=params.steps_per_record,
        cruise=params.cruise_mps,
        drag=params.drag_per_s,
        breaking=params.breaking,
        stop_early=params.stop_early,
    )
