"""Materials: known, and available on this level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bench.bridge.design.materials import MATERIALS, Material
from bench.bridge.rules.case import Case
from bench.bridge.rules.wording import listing
from bench.task import Violation


def unknown(case: Case) -> Iterator[Violation]:
    """An edge's type is not in the table."""
    for member in case.design.members:
        if member.type not in MATERIALS:
            yield Violation(
                "UNKNOWN_MATERIAL",
                f"edge {member.id} has type {member.type}, which is no material; this level "
                f"allows {_types(case.level.materials)}",
                (member.id,),
                {"type": member.type},
            )


def not_allowed(case: Case) -> Iterator[Violation]:
    """An edge's material is not available on this level."""
    for member in case.design.members:
        material = MATERIALS.get(member.type)
        if material is not None and material not in case.level.materials:
            yield Violation(
                "MATERIAL_NOT_ALLOWED",
                f"edge {member.id} has type {member.type} ({material.name}), which this level "
                f"does not allow; it allows {_types(case.level.materials)}",
                (member.id,),
                {"type": member.type},
            )


def _types(materials: Iterable[Material]) -> str:
    return listing([f"type {m.type} ({m.name})" for m in materials])
