"""Measure rollouts a second beside other engines, and how time grows with members.

The witnesses need `pip install ".[witness]"`. Every engine runs the same bridges at the largest
step at which its forces at rest are within 0.2% of the equilibrium's.

example: python -m bench speed
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sized
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from bench.bridge.design.design import Design, Member, Node
from bench.bridge.level.level import Anchor, Level
from bench.errors import InputError

WINDOW_S = 12.0
GROWTH_PANELS = (3, 6, 12, 25, 50, 100)
REWARD_ANSWERS, REWARD_LEVELS = 512, 8
PYMUNK_STEP_S = 0.0005
BOX2D_STEP_S = 0.001

Scene = tuple[Level, Design]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("--repeat", type=int, default=20, metavar="N", help="runs (default 20)")
    parser.add_argument("--batch", type=int, default=256, metavar="N", help="batch size")
    parser.add_argument("--no-witness", action="store_true", help="leave the other engines out")
    parser.add_argument(
        "--rewards", action="store_true", help=f"only rewards_many, on {REWARD_ANSWERS} answers"
    )
    parser.add_argument(
        "--bars", action="store_true", help="only single steps beside what they may take"
    )


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    if args.repeat < 1 or args.batch < 2:
        raise InputError("--repeat needs 1 or more, --batch 2 or more")
    from bench.bridge.physics.engine import simulate, simulate_many, warm_up
    from bench.bridge.physics.params import SimParams

    if args.bars:
        from bench.bridge.cli.speed_bars import bars

        found = list(bars())
        print(
            "\n".join(["least of 5 runs, processor time of one core", *(b.line() for b in found)])
        )
        return 0 if all(bar.held for bar in found) else 1
    if args.rewards:
        warm_up()
        _rewards()
        return 0
    start = time.perf_counter()
    warm_up()
    print(f"kernel ready after {time.perf_counter() - start:.1f} s (compiled once per machine)\n")
    level, design = truss(14.0, 10, (3.0, 3.0))
    full = SimParams(stop_early=False)
    single = _best(lambda: simulate(level, design, params=full), args.repeat)
    print(f"{len(design.members)} members, {WINDOW_S:g} s window, 2 vehicles, one core")
    _row("kernel, whole window", single)
    early = _best(lambda: simulate(level, design), args.repeat)
    _row("kernel, stops when decided", early)
    scenes = [truss(s, p, v) for s, p, v in _mixed(args.batch)]
    begin = time.perf_counter()
    simulate_many([s[0] for s in scenes], [s[1] for s in scenes])
    _row(f"batch of {args.batch} mixed designs", (time.perf_counter() - begin) / args.batch)
    _row("two processes", _two_processes(args.batch))
    if not args.no_witness:
        _witnesses(level, design, single)
    _growth(args.repeat)
    return 0


def truss(span_m: float, panels: int, vehicles: tuple[float, ...], depth_m: float = 1.5) -> Scene:
    """A level of two flat banks with a steel Warren deck truss of 4 x panels - 1 members."""
    step = span_m / panels
    nodes = [Node(i + 1, i * step, 0.0, i in (0, panels)) for i in range(panels + 1)]
    nodes += [Node(1000 + i, (i + 0.5) * step, -depth_m) for i in range(panels)]
    ends = [(1, i + 1, i + 2) for i in range(panels)]
    ends += [(3, 1000 + i, i + 1 + k) for i in range(panels) for k in (0, 1)]
    ends += [(3, 1000 + i, 1001 + i) for i in range(panels - 1)]
    members = tuple(Member(5000 + k, t, a, b) for k, (t, a, b) in enumerate(ends))
    anchors = (Anchor(1, 0.0, 0.0), Anchor(panels + 1, span_m, 0.0))
    level = Level("speed", span_m, 0.0, "full", anchors, (), (), vehicles, 0.0, span_m, (), 0)
    return level, Design(tuple(nodes), members)


def _mixed(count: int) -> list[tuple[float, int, tuple[float, ...]]]:
    """Spans of 8 to 18 m, one to three vehicles."""
    return [(8.0 + i % 11, 5 + i % 11 // 2, (3.0,) * (1 + i % 3)) for i in range(count)]


def _best(call: Callable[[], object], repeat: int) -> float:
    """Least seconds of several calls."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def _row(name: str, seconds: float, note: str = "") -> None:
    speed = f"{1e3 * seconds:9.2f} ms {1 / seconds:9.1f} /s {WINDOW_S / seconds:8.0f} x real time"
    print(f"  {name:<32}{speed}{note}")


