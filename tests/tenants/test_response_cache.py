"""The response cache alone: keys, invalidation, encodings, stale responses, size."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import brotli
import pytest
import zstandard

from tenants.http import response_cache
from tenants.http.response_cache import ResponseCache, cacheable
from tests.porchlight.app_client import RawResponse, send_raw

A, B = UUID(int=1), UUID(int=2)
HOST = "alpha.porchlight.localhost"
DECODERS: dict[str | None, Callable[[bytes], bytes]] = {
    None: lambda body: body,
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompress(body, max_output_size=10_000_000),
    "gzip": gzip.decompress,
}


class Inner:
    """An app with a configurable response. It counts its calls."""

    def __init__(self) -> None:
        self.calls = 0
        self.status = 200
        self.body = b"first"
        self.content_type = b"text/html"
        self.tenant: UUID | None = A
        self.extra_headers: list[tuple[bytes, bytes]] = []
        self.before: Callable[[], Awaitable[None]] | None = None

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.calls += 1
        status, body = self.status, self.body  # as of the start of the request
        if self.before is not None:
            await self.before()
        if self.tenant is not None and status == 200:
            cacheable(scope, self.tenant)
        headers = [
            (b"content-type", self.content_type),
            (b"content-length", str(len(body)).encode()),
            *self.extra_headers,
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body[:2], "more_body": True})
        await send({"type": "http.response.body", "body": body[2:]})


class Clock:
    """A fake of `time.monotonic`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake = Clock()
    monkeypatch.setattr(response_cache, "time", fake)
    return fake


@pytest.fixture
def inner() -> Inner:
    return Inner()


@pytest.fixture
def cache(inner: Inner, clock: Clock) -> ResponseCache:
    connected = ResponseCache(inner)
    connected.on_connection_change(True)
    return connected


async def fetch(cache: ResponseCache, target: bytes = b"/", host: str = HOST, **more: Any) -> RawResponse:
    """Send a request to the cache."""
    return await send_raw(cache, target, host, **more)


async def test_response_is_cached_until_tenant_changes(cache: ResponseCache, inner: Inner) -> None:
    assert [(await fetch(cache)).body for _ in range(3)] == [b"first"] * 3
    inner.body = b"second"
    cache.invalidate(B)
    assert (await fetch(cache)).body == b"first"
    cache.invalidate(A)
    assert (await fetch(cache)).body == b"second"
    assert inner.calls == 2


@pytest.mark.parametrize("event", ["invalidate", "disconnect", "reconnect"])
async def test_response_older_than_change_is_not_cached(cache: ResponseCache, inner: Inner, event: str) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go.wait()

    inner.before = wait
    first = asyncio.create_task(fetch(cache))
    await reached.wait()
    inner.body = b"second"
    if event == "invalidate":
        cache.invalidate(A)
    else:
        cache.on_connection_change(event == "reconnect")
    go.set()
    assert (await first).body == b"first"  # requested before the change: both responses are correct
    inner.before = None
    assert (await fetch(cache)).body == b"second"


async def test_waiting_request_gets_response_after_change(cache: ResponseCache, inner: Inner) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go.wait()

    inner.before = wait
    first = asyncio.create_task(fetch(cache))
    await reached.wait()
    inner.before, inner.body = None, b"second"
    cache.invalidate(A)
    late = asyncio.create_task(fetch(cache))
    await asyncio.sleep(0)
    go.set()
    assert (await late).body == b"second"
    await first


@pytest.mark.parametrize("header", [b"authorization", b"cookie"])
async def test_personal_request_waits_for_no_other(cache: ResponseCache, inner: Inner, header: bytes) -> None:
    all_called = asyncio.Event()
    inner.tenant = None

    async def wait() -> None:
        if inner.calls == 3:
            all_called.set()
        await all_called.wait()  # forever, if one request waits for another's response

    inner.before = wait
    requests = (fetch(cache, b"/api/payouts/balance", headers=[(header, b"%d" % number)]) for number in range(3))
    responses = await asyncio.wait_for(asyncio.gather(*requests), 60)
    assert [response.status for response in responses] == [200, 200, 200]


async def test_concurrent_misses_call_app_once(cache: ResponseCache, inner: Inner) -> None:
    inner.before = lambda: asyncio.sleep(0.01)
    responses = await asyncio.gather(*(fetch(cache) for _ in range(50)))
    assert {response.body for response in responses} == {b"first"}
    assert inner.calls == 1


async def test_canceled_request_does_not_block_waiting_ones(cache: ResponseCache, inner: Inner) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go.wait()

    inner.before = wait
    tasks = [asyncio.create_task(fetch(cache)) for _ in range(5)]
    await reached.wait()
    tasks[0].cancel()
    go.set()
    responses = await asyncio.gather(*tasks, return_exceptions=True)
    assert [getattr(response, "body", None) for response in responses] == [None] + [b"first"] * 4
    assert cache._fills == {}


