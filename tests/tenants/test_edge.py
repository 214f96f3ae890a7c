"""The cache in front, alone: what it holds, for whom, until when, and what it gives when there is nothing better."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from uuid import UUID

import brotli
import pytest
import zstandard

from tenants import edge as module
from tenants.edge import Edge, keep
from tests.platform_.world import Answered, ask

A, B = UUID(int=1), UUID(int=2)
HOST = "alpha.porchlight.localhost"
DECODERS: dict[str | None, Callable[[bytes], bytes]] = {
    None: lambda body: body,
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompress(body, max_output_size=10_000_000),
    "gzip": gzip.decompress,
}


class Inner:
    """An app whose answer a test sets; counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.status = 200
        self.body = b"first"
        self.kind = b"text/html"
        self.tenant: UUID | None = A
        self.extra: list[tuple[bytes, bytes]] = []
        self.before: Callable[[], Awaitable[None]] | None = None

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.asked += 1
        status, body = self.status, self.body  # what the database said when it was asked
        if self.before is not None:
            await self.before()
        if self.tenant is not None and status == 200:
            keep(scope, self.tenant)
        headers = [(b"content-type", self.kind), (b"content-length", str(len(body)).encode()), *self.extra]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body[:2], "more_body": True})
        await send({"type": "http.response.body", "body": body[2:]})


