"""Photos and risk of a listing, in a real browser."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Page, expect

from tests.e2e.browser_session import assert_accessible, sign_in
from tests.e2e.plan_grants import grant_premium
from tests.e2e.test_skillshare import page, pytestmark

__all__ = ["page", "pytestmark"]

SKILL = "Duck whittling"
OFFER_SKILL = """async (name) => {
  const headers = { "content-type": "application/json" };
  const skills = { offered: [{ name, level: null }], wanted: [] };
  const body = JSON.stringify({ displayName: "Wilma Whittler", skills });
  const response = await fetch("/api/auth/profile", { method: "PUT", headers, body });
  if (!response.ok) throw new Error(await response.text());
}"""


def _photo(color: str, name: str) -> Any:
    """Return a photo like a phone's, larger than the limit of other requests."""
    data = io.BytesIO()
    noise = Image.effect_noise((1600, 1200), 90).convert("RGB")
    Image.blend(noise, Image.new("RGB", noise.size, color), 0.5).save(data, "JPEG", quality=92)
    assert len(data.getvalue()) > 1024 * 1024
    return {"name": name, "mimeType": "image/jpeg", "buffer": data.getvalue()}


async def _is_photo_loaded(page: Page, name: str) -> bool:
    """Return whether the browser has loaded the image with this name."""
    is_loaded: bool = await page.get_by_role("img", name=name).evaluate(
        "img => img.decode().then(() => img.naturalWidth > 0)"
    )
    return is_loaded


async def _edit_own_listing(demo: dict[str, Any], page: Page, user: str) -> None:
    """Sign in as a new user who offers the skill, and open the form of its listing."""
    await sign_in(page, demo["base_url"], user)
    grant_premium(demo, user)  # for more than one photo
    await page.evaluate(OFFER_SKILL, SKILL)
    await page.goto(demo["base_url"] + "/skills/mine")
    await page.get_by_role("button", name=f"Edit {SKILL}").click()


async def test_listing_photos_are_visible_when_signed_out(demo: dict[str, Any], page: Page, user: str) -> None:
    await _edit_own_listing(demo, page, user)
    photos = page.get_by_role("group", name=f"Photos of {SKILL}")
    files = [_photo("red", "kit.jpg"), _photo("white", "bandage.jpg")]
    async with page.expect_file_chooser() as chooser:
        await photos.get_by_role("button", name="Add photos").click()
    await (await chooser.value).set_files(files)
    await expect(photos.get_by_role("listitem")).to_have_count(2)
    await photos.get_by_label("Description of photo 2").fill("A bandaged thumb")
    await photos.get_by_label("Description of photo 2").press("Enter")
    await photos.get_by_role("button", name="Move photo 2 up").click()
    await expect(photos.get_by_label("Description of photo 1")).to_have_value("A bandaged thumb")
    await assert_accessible(page)

    # A signed-out visitor sees the photos on the listing, and the first one on the card.
    await page.context.clear_cookies()
    await page.evaluate(
        "indexedDB.databases().then((all) => all.forEach(({ name }) => indexedDB.deleteDatabase(name)))"
    )
    await page.goto(demo["base_url"] + "/search?q=duck+whittling&kind=offer")
    assert await _is_photo_loaded(page, "A bandaged thumb")
    await page.get_by_role("link", name=SKILL).first.click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(SKILL)
    assert await _is_photo_loaded(page, "A bandaged thumb")
    await page.get_by_role("button", name=f"Show {SKILL}, photo 2 of 2").click()
    assert await _is_photo_loaded(page, f"{SKILL}, photo 2 of 2")
    await assert_accessible(page, (360, 1280))


@pytest.mark.sweep
async def test_listing_risk_shows_on_page_and_form(demo: dict[str, Any], page: Page, user: str) -> None:
    await page.goto(demo["base_url"] + "/search?q=silversmithing&kind=offer")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Silversmithing"))
    # A list warns of what needs a waiver only.
    await expect(card.get_by_text("Request: Silversmithing")).to_be_visible()
    await expect(card.get_by_text("Medium Risk", exact=True)).to_have_count(0)
    await card.get_by_role("link", name="Silversmithing").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Silversmithing")
    await expect(page.get_by_text("Medium Risk", exact=True)).to_have_count(0)
    await expect(page.get_by_text("Waiver Required")).to_have_count(0)
    await assert_accessible(page)

    await _edit_own_listing(demo, page, user)
    risk = page.get_by_role("status", name="Risk")
    await page.get_by_label("About this skill").fill("Logs for the oven we cut with a chainsaw.")
    await expect(risk).to_contain_text("High Risk")
    await expect(risk).to_contain_text("Waiver Required")
    await expect(risk).to_contain_text("power tools and blades")
    await assert_accessible(page)
    await page.get_by_role("button", name="Cancel").click()
