"""A need from its post to the accepted offer, by three people in three browsers."""

from __future__ import annotations

import io
import uuid
from typing import Any

import psycopg
import pytest
from PIL import Image
from playwright.async_api import Browser, Page, expect

from tests.e2e.visitor import PATIENCE, arrived, link_in, mail_to, sign_in, toasted, visitor
from tests.sites.pages.village import AXE
from tests.support.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

OWNER, FIRST, SECOND = "imani.okoye@example.com", "theo.barnes@example.com", "tom.okafor@example.com"


@pytest.fixture
def title() -> str:
    """A need like no other."""
    return f"A shelf came off the wall {uuid.uuid4().hex[:6]}"


async def _sign_in(page: Page, main_origin: str, product: dict[str, Any], email: str) -> None:
    password = next(user["password"] for user in product["users"] if user["email"] == email)
    await page.goto(f"{main_origin}/login")
    await page.get_by_label("Email", exact=True).fill(email)
    await page.get_by_label("Password", exact=True).fill(password)
    await page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()
    await arrived(page, f"{main_origin}/dashboard")


async def _offer(page: Page, link: str, price: str) -> None:
    await page.goto(link)
    await page.get_by_label("Price for the whole job, in dollars").fill(price)
    await page.get_by_label("Your message").fill(f"I bring a drill, for ${price}.")
    await page.get_by_role("button", name="Send offer").click()
    await expect(page.get_by_role("heading", name="Your offer", exact=True)).to_be_visible(timeout=PATIENCE)


async def test_a_need_is_posted_two_offer_one_is_accepted(
    browser: Browser, main_origin: str, product: dict[str, Any], title: str
) -> None:
    async with visitor(browser) as owner:
        await _sign_in(owner, main_origin, product, OWNER)
        await owner.goto(f"{main_origin}/angels-list")
        await owner.get_by_role("link", name="Post a need").click()
        await owner.get_by_label("What is to be done").fill(title)
        await owner.get_by_label("The details").fill(
            "Two brackets tore out of the drywall and left holes to be filled."
        )
        await owner.get_by_label("Where", exact=True).fill("Denver, Colorado")
        # The kind of help is proposed from the words, and a price from what angels near ask.
        await expect(owner.get_by_label("Kind of help")).to_have_value("handyman-services", timeout=PATIENCE)
        proposal = owner.get_by_label("Our proposal")
        await expect(proposal).to_contain_text("A fair price for 2 hours", timeout=PATIENCE)
        await proposal.get_by_role("button", name="as my budget").click()
        await owner.get_by_role("button", name="Post this need").click()
        await expect(owner.get_by_role("heading", level=1, name=title)).to_be_visible(timeout=PATIENCE)
        await expect(owner.get_by_text("No offers yet.")).to_be_visible()
        page_of_need = owner.url

        # Angels near are told, and come by the mail's link; everybody else finds it on the board.
        subject = f"A neighbor in Denver needs a hand: {title}"
        assert link_in(mail_to(product, FIRST, subject)) == page_of_need
        async with visitor(browser) as first, visitor(browser) as second:
            await _sign_in(first, main_origin, product, FIRST)
            await _offer(first, page_of_need, "70")
            await _sign_in(second, main_origin, product, SECOND)
            await second.goto(f"{main_origin}/needs")
            await second.get_by_role("link", name=title).click()
            await arrived(second, page_of_need)
            await _offer(second, page_of_need, "60")

            await owner.goto(f"{main_origin}/dashboard")
            await expect(owner.get_by_role("heading", name=title)).to_be_visible(timeout=PATIENCE)
            await expect(owner.get_by_text("2 offers wait for your choice.").first).to_be_visible()
            await owner.goto(page_of_need)
            await expect(owner.get_by_role("heading", name="2 offers")).to_be_visible(timeout=PATIENCE)
            await owner.get_by_role("button", name="Accept the offer of Tom Okafor").click()
            await owner.get_by_role("button", name="Accept offer", exact=True).click()
            await toasted(owner, "Accepted. We mailed you both, so that you can write to each other.")
            await expect(owner.get_by_role("button", name="Accept the offer of Theo Barnes")).to_have_count(0)

            assert OWNER in _reply_to(product, SECOND, f"Your offer was accepted: {title}")
            mail_to(product, FIRST, f"Not this time: {title}")
            await first.reload()
            await expect(first.get_by_text("This went to somebody else.")).to_be_visible(timeout=PATIENCE)

        await owner.get_by_role("radio", name="5").check()
        await owner.get_by_role("button", name="It is done").click()
        await expect(owner.get_by_text("You rated Tom Okafor with 5 of 5.")).to_be_visible(timeout=PATIENCE)


def _reply_to(product: dict[str, Any], recipient: str, subject: str) -> str:
    mail_to(product, recipient, subject)
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute(
            "SELECT reply_to FROM mailbox WHERE recipient = %s AND subject = %s", [recipient, subject]
        ).fetchone()
    return str(row[0]) if row else ""