async def test_cache_key_is_scheme_host_path_and_query(cache: ResponseCache, inner: Inner) -> None:
    await fetch(cache)
    calls = inner.calls
    no_headers: list[tuple[bytes, bytes]] = []
    for target, host, headers in (
        (b"/", "ALPHA.porchlight.localhost", no_headers),
        (b"/", HOST + ":8000", no_headers),
        (b"/", HOST + ".", no_headers),
        (b"/", "beta.porchlight.localhost", no_headers),
        (b"/?", HOST, no_headers),
        (b"/?a=1", HOST, no_headers),
        (b"//", HOST, no_headers),
        (b"/%61", HOST, no_headers),
        (b"/a", HOST, no_headers),
    ):
        await fetch(cache, target, host, headers=headers)
        if target != b"/?":  # an empty query does not change the key
            calls += 1
        assert inner.calls == calls, (target, host)
    behind_proxy = ResponseCache(inner, trusted_proxies=frozenset({"10.0.0.1"}))
    behind_proxy.on_connection_change(True)
    https = [(b"x-forwarded-proto", b"https")]
    for address, headers, fresh in (
        ("10.0.0.1", no_headers, True),
        ("10.0.0.1", https, True),
        ("203.0.113.7", https, False),  # not a trusted proxy: the header is ignored
        ("10.0.0.1", [*https, (b"x-forwarded-host", b"beta.porchlight.localhost")], False),
    ):
        before = inner.calls
        await fetch(behind_proxy, headers=headers, address=address)
        assert (inner.calls > before) == fresh, (address, headers)


async def test_duplicate_host_and_writes_bypass_cache(cache: ResponseCache, inner: Inner) -> None:
    await fetch(cache)
    duplicate = [(b"host", HOST.encode()), (b"host", b"beta.porchlight.localhost")]
    await send_raw(cache, b"/", None, headers=duplicate)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        await fetch(cache, method=method)
    assert inner.calls == 7


async def test_every_encoding_decodes_to_same_body(cache: ResponseCache, inner: Inner) -> None:
    inner.body = "Über den Dächern ".encode() * 200
    tags = set()
    for accept, expected in (
        (None, None), (b"", None), (b"identity", None), (b"br", "br"), (b"gzip", "gzip"), (b"zstd", "zstd"),
        (b"gzip, deflate, br, zstd", "br"), (b"GZIP", "gzip"), (b"br;q=0, gzip;q=0.5", "gzip"), (b"deflate", None),
        (b"br;q=0.000,zstd;q=0 , gzip ; q=0", None), (b"x" * 5000, None), (b",,;;=q", None), (b"\xff\xfe", None),
    ):  # fmt: skip
        headers = [] if accept is None else [(b"accept-encoding", accept)]
        response = await fetch(cache, headers=headers)
        assert response.header("content-encoding") == expected, accept
        assert DECODERS[expected](response.body) == inner.body
        assert response.header("content-length") == str(len(response.body))
        assert response.header("vary") == "Accept-Encoding"
        tags.add(response.header("etag"))
        head = await fetch(cache, headers=headers, method="HEAD")
        assert (head.status, head.headers, head.body) == (response.status, response.headers, b"")
    assert inner.calls == 1
    assert len(tags) == 1


async def test_images_are_not_compressed(cache: ResponseCache, inner: Inner) -> None:
    inner.content_type, inner.body = b"image/png", b"\x89PNG" + b"0" * 5000
    response = await fetch(cache, headers=[(b"accept-encoding", b"br, gzip")])
    assert response.header("content-encoding") is None
    assert response.body == inner.body


async def test_matching_etag_gets_304(cache: ResponseCache, inner: Inner) -> None:
    tag = (await fetch(cache)).header("etag")
    assert tag is not None
    for header in (tag, f'W/"x", {tag}', "*", tag.removeprefix("W/")):
        for method in ("GET", "HEAD"):
            response = await fetch(cache, headers=[(b"if-none-match", header.encode())], method=method)
            assert (response.status, response.body, response.header("etag")) == (304, b"", tag), header
    assert (await fetch(cache, headers=[(b"if-none-match", b'"other"')])).status == 200
    inner.body = b"second"
    cache.invalidate(A)
    assert (await fetch(cache, headers=[(b"if-none-match", tag.encode())])).body == b"second"


async def test_304_has_validator_headers_only(cache: ResponseCache, inner: Inner) -> None:
    inner.extra_headers = [
        (b"content-security-policy", b"default-src 'self'"),
        (b"cache-control", b"public, max-age=9"),
    ]
    full = await fetch(cache)
    tag = full.header("etag")
    assert tag is not None
    unchanged = await fetch(cache, headers=[(b"if-none-match", tag.encode())])
    assert unchanged.status == 304
    expected = {"cache-control": "public, max-age=9", "etag": tag, "vary": "Accept-Encoding"}
    assert {name.decode(): value.decode() for name, value in unchanged.headers} == expected