def _share(count: int) -> None:
    """One process's part of the batch."""
    from bench.bridge.physics.engine import simulate

    for span, panels, vehicles in _mixed(count):
        simulate(*truss(span, panels, vehicles))


def _two_processes(count: int) -> float:
    """Seconds a rollout with two processes, start-up not counted."""
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(_share, [2, 2]))
        begin = time.perf_counter()
        list(pool.map(_share, [count // 2, count // 2]))
        return (time.perf_counter() - begin) / (count // 2 * 2)


def reward_set(count: int) -> tuple[list[str], list[Level]]:
    """Answers of all quick baselines in turn to levels from all over the catalogue, loose."""
    from bench.bridge.baselines.registry import BASELINES
    from bench.bridge.level.files import level_names, load_level
    from bench.bridge.task import text_task

    names, pairs = level_names(), []
    for name in names[:: len(names) // REWARD_LEVELS][:REWARD_LEVELS]:
        file = load_level(name)
        data = text_task(file.level, "loose").observe([]).data
        quick = [design for key, design in BASELINES.items() if key != "engineer"]
        pairs += [(design(data), file.level) for design in quick]
    chosen = [pairs[i % len(pairs)] for i in range(count)]
    return [text for text, _ in chosen], [level for _, level in chosen]


def _rewards() -> None:
    """Rewards a second, in bulk and one by one."""
    from bench.bridge.training.reward import reward, rewards_many

    answers, levels = reward_set(REWARD_ANSWERS)
    rewards_many(answers[:48], levels[:48], "loose")  # compiles, fills caches
    print(f"{REWARD_ANSWERS} answers of the baselines on {REWARD_LEVELS} levels, loose")
    _rate("rewards_many", lambda: rewards_many(answers, levels, "loose"))
    pairs = list(zip(answers, levels, strict=True))
    _rate("single calls", lambda: [reward(text, level, "loose") for text, level in pairs])


def _rate(name: str, call: Callable[[], Sized]) -> None:
    """One row: what a call gives a second, by the clock and by processor time."""
    wall, processor = time.perf_counter(), time.process_time()
    count = len(call())
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(
        f"  {name:<16}{count / wall:7.0f} /s"
        f"{count / processor:7.0f} for each second of processor time"
    )


def _witnesses(level: Level, design: Design, kernel_s: float) -> None:
    """The same bridge in pyb2d3 and pymunk."""
    try:
        from bench.bridge.physics.witness.box2d_springs import Box2DBridge
        from bench.bridge.physics.witness.pymunk_springs import PymunkBridge
    except ImportError as error:
        raise InputError(
            f'{error}; install the witnesses with pip install ".[witness]", or use --no-witness'
        ) from error
    print("\nother engines, springs, 0.2% force error at rest (simulated seconds until decided)")
    for name, kind, step in (
        ("Box2D v3 (pyb2d3)", Box2DBridge, BOX2D_STEP_S),
        ("Chipmunk (pymunk)", PymunkBridge, PYMUNK_STEP_S),
    ):
        bridge = kind(level, design, step)
        begin = time.perf_counter()
        result = bridge.run(WINDOW_S)
        seconds = (time.perf_counter() - begin) * WINDOW_S / result.end_s
        _row(f"{name}, {1e3 * step:g} ms", seconds, f"   kernel {seconds / kernel_s:.0f} x faster")


def _growth(repeat: int) -> None:
    """Time by number of members, with the exponent of a least-squares line in logarithms."""
    from bench.bridge.physics.engine import simulate
    from bench.bridge.physics.params import SimParams

    params = SimParams(stop_early=False, breaking=False)
    points = []
    print("\ngrowth with members, whole window, 2 vehicles")
    for panels in GROWTH_PANELS:
        level, design = truss(min(2.0, 24.0 / panels) * panels, panels, (3.0, 3.0), 1.0)
        seconds = _best(partial(simulate, level, design, params=params), max(3, repeat // 4))
        points.append((math.log(len(design.members)), math.log(seconds)))
        _row(f"{len(design.members)} members", seconds)
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum(
        (x - mean_x) ** 2 for x, _ in points
    )
    print(f"  time grows with members to the power {slope:.2f}")