def _photo(name: str, colour: str) -> Any:
    """A photo as a phone makes it, with the place it was taken at, larger than any message may be."""
    made = io.BytesIO()
    noise = Image.effect_noise((2400, 1800), 90).convert("RGB")
    exif = Image.Exif()
    exif[0x010E] = "39.7392,-104.9847"
    Image.blend(noise, Image.new("RGB", noise.size, colour), 0.5).save(made, "JPEG", quality=92, exif=exif)
    assert len(made.getvalue()) > 1024 * 1024
    return {"name": name, "mimeType": "image/jpeg", "buffer": made.getvalue()}


async def _choose(page: Page, button: str, *files: Any) -> None:
    async with page.expect_file_chooser() as chooser:
        await page.get_by_role("button", name=button, exact=True).click()
    await (await chooser.value).set_files(files)


async def _drawn(page: Page, name: str) -> None:
    """The browser has a photo called so, and could draw it."""
    photo = page.get_by_role("list", name="Photos").get_by_role("img", name=name)
    await photo.scroll_into_view_if_needed(timeout=PATIENCE)
    assert await photo.evaluate("img => img.decode().then(() => img.naturalWidth)") == 1280


async def test_photos_of_a_need_are_seen_by_another_person(
    browser: Browser, main_origin: str, product: dict[str, Any], title: str
) -> None:
    async with visitor(browser, viewport={"width": 360, "height": 740}) as owner:
        await _sign_in(owner, main_origin, product, OWNER)
        await owner.goto(f"{main_origin}/needs/new")
        await owner.get_by_label("What is to be done").fill(title)
        await owner.get_by_label("The details").fill("See the photos: both brackets are out.")
        await owner.get_by_label("Kind of help").select_option("Handyman Services")
        await owner.get_by_label("Where", exact=True).fill("Denver, Colorado")
        note = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"no picture"}
        await _choose(owner, "Add photos", _photo("wall.jpg", "gray"), _photo("shelf.jpg", "brown"), note)
        await expect(owner.get_by_text("Please choose JPEG, PNG or WebP pictures of at most 8 MB.")).to_be_visible()
        await owner.get_by_role("button", name="Remove shelf.jpg").click()
        await expect(owner.get_by_role("list", name="Photos").get_by_role("listitem")).to_have_count(1)
        await owner.get_by_role("button", name="Post this need").click()
        await expect(owner.get_by_role("heading", level=1, name=title)).to_be_visible(timeout=PATIENCE)
        await _drawn(owner, "Of what is to be done, 1 of 1")
        await _choose(owner, "Add more photos", _photo("bracket.jpg", "silver"))
        await _drawn(owner, "Of what is to be done, 2 of 2")
        await _choose(owner, "Add more photos", _photo("ceiling.jpg", "white"))
        await _drawn(owner, "Of what is to be done, 3 of 3")
        await _no_faults(owner)
        await owner.get_by_role("button", name="Remove photo 3").click()
        await expect(owner.get_by_text("Photo 3 was removed.")).to_be_attached()
        await expect(owner.get_by_role("list", name="Photos").get_by_role("listitem")).to_have_count(2)
        await _drawn(owner, "Of what is to be done, 2 of 2")
        page_of_need = owner.url

    async with visitor(browser, viewport={"width": 360, "height": 740}) as other:
        await _sign_in(other, main_origin, product, SECOND)
        await other.goto(page_of_need)
        for place in (1, 2):
            await _drawn(other, f"Of what is to be done, {place} of 2")
        await expect(other.get_by_role("button", name="Add more photos")).to_have_count(0)
        await _no_faults(other)
        await other.set_viewport_size({"width": 1280, "height": 800})
        await _no_faults(other)
        path = await other.get_by_role("img", name="Of what is to be done, 1 of 2").get_attribute("src")

    async with visitor(browser) as nobody:
        answer = await nobody.goto(f"{main_origin}{path}")
        assert answer is not None
        assert answer.status == 401


async def _no_faults(page: Page) -> None:
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    assert await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))") == []
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


async def test_a_newcomer_becomes_an_angel_and_is_found(browser: Browser, main_origin: str, emulator: Emulator) -> None:
    email, _, _ = emulator.sign_up()
    name = f"Nadia {uuid.uuid4().hex[:6]}"
    async with visitor(browser) as page:
        await sign_in(page, main_origin, email)
        await page.goto(f"{main_origin}/profile")
        await page.get_by_label("Display name").fill(name)
        await page.get_by_role("button", name="Save profile").click()
        await toasted(page, "Profile updated successfully!")
        await page.goto(f"{main_origin}/angels-list/yard-work")
        await page.get_by_role("link", name="Help with this too").click()
        await page.get_by_label("Price an hour, in dollars").fill("27.50")
        await page.get_by_label("Where you start from").fill("Boulder, Colorado")
        await page.get_by_role("button", name="Become an angel").click()
        await toasted(page, "You are an angel for Yard Work now.")
    async with visitor(browser) as page:
        await page.goto(f"{main_origin}/angels-list/yard-work?city=Boulder")
        found = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=name))
        await expect(found).to_contain_text("$27.50/hr", timeout=PATIENCE)
        await found.get_by_role("link", name=f"Ask {name}").click()
        await expect(page).to_have_url(f"{main_origin}/login", timeout=PATIENCE)
