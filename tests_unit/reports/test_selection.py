"""Best of K samples: each selector on levels worked out by hand."""

from reports.selection import (
    SELECTORS,
    Chosen,
    best_of,
    by_level,
    cheapness,
    choose,
    confidence,
    margin,
    oracle,
)
from tests_unit.support.report_sessions import Episode, session


def levels(*episodes):
    return by_level(session(episodes, samples=3).rows)


TWO = levels(
    # The cheapest loses, the widest margin wins, the most confident loses.
    Episode("T1B_1", "FFF", 900.0, sample=1, margin=0.55, confidence=0.9),
    Episode("T1B_1", "S", 1000.0, sample=2, margin=0.6, confidence=0.4),
    Episode("T1B_1", "VVV", 100.0, sample=3, confidence=0.5),
    # Only the invalid one is cheap; the most confident wins.
    Episode("T2A_1", "VVV", 100.0, sample=1, confidence=0.1),
    Episode("T2A_1", "FFF", 1500.0, sample=2, margin=0.3, confidence=0.2),
    Episode("T2A_1", "S", 1400.0, sample=3, margin=0.2, confidence=0.3),
)


def test_each_selector_takes_its_own_sample():
    picks = {
        name: [choose(rows, score).sample for rows in TWO.values()]
        for name, score in SELECTORS.items()
    }
    assert picks == {"cheapest": [1, 3], "margin": [2, 2], "confidence": [1, 3]}


def test_best_at_k_counts_the_chosen_samples_that_won():
    assert best_of(TWO, cheapness, 3) == Chosen(1, 2)
    assert best_of(TWO, margin, 3) == Chosen(1, 2)
    assert best_of(TWO, confidence, 3) == Chosen(1, 2)
    assert best_of(TWO, confidence, 2) == Chosen(0, 2)
    assert oracle(TWO, 3) == Chosen(2, 2)
    assert oracle(TWO, 1) == Chosen(0, 2)


def test_a_level_without_anything_to_choose_by_is_left_out():
    found = levels(Episode("T1B_1", "S", sample=1), Episode("T1B_1", "VVV", sample=2))
    assert best_of(found, confidence, 2) == Chosen(0, 0)
    only_invalid = levels(Episode("T1B_1", "VVV", sample=1))
    assert best_of(only_invalid, cheapness, 1) == Chosen(0, 0)
    assert best_of(only_invalid, margin, 1) == Chosen(0, 1)


def test_equals_go_to_the_first_sample_and_faults_of_ours_do_not_count():
    found = levels(
        Episode("T1B_1", "F!", sample=1, confidence=1.0),
        Episode("T1B_1", "FFF", sample=2, confidence=0.5),
        Episode("T1B_1", "S", sample=3, confidence=0.5),
    )
    assert choose(found["T1B_1"], confidence).sample == 2


def test_the_invalid_candidate_with_fewer_broken_rules_is_nearer_to_legal():
    two, one = (
        Episode("T1B_1", "V", sample=i, codes=(codes,))
        for i, codes in ((1, ("CLEARANCE", "OVER_BUDGET")), (2, ("OVER_BUDGET",)))
    )
    assert choose(levels(two, one)["T1B_1"], margin).sample == 2
