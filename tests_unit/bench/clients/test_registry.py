import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.clients.base import Request
from bench.clients.baseline import Designer
from bench.clients.options import ClientOptions
from bench.clients.registry import make_client
from bench.domain import DEFAULT_DOMAIN
from bench.errors import ModelError
from bench.task import Observation


class Stacks:
    """The baselines of a domain that is no bridge."""

    default_baseline = "tower"

    def baseline(self, name: str) -> Designer:
        if name not in ("tower", "wall"):
            raise ModelError(f"baseline {name!r} is unknown; use one of tower, wall")
        return lambda data: f"{name} of {data['bricks']}"


def test_baseline_is_a_designer_of_the_domain_and_alone_its_default() -> None:
    assert make_client("baseline", baseline=Stacks()).name == "baseline:tower"
    wall = make_client("baseline:wall", baseline=Stacks())
    assert wall.name == "baseline:wall"
    asked = Request("L", 1, 1, Observation({"bricks": 7}, ()))
    assert wall.reply(asked, lambda _row: None).text == "wall of 7"


@pytest.mark.parametrize("name", ["baseline:", "baseline:wal", "baseline:wall:2"])
def test_what_the_domain_does_not_know_is_refused_in_its_words(name: str) -> None:
    with pytest.raises(ModelError, match="is unknown; use one of tower, wall"):
        make_client(name, baseline=Stacks())


def test_the_options_name_the_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("bench.domain.get_domain", lambda name: asked.append(name) or Stacks())
    assert make_client("baseline", {"domain": "bricks"}).name == "baseline:tower"
    make_client("baseline", ClientOptions())
    assert asked == ["bricks", DEFAULT_DOMAIN]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("basline", "baseline"),
        ("Baseline", "baseline"),
        ("baselines:wall", "baseline:wall"),
        ("basline:tower", "baseline:tower"),
        ("scriped:a.json", "scripted:a.json"),
        ("scripted", "scripted:"),
    ],
)
def test_a_slip_is_not_sent_to_a_provider_as_a_model(typed: str, meant: str) -> None:
    with pytest.raises(ModelError) as caught:
        make_client(typed)
    assert f"{typed!r} is unknown; did you mean {meant}? (" in str(caught.value)


def test_a_model_that_somebody_serves_may_have_any_name() -> None:
    options = ClientOptions(base_url="http://127.0.0.1:9/v1", env_file=None)
    assert make_client("basline", options).name == "basline"
    for name in ("llama3:8b", "base", "gpt-5.2"):
        assert make_client(name, options).name == name


def test_nothing_after_the_colon_is_an_error_too() -> None:
    with pytest.raises(ModelError, match="needs a path"):
        make_client("scripted:")
    with pytest.raises(ModelError, match="--model is empty"):
        make_client(" ")


def test_scripted_takes_the_rest_as_a_path_colons_included(tmp_path: Path) -> None:
    path = tmp_path / "a:b.json"
    path.write_text(json.dumps({"*": ["x"]}))
    assert make_client(f"scripted:{path}").name == "scripted:a:b.json"


def test_choosing_a_baseline_loads_no_model_library_and_no_domain() -> None:
    code = (
        "import sys; from bench.clients.registry import make_client\n"
        "from tests_unit.bench.clients.test_registry import Stacks\n"
        "make_client('baseline', baseline=Stacks())\n"
        "heavy = ('openai', 'PIL', 'numba', 'pandas', 'shapely', 'bench.bridge')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
