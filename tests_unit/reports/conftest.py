"""A second domain for whatever must not know the first, and a played session for verify."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench.domain import DOMAINS
from tests_unit.support.report_domains import TOY
from tests_unit.support.report_forgery import play


@pytest.fixture(autouse=True)
def toy_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy beside the real domains."""
    for name, place in TOY.items():
        monkeypatch.setitem(DOMAINS, name, place)


@pytest.fixture(scope="session")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("verify"))


@pytest.fixture
def session(clean: Path, tmp_path: Path) -> Path:
    """A copy in another folder, under another name."""
    return Path(shutil.copytree(clean, tmp_path / "moved"))
