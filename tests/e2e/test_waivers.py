"""Waivers in a real browser: the liability demo, and a person's own waivers. Receipts pass the command line."""

from __future__ import annotations

import asyncio
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.browser_session import (
    CALL_API,
    assert_accessible,
    expect_toast,
    expect_url,
    sign_in,
    submit_login,
    visitor_page,
    wait_for_email,
)
from tests.e2e.own_gurus import new_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import PASSWORD, Emulator
from tests.fixtures.product import run_program

pytestmark = pytest.mark.e2e

WIDTHS = (360, 1280)
KEYS = "fetch('/.well-known/porchlight-waiver-keys.json').then((response) => response.text())"
HIGH_RISK, LOW_RISK = "Strength Training", "Web Programming"
# Keeps a free time of the next ten days for a session that needs a waiver. Returns the token.
HOLD = f"""async ([guru]) => {{
{CALL_API}  const {{ data: {{ gurus: [{{ service }}] }} }} = await call(`/teachers?guru=${{guru}}`);
  const {{ starts }} = await call(`/gurus/${{guru}}/services/${{service.id}}/slots?days=10`);
  const {{ startsAt }} = starts.at(-1);
  const {{ data: {{ token }} }} = await call(`/gurus/${{guru}}/holds`, {{ serviceId: service.id, startsAt, party: 1 }});
  return token;
}}"""


async def _open_waiver(page: Page, skill: str) -> Locator:
    """Press the button of a sample exchange. Return the dialog with its text loaded."""
    await page.get_by_role("button", name=f"Join Exchange (Waiver Required): {skill}").click()
    dialog = page.get_by_role("dialog", name="Liability waiver")
    await expect(dialog.get_by_role("heading", name="What you release")).to_be_attached()
    return dialog


async def _confirm(dialog: Locator) -> None:
    for text in ("read and understood", "acknowledge the risks", "agree to the release"):
        await dialog.get_by_role("checkbox", name=text).check()


async def _verify_receipt(page: Page, title: str, folder: Path) -> Path:
    """Download the receipt of a waiver, and verify it with the command line. Return its file."""
    async with page.expect_download() as download:
        await page.get_by_role("button", name=f"Download receipt: {title}").click()
    receipt, keys = folder / "receipt.zip", folder / "keys.json"
    await (await download.value).save_as(receipt)
    keys.write_text(await page.evaluate(KEYS))
    code, output = run_program("waivers", "verify", str(receipt), "--keys", str(keys))
    assert (code, output.splitlines()[-1]) == (0, "The receipt is valid.")
    return receipt


async def _draw(page: Page, dialog: Locator) -> None:
    """Draw a line with the mouse through the middle half of the drawing area."""
    opener = dialog.get_by_role("button", name="Draw your signature")
    if await opener.is_visible():
        await opener.click()
    area = dialog.get_by_role("img", name="Drawing area for your signature, empty")
    await expect(area).to_have_attribute("aria-busy", "false")  # strokes are drawn from now on
    await area.scroll_into_view_if_needed()
    box = await area.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + box["width"] / 2, y + 10, steps=20)
    await page.mouse.up()
    await expect(dialog.get_by_role("img", name="Your drawn signature")).to_be_visible()


async def test_high_risk_waiver_receipt_is_verifiable(
    demo: dict[str, Any], browser: Browser, emulator: Emulator, tmp_path: Path
) -> None:
    email, _, _ = emulator.sign_up()
    origin = str(demo["base_url"])
    async with visitor_page(browser) as page:
        await sign_in(page, origin, email, PASSWORD)
        await page.goto(f"{origin}/liability-demo")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Liability Waiver Demo")
        dialog = await _open_waiver(page, HIGH_RISK)
        await assert_accessible(page, WIDTHS)
        accept = dialog.get_by_role("button", name="Accept", exact=True)
        await _confirm(dialog)
        await expect(accept).to_be_disabled()
        await dialog.get_by_label("Contact name").fill("Maria Ortiz")
        await dialog.get_by_label("Contact phone").fill("+1 303 555 0199")
        await dialog.get_by_label("Participant's name").fill("Ada Alvarez")
        await _draw(page, dialog)
        await dialog.get_by_role("button", name="Clear drawing").click()
        await expect(dialog.get_by_role("img", name="Drawing area for your signature, empty")).to_be_visible()
        await _draw(page, dialog)
        await assert_accessible(page, WIDTHS)
        # The drawing is kept when the dialog's width changes, and goes into the receipt.
        await expect(dialog.get_by_role("img", name="Your drawn signature")).to_be_visible()
        await accept.click()
        text = f'Liability waiver accepted! You can now participate in "{HIGH_RISK}". Exchange can proceed safely.'
        await expect(page.get_by_text(text, exact=True)).to_be_visible()
        await expect(page.get_by_text("Liability waiver accepted", exact=True)).to_be_visible()

        # The acceptance is stored: it is there after loading the page again.
        await page.reload()
        receipt = await _verify_receipt(page, HIGH_RISK, tmp_path)
    with zipfile.ZipFile(receipt) as files:
        [line] = json.loads(files.read("erasable.json"))["drawnSignature"]["value"]["lines"]
        record = json.loads(files.read("waiver.json"))
    assert all(isinstance(number, int) for number in line)
    assert line[-2] - line[0] == pytest.approx(500, abs=60)  # from a quarter to three quarters of the width
    assert "drawnSignature" in record["commitments"]


