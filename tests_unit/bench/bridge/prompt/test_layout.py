import json

from bench.bridge.prompt.layout import render


def test_short_values_stay_on_one_line() -> None:
    assert render({"a": [1, 2.0]}) == '{"a": [1, 2.0]}'


def test_long_lists_have_one_item_a_line_and_read_back_equal() -> None:
    value = {"name": "x", "nodes": [{"id": i, "x": float(i)} for i in range(20)], "none": []}
    text = render(value)
    assert text.splitlines()[:4] == ["{", '"name": "x",', '"nodes": [', '{"id": 0, "x": 0.0},']
    assert len(text.splitlines()) == 26
    assert json.loads(text) == value


def test_a_lone_surrogate_is_escaped_and_other_text_is_not() -> None:
    assert render({"thought": "桥"}) == '{"thought": "桥"}'
    assert render({"thought": "\ud800"}) == '{"thought": "\\ud800"}'
