"""What a user may say about the model client, free of any command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from bench.errors import ModelError


def _quiet(line: str) -> None:
    """Show nothing."""


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """The options of one run that concern how a model is asked.

    `base_url` is `--base-url`; `models_file` is `--models-file`; `model_args` are the
    `--model-arg key=value` texts in the order given; `no_images` is `--no-images`;
    `session` is the folder of the session that the client works for, with its manifest: what
    was spent is rebuilt from its records, and nothing is sent once the manifest is gone.
    `limits_folder` is where the session's workers share their limits and book what they spend:
    `limits` within the session, where that is given (required once one of the three limits is
    set); `replay` is the session folder of `--replay`; `env_file` is the `.env` that is read
    beside the environment; `show` gets one line for every attempt that failed, as it happens.
    `domain` is whose baselines `baseline:NAME` means, None for the default one.
    """

    base_url: str | None = None
    models_file: Path | None = None
    model_args: tuple[str, ...] = ()
    no_images: bool = False
    max_concurrency: int | None = None
    requests_per_minute: int | None = None
    most_usd: float | None = None
    limits_folder: Path | None = None
    session: Path | None = None
    replay: Path | None = None
    env_file: Path | None = Path(".env")
    show: Callable[[str], None] = _quiet
    domain: str | None = None

    @property
    def shared_folder(self) -> Path | None:
        """Where workers share their limits, None where nothing is shared."""
        if self.limits_folder is None and self.session is not None:
            return self.session / "limits"
        return self.limits_folder


def client_options(options: ClientOptions | Mapping[str, Any]) -> ClientOptions:
    """The options, also from a mapping of their names. Raises ModelError for an unknown name."""
    if isinstance(options, ClientOptions):
        return options
    allowed = [field.name for field in fields(ClientOptions)]
    for name in options:
        if name not in allowed:
            raise ModelError(f"client option {name!r} is unknown; allowed: {', '.join(allowed)}")
    return ClientOptions(**options)
