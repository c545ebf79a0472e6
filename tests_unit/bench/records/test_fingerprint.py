"""The hashes that say whether two sessions ran on the same benchmark."""

from __future__ import annotations

import ast
import hashlib
import shutil
from functools import cache
from pathlib import Path

import pytest

from bench.domain import domains, get_domain
from bench.records.fingerprint import BENCHMARK_PARTS, hash_files, hash_tree, hashes
from tests_unit.support.closure import closure, modules
from tests_unit.support.paths import ROOT

DECIDES_NOTHING = {
    "bench": "the version's name, which records carry",
    "bench.errors": "classes without behaviour",
    "bench.near": "suggestions in messages for people",
}
"""Modules of a closure that no part need hold, with the reason."""

SEVERAL = {
    "drivers": ("simulator", "pictures", "controller"),
    "controller": ("prompt", "validator", "simulator", "pictures", "drivers"),
}
"""Parts that stand on others: what these hold decides their numbers under its own hash."""


def test_a_hash_is_over_names_and_contents_in_name_order(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_bytes(b"two\r\n")
    (tmp_path / "a.py").write_bytes(b"one\n")
    expected = hashlib.sha256(b"a.py\n4\none\nb.py\n4\ntwo\n").hexdigest()
    assert hash_files(tmp_path, [tmp_path / "b.py", tmp_path / "a.py"]) == expected


def test_caches_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_bytes(b"x")
    assert hash_files(tmp_path, tmp_path.rglob("*")) == hashlib.sha256().hexdigest()


@pytest.mark.parametrize("domain", list(domains()), ids=lambda d: d.name)
def test_every_pattern_finds_files_and_every_part_has_its_own_hash(domain) -> None:
    patterns = [pattern for part in domain.parts.values() for pattern in part.files]
    assert [p for p in patterns if not any(ROOT.glob(p))] == []
    found = hashes(domain)
    assert list(found) == ["benchmark", "levels", "budgets", *domain.parts]
    assert len(set(found.values())) == len(found)


def test_the_benchmarks_hash_is_made_of_its_parts() -> None:
    found = hashes(get_domain())
    text = "".join(f"{part}={found[part]}\n" for part in BENCHMARK_PARTS)
    assert found["benchmark"] == hashlib.sha256(text.encode()).hexdigest()


def test_another_level_moves_the_hash_of_levels_and_no_other_part(tmp_path: Path) -> None:
    (tmp_path / "data" / "X").mkdir(parents=True)
    (tmp_path / "data" / "X" / "x.json").write_text("{}")
    there, here = hashes(get_domain(), tmp_path), hashes(get_domain())
    moved = {part for part in here if here[part] != there[part]}
    assert moved == {"benchmark", "levels", "budgets"}  # no budgets.json there either


@cache
def files_of(domain: str, part: str) -> frozenset[Path]:
    patterns = get_domain(domain).parts[part].files
    return frozenset(path for pattern in patterns for path in ROOT.glob(pattern))


def says_something(module: str) -> bool:
    """Whether a module is more than a docstring."""
    return len(ast.parse(modules()[module].read_text(encoding="utf-8")).body) > 1


PARTS = [(domain.name, part) for domain in domains() for part in domain.parts]


@pytest.mark.parametrize(("domain", "part"), PARTS)
def test_no_module_decides_a_part_unseen(domain: str, part: str) -> None:
    held = files_of(domain, part).union(
        *(files_of(domain, other) for other in SEVERAL.get(part, ()))
    )
    deciding = closure(get_domain(domain).parts[part].entries) - DECIDES_NOTHING.keys()
    assert sorted(m for m in deciding if modules()[m] not in held and says_something(m)) == []


def test_every_exception_is_needed() -> None:
    reached = closure(e for d in domains() for part in d.parts.values() for e in part.entries)
    assert DECIDES_NOTHING.keys() <= reached


def changed(text: str) -> str:
    """The source with its first number one higher, or with a line more where it has none."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            lines = text.splitlines(keepends=True)
            line = lines[node.lineno - 1].encode()
            begin, end = node.col_offset, node.end_col_offset or 0
            number = repr(node.value + 1).encode()
            lines[node.lineno - 1] = (line[:begin] + number + line[end:]).decode()
            return "".join(lines)
    return text + "MUTANT = 1\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copy")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bench", root / "bench", ignore=ignore)
    return root


@pytest.mark.parametrize(("domain", "part"), PARTS)
def test_a_change_in_any_module_of_its_closure_moves_a_parts_hash(
    domain: str, part: str, copy: Path
) -> None:
    files = get_domain(domain).parts[part].files
    own = [m for m in closure(get_domain(domain).parts[part].entries)]
    own = [m for m in own if modules()[m] in files_of(domain, part)]
    before = hash_tree(copy, files)
    unmoved = []
    for module in own:
        path = copy / modules()[module].relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        path.write_text(changed(text), encoding="utf-8")
        if hash_tree(copy, files) == before:
            unmoved.append(module)
        path.write_text(text, encoding="utf-8")
    assert own
    assert unmoved == []


@pytest.mark.parametrize(
    ("file", "was", "now", "moved"),
    [
        ("level/context.py", "whole(limit_usd)", "whole(2 * limit_usd)", ("prompt",)),
        ("level/budget.py", "strict_limit_usd * factor", "strict_limit_usd * 3", ("validator",)),
        ("level/level.py", "- 1.7", "- 1.9", ("simulator", "pictures")),
        ("rules/wording.py", "SHOWN_PER_CODE = 20", "SHOWN_PER_CODE = 1", ("validator",)),
    ],
    ids=["budget shown", "limit", "water line", "message lists"],
)
def test_what_once_changed_a_number_unseen_moves_a_hash(
    file: str, was: str, now: str, moved: tuple[str, ...], copy: Path
) -> None:
    path = copy / "bench" / "bridge" / file
    text = path.read_text(encoding="utf-8")
    assert was in text
    before = hashes(get_domain(), checkout=copy)
    path.write_text(text.replace(was, now), encoding="utf-8")
    after = hashes(get_domain(), checkout=copy)
    path.write_text(text, encoding="utf-8")
    assert {*moved, *({"benchmark"} if set(moved) & set(BENCHMARK_PARTS) else ())} <= {
        part for part in after if after[part] != before[part]
    }
