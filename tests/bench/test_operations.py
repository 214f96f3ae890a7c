"""(o) Cost of every read of the API at 100, 10,000 and 100,000 gurus, with as many people.

Walks the OpenAPI document, with the arguments of `tests/porchlight/operation_arguments.py`, as a caller whom the
authorization matrix lets read: a visitor, a guru who has very much of everything, or an admin. The sizes are measured
in turn, so that other load affects them alike. SQL statements are counted in the server's log of the smallest database,
with those that begin, set up and end a transaction.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import statistics
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from porchlight.app import Porchlight
from tests.bench import population
from tests.bench.busy_guru import BusyGuru, create_busy_guru
from tests.bench.figures import print_figure
from tests.fixtures.databases import Server
from tests.fixtures.identity import PROJECT, CertificateServer, Signer
from tests.fixtures.statement_log import StatementLog
from tests.porchlight.admin.api_client import ADMIN_KEY, OWN_ORIGIN
from tests.porchlight.app_client import BASE_HOST, RawResponse, http_client, run_app, send_raw
from tests.porchlight.authorization import CALLERS, ROWS
from tests.porchlight.openapi import openapi_document
from tests.porchlight.operation_arguments import QUERIES

pytestmark = pytest.mark.bench

# The largest size; the middle one is a tenth of it.
LARGE = int(os.environ.get("PORCHLIGHT_BENCH_GURUS", "100000"))
MEDIUM = LARGE // 10
SMALL = 100
WARM_UP = 6  # PostgreSQL decides about a generic plan at the sixth call
ROUNDS = 71  # the 99th percentile is the second-largest time
MIN_ROUNDS = 11
SECONDS_EACH = 1.0  # of one read at all sizes, before it is measured less often
# The caller of reads that everyone may make and that mean something else, or cost more, for a signed-in user.
SIGNED_IN = {"get_current_session", "create_login_handoff", "get_public_profile"}


@dataclass
class Deployment:
    """The app at one size, with its callers' headers."""

    app: Porchlight
    guru: BusyGuru
    headers: dict[str, list[tuple[bytes, bytes]]]

    async def call(self, read: Read, cursor: str = "") -> tuple[RawResponse, float, float]:
        """Call the app. Return the response, the milliseconds it took, and those of the loop's thread."""
        target = read.target(self.guru.values, cursor).encode()
        headers = self.headers[read.caller]
        began, began_cpu = time.perf_counter(), time.thread_time()
        response = await send_raw(self.app, target, BASE_HOST, headers=headers)
        return response, (time.perf_counter() - began) * 1000, (time.thread_time() - began_cpu) * 1000


@dataclass(frozen=True, slots=True)
class Read:
    """One operation with one query. `next_page` means the page after the first one."""

    operation: str
    path: str
    query: str
    caller: str
    next_page: bool = False

    @property
    def name(self) -> str:
        """The operation with its query, for the output."""
        return self.operation + (f"?{self.query}" if self.query else "") + (" (next)" if self.next_page else "")

    def target(self, values: dict[str, str], cursor: str) -> str:
        """Return path and query."""
        kinds = ROWS[self.operation].names
        path = re.sub(r"{(\w+)}", lambda match: values[kinds.get(match[1], match[1])], self.path)
        query = "&".join(
            part for part in (self.query.format(**values), urlencode({"cursor": cursor}) * bool(cursor)) if part
        )
        return f"{path}?{query}" if query else path


@dataclass
class Measured:
    """The cost of a read: statements, and milliseconds by size."""

    read: Read
    statements: int
    times: dict[int, list[float]] = field(default_factory=lambda: {SMALL: [], MEDIUM: [], LARGE: []})
    cpu: list[float] = field(default_factory=list)

    def median(self, size: int) -> float:
        """The median at a size."""
        return statistics.median(self.times[size])

    @property
    def p99(self) -> float:
        """The 99th percentile at the largest size."""
        times = sorted(self.times[LARGE])
        return times[int(0.99 * (len(times) - 1))]

    @property
    def growth(self) -> float:
        """The ratio of the medians of the largest and the middle size."""
        return self.median(LARGE) / self.median(MEDIUM)


@dataclass(frozen=True, slots=True)
class Target:
    """A limit for reads; `signed_in`: only for those of signed-in callers."""

    name: str
    unit: str
    at_most: float
    figure: Callable[[Measured], float]
    signed_in: bool = False


TARGETS = (
    Target("median", "ms", 30, lambda measured: measured.median(LARGE)),
    Target("p99", "ms", 50, lambda measured: measured.p99),
    Target("growth", "x", 1.5, lambda measured: measured.growth),
    Target("statements", "", 8, lambda measured: measured.statements),
    Target("processor", "ms", 2, lambda measured: statistics.median(measured.cpu), signed_in=True),
)


def reads() -> Iterator[Read]:
    """Return every read of the OpenAPI document with each of its queries."""
    for path, methods in openapi_document()["paths"].items():
        if "get" in methods:
            operation = methods["get"]["operationId"]
            for query in QUERIES[operation]:
                yield Read(operation, path, query, caller_of(operation))


def caller_of(operation: str) -> str:
    """Return who reads: a visitor if visitors may, otherwise a guru or an admin."""
    statuses = dict(zip(CALLERS, ROWS[operation].own, strict=True))
    order = ("guru", "anonymous", "admin") if operation in SIGNED_IN else ("anonymous", "guru", "admin")
    return next((caller for caller in order if statuses[caller] < 400), "guru")


