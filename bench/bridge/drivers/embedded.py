"""The default driver: the project's own simulator and pictures, in this process."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from PIL import Image

from bench.bridge.design.design import Design
from bench.bridge.drivers.base import WINDOW_S, Capabilities, Rollout
from bench.bridge.level.level import Level
from bench.bridge.physics.params import DEFAULT, SimParams
from bench.bridge.physics.result import RECORD_HZ, SimResult
from bench.records.layout import ROLLOUT
from bench.task import Json, Outcome

ROLLOUT_SCHEMA = "pbb-rollout-1"


class EmbeddedDriver:
    """Runs designs in the embedded simulator. Deterministic to the bit."""

    name = "embedded"
    capabilities = Capabilities(parallel=True, deterministic=True, states=True)
    broken = None

    def __init__(self, params: SimParams = DEFAULT, *, quiet: bool = False) -> None:
        self.params = params
        self.quiet = quiet

    def describe(self) -> Mapping[str, Json]:
        """The simulator's parameters."""
        return {
            "driver": self.name,
            "pn_per_pg": self.params.pn_per_pg,
            "step_s": self.params.step_s,
            "window_s": self.params.window_s,
            "cruise_mps": self.params.cruise_mps,
        }

    def refuses(self, level: Level) -> str | None:
        """It can show every level."""
        return None

    def open(self) -> None:
        """Compile or load the kernel, so that no episode pays for it."""
        from bench.bridge.physics.engine import warm_up

        warm_up()

    def editor_picture(
        self,
        level: Level,
        design: Design | None,
        *,
        limit_usd: float,
        shown_name: str | None = None,
    ) -> Image.Image:
        """The editor with the level and, if there is one, the current bridge."""
        from bench.bridge.physics.draw import draw_editor

        return draw_editor(level, design, limit_usd=limit_usd, name=shown_name)

    def execute(self, level: Level, design: Design) -> Rollout:
        """Simulate a valid design."""
        from bench.bridge.physics.engine import simulate

        result = simulate(level, design, params=self.params)
        if self.quiet:
            return quiet_rollout(result, self.params.window_s)
        return rollout_of(level, design, result, self.params.window_s)

    def close(self) -> None:
        """Nothing to release."""


def rollout_of(
    level: Level, design: Design, result: SimResult, window_s: float = WINDOW_S
) -> Rollout:
    """Wrap a simulation as a driver's rollout; frames are drawn only when asked for."""
    from bench.bridge.physics.draw import draw_frame, draw_sheet

    quiet = quiet_rollout(result, window_s)
    facts: dict[str, Json] = {
        **quiet.facts,
        "first_break_s": result.first_break_s,
        "peak_utilisation": round(float(result.peak_utilisation.max(initial=0.0)), 6),
        "digest": result.digest,
    }
    return replace(
        quiet,
        frame=lambda k: draw_frame(level, design, result, k),
        sheet=lambda indices, forces: draw_sheet(level, design, result, indices, forces=forces),
        facts=facts,
        files={ROLLOUT: pack_states(result)},
    )


def quiet_rollout(result: SimResult, window_s: float = WINDOW_S) -> Rollout:
    """A simulation as a driver's rollout, without frames and files."""
    timed_out = result.ending.value == "timeout"
    return Rollout(
        outcome=Outcome.SUCCESS if result.success else Outcome.FAILURE_OR_TIMEOUT,
        decided_s=None if timed_out else result.end_s,
        detector="all vehicles reached their flags" if result.success else "embedded",
        facts={
            "ending": result.ending.value,
            "end_s": round(result.end_s, 6),
            "clean": result.clean,
        },
        window_s=window_s,
        states=result,
    )


def pack_states(result: SimResult) -> bytes:
    """The 40 Hz states as gzipped JSON, from which every frame can be drawn again."""
    state = {
        "schema": ROLLOUT_SCHEMA,
        "hz": RECORD_HZ,
        "ending": result.ending.value,
        "end_s": result.end_s,
        "digest": result.digest,
        "positions_m": _rounded(result.positions, 4),
        "utilisation": _rounded(result.utilisation, 4),
        "alive": result.alive.astype(int).tolist(),
        "vehicles": _rounded(result.vehicles, 4),
        "arrived": result.arrived.astype(int).tolist(),
        "break_s": [None if np.isnan(t) else float(t) for t in result.break_s],
        "peak_utilisation": _rounded(result.peak_utilisation, 6),
    }
    text = json.dumps(state, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode(), compresslevel=6, mtime=0)


def _rounded(array: np.ndarray, digits: int) -> Json:
    """Nested lists of rounded floats, with minus zero made plain."""
    return (np.round(array, digits) + 0.0).tolist()
