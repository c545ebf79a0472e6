"""The benchmark: one test a level. It passes when a construction of the model works.

pytest bench --model baseline --budget strict
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bench.run.local import EpisodeRun


def test_level(episode: EpisodeRun) -> None:
    """The fixture ran the episode; a fault of ours would have ended there."""
    if not episode.success:
        pytest.fail(episode.message, pytrace=False)
