"""The rule of strict limits; it is written here and nowhere else."""

from __future__ import annotations

FACTOR_PERCENT = 125
ROUND_TO_USD = 500

RULE = (
    f"reference cost x {FACTOR_PERCENT / 100:g}, rounded up to the next ${ROUND_TO_USD}"
    " (an exact multiple stays)"
)
"""The rule in words, as manifests and docs quote it."""


def strict_limit_usd(reference_cost_usd: float) -> int:
    """The strict limit that goes with the cost of a reference design.

    Integer arithmetic in cents: a cost whose product is an exact multiple must not be lifted to
    the next one by a rounding error. Raises ValueError for a cost that is not positive.
    """
    cents = round(reference_cost_usd * 100)
    if cents <= 0:
        raise ValueError(f"reference_cost_usd={reference_cost_usd} must be positive")
    step = ROUND_TO_USD * 100 * 100  # hundredths of a cent, as the percentage makes them
    return -(-cents * FACTOR_PERCENT // step) * ROUND_TO_USD
