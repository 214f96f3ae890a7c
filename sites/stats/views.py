"""Counting views without cookies: bots and repeats are left out, counts are written in batches (SPEC 3).

A visitor is a hash of the day's salt, the network address and the browser. All workers share the salt, and it is
deleted after the day, so that visitors cannot be recognized later.
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

from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import ProductError

FLUSH_INTERVAL_SECONDS = 10.0
MAX_PENDING_VIEWS = 200_000  # further views are dropped, so that memory is bounded
BATCH_SIZE = 2_000  # fingerprints in one statement, far below the limit of parameters
MAX_AGENT_LENGTH = 300  # characters of a User-Agent
MAX_FAILURES = 3  # gurus whose views could not be written, before the rest of a batch is postponed
VISIT = UUID(int=0)  # the subject of a visit of the site

_SALT = """
WITH made AS (INSERT INTO daily_salts (day, salt) VALUES (%(day)s, %(salt)s) ON CONFLICT DO NOTHING RETURNING salt)
SELECT salt FROM made UNION ALL SELECT salt FROM daily_salts WHERE day = %(day)s LIMIT 1"""
_COUNT = """
WITH fresh AS (
  INSERT INTO view_fingerprints (tenant_id, day, subject_id, visitor)
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
    """Whether a User-Agent belongs to a crawler, or is empty."""
    return not agent or bool(CrawlerDetect(user_agent=agent).isCrawler())


def _fingerprints(tenant_id: UUID, views: set[View], salt: bytes) -> list[tuple[UUID, bytes]]:
    """Return (subject, visitor) of each view, without bots and repeats, sorted to prevent deadlocks of workers."""
    fingerprints: set[tuple[UUID, bytes]] = set()
    for subject, address, agent in views:
        if is_bot(agent):
            continue
        visitor = hmac.digest(salt, f"{tenant_id}\0{address}\0{agent}".encode(), "sha256")[:16]
        fingerprints.add((subject, visitor))
        fingerprints.add((VISIT, visitor))
    return sorted(fingerprints, key=lambda fingerprint: (fingerprint[0].int, fingerprint[1]))


class ViewCounter:
    """Collects views in memory and writes them in batches."""

    def __init__(self, db: Database, *, interval_seconds: float = FLUSH_INTERVAL_SECONDS) -> None:
        self._db = db
        self._interval_seconds = interval_seconds
        self._pending: dict[UUID, set[View]] = {}
        self._count = 0
        self._salt: tuple[date, bytes] | None = None

    def record_view(self, tenant_id: UUID, subject: UUID, address: str, agent: str) -> None:
        """Record a view of `subject` (a post, or VISIT) on a guru's site, in memory."""
        if self._count >= MAX_PENDING_VIEWS:
            return
        views = self._pending.setdefault(tenant_id, set())
        before = len(views)
        views.add((subject, address, agent[:MAX_AGENT_LENGTH]))
        self._count += len(views) - before

    async def run(self) -> None:
        """Write batches until canceled, then write the rest."""
        try:
            while True:
                await asyncio.sleep(self._interval_seconds)
                await self.flush()
        finally:
            await self.flush()

    async def flush(self) -> None:
        """Write the pending views. Views that cannot be written now stay pending."""
        pending, self._pending, self._count = self._pending, {}, 0
        failures = 0
        try:
            for tenant_id in list(pending):
                if failures == MAX_FAILURES:
                    break  # the database is down: trying each guru would take too long
                try:
                    await self._write(tenant_id, pending[tenant_id])
                except ProductError:
                    failures += 1
                    continue
                except psycopg.Error as error:  # the guru was deleted, or a retry would fail too
                    log.warning("views not counted: %s", type(error).__name__)
                del pending[tenant_id]
        finally:
            for tenant_id, views in pending.items():
                for subject, address, agent in views:
                    self.record_view(tenant_id, subject, address, agent)

    async def _write(self, tenant_id: UUID, views: set[View]) -> None:
        day = clock.now().date()
        salt = await self._salt_of(day)
        # In a thread: classifying many new agents takes seconds.
        fingerprints = await asyncio.to_thread(_fingerprints, tenant_id, views, salt)
        for start in range(0, len(fingerprints), BATCH_SIZE):
            batch = fingerprints[start : start + BATCH_SIZE]
            await self._db.write(
                tenant_id,
                _COUNT,
                {
                    "tenant": tenant_id,
                    "day": day,
                    "subjects": [subject for subject, _ in batch],
                    "visitors": [visitor for _, visitor in batch],
                    "visit": VISIT,
                },
            )

    async def _salt_of(self, day: date) -> bytes:
        if self._salt is None or self._salt[0] != day:
            params = {"day": day, "salt": secrets.token_bytes(32)}
            ((salt,),) = await self._db.write(None, _SALT, params) or await self._db.write(None, _SALT, params)
            self._salt = (day, salt)
        return self._salt[1]
