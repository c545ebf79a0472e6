"""What one simulation gives."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

RECORD_HZ = 40
FRAME_HZ = 4
RECORDS_PER_FRAME = RECORD_HZ // FRAME_HZ


class Ending(StrEnum):
    """Why a simulation stopped. Only SUCCESS counts as one; the rest is one class to a model."""

    SUCCESS = "success"
    FELL = "fell"
    TIMEOUT = "timeout"


@dataclass(frozen=True, eq=False)
class SimResult:
    """States at 40 Hz from t = 0 until the outcome was decided, and the outcome.

    R records, N nodes and M members in the design's order, V vehicles in driving order.
    `positions` (R, N, 2) metres; `utilisation` (R, M), the damped member force over strength,
    signed: tension positive; `alive` (R, M) bool; `poses` (R, V, 4): x, y of the centre in metres,
    cosine and sine of the angle; `arrived` (R, V) bool: the vehicle reached its flag and left.
    `break_s` (M,) is the time at which a member broke, NaN when it did not.
    `end_s` is when the outcome was decided (the window's end for TIMEOUT).
    """

    ending: Ending
    end_s: float
    positions: NDArray[np.float64]
    utilisation: NDArray[np.float64]
    alive: NDArray[np.bool_]
    poses: NDArray[np.float64]
    arrived: NDArray[np.bool_]
    break_s: NDArray[np.float64]
    peak_utilisation: NDArray[np.float64]

    @property
    def success(self) -> bool:
        """Whether every vehicle reached its flag upright and in time."""
        return self.ending is Ending.SUCCESS

    @property
    def clean(self) -> bool:
        """Whether no member broke."""
        return bool(np.all(np.isnan(self.break_s)))

    @property
    def first_break_s(self) -> float | None:
        """Time of the first break, None when nothing broke."""
        broken = self.break_s[~np.isnan(self.break_s)]
        return float(broken.min()) if broken.size else None

    @cached_property
    def vehicles(self) -> NDArray[np.float64]:
        """Poses with angles, (R, V, 3): x, y in metres and rad. For drawing and for reading.

        numpy's arctan2 picks its instructions by the processor: angles differ in their last bits
        between machines, so nothing that is hashed or decides may use them.
        """
        angle = np.arctan2(self.poses[:, :, 3], self.poses[:, :, 2])
        return np.concatenate([self.poses[:, :, :2], angle[:, :, None]], axis=2)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the exact bytes of every array and the outcome.

        Nothing in it comes from a function whose last bits depend on the processor: so poses
        with cosine and sine, as the kernel turns them, and no angles.
        """
        sha = hashlib.sha256(f"{self.ending}|{self.end_s!r}".encode())
        for array in (
            self.positions,
            self.utilisation,
            self.alive,
            self.poses,
            self.arrived,
            self.break_s,
            self.peak_utilisation,
        ):
            sha.update(str(array.shape).encode())
            sha.update(np.ascontiguousarray(array).tobytes())
        return sha.hexdigest()

    def record_of_frame(self, frame: int) -> int:
        """Index of the record that frame k shows; after the end the last state stands still."""
        return min(frame * RECORDS_PER_FRAME, len(self.positions) - 1)
