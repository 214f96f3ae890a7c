"""A guru connects a custom domain in the console: DNS records, the check, the certificate and the removal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from playwright.async_api import Error as PlaywrightError

from tests.e2e.browser_session import assert_accessible, expect_toast, sign_in, visitor_page
from tests.e2e.own_gurus import new_owned_guru
from tests.e2e.plan_grants import grant_premium
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.dns_server import DnsServer, run_dns_server
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# Browsers resolve *.localhost themselves; the product asks the name server.
DOMAIN = "www.fix-it-with-tech-guru-in-the-neighborhood.localhost"


@pytest.fixture
def dns(tls_port: int) -> Iterator[DnsServer]:
    """The name server that the product asks."""
    with run_dns_server(tls_port + 1) as server:
        yield server


async def test_guru_connects_and_removes_domain(
    browser: Browser, product: dict[str, Any], main_origin: str, tls_port: int, dns: DnsServer, emulator: Emulator
) -> None:
    guru = new_owned_guru(product, emulator, "connected")
    grant_premium(product, guru.email)
    site = f"https://{DOMAIN}:{tls_port}"
    async with visitor_page(browser, viewport={"width": 360, "height": 900}) as page:
        await sign_in(page, main_origin, guru.email, guru.password)
        await page.goto(f"{main_origin}/guru/domains")
        await expect(page.get_by_text("No domains yet")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

        field = page.get_by_label("Your domain")
        await page.route("**/api/guru/domains", lambda route: route.fulfill(status=500, body="{}"), times=1)
        await field.fill(f"https://{DOMAIN}/")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Server error. Please try again later.")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )
        await expect(field).to_have_value(f"https://{DOMAIN}/")
        await field.fill("porchlight.localhost")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("This address belongs to Porchlight.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await field.fill(f"https://{DOMAIN}/")
        await page.get_by_label(re.compile("^Connect it with and without")).uncheck()
        await field.focus()
        await page.keyboard.press("Enter")
        await expect_toast(page, "Domain added. Now set its DNS records.")

        card = page.get_by_role("region", name=DOMAIN)
        record = card.get_by_role("list", name=f"Record for {DOMAIN}")
        target = await record.locator("code").last.inner_text()
        assert target.endswith(".porchlight.localhost")
        await assert_accessible(page, (1280, 360))
        check = card.get_by_role("button", name="Check now")
        await check.click()
        await expect(card.get_by_text(re.compile("^We can't find a record"))).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        async with visitor_page(browser) as visitor:
            with pytest.raises(PlaywrightError, match="ERR_SSL"):  # without proof there is no certificate
                await visitor.goto(site)

        dns.zone[(DOMAIN, "CNAME")] = [f"{target}."]
        await check.click()
        await expect(card.get_by_text("Connected", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        # Caddy dates the certificate by the machine's clock, and the suite has its own.
        await expect(card.get_by_text(re.compile("^(Valid until|Expired on)"))).to_be_visible()
        async with visitor_page(browser) as visitor:
            response = await visitor.goto(site)
            assert response is not None
            assert response.status == 200
        await expect(card.get_by_role("link", name="Open")).to_have_attribute("href", f"{site}/")

        await card.get_by_role("button", name="Remove").click()
        await page.get_by_role("alertdialog").get_by_role("button", name="Remove domain").click()
        await expect_toast(page, "Domain removed.")
        await expect(page.get_by_text("No domains yet")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(page.get_by_role("heading", name="Domains", level=1)).to_be_focused()
