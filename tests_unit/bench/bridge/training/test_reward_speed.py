"""rewards_many on 512 answers: equal to single calls, and quicker where there are two cores.

The machine may be busy with other work. So the target, 120 a second on two cores, is held to in
processor time, which other work hardly changes; the clock's floor is generous; and that two cores
are quicker than one is demanded of the clock only where nothing else runs. That they can be used
at all shows on any machine: Python goes on while the kernel computes.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bench.bridge.cli.speed import REWARD_ANSWERS, reward_set, truss
from bench.bridge.physics.engine import run_model
from bench.bridge.physics.model import build_model
from bench.bridge.physics.params import SimParams
from bench.bridge.training.reward import Reward, reward, rewards_many

CHUNK = 128
TARGET_PER_CORE_S = 60.0
SLOWEST_PER_S = 30.0


@dataclass(frozen=True)
class Timed:
    rewards: list[Reward]
    wall_s: float
    processor_s: float


def timed(call: Callable[[], list[Reward]]) -> Timed:
    wall, processor = time.perf_counter(), time.process_time()
    rewards = call()
    return Timed(rewards, time.perf_counter() - wall, time.process_time() - processor)


@pytest.mark.slow
def test_512_rewards_in_bulk_equal_single_calls_and_are_quick() -> None:
    idle = (os.cpu_count() or 1) >= 2 and os.getloadavg()[0] < 0.5
    answers, levels = reward_set(REWARD_ANSWERS)
    rewards_many(answers[:48], levels[:48], "loose")  # compiles, fills caches
    bulk, single = [], []
    # By turns, so that what else the machine does slows both alike.
    for start in range(0, REWARD_ANSWERS, CHUNK):
        texts, scenes = answers[start : start + CHUNK], levels[start : start + CHUNK]
        bulk.append(timed(lambda t=texts, s=scenes: rewards_many(t, s, "loose")))
        single.append(
            timed(lambda t=texts, s=scenes: [reward(*p, "loose") for p in zip(t, s, strict=True)])
        )
    assert [b.rewards for b in bulk] == [s.rewards for s in single]
    everything = [r for b in bulk for r in b.rewards]
    assert len(everything) == REWARD_ANSWERS
    assert sum(r.function == 1.0 for r in everything) > REWARD_ANSWERS / 4, "bridges are driven on"
    assert sum(r.function < 1.0 for r in everything) > REWARD_ANSWERS / 4, "and fall"

    assert CHUNK / min(b.processor_s for b in bulk) >= TARGET_PER_CORE_S
    assert CHUNK / min(b.wall_s for b in bulk) >= SLOWEST_PER_S
    assert sum(b.processor_s for b in bulk) <= 1.5 * sum(s.processor_s for s in single)
    if idle:
        gains = [one.wall_s / many.wall_s for many, one in zip(bulk, single, strict=True)]
        assert max(gains) >= 1.3, "a second core helps"


@pytest.mark.slow
def test_python_goes_on_while_the_kernel_computes() -> None:
    """The other thread counts during one call of the kernel alone, not only around it."""
    level, design = truss(20.0, 100, (3.0, 3.0))
    params = SimParams(window_s=60.0, stop_early=False, breaking=False)
    model, counts = build_model(level, design, params), [0]
    run_model(model, SimParams(window_s=0.025))
    done = threading.Event()

    def count() -> None:
        while not done.wait(0.001):
            counts[0] += 1

    other = threading.Thread(target=count)
    other.start()
    begin = time.process_time()
    run_model(model, params)
    done.set()
    spent = time.process_time() - begin
    other.join()
    assert spent > 0.2, "long enough to count in"
    assert counts[0] >= 20
