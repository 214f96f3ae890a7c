"""Whatever a visitor of one guru's site asks about another guru, they are answered as if it did not exist."""

from __future__ import annotations

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
from sites import cursor
from tenants.kit.ids import new_id
from tests.platform_.world import Answered, Told, ask, checksum, post, serving, tell
from tests.sites.routes import API_READS, API_WRITES, FILES, PAGES, data_paths, operations
from tests.support.databases import Database

# What differs between any two answers, whoever asks.
OF_THE_MOMENT = {b"x-request-id", b"date", b"etag"}


@dataclass
class World:
    """Two gurus and the app around them."""

    app: Porchlight
    database: Database
    own: Told
    other: Told
    published: dict[UUID, datetime]
    paths: list[str]


@pytest.fixture(scope="module")
async def world(database: Database) -> AsyncIterator[World]:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        own, other = tell(conn, "alpha", posts=15), tell(conn, "beta", posts=15)
        published = dict(conn.execute("SELECT id, published_at FROM posts").fetchall())
    # Without the cache: every answer is made, none is left over from another example.
    async with serving(database, page_cache="off") as app:
        build = (await ask(app, b"/", own.host)).body.split(b'"buildId":"')[1].split(b'"')[0].decode()
        paths = [path for paths in API_READS.values() for path in paths]
        with psycopg.connect(database.overseer_url, autocommit=True) as conn:
            before = checksum(conn, other)
            yield World(app, database, own, other, published, [*paths, *PAGES, *FILES, *data_paths(build)])
            assert checksum(conn, other) == before


def test_every_operation_has_its_cases() -> None:
    named = {operation.name: operation for operation in operations()}
    assert set(named) == set(API_READS) | set(API_WRITES)
    for name, paths in API_READS.items():
        assert named[name].method == "GET"
        assert all(path.partition("?")[0] == named[name].path for path in paths)
    for name, path in API_WRITES.items():
        assert (named[name].method, named[name].path) == ("POST", path)


def _comparable(answer: Answered, guessed: dict[str, str]) -> tuple[Any, ...]:
    """An answer without what differs anyhow; the guess itself, should it be repeated, under one name."""
    body = answer.body
    headers = [(name, value) for name, value in answer.headers if name not in OF_THE_MOMENT]
    for guess in sorted(guessed.values(), key=len, reverse=True):
        body = body.replace(guess.encode(), b"?")
        headers = [(name, value.replace(guess.encode(), b"?")) for name, value in headers]
    sizes = {b"content-length", b"content-security-policy"}
    return answer.status, [h for h in headers if h[0] not in sizes], body


def _guesses(world: World, data: st.DataObject) -> tuple[dict[str, str], dict[str, str]]:
    """What stands in the address: something of the other guru, and something of the same shape that nobody has."""
    other, draw = world.other, data.draw
    post = draw(st.sampled_from(other.posts))
    at = world.published[post]
    slug = draw(st.sampled_from([*other.slugs, str(post), str(other.id), str(other.services[0]), str(other.leads[0])]))
    tag = draw(st.sampled_from([*other.tags, other.label, str(other.id)[:36]]))
    nobody = uuid4().hex
    known = {"slug": slug, "tag": tag[:40], "cursor": cursor.encode(at, post)}
    random = {"slug": _like(slug, nobody), "tag": _like(tag[:40], nobody), "cursor": cursor.encode(at, new_id())}
    return known, random


def _like(text: str, noise: str) -> str:
    """Something nobody has, of the same length and alphabet: lengths show in answers that repeat the address."""
    return (noise * 8)[: len(text)]


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
async def test_a_guess_is_answered_like_any_other(world: World, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(world.paths))
    subdomain = world.own.label
    known, random = _guesses(world, data)
    if "{subdomain}" in path and data.draw(st.booleans()):
        subdomain = data.draw(st.sampled_from([world.other.label, world.other.former, world.other.domain]))
        known["subdomain"], random["subdomain"] = subdomain, _like(subdomain, "nobody")
    answers = []
    for guess in (known, random):
        target = path.format(**({"subdomain": subdomain} | guess))
        answers.append(_comparable(await ask(world.app, target.encode(), world.own.host), guess))
    assert answers[0] == answers[1], path
    mark = world.other.mark.encode()
    assert mark not in answers[0][2], path
    assert mark not in repr(answers[0][1]).encode()


