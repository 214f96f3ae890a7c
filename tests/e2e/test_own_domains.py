"""Signed in on a guru's own domain, in a real browser over TLS: there, back, and out again."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.visitor import PATIENCE, arrived, give_credentials, sign_in, sign_out, visitor
from tests.support.identity import Emulator
from tests.support.product import PROGRAM

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# Browsers find the way to *.localhost by themselves; to them it is another site than porchlight.localhost.
DOMAIN = "strings-attached.localhost"


@pytest.fixture
def site(product: Mapping[str, Any], tls_port: int) -> str:
    """The origin of a guru's own domain."""
    done = subprocess.run(
        [str(PROGRAM), "domain", "add", "music", DOMAIN, "--verified"],
        env=os.environ | {"PORCHLIGHT_OVERSEER_DATABASE_URL": product["overseer_url"]},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0 or b"taken" in done.stderr + done.stdout, done
    return f"https://{DOMAIN}:{tls_port}"


async def _books(page: Page, words: str) -> None:
    """The services on a guru's page are booked by links of these words."""
    await expect(page.get_by_role("main").get_by_role("link", name=words).first).to_be_visible(timeout=PATIENCE)


async def test_from_its_book_now_and_back_signed_in_until_the_sign_out(
    browser: Browser, main_origin: str, site: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await page.goto(f"{site}/services")
        await page.get_by_role("main").get_by_role("link", name="Book Now").first.click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/login\\?next="), timeout=PATIENCE)
        await give_credentials(page, email)
        await expect(page).to_have_url(re.compile(f"^{re.escape(site)}/services#service-"), timeout=PATIENCE)
        await _books(page, "Book a Session")
        # The session is this host's alone, and scripts cannot read it.
        own = [cookie for cookie in await page.context.cookies(site) if DOMAIN in cookie["domain"]]
        assert {cookie["name"]: cookie["httpOnly"] for cookie in own} == {
            "__Host-session": True,
            "porchlight_signed_in": False,
        }
        assert {cookie["domain"] for cookie in own} == {DOMAIN}
        await page.get_by_role("main").get_by_role("link", name="Book a Session").first.click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/dashboard\\?action=book-service"))
        await page.get_by_role("heading", level=1).wait_for()
        # Known there from now on, until the sign-out on the main host.
        await page.goto(f"{site}/")
        await _books(page, "Book a Session")
        await page.goto(f"{main_origin}/dashboard")
        await sign_out(page)
        await page.goto(f"{site}/services")
        await _books(page, "Book Now")
        answer = await page.evaluate("async () => (await (await fetch('/api/auth/session')).json()).data.user")
        assert answer is None
        await expect(page.get_by_role("main").get_by_role("link", name="Book a Session")).to_have_count(0)


async def test_who_is_signed_in_already_is_known_after_one_press(
    browser: Browser, main_origin: str, site: str, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{site}/services")
        await page.get_by_role("main").get_by_role("link", name="Book Now").first.click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(site)}/services#service-"), timeout=PATIENCE)
        await _books(page, "Book a Session")


async def test_a_pass_brings_nobody_else_in(browser: Browser, main_origin: str, site: str, emulator: Emulator) -> None:
    """Somebody lures a visitor to the address of a pass of their own."""
    email, _, _ = emulator.sign_up()
    async with visitor(browser, service_workers="block") as thief, visitor(browser) as visited:
        caught: list[str] = []

        def catch(address: str) -> None:
            if "pass=" in address:
                caught.append(address)

        await sign_in(thief, main_origin, email)
        await thief.goto(f"{site}/api/auth/arrival?to=/about")
        thief.context.on("request", lambda request: catch(request.url))
        await thief.goto(f"{main_origin}/api/auth/pass?to={quote(site + '/about', safe='')}")
        await arrived(thief, f"{site}/about")
        assert len(caught) == 1
        await visited.goto(caught[0])
        await arrived(visited, f"{site}/about")
        cookies = {cookie["name"] for cookie in await visited.context.cookies(site)}
        assert not cookies & {"__Host-session", "porchlight_signed_in"}


STRANGE = (
    "//e.example/",
    "/\\e.example/",
    "https:e.example",
    "https://e.example{port}/",
    "https://" + DOMAIN + ".e.example{port}/",
    "https://e.example@" + DOMAIN + "{port}/",
    "https://not-a-guru.localhost{port}/",
    "https://" + DOMAIN + "/",
    "/%0d%0alocation:https://e.example",
    "javascript:alert(1)",
)


async def test_other_return_addresses_lead_nowhere(
    browser: Browser, main_origin: str, site: str, tls_port: int, emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    ours = re.compile(rf"^https://porchlight\.localhost:{tls_port}/")
    async with visitor(browser) as page:
        left: list[str] = []
        page.on("framenavigated", lambda frame: None if ours.match(frame.url) else left.append(frame.url))
        for number, address in enumerate(STRANGE):
            await page.goto(f"{main_origin}/login?next={quote(address.format(port=f':{tls_port}'), safe='')}")
            if number == 0:  # signed in from then on, each address is followed at once
                await give_credentials(page, email)
            await arrived(page, f"{main_origin}/dashboard")
            assert left == [], address
