"""The hashes that say whether two sessions ran on the same benchmark."""

from __future__ import annotations

import hashlib
from pathlib import Path

from bench.bridge.hashes import BENCHMARK_PARTS, ROOT, SOURCES, hash_files, hashes


def test_a_hash_is_over_names_and_contents_in_name_order(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_bytes(b"two\r\n")
    (tmp_path / "a.py").write_bytes(b"one\n")
    expected = hashlib.sha256(b"a.py\n4\none\nb.py\n4\ntwo\n").hexdigest()
    assert hash_files(tmp_path, [tmp_path / "b.py", tmp_path / "a.py"]) == expected


def test_caches_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"x")
    assert hash_files(tmp_path, tmp_path.rglob("*")) == hashlib.sha256().hexdigest()


def test_every_pattern_finds_files_and_every_part_has_its_own_hash() -> None:
    empty = [p for patterns in SOURCES.values() for p in patterns if not any(ROOT.glob(p))]
    assert empty == []
    found = hashes()
    assert list(found) == ["benchmark", "levels", "budgets", *SOURCES]
    assert len(set(found.values())) == len(found)


def test_the_benchmarks_hash_is_made_of_its_parts() -> None:
    found = hashes()
    text = "".join(f"{part}={found[part]}\n" for part in BENCHMARK_PARTS)
    assert found["benchmark"] == hashlib.sha256(text.encode()).hexdigest()


def test_another_level_moves_the_hash_of_levels_and_no_other_part(tmp_path: Path) -> None:
    (tmp_path / "X").mkdir()
    (tmp_path / "X" / "x.json").write_text("{}")
    there, here = hashes(tmp_path), hashes()
    moved = {part for part in here if here[part] != there[part]}
    assert moved == {"benchmark", "levels", "budgets"}  # no budgets.json there either
