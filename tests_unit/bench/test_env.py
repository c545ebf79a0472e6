"""The Gymnasium environment plays the benchmark's own episodes."""

import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bench.bridge.baselines.registry import BASELINES
from bench.bridge.level.files import load_level
from bench.bridge.level.split import split_levels
from bench.bridge.training.reward import reward
from bench.env import BenchEnv, env_id, register
from bench.errors import InputError, LevelError

LEVEL = "T1B_Basic_6m"


def test_gymnasiums_checker_passes():
    assert register() == register()
    made = gymnasium.make(env_id(), levels=[LEVEL])
    assert isinstance(made.unwrapped, BenchEnv)
    check_env(made.unwrapped)


def test_rendering_shows_the_editor():
    env = BenchEnv([LEVEL], render_mode="rgb_array")
    env.reset(seed=1)
    image = env.render()
    assert image.shape == (800, 1280, 3)
    assert image.dtype == np.uint8
    assert BenchEnv([LEVEL]).render() is None


def test_an_episode_of_three_calls_ends_after_the_third():
    env = BenchEnv()
    observation, info = env.reset(seed=3, options={"level": LEVEL})
    assert (observation["call"], info["level"]) == (1, LEVEL)
    assert "Design the bridge" in observation["text"]
    observation, value, over, cut, info = env.step("no JSON")
    assert (value, over, cut) == (0.0, False, False)
    assert (info["outcome"], info["codes"]) == ("invalid", ["PARSE_ERROR"])
    plank = BASELINES["plank"](info["data"])
    observation, value, over, cut, info = env.step(plank)
    assert (observation["call"], over, info["outcome"]) == (3, False, "failure_or_timeout")
    assert value == reward(plank, load_level(LEVEL).level).total
    assert "PARSE_ERROR" in observation["text"]
    observation, value, over, cut, info = env.step("{}")
    assert (over, cut) == (True, False)
    assert env.observation_space.contains(observation)
    with pytest.raises(InputError, match="call reset first"):
        env.step("{}")


def test_a_success_ends_the_episode_with_its_reward():
    env = BenchEnv(rewards="success", budget="loose")
    _, info = env.reset(options={"level": LEVEL})
    _, value, over, _, info = env.step(BASELINES["engineer"](info["data"]))
    assert (value, over, info["outcome"]) == (1.0, True, "success")
    assert info["reward"]["function"] == 1.0


def test_the_seed_decides_on_the_level():
    env = BenchEnv(split_levels("train"))
    drawn = [env.reset(seed=s)[1]["level"] for s in (1, 2, 3, 4, 5)]
    assert drawn == [env.reset(seed=s)[1]["level"] for s in (1, 2, 3, 4, 5)]
    assert len(set(drawn)) > 2
    assert set(drawn) <= set(split_levels("train"))


def test_characters_beyond_ascii_come_back_escaped():
    env = BenchEnv([LEVEL])
    env.reset(seed=1)
    observation, *_ = env.step("Brücke ✓")
    assert env.observation_space.contains(observation)
    assert "Br\\xfccke \\u2713" in observation["text"]


def test_anonymous_levels_show_no_name():
    env = BenchEnv([LEVEL], anonymous=True)
    observation, info = env.reset(seed=1)
    assert "T1B" not in observation["text"]
    assert info["level"] == LEVEL


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: BenchEnv(["T1B"]), InputError, "level 'T1B' is unknown"),
        (lambda: BenchEnv([]), InputError, "levels is empty"),
        (lambda: BenchEnv(budget="cheap"), InputError, "cheap"),
        (lambda: BenchEnv(calls=0), InputError, "--calls 0"),
        (lambda: BenchEnv(rewards="much"), InputError, "rewards='much'"),
        (lambda: BenchEnv(render_mode="human"), InputError, "render_mode='human'"),
        (lambda: BenchEnv().step("{}"), InputError, "call reset first"),
        (lambda: BenchEnv().reset(options={"x": 1}), InputError, "option 'x'"),
        (lambda: BenchEnv().reset(options={"level": "T1B_Basic_5m"}), LevelError, "T1B_Basic_5m"),
    ],
)
def test_mistakes_are_named(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


def test_without_gymnasium_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "bench.env")
    with pytest.raises(ImportError, match=r"polybridgebench\[rl\]"):
        __import__("bench.env")
