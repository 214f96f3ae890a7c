"""A need from its creation to the accepted offer, by three users in three browsers."""

from __future__ import annotations

import io
from typing import Any

import psycopg
import pytest
from PIL import Image
from playwright.async_api import Browser, Page, expect

from tests.e2e.browser_session import (
    assert_accessible,
    expect_toast,
    expect_url,
    extract_link,
    sign_in,
    visitor_page,
    wait_for_email,
)
from tests.e2e.effort import Effort
from tests.fixtures import seeded
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

OWNER, FIRST, SECOND = "imani.okoye@example.com", "theo.barnes@example.com", "tom.okafor@example.com"


@pytest.fixture
def title() -> str:
    """A unique title."""
    return f"A shelf came off the wall {seeded.word()}"


async def _sign_in(page: Page, main_origin: str, product: dict[str, Any], email: str) -> None:
    """Sign in as a user of the demo data."""
    password = next(user["password"] for user in product["users"] if user["email"] == email)
    await sign_in(page, main_origin, email, password)


async def _send_offer(page: Page, link: str, price: str) -> None:
    await page.goto(link)
    await page.get_by_label("Price for the whole job ($)").fill(price)
    await page.get_by_label("Your message").fill(f"I bring a drill, for ${price}.")
    await page.get_by_role("button", name="Send offer").click()
    await expect(page.get_by_role("heading", name="Your offer", exact=True)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)


