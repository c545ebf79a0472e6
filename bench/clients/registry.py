"""A model's name under `--model` -> the client that answers for it."""

from __future__ import annotations

from collections.abc import Mapping

from bench.clients.base import Client
from bench.domain import Domain, get_domain
from bench.errors import ModelError
from bench.task import Json


def make_client(
    model: str, options: Mapping[str, Json] | None = None, domain: Domain | None = None
) -> Client:
    """Make the client of a model name.

    `scripted:PATH` answers from a file, `baseline` or `baseline:NAME` designs by itself, and any
    other name is a model behind an OpenAI-compatible endpoint, with `options` for its profile.
    Baselines are those of `domain` (default: the default one).
    Raises ModelError for an unknown baseline, a broken script or a wrong profile.
    """
    # Imports here: choosing one client must not load what the others need.
    kind, colon, rest = model.partition(":")
    if kind == "scripted" and colon:
        from bench.clients.scripted import ScriptedClient

        if not rest:
            raise ModelError("--model scripted: needs a path, as in scripted:replies.json")
        return ScriptedClient(rest)
    if kind == "baseline":
        from bench.clients.baseline import BaselineClient

        domain = domain or get_domain()
        name = rest if colon else domain.default_baseline
        return BaselineClient(name, domain.baseline(name))
    if not model.strip():
        raise ModelError("--model is empty; use a model's name, baseline, or scripted:PATH")
    from bench.clients.openai_api import make_openai_client

    return make_openai_client(model, options or {})
