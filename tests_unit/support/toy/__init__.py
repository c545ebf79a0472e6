"""A second domain, made up: put numbers in order. It proves that the generic half knows no bridge.

Loaded into a run with `-p tests_unit.support.toy`, or registered with `register()`.
"""

from __future__ import annotations

from bench.domain import DOMAINS

NAME = "sorting"


def register() -> None:
    """The one line that a domain has outside its own folders."""
    DOMAINS[NAME] = "tests_unit.support.toy.domain:DOMAIN"


def pytest_addoption() -> None:
    """Register it where this is loaded as a plugin, before any option is read."""
    register()
