"""The walks of new people on a phone and on a desktop: what they want is a few taps, or a few minutes, away."""

from __future__ import annotations

import re
import uuid
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, FilePayload, Page, ViewportSize, expect

from tests.e2e.browser_session import expect_toast, expect_url, sign_in, sign_in_as_staff, visitor_page
from tests.e2e.effort import Effort
from tests.fixtures.browser import BROWSER_TIMEOUT_MS, excess_width
from tests.fixtures.identity import PASSWORD
from tests.porchlight.payouts.stripe_fake import ADDRESS, BANK_ACCOUNT, PERSONAL_DETAILS
from tests.porchlight.profiles.api_client import create_image

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
MAX_TAPS_TO_MESSAGE = 3
MAX_STEPS_TO_TEACHERS = 3
MAX_SECONDS_TO_SITE = 5 * 60
# In ten seconds at 200 words a minute.
MAX_WORDS_OF_WAITING = 33
BIO = "I bake bread in a wood oven and teach it in small groups, slowly, with enough time for every loaf."

screens = pytest.mark.parametrize(
    "screen", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.sweep)], ids=lambda screen: str(screen["width"])
)


@screens
async def test_visitor_messages_about_service_in_three_taps(
    browser: Browser, product: dict[str, Any], tls_port: int, screen: ViewportSize
) -> None:
    email, effort = f"walk-{uuid.uuid4().hex[:10]}@mail.example", Effort()
    async with visitor_page(browser, viewport=screen) as page:
        # The home page of a phone has rows with one link each; all of a service is on this one.
        await page.goto(f"https://garden.porchlight.localhost:{tls_port}/services")
        ask = page.get_by_role("link", name="Ask about this service: Monthly Mentorship")
        await effort.open(ask)
        service = page.get_by_role("combobox", name="Service")
        await expect(service.locator("option:checked")).to_have_text("Monthly Mentorship")
        await effort.type(page.get_by_label("Name", exact=True), "Vera Visitor")
        await effort.type(page.get_by_label("Email", exact=True), email)
        await effort.type(page.get_by_label("Message", exact=True), "Could we begin in March?")
        await effort.tap(page.get_by_role("checkbox"))
        await effort.tap(page.get_by_role("button", name="Send message"))
        await expect(page.get_by_text("Thank you! Your message has been sent.")).to_be_visible()
        assert await excess_width(page) == 0
    assert effort.taps <= MAX_TAPS_TO_MESSAGE
    with psycopg.connect(product["overseer_url"]) as conn:
        query = "SELECT s.name FROM leads l JOIN services s USING (tenant_id) WHERE s.id = l.service_id AND email = %s"
        assert conn.execute(query, [email]).fetchall() == [("Monthly Mentorship",)]


@screens
async def test_new_neighbor_finds_three_teachers_in_three_steps(
    browser: Browser, main_origin: str, user: str, screen: ViewportSize
) -> None:
    async with visitor_page(browser, viewport=screen) as page:
        await sign_in(page, main_origin, user)
        await page.goto(f"{main_origin}/")
        steps, effort = 2, Effort()  # the text, and Enter
        field = page.get_by_role("main").get_by_role("searchbox", name="What are you looking for?")
        await effort.type(field, "sourdough")
        await effort.press(field, "Enter")
        hits = (
            page.get_by_role("main")
            .get_by_role("listitem")
            .filter(has=page.get_by_role("heading", name=re.compile("sourdough", re.IGNORECASE)))
        )
        teachers = hits.get_by_text(re.compile("^by "))
        await expect(teachers.nth(2)).to_be_visible()
        assert len(set(await teachers.all_inner_texts())) >= 3
        assert await excess_width(page) == 0
        # Each of them can be asked at once.
        await effort.open(hits.get_by_role("link").nth(2))
        await effort.open(page.get_by_role("button", name="Request a session"))
        await effort.open(
            page.get_by_role("region", name=re.compile("^Book a .+session$")).get_by_role(
                "link", name=re.compile("^Message ")
            )
        )
        await expect(page.get_by_role("textbox", name=re.compile("^Message "))).to_have_value(re.compile("^Hi .+learn"))
    effort.expect_within("Find who teaches sourdough, and write to them")
    assert steps <= MAX_STEPS_TO_TEACHERS


@screens
async def test_admin_sees_what_waits_without_a_tap(
    browser: Browser, product: dict[str, Any], main_origin: str, screen: ViewportSize
) -> None:
    async with visitor_page(browser, viewport=screen) as page:
        await sign_in_as_staff(page, main_origin, product["admin_key"])
        await page.goto(f"{main_origin}/admin")
        waiting = page.get_by_role("region", name="Waiting for you")
        for kind, count in (
            ("Documents", r"\d+ waiting"),
            ("Open reports", r"\d+ waiting"),
            ("Risk reviews", r"\d+ waiting|None waiting"),
        ):
            row = waiting.get_by_role("listitem").filter(has_text=kind)
            await expect(row).to_contain_text(re.compile(count), timeout=BROWSER_TIMEOUT_MS)
            await expect(row).to_be_in_viewport(ratio=1)
        assert await page.evaluate("() => scrollY") == 0
        assert len((await waiting.inner_text()).split()) <= MAX_WORDS_OF_WAITING


