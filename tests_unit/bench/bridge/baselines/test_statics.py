"""Member forces against hand calculation and against anastruct."""

import itertools
import math

import pytest

from bench.bridge.baselines import statics
from bench.bridge.baselines.scene import Gap
from bench.bridge.baselines.statics import axle_offsets, warren_forces
from bench.bridge.baselines.warren import warren


def test_axles_stand_half_a_wheelbase_around_each_centre():
    # 3 PG = 390 PN on two axles, the second vehicle 3.5 m behind
    assert axle_offsets([3.0, 6.0]) == [
        (-0.8, 195.0),
        (0.8, 195.0),
        (pytest.approx(2.7), 390.0),
        (pytest.approx(4.3), 390.0),
    ]


def test_two_panels_under_a_light_vehicle_by_hand(monkeypatch: pytest.MonkeyPatch):
    """4 m, two panels, 1 m deep, no self-weight. The vehicle is worst at x = 2.0 +- 0.8 m.

    Each axle of 195 PN, 0.8 m from the middle joint, puts 0.6 x 195 = 117 PN on it, so it carries
    234 PN; shear 117 PN, moment 117 x 2 = 234, chord 234 PN. The sweep comes within 0.25 m of it.
    """
    monkeypatch.setattr(statics, "SELF_WEIGHT_PN_PER_M", 0.0)
    monkeypatch.setattr(statics, "SWEEP_STEP_M", 0.1)
    forces = warren_forces(4.0, 2, 1.0, [3.0])
    assert forces.chord == (pytest.approx(234.0),)
    # One axle on the middle joint and one 1.6 m behind: 195 + 0.2 x 195 = 234 there as well,
    # so the largest shear is 117 and a diagonal at 45 degrees takes sqrt(2) of it.
    assert max(forces.diagonals) == pytest.approx(117.0 * math.sqrt(2))
    # Both halves of the deck have the same force, which the anchors' thrust takes off.
    assert forces.deck == (pytest.approx(0.0), pytest.approx(0.0))


@pytest.mark.parametrize(("width", "panels", "depth"), [(8.0, 4, 1.5), (14.0, 7, 2.0)])
def test_forces_agree_with_a_direct_stiffness_solution(width: float, panels: int, depth: float):
    """The envelope equals anastruct's over the same positions (deck anchored at both ends)."""
    anastruct = pytest.importorskip("anastruct")
    shape = warren(Gap((0.0, 0.0), (width, 0.0)), panels, depth, above=False)
    segments = [*shape.deck, *shape.chord, *shape.diagonals]
    envelope = [0.0] * len(segments)
    axles = axle_offsets([3.0])
    reach = width + 2 * statics.WHEELBASE_M
    for step in range(0, int(reach / statics.SWEEP_STEP_M) + 1, 4):
        head = step * statics.SWEEP_STEP_M - statics.WHEELBASE_M / 2
        loads = statics._joint_loads(width, panels, [(head - o, f) for o, f in axles])
        system = anastruct.SystemElements(EA=1e6)
        for a, b in segments:
            system.add_truss_element([list(a), list(b)])
        for x in (0.0, width):
            system.add_support_hinged(system.find_node_id([x, 0.0]))
        for i, load in enumerate(loads[1:-1], 1):
            node = system.find_node_id([i * width / panels, 0.0])
            system.point_load(node, Fy=-load)
        system.solve()
        for i in range(len(segments)):
            envelope[i] = max(envelope[i], abs(system.get_element_results(i + 1)["Nmax"]))
    forces = warren_forces(width, panels, depth, [3.0])
    ours = [*forces.deck, *forces.chord, *forces.diagonals]
    # Ours sweeps four times as finely, so it is never below and hardly above.
    for mine, theirs in zip(ours, envelope, strict=True):
        assert theirs - 1e-3 <= mine <= theirs * 1.25 + 40.0


def test_heavier_and_more_vehicles_never_lower_a_force():
    light, heavy = warren_forces(12.0, 6, 1.5, [3.0]), warren_forces(12.0, 6, 1.5, [6.0])
    more = warren_forces(12.0, 6, 1.5, [3.0, 3.0])
    for larger in (heavy, more):
        pairs = itertools.chain(
            zip(light.chord, larger.chord, strict=True),
            zip(light.diagonals, larger.diagonals, strict=True),
        )
        assert all(b >= a for a, b in pairs)
