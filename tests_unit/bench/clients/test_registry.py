import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.clients.registry import make_client
from bench.errors import ModelError


def test_baseline_alone_is_the_engineer():
    assert make_client("baseline").name == "baseline:engineer"
    assert make_client("baseline:plank").name == "baseline:plank"


def test_an_unknown_baseline_names_all_and_the_closest():
    with pytest.raises(ModelError) as caught:
        make_client("baseline:plnk")
    assert "use one of plank, wood-truss-deck," in str(caught.value)
    assert str(caught.value).endswith("did you mean baseline:plank?")


def test_nothing_after_the_colon_is_an_error_too():
    with pytest.raises(ModelError, match="baseline '' is unknown"):
        make_client("baseline:")
    with pytest.raises(ModelError, match="needs a path"):
        make_client("scripted:")
    with pytest.raises(ModelError, match="--model is empty"):
        make_client(" ")


def test_scripted_takes_the_rest_as_a_path_colons_included(tmp_path: Path):
    path = tmp_path / "a:b.json"
    path.write_text(json.dumps({"*": ["x"]}))
    assert make_client(f"scripted:{path}").name == "scripted:a:b.json"


def test_choosing_a_baseline_loads_no_model_library():
    code = (
        "import sys; from bench.clients.registry import make_client; make_client('baseline');"
        "print([m for m in ('openai', 'PIL', 'numba', 'pandas', 'shapely') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
