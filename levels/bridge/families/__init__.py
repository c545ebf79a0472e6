"""All level families, one a file of this folder: a new file is a new family."""

from importlib import import_module
from pkgutil import iter_modules

from levels.bridge.registry import GROUPS, Family, Registry


def _place(family: Family) -> tuple[int, str]:
    """The catalogue's order: by group, then by code. The registry refuses an unknown group."""
    known = family.group in GROUPS
    return (GROUPS.index(family.group) if known else len(GROUPS), family.code)


REGISTRY = Registry(
    sorted(
        (import_module(f"{__name__}.{module.name}").FAMILY for module in iter_modules(__path__)),
        key=_place,
    )
)
"""Every family; the contract tests cover a new one from the moment its file is there."""
