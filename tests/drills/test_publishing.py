"""SIGKILL of workers and PostgreSQL while users publish, two per address: each user gets one complete guru or none."""

from __future__ import annotations

import http.client
import json
import random
import secrets
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.auth.cookies import hash_secret
from porchlight.db import migrations
from porchlight_dev.postgres.server import LocalPostgres
from sites.services.defaults import DEFAULTS
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.drills.kills import kill_postgres, kill_worker
from tests.fixtures.identity import PROJECT
from tests.fixtures.ports import free_ports
from tests.fixtures.product import eventually
from tests.porchlight.app_client import BASE_HOST, USER_AGENT
from tests.porchlight.factories import insert_row
from tests.porchlight.server import ServerProcess, run_server

pytestmark = pytest.mark.parts
CONCURRENCY = 6  # users who publish at the same time
EXPECTED = {0, 200, 201, 409, 503}


@dataclass(frozen=True)
class Publisher:
    """A user who is ready to publish, with a session cookie. Two users want each `label`."""

    user_id: UUID
    cookie: str
    label: str


@pytest.fixture(scope="module")
def postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A server that syncs every commit to disk, as in production."""
    created = LocalPostgres(run_directory / f"durable-{free_ports()}", free_ports(), durable=True)
    created.start()
    try:
        migrations.upgrade(created.owner_url)
        yield created
    finally:
        created.stop()


def create_publishers(service_dsn: str, count: int) -> list[Publisher]:
    """Create users who have completed the wizard."""
    created: list[Publisher] = []
    now = clock.now()
    run = new_id().hex[-6:]
    with psycopg.connect(service_dsn) as conn:
        for number in range(count):
            user, cookie = new_id(), secrets.token_urlsafe(32)
            insert_row(
                conn, "users", {"user_id": user, "firebase_uid": f"uid-{user.hex}", "email": f"{user.hex}@a.example"}
            )
            insert_row(conn, "profiles", {"user_id": user, "handle": f"h-{user.hex[-12:]}", "display_name": "Reader"})
            session = {"user_id": user, "id": new_id(), "secret_hash": hash_secret(cookie), "authenticated_at": now}
            insert_row(conn, "sessions", session | {"token_issued_at": now, "expires_at": now + timedelta(days=1)})
            texts = {"display_name": f"Name {number}", "city": "Denver", "zip": "80202", "bio": "I bake."}
            services = [
                {"name": service.name, "price_cents": service.price_cents, "duration_minutes": service.minutes}
                for service in DEFAULTS
            ]
            confirmed = {"services": Jsonb(services), "skills": ["Bread", "Soup", "Pizza"]}
            insert_row(conn, "onboardings", {"user_id": user, "complete": True} | confirmed | texts)
            insert_row(conn, "category_picks", {"user_id": user, "category_slug": "creative"})
            ready = {"charges_enabled": True, "payouts_enabled": True, "details_submitted": True}
            insert_row(conn, "payout_accounts", {"user_id": user, "account_id": f"acct_{user.hex}"} | ready)
            created.append(Publisher(user, cookie, f"wanted-{run}-{number // 2}"))
    return created


def _send_request(
    server: ServerProcess, method: str, path: str, host: str, cookie: str = "", body: object = None
) -> tuple[int, bytes]:
    """Send a request on a new connection. Return status and body; the status is 0 without a response."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    headers = {
        "Host": host,
        "User-Agent": USER_AGENT,
        "Content-Type": "application/json",
        "Origin": f"http://{BASE_HOST}",
    }
    if cookie:
        headers["Cookie"] = f"__session={cookie}"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


