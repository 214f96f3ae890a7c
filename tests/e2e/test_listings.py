"""A listing in a real browser: its photos, added by its neighbor and seen by everybody, and how risky it is."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image
from playwright.async_api import Page, expect

from tests.e2e.test_finding import page, pytestmark
from tests.e2e.test_search import no_faults

__all__ = ["page", "pytestmark"]


def _photo(colour: str, name: str) -> Any:
    """A photo as a phone makes it, larger than any message may be."""
    made = io.BytesIO()
    noise = Image.effect_noise((2400, 1800), 90).convert("RGB")
    Image.blend(noise, Image.new("RGB", noise.size, colour), 0.5).save(made, "JPEG", quality=92)
    assert len(made.getvalue()) > 1024 * 1024
    return {"name": name, "mimeType": "image/jpeg", "buffer": made.getvalue()}


async def _drawn(page: Page, name: str) -> bool:
    """Whether the browser could draw the picture called so."""
    shown: bool = await page.get_by_role("img", name=name).evaluate(
        "img => img.decode().then(() => img.naturalWidth > 0)"
    )
    return shown


async def _edit(demo: dict[str, Any], page: Page, title: str) -> None:
    """Maya edits a listing of hers."""
    await page.goto(demo["base_url"] + "/login")
    await page.get_by_label("Email").fill("maya.lindqvist@example.com")
    await page.get_by_label("Password", exact=True).fill("porchlight")
    await page.get_by_role("button", name="Sign In", exact=True).click()
    await page.wait_for_url("**/dashboard")
    await page.goto(demo["base_url"] + "/skills/mine")
    await page.get_by_role("button", name=f"Edit {title}").click()


async def test_photos_are_added_to_a_listing_and_seen_by_everybody(demo: dict[str, Any], page: Page) -> None:
    await _edit(demo, page, "First aid")
    photos = page.get_by_role("group", name="Photos of First aid")
    files = [_photo("red", "kit.jpg"), _photo("white", "bandage.jpg")]
    async with page.expect_file_chooser() as chooser:
        await photos.get_by_role("button", name="Add photos").click()
    await (await chooser.value).set_files(files)
    await expect(photos.get_by_role("listitem")).to_have_count(2)
    await photos.get_by_label("What photo 2 shows").fill("A bandaged thumb")
    await photos.get_by_label("What photo 2 shows").press("Enter")
    await photos.get_by_role("button", name="Move photo 2 up").click()
    await expect(photos.get_by_label("What photo 1 shows")).to_have_value("A bandaged thumb")
    await no_faults(page)

    # Who is signed out sees them on the listing, large and small, and what the first one shows on the card.
    await page.context.clear_cookies()
    await page.evaluate(
        "indexedDB.databases().then((all) => all.forEach(({ name }) => indexedDB.deleteDatabase(name)))"
    )
    await page.goto(demo["base_url"] + "/search?q=first+aid&kind=offer")
    assert await _drawn(page, "A bandaged thumb")
    await no_faults(page)
    await page.get_by_role("link", name="First aid").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("First aid")
    assert await _drawn(page, "A bandaged thumb")
    await page.get_by_role("button", name="Show First aid, photo 2 of 2").click()
    assert await _drawn(page, "First aid, photo 2 of 2")
    await no_faults(page)
    await page.set_viewport_size({"width": 1280, "height": 800})
    await no_faults(page)


async def test_risk_is_shown_on_card_and_page_and_while_one_writes(demo: dict[str, Any], page: Page) -> None:
    await page.goto(demo["base_url"] + "/search?q=silversmithing&kind=offer")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Silversmithing"))
    await expect(card.get_by_text("Medium Risk", exact=True)).to_be_visible()
    await card.get_by_role("link", name="Silversmithing").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Silversmithing")
    await expect(page.get_by_text("Medium Risk", exact=True)).to_be_visible()
    await expect(page.get_by_role("list", name="Reasons")).to_contain_text("heat, sharp tools, dust or fumes")
    await expect(page.get_by_text("Waiver Required")).to_have_count(0)
    await no_faults(page)

    await _edit(demo, page, "Sourdough baking")
    risk = page.get_by_role("status", name="Risk")
    await expect(risk).to_contain_text("Medium Risk")
    await page.get_by_label("About it").fill("Logs for the oven we cut with a chainsaw.")
    await expect(risk).to_contain_text("High Risk")
    await expect(risk).to_contain_text("Waiver Required")
    await expect(risk).to_contain_text("power tools and blades")
    await no_faults(page)
    await page.get_by_role("button", name="Cancel").click()
