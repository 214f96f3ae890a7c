"""Views are counted without cookies: people once a day, robots never, by all workers together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
import pytest

from porchlight.jobs import sweep_now
from sites.stats import counting
from sites.stats.counting import VISIT, ViewCounter, is_bot
from tenants.kit import clock
from tenants.kit.db import Database as Pools
from tenants.kit.ids import new_id
from tests.platform_.world import BROWSER, Told, ask, post, serving, tell, until
from tests.support.databases import Database

OTHER = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"


@pytest.fixture
def conn(database: Database) -> Any:
    with psycopg.connect(database.overseer_url, autocommit=True) as made:
        yield made


@pytest.fixture
def guru(conn: psycopg.Connection[Any]) -> Told:
    made = tell(conn, f"guru-{new_id().hex[-10:]}")
    for table in ("view_marks", "daily_visits", "post_views"):
        conn.execute(f"DELETE FROM {table} WHERE tenant_id = %s".encode(), [made.id])
    return made


@pytest.fixture
async def pools(database: Database) -> AsyncIterator[Pools]:
    async with Pools(database.app_url) as db:
        yield db


def _counted(conn: psycopg.Connection[Any], guru: Told) -> tuple[dict[Any, int], int]:
    views = dict(conn.execute("SELECT post_id, views FROM post_views WHERE tenant_id = %s", [guru.id]).fetchall())
    row = conn.execute("SELECT coalesce(sum(visitors), 0) FROM daily_visits WHERE tenant_id = %s", [guru.id]).fetchone()
    return views, int(row[0]) if row else 0


async def test_people_are_counted_once_a_day_by_all_workers_together(
    pools: Pools, conn: psycopg.Connection[Any], guru: Told
) -> None:
    workers = [ViewCounter(pools), ViewCounter(pools)]
    one, two = guru.posts[:2]
    for worker in workers:
        for _ in range(3):
            worker.seen(guru.id, one, "203.0.113.1", BROWSER)
        worker.seen(guru.id, one, "203.0.113.2", BROWSER)
        worker.seen(guru.id, VISIT, "203.0.113.3", OTHER)
    workers[1].seen(guru.id, two, "203.0.113.1", BROWSER)
    workers[1].seen(guru.id, one, "203.0.113.1", OTHER)
    await asyncio.gather(*(worker.flush() for worker in workers))
    assert _counted(conn, guru) == ({one: 3, two: 1}, 4)
    for worker in workers:
        worker.seen(guru.id, one, "203.0.113.1", BROWSER)
        await worker.flush()
    assert _counted(conn, guru) == ({one: 3, two: 1}, 4)


async def test_robots_are_left_out(pools: Pools, conn: psycopg.Connection[Any], guru: Told) -> None:
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
        counter.seen(guru.id, guru.posts[0], "203.0.113.1", agent)
    await counter.flush()
    assert _counted(conn, guru) == ({}, 0)
    assert not is_bot(BROWSER)
    assert not is_bot(OTHER)


async def test_nothing_is_counted_for_posts_that_are_not_there(
    pools: Pools, conn: psycopg.Connection[Any], guru: Told
) -> None:
    other = tell(conn, f"other-{new_id().hex[-10:]}")
    before = _counted(conn, other)
    counter = ViewCounter(pools)
    for subject in (new_id(), other.posts[0], guru.id):
        counter.seen(guru.id, subject, "203.0.113.1", BROWSER)
    await counter.flush()
    assert _counted(conn, guru) == ({}, 1)
    assert _counted(conn, other) == before


async def test_a_guru_deleted_meanwhile_stops_nobody_elses_counting(
    pools: Pools, conn: psycopg.Connection[Any], guru: Told
) -> None:
    counter = ViewCounter(pools, every=0.02)
    running = asyncio.create_task(counter.run())
    counter.seen(new_id(), VISIT, "203.0.113.1", BROWSER)  # nobody's any more

    async def forgotten() -> bool:
        return not counter._held

    await until("the deleted guru's views are dropped", forgotten)
    counter.seen(guru.id, guru.posts[0], "203.0.113.1", BROWSER)

    async def counted() -> bool:
        return _counted(conn, guru) == ({guru.posts[0]: 1}, 1)

    await until("the other guru's views are counted", counted)
    counter.seen(guru.id, guru.posts[1], "203.0.113.1", BROWSER)
    running.cancel()  # what is left is written on the way out
    with pytest.raises(asyncio.CancelledError):
        await running
    assert _counted(conn, guru)[0] == {guru.posts[0]: 1, guru.posts[1]: 1}


async def test_views_wait_for_a_database_that_is_away(
    database: Database, pools: Pools, conn: psycopg.Connection[Any], guru: Told, product_patience: None
) -> None:
    away = Pools("postgresql://nobody@127.0.0.1:1/none")
    counter = ViewCounter(away)
    async with away:
        for number in range(50):
            counter.seen(new_id() if number else guru.id, VISIT if number else guru.posts[0], "203.0.113.1", BROWSER)
        await counter.flush()
    assert counter._count == 50
    counter._db = pools  # it is back
    await counter.flush()
    assert _counted(conn, guru) == ({guru.posts[0]: 1}, 1)


async def test_a_large_batch_is_written_in_parts(pools: Pools, conn: psycopg.Connection[Any], guru: Told) -> None:
    counter = ViewCounter(pools)
    people = counting.TOGETHER * 2 + 7
    for number in range(people):
        counter.seen(guru.id, guru.posts[0], f"2001:db8::{number:x}", BROWSER)
    await counter.flush()
    assert _counted(conn, guru) == ({guru.posts[0]: people}, people)


async def test_one_reader_who_never_stops_fills_no_memory(pools: Pools, guru: Told) -> None:
    counter = ViewCounter(pools)
    for _ in range(counting.MOST + 10):
        counter.seen(guru.id, VISIT, "203.0.113.1", "x" * 5000)
    assert counter._count == 1
    counter.seen(guru.id, VISIT, "203.0.113.2", BROWSER)
    assert counter._count == 2
    assert max(len(agent) for views in counter._held.values() for _, _, agent in views) <= counting.LONGEST_AGENT


async def test_yesterday_is_swept_away(
    pools: Pools, conn: psycopg.Connection[Any], guru: Told, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = ViewCounter(pools)
    counter.seen(guru.id, guru.posts[0], "203.0.113.1", BROWSER)
    await counter.flush()
    today = datetime.now(UTC)
    (marks_then,) = conn.execute("SELECT visitor FROM view_marks WHERE tenant_id = %s LIMIT 1", [guru.id]).fetchall()
    sweep_now(database.overseer_url)
    days = [row[0] for row in conn.execute("SELECT day FROM daily_salts").fetchall()]
    assert days == [today.date()]
    tomorrow = today + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: tomorrow)
    counter.seen(guru.id, guru.posts[0], "203.0.113.1", BROWSER)
    await counter.flush()
    sweep_now(database.overseer_url)
    assert _days(conn, "daily_salts", None) == _days(conn, "view_marks", guru) == {tomorrow.date()}
    assert _counted(conn, guru) == ({guru.posts[0]: 2}, 2)  # a new day, a new visitor
    marks_now = conn.execute("SELECT visitor FROM view_marks WHERE tenant_id = %s", [guru.id]).fetchall()
    assert marks_then not in marks_now


def _days(conn: psycopg.Connection[Any], table: str, guru: Told | None) -> set[date]:
    query = f"SELECT DISTINCT day FROM {table}" + (" WHERE tenant_id = %s" if guru else "")
    return {row[0] for row in conn.execute(query.encode(), [guru.id] if guru else []).fetchall()}


async def test_pages_count_and_robots_and_strangers_do_not(
    database: Database, conn: psycopg.Connection[Any], guru: Told
) -> None:
    with_post = post(conn, guru, "counted-post")
    conn.execute("DELETE FROM post_views WHERE tenant_id = %s", [guru.id])
    version = conn.execute("SELECT content_version FROM gurus WHERE id = %s", [guru.id]).fetchone()
    agent = (b"user-agent", BROWSER.encode())
    async with serving(database) as app:
        for address in ("203.0.113.1", "203.0.113.1", "203.0.113.2"):
            assert (await ask(app, b"/blog/counted-post", guru.host, headers=[agent], address=address)).status == 200
        await ask(app, b"/", guru.host, headers=[agent], address="203.0.113.3")
        await ask(app, b"/blog/counted-post", guru.host, headers=[(b"user-agent", b"Googlebot/2.1")])
        await ask(app, b"/blog/counted-post", guru.host)
        await ask(app, b"/blog/not-a-post", guru.host, headers=[agent], address="203.0.113.4")
        await ask(app, b"/robots.txt", guru.host, headers=[agent], address="203.0.113.5")
        await ask(app, f"/api/gurus/{guru.label}/home".encode(), guru.host, headers=[agent], address="203.0.113.6")
        await app.views.flush()
        assert _counted(conn, guru) == ({with_post: 2}, 3)
        later = conn.execute("SELECT content_version FROM gurus WHERE id = %s", [guru.id]).fetchone()
        assert version is not None
        assert later is not None
        assert later[0] > version[0]

        async def shown() -> bool:
            home = (await ask(app, f"/api/gurus/{guru.label}/home".encode(), guru.host)).body
            return b'"monthlyVisitors":3' in home and b'"totalViews":2' in home

        await until("the numbers are shown", shown)