async def test_no_address_shows_anything_of_another_guru(world: World) -> None:
    other = world.other
    names = {"slug": other.slugs[0], "tag": other.tags[0]}
    names["cursor"] = cursor.encode(world.published[other.posts[0]], other.posts[0])
    for path in world.paths:
        for subdomain in (world.own.label, other.label):
            answer = await ask(world.app, path.format(subdomain=subdomain, **names).encode(), world.own.host)
            assert answer.status < 500, path
            assert other.mark.encode() not in answer.body, path


async def test_the_addresses_do_show_something_when_they_are_ones_own(world: World) -> None:
    """The probe above would pass on a site that shows nothing: here the same addresses show the guru's own."""
    own = world.own
    names = {"subdomain": own.label, "slug": own.slugs[0], "tag": own.tags[0]}
    names["cursor"] = cursor.encode(world.published[own.posts[0]], own.posts[0])
    for path in world.paths:
        answer = await ask(world.app, path.format(**names).encode(), own.host)
        assert answer.status == 200, path
        if not path.endswith((".png", ".svg", ".ico", "robots.txt", "sitemap.xml")):
            assert own.mark.encode() in answer.body, path


LEAD = {"name": "Ada", "email": "ada@example.com", "message": "Hello", "consent": True}


async def test_a_lead_cannot_touch_another_guru(world: World) -> None:
    own, other = world.own, world.other
    path = f"/api/gurus/{own.label}/leads".encode()
    headers = [(b"content-type", b"application/json")]
    with psycopg.connect(world.database.overseer_url) as conn:
        before = checksum(conn, other)
        conn.rollback()
        for foreign, random in (
            (str(other.services[0]), str(new_id())),
            (str(other.id), str(new_id())),
            (str(other.leads[0]), str(new_id())),
        ):
            answers = [
                _comparable(
                    await ask(
                        world.app, path, own.host, method="POST", headers=headers,
                        body=orjson.dumps(LEAD | {"serviceId": guess}),
                    ),
                    {"serviceId": guess},
                )
                for guess in (foreign, random)
            ]  # fmt: skip
            assert answers[0] == answers[1]
            assert answers[0][0] == 422
        body = orjson.dumps(LEAD)
        for label in (other.label, other.former, "nobody-at-all"):
            target = f"/api/gurus/{label}/leads".encode()
            answer = await ask(world.app, target, own.host, method="POST", headers=headers, body=body)
            assert answer.status == 404
        # The other guru's key is no key here: the message is new, and stands here alone.
        keyed = [*headers, (b"idempotency-key", b"lead-0")]
        other_key = await ask(
            world.app, path, own.host, method="POST", headers=[*headers, (b"idempotency-key", b"beta-1")], body=body
        )
        assert other_key.status == 201
        assert (await ask(world.app, path, own.host, method="POST", headers=keyed, body=body)).status == 409
        assert checksum(conn, other) == before


async def test_a_host_is_believed_and_nothing_else(world: World) -> None:
    own, other = world.own, world.other
    host = other.host.encode()
    plain = await ask(world.app, b"/api/gurus/alpha/home", own.host)
    for headers in (
        [(b"x-forwarded-host", host)],
        [(b"forwarded", b"host=" + host)],
        [(b"x-original-host", host), (b"x-host", host), (b"x-tenant", other.label.encode())],
        [(b"x-original-url", b"/api/gurus/beta/home"), (b"x-rewrite-url", b"/api/gurus/beta/home")],
        [(b"cookie", b"tenant=" + str(other.id).encode())],
        [(b"x-forwarded-host", host), (b"x-forwarded-for", b"127.0.0.1")],
    ):
        for address in ("203.0.113.7", "127.0.0.1"):
            answer = await ask(world.app, b"/api/gurus/alpha/home", own.host, headers=headers, address=address)
            assert (answer.status, answer.body) == (plain.status, plain.body), headers


async def test_drafts_and_posts_of_tomorrow_are_nobodys_to_read(world: World) -> None:
    with psycopg.connect(world.database.overseer_url, autocommit=True) as conn:
        post(conn, world.own, "secret-draft", status="draft", published_at=None, title="secret", tags=["secret"])
        post(conn, world.own, "secret-tomorrow", days_ago=-1, title="secret", tags=["secret"])
    world.own.slugs[:] = [slug for slug in world.own.slugs if not slug.startswith("secret")]
    for path in world.paths:
        for slug in ("secret-draft", "secret-tomorrow"):
            target = path.format(
                subdomain="alpha",
                slug=slug,
                tag="secret",
                cursor=cursor.encode(datetime(2100, 1, 1, tzinfo=UTC), new_id()),
            )
            answer = await ask(world.app, target.encode(), world.own.host)
            assert b"secret" not in answer.body.replace(target.encode(), b"").replace(b'"tag":"secret"', b""), target
