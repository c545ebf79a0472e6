"""Usage that does and does not add up, and what it is booked as."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench.clients.limits import SharedLimits
from bench.clients.openai_api import make_openai_client
from bench.clients.options import ClientOptions
from bench.clients.usage import read_usage
from tests_unit.support.asking import PATIENT, PRICES, ask, request
from tests_unit.support.model_server import ModelServer, completion, sends

P, C, T = "prompt_tokens", "completion_tokens", "total_tokens"
D = "completion_tokens_details"

# What was sent -> input, output, reasoning, and whether a note says that it does not add up.
USAGE: dict[str, tuple[Any, int | None, int | None, int | None, bool]] = {
    "plain": ({P: 1000, C: 200, T: 1200}, 1000, 200, None, False),
    "without a total": ({P: 1000, C: 200}, 1000, 200, None, False),
    "reasoning within": (
        {P: 1000, C: 200, T: 1200, D: {"reasoning_tokens": 150}},
        1000,
        200,
        150,
        False,
    ),
    "reasoning beside": (
        {P: 1000, C: 200, T: 1350, D: {"reasoning_tokens": 150}},
        1000,
        350,
        150,
        True,
    ),
    "reasoning alone": (
        {P: 1000, C: 0, T: 9000, D: {"reasoning_tokens": 8000}},
        1000,
        8000,
        8000,
        True,
    ),
    "reasoning above completion": ({P: 10, C: 5, D: {"reasoning_tokens": 70}}, 10, 70, 70, True),
    "reasoning at the top": ({P: 10, C: 5, "reasoning_tokens": 70}, 10, 70, 70, True),
    "total alone": ({P: 1000, T: 1300}, 1000, 300, None, True),
    "a total that is too small": ({P: 1000, C: 200, T: 5}, 1000, 200, None, False),
    "other names": ({"input_tokens": 10, "output_tokens": 5}, 10, 5, None, False),
    "all zeros": ({P: 0, C: 0, T: 0}, None, None, None, True),
    "no output for a text": ({P: 1000, C: 0, T: 1000}, 1000, None, None, True),
    "no input": ({P: 0, C: 200, T: 200}, None, 200, None, True),
    "a prompt alone": ({P: 7}, 7, None, None, True),
    "nothing": ({}, None, None, None, True),
    "none": (None, None, None, None, False),
    "a list": ([], None, None, None, True),
    "texts": ({P: "7", C: "3"}, None, None, None, True),
    "below zero": ({P: -1, C: -1, T: -2}, None, None, None, True),
    "fractions": ({P: 7.5, C: 3.0}, None, None, None, True),
    "beyond counting": ({P: 2**60, C: 5}, None, 5, None, True),
    "true": ({P: True, C: True}, None, None, None, True),
    "details that are none": ({P: 7, C: 3, D: [1]}, 7, 3, None, False),
}


@pytest.mark.parametrize(
    ("sent", "input_", "output", "reasoning", "noted"), USAGE.values(), ids=USAGE.keys()
)
def test_output_is_the_largest_that_is_told_and_an_impossible_zero_is_unknown(
    sent: Any, input_: int | None, output: int | None, reasoning: int | None, noted: bool
) -> None:
    usage, note = read_usage(sent, answered=True)
    assert (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens) == (
        input_,
        output,
        reasoning,
    )
    assert (note is not None) is noted


def test_an_empty_answer_may_have_cost_no_output() -> None:
    usage, note = read_usage({P: 1000, C: 0, T: 1000}, answered=False)
    assert (usage.output_tokens, note) == (0, None)


# $10 and $100 a million tokens; the request is bounded by 82 input and 500 output tokens.
WORST = 82 * 10e-6 + 500 * 100e-6


@pytest.mark.parametrize(
    ("sent", "spent"),
    [
        ({P: 1000, C: 200, T: 1200}, 0.03),
        ({P: 0, C: 0, T: 0}, WORST),
        ({P: 1000, C: 0, T: 9000, D: {"reasoning_tokens": 8000}}, 0.81),
        ({P: 1000, C: 0, T: 1000}, WORST),
        (None, WORST),
    ],
)
def test_unknown_usage_keeps_the_reservation_and_the_record_says_so(
    sent: Any, spent: float, tmp_path: Path
) -> None:
    with ModelServer(sends({**completion("{}"), "usage": sent})) as server:
        asked = ask(
            server.url, *PRICES, "max_output_tokens=500", most_usd=5.0, limits_folder=tmp_path
        )
    assert asked.reply is not None
    assert SharedLimits(tmp_path).spent_usd() == pytest.approx(spent, abs=1e-6)
    assert asked.attempts[0]["booked"]["usd"] == pytest.approx(spent)
    if sent is not None and sent.get(C) != 200:
        assert asked.reply.meta["usage"] == sent
        assert "booked" in asked.reply.meta["usage_note"]
    else:
        assert "usage_note" not in asked.reply.meta


def test_usage_above_the_limit_that_was_asked_warns_once_and_is_booked(tmp_path: Path) -> None:
    shown: list[str] = []
    with ModelServer(sends(completion("{}"))) as server:
        args = (*PATIENT, *PRICES, "max_output_tokens=199")
        options = ClientOptions(
            *(server.url, None, args), limits_folder=tmp_path, env_file=None, show=shown.append
        )
        with closing(make_openai_client("m", options)) as client:
            for call in (1, 2):
                client.reply(request(call=call), lambda _row: None)
        assert [seen.body["max_tokens"] for seen in server.seen] == [199, 199]
    assert len(shown) == 1
    assert "200 output tokens, though max_tokens = 199 was asked" in shown[0]
    assert "--model-arg output_limit_field=max_completion_tokens" in shown[0]
    assert SharedLimits(tmp_path).spent_usd() == pytest.approx(0.06)