async def test_etag_depends_on_headers(cache: ResponseCache, inner: Inner) -> None:
    inner.extra_headers = [(b"content-security-policy", b"default-src 'self'")]
    tag = (await fetch(cache)).header("etag")
    assert tag is not None
    inner.extra_headers = [(b"content-security-policy", b"default-src 'none'")]
    cache.invalidate(A)
    response = await fetch(cache, headers=[(b"if-none-match", tag.encode())])
    assert (response.status, response.header("content-security-policy")) == (200, "default-src 'none'")


async def test_head_request_caches_whole_response(cache: ResponseCache, inner: Inner) -> None:
    assert (await fetch(cache, method="HEAD")).body == b""
    assert (await fetch(cache)).body == b"first"
    assert inner.calls == 1
    inner.tenant = None
    assert (await fetch(cache, b"/other", method="HEAD")).body == b""


@pytest.mark.parametrize("status", [404, 302, 410, 422, 500, 503])
async def test_error_response_is_not_cached(cache: ResponseCache, inner: Inner, status: int) -> None:
    inner.status = status
    assert [(await fetch(cache)).status for _ in range(2)] == [status] * 2
    assert inner.calls == 2
    assert cache.bytes_cached == 0


async def test_stale_response_is_served_while_database_is_down(
    cache: ResponseCache, inner: Inner, clock: Clock
) -> None:
    await fetch(cache)
    cache.on_connection_change(False)
    inner.status = 503
    assert (await fetch(cache)).body == b"first"
    clock.now += response_cache.STALE_SECONDS - 1
    assert (await fetch(cache)).status == 200
    clock.now += 2
    assert (await fetch(cache)).status == 503


@pytest.mark.parametrize("status", [404, 410, 308])
async def test_purged_response_is_not_served_as_stale(cache: ResponseCache, inner: Inner, status: int) -> None:
    await fetch(cache)
    await fetch(cache, b"/about")
    cache.invalidate(A)
    inner.status = status
    assert (await fetch(cache)).status == status
    inner.status = 503
    assert (await fetch(cache)).status == 503
    assert (await fetch(cache, b"/about")).status == (503 if status == 410 else 200)


async def test_ttl_is_one_second_while_disconnected(cache: ResponseCache, inner: Inner, clock: Clock) -> None:
    cache.on_connection_change(False)
    await fetch(cache)
    inner.body = b"second"
    clock.now += response_cache.TTL_WHEN_DISCONNECTED_SECONDS + 0.01
    assert (await fetch(cache)).body == b"second"
    cache.on_connection_change(True)
    await fetch(cache)
    inner.body = b"third"
    clock.now += response_cache.TTL_SECONDS - 1
    assert (await fetch(cache)).body == b"second"
    clock.now += 2
    assert (await fetch(cache)).body == b"third"


async def test_cache_size_is_bounded_and_accounted(inner: Inner, clock: Clock) -> None:
    cache = ResponseCache(inner, max_bytes=200_000)
    cache.on_connection_change(True)
    inner.body = b"x" * 3000
    for number in range(300):
        inner.tenant = UUID(int=number % 7)
        await fetch(cache, b"/%d" % number, headers=[(b"accept-encoding", b"br%d, gzip" % number)])
    body_bytes = sum(
        len(entry.packed) + sum(len(body["body"]) for _, body in entry.variants.values())
        for entry in cache._entries.values()
    )
    assert body_bytes <= cache.bytes_cached <= 200_000
    assert cache.bytes_cached == sum(entry.size for entry in cache._entries.values())
    assert set().union(*cache._keys_by_tenant.values()) == set(cache._entries)
    calls = inner.calls
    await fetch(cache, b"/299")  # the newest responses are kept
    assert inner.calls == calls
    inner.body = b"x" * (response_cache.MAX_RESPONSE_BYTES + 1)
    assert (await fetch(cache, b"/large")).body == inner.body
    assert all(len(zstandard.decompress(entry.packed)) == 3000 for entry in cache._entries.values())


async def test_cache_drops_headers_of_one_request(cache: ResponseCache, inner: Inner) -> None:
    inner.extra_headers = [(b"x-request-id", b"of-the-first-request")]
    await fetch(cache)
    assert (await fetch(cache)).header("x-request-id") is None
    inner.extra_headers = [(b"set-cookie", b"session=secret")]
    for _ in range(2):
        calls = inner.calls
        assert (await fetch(cache, b"/personal")).header("set-cookie") == "session=secret"
        assert inner.calls == calls + 1


async def test_long_accept_encoding_is_not_remembered(cache: ResponseCache, inner: Inner) -> None:
    inner.body = b"x" * 2000
    for number in range(50):
        await fetch(cache, headers=[(b"accept-encoding", b"gzip, " + b"x" * 10_000 + b"%d" % number)])
    assert sum(map(len, cache._encodings)) < 10_000
