"""Model profiles: what is known of a model, merged from three places and checked strictly.

From weak to strong: `[default]`, the model's table in models.toml, the same two of the user's
`--models-file`, `--base-url`, then each `--model-arg`. A mistake in any raises ModelError with
the key, its value and what is allowed, before anything is sent.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bench.clients.endpoint import host_of, is_loopback, read_base_url
from bench.clients.options import ClientOptions
from bench.errors import ModelError
from bench.outside import hide_secrets, is_no_variable_name, looks_like_key, one_line

UNSET = "unset"
"""The word that clears a key which may be unset, in a file and in `--model-arg`."""

_OWN_KEYS = ("model", "messages", "stream", "n", "temperature", "max_tokens")
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Tokens = Annotated[int, Field(ge=1, le=10_000_000)]
Price = Annotated[float, Field(ge=0, le=100_000)]


class Profile(BaseModel):
    """Everything that decides how one model is asked. Frozen into the session's manifest.

    `reasoning` and `body` are sent as further fields of the request (`reasoning` is empty by
    default: the provider's own setting). `output_limit_field` is the name under which
    `max_output_tokens` is sent, if that is set; unless somebody names it, servers on this
    machine get `max_tokens`, which all of them know, and others `max_completion_tokens`. Times
    are seconds for one HTTP attempt; `deadline_s` bounds the whole attempt, however slowly bytes
    trickle in. `attempts` counts the first. Prices are US dollars per million tokens, None
    where unknown.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    model: Annotated[str, Field(min_length=1, max_length=200)]
    base_url: str
    api_key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")]
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    reasoning: dict[str, Any] = Field(default_factory=dict)
    body: dict[str, Any] = Field(default_factory=dict)
    output_limit_field: Literal["max_tokens", "max_completion_tokens"]
    max_output_tokens: Tokens | None = None
    connect_timeout_s: Seconds
    read_timeout_s: Seconds
    write_timeout_s: Seconds
    pool_timeout_s: Seconds
    deadline_s: Seconds
    attempts: Annotated[int, Field(ge=1, le=20)]
    backoff_min_s: Annotated[float, Field(ge=0, le=600)]
    backoff_max_s: Annotated[float, Field(ge=0, le=600)]
    vision: bool
    image_detail: Literal["low", "high", "auto"] | None = None
    image_order: Literal["as_observed", "images_first", "images_last"]
    assumed_output_tokens: Tokens
    price_input_usd: Price | None = None
    price_output_usd: Price | None = None
    price_date: Annotated[str, Field(pattern=r"^20\d\d-[01]\d-[0-3]\d$")] | None = None

    @model_validator(mode="after")
    def _fits_together(self) -> Profile:
        if self.backoff_max_s < self.backoff_min_s:
            raise ValueError(
                f"backoff_max_s={self.backoff_max_s:g} is below "
                f"backoff_min_s={self.backoff_min_s:g}"
            )
        if (self.price_input_usd is None) != (self.price_output_usd is None):
            raise ValueError("price_input_usd and price_output_usd go together; set both or none")
        if self.priced and self.price_date is None:
            raise ValueError("a price needs price_date=YYYY-MM-DD, the day you looked it up")
        for table, fields in (("reasoning", self.reasoning), ("body", self.body)):
            taken = sorted(set(fields) & set(_OWN_KEYS))
            if taken:
                raise ValueError(f"{table}.{taken[0]} is set by the client; use the profile's key")
            try:
                json.dumps(fields, allow_nan=False)
            except (TypeError, ValueError):
                raise ValueError(f"{table} = {fields!r} is not JSON") from None
        return self

    @property
    def priced(self) -> bool:
        """Whether both prices are known."""
        return self.price_input_usd is not None and self.price_output_usd is not None

    @property
    def output_token_bound(self) -> int:
        """Most output tokens to reckon with: the limit that is sent, else what is assumed."""
        return self.max_output_tokens or self.assumed_output_tokens

    def bill_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars for so many tokens, None where the price is unknown."""
        if self.price_input_usd is None or self.price_output_usd is None:
            return None
        return (
            input_tokens * self.price_input_usd + output_tokens * self.price_output_usd
        ) / 1_000_000

    def parameters(self) -> dict[str, Any]:
        """The fields that are sent beside the model and the messages."""
        sent: dict[str, Any] = {}
        if self.temperature is not None:
            sent["temperature"] = self.temperature
        if self.max_output_tokens is not None:
            sent[self.output_limit_field] = self.max_output_tokens
        return {**sent, **self.reasoning, **self.body}


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model as the user named it, with its checked profile."""

    alias: str
    profile: Profile

    @property
    def host(self) -> str:
        """Host and port that requests go to."""
        return host_of(self.profile.base_url)

    @property
    def local(self) -> bool:
        """Whether requests stay on this machine."""
        return is_loopback(self.profile.base_url)

    def identity(self) -> dict[str, Any]:
        """What a request's hash takes from the configuration: model, host, all parameters."""
        return {
            "model": self.profile.model,
            "host": self.host,
            "parameters": self.profile.parameters(),
            "vision": self.profile.vision,
            "image_detail": self.profile.image_detail,
            "image_order": self.profile.image_order,
        }


def known_models(models_file: Path | None = None) -> list[str]:
    """The aliases that have a profile of their own, in the files' order."""
    tables: dict[str, None] = dict.fromkeys(_builtin()["models"])
    if models_file is not None:
        tables.update(dict.fromkeys(_read_user_file(models_file)["models"]))
    return list(tables)


def resolve_model(alias: str, options: ClientOptions) -> ResolvedModel:
    """The profile of `alias`, its address checked. Raises ModelError for any mistake."""
    profile = read_profile(alias, options)
    base_url = read_base_url(profile.base_url, alias)
    return ResolvedModel(alias, profile.model_copy(update={"base_url": base_url}))


def read_profile(alias: str, options: ClientOptions) -> Profile:
    """The profile of `alias` under the user's options, which may have no address yet."""
    if not alias.strip() or alias != alias.strip():
        raise ModelError(f"--model {alias!r} is no model id; known: {', '.join(known_models())}")
    layers = [_builtin()]
    if options.models_file is not None:
        layers.append(_read_user_file(options.models_file))
    merged: dict[str, Any] = {"model": alias}
    for layer in layers:
        merged = _merge(merged, layer["default"])
    for layer in layers:
        merged = _merge(merged, layer["models"].get(alias, {}))
    own: dict[str, Any] = {} if options.base_url is None else {"base_url": options.base_url}
    for text in options.model_args:
        own = _merge(own, _read_model_arg(text), clear=False)
    if options.no_images:
        own["vision"] = False
    merged = _merge(merged, own)
    local = _is_local(merged.get("base_url"))
    merged.setdefault("output_limit_field", "max_tokens" if local else "max_completion_tokens")
    _refuse_keys(alias, merged)
    return _check(alias, merged)


def near_models(alias: str, models_file: Path | None = None) -> list[str]:
    """Known models that a mistyped name may mean, the nearest first; none for a known one."""
    known = known_models(models_file)
    return [] if alias in known else difflib.get_close_matches(alias, known, n=3, cutoff=0.75)


def _is_local(url: Any) -> bool:
    try:
        return isinstance(url, str) and is_loopback(url)
    except ValueError:
        return False


def _refuse_keys(alias: str, merged: dict[str, Any]) -> None:
    """Refuse a key in any value: all of them are recorded. It is shown in no message."""
    name = merged.get("api_key_env")
    if isinstance(name, str) and is_no_variable_name(name):
        raise ModelError(
            f"api_key_env of model {alias} holds what looks like a key; it is recorded, so put the "
            "key into an environment variable or .env and give that variable's name"
        )
    for key, value in merged.items():
        if looks_like_key(value if isinstance(value, str) else json.dumps(value, default=str)):
            raise ModelError(
                f"{key} of model {one_line(alias)} holds what looks like a key; it is recorded, so "
                "put the key into an environment variable and name that by api_key_env"
            )


def _builtin() -> dict[str, Any]:
    text = resources.files("bench.clients").joinpath("models.toml").read_text("utf-8")
    return tomllib.loads(text)


def _read_user_file(path: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"--models-file {path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(f"--models-file {path} is not TOML: {error}") from None
    for key in data:
        if key not in ("default", "models"):
            raise ModelError(
                f"--models-file {path}: [{key}] is unknown; allowed: [default] and "
                f'[models."ALIAS"], such as [models."{key}"]'
            )
    tables = {"default": data.get("default", {}), "models": data.get("models", {})}
    named = [("[default]", tables["default"]), ("[models]", tables["models"])]
    if isinstance(tables["models"], dict):
        named += [(f'[models."{name}"]', table) for name, table in tables["models"].items()]
    for name, table in named:
        if not isinstance(table, dict):
            raise ModelError(f"--models-file {path}: {name} = {table!r} must be a table of keys")
        if name != "[models]":
            for key in table:
                _check_key(key, f"--models-file {path} {name}")
    return tables


def _merge(base: dict[str, Any], over: dict[str, Any], clear: bool = True) -> dict[str, Any]:
    """`over` on top of `base`; the two tables of sent fields are merged key by key.

    With `clear`, a key that is UNSET in `over` is taken out. A layer that moves requests to
    another host and names no key's variable gets none: a key never follows to a host that it
    was not meant for.
    """
    merged = dict(base)
    for key, value in over.items():
        if key in ("reasoning", "body") and isinstance(value, dict):
            inner = {**(merged.get(key) or {}), **value}
            merged[key] = {k: v for k, v in inner.items() if not (clear and v == UNSET)}
        elif clear and value == UNSET:
            merged.pop(key, None)
        else:
            merged[key] = value
    if clear and "api_key_env" not in over and _host(merged) != _host(base):
        merged["api_key_env"] = ""
    return merged


def _host(table: dict[str, Any]) -> str:
    url = table.get("base_url", "")
    return host_of(url) if isinstance(url, str) else ""


def _check_key(key: str, where: str) -> None:
    if key in Profile.model_fields:
        return
    near = difflib.get_close_matches(key, Profile.model_fields, 1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise ModelError(f"{where}: {key} is unknown{hint}; allowed: {', '.join(Profile.model_fields)}")


def _read_model_arg(text: str) -> dict[str, Any]:
    key, equals, raw = text.partition("=")
    shown = hide_secrets(repr(text))
    if not equals:
        raise ModelError(f"--model-arg {shown} must be key=value, such as temperature=0.2")
    key, raw = key.strip(), raw.strip()
    table, dot, name = key.partition(".")
    if dot:
        if table not in ("reasoning", "body") or not name:
            raise ModelError(
                f"--model-arg {shown}: only reasoning.NAME and body.NAME have a dot in the key"
            )
        return {table: {name: _read_value(raw)}}
    _check_key(key, f"--model-arg {shown}")
    if Profile.model_fields[key].annotation is str:
        return {key: raw}
    return {key: _read_value(raw)}


def _read_value(raw: str) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw


def _check(alias: str, merged: dict[str, Any]) -> Profile:
    try:
        return Profile.model_validate(merged)
    except ValidationError as error:
        lines = []
        for item in error.errors(include_url=False):
            key = ".".join(str(part) for part in item["loc"])
            said = item["msg"].removeprefix("Value error, ")
            given = "" if key == "api_key_env" else f" = {item['input']!r}"
            lines.append(f"{key}{given}: {said}" if key else said)
        raise ModelError(hide_secrets(f"model {alias}: {'; '.join(lines)}")) from None
