"""(h) Lighthouse scores on a simulated slow phone and network, over TLS."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from playwright.sync_api import sync_playwright

from tests.bench.conftest import BASE
from tests.bench.figures import paired, print_figure
from tests.bench.servers import ROOT
from tests.e2e.browser_session import SIGN_IN
from tests.e2e.screen_addresses import GURU, SIGNED_IN, STAFF, screen_addresses
from tests.fixtures.browser import BROWSER_ARGUMENTS, IGNORE_CERTIFICATE_ERRORS
from tests.fixtures.ports import free_ports

pytestmark = pytest.mark.bench

RUNS = 3
NEIGHBOR, DEMO_PASSWORD = "maya.lindqvist@example.com", "porchlight"  # of the demo, with sessions
# Pages that a link in an email opens, and second addresses.
OF_A_LINK = ("/auth/action", "/mail/", "/email-settings/", "/sign/", "/booked/", "/privacy_policy", "/terms_and_")
POST = """
SELECT p.slug FROM posts p JOIN gurus g ON g.id = p.tenant_id WHERE g.label = 'cooking'
 ORDER BY p.published_at DESC LIMIT 1"""
SERVICE = """
SELECT s.service_id FROM booking_settings s JOIN gurus g ON g.id = s.tenant_id
 WHERE g.label = 'cooking' AND s.open ORDER BY s.service_id LIMIT 1"""
MAX_ATTEMPTS = 3  # Lighthouse sometimes fails to record the start of a visit (NO_NAVSTART)
FLAGS = " ".join(("--headless", "--ignore-certificate-errors", *BROWSER_ARGUMENTS))


def lighthouse(
    url: str, chromium: Path, folder: Path, *, port: int | None = None, cookie: str | None = None
) -> dict[str, Any]:
    """Return Lighthouse's report of a page. `port`: the debugging port of a running browser, whose sign-in is kept."""
    report = folder / "lighthouse.json"
    argv: list[str | Path] = [
        ROOT / "node_modules" / ".bin" / "lighthouse",
        url,
        "--quiet",
        "--output=json",
        f"--output-path={report}",
        f"--chrome-flags={FLAGS}",
        "--only-categories=performance,accessibility,best-practices,seo",
        *(() if cookie is None else ("--extra-headers", json.dumps({"cookie": cookie}))),
        *(() if port is None else (f"--port={port}", "--disable-storage-reset")),
    ]
    env = os.environ | {"CHROME_PATH": str(chromium)}
    for _ in range(MAX_ATTEMPTS):
        result = subprocess.run(argv, env=env, check=False, timeout=180, capture_output=True, text=True)
        if "NO_NAVSTART" not in result.stderr:
            break
    assert result.returncode == 0, result.stderr[-2000:]
    report_data: dict[str, Any] = json.loads(report.read_text())
    return report_data


def failing_audits(report: dict[str, Any]) -> str:
    """Return the names of audits that cost points."""
    failing = []
    for category in report["categories"].values():
        for reference in category["auditRefs"]:
            score = report["audits"][reference["id"]]["score"]
            if reference["weight"] and score is not None and score < 0.9:
                failing.append(reference["id"])
    return ", ".join(failing)


def requests_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what the page requested."""
    items: list[dict[str, Any]] = report["audits"]["network-requests"]["details"]["items"]
    return items


def median_of(reports: list[dict[str, Any]], value: Callable[[dict[str, Any]], float]) -> float:
    """Return the median of one value over the reports."""
    return statistics.median(value(report) for report in reports)


def scores_of(reports: list[dict[str, Any]]) -> dict[str, float]:
    """Return Lighthouse's four scores, 0 to 100."""
    names = ("performance", "accessibility", "best-practices", "seo")
    return {name: median_of(reports, partial(_score, name)) * 100 for name in names}


def _score(name: str, report: dict[str, Any]) -> float:
    return float(report["categories"][name]["score"] or 0)


def _audited(name: str, report: dict[str, Any]) -> float:
    return float(report["audits"][name]["numericValue"])


def public_paths(demo: dict[str, Any]) -> list[str]:
    """Return the addresses of the main platform that people reach without an account or a link of their own."""
    private = (*SIGNED_IN, *GURU, *STAFF, *OF_A_LINK)
    return [address for address in screen_addresses(demo) if not address.startswith(private)]


def site_paths(demo: dict[str, Any]) -> dict[str, str]:
    """Return the pages of a guru's site by name."""
    with psycopg.connect(demo["overseer_url"]) as conn:
        post, service = (_first(conn, query) for query in (POST, SERVICE))
    return {
        "home": "/",
        "about": "/about",
        "blog": "/blog",
        "post": f"/blog/{post}",
        "tag": "/blog/tag/basics",
        "services": "/services",
        "times": f"/services/{service}/times",
        "reviews": "/reviews",
        "contact": "/contact",
        "report": "/report",
    }


def _first(conn: psycopg.Connection[Any], query: str) -> str:
    row = conn.execute(query.encode()).fetchone()
    assert row is not None, query
    return str(row[0])


@dataclass(frozen=True, slots=True)
class Measured:
    """The medians of one page."""

    page: str
    scores: dict[str, float]
    largest: float  # paint, in seconds
    shift: float
    blocked: float  # milliseconds
    failing: str
    requests: list[dict[str, Any]]

    def kilobytes(self, *kinds: str) -> float:
        """Return what it loads, or what of some kinds. What the service worker prefetches is not part of it."""
        own = [item for item in self.requests if not item.get("isServiceWorker")]
        return float(sum(item["transferSize"] for item in own if not kinds or item["resourceType"] in kinds)) / 1e3

    @property
    def others(self) -> float:
        """The least of the scores that do not depend on the machine."""
        return min(score for name, score in self.scores.items() if name != "performance")

    @property
    def line(self) -> str:
        """All of it in one line."""
        return (
            f"    {self.page:<28} performance {self.scores['performance']:3.0f}  others {self.others:3.0f}  "
            f"largest {self.largest:4.2f} s  shift {self.shift:5.3f}  blocked {self.blocked:4.0f} ms  "
            f"scripts {self.kilobytes('Script'):4.0f} kB  all {self.kilobytes():4.0f} kB  {self.failing}"
        ).rstrip()


