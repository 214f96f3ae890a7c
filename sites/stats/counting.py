"""Counting views without cookies: bots and repeats left out, written in batches (issue "guru sites", SPEC 3).

A visitor is a hash of the day's salt, address and browser. The salt is shared by all workers and thrown away when the
day is over, so that nobody can tell tomorrow who came today.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from datetime import date
from functools import lru_cache
from uuid import UUID

import psycopg
from crawlerdetect import CrawlerDetect

from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import ProductError

EVERY = 10.0  # seconds between batches
MOST = 200_000  # views held; beyond, they are dropped rather than memory filled
TOGETHER = 2_000  # marks in one statement, far below what a statement may take
LONGEST_AGENT = 300  # characters of a User-Agent looked at
FAILURES = 3  # gurus whose views could not be written before the rest of a batch waits too
VISIT = UUID(int=0)  # the subject that stands for "was on the site at all"

_SALT = """
WITH made AS (INSERT INTO daily_salts (day, salt) VALUES (%(day)s, %(salt)s) ON CONFLICT DO NOTHING RETURNING salt)
SELECT salt FROM made UNION ALL SELECT salt FROM daily_salts WHERE day = %(day)s LIMIT 1"""
_COUNT = """
WITH fresh AS (
  INSERT INTO view_marks (tenant_id, day, subject_id, visitor)
  SELECT %(tenant)s, %(day)s, m.subject, m.visitor
    FROM unnest(%(subjects)s::uuid[], %(visitors)s::bytea[]) AS m (subject, visitor)
  ON CONFLICT DO NOTHING RETURNING subject_id
), visits AS (
  INSERT INTO daily_visits (tenant_id, day, visitors)
  SELECT %(tenant)s, %(day)s, count(*) FROM fresh WHERE subject_id = %(visit)s HAVING count(*) > 0
  ON CONFLICT (tenant_id, day) DO UPDATE SET visitors = daily_visits.visitors + excluded.visitors
), viewed AS (
  INSERT INTO post_views (tenant_id, post_id, views)
  SELECT %(tenant)s, p.id, count(*) FROM fresh f JOIN posts p ON p.tenant_id = %(tenant)s AND p.id = f.subject_id
   GROUP BY p.id ORDER BY p.id
  ON CONFLICT (tenant_id, post_id) DO UPDATE SET views = post_views.views + excluded.views
)
SELECT count(*) FROM fresh"""

View = tuple[UUID, str, str]  # subject, address, agent

log = logging.getLogger(__name__)


@lru_cache(maxsize=4096)
def is_bot(agent: str) -> bool:
    """Whether a User-Agent is a crawler's, or none at all."""
    return not agent or bool(CrawlerDetect(user_agent=agent).isCrawler())


def _marks(tenant_id: UUID, views: set[View], salt: bytes) -> list[tuple[UUID, bytes]]:
    """Who saw what, each once, bots left out; in one order, so that workers never wait for one another in a circle."""
    marks: set[tuple[UUID, bytes]] = set()
    for subject, address, agent in views:
        if is_bot(agent):
            continue
        visitor = hmac.digest(salt, f"{tenant_id}\0{address}\0{agent}".encode(), "sha256")[:16]
        marks.add((subject, visitor))
        marks.add((VISIT, visitor))
    return sorted(marks, key=lambda mark: (mark[0].int, mark[1]))


class ViewCounter:
    """Collects views in memory and writes them every few seconds."""

    def __init__(self, db: Database, *, every: float = EVERY) -> None:
        self._db = db
        self._every = every
        self._held: dict[UUID, set[View]] = {}
        self._count = 0
        self._salt: tuple[date, bytes] | None = None

    def seen(self, tenant_id: UUID, subject: UUID, address: str, agent: str) -> None:
        """Somebody saw `subject` (a post, or VISIT) on a guru's site. Cheap: a set takes it."""
        if self._count >= MOST:
            return
        views = self._held.setdefault(tenant_id, set())
        before = len(views)
        views.add((subject, address, agent[:LONGEST_AGENT]))
        self._count += len(views) - before

    async def run(self) -> None:
        """Write batches until cancelled; then write what is left."""
        try:
            while True:
                await asyncio.sleep(self._every)
                await self.flush()
        finally:
            await self.flush()

    async def flush(self) -> None:
        """Write what is held. What cannot be written now is kept for the next time."""
        held, self._held, self._count = self._held, {}, 0
        failed = 0
        try:
            for tenant_id in list(held):
                if failed == FAILURES:
                    break  # the database is out: asking for each guru would take all day
                try:
                    await self._write(tenant_id, held[tenant_id])
                except ProductError:
                    failed += 1
                    continue
                except psycopg.Error as fault:  # the guru was deleted, or something that trying again does not mend
                    log.warning("views were not counted: %s", type(fault).__name__)
                del held[tenant_id]
        finally:
            for tenant_id, views in held.items():
                for subject, address, agent in views:
                    self.seen(tenant_id, subject, address, agent)

    async def _write(self, tenant_id: UUID, views: set[View]) -> None:
        day = clock.now().date()
        salt = await self._salt_of(day)
        # In a thread: judging many agents never seen before takes seconds.
        ordered = await asyncio.to_thread(_marks, tenant_id, views, salt)
        for start in range(0, len(ordered), TOGETHER):
            marks = ordered[start : start + TOGETHER]
            await self._db.write(
                tenant_id,
                _COUNT,
                {
                    "tenant": tenant_id,
                    "day": day,
                    "subjects": [subject for subject, _ in marks],
                    "visitors": [visitor for _, visitor in marks],
                    "visit": VISIT,
                },
            )

    async def _salt_of(self, day: date) -> bytes:
        if self._salt is None or self._salt[0] != day:
            params = {"day": day, "salt": secrets.token_bytes(32)}
            rows = await self._db.write(None, _SALT, params) or await self._db.write(None, _SALT, params)
            self._salt = (day, rows[0][0])
        return self._salt[1]
