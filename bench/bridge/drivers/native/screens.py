"""Which screen the game shows, by markers of several pixels; colours and pictures compared."""

from __future__ import annotations

from dataclasses import dataclass

from bench.bridge.drivers.native.backends.base import Shot
from bench.bridge.drivers.native.profile import SCREENS, Area, Marker, Profile, Screen, Thresholds

BLACK_LEVEL = 8
NOTICEABLE = 24
"""Two pixels differ when a channel does by more than this: below it is shading and noise."""


def screen_of(profile: Profile, shot: Shot) -> Screen:
    """The only screen whose markers all match, else UNKNOWN."""
    found = [s for s in SCREENS if matches(profile.markers[s], shot)]
    return found[0] if len(found) == 1 else Screen.UNKNOWN


def matches(markers: list[Marker], shot: Shot) -> bool:
    """Whether all markers of a screen match."""
    return all(marker.matches(shot.rgb(marker.x, marker.y)) for marker in markers)


def describe(profile: Profile, shot: Shot) -> str:
    """The screen, and for an unknown one how close each known one comes."""
    screen = screen_of(profile, shot)
    if screen is not Screen.UNKNOWN:
        return f"the screen {screen}"
    if is_black(shot):
        return "a black screen"
    parts = []
    for name in SCREENS:
        markers = profile.markers[name]
        count = sum(m.matches(shot.rgb(m.x, m.y)) for m in markers)
        parts.append(f"{name} {count}/{len(markers)}")
    return f"no known screen (markers that match: {', '.join(parts)})"


def is_black(shot: Shot) -> bool:
    """Whether the whole client area is as good as black."""
    return int(shot.pixels[::4, ::4].max()) <= BLACK_LEVEL


def changed_px(before: Shot, after: Shot, area: Area) -> int:
    """How many pixels of an area differ noticeably."""
    import numpy as np

    rows, columns = slice(area.y, area.y + area.height), slice(area.x, area.x + area.width)
    a = before.pixels[rows, columns].astype(np.int16)
    b = after.pixels[rows, columns].astype(np.int16)
    return int(np.count_nonzero((np.abs(a - b) > NOTICEABLE).any(axis=2)))


@dataclass(frozen=True, slots=True)
class Labels:
    """What one frame says of the outcome, by the paper's rule and by colour dominance."""

    paper_success: bool
    paper_failure: bool
    dominant_success: bool
    dominant_failure: bool

    @property
    def agree(self) -> bool:
        """Whether the two opinions are the same."""
        return (
            self.paper_success == self.dominant_success
            and self.paper_failure == self.dominant_failure
        )


def labels_of(thresholds: Thresholds, shot: Shot) -> Labels:
    """The labels of a frame.

    The paper: success when green exceeds its threshold at the success pixel (appendix C.4),
    failure when red exceeds 150 at (1145, 637) (C.5). Grey and white fulfil both rules, so the
    second opinion asks whether the channel stands out from the two others.
    """
    red, green, blue = shot.rgb(thresholds.success_pixel.x, thresholds.success_pixel.y)
    green_stands_out = green - max(red, blue) > thresholds.dominance
    paper_success = green > thresholds.success_green
    red, green, blue = shot.rgb(thresholds.failure_pixel.x, thresholds.failure_pixel.y)
    return Labels(
        paper_success=paper_success,
        paper_failure=red > thresholds.failure_red,
        dominant_success=green_stands_out,
        dominant_failure=red - max(green, blue) > thresholds.dominance,
    )
