"""rewards_many on 512 answers: equal to single calls; Python goes on while the kernel computes.

How quick it is, `python -m bench speed --rewards` tells.
"""

from __future__ import annotations

import threading

import pytest

from bench.bridge.cli.speed import REWARD_ANSWERS, reward_set, truss
from bench.bridge.physics.engine import run_model
from bench.bridge.physics.model import build_model
from bench.bridge.physics.params import SimParams
from bench.bridge.training.reward import reward, rewards_many


@pytest.mark.slow
def test_512_rewards_in_bulk_equal_single_calls() -> None:
    answers, levels = reward_set(REWARD_ANSWERS)
    bulk = rewards_many(answers, levels, "loose")
    assert bulk == [reward(*pair, "loose") for pair in zip(answers, levels, strict=True)]
    assert len(bulk) == REWARD_ANSWERS
    assert sum(r.function == 1.0 for r in bulk) > REWARD_ANSWERS / 4, "bridges are driven on"
    assert sum(r.function < 1.0 for r in bulk) > REWARD_ANSWERS / 4, "and fall"


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
    run_model(model, params)
    done.set()
    other.join()
    assert counts[0] >= 20
