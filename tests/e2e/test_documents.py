"""A guru's documents (upload, rejection, email, new upload, approval) and payout method."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import (
    assert_accessible,
    expect_url,
    sign_in,
    sign_in_as_staff,
    visitor_page,
    wait_for_email,
)
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator
from tests.porchlight.documents import files
from tests.porchlight.payouts.stripe_fake import ADDRESS, BANK_ACCOUNT, PERSONAL_DETAILS

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

# The last one is the width in which a test goes on.
WIDTHS = (360, 1280)


async def _open_document_review(page: Page, product: dict[str, Any], origin: str) -> None:
    await sign_in_as_staff(page, origin, product["admin_key"])
    await page.goto(f"{origin}/admin")
    await page.get_by_role("tab", name="Documents").click()
    await expect(page.get_by_role("heading", name="Document Review")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)


async def test_document_rejected_then_replaced_is_approved(
    browser: Browser, product: dict[str, Any], main_origin: str, emulator: Emulator, tmp_path: Path
) -> None:
    email, _uid, _token = emulator.sign_up()
    first, second = tmp_path / "blurred.jpg", tmp_path / "license.pdf"
    first.write_bytes(files.photo(size=(640, 400)))
    second.write_bytes(files.pdf())
    async with visitor_page(browser) as guru, visitor_page(browser) as admin:
        await sign_in(guru, main_origin, email)
        await guru.goto(f"{main_origin}/onboarding/documents")
        await expect(guru.get_by_role("heading", name="Upload Documents")).to_be_visible()
        await guru.get_by_label("Type").select_option("license")
        await guru.get_by_label("Category").select_option("electrical")
        await guru.get_by_label("Provider").fill("State of Colorado")
        await guru.get_by_label("Number").fill("EL-2231")
        await guru.get_by_label("Expires on").fill("2031-05-01")
        # An invalid file shows an error and keeps the input.
        await guru.get_by_label("File", exact=True).set_input_files(
            {"name": "license.pdf", "mimeType": "application/pdf", "buffer": files.HTML}
        )
        await guru.get_by_role("button", name="Upload document").click()
        await expect(guru.get_by_role("alert")).to_have_text(
            "Error uploading document: Please choose a PDF, JPEG, PNG or HEIC file up to 10 MB."
        )
        await expect(guru.get_by_label("Provider")).to_have_value("State of Colorado")
        await guru.get_by_label("File", exact=True).set_input_files(first)
        await guru.get_by_role("button", name="Upload document").click()
        await expect(guru.get_by_text("Uploaded for review. You can add more or continue.")).to_be_visible()
        await expect(guru.get_by_label("Provider")).to_have_value("")

        await _open_document_review(admin, product, main_origin)
        card = admin.get_by_role("article").filter(has_text="blurred.jpg").first
        await expect(card).to_contain_text("State of Colorado")
        await expect(card).to_contain_text("Not specified")
        await card.get_by_role("button", name="Preview").click()
        picture = card.get_by_role("img", name="Document: blurred.jpg")
        await expect(picture).to_be_visible()
        assert await picture.evaluate("image => image.decode().then(() => image.naturalHeight)") == 640
        await assert_accessible(admin, WIDTHS, selector="main")
        await card.get_by_role("button", name="Reject").click()
        await card.get_by_label("Reason for rejection (optional):").fill("The photo is blurred.")
        await card.get_by_role("button", name="Reject document").click()
        await expect(card).to_have_count(0)

        email_text = wait_for_email(product, email, "Please upload your license for Electrical again")
        assert "Reason: The photo is blurred." in email_text
        await guru.goto(next(word for word in email_text.split() if word.startswith("https://")))
        await expect(guru.get_by_text("Reason: The photo is blurred.")).to_be_visible()
        await guru.get_by_role("button", name=re.compile("^Upload again")).click()
        await expect(guru.get_by_label("Type")).to_have_value("license")
        await guru.get_by_label("File", exact=True).set_input_files(second)
        await guru.get_by_role("button", name="Upload document").click()
        await expect(guru.get_by_text("In review")).to_be_visible()

        await admin.get_by_role("button", name="Refresh Pending Documents").click()
        card = admin.get_by_role("article").filter(has_text="license.pdf").filter(has_text="State of Colorado").first
        await card.get_by_role("button", name="Preview").click()
        await expect(card.get_by_title("Document: license.pdf")).to_be_visible()
        await card.get_by_role("button", name=re.compile("^History")).click()
        history = admin.get_by_role("dialog")
        await expect(history).to_contain_text("The photo is blurred.")
        await expect(history).to_contain_text("Opened by Shared key")
        await admin.keyboard.press("Escape")
        await card.get_by_role("button", name="Approve").click()
        await expect(card).to_have_count(0)
        wait_for_email(product, email, "Your license for Electrical was approved")
        await guru.reload()
        await expect(guru.get_by_text("Approved", exact=True)).to_be_visible()


@pytest.mark.sweep
async def test_payout_method_connects_on_stripe_pages(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _uid, _token = emulator.sign_up()
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/onboarding/payout")
        continue_button = page.get_by_role("button", name="Continue to Review")
        await expect(page.get_by_role("heading", name="Setup Payout Method")).to_be_visible()
        await expect(continue_button).to_be_disabled()
        await assert_accessible(page, WIDTHS, selector="main")
        await page.get_by_role("button", name="Connect with Stripe").click()
        await _submit_fields(page, PERSONAL_DETAILS)
        await page.get_by_role("link", name="Return to Porchlight").click()
        await expect_url(page, f"{main_origin}/onboarding/payout")
        await expect(page.get_by_text("A bank account for payouts")).to_be_visible()
        await expect(page.get_by_text("Your name", exact=True)).to_have_count(0)
        await expect(continue_button).to_be_disabled()
        await assert_accessible(page, WIDTHS, selector="main")
        await page.get_by_role("button", name="Continue with Stripe").click()
        await expect(page.get_by_label("First name")).to_have_value("Ada")
        for fields in (PERSONAL_DETAILS, ADDRESS, BANK_ACCOUNT):
            await _submit_fields(page, fields)
        await page.get_by_role("button", name="Agree and submit").click()
        await page.get_by_role("link", name="Continue to Review").click()
        await expect_url(page, f"{main_origin}/onboarding/review")

        await page.goto(f"{main_origin}/account/payouts")
        await expect(page.get_by_role("heading", name="Payouts", exact=True)).to_be_visible()
        await expect(page.get_by_text("Connected", exact=True)).to_be_visible()
        await assert_accessible(page, WIDTHS, selector="main")
        async with page.context.expect_page() as opened:
            await page.get_by_role("button", name="Open Stripe dashboard").click()
        dashboard = await opened.value
        await expect(dashboard.get_by_role("heading", name="Express dashboard")).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )


async def _submit_fields(page: Page, fields: dict[str, str]) -> None:
    for name, value in fields.items():
        await page.locator(f'[id="{name}"]').fill(value)
    await page.get_by_role("button", name="Continue", exact=True).click()
