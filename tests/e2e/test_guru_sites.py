"""Two gurus' sites over TLS, behind Caddy, with the demo data."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.fixtures.browser import axe_violations, excess_width
from tests.fixtures.cut_texts import text_faults
from tests.fixtures.page_observer import observed_page
from tests.fixtures.product import eventually
from tests.fixtures.tap_targets import small_targets
from tests.fixtures.views import ENLARGED, View

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

PATHS = {
    "cooking": ("/", "/about", "/blog", "/blog/one-market-bag-four-dinners", "/services", "/reviews", "/contact"),
    "music": ("/", "/about", "/blog", "/blog/tag/practice", "/services", "/reviews", "/contact"),
}
# Not part of the page: scripts add it.
FREE_TIME = re.compile("Next: .+|No free times right now")
# One page of each kind. The sweep has the others, and all at the other width.
GATE_PAGES = [
    ("cooking", "/"),
    ("cooking", "/about"),
    ("music", "/blog/tag/practice"),
    ("cooking", "/blog/one-market-bag-four-dinners"),
    ("cooking", "/services"),
    ("music", "/contact"),
]
ALL_PAGES = [(guru, path) for guru, paths in PATHS.items() for path in (*paths, "/report")]
PAGES_AND_WIDTHS = [
    *((*page, 360) for page in GATE_PAGES),
    *(pytest.param(*page, 360, marks=pytest.mark.sweep) for page in ALL_PAGES if page not in GATE_PAGES),
    *(pytest.param(*page, 1280, marks=pytest.mark.sweep) for page in ALL_PAGES),
]
# The product has its own certificate authority.
IGNORE_CERTIFICATE_ERRORS: dict[str, Any] = {"ignore_https_errors": True}

# From 0 for black to 255 for white.
PAGE_BRIGHTNESS = """
() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).reduce((a, b) => a + b) / 3
"""
END_OF_ANIMATIONS = "() => Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => null)"
PHONE_HEIGHT = 640  # of a small one, in pixels

Origin = Callable[[str], str]


@pytest.fixture
def origin(tls_port: int) -> Origin:
    """The origin of a guru's site."""
    return lambda label: f"https://{label}.porchlight.localhost:{tls_port}"


@pytest.fixture(scope="module")
async def page_without_scripts(browser: Browser) -> AsyncIterator[Page]:
    """A page in a browser context without JavaScript."""
    async with observed_page(
        browser, viewport={"width": 1280, "height": 800}, java_script_enabled=False, **IGNORE_CERTIFICATE_ERRORS
    ) as visit:
        yield visit.page


def _leads(product: dict[str, Any], email: str) -> int:
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute("SELECT count(*) FROM leads WHERE email = %s", [email]).fetchone()
    assert row is not None
    return int(row[0])


def _emails_from(product: dict[str, Any], email: str) -> int:
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute("SELECT count(*) FROM dev_mailbox WHERE reply_to = %s", [email]).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize(("guru", "path", "width"), PAGES_AND_WIDTHS)
async def test_site_page_loads_without_errors_or_shift(
    browser: Browser, page_without_scripts: Page, origin: Origin, guru: str, path: str, width: int
) -> None:
    await page_without_scripts.set_viewport_size({"width": width, "height": 800})
    async with observed_page(browser, viewport={"width": width, "height": 800}, **IGNORE_CERTIFICATE_ERRORS) as visit:
        await visit.open(origin(guru) + path)
        await expect(visit.page.locator("h1")).to_be_visible()
        notes = await visit.page.evaluate("() => window.__notes")
        text = await visit.text()
        violations = await axe_violations(visit.page)
        excess = await excess_width(visit.page)
        small = await small_targets(visit.page) if width == 360 else []
    await page_without_scripts.goto(origin(guru) + path)
    await expect(page_without_scripts.locator("h1")).to_be_visible()
    text_without_scripts = await page_without_scripts.locator("body").inner_text()

    assert visit.errors == []
    assert visit.data_requests() == []
    assert notes["shift"] == 0
    assert violations == []
    assert excess == 0
    assert small == []
    assert text_without_scripts.split() == FREE_TIME.sub("", text).split()


@pytest.mark.sweep
@pytest.mark.parametrize("view", ENLARGED, ids=str)
@pytest.mark.parametrize("guru", PATHS)
async def test_enlarged_site_shows_all_text(browser: Browser, origin: Origin, guru: str, view: View) -> None:
    faults: list[str] = []
    async with observed_page(browser, **view.options, **IGNORE_CERTIFICATE_ERRORS) as visit:
        await view.enlarge(visit.page)
        for path in (*PATHS[guru], "/report"):
            await visit.open(origin(guru) + path)
            await expect(visit.page.locator("h1")).to_be_visible()
            excess = await excess_width(visit.page)
            faults += [f"{path}: {excess} px too wide"] if excess else []
            faults += [f"{path}: {fault}" for fault in await text_faults(visit.page)]
    assert faults == []


