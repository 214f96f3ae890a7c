"""API outages: Caddy serves snapshots of published pages, and no page of a suspended site."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from tenants.tenancy.hosts import RESERVED_LABELS
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.product import eventually
from tests.infra.deployment import BASE, Deployment, HttpResponse

pytestmark = pytest.mark.tls


def wait_until_removed(deployment: Deployment, site: str) -> None:
    """Wait until a site has no snapshots."""
    eventually(f"{site} has no copies", lambda: not (deployment.snapshots_dir / site).exists())


def assert_fallback(response: HttpResponse) -> None:
    """Assert a 503 with the exported page without a site's content."""
    assert response.status == 503
    assert response.headers["retry-after"] == "5"
    assert response.headers["cache-control"] == "no-store"
    assert "'unsafe-inline'" not in response.headers["content-security-policy"].split("style-src")[0]
    assert '"site":null' in response.text


class Outage:
    """A deployment whose API was stopped after some pages were visited."""

    def __init__(self, deployment: Deployment) -> None:
        self.deployment = deployment
        self.caddy = deployment.caddy
        self.home = deployment.publish("cooking")
        self.about = deployment.publish("cooking", "/about")
        deployment.publish("music")
        self.fallback = deployment.caddy.get(BASE, "/profile").body  # not specific to a screen
        # These have certificates, but no snapshots.
        for label in ("unread", "rascal", "crook"):
            deployment.caddy.get(deployment.new_guru(label), "/robots.txt")
        for label in RESERVED_LABELS:
            assert deployment.caddy.get(label, "/healthz").status == 200
        deployment.publish("rascal")
        deployment.add_domain("crook", "crook.example")
        eventually("the domain answers", lambda: deployment.caddy.has_certificate_for("crook.example"))
        deployment.publish("crook")
        deployment.publish("crook", "/services")
        deployment.publish("crook.example")
        # Update the database directly, as the admin page does: the command line would remove the snapshots itself.
        deployment.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'crook'")
        wait_until_removed(deployment, "crook")
        wait_until_removed(deployment, "crook.example")
        # Each API worker receives the notification separately; one that has not could write a snapshot again.
        eventually(
            "every worker is notified",
            lambda: all(deployment.caddy.get("crook").status == 410 for _ in range(20)),
        )
        wait_until_removed(deployment, "crook")
        deployment.stop_api()


@pytest.fixture(scope="module")
def outage(started_deployment: Deployment) -> Iterator[Outage]:
    """A deployment without its API."""
    yield Outage(started_deployment)
    started_deployment.start_api()


def test_outage_serves_snapshot_or_fallback(outage: Outage) -> None:
    for target, body in (("/", outage.home), ("/about", outage.about), ("/?utm_source=letter", outage.home)):
        response = outage.caddy.get("cooking", target)
        assert (response.status, response.body) == (200, body), target
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert response.headers["cache-control"] == "no-store"
        assert "script-src 'self';" in response.headers["content-security-policy"]
        assert response.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
        assert response.headers["x-content-type-options"] == "nosniff"
    assert outage.caddy.get("cooking", method="HEAD").status == 200
    assert_fallback(outage.caddy.get("cooking", "/blog/never-seen"))
    assert_fallback(outage.caddy.get("unread"))


def test_outage_serves_the_page_that_was_asked_for(outage: Outage) -> None:
    pages = {
        "/": "/", "/about": "/about", "/contact": "/contact", "/services": "/services", "/blog": "/blog",
        "/blog/crusty-bread": "/blog/[slug]", "/blog/tag/bread": "/blog/tag/[tag]",
        "/blog/older/x": "/blog/older/[cursor]",
        "/blog/tag/bread/older/x": "/blog/tag/[tag]/older/[cursor]", "/report": "/report",
        "/report/blog/crusty-bread": "/report/blog/[slug]", "/services/abc/times": "/services/[service]/times",
        "/reviews": "/reviews", "/reviews/older/x": "/reviews/older/[cursor]",
        "/unknown/path": "/",
    }  # fmt: skip
    for path, page in pages.items():
        response = outage.caddy.get("unread", path)
        assert_fallback(response)
        assert f'"page":"{page}"' in response.text, path


def test_outage_of_main_platform_serves_fallback(outage: Outage) -> None:
    for target in ("/", "/skills"):
        response = outage.caddy.get(BASE, target)
        assert (response.status, response.body) == (503, outage.fallback)
        assert response.headers["retry-after"] == "5"


