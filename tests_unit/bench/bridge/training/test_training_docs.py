"""docs/training.md: its table is what the reward gives, its example runs."""

import re

import pytest

from bench.bridge.training.reward import reward
from tests_unit.bench.bridge.training.test_reward import DEGENERATE, LEVEL, plank, wood_truss
from tests_unit.support.paths import ROOT

DOC = ROOT / "docs" / "training.md"


def table() -> str:
    rows = [
        "| answer | parse | validity | cover | function | cost | total |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    found = [(name, reward(text, LEVEL)) for name, text in DEGENERATE.items()]
    found.append(("a truss that works", reward(wood_truss(), LEVEL, "loose")))
    for name, r in found:
        numbers = (r.parse, r.validity, r.details["cover"], r.function, r.cost, r.total)
        rows.append(f"| {name} | " + " | ".join(f"{n:.3f}" for n in numbers) + " |")
    return "\n".join(rows)


def test_the_table_of_degenerate_answers_is_true():
    (shown,) = re.findall(
        r"<!-- degenerate -->\n(.*)\n?<!-- /degenerate -->", DOC.read_text(), re.S
    )
    assert shown.strip() == table(), table()


def test_the_trainers_example_gives_one_float_a_completion():
    (code,) = re.findall(r"```python\n(from functools.*?)```", DOC.read_text(), re.S)
    names: dict = {}
    exec(code, names)
    completions = [plank(), [{"role": "assistant", "content": plank()}], "?"]
    got = names["bridge_reward"](["p"] * 3, completions, level=[LEVEL.name] * 3)
    assert got == pytest.approx([reward(plank(), LEVEL).total] * 2 + [0.0])


def test_the_environments_example_runs():
    (code,) = re.findall(r"```python\n(from bench.bridge.level.split.*?)```", DOC.read_text(), re.S)
    names: dict = {}
    exec(code, names)
    assert (names["value"], names["info"]["codes"]) == (0.0, ["PARSE_ERROR"])