@pytest.mark.parametrize("guru", ["cooking", pytest.param("music", marks=pytest.mark.sweep)])
async def test_home_on_a_phone_begins_with_what_matters(browser: Browser, origin: Origin, guru: str) -> None:
    """Portrait, price, review and the next step are above the fold, on a short phone too."""
    async with observed_page(
        browser, viewport={"width": 360, "height": PHONE_HEIGHT}, **IGNORE_CERTIFICATE_ERRORS
    ) as visit:
        await visit.open(origin(guru) + "/")
        hero = visit.page.locator(".hero-text")
        portrait = hero.locator(".hero-portrait img")
        assert await portrait.evaluate("image => image.decode().then(() => image.naturalWidth)") == 512
        for part in (
            portrait,
            hero.get_by_text(re.compile(r"^From \$\d+$")),
            hero.get_by_role("link", name=re.compile("reviews?")),
            hero.get_by_role("link", name=re.compile("^See times")),
        ):
            box = await part.bounding_box()
            assert box is not None
            assert 0 <= box["y"] < box["y"] + box["height"] <= PHONE_HEIGHT, await part.inner_text()
        assert await visit.page.evaluate("() => scrollY") == 0

    assert visit.errors == []


async def test_site_themes_of_two_gurus_differ(browser: Browser, origin: Origin) -> None:
    colors = []
    for guru in PATHS:
        async with observed_page(browser, **IGNORE_CERTIFICATE_ERRORS) as visit:
            await visit.open(origin(guru) + "/")
            colors.append(
                await visit.page.evaluate("() => getComputedStyle(document.querySelector('a[href*=services]')).color")
                + await visit.page.evaluate("() => document.querySelector('style').textContent.slice(-400)")
            )

    assert colors[0] != colors[1]


async def test_site_follows_the_device_and_prints_on_white(
    browser: Browser, origin: Origin, product: dict[str, Any]
) -> None:
    port = urlsplit(product["base_url"]).port
    query = "UPDATE gurus SET appearance = 'device', content_version = content_version + 1 WHERE label = 'fitness'"
    with psycopg.connect(product["overseer_url"]) as conn:
        conn.execute(query)

    def has_both_palettes() -> bool:
        host = {"host": f"fitness.porchlight.localhost:{port}"}
        return "prefers-color-scheme" in httpx.get(f"http://127.0.0.1:{port}/services", headers=host, timeout=60).text

    eventually("the site has both palettes", has_both_palettes)
    async with observed_page(browser, **IGNORE_CERTIFICATE_ERRORS) as visit:
        await visit.open(origin("fitness") + "/services")
        await visit.page.emulate_media(color_scheme="light")
        await visit.page.evaluate(END_OF_ANIMATIONS)
        light = await visit.page.evaluate(PAGE_BRIGHTNESS)
        assert await axe_violations(visit.page) == []
        await visit.page.emulate_media(color_scheme="dark")
        await visit.page.evaluate(END_OF_ANIMATIONS)
        dark = await visit.page.evaluate(PAGE_BRIGHTNESS)
        assert await axe_violations(visit.page) == []
        await visit.page.emulate_media(media="print")
        paper = await visit.page.evaluate(PAGE_BRIGHTNESS)
        await expect(visit.page.get_by_role("heading", level=1)).to_be_visible()
        await expect(visit.page.locator(".site-header")).to_be_hidden()
    assert dark < 40 < 230 < light < paper == 255


async def test_lead_form_double_click_creates_one_lead(
    browser: Browser, origin: Origin, product: dict[str, Any]
) -> None:
    email = "double.click@example.com"
    async with observed_page(browser, **IGNORE_CERTIFICATE_ERRORS) as visit:
        page = visit.page
        await visit.open(origin("cooking") + "/contact")
        await page.get_by_label("Name", exact=True).fill("Dot Double")
        await page.get_by_label("Email", exact=True).fill(email)
        await page.get_by_label("Message", exact=True).fill("Could you teach me to make green chile?")
        await page.get_by_role("checkbox").check()
        await page.get_by_role("button", name="Send message").dblclick()
        await expect(page.get_by_text("Thank you! Your message has been sent.")).to_be_visible()

    assert visit.errors == []
    assert _leads(product, email) == 1
    eventually("the guru has the email", lambda: _emails_from(product, email) == 1)
