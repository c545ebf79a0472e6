"""A model's name under `--model` -> the client that answers for it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from bench.clients.base import Client
from bench.clients.baseline import BaselineClient, Designer
from bench.clients.options import ClientOptions, client_options
from bench.errors import ModelError

# Imports on use, below: choosing one client must not load what the others need.


class Baselines(Protocol):
    """Who designs without a model: the part of `bench.domain.Domain` that the registry needs."""

    @property
    def default_baseline(self) -> str:
        """What `--model baseline` means."""

    def baseline(self, name: str) -> Designer:
        """A designer. Raises ModelError for an unknown name."""


Maker = Callable[[str, "str | None", ClientOptions, "Baselines | None"], Client]
"""Makes a client of the whole name, what follows its colon, the options and the baselines."""


def _scripted(
    model: str, rest: str | None, options: ClientOptions, baseline: Baselines | None
) -> Client:
    from bench.clients.scripted import ScriptedClient

    if not rest:
        raise ModelError("--model scripted: needs a path, as in scripted:replies.json")
    return ScriptedClient(Path(rest))


def _baseline(
    model: str, rest: str | None, options: ClientOptions, baseline: Baselines | None
) -> Client:
    if baseline is None:
        from bench.domain import DEFAULT_DOMAIN, get_domain

        baseline = get_domain(options.domain or DEFAULT_DOMAIN)
    name = baseline.default_baseline if rest is None else rest
    return BaselineClient(name, baseline.baseline(name))


def _served(
    model: str, rest: str | None, options: ClientOptions, baseline: Baselines | None
) -> Client:
    from bench.clients.openai_api import make_openai_client

    return make_openai_client(model, options)


KINDS: Mapping[str, Maker] = {"scripted": _scripted, "baseline": _baseline}
"""First word of a name -> its maker. Every other name is a model behind an endpoint."""

SERVED: Maker = _served


def make_client(
    model: str,
    options: ClientOptions | Mapping[str, Any] | None = None,
    *,
    baseline: Baselines | None = None,
) -> Client:
    """Make the client of a model name.

    `scripted:PATH` answers from a file, `baseline` or `baseline:NAME` is a designer of `baseline`
    (None: of the options' domain), and any other name is a model behind an OpenAI-compatible
    endpoint, with `options` for its profile. Raises ModelError for an unknown baseline, a broken
    script or a wrong profile.
    """
    chosen = client_options(options or {})
    kind, colon, rest = model.partition(":")
    if kind in KINDS and (colon or kind == "baseline"):
        return KINDS[kind](model, rest if colon else None, chosen, baseline)
    if not model.strip():
        raise ModelError("--model is empty; use a model's name, baseline, or scripted:PATH")
    _refuse_a_slip(model, kind, colon, chosen)
    return SERVED(model, rest if colon else None, chosen, baseline)


def _refuse_a_slip(model: str, kind: str, colon: str, options: ClientOptions) -> None:
    """Refuse `basline`, which would be sent to a provider as a model's name."""
    if options.base_url is not None or options.models_file is not None:
        return  # somebody serves it under this name
    words = [*(f"{name}:" for name in KINDS), "baseline"]
    close = difflib.get_close_matches(f"{kind}{colon}", words, n=1, cutoff=0.75)
    if close:
        rest = model.partition(":")[2]
        raise ModelError(
            f"--model {model!r} is unknown; did you mean {close[0]}{rest}? (a model of that name "
            "needs --base-url, or a table in --models-file)"
        )
