"""(b) cached pages beside bare bytes, (c) uncached calls beside FastAPI, (e) the slowest hundredth at half load."""

from __future__ import annotations

import socket
import statistics
from pathlib import Path

import pytest

from tenants import roles
from tests.bench.conftest import BASE, Stage
from tests.bench.figures import paired, show
from tests.bench.load import Plan, Result, pace, saturate
from tests.bench.servers import Running, bare, caddy, plain_api, product

pytestmark = pytest.mark.bench

LABELS = ("cooking", "music", "tech", "garden", "fitness", "photo", "spanish", "woodwork")
BROWSER = {"Accept-Encoding": "gzip, deflate, br, zstd", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}


def fetch(port: int, host: str, path: str, headers: dict[str, str]) -> tuple[bytes, int]:
    """The head of an answer, lower-case, and the length of its body as sent."""
    sent = {"Host": host, **headers, "Connection": "close"}
    with socket.create_connection(("127.0.0.1", port), 10) as link:
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        link.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        got = b"".join(iter(lambda: link.recv(65536), b""))
    head, _, body = got.partition(b"\r\n\r\n")
    return head.lower(), len(body)


def beside(
    name: str, ours: tuple[Running, Plan], floor: tuple[Running, Plan], *, connections: int, least: float
) -> None:
    """Measure both sides by turns and show the line. A failed answer ends it: its figure would mean nothing."""
    work: dict[Running, list[float]] = {ours[0]: [], floor[0]: []}

    def rate(server: Running, plan: Plan) -> float:
        before = server.cpu
        result = saturate(server.port, plan, connections=connections)
        assert result.failed == 0
        work[server].append((server.cpu - before) / result.requests)
        return result.rate

    rate(*ours)
    rate(*floor)
    figures = paired(lambda: rate(*ours), lambda: rate(*floor))
    busy = [statistics.median(work[server]) * 1e6 for server in (ours[0], floor[0])]
    note = f"its processor: {busy[0]:.0f} µs beside {busy[1]:.0f}, ratio {busy[1] / busy[0]:.2f}"
    show(name, *figures, "/s", least=least, note=note)


@pytest.mark.parametrize(("what", "path"), [("HTML", "/"), ("JSON", "/api/gurus/{label}/home")])
@pytest.mark.parametrize("answer", [200, 304])
def test_cached_home(stage: Stage, run_directory: Path, what: str, path: str, answer: int) -> None:
    with product(stage.env) as ours:
        targets = [(f"{label}.{BASE}", path.format(label=label)) for label in LABELS]
        lengths, headers = [], dict(BROWSER)
        for host, target in targets:
            head, length = fetch(ours.port, host, target, BROWSER)
            assert b"content-encoding: br" in head
            lengths.append(length)
        if answer == 304:
            tag = head.split(b"\r\netag: ")[1].split(b"\r\n")[0].decode().replace('w/"', 'W/"')
            targets, headers = targets[-1:], BROWSER | {"If-None-Match": tag}
        plan = Plan(targets, headers)
        with bare(sum(lengths) // len(lengths)) as floor:
            name = f"(b) cached home, {what}, {answer}"
            beside(name, (ours, plan), (floor, plan), connections=32, least=0.6)
            if answer == 200:
                with caddy(ours, run_directory) as before_ours, caddy(floor, run_directory) as before_floor:
                    name = f"(b) cached home, {what}, behind Caddy"
                    beside(name, (before_ours, plan), (before_floor, plan), connections=32, least=0.55)


def test_uncached_home(stage: Stage) -> None:
    gurus = [f"guru-{number:06d}" for number in range(20)]
    ours_plan = Plan([(f"{label}.{BASE}", f"/api/gurus/{label}/home") for label in gurus])
    floor_plan = Plan([("floor", f"/gurus/{stage.tenant(label)}/home") for label in gurus])
    with (
        product(stage.env, PORCHLIGHT_PAGE_CACHE="off") as ours,
        plain_api(stage.url(roles.APP)) as floor,
    ):
        name = "(c) uncached home, JSON, one round trip"
        beside(name, (ours, ours_plan), (floor, floor_plan), connections=16, least=0.7)


def at_half(server: Running, plan: Plan) -> tuple[Result, float]:
    """The result at half of what the server takes. Long enough that a single pause is not a hundredth by itself."""
    full = saturate(server.port, plan, connections=32).rate
    return pace(server.port, plan, full / 2, seconds=15), full / 2


def test_slowest_hundredth(stage: Stage) -> None:
    targets = [(f"{label}.{BASE}", "/") for label in LABELS]
    calls = [(f"{label}.{BASE}", f"/api/gurus/{label}/home") for label in LABELS]
    with product(stage.env) as cached, product(stage.env, PORCHLIGHT_PAGE_CACHE="off") as uncached:
        for name, server, plan in (
            ("cached home, HTML", cached, Plan(targets, BROWSER)),
            ("uncached home, JSON", uncached, Plan(calls)),
            ("uncached home, HTML", uncached, Plan(targets)),
        ):
            result, rate = at_half(server, plan)
            assert result.failed == 0
            note = f"median {result.median:.1f} ms at {rate:,.0f}/s"
            show(f"(e) p99 at half load, {name}", result.p99, None, "ms", most=20, note=note)
