"""Brier score and ECE, by hand."""

import pytest

from reports.calibration import brier, expected_calibration_error, pairs, reliability
from tests_unit.support.report_sessions import Episode, repeats, session


def test_brier_by_hand():
    # (0.9 - 1)^2 = 0.01, (0.4 - 0)^2 = 0.16, (0.5 - 1)^2 = 0.25
    assert brier([(0.9, True), (0.4, False), (0.5, True)]) == pytest.approx(0.42 / 3)
    assert brier([(1.0, True), (0.0, False)]) == 0.0
    assert brier([(0.5, True), (0.5, False)]) == 0.25
    assert brier([]) is None


def test_ece_by_hand():
    # Bin [0.9, 1]: mean 0.95, share 1/2, gap 0.45 of two; bin [0.2, 0.3): 0.25, share 0, of two.
    found = [(0.9, True), (1.0, False), (0.2, False), (0.29, False)]
    assert expected_calibration_error(found) == pytest.approx((2 * 0.45 + 2 * 0.245) / 4)
    assert expected_calibration_error([(0.5, True), (0.5, False)]) == 0.0
    assert expected_calibration_error([]) is None


def test_bins_hold_their_lower_end_and_the_last_one_both():
    found = reliability([(0.0, False), (0.1, True), (0.999, True), (1.0, True)])
    assert [b.count for b in found] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert (found[1].mean_confidence, found[1].success_share) == (0.1, 1.0)
    assert found[4].mean_confidence is None
    with pytest.raises(ValueError, match=r"confidence 1.5 must be between 0 and 1"):
        reliability([(1.5, True)])


def test_every_answer_with_a_confidence_is_a_pair_with_its_own_outcome():
    rows = session(
        [
            Episode("T1B_1", "VFS", confidence=0.7),
            Episode("T1B_2", "S"),
            Episode("T1B_3", "F!", confidence=0.9),
        ]
    ).rows
    assert pairs(rows) == [(0.7, False), (0.7, False), (0.7, True)]
    assert len(pairs(repeats().rows)) == 6 + 6 * 3
