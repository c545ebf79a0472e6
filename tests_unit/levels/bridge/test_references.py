"""Every level has a reference that is legal, within its strict limit, and wins clean."""

from __future__ import annotations

import json
import shutil
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.bridge.design.materials import LOOSE_LIMIT_USD
from bench.bridge.level.files import load_all
from bench.bridge.level.level import Level
from bench.bridge.physics.result import SimResult
from bench.bridge.rules import validate
from levels.bridge.budget_rule import strict_limit_usd
from levels.bridge.budgets import BUDGETS_PATH, read_budgets
from levels.bridge.calibrate import main as calibrate
from levels.bridge.calibrate import twins_named
from levels.bridge.catalogue import MOVED
from levels.bridge.families import REGISTRY
from levels.bridge.search.margins import HIGHEST_PEAK, MARGINS
from levels.bridge.search.store import (
    REFERENCES_ROOT,
    TWINS_ROOT,
    StoredReference,
    load,
    path_of,
    scene_digest,
)
from tests_unit.support.paths import SHARED

NAMES = [scene.name for _, scene, _ in REGISTRY.scenes()]

MISSES_A_MARGIN: Mapping[str, tuple[str, ...]] = {}
"""References that miss margins, by name, with the margins; docs/bridge/budgets.md says why."""


@dataclass(frozen=True)
class Replay:
    level: Level
    reference: StoredReference
    result: SimResult


@pytest.fixture(scope="module")
def replays() -> Mapping[str, Replay]:
    """All references, run once on all cores."""
    from bench.bridge.physics.engine import simulate_many

    levels = [file.level for file in load_all()]
    stored = [load(level.name) for level in levels]
    known = [(lv, ref) for lv, ref in zip(levels, stored, strict=True) if ref is not None]
    results = simulate_many([lv for lv, _ in known], [ref.design for _, ref in known])
    return {
        lv.name: Replay(lv, ref, result) for (lv, ref), result in zip(known, results, strict=True)
    }


@pytest.mark.parametrize("name", NAMES)
def test_reference_is_legal_within_budget_and_wins_clean(
    name: str, replays: Mapping[str, Replay]
) -> None:
    assert name in replays, "no reference; run `python -m levels calibrate`"
    replay = replays[name]
    assert replay.reference.scene == scene_digest(replay.level), "the level has moved since"
    assert validate(replay.level, replay.reference.design, replay.level.strict_limit_usd) == ()
    assert replay.result.success
    assert replay.result.clean
    assert float(replay.result.peak_utilisation.max()) <= HIGHEST_PEAK


@pytest.mark.parametrize("name", NAMES)
def test_reference_file_states_what_a_replay_gives(
    name: str, replays: Mapping[str, Replay]
) -> None:
    replay = replays[name]
    peak = float(replay.result.peak_utilisation.max())
    assert replay.reference.level == name
    assert replay.reference.cost_usd == replay.reference.design.cost_usd
    assert replay.reference.peak_utilisation == pytest.approx(peak, abs=5.1e-5)
    assert set(replay.reference.margins) == set(MARGINS)
    missed = tuple(m for m, v in replay.reference.margins.items() if not v.holds)
    assert missed == MISSES_A_MARGIN.get(name, ())


@pytest.mark.parametrize("margin", list(MARGINS))
def test_references_hold_every_margin(margin: str, replays: Mapping[str, Replay]) -> None:
    from bench.bridge.physics.engine import simulate_many

    levels = [replay.level for replay in replays.values()]
    designs = [replay.reference.design for replay in replays.values()]
    results = simulate_many(levels, designs, params=MARGINS[margin])
    lost = [
        level.name
        for level, result in zip(levels, results, strict=True)
        if not (result.success and result.clean)
        and margin not in MISSES_A_MARGIN.get(level.name, ())
    ]
    assert lost == []


