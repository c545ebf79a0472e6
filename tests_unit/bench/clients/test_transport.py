"""The transport under the SDK: which headers leave, and how much of a body comes in."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable

import httpx2
import pytest

from bench.clients.transport import BodyTooLarge, BoundedTransport
from bench.outside import Secret

KEY = "sk-seeded-Vb29Qm41Xx"


def send(
    handler: Callable[[httpx2.Request], httpx2.Response],
    url: str = "https://models.example/v1",
    limit: int = 1000,
) -> httpx2.Response:
    async def run() -> httpx2.Response:
        transport = BoundedTransport(httpx2.MockTransport(handler), Secret(KEY), limit)
        headers = {"OpenAI-Organization": "org-1", "X-Other": "1", "Authorization": "Bearer x"}
        async with httpx2.AsyncClient(transport=transport) as client:
            return await client.post(url, headers=headers, json={})

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "organization"),
    [("https://api.openai.com/v1", "org-1"), ("https://models.example/v1", None)],
)
def test_headers_for_one_provider_go_to_no_other(url: str, organization: str | None) -> None:
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={})

    response = send(handler, url)
    assert seen[0].headers.get("openai-organization") == organization
    assert "x-other" not in seen[0].headers
    assert seen[0].headers.get_list("authorization") == [f"Bearer {KEY}"]
    assert response.request.headers["authorization"] == "Bearer x"  # the caller's has no key


def test_compressed_body_is_decoded_and_measured_decoded() -> None:
    packed = gzip.compress(b"x" * 900)

    def handler(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"Content-Encoding": "gzip"}, content=packed)

    assert send(handler).content == b"x" * 900
    with pytest.raises(BodyTooLarge, match="more than 800 bytes"):
        send(handler, limit=800)


def test_body_at_the_limit_is_taken_and_one_byte_more_is_not() -> None:
    assert len(send(lambda _r: httpx2.Response(200, content=b"x" * 1000)).content) == 1000
    with pytest.raises(BodyTooLarge):
        send(lambda _r: httpx2.Response(500, content=b"x" * 1001))
