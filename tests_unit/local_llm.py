"""A real language model, end to end. Run by name only: `pytest tests_unit/local_llm.py`.

The file's name keeps it out of every other run: it needs a server that is built by hand, in an
environment whose interpreter LOCAL_LLM_PYTHON names (scripts/local_llm.py says how).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests_unit.support.paths import ROOT


@pytest.mark.local_llm
def test_three_levels_are_answered_recorded_and_scored(tmp_path: Path) -> None:
    python = os.environ.get("LOCAL_LLM_PYTHON")
    assert python, "set LOCAL_LLM_PYTHON to the interpreter that has llama-cpp-python[server]"
    command = [sys.executable, ROOT / "scripts" / "local_llm.py", "--server-python", python]
    command += ["--limit", "3", "--runs-dir", tmp_path, "--session", "smollm2"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=3600, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    results = [json.loads(p.read_text()) for p in (tmp_path / "smollm2").glob("*/result.json")]
    assert len(results) == 3
    assert all(r["outcome"] in ("success", "failure_or_timeout", "invalid") for r in results)
    replies = sorted((tmp_path / "smollm2").glob("*/call-*/response.json"))
    assert len(replies) == sum(r["counters"]["calls"] for r in results)
    for path in replies:
        usage = json.loads(path.read_text())["usage"]
        assert usage["input_tokens"] > 500
        assert usage["output_tokens"] >= 1
    for path in (tmp_path / "smollm2").glob("*/call-*/request.json"):
        assert json.loads(path.read_text())["pictures"] == []
