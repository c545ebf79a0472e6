"""What a resumed run may change of its client, and what it may not."""

from __future__ import annotations

from typing import Any

import pytest

from bench.clients.frozen import FREE, free_part, frozen_part
from bench.clients.openai_api import make_openai_client
from bench.clients.options import ClientOptions
from bench.clients.profiles import Profile

URL = "http://127.0.0.1:9/v1"


def description(*args: str, **options: Any) -> dict[str, Any]:
    chosen = ClientOptions(**{"base_url": URL, "model_args": args, "env_file": None, **options})
    return dict(make_openai_client("m", chosen).describe())


# Every field of a profile with another value than the default's.
OTHER = {
    "model": "model=n",
    "base_url": "base_url=http://127.0.0.1:9/v2",
    "api_key_env": "api_key_env=OTHER",
    "temperature": "temperature=1",
    "reasoning": "reasoning.effort=low",
    "body": "body.seed=1",
    "output_limit_field": "output_limit_field=max_completion_tokens",
    "max_output_tokens": "max_output_tokens=9",
    "connect_timeout_s": "connect_timeout_s=1",
    "read_timeout_s": "read_timeout_s=1",
    "write_timeout_s": "write_timeout_s=1",
    "pool_timeout_s": "pool_timeout_s=1",
    "deadline_s": "deadline_s=1",
    "attempts": "attempts=1",
    "backoff_min_s": "backoff_min_s=1",
    "backoff_max_s": "backoff_max_s=99",
    "vision": "vision=false",
    "image_detail": "image_detail=low",
    "image_order": "image_order=images_last",
    "assumed_output_tokens": "assumed_output_tokens=9",
    "price_input_usd": "price_input_usd=1",
    "price_output_usd": "price_output_usd=1",
    "price_date": "price_date=2026-11-30",
}
PRICES = ("price_input_usd=2", "price_output_usd=2", "price_date=2026-11-29")

ANSWERS = {
    *("model", "base_url", "temperature", "reasoning", "body", "max_output_tokens"),
    *("vision", "image_detail", "image_order"),
}
"""What can change an answer: the request, where it goes, and how much of a reply comes back."""


def test_every_field_of_a_profile_is_judged() -> None:
    assert set(OTHER) == set(Profile.model_fields)


@pytest.mark.parametrize("field", OTHER)
def test_only_what_changes_an_answer_is_frozen(field: str) -> None:
    args = PRICES if field.startswith("price") else ()
    before, after = description(*args), description(*args, OTHER[field])
    assert before != after
    changed = frozen_part(before) != frozen_part(after)
    assert changed is (field in ANSWERS)
    assert (free_part(before) != free_part(after)) or changed


def test_name_of_the_limit_is_frozen_once_a_limit_is_sent() -> None:
    limit = "max_output_tokens=9"
    before = description(limit)
    after = description(limit, "output_limit_field=max_completion_tokens")
    assert frozen_part(before) != frozen_part(after)


def test_the_two_parts_are_the_whole() -> None:
    whole = description(*PRICES)
    frozen, free = frozen_part(whole), free_part(whole)
    assert {**frozen, **free, "profile": {**frozen["profile"], **free["profile"]}} == whole
    assert set(frozen["profile"]) & set(free["profile"]) == set()
    assert {name.removeprefix("profile.") for name in FREE} <= {"sdk", *Profile.model_fields}


def test_client_without_free_settings_is_frozen_whole() -> None:
    plain = {"client": "scripted", "model": "scripted:a.json", "replies": {"L": 2}}
    assert frozen_part(plain) == plain
    assert free_part(plain) == {}