async def test_need_with_two_offers_accepts_one(
    browser: Browser, main_origin: str, product: dict[str, Any], title: str
) -> None:
    async with visitor_page(browser) as owner:
        await _sign_in(owner, main_origin, product, OWNER)
        await owner.goto(f"{main_origin}/angels-list")
        effort = Effort()
        await effort.open(owner.get_by_role("link", name="Post a need"))
        await effort.type(owner.get_by_label("What do you need?"), title)
        await effort.type(owner.get_by_label("Where", exact=True), "Denver, Colorado")
        await effort.tap(owner.get_by_role("button", name="Continue", exact=True))
        details = "Two brackets tore out of the drywall and left holes to be filled."
        await effort.type(owner.get_by_label("Details", exact=True), details)
        # The category is suggested from the text, and the price from the rates of nearby angels.
        await expect(owner.get_by_label("Kind of help")).to_have_value("handyman-services", timeout=BROWSER_TIMEOUT_MS)
        suggestion = owner.get_by_label("Suggested price")
        await expect(suggestion).to_contain_text("Typical price for 2 hours", timeout=BROWSER_TIMEOUT_MS)
        await effort.tap(suggestion.get_by_role("button", name="as my budget"))
        await effort.open(owner.get_by_role("button", name="Post this need"))
        await expect(owner.get_by_role("heading", level=1, name=title)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await expect(owner.get_by_text("No offers yet")).to_be_visible()
        need_url = owner.url
        effort.expect_within("Post a need")

        # Nearby angels get an email with a link; other users find the need in the list.
        subject = f"A neighbor in Denver needs a hand: {title}"
        assert extract_link(wait_for_email(product, FIRST, subject)) == need_url
        async with visitor_page(browser) as first, visitor_page(browser) as second:
            await _sign_in(first, main_origin, product, FIRST)
            await _send_offer(first, need_url, "70")
            await _sign_in(second, main_origin, product, SECOND)
            await second.goto(f"{main_origin}/needs")
            await second.get_by_role("link", name=title).click()
            await expect_url(second, need_url)
            await _send_offer(second, need_url, "60")

            await owner.goto(f"{main_origin}/dashboard")
            await expect(owner.get_by_role("heading", name=title)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
            await expect(owner.get_by_text("You have 2 offers to choose from.").first).to_be_visible()
            await owner.goto(need_url)
            await expect(owner.get_by_role("heading", name="2 offers")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
            await owner.get_by_role("button", name="Accept Tom Okafor's offer").click()
            await owner.get_by_role("button", name="Accept offer", exact=True).click()
            await expect_toast(owner, "Accepted. We've emailed you both so you can get in touch.")
            await expect(owner.get_by_role("button", name="Accept Theo Barnes's offer")).to_have_count(0)

            assert OWNER in _reply_to(product, SECOND, f"Your offer was accepted: {title}")
            wait_for_email(product, FIRST, f"Not this time: {title}")
            await first.reload()
            await expect(first.get_by_text("Someone else was chosen.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)

        await owner.get_by_role("radio", name="5").check()
        await owner.get_by_role("button", name="Mark as done").click()
        await expect(owner.get_by_text("You gave Tom Okafor 5 out of 5.")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)


def _reply_to(product: dict[str, Any], recipient: str, subject: str) -> str:
    wait_for_email(product, recipient, subject)
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute(
            "SELECT reply_to FROM dev_mailbox WHERE recipient = %s AND subject = %s", [recipient, subject]
        ).fetchone()
    return str(row[0]) if row else ""


def _photo(name: str, color: str) -> Any:
    """Return a photo like a phone's, with its location, larger than the limit of other requests."""
    data = io.BytesIO()
    noise = Image.effect_noise((1600, 1200), 90).convert("RGB")
    exif = Image.Exif()
    exif[0x010E] = "39.7392,-104.9847"
    Image.blend(noise, Image.new("RGB", noise.size, color), 0.5).save(data, "JPEG", quality=92, exif=exif)
    assert len(data.getvalue()) > 1024 * 1024
    return {"name": name, "mimeType": "image/jpeg", "buffer": data.getvalue()}


async def _choose_files(page: Page, button: str, *files: Any) -> None:
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name=button, exact=True).click()
    await (await chooser.value).set_files(files)


async def _expect_photo_loaded(page: Page, name: str) -> None:
    """Expect a loaded photo with this name."""
    photo = page.get_by_role("list", name="Photos").get_by_role("img", name=name)
    await photo.scroll_into_view_if_needed(timeout=BROWSER_TIMEOUT_MS)
    assert await photo.evaluate("img => img.decode().then(() => img.naturalWidth)") == 1280


async def test_need_photos_are_visible_to_other_users(
    browser: Browser, main_origin: str, product: dict[str, Any], title: str
) -> None:
    async with visitor_page(browser, viewport={"width": 360, "height": 740}) as owner:
        await _sign_in(owner, main_origin, product, OWNER)
        await owner.goto(f"{main_origin}/needs/new")
        await owner.get_by_label("What do you need?").fill(title)
        await owner.get_by_label("Where", exact=True).fill("Denver, Colorado")
        await owner.get_by_role("button", name="Continue", exact=True).click()
        await owner.get_by_label("Details", exact=True).fill("See the photos: both brackets are out.")
        await owner.get_by_label("Kind of help").select_option("Handyman Services")
        note = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"no picture"}
        await _choose_files(owner, "Add photos", _photo("wall.jpg", "gray"), _photo("shelf.jpg", "brown"), note)
        await expect(
            owner.get_by_text("Please choose JPEG, PNG, WebP, GIF, AVIF or HEIC images up to 60 MB.")
        ).to_be_visible()
        await owner.get_by_role("button", name="Remove shelf.jpg").click()
        await expect(owner.get_by_role("list", name="Photos").get_by_role("listitem")).to_have_count(1)
        await owner.get_by_role("button", name="Post this need").click()
        await expect(owner.get_by_role("heading", level=1, name=title)).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
        await _expect_photo_loaded(owner, "View of the job, 1 of 1")
        await _choose_files(owner, "Add more photos", _photo("bracket.jpg", "silver"))
        await _expect_photo_loaded(owner, "View of the job, 2 of 2")
        await _choose_files(owner, "Add more photos", _photo("ceiling.jpg", "white"))
        await _expect_photo_loaded(owner, "View of the job, 3 of 3")
        await owner.get_by_role("button", name="Remove photo 3").click()
        await expect(owner.get_by_text("Photo 3 removed.")).to_be_attached()
        await expect(owner.get_by_role("list", name="Photos").get_by_role("listitem")).to_have_count(2)
        await _expect_photo_loaded(owner, "View of the job, 2 of 2")
        need_url = owner.url

    async with visitor_page(browser, viewport={"width": 360, "height": 740}) as other:
        await _sign_in(other, main_origin, product, SECOND)
        await other.goto(need_url)
        for place in (1, 2):
            await _expect_photo_loaded(other, f"View of the job, {place} of 2")
        await expect(other.get_by_role("button", name="Add more photos")).to_have_count(0)
        await assert_accessible(other, (360, 1280))
        path = await other.get_by_role("img", name="View of the job, 1 of 2").get_attribute("src")

    async with visitor_page(browser) as signed_out:
        response = await signed_out.goto(f"{main_origin}{path}")
        assert response is not None
        assert response.status == 401


async def test_new_angel_appears_in_service_list(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    name = f"Nadia {seeded.word().title()}"
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/profile")
        await page.get_by_label("Display name").fill(name)
        await page.get_by_role("button", name="Save profile").click()
        await expect_toast(page, "Profile updated successfully!")
        await page.goto(f"{main_origin}/angels-list/yard-work")
        await page.get_by_role("link", name="Offer this too").click()
        await page.get_by_label("Hourly rate ($)").fill("27.50")
        await page.get_by_label("Your location").fill("Boulder, Colorado")
        await page.get_by_role("button", name="Become an angel").click()
        await expect_toast(page, "You're now an angel for Yard Work.")
    async with visitor_page(browser) as page:
        await page.goto(f"{main_origin}/angels-list/yard-work?city=Boulder")
        card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=name))
        await expect(card).to_contain_text("$27.50/hr", timeout=BROWSER_TIMEOUT_MS)
        await card.get_by_role("link", name=f"Ask {name}").click()
        await expect(page).to_have_url(f"{main_origin}/login", timeout=BROWSER_TIMEOUT_MS)