class Clock:
    """time.monotonic, set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture
def inner() -> Inner:
    return Inner()


@pytest.fixture
def edge(inner: Inner, clock: Clock) -> Edge:
    made = Edge(inner)
    made.heard(True)
    return made


async def look(edge: Edge, target: bytes = b"/", host: str = HOST, **more: Any) -> Answered:
    """Ask the edge."""
    return await ask(edge, target, host, **more)


async def test_an_answer_is_made_once_and_again_after_a_change(edge: Edge, inner: Inner) -> None:
    assert [(await look(edge)).body for _ in range(3)] == [b"first"] * 3
    inner.body = b"second"
    edge.outdate(B)
    assert (await look(edge)).body == b"first"
    edge.outdate(A)
    assert (await look(edge)).body == b"second"
    assert inner.asked == 2


@pytest.mark.parametrize("happens", ["outdate", "silence", "heard again"])
async def test_an_answer_overtaken_by_a_change_is_never_kept(edge: Edge, inner: Inner, happens: str) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go.wait()

    inner.before = wait
    first = asyncio.create_task(look(edge))
    await reached.wait()
    inner.body = b"second"
    if happens == "outdate":
        edge.outdate(A)
    else:
        edge.heard(happens == "heard again")
    go.set()
    assert (await first).body == b"first"  # asked before the change: either answer is right
    inner.before = None
    assert (await look(edge)).body == b"second"


async def test_whoever_waited_for_an_overtaken_answer_gets_the_new_one(edge: Edge, inner: Inner) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go.wait()

    inner.before = wait
    first = asyncio.create_task(look(edge))
    await reached.wait()
    inner.before, inner.body = None, b"second"
    edge.outdate(A)
    late = asyncio.create_task(look(edge))
    await asyncio.sleep(0)
    go.set()
    assert (await late).body == b"second"
    await first


async def test_many_at_once_ask_once(edge: Edge, inner: Inner) -> None:
    inner.before = lambda: asyncio.sleep(0.01)
    answers = await asyncio.gather(*(look(edge) for _ in range(50)))
    assert {answer.body for answer in answers} == {b"first"}
    assert inner.asked == 1


async def test_one_who_leaves_while_asking_keeps_nobody_waiting(edge: Edge, inner: Inner) -> None:
    reached, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go.wait()

    inner.before = wait
    tasks = [asyncio.create_task(look(edge)) for _ in range(5)]
    await reached.wait()
    tasks[0].cancel()
    go.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [getattr(answer, "body", None) for answer in answers] == [None] + [b"first"] * 4
    assert edge._filling == {}


async def test_only_the_very_same_address_is_answered_alike(edge: Edge, inner: Inner) -> None:
    await look(edge)
    asked = inner.asked
    for target, host, headers in (
        (b"/", "ALPHA.porchlight.localhost", []),
        (b"/", HOST + ":8000", []),
        (b"/", HOST + ".", []),
        (b"/", "beta.porchlight.localhost", []),
        (b"/?", HOST, []),
        (b"/?a=1", HOST, []),
        (b"//", HOST, []),
        (b"/%61", HOST, []),
        (b"/a", HOST, []),
    ):
        await look(edge, target, host, headers=headers)
        if target != b"/?":  # an empty query is no other address
            asked += 1
        assert inner.asked == asked, (target, host)
    trusting = Edge(inner, trusted=frozenset({"10.0.0.1"}))
    trusting.heard(True)
    https = [(b"x-forwarded-proto", b"https")]
    for address, headers, fresh in (
        ("10.0.0.1", [], True),
        ("10.0.0.1", https, True),
        ("203.0.113.7", https, False),  # no proxy of ours: its words count for nothing
        ("10.0.0.1", [*https, (b"x-forwarded-host", b"beta.porchlight.localhost")], False),
    ):
        before = inner.asked
        await look(trusting, headers=headers, address=address)
        assert (inner.asked > before) == fresh, (address, headers)


async def test_a_doubled_host_and_writes_pass_by(edge: Edge, inner: Inner) -> None:
    await look(edge)
    doubled = [(b"host", HOST.encode()), (b"host", b"beta.porchlight.localhost")]
    await ask(edge, b"/", None, headers=doubled)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        await look(edge, method=method)
    assert inner.asked == 7


async def test_every_encoding_decodes_to_the_same_bytes(edge: Edge, inner: Inner) -> None:
    inner.body = "Über den Dächern ".encode() * 200
    tags = set()
    for accept, expected in (
        (None, None), (b"", None), (b"identity", None), (b"br", "br"), (b"gzip", "gzip"), (b"zstd", "zstd"),
        (b"gzip, deflate, br, zstd", "br"), (b"GZIP", "gzip"), (b"br;q=0, gzip;q=0.5", "gzip"), (b"deflate", None),
        (b"br;q=0.000,zstd;q=0 , gzip ; q=0", None), (b"x" * 5000, None), (b",,;;=q", None), (b"\xff\xfe", None),
    ):  # fmt: skip
        headers = [] if accept is None else [(b"accept-encoding", accept)]
        answer = await look(edge, headers=headers)
        assert answer.header("content-encoding") == expected, accept
        assert DECODERS[expected](answer.body) == inner.body
        assert answer.header("content-length") == str(len(answer.body))
        assert answer.header("vary") == "Accept-Encoding"
        tags.add(answer.header("etag"))
        head = await look(edge, headers=headers, method="HEAD")
        assert (head.status, head.headers, head.body) == (answer.status, answer.headers, b"")
    assert inner.asked == 1
    assert len(tags) == 1


async def test_pictures_are_not_compressed_again(edge: Edge, inner: Inner) -> None:
    inner.kind, inner.body = b"image/png", b"\x89PNG" + b"0" * 5000
    answer = await look(edge, headers=[(b"accept-encoding", b"br, gzip")])
    assert answer.header("content-encoding") is None
    assert answer.body == inner.body


async def test_what_somebody_has_already_is_not_sent_again(edge: Edge, inner: Inner) -> None:
    tag = (await look(edge)).header("etag")
    assert tag is not None
    for sent in (tag, f'W/"x", {tag}', "*", tag.removeprefix("W/")):
        for method in ("GET", "HEAD"):
            answer = await look(edge, headers=[(b"if-none-match", sent.encode())], method=method)
            assert (answer.status, answer.body, answer.header("etag")) == (304, b"", tag), sent
    assert (await look(edge, headers=[(b"if-none-match", b'"other"')])).status == 200
    inner.body = b"second"
    edge.outdate(A)
    assert (await look(edge, headers=[(b"if-none-match", tag.encode())])).body == b"second"


async def test_what_is_not_sent_again_is_not_described_again(edge: Edge, inner: Inner) -> None:
    inner.extra = [(b"content-security-policy", b"default-src 'self'"), (b"cache-control", b"public, max-age=9")]
    whole = await look(edge)
    tag = whole.header("etag")
    assert tag is not None
    kept = await look(edge, headers=[(b"if-none-match", tag.encode())])
    assert kept.status == 304
    said = {"cache-control": "public, max-age=9", "etag": tag, "vary": "Accept-Encoding"}
    assert {name.decode(): value.decode() for name, value in kept.headers} == said


async def test_what_comes_with_other_headers_is_another_answer(edge: Edge, inner: Inner) -> None:
    inner.extra = [(b"content-security-policy", b"default-src 'self'")]
    tag = (await look(edge)).header("etag")
    assert tag is not None
    inner.extra = [(b"content-security-policy", b"default-src 'none'")]
    edge.outdate(A)
    answer = await look(edge, headers=[(b"if-none-match", tag.encode())])
    assert (answer.status, answer.header("content-security-policy")) == (200, "default-src 'none'")


async def test_a_head_that_comes_first_is_kept_whole(edge: Edge, inner: Inner) -> None:
    assert (await look(edge, method="HEAD")).body == b""
    assert (await look(edge)).body == b"first"
    assert inner.asked == 1
    inner.tenant = None
    assert (await look(edge, b"/other", method="HEAD")).body == b""


@pytest.mark.parametrize("status", [404, 302, 410, 422, 500, 503])
async def test_refusals_are_never_kept(edge: Edge, inner: Inner, status: int) -> None:
    inner.status = status
    assert [(await look(edge)).status for _ in range(2)] == [status] * 2
    assert inner.asked == 2
    assert edge.bytes_held == 0


async def test_an_older_answer_serves_while_the_database_is_out(edge: Edge, inner: Inner, clock: Clock) -> None:
    await look(edge)
    edge.heard(False)
    inner.status = 503
    assert (await look(edge)).body == b"first"
    clock.now += module.STALE - 1
    assert (await look(edge)).status == 200
    clock.now += 2
    assert (await look(edge)).status == 503


@pytest.mark.parametrize("status", [404, 410, 308])
async def test_what_is_gone_does_not_come_back_when_the_database_is_out(edge: Edge, inner: Inner, status: int) -> None:
    await look(edge)
    await look(edge, b"/about")
    edge.outdate(A)
    inner.status = status
    assert (await look(edge)).status == status
    inner.status = 503
    assert (await look(edge)).status == 503
    assert (await look(edge, b"/about")).status == (503 if status == 410 else 200)


async def test_without_notifications_an_answer_lives_a_second(edge: Edge, inner: Inner, clock: Clock) -> None:
    edge.heard(False)
    await look(edge)
    inner.body = b"second"
    clock.now += module.TTL_DEAF + 0.01
    assert (await look(edge)).body == b"second"
    edge.heard(True)
    await look(edge)
    inner.body = b"third"
    clock.now += module.TTL - 1
    assert (await look(edge)).body == b"second"
    clock.now += 2
    assert (await look(edge)).body == b"third"


async def test_memory_is_bounded_and_the_books_stay_balanced(inner: Inner, clock: Clock) -> None:
    edge = Edge(inner, budget=200_000)
    edge.heard(True)
    inner.body = b"x" * 3000
    for number in range(300):
        inner.tenant = UUID(int=number % 7)
        await look(edge, b"/%d" % number, headers=[(b"accept-encoding", b"br%d, gzip" % number)])
    held = sum(
        len(entry.packed) + sum(len(body["body"]) for _, body in entry.variants.values())
        for entry in edge._entries.values()
    )
    assert held <= edge.bytes_held <= 200_000
    assert edge.bytes_held == sum(entry.size for entry in edge._entries.values())
    assert set().union(*edge._of_tenant.values()) == set(edge._entries)
    asked = inner.asked
    await look(edge, b"/299")  # the newest are those that stay
    assert inner.asked == asked
    inner.body = b"x" * (module.LARGEST + 1)
    assert (await look(edge, b"/large")).body == inner.body
    assert all(len(zstandard.decompress(entry.packed)) == 3000 for entry in edge._entries.values())


async def test_nothing_of_one_request_is_given_to_the_next(edge: Edge, inner: Inner) -> None:
    inner.extra = [(b"x-request-id", b"of-the-first-request")]
    await look(edge)
    assert (await look(edge)).header("x-request-id") is None
    inner.extra = [(b"set-cookie", b"session=secret")]
    for _ in range(2):
        asked = inner.asked
        assert (await look(edge, b"/personal")).header("set-cookie") == "session=secret"
        assert inner.asked == asked + 1


async def test_long_accept_encodings_fill_no_memory(edge: Edge, inner: Inner) -> None:
    inner.body = b"x" * 2000
    for number in range(50):
        await look(edge, headers=[(b"accept-encoding", b"gzip, " + b"x" * 10_000 + b"%d" % number)])
    assert sum(map(len, edge._encodings)) < 10_000
