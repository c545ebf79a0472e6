"""The handbook of bars, beside the rules of the game."""

from __future__ import annotations

from bench.bridge.statics import bars


def test_the_handbook_agrees_with_the_rules_of_the_game() -> None:
    assert bars.STRENGTH_PN[1:].tolist() == [900.0, 800.0, 2000.0, 1200.0, 1500.0, 2000.0]
    assert bars.UNIT_COST_USD[1:].tolist() == [200.0, 180.0, 450.0, 380.0, 650.0, 630.0]
    assert bars.UNIT_WEIGHT_PN[1:].tolist() == [6.0, 2.5, 5.0, 8.5, 11.0, 7.5]
    assert bars.LONGEST_M[1:].tolist() == [2.0, 2.0, 4.0, 2.0, 2.0, 2.0]


def test_codes_of_single_bars_are_the_material_types() -> None:
    assert [bars.TYPES_OF_CODE[code] for code in (bars.ROAD, bars.WOOD, bars.STEEL)] == [
        (1,),
        (2,),
        (3,),
    ]
