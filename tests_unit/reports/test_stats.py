"""Our statistics against scipy and statsmodels on random data, and against enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from reports import stats

RANDOM = np.random.default_rng(7)
TRIALS = [(int(RANDOM.integers(0, n + 1)), int(n)) for n in RANDOM.integers(1, 300, size=60)]


@pytest.mark.parametrize(("won", "total"), [*TRIALS, (0, 9), (9, 9), (20, 91)])
def test_wilson_is_that_of_statsmodels_and_of_scipy(won, total):
    ours = stats.wilson(won, total)
    theirs = binomtest(won, total).proportion_ci(method="wilson")
    assert ours == pytest.approx(proportion_confint(won, total, method="wilson"), abs=1e-12)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_nothing_counted_leaves_everything_open():
    assert stats.wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("gained", "lost"), [*RANDOM.integers(0, 40, size=(60, 2)), (0, 0)])
def test_mcnemar_is_the_exact_binomial_test(gained, lost):
    pairs = int(gained + lost)
    expected = binomtest(int(gained), pairs, 0.5).pvalue if pairs else 1.0
    assert stats.mcnemar(int(gained), int(lost)) == pytest.approx(expected, rel=1e-9)


def test_mcnemar_of_five_losses_is_one_in_sixteen():
    assert stats.mcnemar(0, 5) == 2 / 32


@pytest.mark.parametrize("size", [1, 2, 5, 27])
def test_holm_is_that_of_statsmodels(size):
    p_values = RANDOM.uniform(0, 0.2, size=size) ** 2
    expected = multipletests(p_values, method="holm")[1]
    assert stats.holm(list(p_values)) == pytest.approx(expected)


def test_the_cluster_bootstrap_agrees_with_scipy_on_clusters_of_one_size():
    won = RANDOM.binomial(10, RANDOM.beta(2, 2, size=27))
    theirs = bootstrap(
        (won / 10,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    ours = stats.bootstrap_share(list(won), [10] * 27)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.01)
    means = stats.bootstrap_mean([[1.0] * k + [0.0] * (10 - k) for k in won])
    assert means == pytest.approx(ours)


def test_the_cluster_bootstrap_pools_clusters_of_several_sizes():
    won, totals = [3, 0, 9, 2], [4, 8, 9, 6]
    draws = np.random.default_rng(3).integers(0, 4, size=(40_000, 4))
    shares = np.array(won)[draws].sum(axis=1) / np.array(totals)[draws].sum(axis=1)
    expected = np.quantile(shares, (0.025, 0.975))
    assert stats.bootstrap_share(won, totals) == pytest.approx(expected, abs=0.03)


def test_the_bootstrap_is_seeded_and_needs_two_clusters():
    assert stats.bootstrap_share([3, 4], [5, 5]) == stats.bootstrap_share([3, 4], [5, 5])
    assert stats.bootstrap_share([3], [5]) is None
    assert stats.bootstrap_share([3, 0], [5, 0]) is None
    assert stats.bootstrap_mean([[1.0], []]) is None


def test_where_all_agree_the_interval_is_that_of_one_trial_a_cluster():
    assert stats.bootstrap_share([0, 0, 0, 0], [9, 9, 9, 9]) == stats.wilson(0, 4)
    assert stats.bootstrap_share([9, 9, 9, 9], [9, 9, 9, 9]) == stats.wilson(4, 4)


def test_clusters_that_agree_within_count_once_each():
    # Two clusters of 10, all won and all lost: the variance of two draws, unbiased.
    # s - p n = +-5, squares 50, variance 2/1 * 50 / 400 = 0.25; 0.25 / 0.25 = 1 trial.
    assert stats.clustered_n([10, 0], [10, 10]) == pytest.approx(1.0)
    assert stats.clustered_n([0, 0, 0], [5, 5, 5]) == 3
    assert stats.clustered_n([5, 5], [10, 10]) == 20
    assert stats.clustered_n([3], [10]) == 1


@pytest.mark.parametrize("samples", [1, 3, 5])
def test_pass_at_k_and_pass_hat_k_are_what_enumeration_gives(samples):
    for won, k in itertools.product(range(samples + 1), range(1, samples + 1)):
        flags = [True] * won + [False] * (samples - won)
        draws = list(itertools.combinations(flags, k))
        assert stats.pass_at_k(samples, won, k) == pytest.approx(np.mean([any(d) for d in draws]))
        assert stats.pass_hat_k(samples, won, k) == pytest.approx(np.mean([all(d) for d in draws]))


def test_more_draws_than_samples_are_refused():
    with pytest.raises(ValueError, match="samples=3, won=1, k=4"):
        stats.pass_at_k(3, 1, 4)