def test_twins_are_legal_win_clean_and_state_what_a_replay_gives() -> None:
    """A stale twin would flatter the activity of its level's constraint."""
    from bench.bridge.physics.engine import simulate_many

    levels = {twin.name: twin for twin in twins_named(())}
    names = sorted(path.stem for path in TWINS_ROOT.glob("*.json"))
    stored = [twin for name in names if (twin := load(name, TWINS_ROOT))]
    results = simulate_many([levels[name] for name in names], [t.design for t in stored])
    for name, twin, result in zip(names, stored, results, strict=True):
        peak = float(result.peak_utilisation.max())
        assert twin.level == name
        assert twin.scene == scene_digest(levels[name]), f"{name}: the level has moved since"
        assert validate(levels[name], twin.design, LOOSE_LIMIT_USD) == (), name
        assert (result.success, result.clean) == (True, True), name
        assert peak <= HIGHEST_PEAK, name
        assert twin.cost_usd == twin.design.cost_usd, name
        assert twin.peak_utilisation == pytest.approx(peak, abs=5.1e-5), name
        assert twin.is_good, name


def test_remeasure_corrects_levels_and_twins_and_only_those_named(tmp_path: Path) -> None:
    level, other = "T2H_OffPlatform_7m_I4m_12m", "T2I_RockBelow_10m_R2m"
    golden = [
        path
        for name, twin in ((level, f"{level}__without_platform"), (other, f"{other}__without_rock"))
        for path in (path_of(name), path_of(twin, TWINS_ROOT))
    ]
    for path in golden:
        copy = tmp_path / path.parent.name / path.name
        copy.parent.mkdir(exist_ok=True)
        text = path.read_text(encoding="utf-8")
        copy.write_text(text.replace('"peak_utilisation": 0.', '"peak_utilisation": 1.'))
    command = [level, "--remeasure", "--budgets-only", "--root", str(tmp_path / "references")]
    assert calibrate(command) == 1  # the other levels have no reference in this folder
    for path in golden:
        same = (tmp_path / path.parent.name / path.name).read_bytes() == path.read_bytes()
        assert same is path.name.startswith(level), path.name


def test_budgets_follow_from_the_references_by_the_rule() -> None:
    budgets = read_budgets(NAMES)
    for name in NAMES:
        stored = load(name)
        assert stored is not None
        assert budgets[name].reference_cost_usd == stored.cost_usd
        assert budgets[name].strict_limit_usd == strict_limit_usd(stored.cost_usd)


def test_budgets_of_other_references_are_written_beside_them(tmp_path: Path) -> None:
    """Trying a search out must not change the benchmark's limits."""
    before = BUDGETS_PATH.read_bytes()
    shutil.copytree(REFERENCES_ROOT, tmp_path / "references")
    assert calibrate(["--budgets-only", "--root", str(tmp_path / "references")]) == 0
    assert (tmp_path / "budgets.json").read_bytes() == before
    first = tmp_path / "references" / "T1B_Basic_4m.json"
    first.write_text(first.read_text().replace('"cost_usd": ', '"cost_usd": 9'))
    assert calibrate(["--budgets-only", "--root", str(tmp_path / "references")]) == 0
    assert (tmp_path / "budgets.json").read_bytes() != before
    assert BUDGETS_PATH.read_bytes() == before


def test_references_are_answers_that_a_model_could_give() -> None:
    from bench.bridge.answer.parse import parse_answer

    stored = load(NAMES[0])
    assert stored is not None
    data = json.loads(path_of(NAMES[0]).read_text(encoding="utf-8"))
    candidate = parse_answer(json.dumps(data["design"]))
    assert candidate.violations == ()
    assert candidate.design == stored.design


def test_docs_state_the_numbers_of_the_references() -> None:
    from levels.bridge.search.report import PAGE, fill, numbers

    page = PAGE.read_text(encoding="utf-8")
    assert fill(page, "numbers", numbers()) == page, "run `python -m levels numbers`"


def test_reference_costs_stay_near_those_of_an_earlier_search() -> None:
    from levels.bridge.search.report import read_feasible

    path = SHARED / "levels" / "feasibility.json"
    if not path.exists():
        pytest.skip("../shared/levels/feasibility.json is not here")
    feasible = read_feasible(path)
    ratios = {name: ref.cost_usd / feasible[name] for name in NAMES if (ref := load(name))}
    unmoved = {name: ratio for name, ratio in ratios.items() if name not in MOVED}
    assert statistics.median(unmoved.values()) <= 1.10
    assert {name: ratio for name, ratio in unmoved.items() if ratio > 1.3} == {}
