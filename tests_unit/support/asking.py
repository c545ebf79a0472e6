"""Observations and clients for the tests of bench.clients."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PIL import Image

from bench.clients.base import Reply, Request
from bench.clients.openai_api import Clock, make_openai_client
from bench.clients.options import ClientOptions
from bench.episode import EpisodeResult, run_episode
from bench.records import EpisodeFolder
from bench.task import ImagePart, Message, Observation, Picture, TextPart
from tests_unit.support.fakes import FakeTask

PRICES = ("price_input_usd=10", "price_output_usd=100", "price_date=2026-11-30")
PATIENT = ("connect_timeout_s=30", "read_timeout_s=30", "deadline_s=60", "attempts=3")
"""Long enough for any machine: only a test of slowness asks with less."""


def png(width: int = 2, height: int = 1, grey: int = 0) -> bytes:
    """A small grey picture."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (grey, grey, grey)).save(out, "PNG")
    return out.getvalue()


def observation(text: str = "levelName: G1_Test", picture: bytes | None = None) -> Observation:
    """A system message, and a user message with a text, a picture and a text."""
    image = ImagePart(Picture("editor", png() if picture is None else picture))
    return Observation(
        {},
        (
            Message("system", (TextPart("Build a bridge."),)),
            Message("user", (TextPart(text), image, TextPart("Answer in JSON."))),
        ),
    )


def request(level: str = "G1_Test", call: int = 1, sample: int = 1, text: str = "") -> Request:
    """One logical call."""
    return Request(level, call, sample, observation(text or f"levelName: {level}"))


@dataclass
class Asked:
    """What came of asking once: the reply or the error, and all that was said on the way."""

    reply: Reply | None = None
    error: BaseException | None = None
    attempts: list[Mapping[str, Any]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    description: Mapping[str, Any] = field(default_factory=dict)


def ask(url: str, *args: str, model: str = "local-model", **options: Any) -> Asked:
    """Ask the server at `url` once, without real waiting."""
    asked = Asked()
    chosen = ClientOptions(
        base_url=url,
        model_args=(*PATIENT, *args),
        env_file=None,
        show=asked.shown.append,
        **options,
    )
    clock = Clock(sleep=asked.slept.append, now=lambda: datetime(2026, 11, 30, tzinfo=UTC))
    client = make_openai_client(model, chosen, clock)
    with closing(client):
        asked.description = client.describe()
        try:
            asked.reply = client.reply(request(), asked.attempts.append)
        except Exception as error:
            asked.error = error
    return asked


def play_episode(
    folder: Path, url: str, *args: str, level: str = "L1", **options: Any
) -> EpisodeResult:
    """Play an episode of the fake task against the server at `url`, without real waiting."""
    chosen = ClientOptions(base_url=url, model_args=(*PATIENT, *args), env_file=None, **options)
    client = make_openai_client("local-model", chosen, Clock(sleep=lambda _s: None))
    with closing(client):
        return run_episode(FakeTask(level), client, EpisodeFolder(folder / level))
