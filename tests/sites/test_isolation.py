"""A visitor of one guru's site cannot see data of another guru, nor whether it exists."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import orjson
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from tenants.kit.ids import new_id
from tenants.kit.pagination import encode_cursor
from tests.fixtures.databases import Database
from tests.porchlight.app_client import RawResponse, run_app, send_raw
from tests.porchlight.factories import SeededGuru, row_digests, seed_guru, seed_post
from tests.sites.routes import API_READS, API_WRITES, FILES, PAGES, data_paths, operations

# Headers that differ between any two responses.
VARYING_HEADERS = {b"x-request-id", b"date", b"etag"}
LATER = datetime(2100, 1, 1, tzinfo=UTC)  # all reviews are older


@dataclass
class GuruPair:
    """An app with two gurus."""

    app: Porchlight
    database: Database
    own: SeededGuru
    other: SeededGuru
    published: dict[UUID, datetime]
    paths: list[str]


@pytest.fixture(scope="module")
async def pair(database: Database) -> AsyncIterator[GuruPair]:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        own, other = seed_guru(conn, "alpha", posts=15), seed_guru(conn, "beta", posts=15)
        published: dict[UUID, datetime] = dict(conn.execute("SELECT id, published_at FROM posts").fetchall())
    # Without the response cache, so that no response depends on an earlier example.
    async with run_app(database, page_cache="off") as app:
        build = (await send_raw(app, b"/", own.host)).body.split(b'"buildId":"')[1].split(b'"')[0].decode()
        paths = [path for paths in API_READS.values() for path in paths]
        with psycopg.connect(database.service_url, autocommit=True) as conn:
            before = row_digests(conn, other)
            yield GuruPair(app, database, own, other, published, [*paths, *PAGES, *FILES, *data_paths(build)])
            assert row_digests(conn, other) == before


def test_every_operation_has_test_paths() -> None:
    named = {operation.name: operation for operation in operations()}
    assert set(named) == set(API_READS) | set(API_WRITES)
    for name, paths in API_READS.items():
        assert named[name].method == "GET"
        assert all(path.partition("?")[0] == named[name].path for path in paths)
    for name, path in API_WRITES.items():
        assert (named[name].method, named[name].path) == ("POST", path)


# For random guesses: letters that are in no hash of a script's name, which a page could contain by chance.
RARE_LETTERS = str.maketrans("0123456789abcdef", "ghjklmnpqrstvwxz")


def _comparable(response: RawResponse, guessed: dict[str, str]) -> tuple[Any, ...]:
    """Return a response without varying headers, and with a placeholder for echoed guesses."""
    body = response.body
    headers = [(name, value) for name, value in response.headers if name not in VARYING_HEADERS]
    for guess in sorted(guessed.values(), key=len, reverse=True):
        body = body.replace(guess.encode(), b"?")
        headers = [(name, value.replace(guess.encode(), b"?")) for name, value in headers]
    sizes = {b"content-length", b"content-security-policy"}
    return response.status, [h for h in headers if h[0] not in sizes], body


def _guesses(pair: GuruPair, data: st.DataObject) -> tuple[dict[str, str], dict[str, str]]:
    """Return path parameters of the other guru, and unknown ones of the same form."""
    other, draw = pair.other, data.draw
    post = draw(st.sampled_from(other.posts))
    at = pair.published[post]
    slug = draw(st.sampled_from([*other.slugs, str(post), str(other.id), str(other.services[0]), str(other.leads[0])]))
    tag = draw(st.sampled_from([*other.tags, other.label, str(other.id)[:36]]))
    noise = uuid4().hex.translate(RARE_LETTERS)
    service = draw(st.sampled_from([str(service) for service in other.services]))
    known = {
        "slug": slug,
        "tag": tag[:40],
        "cursor": encode_cursor(at, post),
        "review_cursor": encode_cursor(LATER, other.posts[0]),
        "service_id": service,
    }
    random = {
        "slug": _unknown_like(slug, noise),
        "tag": _unknown_like(tag[:40], noise),
        "cursor": encode_cursor(at, new_id()),
        "review_cursor": encode_cursor(LATER, new_id()),
        "service_id": str(new_id()),
    }
    return known, random


def _unknown_like(text: str, noise: str) -> str:
    """Return an unknown text of the same length and alphabet: responses that echo a path show its length."""
    return (noise * 8)[: len(text)]


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
async def test_guessed_ids_get_same_response_as_unknown_ids(pair: GuruPair, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(pair.paths))
    subdomain = pair.own.label
    known, random = _guesses(pair, data)
    if "{subdomain}" in path and data.draw(st.booleans()):
        subdomain = data.draw(st.sampled_from([pair.other.label, pair.other.former, pair.other.domain]))
        known["subdomain"], random["subdomain"] = subdomain, _unknown_like(subdomain, "unknown")
    responses = []
    for guess in (known, random):
        target = path.format(**({"subdomain": subdomain} | guess))
        used = {name: value for name, value in guess.items() if f"{{{name}}}" in path}
        responses.append(_comparable(await send_raw(pair.app, target.encode(), pair.own.host), used))
    assert responses[0] == responses[1], path
    mark = pair.other.mark.encode()
    assert mark not in responses[0][2], path
    assert mark not in repr(responses[0][1]).encode()


async def test_no_path_shows_data_of_other_guru(pair: GuruPair) -> None:
    other = pair.other
    names = {"slug": other.slugs[0], "tag": other.tags[0], "service_id": str(other.services[0])}
    names["cursor"] = encode_cursor(pair.published[other.posts[0]], other.posts[0])
    names["review_cursor"] = encode_cursor(LATER, other.posts[0])
    for path in pair.paths:
        for subdomain in (pair.own.label, other.label):
            response = await send_raw(pair.app, path.format(subdomain=subdomain, **names).encode(), pair.own.host)
            assert response.status < 500, path
            assert other.mark.encode() not in response.body, path


# Times without texts of the guru, and packages, which a guru without a payout account does not sell.
WITHOUT_MARK = re.compile("/slots|/next-starts|/packages")


async def test_every_path_shows_own_data(pair: GuruPair) -> None:
    """The test above would pass on an empty site: here the same paths show the guru's own data."""
    own = pair.own
    names = {"subdomain": own.label, "slug": own.slugs[0], "tag": own.tags[0], "service_id": str(own.services[0])}
    names["cursor"] = encode_cursor(pair.published[own.posts[0]], own.posts[0])
    names["review_cursor"] = encode_cursor(LATER, own.posts[0])
    for path in pair.paths:
        response = await send_raw(pair.app, path.format(**names).encode(), own.host)
        assert response.status == 200, path
        if not path.endswith((".png", ".svg", ".ico", "robots.txt", "sitemap.xml")) and not WITHOUT_MARK.search(path):
            assert own.mark.encode() in response.body, path


