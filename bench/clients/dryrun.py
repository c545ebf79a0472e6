"""What a run would cost before anything is sent: pure functions of the first-call prompts.

The lower bound is one call an episode, each ending with a success and no output counted below
what an answer needs; the upper is the most calls an episode may take, each with the assumed
output, later prompts grown by the previous draft, its feedback and a second picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.clients.options import ClientOptions
from bench.clients.profiles import Profile, known_models, read_profile
from bench.clients.tokens import TokenCount, count_tokens
from bench.task import ImagePart, Observation

ANSWER_TOKENS = 3_000
"""Assumed tokens of one answer's text, as it comes back in a repair prompt (a graph of
60 nodes and 150 edges is about 12,000 characters)."""

FEEDBACK_TOKENS = 2_000
"""Assumed tokens of the feedback in a repair prompt."""


@dataclass(frozen=True, slots=True)
class RunBound:
    """Bounds of a whole run. Dollars are None where the model's price is unknown."""

    model: str
    episodes: int
    calls: tuple[int, int]
    input_tokens: tuple[int, int]
    output_tokens: tuple[int, int]
    usd: tuple[float, float] | None


def dry_run(
    prompts: Iterable[tuple[str, Observation]],
    model: str,
    options: ClientOptions,
    folder: Path,
    *,
    calls: int = 3,
    samples: int = 1,
) -> str:
    """Write every first-call prompt (name, observation) into `folder`; give the bounds' table.

    The table has `model` first, under the user's options, then every other known model. No
    key, address or server is needed. Raises ModelError for a wrong profile.
    """
    others = [name for name in known_models(options.models_file) if name != model]
    plain = ClientOptions(models_file=options.models_file, no_images=options.no_images)
    profiles = {model: read_profile(model, options)}
    profiles |= {name: read_profile(name, plain) for name in others}
    counts: dict[str, list[TokenCount]] = {name: [] for name in profiles}
    for name, observation in prompts:
        write_prompt(folder, name, observation)
        for alias, profile in profiles.items():
            counts[alias].append(count_tokens(observation, vision=profile.vision))
    return render_bounds(
        [bound_run(m, p, counts[m], calls=calls, samples=samples) for m, p in profiles.items()]
    )


def bound_run(
    model: str, profile: Profile, prompts: Iterable[TokenCount], *, calls: int = 3, samples: int = 1
) -> RunBound:
    """Bounds of a run over `prompts`, the counts of every episode's first prompt.

    Transport retries are left out: each may be billed again on top.
    """
    counts = list(prompts)
    episodes = len(counts) * samples
    first = sum(count.estimate for count in counts) * samples
    sheet = max((count.images for count in counts), default=0)
    growth = ANSWER_TOKENS + FEEDBACK_TOKENS + sheet
    output = profile.output_token_bound
    low_output = min(ANSWER_TOKENS, output) * episodes
    most_input = first * calls + growth * (calls - 1) * episodes
    most_output = output * calls * episodes
    low, high = profile.bill_usd(first, low_output), profile.bill_usd(most_input, most_output)
    return RunBound(
        model,
        episodes,
        (episodes, episodes * calls),
        (first, most_input),
        (low_output, most_output),
        None if low is None or high is None else (low, high),
    )


def render_bounds(bounds: Sequence[RunBound]) -> str:
    """The bounds as a text table, one line a model."""
    rows = [("model", "episodes", "calls", "input tokens", "output tokens", "US dollars")]
    rows += [
        (
            bound.model,
            f"{bound.episodes}",
            _span(bound.calls),
            _span(bound.input_tokens),
            _span(bound.output_tokens),
            "price unknown" if bound.usd is None else f"{bound.usd[0]:,.2f} to {bound.usd[1]:,.2f}",
        )
        for bound in bounds
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_prompt(folder: Path, name: str, observation: Observation) -> list[Path]:
    """Write one first-call prompt: `NAME.txt`, and `NAME-PICTURE.png` for each picture."""
    folder.mkdir(parents=True, exist_ok=True)
    text = []
    for message in observation.messages:
        parts = [
            f"[picture: {name}-{part.picture.name}.png]"
            if isinstance(part, ImagePart)
            else part.text
            for part in message.parts
        ]
        text.append(f"== {message.role} ==\n" + "\n\n".join(parts) + "\n")
    paths = [folder / f"{name}.txt"]
    paths[0].write_text("\n".join(text), "utf-8")
    for picture in observation.pictures:
        paths.append(folder / f"{name}-{picture.name}.png")
        paths[-1].write_bytes(picture.png)
    return paths


def _span(pair: tuple[int, int]) -> str:
    return f"{pair[0]:,} to {pair[1]:,}"
