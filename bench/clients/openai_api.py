"""The client for every provider and local server that speaks OpenAI's chat completions.

One logical call may take several HTTP attempts. Each is bounded in time and size, reported to
the attempt log the moment it ends, and judged by the table in `bench.clients.faults`; the SDK
itself retries nothing. A complete choice is returned whatever it holds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import httpx2
import openai

from bench.clients.base import AttemptLog, Client, Reply, Request
from bench.clients.chat import chat_messages
from bench.clients.choices import filtered_reply, read_completion
from bench.clients.faults import Fault, fault_of_status, request_id_of
from bench.clients.filters import filter_of_status
from bench.clients.hashing import request_sha256
from bench.clients.keys import read_key
from bench.clients.limits import SharedLimits, Ticket
from bench.clients.options import ClientOptions, client_options
from bench.clients.profiles import Profile, ResolvedModel, near_models, resolve_model
from bench.clients.said import said
from bench.clients.spent import NOT_SENT, Bill, bills_of_session
from bench.clients.tokens import count_tokens
from bench.clients.transport import fault_of_exception, http_client
from bench.errors import BudgetReached, ClientError, FatalClientError, ModelError, RecordError
from bench.outside import Secret, hide_secrets
from bench.task import Json

MANIFEST = "manifest.json"
_NO_KEY = "none"  # the SDK refuses to be built without one; the transport sends the real one


@dataclass(frozen=True, slots=True)
class Clock:
    """Time, as the client sees it; tests bring their own."""

    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    monotonic: Callable[[], float] = time.monotonic


def make_openai_client(
    model: str, options: ClientOptions | Mapping[str, Any], clock: Clock | None = None
) -> Client:
    """The client for `model`. Checks everything that can be checked without a request.

    With `options.replay`, answers come from that session's records and no key is needed.
    Raises ModelError for a wrong profile, a missing key or a cost limit without a price.
    """
    options = client_options(options)
    resolved = resolve_model(model, options)
    if options.replay is not None:
        from bench.clients.replay import ReplayClient

        return ReplayClient(describe_model(resolved), model, options.replay)
    if options.most_usd is not None and not resolved.profile.priced:
        raise ModelError(
            f"--max-cost needs the prices of model {model}: give --model-arg price_input_usd=..., "
            "price_output_usd=... (US dollars per million tokens) and price_date=YYYY-MM-DD"
        )
    clock = clock or Clock()
    key = _key_for(resolved, options)
    return OpenAIClient(resolved, key, _limits_for(resolved, options, clock), options, clock)


def describe_model(resolved: ResolvedModel) -> dict[str, Json]:
    """Every resolved setting of a model, without secrets; `request` is what hashes use."""
    return {
        "client": "openai",
        "model": resolved.alias,
        "request": resolved.identity(),
        "profile": resolved.profile.model_dump(),
        "text_only": not resolved.profile.vision,
        "sdk": f"openai {version('openai')}",
    }


def _limits_for(resolved: ResolvedModel, options: ClientOptions, clock: Clock) -> SharedLimits:
    """The session's limits; what earlier runs spent is known before anything is sent."""
    session, profile = options.session, resolved.profile

    def bills(cut_off: bool) -> list[Bill]:
        if session is None:
            return []
        return bills_of_session(session, profile.output_token_bound, cut_off=cut_off)

    limits = SharedLimits(
        options.shared_folder,
        max_concurrency=options.max_concurrency,
        requests_per_minute=options.requests_per_minute,
        most_usd=options.most_usd,
        price=profile.bill_usd,
        bills=bills,
        sleep=clock.sleep,
    )
    if session is not None and (session / MANIFEST).is_file():
        limits.prepare()
    return limits


def _key_for(resolved: ResolvedModel, options: ClientOptions) -> Secret | None:
    name = resolved.profile.api_key_env
    key = read_key(name, env_file=options.env_file) if name else None
    if name and key is None and not resolved.local:
        near = near_models(resolved.alias, options.models_file)
        hint = f" (did you mean --model {near[0]}?)" if near else ""
        raise ModelError(
            f"model {resolved.alias} needs a key: set {name} in the environment or in .env{hint}"
        )
    return key