async def _sign_up(page: Page, effort: Effort, main_origin: str) -> None:
    await page.goto(f"{main_origin}/signup")
    for label, text in (
        ("First name", "Nora"),
        ("Last name", "Newcomer"),
        ("Email", f"{uuid.uuid4().hex[:12]}@example.com"),
        ("Password", PASSWORD),
        ("Confirm password", PASSWORD),
    ):
        await effort.type(page.get_by_label(label, exact=True), text)
    await effort.open(page.get_by_role("button", name="Create Account", exact=True))
    await expect_url(page, f"{main_origin}/dashboard")


async def _introduce(page: Page, effort: Effort) -> None:
    """Fill in the profile with a portrait, and choose a category that needs no documents."""
    await effort.type(page.get_by_label("City"), "Denver")
    await effort.type(page.get_by_label("ZIP Code"), "80202")
    await effort.type(page.get_by_label("Bio"), BIO)
    photo = FilePayload(name="nora.png", mimeType="image/png", buffer=create_image("PNG"))
    await effort.choose_file(page.get_by_label("Photo file"), photo)
    await effort.tap(page.get_by_role("button", name="Use this photo"))
    await expect(page.get_by_role("button", name="Remove photo")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await effort.open(page.get_by_role("button", name="Save and continue"))
    await effort.tap(page.get_by_role("checkbox", name="Creative"))
    await effort.open(page.get_by_role("button", name="Continue", exact=True))


async def _connect_payouts(page: Page, effort: Effort, main_origin: str) -> None:
    await effort.open(page.get_by_role("button", name="Connect with Stripe"))
    for fields in (PERSONAL_DETAILS, ADDRESS, BANK_ACCOUNT):
        for name, value in fields.items():
            await effort.type(page.locator(f'[name="{name}"]'), value)
        await effort.open(page.get_by_role("button", name="Continue", exact=True))
    await effort.open(page.get_by_role("button", name="Agree and submit"))
    await page.wait_for_url(f"{main_origin}/onboarding/payout**", timeout=BROWSER_TIMEOUT_MS)
    await effort.open(page.get_by_role("link", name="Continue to Review"))


@screens
async def test_new_guru_has_a_live_site_in_five_minutes(
    browser: Browser, main_origin: str, tls_port: int, screen: ViewportSize
) -> None:
    """The five minutes are those of a person at work: the model's, whatever this machine is busy with."""
    effort, label = Effort(), f"walk-{uuid.uuid4().hex[:8]}"
    async with visitor_page(browser, viewport=screen) as page:
        await _sign_up(page, effort, main_origin)
        await effort.open(page.get_by_role("link", name="Get started", exact=True))
        await effort.open(page.get_by_role("link", name="Complete Profile"))
        await _introduce(page, effort)
        await expect_url(page, f"{main_origin}/onboarding/requirements")
        await effort.open(page.get_by_role("link", name=re.compile("payout")).first)
        await _connect_payouts(page, effort, main_origin)
        await effort.type(page.get_by_label("Site address"), label)
        await expect(page.get_by_text("This address is available.", exact=True)).to_be_visible()
        await effort.type(page.get_by_label("What you teach"), "Rye bread, Sourdough starters, Wood ovens")
        await effort.tap(page.get_by_role("button", name="Confirm skills"))
        await expect_toast(page, "Your skills are confirmed.")
        first, before = page.get_by_role("group", name="Service 1"), replace(effort)
        await effort.type(first.get_by_label("Name"), "Rye Bread Morning")
        await effort.type(first.get_by_label("Price ($)"), "39")
        await effort.press(page.get_by_label("Where you meet"), "ArrowDown")
        await effort.type(page.get_by_label("Your address and how to find it"), "12 Elm Street, the blue door")
        await effort.tap(page.get_by_role("button", name="Confirm services"))
        await expect_toast(page, "Your services are confirmed.")
        effort.since(before).expect_within("Add a service in the wizard")
        await effort.open(page.get_by_role("button", name="Publish Profile"))
        live = page.get_by_role("dialog", name="Your site is live")
        await expect(live.get_by_label("Site address")).to_have_value(re.compile(rf"^https://{label}\."))
        assert await excess_width(page) == 0
    async with visitor_page(browser, viewport=screen) as page:
        await page.goto(f"https://{label}.porchlight.localhost:{tls_port}/")
        await expect(page.get_by_role("heading", name="Nora Newcomer", level=1)).to_be_visible()
        await expect(page.get_by_text("Rye Bread Morning", exact=True).first).to_be_visible()
        await expect(page.get_by_role("list", name="Skills").get_by_role("listitem")).to_have_text(
            ["Rye bread", "Sourdough starters", "Wood ovens"]
        )
        portrait = page.locator(".hero-portrait img, .hero-photo").first
        assert await portrait.evaluate("image => image.decode().then(() => image.naturalWidth)") == 512
        assert await excess_width(page) == 0
    assert effort.seconds <= MAX_SECONDS_TO_SITE, effort
