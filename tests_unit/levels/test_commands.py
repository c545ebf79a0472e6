"""Every command of `python -m levels` ends alike: a mistake is one line and exit code 4."""

from __future__ import annotations

import pytest

from levels.__main__ import main
from levels.bridge import COMMANDS

OTHERWISE = {"numbers"}
"""Commands that still end in argparse's own way, with usage and exit code 2."""


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in OTHERWISE])
def test_a_mistake_is_one_line_and_exit_code_4(command, capsys):
    assert main([command, "--no-such-option", "5"]) == 4
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["t9", "--title", "x"], "code 't9' must be"),
        (["T1B", "--title", "x"], "code 'T1B' is in the name T1B_Basic_4m"),
        (["BASIC", "--title", "x"], "is in the name T1B_Basic_4m"),
        (["T9", "--title", 'a "gap"'], "--title must be one line"),
        (["T9", "--title", " "], "--title must be one line"),
    ],
)
def test_a_family_that_cannot_be_is_refused(words, says, capsys):
    assert main(["add", *words, "--group", "load"]) == 4
    assert says in capsys.readouterr().err
