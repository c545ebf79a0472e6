"""The split for training: whole families, every group on both sides."""

import json

import pytest

from bench.bridge.level.files import level_index, level_names, load_all
from bench.bridge.level.split import PARTS, split_families, split_levels
from bench.errors import LevelError


def root_with(tmp_path, **split):
    rows = [{"name": "A_1", "family": "A"}, {"name": "B_1", "family": "B"}]
    (tmp_path / "index.json").write_text(json.dumps({"levels": rows}))
    (tmp_path / "split.json").write_text(json.dumps(split))
    return tmp_path


def test_every_level_is_in_exactly_one_part_with_its_whole_family():
    names = {part: split_levels(part) for part in PARTS}
    assert sorted(names["train"] + names["test"]) == sorted(level_names())
    family = {e.name: e.family for e in level_index()}
    kinds = {part: {family[n] for n in names[part]} for part in PARTS}
    assert kinds["train"] & kinds["test"] == set()
    assert (len(names["train"]), len(names["test"])) == (137, 52)


def test_both_parts_hold_every_group():
    group = {f.name: f.metadata.group for f in load_all()}
    for part in PARTS:
        assert len({group[n] for n in split_levels(part)}) == 4


@pytest.mark.parametrize(
    ("split", "message"),
    [
        ({"train": ["A"], "test": ["B"]}, "KeyError: 'schema'"),
        ({"schema": "other", "train": ["A"], "test": ["B"]}, "schema is 'other'"),
        ({"train": ["A", "B"], "test": ["B"]}, "family B must be in exactly one part"),
        ({"train": ["A"], "test": []}, "family B must be in exactly one part"),
        ({"train": ["A"], "test": ["B", "C"]}, "family C must be in exactly one part"),
        ({"train": 3, "test": ["B"]}, "TypeError"),
    ],
)
def test_a_broken_split_is_named(tmp_path, split, message):
    if "KeyError" not in message:
        split = {"schema": "polybridgebench.split/1", **split}
    with pytest.raises(LevelError) as caught:
        split_families(root_with(tmp_path, **split))
    assert message in str(caught.value)


def test_a_good_split_is_read(tmp_path):
    split = {"schema": "polybridgebench.split/1", "train": ["B"], "test": ["A"]}
    root = root_with(tmp_path, **split)
    assert split_families(root) == {"train": ("B",), "test": ("A",)}
    assert split_levels("test", root) == ["A_1"]
