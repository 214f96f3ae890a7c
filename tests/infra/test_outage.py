"""The API is away: visitors still read what was last published, and nothing that was taken down comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.infra.house import BASE, Answer, House
from tests.support.browser import ARGUMENTS
from tests.support.product import eventually

pytestmark = pytest.mark.tls


def gone(house: House, site: str) -> None:
    """Wait until a site has no copies."""
    eventually(f"{site} has no copies", lambda: not (house.published / site).exists())


def assert_only_the_shell(answer: Answer) -> None:
    """The bare exported page: no content of anybody, and not a success."""
    assert answer.status == 503
    assert answer.headers["retry-after"] == "5"
    assert answer.headers["cache-control"] == "no-store"
    assert "'unsafe-inline'" not in answer.headers["content-security-policy"].split("style-src")[0]
    assert '"site":null' in answer.text


class Away:
    """A house whose API was stopped after visitors had read some pages."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.caddy = house.caddy
        self.home = house.publish("cooking")
        self.about = house.publish("cooking", "/about")
        house.publish("music")
        self.frame = house.caddy.get(BASE, "/dashboard").body  # it names no screen of its own
        # Their certificates are in Caddy's memory, their pages nowhere.
        for label in ("unread", "rascal", "crook"):
            house.caddy.get(house.new_guru(label), "/robots.txt")
        house.publish("rascal")
        house.run("domain", "add", "crook", "crook.example", "--verified")
        eventually("the domain answers", lambda: house.caddy.gives_certificate("crook.example"))
        house.publish("crook")
        house.publish("crook", "/services")
        house.publish("crook.example")
        # By the database alone, as the admin's page does it: the command line would remove the copies itself.
        house.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'crook'")
        gone(house, "crook")
        gone(house, "crook.example")
        # Each worker hears of it by itself, and one that has not might keep a page again.
        eventually(
            "every worker has heard of it", lambda: all(house.caddy.get("crook").status == 410 for _ in range(20))
        )
        gone(house, "crook")
        house.stop_api()


@pytest.fixture(scope="module")
def away(started_house: House) -> Iterator[Away]:
    """The API is away."""
    yield Away(started_house)
    started_house.start_api()


def test_a_page_seen_before_is_served_and_another_is_the_shell(away: Away) -> None:
    for target, body in (("/", away.home), ("/about", away.about), ("/?utm_source=letter", away.home)):
        answer = away.caddy.get("cooking", target)
        assert (answer.status, answer.body) == (200, body), target
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert "script-src 'self';" in answer.headers["content-security-policy"]
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert away.caddy.get("cooking", method="HEAD").status == 200
    assert_only_the_shell(away.caddy.get("cooking", "/blog/never-seen"))
    assert_only_the_shell(away.caddy.get("unread"))


def test_the_main_platform_keeps_its_frame(away: Away) -> None:
    for target in ("/", "/skills"):
        answer = away.caddy.get(BASE, target)
        assert (answer.status, answer.body) == (503, away.frame)
        assert answer.headers["retry-after"] == "5"


def test_calls_are_refused_in_their_own_form(away: Away) -> None:
    for target in ("/api/gurus/cooking/home", "/api"):
        answer = away.caddy.get("cooking", target)
        assert answer.status == 503
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["retry-after"] == "5"
        refused = json.loads(answer.body)
        assert (refused["success"], refused["error"]["code"]) == (False, "unavailable")
    assert away.caddy.get("cooking", "/healthz").status == 503
    assert away.caddy.get("cooking", "/favicon.svg").body == b""
    assert away.caddy.get("cooking", "/internal/tls-check?domain=x").status == 404


def test_a_suspended_site_does_not_come_back(away: Away) -> None:
    assert_only_the_shell(away.caddy.get("crook"))
    assert_only_the_shell(away.caddy.get("crook", "/services"))
    assert_only_the_shell(away.caddy.get("crook.example"))


def test_a_site_suspended_while_the_api_is_away_is_gone_at_once(away: Away) -> None:
    assert away.caddy.get("rascal").status == 200
    away.house.run("guru", "suspend", "rascal")
    assert_only_the_shell(away.caddy.get("rascal"))


def test_nothing_leads_out_of_a_sites_own_copies(away: Away) -> None:
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
        answer = away.caddy.get("unread", target)
        assert '"subdomain":"music"' not in answer.text, target
        assert answer.status in (400, 503), target
    for host in ("..", "../music", "music/..", ".gone-1-1", "", f"x/../music.{BASE}", f"a.music.{BASE}"):
        answer = away.caddy.get("unread", host=host)
        assert '"subdomain":"music"' not in answer.text, host
        assert answer.status in (400, 503), host


async def test_a_browser_shows_the_copy_without_a_complaint(away: Away, chromium_path: Path) -> None:
    complaints: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(chromium_path), args=[*ARGUMENTS])
        context = await browser.new_context(ignore_https_errors=True)
        page = await context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.text} {message.location.get('url')}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        answer = await page.goto(f"https://cooking.{BASE}:{away.caddy.https_port}/", wait_until="load")
        assert answer is not None
        assert answer.status == 200
        heading = await page.locator("h1").inner_text()
        colour = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        spoken = await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol")
        await browser.close()
    assert "Chef" in heading
    assert colour not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")  # the styles of the theme were let in
    assert spoken == "h2"
    assert [text for text in complaints if not text.endswith("/favicon.svg")] == []


def test_caddy_itself_may_restart_while_the_api_is_away(away: Away) -> None:
    away.caddy.stop()
    away.caddy.start()
    answer = away.caddy.get("cooking")
    assert (answer.status, answer.body) == (200, away.home)
    assert away.caddy.get(BASE).status == 503
    assert not away.caddy.gives_certificate(f"nobody.{BASE}")


def test_the_failures_in_the_log_hold_no_personal_data(away: Away) -> None:
    headers = {"User-Agent": "SecretBrowser/2.0", "Cookie": "a=secret-cookie-2"}
    assert away.caddy.get("cooking", "/never-logged?q=secret-query-2", headers=headers).status == 503

    def logged() -> list[object]:
        return [line["copy"] for line in away.caddy.access() if line["request"]["uri"] == "/never-logged"]

    eventually("the failure is logged", lambda: logged() == ["shell"])
    assert "secret" not in away.caddy.log.read_text().lower()
    for line in away.caddy.logged():
        if "request" in line:
            assert line["request"].keys() <= {"proto", "method", "host", "uri"}


def test_a_start_clears_away_what_no_longer_stands(away: Away) -> None:
    house = away.house
    sleeper = house.published / "music"
    assert sleeper.exists()
    house.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'music'")
    (house.published / "never-was").mkdir()
    (house.published / "never-was" / "index.html").write_text("old")
    (house.published / ".gone-1-1" / "x").mkdir(parents=True)
    house.start_api()
    try:
        for site in ("music", "never-was", ".gone-1-1"):
            gone(house, site)
        assert house.copy_of("cooking").read_bytes() == away.home
    finally:
        house.run("guru", "restore", "music")