async def test_signature_is_drawn_by_touch(demo: dict[str, Any], browser: Browser) -> None:
    async with visitor_page(browser, viewport={"width": 360, "height": 740}, has_touch=True) as page:
        await page.goto(f"{demo['base_url']}/liability-demo")
        dialog = await _open_waiver(page, LOW_RISK)
        await dialog.get_by_role("button", name="Draw your signature").tap()
        area = dialog.get_by_role("img", name="Drawing area for your signature, empty")
        await area.scroll_into_view_if_needed()
        await expect(area).to_have_attribute("aria-busy", "false")
        box = await area.bounding_box()
        assert box is not None
        touch = await page.context.new_cdp_session(page)
        y = box["y"] + box["height"] / 2
        for kind, x in (("touchStart", 0.2), *(("touchMove", step / 10) for step in range(3, 9)), ("touchEnd", None)):
            points = [] if x is None else [{"x": box["x"] + box["width"] * x, "y": y}]
            await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await expect(dialog.get_by_role("img", name="Your drawn signature")).to_be_visible()
        # The page did not scroll instead.
        await expect(area.locator("canvas")).to_have_count(0)
        moved = await dialog.get_by_role("img", name="Your drawn signature").bounding_box()
        assert moved == box


async def test_waiver_of_booking_is_listed_and_withdrawn(
    demo: dict[str, Any], browser: Browser, user: str, tmp_path: Path
) -> None:
    origin = str(demo["base_url"])
    async with visitor_page(browser) as page:
        await sign_in(page, origin, user)
        await page.goto(f"{origin}/waivers")
        await expect(page.get_by_text("No waivers yet.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await page.goto(f"{origin}/book/{await page.evaluate(HOLD, [new_guru(demo, 'risky', like='woodwork').label])}")
        await page.get_by_label("Your name").fill("Ada Alvarez")
        await page.get_by_role("button", name="Read and accept the waiver").click()
        dialog = page.get_by_role("dialog", name="Liability waiver")
        await expect(dialog.get_by_role("heading", name="What you release")).to_be_attached()
        await _confirm(dialog)
        await dialog.get_by_label("Contact name").fill("Maria Ortiz")
        await dialog.get_by_label("Contact phone").fill("+1 303 555 0199")
        await dialog.get_by_role("button", name="Accept", exact=True).click()
        await expect(page.get_by_text(re.compile("^Accepted. Your waiver is valid until"))).to_be_visible()
        await page.get_by_role("button", name=re.compile("^Book for ")).click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("You're booked!", timeout=BROWSER_TIMEOUT_MS)

        await page.goto(f"{origin}/sessions")
        await page.get_by_role("link", name="Your waivers").click()
        waiver = page.get_by_role("list", name="Waivers").get_by_role("listitem")
        await expect(waiver).to_contain_text("Covers 1 upcoming session")
        await assert_accessible(page, WIDTHS)
        title = await waiver.get_by_role("heading").inner_text()
        await _verify_receipt(page, title, tmp_path)
        email = await asyncio.to_thread(wait_for_email, demo, user, f"Your waiver for {title}")
        assert re.search(r"^https?://\S+/waivers$", email, re.MULTILINE)
        assert "Maria" not in email

        await page.set_viewport_size({"width": 360, "height": 740})
        await page.get_by_role("button", name=f"Withdraw waiver: {title}").click()
        await expect(page.get_by_role("alertdialog")).to_contain_text("You have 1 upcoming session with this waiver.")
        await assert_accessible(page, WIDTHS)
        await page.get_by_role("button", name="Withdraw waiver", exact=True).click()
        await expect_toast(page, "Your waiver is withdrawn.")
        await expect(waiver).to_contain_text("You withdrew it on")
        await page.get_by_role("link", name=re.compile(f"^{re.escape(title)} with ")).click()
        await expect(page.get_by_text("Waiver due.")).to_be_visible()
        await expect(page.get_by_role("button", name="Sign the waiver")).to_be_visible()
        await page.get_by_role("link", name="See your waivers").click()
        await expect(page.get_by_text("1 session needs a waiver.")).to_be_visible()


@pytest.mark.sweep
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
