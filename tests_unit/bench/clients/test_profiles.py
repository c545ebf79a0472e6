"""Model profiles: what is known, how layers merge, and what a mistake says."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.clients.endpoint import is_loopback, proxy_for
from bench.clients.options import ClientOptions, client_options
from bench.clients.profiles import Profile, known_models, near_models, resolve_model
from bench.errors import ModelError

PAPER = {
    "gemini-3-flash-preview": "generativelanguage.googleapis.com",
    "qwen3-vl-plus": "dashscope-intl.aliyuncs.com",
    "gemma-4-31b-it": "127.0.0.1:8000",
    "kimi-k2.5": "api.moonshot.ai",
    "gpt-5.2": "api.openai.com",
    "claude-sonnet-5": "api.anthropic.com",
}


def profile_of(model: str, *args: str, file: Path | None = None, url: str | None = None) -> Profile:
    return resolve_model(
        model, ClientOptions(model_args=args, models_file=file, base_url=url)
    ).profile


def test_the_six_models_of_the_paper_are_known() -> None:
    assert sorted(known_models()) == sorted(PAPER)


@pytest.mark.parametrize("model", PAPER)
def test_model_of_the_paper_goes_to_its_own_host_with_its_own_key(model: str) -> None:
    url = "http://127.0.0.1:8000/v1" if model == "gemma-4-31b-it" else None
    resolved = resolve_model(model, ClientOptions(base_url=url))
    assert resolved.host == PAPER[model]
    assert resolved.profile.api_key_env.endswith("_API_KEY") or resolved.local
    assert resolved.profile.model == model
    assert resolved.profile.temperature in (0.2, None)
    assert resolved.profile.reasoning == {}
    assert resolved.profile.max_output_tokens is None
    assert not resolved.profile.priced


def test_transport_follows_the_paper_and_claude_reads_longer_with_fewer_attempts() -> None:
    common, claude = profile_of("gpt-5.2"), profile_of("claude-sonnet-5")
    assert (common.connect_timeout_s, common.write_timeout_s, common.pool_timeout_s) == (10, 60, 30)
    assert (common.backoff_min_s, common.backoff_max_s) == (2, 10)
    assert common.read_timeout_s == 300
    assert claude.read_timeout_s > 300
    assert claude.attempts < common.attempts


def test_model_without_an_address_asks_for_one() -> None:
    with pytest.raises(ModelError, match="model gemma-4-31b-it has no base_url; give --base-url"):
        profile_of("gemma-4-31b-it")


def test_any_other_id_works_with_the_default_profile() -> None:
    profile = profile_of("gpt-9-nano")
    assert profile.model == "gpt-9-nano"
    assert profile.base_url == "https://api.openai.com/v1"
    assert profile.parameters() == {}


def test_layers_go_from_the_files_to_the_single_argument(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        "[default]\nattempts = 7\nimage_detail = 'auto'\n"
        "[models.house]\nmodel = 'org/house-7b'\nbase_url = 'http://10.0.0.5:8000/v1/'\n"
        "temperature = 0.9\nattempts = 5\n[models.house.body]\ntop_k = 40\nseed = 1\n"
        "[models.'gpt-5.2']\nattempts = 1\n"
    )
    house = profile_of("house", "temperature=0.1", "body.seed=2", file=file)
    assert house.model == "org/house-7b"
    assert house.base_url == "http://10.0.0.5:8000/v1"
    assert house.attempts == 5
    assert house.image_detail == "auto"
    assert house.parameters() == {"temperature": 0.1, "top_k": 40, "seed": 2}
    assert profile_of("gpt-5.2", file=file).attempts == 1
    assert profile_of("other", file=file).attempts == 7
    assert "house" in known_models(file)


def test_key_stays_with_the_host_it_was_named_for(tmp_path: Path) -> None:
    assert profile_of("gpt-5.2").api_key_env == "OPENAI_API_KEY"
    assert profile_of("gpt-5.2", url="https://API.openai.com/v1").api_key_env == "OPENAI_API_KEY"
    assert profile_of("gpt-5.2", url="https://gateway.example/v1").api_key_env == ""
    named = profile_of("gpt-5.2", "api_key_env=GATEWAY", url="https://gateway.example/v1")
    assert named.api_key_env == "GATEWAY"
    file = tmp_path / "mine.toml"
    file.write_text("[models.'gpt-5.2']\nbase_url = 'https://gateway.example/v1'\n")
    assert profile_of("gpt-5.2", file=file).api_key_env == ""


def test_unset_takes_a_value_back() -> None:
    assert profile_of("qwen3-vl-plus").temperature == 0.2
    assert profile_of("qwen3-vl-plus", "temperature=unset").temperature is None
    assert profile_of("m", "body.a=1", "body.a=unset").parameters() == {}


def test_price_gives_dollars_and_none_stays_unknown() -> None:
    priced = profile_of("m", "price_input_usd=2", "price_output_usd=10", "price_date=2026-11-30")
    assert priced.bill_usd(1_000_000, 500_000) == 7.0
    assert profile_of("m").bill_usd(1_000_000, 500_000) is None


@pytest.mark.parametrize(
    ("arg", "says"),
    [
        ("temperatur=1", "temperatur is unknown (did you mean temperature?); allowed: model,"),
        ("temperature=3", "temperature = 3: Input should be less than or equal to 2"),
        ("temperature=NaN", "temperature = nan: Input should be"),
        ('temperature="0.2"', "temperature = '0.2': Input should be a valid number"),
        ("attempts=0", "attempts = 0: Input should be greater than or equal to 1"),
        ("attempts=2.5", "attempts = 2.5: Input should be a valid integer"),
        ("attempts=true", "attempts = True: Input should be a valid integer"),
        ("vision=no", "vision = 'no': Input should be a valid boolean"),
        ("image_detail=huge", "image_detail = 'huge': Input should be 'low', 'high' or 'auto'"),
        ("output_limit_field=n", "Input should be 'max_tokens' or 'max_completion_tokens'"),
        ("backoff_max_s=1", "backoff_max_s=1 is below backoff_min_s=2"),
        ("price_input_usd=1", "price_input_usd and price_output_usd go together"),
        ("price_date=soon", "price_date = 'soon': String should match"),
        ("api_key_env=sk-123", "api_key_env: String should match"),
        ("body.messages=[]", "body.messages is set by the client"),
        ("body.x=NaN", "body = {'x': nan} is not JSON"),
        ("other.x=1", "only reasoning.NAME and body.NAME have a dot in the key"),
        ("temperature", "must be key=value, such as temperature=0.2"),
        ("base_url=ftp://x/v1", "must start with http:// or https://"),
        ("base_url=https://", "must start with http:// or https://"),
        ("base_url=https://user:pw@x/v1", "holds a user name, a query or a fragment"),
        ("base_url=https://x/v1?key=1", "holds a user name, a query or a fragment"),
        ("base_url=http://x:99999/v1", "is no URL"),
    ],
)
def test_mistake_names_the_key_the_value_and_what_is_allowed(arg: str, says: str) -> None:
    with pytest.raises(ModelError) as caught:
        profile_of("m", arg)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_price_without_its_day_is_refused() -> None:
    with pytest.raises(ModelError, match="a price needs price_date=YYYY-MM-DD"):
        profile_of("m", "price_input_usd=1", "price_output_usd=1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("attempts = ", "is not TOML"),
        ("attempts = 3", "[attempts] is unknown; allowed: [default] and"),
        ("models = 3", "[models] = 3 must be a table"),
        ("[models]\nm = 3", '[models."m"] = 3 must be a table'),
        ("[models.m]\nattempt = 3", "attempt is unknown (did you mean attempts?)"),
        ("[models.m]\nattempts = 'x'", "attempts = 'x': Input should be a valid integer"),
        ("[models.m]\nbase_url = 3", "base_url = 3: Input should be a valid string"),
        ("[models.m.body]\nd = 2026-01-01", "is not JSON"),
    ],
)
def test_mistake_in_the_users_file_says_where(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ModelError) as caught:
        profile_of("m", file=file)
    assert says in str(caught.value)


def test_missing_users_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"--models-file .*none\.toml: No such file"):
        profile_of("m", file=tmp_path / "none.toml")


@pytest.mark.parametrize("model", ["", " ", " gpt-5.2"])
def test_empty_model_id_lists_the_known_ones(model: str) -> None:
    with pytest.raises(ModelError, match=r"known: gpt-5\.2, claude-sonnet-5"):
        profile_of(model)


def test_unknown_client_option_is_said() -> None:
    with pytest.raises(ModelError, match="client option 'base' is unknown; allowed: base_url"):
        client_options({"base": "x"})


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://10.0.0.1/v1", False),
        ("https://localhost.example/v1", False),
    ],
)
def test_loopback_is_told_from_other_hosts(url: str, local: bool) -> None:
    assert is_loopback(url) is local


def test_proxy_is_the_environments_unless_no_proxy_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert proxy_for("https://models.example/v1") is None
    monkeypatch.setenv("https_proxy", "proxy.example:3128")
    monkeypatch.setenv("no_proxy", "inner.example")
    assert proxy_for("https://models.example/v1") == "http://proxy.example:3128"
    assert proxy_for("https://inner.example/v1") is None
    assert proxy_for("http://127.0.0.1:8000/v1") is None


LIMIT = "max_output_tokens=9"


@pytest.mark.parametrize(
    ("model", "url", "field"),
    [
        ("m", "http://127.0.0.1:8000/v1", "max_tokens"),
        ("m", "http://localhost:8000/v1", "max_tokens"),
        ("m", "http://[::1]:8000/v1", "max_tokens"),
        ("gpt-5.2", "http://127.0.0.1:8000/v1", "max_tokens"),
        ("m", "http://10.0.0.5:8000/v1", "max_completion_tokens"),
        ("m", "https://models.example/v1", "max_completion_tokens"),
        ("m", None, "max_completion_tokens"),
        ("qwen3-vl-plus", None, "max_tokens"),
    ],
)
def test_output_limit_has_the_name_that_the_server_knows(
    model: str, url: str | None, field: str
) -> None:
    assert profile_of(model, LIMIT, url=url).parameters()[field] == 9
    other = {"max_tokens", "max_completion_tokens"} - {field}
    (named,) = other
    own = profile_of(model, LIMIT, f"output_limit_field={named}", url=url)
    assert own.parameters()[named] == 9


def test_name_of_the_output_limit_in_a_file_stays_on_this_machine_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[default]\noutput_limit_field = 'max_completion_tokens'\n")
    profile = profile_of("m", LIMIT, file=file, url="http://127.0.0.1:8000/v1")
    assert profile.parameters() == {"max_completion_tokens": 9}


@pytest.mark.parametrize(
    ("typed", "near"),
    [("gpt-52", ["gpt-5.2"]), ("claude-sonet-5", ["claude-sonnet-5"]), ("gpt-5.2", []), ("x", [])],
)
def test_mistyped_model_has_a_near_one(typed: str, near: list[str]) -> None:
    assert near_models(typed) == near
