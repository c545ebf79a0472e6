"""`BridgeEnv`: an episode of the benchmark as a Gymnasium environment (extra `rl`).

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

from bench.bridge.level.files import level_names, load_level
from bench.bridge.prompt.static import instructions
from bench.bridge.training.quick import CALLS, QuickTask, Turn, answer
from bench.bridge.training.reward import reward
from bench.errors import InputError
from bench.task import Observation, TextPart, parse_budget

try:
    import gymnasium
except ImportError as error:
    raise ImportError('bench.env needs gymnasium: pip install "polybridgebench[rl]"') from error

ENV_ID = "PolyBridgeBench/Bridge-v0"
MOST_CHARACTERS = 65_536
"""Longest answer that the action space samples; `step` takes longer ones too."""
MOST_SHOWN = 4_000_000
"""Longest observation: a draft of the largest legal size goes back to the model, indented."""

Info = dict[str, Any]


class BridgeEnv(gymnasium.Env[dict[str, Any], str]):
    """One level, up to three calls; terminated by a success or the last call, never truncated.

    `levels` are the names that `reset` draws from (default: all), `budget` the condition,
    `rewards` "shaped" (`bench.bridge.training.reward`) or "success" (1 or 0). An observation is
    `{"call", "text"}`: the number of the coming call, and the user message without pictures,
    non-ASCII characters escaped; `instructions` is the system message. `info` carries the level's
    name, the observation's data, and after a step the outcome, the codes and the reward's parts.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        levels: Sequence[str] | None = None,
        budget: str = "strict",
        *,
        rewards: Literal["shaped", "success"] = "shaped",
        calls: int = CALLS,
        anonymous: bool = False,
        root: Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        parse_budget(budget)
        if rewards not in ("shaped", "success"):
            raise InputError(f"rewards={rewards!r} is unknown; use 'shaped' or 'success'")
        if calls < 1:
            raise InputError(f"calls={calls} must be at least 1")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError(f"render_mode={render_mode!r} is unknown; use 'rgb_array' or None")
        known = level_names(root)
        self.levels = known if levels is None else list(levels)
        unknown = [name for name in self.levels if name not in known]
        if unknown or not self.levels:
            raise InputError(f"level {unknown[0]!r} is unknown" if unknown else "levels is empty")
        self.render_mode = render_mode
        self.instructions = instructions()
        self._budget, self._rewards, self._calls = budget, rewards, calls
        self._anonymous, self._root = anonymous, root
        self._task: QuickTask | None = None
        self._turns: list[Turn] = []
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
        file = load_level(name, self._root)
        self._task = QuickTask(file, self._budget, anonymous=self._anonymous)
        self._turns = []
        return self._look(self._task)

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, Info]:
        """Take an answer; (observation, reward, terminated, truncated, info).

        Raises InputError before `reset` and after the episode's end.
        """
        task = self._task
        if task is None or self._over:
            raise InputError("the episode is over or has not begun; call reset first")
        turn = answer(task, len(self._turns) + 1, action)
        self._turns.append(turn)
        parts = reward(action, task.level, self._budget)
        value = parts.total if self._rewards == "shaped" else float(turn.success)
        observation, info = self._look(task)
        outcome = "invalid" if turn.execution is None else turn.execution.outcome.value
        info |= {"outcome": outcome, "codes": list(turn.step.codes), "reward": vars(parts)}
        return observation, float(value), self._over, False, info

    @property
    def _over(self) -> bool:
        turns = self._turns
        return bool(turns) and (turns[-1].success or len(turns) >= self._calls)

    def _look(self, task: QuickTask) -> tuple[dict[str, Any], Info]:
        seen = task.observe([turn.step for turn in self._turns])
        text = _user_text(seen).encode("ascii", "backslashreplace").decode()
        # A copy: users keep what they are given, and may change it.
        data = copy.deepcopy(dict(seen.data))
        info = {"level": task.name, "data": data, "limit_usd": task.limit_usd}
        call = np.int64(len(self._turns) + 1)
        return {"call": call, "text": text[:MOST_SHOWN]}, info

    def render(self) -> Any:
        """The editor with the last design as (H, W, 3) uint8; None without a render mode."""
        if self.render_mode is None or self._task is None:
            return None
        from PIL import Image

        designs = [turn.step.candidate.design for turn in self._turns if turn.execution]
        picture = self._task.picture(designs[-1] if designs else None)
        with Image.open(io.BytesIO(picture.png)) as image:
            return np.asarray(image.convert("RGB"))


def register() -> str:
    """Make `gymnasium.make` know the environment; returns the id. Twice changes nothing."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(ENV_ID, entry_point="bench.env:BridgeEnv")
    return ENV_ID


def _user_text(observation: Observation) -> str:
    """The text of the user message."""
    return "".join(
        part.text
        for message in observation.messages
        if message.role == "user"
        for part in message.parts
        if isinstance(part, TextPart)
    )
