"""The same bits on every processor: replays under settings of numpy, numba and BLAS.

Names that a numpy or a processor does not know only make numpy warn; the replay is then one more
repetition.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests_unit.support.paths import ROOT

SETTINGS = {
    "numpy without AVX-512": {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL"},
    "numba for any processor": {"NUMBA_CPU_NAME": "generic"},
    "BLAS of an old processor": {"OPENBLAS_CORETYPE": "Prescott"},
}
REPLAY = """
import hashlib
import sys
sys.path.insert(0, ".")
from bench.bridge.drivers.embedded import EmbeddedDriver
from bench.bridge.level.files import load_level
from levels.bridge.search.store import load
from tests_unit.bench.bridge.physics.cases import calibration

driver = EmbeddedDriver()
reference = load("G1_Clearance_HeavyW2_14m_R2m")
pairs = [(load_level(reference.level).level, reference.design)]
for level, design in [*pairs, *((c.level, c.design) for c in calibration())]:
    rollout = driver.execute(level, design)
    packed = hashlib.sha256(rollout.files["rollout.json.gz"]).hexdigest()
    print(rollout.facts["digest"], packed)
"""


def replay(**settings: str) -> list[str]:
    """Digest and hash of the packed states of eleven designs, in a fresh process."""
    keep = {k: v for k, v in os.environ.items() if not any(k in s for s in SETTINGS.values())}
    done = subprocess.run(
        [sys.executable, "-c", REPLAY],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**keep, **settings},
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def plain() -> list[str]:
    return replay()


@pytest.mark.parametrize("name", SETTINGS)
def test_states_and_records_are_the_same_bits_whatever_the_processor(
    name: str, plain: list[str]
) -> None:
    assert len(set(plain)) == 11
    assert replay(**SETTINGS[name]) == plain


def test_packed_states_have_a_header_that_no_python_changes_and_hold_the_states() -> None:
    """RFC 1952: no time, no extra flags, unknown system; CRC and length are checked in reading."""
    from bench.bridge.drivers.embedded import pack_states
    from bench.bridge.physics.engine import simulate
    from tests_unit.bench.bridge.physics.cases import calibration

    case = calibration()[0]
    result = simulate(case.level, case.design)
    packed = pack_states(result)
    assert packed[:10] == bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    state = json.loads(gzip.decompress(packed))
    assert state["schema"] == "pbb-rollout-2"
    assert np.abs(np.array(state["poses"]) - result.poses).max() <= 0.5001e-4
    assert state["ending"] == result.ending.value
