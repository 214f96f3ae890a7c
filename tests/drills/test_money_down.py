"""Stripe hangs or refuses connections: money routes say so in time, other routes do not notice, the queue drains.

The long form compares the p99 of other routes with and without hanging payouts. The short form proves why it is equal:
with more waiting requests than a process has database connections, none holds one, and other routes answer.
"""

from __future__ import annotations

import json
import signal
import statistics
import threading
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from porchlight.features.billing.catalog import save_catalog, sync_catalog
from tests.drills.lead_sender import post_lead
from tests.drills.payouts import (
    CENTS,
    MAX_RECOVERY_SECONDS,
    Guru,
    Storm,
    assert_payouts_match,
    environment,
    key_of,
    open_writes,
    own_stripe,
    running_worker,
)
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.product import eventually
from tests.porchlight.app_client import BASE_HOST, USER_AGENT
from tests.porchlight.conftest import emulator
from tests.porchlight.factories import seed_guru
from tests.porchlight.server import ServerProcess, run_server
from tests.porchlight.settlement.both_sides import BothSides

__all__ = ["emulator"]

pytestmark = pytest.mark.parts
LABEL = "down"
MAX_ANSWER_SECONDS = 9.0  # the promise of MONEY 3
MAX_SLOWDOWN = 2.0  # of the p99 of other routes
PROCESS_CONNECTIONS = 21  # that one API process opens at most (infra/README.md)
ROUNDS, CALLS_PER_ROUND = 3, 100
SPREAD_SECONDS = 4.0  # in which requests begin: all at once would be a test of the database's pools
HANG_SECONDS = 12  # longer than any call may take
# What a money route may answer while Stripe hangs: status and code, or the state of what was asked for.
AWAY = {"payments_away", "payments_unavailable"}


class Answers:
    """Statuses, codes and times of answers, by route."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.codes: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, route: str, code: str, seconds: float) -> None:
        """Record an answer."""
        with self._lock:
            self.codes[route][code] += 1
            self.seconds[route].append(seconds)

    def p99(self, route: str) -> float:
        """Return the seconds that 99 of 100 answers took at most."""
        return statistics.quantiles(self.seconds[route], n=100, method="inclusive")[98]


class Caller:
    """Calls routes of the main platform and records the answers."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server

    def call(self, method: str, path: str, token: str = "", body: Any = None, **headers: str) -> tuple[int, Any, float]:
        """Return status, JSON and seconds of a request over a new connection."""
        headers = {"host": BASE_HOST, "user-agent": USER_AGENT, **headers}
        headers |= {"authorization": f"Bearer {token}"} if token else {}
        headers |= {"content-type": "application/json"} if body is not None else {}
        with closing(self._server.connect()) as connection:
            began = time.monotonic()
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            content = response.read()
            return response.status, json.loads(content), time.monotonic() - began

    def code_of(self, status: int, body: Any) -> str:
        """Return the code of an error, or of a success the state that it tells."""
        if status >= 400:
            return f"{status} {body['error']['code']}"
        data = body.get("data")
        return str(data.get("status") or data.get("state") or status) if isinstance(data, dict) else str(status)


MONEY_ROUTES: dict[str, tuple[str, str, Any]] = {
    "instant payout": ("POST", "/api/payouts/instant", {"amountCents": CENTS}),
    "balance": ("GET", "/api/payouts/balance", None),
    "read schedule": ("GET", "/api/payouts/schedule", None),
    "change schedule": ("PUT", "/api/payouts/schedule", {"interval": "manual"}),
    "connect": ("POST", "/api/connect/start", {}),
    "dashboard": ("POST", "/api/connect/express-login", {}),
    "checkout": ("POST", "/api/billing/checkout", {"plan": "skill-sharer", "interval": "month"}),
    "pricing table": ("POST", "/api/billing/pricing-table-session", {}),
}


class WaitingRequests:
    """Threads that call money routes until the end of the block, one request of each guru and route at a time.

    Without `again`, each sends one request.
    """

    def __init__(self, caller: Caller, gurus: list[Guru], routes: Iterable[str], *, again: bool = True) -> None:
        self._caller = caller
        self._again = again
        self._ended = threading.Event()
        self.answers = Answers()
        self._threads = [threading.Thread(target=self._run, args=(route, guru)) for guru in gurus for route in routes]

    def __len__(self) -> int:
        return len(self._threads)

    def __enter__(self) -> WaitingRequests:
        for thread in self._threads:
            thread.start()
            self._ended.wait(SPREAD_SECONDS / len(self._threads))
        return self

    def __exit__(self, *_exc: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self, route: str, guru: Guru) -> None:
        method, path, body = MONEY_ROUTES[route]
        key = {"idempotency-key": key_of(guru[0], 1)} if route == "instant payout" else {}
        while True:
            status, answer, seconds = self._caller.call(method, path, guru[1], body, **key)
            self.answers.add(route, self._caller.code_of(status, answer), seconds)
            if self._ended.is_set() or not self._again or status < 400:  # an answer that needs no Stripe is not a wait
                return


