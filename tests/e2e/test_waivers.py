"""The liability demo in a real browser: accept a high-risk waiver, and verify its receipt with the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.browser_session import (
    assert_accessible,
    expect_toast,
    expect_url,
    sign_in,
    submit_login,
    visitor_page,
)
from tests.fixtures.identity import PASSWORD, Emulator
from tests.fixtures.product import run_program

pytestmark = pytest.mark.e2e

WIDTHS = (360, 1280)
KEYS = "fetch('/.well-known/porchlight-waiver-keys.json').then((response) => response.text())"
HIGH_RISK, LOW_RISK = "Strength Training", "Web Programming"


async def _open_waiver(page: Page, skill: str) -> Locator:
    """Press the button of a sample exchange. Return the dialog with its text loaded."""
    await page.get_by_role("button", name=f"Join Exchange (Waiver Required): {skill}").click()
    dialog = page.get_by_role("dialog", name="Liability waiver")
    await expect(dialog.get_by_role("heading", name="What you release")).to_be_attached()
    return dialog


async def _confirm(dialog: Locator) -> None:
    for text in ("read and understood", "acknowledge the risks", "agree to the release"):
        await dialog.get_by_role("checkbox", name=text).check()


async def test_high_risk_waiver_receipt_is_verifiable(
    demo: dict[str, Any], browser: Browser, emulator: Emulator, tmp_path: Path
) -> None:
    email, _, _ = emulator.sign_up()
    origin = str(demo["base_url"])
    async with visitor_page(browser) as page:
        await sign_in(page, origin, email, PASSWORD)
        await page.goto(f"{origin}/liability-demo")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Liability Waiver Demo")
        await assert_accessible(page, WIDTHS)
        dialog = await _open_waiver(page, HIGH_RISK)
        await assert_accessible(page, WIDTHS)
        accept = dialog.get_by_role("button", name="Accept", exact=True)
        await _confirm(dialog)
        await expect(accept).to_be_disabled()
        await dialog.get_by_label("Contact name").fill("Maria Ortiz")
        await dialog.get_by_label("Contact phone").fill("+1 303 555 0199")
        await dialog.get_by_label("Participant's name").fill("Ada Alvarez")
        await accept.click()
        text = f'Liability waiver accepted! You can now participate in "{HIGH_RISK}". Exchange can proceed safely.'
        await expect(page.get_by_text(text, exact=True)).to_be_visible()
        await expect(page.get_by_text("Liability waiver accepted", exact=True)).to_be_visible()
        await assert_accessible(page, WIDTHS)

        # The acceptance is stored: it is there after loading the page again.
        await page.reload()
        async with page.expect_download() as download:
            await page.get_by_role("button", name=f"Download receipt: {HIGH_RISK}").click()
        receipt, keys = tmp_path / "receipt.zip", tmp_path / "keys.json"
        await (await download.value).save_as(receipt)
        keys.write_text(await page.evaluate(KEYS))
    code, output = run_program("waivers", "verify", str(receipt), "--keys", str(keys))
    assert (code, output.splitlines()[-1]) == (0, "The receipt is valid.")


async def test_visitor_input_survives_sign_in(demo: dict[str, Any], browser: Browser, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    origin = str(demo["base_url"])
    async with visitor_page(browser, viewport={"width": 360, "height": 740}) as page:
        await page.goto(f"{origin}/liability-demo")
        dialog = await _open_waiver(page, LOW_RISK)
        await dialog.get_by_role("button", name="Not now").click()
        await expect(page.get_by_text("Please accept the waiver to continue.")).to_be_visible()
        dialog = await _open_waiver(page, LOW_RISK)
        await _confirm(dialog)
        await dialog.get_by_label("Participant's name").fill("Ada Alvarez")
        await dialog.get_by_role("button", name="Accept", exact=True).click()
        await expect(page.get_by_text(f"Please sign in to accept the waiver for {LOW_RISK}.")).to_be_visible()
        await submit_login(page, email)
        await expect_toast(page, "Welcome back!")
        await expect_url(page, f"{origin}/liability-demo")
        await expect(dialog.get_by_label("Participant's name")).to_have_value("Ada Alvarez")
        await dialog.get_by_role("button", name="Accept", exact=True).click()
        await expect(page.get_by_text("Liability waiver accepted", exact=True)).to_be_visible()
