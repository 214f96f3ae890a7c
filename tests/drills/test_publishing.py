"""kill -9 of workers and of Postgres while neighbors publish, two after each address: one guru each, whole, or none."""

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
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from porchlight import migrations
from porchlight.accounts.door import secret_hash
from porchlight.local.postgres import LocalPostgres
from tenants.kit.ids import new_id
from tests.drills.test_nothing_lost import _kill_postgres, _kill_worker
from tests.platform_.server import Serving, served
from tests.platform_.world import BASE, BROWSER, insert
from tests.support.identity import PROJECT
from tests.support.ports import free_ports
from tests.support.product import eventually

pytestmark = pytest.mark.parts
AT_ONCE = 6  # neighbors who publish at the same time
EXPECTED = {0, 200, 201, 409, 503}


@dataclass(frozen=True)
class Hopeful:
    """Somebody who is ready to publish, with a cookie. Two of them want each `label`."""

    user_id: UUID
    cookie: str
    label: str


@pytest.fixture(scope="module")
def postgres(run_directory: Path) -> Iterator[LocalPostgres]:
    """A server that forces every commit to the disk, as in production."""
    made = LocalPostgres(run_directory / f"durable-{free_ports()}", free_ports(), durable=True)
    made.start()
    try:
        migrations.upgrade(made.owner_url)
        yield made
    finally:
        made.stop()


def hopefuls_in(overseer_dsn: str, count: int) -> list[Hopeful]:
    """Neighbors who have walked the whole wizard."""
    made: list[Hopeful] = []
    now = datetime.now(UTC)
    run = new_id().hex[-6:]
    with psycopg.connect(overseer_dsn) as conn:
        for number in range(count):
            user, cookie = new_id(), secrets.token_urlsafe(32)
            insert(
                conn, "users", {"user_id": user, "firebase_uid": f"uid-{user.hex}", "email": f"{user.hex}@a.example"}
            )
            insert(conn, "profiles", {"user_id": user, "handle": f"h-{user.hex[-12:]}", "display_name": "Somebody"})
            session = {"user_id": user, "id": new_id(), "secret_hash": secret_hash(cookie), "authenticated_at": now}
            insert(conn, "sessions", session | {"token_issued_at": now, "expires_at": now + timedelta(days=1)})
            texts = {"display_name": f"Name {number}", "city": "Denver", "zip": "80202", "bio": "I bake."}
            insert(conn, "onboardings", {"user_id": user, "complete": True} | texts)
            insert(conn, "category_picks", {"user_id": user, "category_slug": "creative"})
            ready = {"charges_enabled": True, "payouts_enabled": True, "details_submitted": True}
            insert(conn, "payout_accounts", {"user_id": user, "account_id": f"acct_{user.hex}"} | ready)
            made.append(Hopeful(user, cookie, f"wanted-{run}-{number // 2}"))
    return made


def _ask(
    server: Serving, method: str, path: str, host: str, cookie: str = "", body: object = None
) -> tuple[int, bytes]:
    """One request over a connection of its own; 0 without an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    headers = {"Host": host, "User-Agent": BROWSER, "Content-Type": "application/json", "Origin": f"http://{BASE}"}
    if cookie:
        headers["Cookie"] = f"__session={cookie}"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


class Rush:
    """Everybody publishes and does not give up; who is too late for an address takes the one that is proposed."""

    def __init__(self, server: Serving, hopefuls: list[Hopeful]) -> None:
        self._server = server
        self._waiting = list(reversed(hopefuls))
        self._lock = threading.Lock()
        self.published: dict[UUID, str] = {}
        self.statuses: Counter[int] = Counter()
        self.until_shown: list[float] = []
        self._threads = [threading.Thread(target=self._work) for _ in range(AT_ONCE)]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Wait until everybody has a site."""
        for thread in self._threads:
            thread.join()

    @property
    def left(self) -> int:
        """How many have not begun yet."""
        return len(self._waiting)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    return
                person = self._waiting.pop()
            self._publish(person)

    def _publish(self, person: Hopeful) -> None:
        label = person.label
        while True:
            status, said = _ask(
                self._server, "POST", "/api/onboarding/publish", BASE, person.cookie, {"subdomain": label}
            )
            with self._lock:
                self.statuses[status] += 1
            if status in (200, 201):
                break
            if status not in EXPECTED:
                return
            if status == 409:
                label = f"{person.label}-{person.user_id.hex[-6:]}"
            time.sleep(0.05)
        kept = json.loads(said)["data"]["subdomain"]
        began = time.monotonic()
        while _ask(self._server, "GET", f"/api/gurus/{kept}/home", f"{kept}.{BASE}")[0] != 200:
            time.sleep(0.01)
        with self._lock:
            self.published[person.user_id] = kept
            self.until_shown.append(time.monotonic() - began)


def _drill(postgres: LocalPostgres, people: int, kills: int) -> None:
    hopefuls = hopefuls_in(postgres.overseer_url, people)
    # Cookies count only where an identity service is configured; none is asked about a living session.
    env = {"DATABASE_URL": postgres.app_url, "PORCHLIGHT_LIMITS": "off", "FIREBASE_PROJECT_ID": PROJECT}
    with served(env, workers=2) as server:
        rush = Rush(server, hopefuls)
        for kill in range(kills):
            target = people - (kill + 1) * people // (kills + 1)
            eventually("more have published", lambda target=target: rush.left <= target, 120)
            time.sleep(random.random() * 0.05)  # anywhere within a publishing
            if kill % 2:
                _kill_postgres(postgres)
                postgres.start()
            else:
                _kill_worker(server)
        rush.join()
    assert set(rush.statuses) <= EXPECTED, rush.statuses
    with psycopg.connect(postgres.overseer_url) as conn:
        rows = conn.execute(
            "SELECT m.user_id, g.label, g.status, g.character,"
            " (SELECT count(*) FROM services s WHERE s.tenant_id = g.id),"
            " (SELECT count(*) FROM guru_categories c WHERE c.tenant_id = g.id AND c.listed),"
            " (SELECT count(*) FROM onboardings o WHERE o.user_id = m.user_id AND o.published IS NOT NULL)"
            " FROM gurus g LEFT JOIN memberships m ON m.tenant_id = g.id"
        ).fetchall()
    ours = {person.user_id for person in hopefuls}
    assert all(row[0] is not None for row in rows), "a guru without an owner"
    mine = [row for row in rows if row[0] in ours]
    assert len(mine) == len({row[0] for row in mine}) == people, "one guru each"
    assert {row[0]: row[1] for row in mine} == rush.published
    assert {(row[2], row[4], row[5], row[6]) for row in mine} == {("active", 3, 1, 1)}, "a guru that is not whole"
    assert all(row[3] for row in mine)
    wanted = {person.label for person in hopefuls}
    assert wanted <= {row[1] for row in mine}, "each address has one winner"
    median, worst = statistics.median(rush.until_shown) * 1000, max(rush.until_shown) * 1000
    print(
        f"\n{people} people published, two after each address, through {kills} kills: one whole guru each;"
        f" answers {dict(rush.statuses)}; a new site's first 200 after {median:.0f} ms"
        f" in the median, {worst:.0f} ms at worst (kills included)"
    )


def test_one_whole_guru_each(postgres: LocalPostgres) -> None:
    _drill(postgres, 24, 2)


@pytest.mark.drill
def test_one_whole_guru_each_at_length(postgres: LocalPostgres) -> None:
    _drill(postgres, 400, 20)
