"""Two gurus' sites over TLS, behind Caddy, with the demo data."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tests.fixtures.browser import axe_violations
from tests.fixtures.page_observer import observed_page
from tests.fixtures.product import eventually, run_program

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

PATHS = {
    "cooking": ("/", "/about", "/blog", "/blog/one-market-bag-four-dinners", "/services", "/contact"),
    "music": ("/", "/about", "/blog", "/blog/tag/practice", "/services", "/contact"),
}
# Not part of the page: scripts add it.
FREE_TIME = re.compile("Next: .+|No free times right now")
ALL_PAGES = [(guru, path) for guru, paths in PATHS.items() for path in paths]
# The product has its own certificate authority.
IGNORE_CERTIFICATE_ERRORS: dict[str, Any] = {"ignore_https_errors": True}

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


@pytest.mark.parametrize(("guru", "path"), ALL_PAGES)
async def test_site_page_loads_without_errors_or_shift(
    browser: Browser, page_without_scripts: Page, origin: Origin, guru: str, path: str
) -> None:
    async with observed_page(browser, viewport={"width": 1280, "height": 800}, **IGNORE_CERTIFICATE_ERRORS) as visit:
        await visit.open(origin(guru) + path)
        notes = await visit.page.evaluate("() => window.__notes")
        text = await visit.text()
        violations = await axe_violations(visit.page)
    await page_without_scripts.goto(origin(guru) + path)
    text_without_scripts = await page_without_scripts.locator("body").inner_text()

    assert visit.errors == []
    assert visit.data_requests() == []
    assert notes["shift"] == 0
    assert violations == []
    assert text_without_scripts.split() == FREE_TIME.sub("", text).split()


@pytest.mark.parametrize("guru", PATHS)
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
            hero.get_by_role("figure"),
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


async def test_lead_form_without_javascript_creates_lead(
    browser: Browser, origin: Origin, product: dict[str, Any]
) -> None:
    email = "no.scripts@example.com"
    async with observed_page(browser, java_script_enabled=False, **IGNORE_CERTIFICATE_ERRORS) as visit:
        page = visit.page
        await page.goto(origin("music") + "/contact")
        await page.get_by_label("Name", exact=True).fill("Pat Plain")
        await page.get_by_label("Email", exact=True).fill("not an address")
        await page.get_by_label("Message", exact=True).fill("Do you teach the banjo?")
        await page.get_by_role("checkbox").check()
        await page.locator("form").evaluate("form => { form.noValidate = true; }")
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_text("Please enter a valid email address.")).to_be_visible()
        assert await page.get_by_label("Message", exact=True).input_value() == "Do you teach the banjo?"
        assert await page.get_by_role("checkbox").is_checked()
        await page.get_by_label("Email", exact=True).fill(email)
        await page.locator("form").evaluate("form => { form.noValidate = true; }")
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_text("Thank you! Your message has been sent.")).to_be_visible()

    assert _leads(product, email) == 1


async def test_lead_form_submission_emails_guru(browser: Browser, origin: Origin, product: dict[str, Any]) -> None:
    email = "told.by.mail@example.com"
    async with observed_page(browser, **IGNORE_CERTIFICATE_ERRORS) as visit:
        page = visit.page
        await visit.open(origin("tech") + "/contact")
        await page.get_by_label("Name", exact=True).fill("Mel Mail")
        await page.get_by_label("Email", exact=True).fill(email)
        await page.get_by_label("Message", exact=True).fill("My laptop hums.")
        await page.get_by_role("checkbox").check()
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_text("Thank you! Your message has been sent.")).to_be_visible()

    def is_emailed() -> bool:
        with psycopg.connect(product["overseer_url"]) as conn:
            row = conn.execute("SELECT count(*) FROM dev_mailbox WHERE reply_to = %s", [email]).fetchone()
        return row is not None and row[0] == 1

    eventually("the guru has the mail", is_emailed)


async def test_site_created_just_now_is_served(browser: Browser, origin: Origin, product: dict[str, Any]) -> None:
    label = "just-made"
    env = {"PORCHLIGHT_OVERSEER_DATABASE_URL": product["overseer_url"]}
    code, output = run_program("guru", "create", label, "--character", "Fresh Guru", env=env)
    assert code == 0, output
    async with observed_page(browser, **IGNORE_CERTIFICATE_ERRORS) as visit:
        await visit.open(origin(label) + "/services")
        await expect(visit.page.get_by_role("heading", name="Monthly Mentorship")).to_be_visible()

    assert visit.errors == []


async def test_site_navigation_supports_back_and_forward(browser: Browser, origin: Origin) -> None:
    async with observed_page(browser, viewport={"width": 1280, "height": 800}, **IGNORE_CERTIFICATE_ERRORS) as visit:
        page = visit.page
        await visit.open(origin("cooking") + "/blog/one-market-bag-four-dinners")
        await page.get_by_role("navigation", name="Main").get_by_role("link", name="Services").click()
        await expect(page).to_have_url(re.compile("/services$"))
        await page.go_back()
        await expect(page.get_by_role("heading", level=1)).to_have_text("One Market Bag, Four Dinners")
        await page.go_forward()
        await expect(page).to_have_url(re.compile("/services$"))

    assert visit.errors == []


async def test_site_of_unknown_host_is_404(browser: Browser, product: dict[str, Any]) -> None:
    async with observed_page(browser) as visit:
        response = await visit.page.goto(
            f"http://unknown-guru.porchlight.localhost:{product['base_url'].rsplit(':')[-1]}/"
        )
        assert response is not None
        assert response.status == 404
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text("Guru Not Found")
        await expect(visit.page.get_by_role("link", name="Go to Main Site")).to_be_visible()
