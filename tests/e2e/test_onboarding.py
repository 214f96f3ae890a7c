"""Onboarding: sign-up, the wizard, documents, payout, and a new site on its own subdomain."""

from __future__ import annotations

import re
import uuid
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from playwright.async_api import Browser, FilePayload, Page, expect

from tests.e2e.browser_session import (
    assert_accessible,
    expect_toast,
    expect_url,
    sign_in,
    submit_login,
    visitor_page,
)
from tests.fixtures import seeded
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import PASSWORD
from tests.fixtures.product import eventually
from tests.porchlight.payouts.stripe_fake import ADDRESS, BANK_ACCOUNT, PERSONAL_DETAILS
from tests.porchlight.profiles.api_client import create_image

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

BIO = "I carve spoons. Slowly, and with anybody who has an evening to spare."
RISKY_CATEGORY = "Woodworking"
TIME = re.compile("^[0-9]+:[0-9]{2} [AP]M")


def _approve_all(product: dict[str, Any], user_id: str) -> int:
    """Approve all pending documents of the user as staff. Return their number."""
    # Without Caddy: only browsers resolve names below .localhost.
    origin = f"http://127.0.0.1:{urlsplit(product['base_url']).port}"
    with httpx.Client(base_url=origin, headers={"origin": origin}, timeout=60) as staff:
        response = staff.post("/api/admin/login", json={"key": product["admin_key"]})
        assert response.status_code == 200, response.text
        staff.headers["cookie"] = response.headers["set-cookie"].split(";")[0]
        pending = staff.get("/api/documents/pending").json()["data"]["pending"]
        documents = [document for document in pending if document["uid"] == user_id]
        for document in documents:
            body = {"status": "approved", "reason": ""}
            response = staff.post(f"/api/documents/{user_id}/{document['id']}/status", json=body)
            assert response.status_code == 200, response.text
    return len(documents)


async def _assert_accessible(page: Page) -> None:
    """Assert that the loaded page is accessible and has no horizontal scroll, on phone and desktop."""
    await page.wait_for_load_state("networkidle")
    await assert_accessible(page, (360, 1280))


async def _sign_up(page: Page, main_origin: str) -> str:
    email = f"{uuid.uuid4().hex[:12]}@example.com"
    await page.goto(f"{main_origin}/signup")
    for label, value in (
        ("First name", "Nora"),
        ("Last name", "Newcomer"),
        ("Email", email),
        ("Password", PASSWORD),
        ("Confirm password", PASSWORD),
    ):
        await page.get_by_label(label, exact=True).fill(value)
    await page.get_by_role("button", name="Create Account", exact=True).click()
    await expect_url(page, f"{main_origin}/dashboard")
    return email


