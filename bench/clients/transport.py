"""The HTTP transport under the SDK: no body larger than we take, no redirect, no stray proxy."""

from __future__ import annotations

import ssl

import httpx2

from bench.clients.endpoint import proxy_for
from bench.clients.faults import Fault
from bench.clients.profiles import Profile
from bench.outside import Secret, one_line

MAX_BODY_BYTES = 16_000_000
"""Largest response body, decoded: a reply of 2 MB with every character escaped is 12 MB."""


class BodyTooLarge(httpx2.TransportError):
    """The response body passed MAX_BODY_BYTES; reading stopped there."""


_OWN_HEADERS = frozenset(
    {"host", "connection", "accept", "accept-encoding", "user-agent"}
    | {"content-type", "content-length", "transfer-encoding"}
)
_OPENAI_HEADERS = frozenset(("openai-organization", "openai-project"))


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Sends what we mean to send and no more, and reads a body only up to its limit.

    The key is added here, so that the SDK, its logs and its tracebacks never hold it. Headers
    that the SDK takes from OPENAI_* variables are dropped: they would go to any host. It reads
    whole bodies, also of errors, before anybody can look at their size; so the limit is here.
    """

    def __init__(
        self, inner: httpx2.AsyncBaseTransport, key: Secret | None, limit: int = MAX_BODY_BYTES
    ) -> None:
        self._inner = inner
        self._key = key
        self._limit = limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request and hold its whole response."""
        response = await self._inner.handle_async_request(self._as_sent(request))
        try:
            body = bytearray()
            async for chunk in response.aiter_bytes(65_536):
                body += chunk
                if len(body) > self._limit:
                    raise BodyTooLarge(f"more than {self._limit} bytes", request=request)
        finally:
            await response.aclose()
        gone = ("content-encoding", "content-length", "transfer-encoding")
        headers = [(k, v) for k, v in response.headers.multi_items() if k.lower() not in gone]
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body))

    def _as_sent(self, request: httpx2.Request) -> httpx2.Request:
        """A copy with the headers that go out; the SDK keeps its own, without the key."""
        kept = _OWN_HEADERS
        if request.url.host == "api.openai.com":
            kept = kept | _OPENAI_HEADERS
        headers = [(k, v) for k, v in request.headers.multi_items() if k.lower() in kept]
        if self._key is not None:
            headers.append(("Authorization", f"Bearer {self._key.reveal()}"))
        return httpx2.Request(
            request.method,
            request.url,
            headers=headers,
            stream=request.stream,
            extensions=request.extensions,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def http_client(profile: Profile, key: Secret | None) -> httpx2.AsyncClient:
    """An HTTP client for the profile's host, with its time-outs and its key."""
    inner = httpx2.AsyncHTTPTransport(proxy=proxy_for(profile.base_url))
    return httpx2.AsyncClient(
        transport=BoundedTransport(inner, key),
        timeout=httpx2.Timeout(
            connect=profile.connect_timeout_s,
            read=profile.read_timeout_s,
            write=profile.write_timeout_s,
            pool=profile.pool_timeout_s,
        ),
        follow_redirects=False,
    )


_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (BodyTooLarge, "body_too_large"),
    (httpx2.ConnectTimeout, "no_connection"),
    (httpx2.ConnectError, "no_connection"),
    (httpx2.ProxyError, "no_connection"),
    (httpx2.PoolTimeout, "pool_timeout"),
    (httpx2.WriteTimeout, "write_failed"),
    (httpx2.WriteError, "write_failed"),
    (httpx2.ReadTimeout, "read_timeout"),
    (httpx2.DecodingError, "not_json"),
    (httpx2.RequestError, "reset"),
)


_NOT_TLS = (
    *("WRONG_VERSION_NUMBER", "CERTIFICATE_VERIFY_FAILED", "HTTP_REQUEST", "UNKNOWN_PROTOCOL"),
    *("RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "UNSUPPORTED_PROTOCOL"),
)


def fault_of_exception(error: BaseException, secret: Secret | None = None) -> Fault:
    """The fault that an exception of the transport means, found below the SDK's own."""
    cause = error
    while cause.__cause__ is not None and not isinstance(cause, httpx2.RequestError):
        cause = cause.__cause__
    kind = next((name for type_, name in _KINDS if isinstance(cause, type_)), "reset")
    if kind == "no_connection" and _is_tls(cause):
        kind = "tls"
    return Fault(kind, one_line(str(cause), secret) or type(cause).__name__)


def _is_tls(error: BaseException) -> bool:
    """Whether another protocol answered, or a certificate that nobody here trusts.

    A handshake that merely broke off may go well the next time.
    """
    said = str(error)
    seen = error.__cause__ or error.__context__
    while seen is not None:
        said += f" {seen.reason or ''}" if isinstance(seen, ssl.SSLError) else ""
        seen = seen.__cause__ or seen.__context__
    return any(reason in said for reason in _NOT_TLS)