def other_routes(caller: Caller, server: ServerProcess, token: str) -> dict[str, Callable[[int], int]]:
    """Return calls of routes that have nothing to do with money; each takes a number and returns a status."""
    return {
        "public home": lambda _n: server.get(f"/api/gurus/{LABEL}/home", f"{LABEL}.{BASE_HOST}")[0],
        "search": lambda _n: caller.call("GET", "/api/search?q=category")[0],
        "signed-in read": lambda _n: caller.call("GET", "/api/bookings", token)[0],
        "connection": lambda _n: caller.call("GET", "/api/connect/status", token)[0],
        "lead": lambda _n: post_lead(server, LABEL, f"lead-{time.monotonic_ns()}", timeout=60),
    }


def measure(routes: dict[str, Callable[[int], int]], count: int, answers: Answers) -> None:
    """Call each route `count` times in turn."""
    for number in range(count):
        for name, call in routes.items():
            began = time.monotonic()
            answers.add(name, str(call(number)), time.monotonic() - began)


class Down:
    """The product beside a Stripe that can go away, with gurus who want money."""

    def __init__(self, database: Database, sides: BothSides, server: ServerProcess, storm: Storm) -> None:
        self.database = database
        self.sides = sides
        self.server = server
        self.storm = storm
        self.caller = Caller(server)
        self.routes = other_routes(self.caller, server, storm.gurus[0][1])

    @contextmanager
    def hanging(self, match: str, fault: str = "hang") -> Iterator[None]:
        """Let calls of Stripe hang during a block: `hang` executes them at once, `delay` at the end."""
        self.sides.fault(f"{fault}:{HANG_SECONDS}", match, times=1_000_000)
        try:
            yield
        finally:
            self.sides.clear_faults()

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Let Stripe refuse connections during a block."""
        self.sides.fake.stop(signal.SIGKILL)
        try:
            yield
        finally:
            self.sides.fake.start()

    def held_connections(self) -> int:
        """Return how many of the API's connections have been idle in a transaction for a second."""
        with psycopg.connect(self.database.superuser_url) as conn:
            row = conn.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND usename = 'porchlight_app' AND state LIKE 'idle in transaction%'"
                " AND state_change < now() - interval '1 second'"
            ).fetchone()
        assert row is not None
        return int(row[0])

    def wait_for_hanging_calls(self, count: int) -> None:
        """Wait until Stripe holds so many calls."""
        eventually(
            "calls hang", lambda: sum(bool(call["fault"]) for call in self.sides.calls()) >= count, MAX_RECOVERY_SECONDS
        )

    def drain(self) -> float:
        """Wait until every write has an outcome, compare with Stripe, and return the seconds."""
        began = time.monotonic()
        eventually("every write has an outcome", lambda: open_writes(self.sides) == 0, MAX_RECOVERY_SECONDS)
        seconds = time.monotonic() - began
        at_stripe = assert_payouts_match(self.sides, self.storm)
        for guru, token in self.storm.gurus:
            status, body, _ = self.caller.call("GET", "/api/payouts", token)
            items = body["data"]["items"]
            assert (status, [item["amountCents"] for item in items if item["state"] == "sent"]) == (200, [CENTS])
            status, body, _ = self.caller.call("GET", "/api/payouts/balance", token)
            cents = sum(part["amount"] for kind in ("available", "pending") for part in body["data"]["balance"][kind])
            assert (status, cents) == (200, self.sides.ledger(guru)[0])
        assert len(at_stripe) == len(self.storm.gurus)
        return seconds


@asynccontextmanager
async def money_down(
    database: Database, folder: Path, emulator: Emulator, *, gurus: int, processes: int, factor: int = 1
) -> AsyncIterator[Down]:
    """Run the product with plans to buy and gurus with a balance. `factor`: of the timeouts of database calls."""
    async with own_stripe(database, folder) as sides:
        env = environment(database, sides, emulator) | {"PORCHLIGHT_TIMEOUT_FACTOR": str(factor)}
        entries = await sync_catalog(sides.api)
        with psycopg.connect(database.service_url) as conn:
            seed_guru(conn, LABEL)
            save_catalog(conn, entries)
        with run_server(env, workers=processes) as server, running_worker(env):
            yield Down(database, sides, server, Storm(sides, emulator, gurus))


