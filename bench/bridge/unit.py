"""What limits and costs of bridges are counted in."""

from bench.domain import Unit

UNIT = Unit("usd", "dollar", "dollars", prefix="$", exact_digits=2)