class PublishingLoad:
    """All users publish and retry. A user whose address is taken chooses another one."""

    def __init__(self, server: ServerProcess, publishers: list[Publisher]) -> None:
        self._server = server
        self._pending = list(reversed(publishers))
        self._lock = threading.Lock()
        self.published: dict[UUID, str] = {}
        self.statuses: Counter[int] = Counter()
        self.seconds_until_live: list[float] = []
        self._threads = [threading.Thread(target=self._work) for _ in range(CONCURRENCY)]
        for thread in self._threads:
            thread.start()

    def wait_until_remaining(self, count: int) -> None:
        """Wait until at most `count` publishers have not started."""
        eventually("more have published", lambda: self.remaining <= count, 120)

    def join(self) -> None:
        """Wait until every user has a site."""
        for thread in self._threads:
            thread.join()

    @property
    def remaining(self) -> int:
        """The number of users who have not started."""
        return len(self._pending)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._pending:
                    return
                publisher = self._pending.pop()
            self._publish(publisher)

    def _publish(self, publisher: Publisher) -> None:
        label = publisher.label
        while True:
            status, body_bytes = _send_request(
                self._server, "POST", "/api/onboarding/publish", BASE_HOST, publisher.cookie, {"subdomain": label}
            )
            with self._lock:
                self.statuses[status] += 1
            if status in (200, 201):
                break
            if status not in EXPECTED:
                return
            if status == 409:
                label = f"{publisher.label}-{publisher.user_id.hex[-6:]}"
            time.sleep(0.05)
        subdomain = json.loads(body_bytes)["data"]["subdomain"]
        began = time.monotonic()
        while _send_request(self._server, "GET", f"/api/gurus/{subdomain}/home", f"{subdomain}.{BASE_HOST}")[0] != 200:
            time.sleep(0.01)
        with self._lock:
            self.published[publisher.user_id] = subdomain
            self.seconds_until_live.append(time.monotonic() - began)


def _publish_through_kills(postgres: LocalPostgres, count: int, kills: int) -> None:
    publishers = create_publishers(postgres.service_url, count)
    # Session cookies need a configured identity provider, which is not called for a valid session.
    env = {"DATABASE_URL": postgres.app_url, "PORCHLIGHT_LIMITS": "off", "FIREBASE_PROJECT_ID": PROJECT}
    with run_server(env, workers=2) as server:
        load = PublishingLoad(server, publishers)
        for kill in range(kills):
            target = count - (kill + 1) * count // (kills + 1)
            load.wait_until_remaining(target)
            time.sleep(random.random() * 0.05)  # at a random point of a publication
            if kill % 2:
                kill_postgres(postgres)
                postgres.start()
            else:
                kill_worker(server)
        load.join()
    assert set(load.statuses) <= EXPECTED, load.statuses
    with psycopg.connect(postgres.service_url) as conn:
        rows = conn.execute(
            "SELECT m.user_id, g.label, g.status, g.character,"
            " (SELECT count(*) FROM services s WHERE s.tenant_id = g.id),"
            " (SELECT count(*) FROM guru_categories c WHERE c.tenant_id = g.id AND c.listed),"
            " (SELECT count(*) FROM onboardings o WHERE o.user_id = m.user_id AND o.published IS NOT NULL)"
            " FROM gurus g LEFT JOIN memberships m ON m.tenant_id = g.id"
        ).fetchall()
    publisher_ids = {publisher.user_id for publisher in publishers}
    assert all(row[0] is not None for row in rows), "a guru without an owner"
    published_rows = [row for row in rows if row[0] in publisher_ids]
    assert len(published_rows) == len({row[0] for row in published_rows}) == count, "one guru each"
    assert {row[0]: row[1] for row in published_rows} == load.published
    assert {(row[2], row[4], row[5], row[6]) for row in published_rows} == {("active", 3, 1, 1)}, "an incomplete guru"
    assert all(row[3] for row in published_rows)
    wanted = {publisher.label for publisher in publishers}
    assert wanted <= {row[1] for row in published_rows}, "each address has one winner"
    median, worst = statistics.median(load.seconds_until_live) * 1000, max(load.seconds_until_live) * 1000
    print(
        f"\n{count} people published, two after each address, through {kills} kills: one whole guru each;"
        f" answers {dict(load.statuses)}; a new site's first 200 after {median:.0f} ms"
        f" in the median, {worst:.0f} ms at worst (kills included)"
    )


@pytest.mark.drill
def test_publishing_through_kills_creates_one_guru_each(postgres: LocalPostgres) -> None:
    _publish_through_kills(postgres, 24, 2)


@pytest.mark.drill
def test_publishing_through_many_kills_creates_one_guru_each(postgres: LocalPostgres) -> None:
    _publish_through_kills(postgres, 400, 20)
