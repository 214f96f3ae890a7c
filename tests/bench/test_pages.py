"""(b) Cached pages compared with static bytes, (c) uncached calls compared with FastAPI, (e) p99 at half load."""

from __future__ import annotations

import socket
import statistics
from pathlib import Path

import pytest

from tenants.db import roles
from tests.bench.conftest import BASE, BenchDatabase
from tests.bench.figures import paired, print_figure
from tests.bench.load import Plan, Result, pace, saturate
from tests.bench.servers import Running, bare, caddy, plain_api, product

pytestmark = pytest.mark.bench

LABELS = ("cooking", "music", "tech", "garden", "fitness", "photo", "spanish", "woodwork")
BROWSER_HEADERS = {
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
}


def fetch_head(port: int, host: str, path: str, headers: dict[str, str]) -> tuple[bytes, int]:
    """Return the response head in lower case, and the length of the encoded body."""
    sent_headers = {"Host": host, **headers, "Connection": "close"}
    with socket.create_connection(("127.0.0.1", port), 10) as sock:
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent_headers.items())
        sock.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        received = b"".join(iter(lambda: sock.recv(65536), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    return head.lower(), len(body)


def compare_rates(
    name: str, ours: tuple[Running, Plan], baseline: tuple[Running, Plan], *, connections: int, least: float
) -> None:
    """Measure both servers alternately and print the line. A failed response fails the benchmark."""
    cpu_per_request: dict[Running, list[float]] = {ours[0]: [], baseline[0]: []}

    def rate(server: Running, plan: Plan) -> float:
        before = server.cpu
        result = saturate(server.port, plan, connections=connections)
        assert result.failed == 0
        cpu_per_request[server].append((server.cpu - before) / result.requests)
        return result.rate

    rate(*ours)
    rate(*baseline)
    figures = paired(lambda: rate(*ours), lambda: rate(*baseline))
    busy = [statistics.median(cpu_per_request[server]) * 1e6 for server in (ours[0], baseline[0])]
    note = f"its processor: {busy[0]:.0f} µs beside {busy[1]:.0f}, ratio {busy[1] / busy[0]:.2f}"
    print_figure(name, *figures, "/s", least=least, note=note)


@pytest.mark.parametrize(("what", "path"), [("HTML", "/"), ("JSON", "/api/gurus/{label}/home")])
@pytest.mark.parametrize("status", [200, 304])
def test_cached_home_request_rate(
    bench_database: BenchDatabase, run_directory: Path, what: str, path: str, status: int
) -> None:
    with product(bench_database.env) as ours:
        targets = [(f"{label}.{BASE}", path.format(label=label)) for label in LABELS]
        lengths, headers = [], dict(BROWSER_HEADERS)
        for host, target in targets:
            head, length = fetch_head(ours.port, host, target, BROWSER_HEADERS)
            assert b"content-encoding: br" in head
            lengths.append(length)
        if status == 304:
            tag = head.split(b"\r\netag: ")[1].split(b"\r\n")[0].decode().replace('w/"', 'W/"')
            targets, headers = targets[-1:], BROWSER_HEADERS | {"If-None-Match": tag}
        plan = Plan(targets, headers)
        with bare(sum(lengths) // len(lengths)) as baseline:
            name = f"(b) cached home, {what}, {status}"
            compare_rates(name, (ours, plan), (baseline, plan), connections=32, least=0.6)
            if status == 200:
                with caddy(ours, run_directory) as caddy_ours, caddy(baseline, run_directory) as caddy_baseline:
                    name = f"(b) cached home, {what}, behind Caddy"
                    compare_rates(name, (caddy_ours, plan), (caddy_baseline, plan), connections=32, least=0.55)


@pytest.mark.parametrize(("what", "path", "least"), [("HTML", "/", 0.5), ("JSON", "/api/gurus/{label}/home", 0.7)])
def test_uncached_home_request_rate(bench_database: BenchDatabase, what: str, path: str, least: float) -> None:
    gurus = [f"guru-{number:06d}" for number in range(20)]
    ours_plan = Plan([(f"{label}.{BASE}", path.format(label=label)) for label in gurus])
    baseline_plan = Plan([("baseline", f"/gurus/{bench_database.tenant(label)}/home") for label in gurus])
    with (
        product(bench_database.env, PORCHLIGHT_PAGE_CACHE="off") as ours,
        plain_api(bench_database.url(roles.APP_ROLE)) as baseline,
    ):
        name = f"(c) uncached home, {what}, one round trip"
        compare_rates(name, (ours, ours_plan), (baseline, baseline_plan), connections=16, least=least)


def measure_at_half_load(server: Running, plan: Plan) -> tuple[Result, float]:
    """Return the result at half of the maximum rate. It runs long enough that one pause does not set p99."""
    full = saturate(server.port, plan, connections=32).rate
    return pace(server.port, plan, full / 2, seconds=15), full / 2


def test_home_p99_at_half_load(bench_database: BenchDatabase) -> None:
    targets = [(f"{label}.{BASE}", "/") for label in LABELS]
    calls = [(f"{label}.{BASE}", f"/api/gurus/{label}/home") for label in LABELS]
    with product(bench_database.env) as cached, product(bench_database.env, PORCHLIGHT_PAGE_CACHE="off") as uncached:
        for name, server, plan in (
            ("cached home, HTML", cached, Plan(targets, BROWSER_HEADERS)),
            ("uncached home, JSON", uncached, Plan(calls)),
            ("uncached home, HTML", uncached, Plan(targets)),
        ):
            result, rate = measure_at_half_load(server, plan)
            assert result.failed == 0
            note = f"median {result.median:.1f} ms at {rate:,.0f}/s"
            print_figure(f"(e) p99 at half load, {name}", result.p99, None, "ms", at_most=20, note=note)