def test_outage_of_api_call_returns_json_503(outage: Outage) -> None:
    for target in ("/api/gurus/cooking/home", "/api"):
        response = outage.caddy.get("cooking", target)
        assert response.status == 503
        assert response.headers["content-type"] == "application/json"
        assert response.headers["retry-after"] == "5"
        body = json.loads(response.body)
        assert (body["success"], body["error"]["code"]) == (False, "unavailable")
    assert outage.caddy.get("cooking", "/healthz").status == 503
    assert outage.caddy.get("cooking", "/favicon.svg").body == b""
    assert outage.caddy.get("cooking", "/internal/tls-check?domain=x").status == 404


def test_outage_redirects_reserved_subdomains(outage: Outage) -> None:
    target = "/skills?tab=coach&q=a%20b"
    for label in RESERVED_LABELS:
        response = outage.caddy.get(label, target)
        expected = f"https://{BASE}:{outage.caddy.https_port}{target}"
        assert (response.status, response.headers.get("location")) == (308, expected), label
        assert outage.caddy.get(label, "/api/feature-flags").status == 503


def test_outage_hides_suspended_site(outage: Outage) -> None:
    assert_fallback(outage.caddy.get("crook"))
    assert_fallback(outage.caddy.get("crook", "/services"))
    assert_fallback(outage.caddy.get("crook.example"))


def test_outage_suspension_removes_site_at_once(outage: Outage) -> None:
    assert outage.caddy.get("rascal").status == 200
    outage.deployment.run("guru", "suspend", "rascal")
    assert_fallback(outage.caddy.get("rascal"))


def test_outage_path_traversal_is_rejected(outage: Outage) -> None:
    for target in (
        "/../music/",
        "/..%2fmusic/",
        "/%2e%2e/music",
        "/%2e%2e%2fmusic%2findex.html",
        "/x/..%2f..%2f..%2fmusic",
        "/..\\music",
        "/music/../../music",
        "/blog%00",
        "/*",
        "/[a-z]*",
        "/{site}",
    ):
        response = outage.caddy.get("unread", target)
        assert '"subdomain":"music"' not in response.text, target
        assert response.status in (400, 503), target
    for host in ("..", "../music", "music/..", ".gone-1-1", "", f"x/../music.{BASE}", f"a.music.{BASE}"):
        response = outage.caddy.get("unread", host=host)
        assert '"subdomain":"music"' not in response.text, host
        assert response.status in (400, 503), host


async def test_outage_snapshot_renders_in_browser(outage: Outage, browser: Browser) -> None:
    complaints: list[str] = []
    async with await browser.new_context(ignore_https_errors=True) as context:
        context.set_default_timeout(BROWSER_TIMEOUT_MS)
        context.set_default_navigation_timeout(BROWSER_TIMEOUT_MS)
        page = await context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.text} {message.location.get('url')}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        response = await page.goto(f"https://cooking.{BASE}:{outage.caddy.https_port}/", wait_until="load")
        assert response is not None
        assert response.status == 200
        await expect(page.locator("h1")).to_contain_text("Chef")
        color = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        protocol = await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
    assert color not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")  # the CSP allows the theme's styles
    assert protocol == "h2"
    assert [text for text in complaints if not text.endswith("/favicon.svg")] == []


def test_outage_survives_caddy_restart(outage: Outage) -> None:
    outage.caddy.stop()
    outage.caddy.start()
    response = outage.caddy.get("cooking")
    assert (response.status, response.body) == (200, outage.home)
    assert outage.caddy.get(BASE).status == 503
    assert not outage.caddy.has_certificate_for("unknown.example")


def test_outage_log_holds_no_personal_data(outage: Outage) -> None:
    headers = {"User-Agent": "SecretBrowser/2.0", "Cookie": "a=secret-cookie-2"}
    assert outage.caddy.get("cooking", "/never-logged?q=secret-query-2", headers=headers).status == 503

    def log_entries() -> list[object]:
        return [line["copy"] for line in outage.caddy.access_log() if line["request"]["uri"] == "/never-logged"]

    eventually("the failure is logged", lambda: log_entries() == ["shell"])
    assert "secret" not in outage.caddy.log.read_text().lower()
    for line in outage.caddy.log_entries():
        if "request" in line:
            assert line["request"].keys() <= {"proto", "method", "host", "uri"}


def test_api_start_removes_stale_snapshots(outage: Outage) -> None:
    deployment = outage.deployment
    snapshot = deployment.snapshots_dir / "music"
    assert snapshot.exists()
    deployment.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'music'")
    (deployment.snapshots_dir / "never-was").mkdir()
    (deployment.snapshots_dir / "never-was" / "index.html").write_text("old")
    (deployment.snapshots_dir / ".gone-1-1" / "x").mkdir(parents=True)
    deployment.start_api()
    try:
        for site in ("music", "never-was", ".gone-1-1"):
            wait_until_removed(deployment, site)
        assert deployment.snapshot_path("cooking").read_bytes() == outage.home
    finally:
        deployment.restore_guru("music")
