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
from bench.clients.choices import read_completion
from bench.clients.faults import Fault, fault_of_status, is_filtered
from bench.clients.hashing import request_sha256
from bench.clients.keys import Secret, read_key, redact
from bench.clients.limits import SharedLimits, Ticket
from bench.clients.options import ClientOptions, client_options
from bench.clients.profiles import Profile, ResolvedModel, resolve_model
from bench.clients.tokens import count_tokens
from bench.clients.transport import fault_of_exception, http_client
from bench.errors import ClientError, FatalClientError, ModelError
from bench.task import Json

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
    if options.max_cost_usd is not None and not resolved.profile.priced:
        raise ModelError(
            f"--max-cost needs the prices of model {model}: give --model-arg price_input_usd=..., "
            "price_output_usd=... (US dollars per million tokens) and price_date=YYYY-MM-DD"
        )
    clock = clock or Clock()
    limits = SharedLimits(
        options.limits_folder,
        max_concurrency=options.max_concurrency,
        requests_per_minute=options.requests_per_minute,
        max_cost_usd=options.max_cost_usd,
        sleep=clock.sleep,
    )
    return OpenAIClient(resolved, _key_for(resolved, options), limits, options.show, clock)


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


def _key_for(resolved: ResolvedModel, options: ClientOptions) -> Secret | None:
    name = resolved.profile.api_key_env
    key = read_key(name, env_file=options.env_file) if name else None
    if name and key is None and not resolved.local:
        raise ModelError(
            f"model {resolved.alias} needs a key: set {name} in the environment or in .env"
        )
    return key


class OpenAIClient:
    """Asks one model. Not thread-safe; each worker process has its own."""

    def __init__(
        self,
        resolved: ResolvedModel,
        key: Secret | None,
        limits: SharedLimits,
        show: Callable[[str], None],
        clock: Clock,
    ) -> None:
        self._resolved = resolved
        self._profile: Profile = resolved.profile
        self._key = key
        self._limits = limits
        self._show = show
        self._clock = clock
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
        worst_usd = self._profile.cost_usd(tokens.bound, self._profile.output_token_bound)
        where = f"{request.level} call {request.call}"
        fault: Fault | None = None
        for attempt in range(1, self._profile.attempts + 1):
            with self._limits.admit(worst_usd) as ticket:
                result = self._attempt(attempt, messages, ticket, log)
            if isinstance(result, Reply):
                meta = {
                    **self._sent(),
                    **result.meta,
                    "request_sha256": request_sha256(self.describe(), request),
                }
                return replace(result, meta=meta)
            fault = result
            last = not fault.rule.retry or attempt == self._profile.attempts
            wait_s = 0.0 if last else self._wait_s(attempt, fault)
            after = "" if last else f"; next try in {wait_s:g} s"
            self._show(
                f"{where}: attempt {attempt} of {self._profile.attempts} failed: "
                f"{fault.line()}{after}"
            )
            if last:
                break
            self._clock.sleep(wait_s)
        assert fault is not None  # attempts is at least 1
        raise self._error(where, attempt, fault)

    def close(self) -> None:
        """Close the connections and the event loop."""
        runner, sdk = self._runner, self._sdk
        self._runner = self._sdk = None
        if runner is not None:
            if sdk is not None:
                runner.run(sdk.close())
            runner.close()

    def _attempt(
        self, number: int, messages: list[dict[str, Json]], ticket: Ticket, log: AttemptLog
    ) -> Reply | Fault:
        """One HTTP attempt: sent, judged, logged and paid for."""
        started, begin = self._clock.now(), self._clock.monotonic()

        def record(result: Reply | Fault) -> None:
            fault = result if isinstance(result, Fault) else None
            answer = result if isinstance(result, Reply) else None
            billed = fault.rule.billed if fault else False
            if answer:
                ticket.settle(self._cost(answer))
            else:
                ticket.settle(None if billed else 0.0)
            meta = answer.meta if answer else {}
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
                    "possibly_billed": billed,
                }
            )

        try:
            result = self._without_key(self._run(self._send(messages)))
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
            return fault_of_exception(error)
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
        request_id = headers.get("x-request-id") or headers.get("request-id")
        if 200 <= status < 300:
            result = read_completion(body, request_id)
            return replace(result, status=status) if isinstance(result, Fault) else result
        if is_filtered(status, body):
            said = self._clean(fault_of_status(status, headers, body).message)
            meta = {"http_status": status, "request_id": request_id, "refusal": said}
            return Reply(text="", finish_reason="content_filter", meta=meta)
        return fault_of_status(status, headers, body)

    def _wait_s(self, attempt: int, fault: Fault) -> float:
        """Back-off before the next attempt: doubling between the bounds, or what was asked."""
        doubled = self._profile.backoff_min_s * 2.0 ** (attempt - 1)
        return max(min(doubled, self._profile.backoff_max_s), fault.retry_after_s or 0.0)

    def _cost(self, reply: Reply) -> float | None:
        usage = reply.usage
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        return self._profile.cost_usd(usage.input_tokens, usage.output_tokens)

    def _sent(self) -> dict[str, Json]:
        return {"model": self._profile.model, "parameters": self._profile.parameters()}

    def _without_key(self, result: Reply | Fault) -> Reply | Fault:
        """A fault's message without the key, before it reaches a record or a traceback."""
        if isinstance(result, Reply):
            return result
        return replace(result, message=self._clean(result.message))

    def _clean(self, text: str) -> str:
        return redact(text, self._key)

    def _error(self, where: str, attempts: int, fault: Fault) -> ClientError:
        tries = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        hint = ""
        if fault.kind == "authentication":
            name = self._profile.api_key_env
            hint = (
                f"; check {name}"
                if self._key
                else "; no key was sent: name its variable with --model-arg api_key_env=NAME"
            )
        kind = FatalClientError if fault.rule.fatal else ClientError
        return kind(
            f"{where}: no answer from {self._resolved.host} after {tries}: {fault.line()}{hint}"
        )
