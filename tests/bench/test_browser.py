"""(h) What a visitor on a slow phone meets: Lighthouse with its simulated phone and network, over TLS."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.bench.conftest import BASE
from tests.bench.figures import show
from tests.bench.servers import ROOT
from tests.support.browser import ARGUMENTS

pytestmark = pytest.mark.bench

RUNS = 3
TRACES = 3  # its recorder loses the start of a visit now and then, says so and asks to be run again
FLAGS = " ".join(("--headless", "--ignore-certificate-errors", *ARGUMENTS))


def lighthouse(url: str, chromium: Path, folder: Path) -> dict[str, Any]:
    """Lighthouse's report of a page."""
    report = folder / "lighthouse.json"
    argv = [
        ROOT / "node_modules" / ".bin" / "lighthouse",
        url,
        "--quiet",
        "--output=json",
        f"--output-path={report}",
        f"--chrome-flags={FLAGS}",
        "--only-categories=performance,accessibility,best-practices,seo",
    ]
    env = os.environ | {"CHROME_PATH": str(chromium)}
    for _ in range(TRACES):
        ran = subprocess.run(argv, env=env, check=False, timeout=180, capture_output=True, text=True)
        if "NO_NAVSTART" not in ran.stderr:
            break
    assert ran.returncode == 0, ran.stderr[-2000:]
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def what_costs(report: dict[str, Any]) -> str:
    """The audits that cost points, by their names."""
    lost = []
    for category in report["categories"].values():
        for reference in category["auditRefs"]:
            score = report["audits"][reference["id"]]["score"]
            if reference["weight"] and score is not None and score < 0.9:
                lost.append(reference["id"])
    return ", ".join(lost)


def median(reports: list[dict[str, Any]], value: Callable[[dict[str, Any]], float]) -> float:
    """The middle one of what the reports say."""
    return statistics.median(value(report) for report in reports)


def scores_of(reports: list[dict[str, Any]]) -> dict[str, float]:
    """Lighthouse's four scores, 0 to 100."""
    names = ("performance", "accessibility", "best-practices", "seo")
    return {
        name: median(reports, lambda report, name=name: report["categories"][name]["score"] or 0) * 100
        for name in names
    }


@pytest.mark.parametrize("page", ["/", "/skills", "/angels-list", "/login", "/pricing"])
def test_main_platform_on_a_slow_phone(
    tls_demo: dict[str, Any], chromium_path: Path, tmp_path: Path, page: str
) -> None:
    reports = [lighthouse(tls_demo["tls_url"].rstrip("/") + page, chromium_path, tmp_path) for _ in range(RUNS)]
    scores = scores_of(reports)
    note = what_costs(reports[-1])
    show(f"(h) main {page}, Lighthouse performance", scores.pop("performance"), None, "", least=95, note=note)
    show(f"(h) main {page}, accessibility, practices, SEO", min(scores.values()), None, "", least=100)
    items = reports[-1]["audits"]["network-requests"]["details"]["items"]
    # The worker fetches the other screens for later; those are no part of the first load.
    first = [item for item in items if item["resourceType"] == "Script" and not item.get("isServiceWorker")]
    scripts = sum(item["transferSize"] for item in first) / 1e3
    show(f"(h) main {page}, scripts", scripts, None, "kB", most=130)


@pytest.mark.parametrize("page", ["home", "blog", "post"])
def test_slow_phone(tls_demo: dict[str, Any], chromium_path: Path, tmp_path: Path, page: str) -> None:
    with psycopg.connect(tls_demo["overseer_url"]) as conn:
        row = conn.execute(
            "SELECT p.slug FROM posts p JOIN gurus g ON g.id = p.tenant_id WHERE g.label = 'cooking'"
            " ORDER BY p.published_at DESC LIMIT 1"
        ).fetchone()
    assert row is not None
    path = {"home": "/", "blog": "/blog", "post": f"/blog/{row[0]}"}[page]
    url = f"https://cooking.{BASE}:{urlsplit(tls_demo['tls_url']).port}{path}"
    reports = [lighthouse(url, chromium_path, tmp_path) for _ in range(RUNS)]

    largest = median(reports, lambda report: report["audits"]["largest-contentful-paint"]["numericValue"]) / 1e3
    show(f"(h) {page}, largest paint on a slow phone", largest, None, "s", most=1.2)
    scores = scores_of(reports)
    note = what_costs(reports[-1])
    show(f"(h) {page}, Lighthouse performance", scores.pop("performance"), None, "", least=98, note=note)
    show(f"(h) {page}, accessibility, practices, SEO", min(scores.values()), None, "", least=100)
    items = reports[-1]["audits"]["network-requests"]["details"]["items"]
    whole = sum(item["transferSize"] for item in items) / 1e3
    scripts = sum(item["transferSize"] for item in items if item["resourceType"] == "Script") / 1e3
    show(f"(h) {page}, whole page", whole, None, "kB", most=160, note=f"{len(items)} requests")
    show(f"(h) {page}, scripts", scripts, None, "kB", most=120)