class OpenAIClient:
    """Asks one model. Not thread-safe; each worker process has its own."""

    def __init__(
        self,
        resolved: ResolvedModel,
        key: Secret | None,
        limits: SharedLimits,
        options: ClientOptions,
        clock: Clock,
    ) -> None:
        self._resolved = resolved
        self._profile: Profile = resolved.profile
        self._key = key
        self._limits = limits
        self._show = options.show
        self._options = options
        self._clock = clock
        self._warned = False
        self._runner: asyncio.Runner | None = None
        self._sdk: openai.AsyncOpenAI | None = None

    @property
    def name(self) -> str:
        """The model's name in tables."""
        return self._resolved.alias

    def describe(self) -> Mapping[str, Json]:
        """Every resolved setting, without secrets."""
        return describe_model(self._resolved)

    def reply(self, request: Request, log: AttemptLog) -> Reply:
        """Answer one request; report every HTTP attempt to `log` and each failed one to `show`.

        Raises ClientError when no attempt gave a complete choice, FatalClientError when no
        request of this run can, BudgetReached before an attempt that could pass the limit.
        """
        messages = chat_messages(request.observation, self._profile)
        tokens = count_tokens(request.observation, vision=self._profile.vision)
        worst = self._bill(tokens.bound, self._profile.output_token_bound)
        where = f"{request.level} call {request.call}"
        most = self._profile.attempts
        for attempt in range(1, most + 1):
            result = self._admitted(attempt, messages, worst, log)
            if isinstance(result, Reply):
                self._warn_above_limit(where, result)
                return self._recorded(result, request)
            last = not result.retry or attempt == most
            wait_s = 0.0 if last else self._wait_s(attempt, result)
            after = "" if last else f"; next try in {wait_s:g} s"
            self._show(f"{where}: attempt {attempt} of {most} failed: {result.line()}{after}")
            if last:
                raise self._error(where, attempt, result)
            self._clock.sleep(wait_s)
        raise AssertionError("attempts is at least 1")

    def close(self) -> None:
        """Close the connections and the event loop."""
        runner, sdk = self._runner, self._sdk
        self._runner = self._sdk = None
        if runner is not None:
            if sdk is not None:
                runner.run(sdk.close())
            runner.close()

    def _admitted(
        self, number: int, messages: list[dict[str, Json]], worst: Bill, log: AttemptLog
    ) -> Reply | Fault:
        """One attempt within the session's limits, while the session is there."""
        session = self._options.session
        if session is not None and not (session / MANIFEST).is_file():
            raise RecordError(
                f"the session's {MANIFEST} is gone; nothing is sent, as no answer could be kept"
            )
        try:
            with self._limits.admit(worst) as ticket:
                return self._attempt(number, messages, ticket, log)
        except BudgetReached:
            log({"event": NOT_SENT, "possibly_billed": False, "at": self._clock.now().isoformat()})
            raise

    def _attempt(
        self, number: int, messages: list[dict[str, Json]], ticket: Ticket, log: AttemptLog
    ) -> Reply | Fault:
        """One HTTP attempt: sent, judged, logged and paid for."""
        started, begin = self._clock.now(), self._clock.monotonic()

        def record(result: Reply | Fault) -> None:
            fault = result if isinstance(result, Fault) else None
            meta = {} if isinstance(result, Fault) else result.meta
            bill = self._bill_of(result, ticket.reserved)
            ticket.settle(bill)
            log(
                {
                    "attempt": number,
                    "started_at": started.isoformat(),
                    "ended_at": self._clock.now().isoformat(),
                    "seconds": round(self._clock.monotonic() - begin, 3),
                    "host": self._resolved.host,
                    "status": fault.status if fault else meta.get("http_status", 200),
                    "error": fault.kind if fault else None,
                    "message": fault.message if fault else None,
                    "request_id": fault.request_id if fault else meta.get("request_id"),
                    "possibly_billed": fault.rule.billed if fault else False,
                    "booked": bill.row(),
                }
            )

        try:
            result = self._run(self._send(messages))
        except BaseException:
            record(Fault("interrupted", "the run was stopped in mid-request"))
            raise
        record(result)
        return result

    def _run(self, coroutine: Any) -> Reply | Fault:
        # The runner turns the first Ctrl-C into a cancellation, the second into an exception.
        if self._runner is None:
            self._runner = asyncio.Runner()
        result: Reply | Fault = self._runner.run(coroutine)
        return result

    async def _send(self, messages: list[dict[str, Json]]) -> Reply | Fault:
        """Send one request under the total deadline. Never raises for what a server does."""
        try:
            async with asyncio.timeout(self._profile.deadline_s):
                response = await self._post(messages)
        except TimeoutError:
            return Fault("deadline", f"not complete after {self._profile.deadline_s:g} s")
        except openai.APIStatusError as error:
            response = error.response
        except (openai.APIConnectionError, httpx2.RequestError) as error:
            return fault_of_exception(error, self._key)
        return self._judge(response.status_code, response.headers, response.content)

    async def _post(self, messages: list[dict[str, Json]]) -> Any:
        if self._sdk is None:
            self._sdk = openai.AsyncOpenAI(
                api_key=_NO_KEY,
                base_url=self._profile.base_url,
                max_retries=0,
                http_client=http_client(self._profile, self._key),
            )
        completions: Any = self._sdk.chat.completions.with_raw_response
        raw = await completions.create(
            model=self._profile.model,
            messages=messages,
            extra_body=self._profile.parameters(),
            extra_headers={"Accept-Encoding": "identity"},
        )
        return raw.http_response

    def _judge(self, status: int, headers: Mapping[str, str], body: bytes) -> Reply | Fault:
        """The reply or the fault, without the key anywhere in it."""
        if self._key is not None:
            body = self._key.hide_bytes(body)
        request_id = request_id_of(headers, self._key)
        if 200 <= status < 300:
            result = read_completion(body, request_id, self._key)
            return replace(result, status=status) if isinstance(result, Fault) else result
        filtered = filter_of_status(status, body)
        if filtered is not None:
            return filtered_reply(filtered.provider, said(body), status, request_id, self._key)
        return fault_of_status(status, headers, body, self._clock.now(), self._key)

    def _wait_s(self, attempt: int, fault: Fault) -> float:
        """Back-off before the next attempt: doubling between the bounds, or what was asked."""
        doubled = self._profile.backoff_min_s * 2.0 ** (attempt - 1)
        return max(min(doubled, self._profile.backoff_max_s), fault.retry_after_s or 0.0)

    def _bill(self, input_tokens: int, output_tokens: int) -> Bill:
        usd = self._profile.bill_usd(input_tokens, output_tokens)
        return Bill(input_tokens, output_tokens, usd)

    def _bill_of(self, result: Reply | Fault, worst: Bill) -> Bill:
        """What an attempt counts for: the worst case where nobody knows, nothing where it is."""
        if isinstance(result, Fault):
            return worst if result.rule.billed else self._bill(0, 0)
        usage = result.usage
        if usage.input_tokens is None or usage.output_tokens is None:
            return worst
        return self._bill(usage.input_tokens, usage.output_tokens)

    def _recorded(self, reply: Reply, request: Request) -> Reply:
        """The reply with what was sent for it."""
        meta = {
            "model": self._profile.model,
            "parameters": self._profile.parameters(),
            **reply.meta,
            "request_sha256": request_sha256(self.describe(), request),
        }
        return replace(reply, meta=meta)

    def _warn_above_limit(self, where: str, reply: Reply) -> None:
        """Say once that a server does not keep to the limit; what it says is booked."""
        asked, used = self._profile.max_output_tokens, reply.usage.output_tokens
        if self._warned or asked is None or used is None or used <= asked:
            return
        self._warned = True
        field = self._profile.output_limit_field
        other = "max_tokens" if field == "max_completion_tokens" else "max_completion_tokens"
        self._show(
            f"{where}: {used} output tokens, though {field} = {asked} was asked: the server does "
            f"not keep to it, and bounds of --dry-run and --max-cost do not hold; what it says is "
            f"booked. Try --model-arg output_limit_field={other}"
        )

    def _error(self, where: str, attempts: int, fault: Fault) -> ClientError:
        tries = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        raised = FatalClientError if fault.fatal else ClientError
        line = hide_secrets(f"{fault.line()}{self._hint(fault)}", self._key)
        return raised(
            f"{where}: no answer from {self._resolved.host} after {tries}: {line}", kind=fault.kind
        )

    def _hint(self, fault: Fault) -> str:
        if fault.kind in ("authentication", "forbidden"):
            name = self._profile.api_key_env
            if self._key is not None:
                return f"; check {name}"
            return "; no key was sent: name its variable with --model-arg api_key_env=NAME"
        if fault.kind == "unknown_model":
            near = near_models(self._resolved.alias, self._options.models_file)
            return f"; did you mean --model {near[0]}?" if near else ""
        return ""