def measured(page: str, run: Callable[[], dict[str, Any]], *, is_indexed: bool = True) -> Measured:
    """Return the medians of a page, and print them: what is measured stays known where a later page fails.

    Search engines must not index some pages, which have no score for them.
    """
    reports = [run() for _ in range(RUNS)]
    scores = scores_of(reports)
    if not is_indexed:
        del scores["seo"]
    largest, shift, blocked = (
        median_of(reports, partial(_audited, name))
        for name in ("largest-contentful-paint", "cumulative-layout-shift", "total-blocking-time")
    )
    last = reports[-1]
    medians = Measured(page, scores, largest / 1e3, shift, blocked, failing_audits(last), requests_of(last))
    sys.stdout.write(f"\n{medians.line}")
    sys.stdout.flush()
    return medians


def print_worst(where: str, pages: list[Measured]) -> None:
    """Print the worst of each figure over all pages, with its page."""
    slowest = min(pages, key=lambda page: page.scores["performance"])
    note = f"{slowest.page}: {slowest.failing}" if slowest.failing else slowest.page
    score = slowest.scores["performance"]
    print_figure(f"(h) {where}, worst Lighthouse performance", score, None, "", least=98, note=note)
    faulty = min(pages, key=lambda page: page.others)
    print_figure(f"(h) {where}, worst other score", faulty.others, None, "", least=100, note=faulty.page)
    latest = max(pages, key=lambda page: page.largest)
    print_figure(f"(h) {where}, latest largest paint", latest.largest, None, "s", at_most=1.2, note=latest.page)
    moved = max(pages, key=lambda page: page.shift)
    print_figure(f"(h) {where}, most layout shift", moved.shift, None, "", at_most=0.02, note=moved.page)
    busiest = max(pages, key=lambda page: page.blocked)
    print_figure(f"(h) {where}, most blocked by scripts", busiest.blocked, None, "ms", at_most=200, note=busiest.page)


def test_main_platform_slow_phone_scores(demo: dict[str, Any], chromium_path: Path, tmp_path: Path) -> None:
    origin = demo["tls_url"].rstrip("/")
    pages = [measured(path, partial(lighthouse, origin + path, chromium_path, tmp_path)) for path in public_paths(demo)]
    print_worst("main platform", pages)
    largest = max(pages, key=lambda page: page.kilobytes("Script"))
    print_figure(
        "(h) main platform, most scripts", largest.kilobytes("Script"), None, "kB", at_most=135, note=largest.page
    )


def test_guru_site_slow_phone_scores(demo: dict[str, Any], chromium_path: Path, tmp_path: Path) -> None:
    origin = f"https://cooking.{BASE}:{urlsplit(demo['tls_url']).port}"
    pages = [
        measured(name, partial(lighthouse, origin + path, chromium_path, tmp_path), is_indexed=name != "times")
        for name, path in site_paths(demo).items()
    ]
    print_worst("guru site", pages)
    whole = max(pages, key=lambda page: page.kilobytes())
    print_figure("(h) guru site, largest page", whole.kilobytes(), None, "kB", at_most=210, note=whole.page)
    scripts = max(pages, key=lambda page: page.kilobytes("Script"))
    print_figure("(h) guru site, most scripts", scripts.kilobytes("Script"), None, "kB", at_most=120, note=scripts.page)


# Of a person who was here before, whose session is over: the server sends the app without the first paint.
SHELL_COOKIE = "__session=over"


@pytest.mark.parametrize("page", ["/search", "/pricing", "/u/maya-lindqvist"])
def test_prerendered_page_paints_before_shell(
    demo: dict[str, Any], chromium_path: Path, tmp_path: Path, page: str
) -> None:
    """The same page of the same server, with its first paint and without it, alternately."""
    url = demo["tls_url"].rstrip("/") + page

    def largest(**options: Any) -> float:
        return _audited("largest-contentful-paint", lighthouse(url, chromium_path, tmp_path, **options)) / 1e3

    ours, shell = paired(largest, partial(largest, cookie=SHELL_COOKIE), rounds=RUNS)
    print_figure(f"(h) main {page}, largest paint, prerendered to shell", ours, shell, "s", at_most=0.7)


def test_sessions_slow_phone_scores(demo: dict[str, Any], chromium_path: Path, tmp_path: Path) -> None:
    origin, port = demo["tls_url"].rstrip("/"), free_ports(1)
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=chromium_path,
            args=[*BROWSER_ARGUMENTS, IGNORE_CERTIFICATE_ERRORS, f"--remote-debugging-port={port}"],
        )
        page = context.new_page()
        page.goto(f"{origin}/robots.txt")
        page.evaluate(SIGN_IN, [NEIGHBOR, DEMO_PASSWORD])
        page.goto(f"{origin}/sessions")
        page.get_by_role("heading", level=1).wait_for()
        run = partial(lighthouse, f"{origin}/sessions", chromium_path, tmp_path, port=port)
        sessions = measured("/sessions", run)
        context.close()
    performance, accessibility = sessions.scores["performance"], sessions.scores["accessibility"]
    note = sessions.failing
    print_figure("(h) main /sessions, Lighthouse performance", performance, None, "", least=95, note=note)
    print_figure("(h) main /sessions, accessibility", accessibility, None, "", least=100)
