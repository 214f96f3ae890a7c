"""Counting views without cookies: each person once a day, bots never, across all workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest

from porchlight.worker.maintenance import purge_expired
from sites.stats import views
from sites.stats.views import VISIT, ViewCounter, is_bot
from tenants.db.pool import Database as Pools
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.app_client import USER_AGENT, run_app, send_raw, wait_until
from tests.porchlight.factories import SeededGuru, seed_guru, seed_post

OTHER = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"


@pytest.fixture
def conn(database: Database) -> Any:
    with psycopg.connect(database.service_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def guru(conn: psycopg.Connection[Any]) -> SeededGuru:
    created = seed_guru(conn, f"guru-{new_id().hex[-10:]}")
    for table in ("view_fingerprints", "daily_visits", "post_views"):
        conn.execute(f"DELETE FROM {table} WHERE tenant_id = %s".encode(), [created.id])
    return created


@pytest.fixture
async def pools(database: Database) -> AsyncIterator[Pools]:
    async with Pools(database.app_url) as db:
        yield db


def _counted(conn: psycopg.Connection[Any], guru: SeededGuru) -> tuple[dict[Any, int], int]:
    post_views = dict(conn.execute("SELECT post_id, views FROM post_views WHERE tenant_id = %s", [guru.id]).fetchall())
    row = conn.execute("SELECT coalesce(sum(visitors), 0) FROM daily_visits WHERE tenant_id = %s", [guru.id]).fetchone()
    return post_views, int(row[0]) if row else 0


async def test_visitor_counts_once_a_day_across_workers(
    pools: Pools, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    workers = [ViewCounter(pools), ViewCounter(pools)]
    one, two = guru.posts[:2]
    for worker in workers:
        for _ in range(3):
            worker.record_view(guru.id, one, "203.0.113.1", USER_AGENT)
        worker.record_view(guru.id, one, "203.0.113.2", USER_AGENT)
        worker.record_view(guru.id, VISIT, "203.0.113.3", OTHER)
    workers[1].record_view(guru.id, two, "203.0.113.1", USER_AGENT)
    workers[1].record_view(guru.id, one, "203.0.113.1", OTHER)
    await asyncio.gather(*(worker.flush() for worker in workers))
    assert _counted(conn, guru) == ({one: 3, two: 1}, 4)
    for worker in workers:
        worker.record_view(guru.id, one, "203.0.113.1", USER_AGENT)
        await worker.flush()
    assert _counted(conn, guru) == ({one: 3, two: 1}, 4)


async def test_bot_views_are_not_counted(pools: Pools, conn: psycopg.Connection[Any], guru: SeededGuru) -> None:
    counter = ViewCounter(pools)
    for agent in (
        "",
        "Googlebot/2.1 (+http://www.google.com/bot.html)",
        "curl/8.5.0",
        "python-requests/2.32",
        "facebookexternalhit/1.1",
        "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
        "GPTBot/1.0",
        "Slackbot-LinkExpanding 1.0",
        "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/120.0",
    ):
        assert is_bot(agent), agent
        counter.record_view(guru.id, guru.posts[0], "203.0.113.1", agent)
    await counter.flush()
    assert _counted(conn, guru) == ({}, 0)
    assert not is_bot(USER_AGENT)
    assert not is_bot(OTHER)


async def test_view_of_unknown_post_is_not_counted(
    pools: Pools, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    other = seed_guru(conn, f"other-{new_id().hex[-10:]}")
    before = _counted(conn, other)
    counter = ViewCounter(pools)
    for subject in (new_id(), other.posts[0], guru.id):
        counter.record_view(guru.id, subject, "203.0.113.1", USER_AGENT)
    await counter.flush()
    assert _counted(conn, guru) == ({}, 1)
    assert _counted(conn, other) == before


async def test_deleted_guru_does_not_stop_counting(
    pools: Pools, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    counter = ViewCounter(pools, interval_seconds=0.02)
    running = asyncio.create_task(counter.run())
    counter.record_view(new_id(), VISIT, "203.0.113.1", USER_AGENT)  # of a deleted guru

    async def is_dropped() -> bool:
        return not counter._pending

    await wait_until("the deleted guru's views are dropped", is_dropped)
    counter.record_view(guru.id, guru.posts[0], "203.0.113.1", USER_AGENT)

    async def is_counted() -> bool:
        return _counted(conn, guru) == ({guru.posts[0]: 1}, 1)

    await wait_until("the other guru's views are counted", is_counted)
    counter.record_view(guru.id, guru.posts[1], "203.0.113.1", USER_AGENT)
    running.cancel()  # pending views are written at the end
    with pytest.raises(asyncio.CancelledError):
        await running
    assert _counted(conn, guru)[0] == {guru.posts[0]: 1, guru.posts[1]: 1}


async def test_views_stay_pending_while_database_is_down(
    database: Database, pools: Pools, conn: psycopg.Connection[Any], guru: SeededGuru, production_timeouts: None
) -> None:
    down = Pools("postgresql://unused@127.0.0.1:1/none")
    counter = ViewCounter(down)
    async with down:
        for number in range(50):
            counter.record_view(
                new_id() if number else guru.id, VISIT if number else guru.posts[0], "203.0.113.1", USER_AGENT
            )
        await counter.flush()
    assert counter._count == 50
    counter._db = pools  # the database is up again
    await counter.flush()
    assert _counted(conn, guru) == ({guru.posts[0]: 1}, 1)


async def test_large_batch_is_written_in_parts(pools: Pools, conn: psycopg.Connection[Any], guru: SeededGuru) -> None:
    counter = ViewCounter(pools)
    visitors = views.BATCH_SIZE * 2 + 7
    for number in range(visitors):
        counter.record_view(guru.id, guru.posts[0], f"2001:db8::{number:x}", USER_AGENT)
    await counter.flush()
    assert _counted(conn, guru) == ({guru.posts[0]: visitors}, visitors)


async def test_repeated_views_do_not_fill_memory(pools: Pools, guru: SeededGuru) -> None:
    counter = ViewCounter(pools)
    for _ in range(views.MAX_PENDING_VIEWS + 10):
        counter.record_view(guru.id, VISIT, "203.0.113.1", "x" * 5000)
    assert counter._count == 1
    counter.record_view(guru.id, VISIT, "203.0.113.2", USER_AGENT)
    assert counter._count == 2
    assert max(len(agent) for pending in counter._pending.values() for _, _, agent in pending) <= views.MAX_AGENT_LENGTH


async def test_sweep_deletes_fingerprints_of_past_days(
    pools: Pools, conn: psycopg.Connection[Any], guru: SeededGuru, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = ViewCounter(pools)
    counter.record_view(guru.id, guru.posts[0], "203.0.113.1", USER_AGENT)
    await counter.flush()
    today = clock.now()
    (marks_then,) = conn.execute(
        "SELECT visitor FROM view_fingerprints WHERE tenant_id = %s LIMIT 1", [guru.id]
    ).fetchall()
    purge_expired(database.service_url)
    days = [row[0] for row in conn.execute("SELECT day FROM daily_salts").fetchall()]
    assert days == [today.date()]
    tomorrow = today + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: tomorrow)
    counter.record_view(guru.id, guru.posts[0], "203.0.113.1", USER_AGENT)
    await counter.flush()
    purge_expired(database.service_url)
    assert _days(conn, "daily_salts", None) == _days(conn, "view_fingerprints", guru) == {tomorrow.date()}
    assert _counted(conn, guru) == ({guru.posts[0]: 2}, 2)  # on a new day, the same person is a new visitor
    marks_now = conn.execute("SELECT visitor FROM view_fingerprints WHERE tenant_id = %s", [guru.id]).fetchall()
    assert marks_then not in marks_now


def _days(conn: psycopg.Connection[Any], table: str, guru: SeededGuru | None) -> set[date]:
    query = f"SELECT DISTINCT day FROM {table}" + (" WHERE tenant_id = %s" if guru else "")
    return {row[0] for row in conn.execute(query.encode(), [guru.id] if guru else []).fetchall()}


async def test_page_views_are_counted_for_people_only(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    with_post = seed_post(conn, guru, "counted-post")
    conn.execute("DELETE FROM post_views WHERE tenant_id = %s", [guru.id])
    version = conn.execute("SELECT content_version FROM gurus WHERE id = %s", [guru.id]).fetchone()
    agent = (b"user-agent", USER_AGENT.encode())
    async with run_app(database) as app:
        for address in ("203.0.113.1", "203.0.113.1", "203.0.113.2"):
            assert (
                await send_raw(app, b"/blog/counted-post", guru.host, headers=[agent], address=address)
            ).status == 200
        await send_raw(app, b"/", guru.host, headers=[agent], address="203.0.113.3")
        await send_raw(app, b"/blog/counted-post", guru.host, headers=[(b"user-agent", b"Googlebot/2.1")])
        await send_raw(app, b"/blog/counted-post", guru.host)
        await send_raw(app, b"/blog/not-a-post", guru.host, headers=[agent], address="203.0.113.4")
        await send_raw(app, b"/robots.txt", guru.host, headers=[agent], address="203.0.113.5")
        await send_raw(app, f"/api/gurus/{guru.label}/home".encode(), guru.host, headers=[agent], address="203.0.113.6")
        await app.views.flush()
        assert _counted(conn, guru) == ({with_post: 2}, 3)
        later = conn.execute("SELECT content_version FROM gurus WHERE id = %s", [guru.id]).fetchone()
        assert version is not None
        assert later is not None
        assert later[0] > version[0]

        async def is_visible() -> bool:
            home = (await send_raw(app, f"/api/gurus/{guru.label}/home".encode(), guru.host)).body
            return b'"monthlyVisitors":3' in home and b'"totalViews":2' in home

        await wait_until("the numbers are visible", is_visible)
