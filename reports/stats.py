"""Intervals and tests. Pure functions of numbers; every random draw has a fixed seed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

Z_95 = 1.959963984540054
"""The 97.5% quantile of the standard normal distribution."""
DRAWS = 4000
SEED = 20_260_131

Interval = tuple[float, float]


def wilson(successes: float, total: float, z: float = Z_95) -> Interval:
    """Wilson's score interval of a share (Wilson 1927), (0, 1) when total is 0.

    Both may be fractions: an effective number of trials is none that can be counted.
    """
    if total <= 0:
        return 0.0, 1.0
    share = successes / total
    spread = z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / total + spread / (4 * total))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == total else min(1.0, middle + half)
    return low, high


def clustered_n(successes: Sequence[int], totals: Sequence[int]) -> float:
    """Trials that independent draws would need for the same variance (Kish's effective n).

    One entry a cluster. The variance is the linearised one of a ratio over clusters; where all
    trials agree, it says nothing and the number of clusters is returned. Never above the total.
    """
    total, clusters = sum(totals), sum(n > 0 for n in totals)
    if clusters < 2:
        return float(min(total, clusters))
    share = sum(successes) / total
    if share in (0.0, 1.0):
        return float(clusters)
    squares = sum((s - share * n) ** 2 for s, n in zip(successes, totals, strict=True))
    variance = clusters / (clusters - 1) * squares / total**2
    if variance == 0:
        return float(total)
    return min(float(total), share * (1 - share) / variance)


@lru_cache(maxsize=64)
def cluster_weights(clusters: int, draws: int, seed: int) -> Floats:
    """How often each cluster is drawn: draws x clusters."""
    import numpy as np

    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=draws)
    return drawn.astype(np.float64)


def bootstrap_share(
    successes: Sequence[int], totals: Sequence[int], draws: int = DRAWS, seed: int = SEED
) -> Interval | None:
    """95% percentile interval of a pooled share, clusters drawn with replacement.

    One entry a cluster. None below two clusters. Where all trials agree no draw can differ, so
    the interval is Wilson's with one trial a cluster.
    """
    import numpy as np

    pairs = [(s, n) for s, n in zip(successes, totals, strict=True) if n > 0]
    if len(pairs) < 2:
        return None
    won, all_ = np.array(pairs, dtype=np.float64).T
    if won.sum() in (0.0, all_.sum()):
        return wilson(len(pairs) if won.sum() else 0, len(pairs))
    weights = cluster_weights(len(pairs), draws, seed)
    low, high = np.quantile((weights @ won) / (weights @ all_), (0.025, 0.975))
    return float(low), float(high)


def bootstrap_mean(
    values: Sequence[Sequence[float]], draws: int = DRAWS, seed: int = SEED
) -> Interval | None:
    """95% percentile interval of a pooled mean; one inner sequence a cluster, None below two."""
    import numpy as np

    filled = [cluster for cluster in values if cluster]
    if len(filled) < 2:
        return None
    sums = np.array([sum(cluster) for cluster in filled], dtype=np.float64)
    counts = np.array([len(cluster) for cluster in filled], dtype=np.float64)
    weights = cluster_weights(len(filled), draws, seed)
    low, high = np.quantile((weights @ sums) / (weights @ counts), (0.025, 0.975))
    return float(low), float(high)


def mcnemar(gained: int, lost: int) -> float:
    """Exact two-sided p of McNemar's test: the binomial test of the discordant pairs at 1/2."""
    pairs = gained + lost
    tail = sum(math.comb(pairs, k) for k in range(min(gained, lost) + 1))
    return min(1.0, 2.0 * tail / float(2**pairs))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment, in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def pass_at_k(samples: int, won: int, k: int) -> float:
    """Chance that at least one of k samples drawn without replacement won (Chen et al. 2021)."""
    _check_k(samples, won, k)
    return 1 - math.comb(samples - won, k) / math.comb(samples, k)


def pass_hat_k(samples: int, won: int, k: int) -> float:
    """Chance that all of k samples drawn without replacement won (pass^k, Yao et al. 2024)."""
    _check_k(samples, won, k)
    return math.comb(won, k) / math.comb(samples, k)


def _check_k(samples: int, won: int, k: int) -> None:
    if not (0 <= won <= samples and 1 <= k <= samples):
        raise ValueError(
            f"samples={samples}, won={won}, k={k}: need 0 <= won and 1 <= k <= samples"
        )
