import pytest

from bench.bridge.baselines.clearance import touches

ROCK = ((5.0, -1.0), (3.0, -5.0), (7.0, -5.0))


@pytest.mark.parametrize(
    ("a", "b", "touched"),
    [
        ((4.0, 0.0), (6.0, 0.0), False),  # above the tip
        ((4.0, -1.0), (6.0, -1.0), True),  # through the tip
        ((5.0, 0.0), (5.0, -1.0), True),  # ends on the tip
        ((5.0, 0.0), (5.0, -0.99), False),
        ((4.9, -3.0), (5.1, -3.0), True),  # inside
        ((0.0, -3.0), (10.0, -3.0), True),  # right through
        ((0.0, -3.0), (3.9, -3.0), False),  # the left side is at x = 4 there
        ((3.0, -1.0), (5.0, 1.0), False),
        ((3.5, -3.8), (4.5, -1.8), False),  # beside the left side, in parallel
        ((2.0, -5.0), (8.0, -5.0), True),  # along the base
        ((2.0, -5.1), (8.0, -5.1), False),
    ],
)
def test_a_member_touches_a_rock(a, b, touched):
    assert touches(a, b, [ROCK]) is touched
    assert touches(b, a, [ROCK]) is touched
    assert not touches(a, b, [])