def assert_said(answers: Answers) -> None:
    """Compare the answers of money routes with what they may say."""
    said = {route: set(codes) for route, codes in answers.codes.items()}
    for route, codes in said.items():
        # A checkout that is open already needs no call of Stripe.
        states = {"instant payout": {"pending"}, "checkout": {"200"}}.get(route, set())
        assert all(code in states or code.removeprefix("503 ") in AWAY for code in codes), answers.codes


def ask_once(down: Down, routes: Iterable[str]) -> Answers:
    """Call each route once for each guru, all at once."""
    with WaitingRequests(down.caller, down.storm.gurus, routes, again=False) as requests:
        pass
    return requests.answers


def go_away_and_come_back(down: Down) -> tuple[list[Answers], float]:
    """Refuse connections, then let payouts hang that are decided; return the answers, and the seconds to drain."""
    with down.refusing():
        refused = ask_once(down, MONEY_ROUTES)
    with down.hanging("POST /v1/payouts", "delay"):
        pending = ask_once(down, ["instant payout"])
    assert_said(refused)
    assert_said(pending)
    return [refused, pending], down.drain()


def print_answers(title: str, *several: Answers) -> None:
    """Print codes and the slowest answer of each route."""
    print(f"\n{title}")
    for answers in several:
        for route, seconds in sorted(answers.seconds.items()):
            print(f"  {route}: {dict(answers.codes[route])}, the slowest after {max(seconds):.2f} s")


@pytest.mark.drill
async def test_hanging_stripe_holds_no_connection(
    new_database: Callable[[], Database], tmp_path: Path, emulator: Emulator
) -> None:
    parts = {"gurus": 6, "processes": 1, "factor": 20}
    async with money_down(new_database(), tmp_path / "stripe", emulator, **parts) as down:
        others = Answers()
        waiting = WaitingRequests(down.caller, down.storm.gurus, MONEY_ROUTES)
        assert len(waiting) > 2 * PROCESS_CONNECTIONS
        with down.hanging("* /v*"), waiting:
            down.wait_for_hanging_calls(16)
            held = []
            for _ in range(20):
                measure(down.routes, 1, others)
                held.append(down.held_connections())
        assert statistics.median(held) == 0, held
        assert {route: set(codes) for route, codes in others.codes.items()} == {
            "public home": {"200"}, "search": {"200"}, "signed-in read": {"200"}, "connection": {"200"},
            "lead": {"201"},
        }  # fmt: skip
        assert_said(waiting.answers)
        said, drained = go_away_and_come_back(down)
        print_answers("Stripe hangs, refuses connections, lets payouts hang:", waiting.answers, *said)
        print(f"drained {drained:.1f} s after Stripe was back")


@pytest.mark.drill
async def test_other_routes_are_as_fast_beside_hanging_stripe(
    new_database: Callable[[], Database], tmp_path: Path, emulator: Emulator
) -> None:
    parts = {"gurus": 8, "processes": 2, "factor": 4}
    async with money_down(new_database(), tmp_path / "stripe", emulator, **parts) as down:
        measure(down.routes, 50, Answers())
        idle, beside = Answers(), Answers()
        said = []
        for _ in range(ROUNDS):
            measure(down.routes, CALLS_PER_ROUND, idle)
            with down.hanging("* /v*"), WaitingRequests(down.caller, down.storm.gurus, MONEY_ROUTES) as waiting:
                down.wait_for_hanging_calls(32)
                measure(down.routes, CALLS_PER_ROUND, beside)
            assert_said(waiting.answers)
            said.append(waiting.answers)
        more, drained = go_away_and_come_back(down)
    print_answers("Stripe hangs:", *said)
    print_answers("Stripe refuses connections, lets payouts hang:", *more)
    for route in beside.seconds:
        print(f"{route}: p99 {1000 * idle.p99(route):.1f} ms, beside {1000 * beside.p99(route):.1f} ms")
    print(f"drained {drained:.1f} s after Stripe was back")
    assert max(max(seconds) for answers in [*said, *more] for seconds in answers.seconds.values()) < MAX_ANSWER_SECONDS
    assert all(beside.p99(route) <= MAX_SLOWDOWN * idle.p99(route) for route in beside.seconds)
