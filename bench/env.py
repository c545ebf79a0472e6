"""An episode of any domain as a Gymnasium environment (extra `rl`).

An action is an answer's text, an observation what a model would be sent as text. Task, checks,
physics and feedback are those of `pytest bench`, without pictures; nothing is recorded.
"""

from __future__ import annotations

import copy
import io
import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bench.domain import DEFAULT_DOMAIN, DOMAINS, DriverOptions, get_domain
from bench.errors import InputError
from bench.protocol import PAPER, Settings
from bench.task import Observation, Task, TextPart
from bench.turn import Turn, is_over, take_turn

try:
    import gymnasium
except ImportError as error:
    raise ImportError('bench.env needs gymnasium: pip install "polybridgebench[rl]"') from error

MOST_CHARACTERS = 65_536
"""Longest answer that the action space samples; `step` takes longer ones too."""
MOST_SHOWN = 4_000_000
"""Longest observation: a draft of the largest legal size goes back to the model, indented."""

Info = dict[str, Any]


class BenchEnv(gymnasium.Env[dict[str, Any], str]):
    """One level, up to three calls; terminated by a success or the last call, never truncated.

    `levels` are the names that `reset` draws from (default: all of the domain's), `budget` the
    condition, `rewards` "shaped" (the domain's reward) or "success" (1 or 0). An observation is
    `{"call", "text"}`: the number of the coming call, and the user message without pictures,
    non-ASCII characters escaped; `instructions` is the system message. `info` carries the level's
    name, the observation's data, and after a step the outcome, the codes and the reward's parts.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        levels: Sequence[str] | None = None,
        budget: str = PAPER.budget,
        *,
        domain: str = DEFAULT_DOMAIN,
        rewards: Literal["shaped", "success"] = "shaped",
        calls: int = PAPER.calls,
        anonymous: bool = False,
        root: Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        settings = Settings(
            budget=budget,
            calls=calls,
            attempts=max(calls, PAPER.attempts),
            anonymous=anonymous,
            images=False,
        )
        if rewards not in ("shaped", "success"):
            raise InputError(f"rewards={rewards!r} is unknown; use 'shaped' or 'success'")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"render_mode={render_mode!r} is unknown; use 'rgb_array' or None")
        self._domain = get_domain(domain)
        known = [entry.name for entry in self._domain.levels(root)]
        self.levels = known if levels is None else list(levels)
        unknown = [name for name in self.levels if name not in known]
        if unknown or not self.levels:
            raise InputError(f"level {unknown[0]!r} is unknown" if unknown else "levels is empty")
        self.render_mode = render_mode
        self._settings, self._rewards, self._root = settings, rewards, root
        options = DriverOptions(self._domain.drivers[0], settings.window_s, quiet=True)
        self._driver = self._domain.driver(options)
        self._task: Task[Any] | None = None
        self._turns: list[Turn[Any]] = []
        self.instructions = _text(self._make_task(self.levels[0]).observe([]), "system")
        text = gymnasium.spaces.Text(MOST_SHOWN, min_length=0, charset=string.printable)
        self.action_space = gymnasium.spaces.Text(
            MOST_CHARACTERS, min_length=0, charset=string.printable
        )
        self.observation_space = gymnasium.spaces.Dict(
            {"call": gymnasium.spaces.Discrete(calls + 1, start=1), "text": text}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], Info]:
        """Begin an episode on `options["level"]`, else on a level drawn with the seed.

        Raises InputError for unknown options, LevelError for an unknown level.
        """
        super().reset(seed=seed)
        options = dict(options or {})
        name = options.pop("level", None)
        if options:
            raise InputError(f"option {next(iter(options))!r} is unknown; use 'level'")
        if name is None:
            name = self.levels[int(self.np_random.integers(len(self.levels)))]
        self._task = self._make_task(name)
        self._turns = []
        return self._look(self._task)

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, Info]:
        """Take an answer; (observation, reward, terminated, truncated, info).

        Raises InputError before `reset` and after the episode's end.
        """
        task = self._task
        if task is None or self._over:
            raise InputError("the episode is over or has not begun; call reset first")
        turn = take_turn(task, len(self._turns) + 1, action)
        self._turns.append(turn)
        parts = dict(self._domain.reward(task, turn))
        value = parts["total"] if self._rewards == "shaped" else float(turn.success)
        observation, info = self._look(task)
        info |= {"outcome": turn.status, "codes": list(turn.step.codes), "reward": parts}
        return observation, float(value), self._over, False, info

    @property
    def _over(self) -> bool:
        return bool(self._turns) and is_over(self._turns, self._settings)

    def _make_task(self, level: str) -> Task[Any]:
        return self._domain.task(level, self._settings, self._driver, self._root)

    def _look(self, task: Task[Any]) -> tuple[dict[str, Any], Info]:
        seen = task.observe([turn.step for turn in self._turns])
        text = _text(seen, "user").encode("ascii", "backslashreplace").decode()
        # A copy: users keep what they are given, and may change it.
        data = copy.deepcopy(dict(seen.data))
        facts = task.facts
        info = {"level": task.name, "data": data, "limit": facts["limit"], "unit": facts["unit"]}
        call = np.int64(len(self._turns) + 1)
        return {"call": call, "text": text[:MOST_SHOWN]}, info

    def render(self) -> Any:
        """The scene with the last executed design as (H, W, 3) uint8; None without a mode."""
        if self.render_mode is None or self._task is None:
            return None
        from PIL import Image

        designs = [turn.step.candidate.design for turn in self._turns if turn.execution]
        picture = self._task.picture(designs[-1] if designs else None)
        with Image.open(io.BytesIO(picture.png)) as image:
            return np.asarray(image.convert("RGB"))


def env_id(domain: str = DEFAULT_DOMAIN) -> str:
    """The name under which `gymnasium.make` knows a domain's environment."""
    return f"PolyBridgeBench/{domain.title()}-v0"


def register() -> list[str]:
    """Make `gymnasium.make` know every domain's environment; gives the ids.

    Twice changes nothing.
    """
    ids = [env_id(domain) for domain in DOMAINS]
    for name, domain in zip(ids, DOMAINS, strict=True):
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="bench.env:BenchEnv", kwargs={"domain": domain})
    return ids


def _text(observation: Observation, role: str) -> str:
    """The text of the message of a role."""
    return "".join(
        part.text
        for message in observation.messages
        if message.role == role
        for part in message.parts
        if isinstance(part, TextPart)
    )