def kinds_of_path_values() -> set[str]:
    """Return the kinds of objects that the paths of reads name."""
    kinds = {"subdomain", "service", "listing photo"}
    for path, methods in openapi_document()["paths"].items():
        if "get" in methods:
            names = ROWS[methods["get"]["operationId"]].names
            kinds |= {names.get(name, name) for name in re.findall(r"{(\w+)}", path)}
    return kinds


@pytest.fixture(scope="module")
async def deployments(server: Server) -> AsyncIterator[tuple[dict[int, Deployment], StatementLog]]:
    """The app at each size, and the log of the smallest one's database."""
    certificates = CertificateServer(Signer("key-one"))
    settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url, "admin_key": ADMIN_KEY}
    settings |= {"stripe_secret_key": "sk_test_bench", "stripe_webhook_secret": "whsec_bench", "page_cache": "off"}
    settings |= {"stripe_api_base": "http://127.0.0.1:9"}  # an unreachable payment provider
    async with AsyncExitStack() as stack:
        created: dict[int, Deployment] = {}
        for size in (SMALL, MEDIUM, LARGE):
            database = stack.enter_context(server.fresh())
            began = time.monotonic()
            population.build(database, size)
            guru = create_busy_guru(database, kinds_of_path_values())
            population.vacuum(database)
            print_figure(f"(o) {size:,} gurus made in", time.monotonic() - began, None, "s")
            if size == SMALL:
                log = StatementLog(server, database)
            app = await stack.enter_async_context(run_app(database, **settings))
            created[size] = Deployment(app, guru, await sign_in(app, guru))
        gc.collect()
        gc.freeze()
        yield created, log
        gc.unfreeze()
    certificates.close()


async def sign_in(app: Porchlight, guru: BusyGuru) -> dict[str, list[tuple[bytes, bytes]]]:
    """Return the headers of each caller."""
    async with http_client(app, BASE_HOST) as client:
        response = await client.post("/api/admin/login", json={"key": ADMIN_KEY}, headers=OWN_ORIGIN)
    assert response.status_code == 200, response.text
    admin = response.headers["set-cookie"].split(";")[0]
    return {"anonymous": [], "guru": [(b"cookie", guru.cookie.encode())], "admin": [(b"cookie", admin.encode())]}


def next_cursor(response: RawResponse) -> str:
    """Return the cursor of the next page, or ""."""
    if response.header("content-type") != "application/json":
        return ""
    answer: Any = json.loads(response.body)
    data = answer.get("data") if isinstance(answer, dict) and isinstance(answer.get("data"), dict) else answer
    return str(data.get("nextCursor") or data.get("next") or "") if isinstance(data, dict) else ""


async def measure(
    deployments: dict[int, Deployment], log: StatementLog, read: Read, cursors: dict[int, str]
) -> tuple[Measured, dict[int, str]]:
    """Measure a read at all sizes in turn. Return the cursors of its next page, too."""
    expected = {200, ROWS[read.operation].own[CALLERS.index(read.caller)]}
    found: dict[int, str] = {}
    counts = []
    for size, deployment in deployments.items():
        for _ in range(WARM_UP):
            since = log.size()
            response, *_ = await deployment.call(read, cursors.get(size, ""))
            assert response.status in expected, (read.name, size, response.status, response.body[:300])
            if size == SMALL:
                counts.append(log.count(since))
        found[size] = next_cursor(response)
    measured = Measured(read, min(counts))
    began = time.monotonic()
    for done in range(ROUNDS):
        if done >= MIN_ROUNDS and time.monotonic() - began > SECONDS_EACH:
            break
        for size, deployment in deployments.items():
            _, elapsed, cpu = await deployment.call(read, cursors.get(size, ""))
            measured.times[size].append(elapsed)
            if size == LARGE:
                measured.cpu.append(cpu)
    return measured, found


def print_measured(measured: Measured) -> None:
    """Print the line of a read."""
    figures = f"p99 {measured.p99:.1f}, {measured.median(SMALL):.1f} at {SMALL}"
    cost = f"{measured.statements} statements, CPU {statistics.median(measured.cpu):.1f}, {measured.read.caller}"
    note = f"{figures}; {cost}"
    print_figure(measured.read.name[:60], measured.median(LARGE), measured.median(MEDIUM), "ms", at_most=1.5, note=note)


def print_target(target: Target, results: list[Measured]) -> None:
    """Print how many reads miss a target, and each of them, the worst first."""
    missed = [
        measured
        for measured in results
        if target.figure(measured) > target.at_most and (not target.signed_in or measured.read.caller != "anonymous")
    ]
    limit = f"above {target.at_most:g} {target.unit}"
    print_figure(f"(o) reads with {target.name} {limit}", len(missed), None, "", at_most=0, note=f"of {len(results)}")
    for measured in sorted(missed, key=target.figure, reverse=True):
        name = f"{target.name}: {measured.read.name}"[:60]
        print_figure(name, target.figure(measured), None, target.unit, at_most=target.at_most)


async def test_read_cost_of_every_operation(deployments: tuple[dict[int, Deployment], StatementLog]) -> None:
    sizes, log = deployments
    results: list[Measured] = []
    with Path(os.devnull).open("w") as access_log, contextlib.redirect_stdout(access_log):
        for read in reads():
            measured, cursors = await measure(sizes, log, read, {})
            results.append(measured)
            if all(cursors.values()):
                following = Read(read.operation, read.path, read.query, read.caller, next_page=True)
                results.append((await measure(sizes, log, following, cursors))[0])
    for measured in sorted(results, key=lambda measured: -measured.median(LARGE)):
        print_measured(measured)
    for target in TARGETS:
        print_target(target, results)
