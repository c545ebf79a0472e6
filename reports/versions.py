"""Names of older records: while there was one domain, amounts were in its unit and said so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.domain import DEFAULT_DOMAIN

Json = Any
FIRST_UNIT = "usd"
"""What amounts were counted in then: `limit_usd` is now `limit`, with the unit beside it."""


def renewed(value: Mapping[str, Json]) -> dict[str, Json]:
    """An object of an older record with today's names; one of today as it is."""
    return {key.removesuffix(f"_{FIRST_UNIT}"): item for key, item in value.items()}


def renewed_facts(facts: Mapping[str, Json]) -> dict[str, Json]:
    """A level's facts with today's names, and the unit that older ones had in them."""
    found = renewed(facts)
    return found if found.keys() == facts.keys() else {"unit": FIRST_UNIT, **found}


def domain_name(configuration: Mapping[str, Json]) -> str:
    """The domain of a session's configuration; one of before there were several names none."""
    return str(configuration.get("domain") or DEFAULT_DOMAIN)