LEAD = {"name": "Ada", "email": "ada@example.com", "message": "Hello", "consent": True}


async def test_lead_cannot_reference_other_guru(pair: GuruPair) -> None:
    own, other = pair.own, pair.other
    path = f"/api/gurus/{own.label}/leads".encode()
    headers = [(b"content-type", b"application/json")]
    with psycopg.connect(pair.database.service_url) as conn:
        before = row_digests(conn, other)
        conn.rollback()
        for foreign, random in (
            (str(other.services[0]), str(new_id())),
            (str(other.id), str(new_id())),
            (str(other.leads[0]), str(new_id())),
        ):
            responses = [
                _comparable(
                    await send_raw(
                        pair.app, path, own.host, method="POST", headers=headers,
                        body=orjson.dumps(LEAD | {"serviceId": guess}),
                    ),
                    {"serviceId": guess},
                )
                for guess in (foreign, random)
            ]  # fmt: skip
            assert responses[0] == responses[1]
            assert responses[0][0] == 422
        body = orjson.dumps(LEAD)
        for label in (other.label, other.former, "unknown-guru"):
            target = f"/api/gurus/{label}/leads".encode()
            response = await send_raw(pair.app, target, own.host, method="POST", headers=headers, body=body)
            assert response.status == 404
        # The other guru's idempotency key is unknown here: the lead is new.
        keyed = [*headers, (b"idempotency-key", b"lead-0")]
        other_key = await send_raw(
            pair.app, path, own.host, method="POST", headers=[*headers, (b"idempotency-key", b"beta-1")], body=body
        )
        assert other_key.status == 201
        assert (await send_raw(pair.app, path, own.host, method="POST", headers=keyed, body=body)).status == 409
        assert row_digests(conn, other) == before


async def test_tenant_depends_on_host_header_only(pair: GuruPair) -> None:
    own, other = pair.own, pair.other
    host = other.host.encode()
    plain = await send_raw(pair.app, b"/api/gurus/alpha/home", own.host)
    for headers in (
        [(b"x-forwarded-host", host)],
        [(b"forwarded", b"host=" + host)],
        [(b"x-original-host", host), (b"x-host", host), (b"x-tenant", other.label.encode())],
        [(b"x-original-url", b"/api/gurus/beta/home"), (b"x-rewrite-url", b"/api/gurus/beta/home")],
        [(b"cookie", b"tenant=" + str(other.id).encode())],
        [(b"x-forwarded-host", host), (b"x-forwarded-for", b"127.0.0.1")],
    ):
        for address in ("203.0.113.7", "127.0.0.1"):
            response = await send_raw(pair.app, b"/api/gurus/alpha/home", own.host, headers=headers, address=address)
            assert (response.status, response.body) == (plain.status, plain.body), headers


async def test_drafts_and_scheduled_posts_are_hidden(pair: GuruPair) -> None:
    with psycopg.connect(pair.database.service_url, autocommit=True) as conn:
        seed_post(conn, pair.own, "secret-draft", status="draft", published_at=None, title="secret", tags=["secret"])
        seed_post(conn, pair.own, "secret-tomorrow", days_ago=-1, title="secret", tags=["secret"])
    pair.own.slugs[:] = [slug for slug in pair.own.slugs if not slug.startswith("secret")]
    for path in pair.paths:
        for slug in ("secret-draft", "secret-tomorrow"):
            target = path.format(
                subdomain="alpha",
                slug=slug,
                service_id=pair.own.services[0],
                tag="secret",
                cursor=encode_cursor(LATER, new_id()),
                review_cursor=encode_cursor(LATER, new_id()),
            )
            response = await send_raw(pair.app, target.encode(), pair.own.host)
            assert b"secret" not in response.body.replace(target.encode(), b"").replace(b'"tag":"secret"', b""), target
