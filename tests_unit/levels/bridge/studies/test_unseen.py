"""Unseen levels: the families' own builders, parameters of no level; the engineer can do them."""

import pytest

from bench.bridge.level.files import level_names
from bench.cli.ladder import Job, play_job
from levels.bridge.families import REGISTRY
from levels.bridge.studies.unseen import TWICE, main, unseen_registry


def test_there_are_some_of_all_families_and_no_level_is_among_them():
    names = [scene.name for _, scene, _ in unseen_registry().scenes()]
    families = [family.code for family in REGISTRY]
    assert len(names) == len(set(names)) == len(families) + -(-len(families) // TWICE)
    assert {name.split("_")[0] for name in names} == set(families)
    assert not set(names) & set(level_names())


@pytest.mark.slow
def test_the_engineer_wins_at_least_half_of_them_with_hidden_names(tmp_path):
    assert main([str(tmp_path)]) == 0
    names = tuple(level_names(tmp_path))
    episodes = play_job(Job("bridge", "engineer", "strict", names, tmp_path, True))
    assert sum(e.success_call is not None for e in episodes) >= 15