async def _complete_profile(page: Page, main_origin: str) -> None:
    await expect(page.get_by_role("heading", name="Complete Your Profile", level=1)).to_be_visible()
    await page.get_by_label("Bio").fill(BIO)
    await expect(page.get_by_label("Bio")).to_have_attribute("rows", "4")
    await page.get_by_label("City").fill("Den")
    await expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Save and continue").click()
    await expect(page.get_by_text("ZIP Code is required", exact=True)).to_be_visible()
    await page.get_by_text("Use a link instead", exact=True).click()
    await page.get_by_label("Photo URL").fill("not a link")
    await page.get_by_role("button", name="Save and continue").click()
    await expect(page.get_by_text("Photo URL must start with https://", exact=True)).to_be_visible()
    photo = FilePayload(name="nora.png", mimeType="image/png", buffer=create_image("PNG"))
    await page.get_by_label("Photo file").set_input_files(photo)
    await assert_accessible(page, (360, 1280))
    await page.get_by_role("button", name="Use this photo").click()
    await expect(page.get_by_role("button", name="Remove photo")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    # Input survives leaving the page without saving.
    await page.get_by_label("ZIP Code").fill("80202")
    await page.get_by_label("City").fill("Denver")
    await page.get_by_role("link", name="Home", exact=True).first.click()
    await expect_url(page, f"{main_origin}/")
    await page.go_back()
    await expect(page.get_by_label("ZIP Code")).to_have_value("80202")
    await expect(page.get_by_label("City")).to_have_value("Denver")
    await expect(page.get_by_label("Bio")).to_have_value(BIO)
    await expect(page.get_by_label("Display Name")).to_have_value("Nora Newcomer")
    await expect(page.get_by_role("button", name="Remove photo")).to_be_visible()
    await page.get_by_role("button", name="Save and continue").click()
    await expect_url(page, f"{main_origin}/onboarding/categories")


async def _choose_categories(page: Page, main_origin: str) -> None:
    await expect(page.get_by_role("heading", name="Choose what you offer", level=1)).to_be_visible()
    await expect(page.get_by_text("Coming Soon", exact=True).first).to_be_visible()
    await page.get_by_role("button", name="Continue", exact=True).click()
    await expect(page.get_by_text("Please choose at least one.", exact=True)).to_be_visible()
    await page.get_by_role("checkbox", name=re.compile(RISKY_CATEGORY)).check()
    await page.get_by_role("checkbox", name="Creative").check()
    await page.get_by_role("button", name="Continue", exact=True).click()
    await expect_url(page, f"{main_origin}/onboarding/requirements")


async def _upload_document(page: Page, main_origin: str) -> None:
    await expect(page.get_by_text("General liability insurance $1M/$2M", exact=True)).to_be_visible()
    await page.get_by_role("link", name="Upload documents").click()
    await expect(page.get_by_role("heading", name="Upload Documents", level=1)).to_be_visible()
    await page.get_by_label("Type").select_option("insurance")
    await page.get_by_label("Category").select_option("woodworking")
    await page.get_by_role("button", name="Upload document", exact=True).click()
    for problem in ("Add a file or a link so we can review it.", "Enter the license or policy number."):
        await expect(page.get_by_text(problem, exact=True)).to_be_visible()
    await page.get_by_label("Provider").fill("Mutual of Denver")
    await page.get_by_label("Number").fill("GL-100")
    await page.get_by_label("Expires on").fill("2031-05-01")
    await page.get_by_label("Or a link to the document").fill("https://papers.example/insurance.pdf")
    await page.get_by_role("button", name="Upload document", exact=True).click()
    text = "Uploaded for review. You can add more or continue."
    await expect(page.get_by_text(text, exact=True)).to_be_visible()
    await page.get_by_role("link", name="Continue to payout").click()
    await expect_url(page, f"{main_origin}/onboarding/payout")


async def _connect_payouts(page: Page, main_origin: str) -> None:
    await expect(page.get_by_role("heading", name="Setup Payout Method", level=1)).to_be_visible()
    await expect(page.get_by_role("button", name="Continue to Review")).to_be_disabled()
    await page.get_by_role("button", name="Connect with Stripe").click()
    for fields in (PERSONAL_DETAILS, ADDRESS, BANK_ACCOUNT):
        for name, value in fields.items():
            await page.locator(f'[name="{name}"]').fill(value)
        await page.get_by_role("button", name="Continue", exact=True).click()
    await page.get_by_role("button", name="Agree and submit").click()
    await page.wait_for_url(f"{main_origin}/onboarding/payout**", timeout=BROWSER_TIMEOUT_MS)
    await page.get_by_role("link", name="Continue to Review").click(timeout=BROWSER_TIMEOUT_MS)
    await expect_url(page, f"{main_origin}/onboarding/review")


async def _share_site(page: Page, label: str) -> None:
    """See that the new site is live, download its flyer, and find the dialog again in the console."""
    live = page.get_by_role("dialog", name="Your site is live")
    await expect(live.get_by_role("link", name="Open site")).to_have_attribute("href", re.compile(f"//{label}\\."))
    await expect(live.get_by_role("img", name=re.compile(f"^QR code for {label}"))).to_be_visible()
    await assert_accessible(page, (360, 1280))
    await live.get_by_label("Flyer size").select_option("A5")
    async with page.expect_download() as download:
        await live.get_by_role("button", name="Download flyer").click()
    assert (await download.value).suggested_filename == f"{label}-flyer.pdf"
    await page.keyboard.press("Escape")
    await expect(live).to_have_count(0)
    await page.reload()
    await page.get_by_role("link", name="Manage site").click()
    # The dashboard has such a button too, and stays until the console's script is there.
    await expect(page.get_by_role("navigation", name="My site")).to_be_visible()
    await page.get_by_role("button", name="Share", exact=True).click()
    await expect(live).to_be_visible()
    await page.keyboard.press("Escape")
    await page.go_back()
    await expect(page.get_by_role("link", name="Manage site")).to_be_visible()
    await expect(live).to_have_count(0)


async def _ask_for_time(browser: Browser, site: str, email: str) -> None:
    """Ask the guru of a new site for the first free time, as another neighbor on a phone."""
    async with visitor_page(browser, viewport={"width": 360, "height": 740}) as page:
        await page.goto(f"{site}services")
        await page.get_by_role("link", name="See times for One-on-One Consultation").click()
        await expect(page.get_by_text(re.compile("^At Nora.*'s place"))).to_be_visible()
        await page.get_by_role("button", name=TIME).first.click()
        await submit_login(page, email)
        await page.get_by_label("Your name").fill("Vera Visitor")
        await page.get_by_role("button", name="Ask for this time").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text(
            "Request sent to Nora Newcomer", timeout=BROWSER_TIMEOUT_MS
        )


async def _check_first_console_visit(page: Page, main_origin: str) -> None:
    """See the request, and save the proposed hours as they are."""
    await page.goto(f"{main_origin}/guru")
    steps = page.get_by_role("region", name="What to do next")
    await expect(page.get_by_role("heading", name="1 request is waiting")).to_be_visible()
    await _assert_accessible(page)
    await steps.get_by_role("link", name="Check your hours").click()
    proposed = page.get_by_text("Neighbors can book you in these hours.", exact=True)
    await expect(proposed).to_be_visible()
    await expect(page.get_by_text("You answer each request.")).to_be_visible()
    await page.get_by_role("button", name="Save hours").click()
    await expect(proposed).to_have_count(0)
    await page.get_by_role("link", name="Overview", exact=True).click()
    await expect(page.get_by_role("heading", name="1 request is waiting")).to_be_visible()
    await expect(steps.get_by_role("link", name="Check your hours")).to_have_count(0)


async def test_onboarding_from_signup_publishes_site(
    browser: Browser, product: dict[str, Any], main_origin: str, tls_port: int, user: str
) -> None:
    async with visitor_page(browser, reduced_motion="reduce") as page:
        email = await _sign_up(page, main_origin)
        await page.get_by_role("link", name="Get started", exact=True).click()
        await expect(page.get_by_role("heading", name="Become a Guru", level=1)).to_be_visible()
        await expect(page.get_by_text("Background checks are coming soon.", exact=True)).to_be_visible()
        await expect(page.get_by_text("Complete previous steps", exact=True)).to_be_visible()
        await expect(page.get_by_role("link", name="Review & publish")).to_have_count(0)
        await page.goto(f"{main_origin}/onboarding/review")
        await expect(page.get_by_role("button", name="Publish Profile")).to_be_disabled()
        await expect(page.get_by_text("Complete all steps first.", exact=True)).to_be_visible()
        await page.goto(f"{main_origin}/onboarding")
        await page.get_by_role("link", name="Complete Profile").click()
        await _complete_profile(page, main_origin)
        await _choose_categories(page, main_origin)
        await _upload_document(page, main_origin)
        await _connect_payouts(page, main_origin)

        await expect(page.get_by_role("heading", name="Review & Publish", level=1)).to_be_visible()
        address = page.get_by_label("Site address")
        await expect(address).to_have_value(re.compile("^nora-newcomer"))
        await address.fill("cooking")
        await expect(
            page.get_by_text("“cooking” is already taken. Please choose another site address.", exact=True)
        ).to_be_visible()
        await _assert_accessible(page)
        label = f"nora-{seeded.word()}"
        await address.fill(label)
        await expect(page.get_by_text("This address is available.", exact=True)).to_be_visible()
        await expect(page.get_by_role("button", name="Publish Profile")).to_be_disabled()
        await expect(page.get_by_text("Confirm your skills first.", exact=True)).to_be_visible()
        # Nothing is claimed that no one chose: what fits the bio and the categories is only offered.
        await expect(page.get_by_label("What you teach")).to_have_value("")
        proposal = page.get_by_role("group", name="Skills to add").get_by_role("button").first
        skill = (await proposal.get_attribute("aria-label") or "").removeprefix("Add ")
        await proposal.click()
        await expect(page.get_by_label("What you teach")).to_have_value(skill)
        await page.get_by_label("What you teach").fill("Spoon carving, Sharpening, Dovetail joints")
        await page.get_by_role("button", name="Confirm skills").click()
        await expect_toast(page, "Your skills are confirmed.")
        await expect(page.get_by_text("Confirm your services first.", exact=True)).to_be_visible()
        await page.get_by_role("group", name="Service 2").get_by_label("Name").fill("Spoon Carving Evening")
        await page.get_by_role("group", name="Service 2").get_by_label("Price ($)").fill("39.50")
        hours = re.compile(r"^Neighbors can ask for times on weekdays from 9 AM to 5 PM \(Mountain Time\)\.")
        await expect(page.get_by_text(hours)).to_be_visible()
        await page.get_by_label("Where you meet").select_option("My place")
        await page.get_by_label("Your address and how to find it").fill("12 Elm Street, the blue door")
        await page.get_by_role("button", name="Confirm services").click()
        await expect_toast(page, "Your services are confirmed.")
        await page.get_by_role("button", name="Publish Profile").click()
        await expect_toast(page, "Submitted. A badge appears after any required docs are approved.")
        await expect_url(page, f"{main_origin}/dashboard")
        await _share_site(page, label)
        await expect(page.get_by_role("heading", name="Your site", exact=True)).to_be_visible()
        await expect(page.get_by_text("Add a skill you offer so neighbors can find you.")).to_be_visible()

        # The site is live at once with its own certificate; risky categories wait for approval.
        site = f"https://{label}.porchlight.localhost:{tls_port}/"
        response = await page.goto(site)
        assert response is not None
        assert response.status == 200
        await expect(page.get_by_role("heading", name="Nora Newcomer", level=1)).to_be_visible()
        categories = page.get_by_role("list", name="Categories").get_by_role("listitem")
        await expect(categories).to_have_count(0)  # the first line names the only one
        await expect(page.get_by_role("main").get_by_text("Creative")).to_be_visible()
        await expect(page.get_by_text("Verified", exact=True)).to_have_count(0)
        await expect(
            page.get_by_text(re.compile("spoon carving, sharpening and dovetail joints", re.IGNORECASE))
        ).to_be_visible()
        await expect(page.get_by_text("Dovetail joints", exact=True)).to_be_visible()
        assert (
            await page.locator(".hero-photo").evaluate("photo => photo.decode().then(() => photo.naturalWidth)") == 512
        )
        await expect(page.get_by_text("One-on-One Consultation", exact=True).first).to_be_visible()
        await expect(page.get_by_text("Spoon Carving Evening", exact=True).first).to_be_visible()
        await expect(page.locator("body")).not_to_contain_text(RISKY_CATEGORY)

        # It takes requests on the same day.
        await _ask_for_time(browser, site, user)
        await _check_first_console_visit(page, main_origin)
        await page.goto(site)

        with psycopg.connect(product["overseer_url"]) as conn:
            row = conn.execute("SELECT user_id::text FROM users WHERE email = %s", [email]).fetchone()
        assert row is not None
        assert _approve_all(product, row[0]) == 1

        def is_listed() -> bool:
            with psycopg.connect(product["overseer_url"]) as conn:
                row_listed = conn.execute(
                    "SELECT bool_and(listed) FROM guru_categories c JOIN memberships m USING (tenant_id)"
                    " WHERE m.user_id = %s",
                    [row[0]],
                ).fetchone()
            return row_listed == (True,)

        eventually("the category is listed", is_listed)
        await page.reload()
        # The free plan lists one category, and the one that visitors see stays.
        await expect(page.get_by_role("main").get_by_text("Creative")).to_be_visible()
        await expect(categories).to_have_count(0)
        await expect(page.locator("body")).not_to_contain_text(RISKY_CATEGORY)

    # Another device shows the same state.
    async with visitor_page(browser, reduced_motion="reduce") as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/dashboard")
        await expect(page.get_by_role("heading", name="Your site", exact=True)).to_be_visible()
        await page.goto(f"{main_origin}/onboarding/review")
        await expect(page.get_by_text("Live", exact=True)).to_be_visible()
        await page.get_by_role("button", name="Take it offline").click()
        await page.get_by_role("alertdialog").get_by_role("button", name="Take it offline").click()
        await expect(page.get_by_text("Offline", exact=True)).to_be_visible()
        response = await page.goto(site)
        assert response is not None
        assert response.status == 410
        await page.goto(f"{main_origin}/onboarding/review")
        await page.get_by_role("button", name="Publish Profile").click()
        await expect_url(page, f"{main_origin}/dashboard")
        await expect(page.get_by_role("dialog", name="Your site is live")).to_be_visible()
        response = await page.goto(site)
        assert response is not None
        assert response.status == 200
