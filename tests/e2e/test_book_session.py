"""A visitor books a session from a guru's site: times, hold, sign-in, waiver, booking."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from porchlight.features.bookings.tokens import parse_token_or_404
from tests.e2e.browser_session import (
    assert_accessible,
    expect_toast,
    extract_link,
    focus_by_tab,
    sign_in,
    submit_login,
    visitor_page,
    wait_for_email,
)
from tests.e2e.effort import Effort
from tests.e2e.own_gurus import new_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.product import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

WIDTHS = (1280, 360)  # the test goes on in the last one
PHONE = {"width": 360, "height": 740}
BOOK = re.compile("^Book for \\$[0-9.,]+ – pay at the session$")
TIME = re.compile("^[0-9]+:[0-9]{2} [AP]M")

Origin = Callable[[str], str]


@pytest.fixture
def origin(product: dict[str, Any], tls_port: int) -> Origin:
    """The origin of a new site with the services and hours of a demo guru: no other test takes its times."""
    return lambda like: f"https://{new_guru(product, 'booked', like=like).label}.porchlight.localhost:{tls_port}"


def _first_time(page: Page) -> Locator:
    return page.get_by_role("button", name=TIME).first


async def _expect_frame(page: Page, *, is_held: bool = True) -> None:
    """Expect the guru's face, the time, the price and what is left of the hold on the first screen."""
    frame = page.get_by_role("region", name="What you're booking")
    face = frame.locator("[aria-hidden=true]").first
    await expect(face).to_be_visible()
    price = frame.get_by_text(re.compile("^(\\$[0-9.,]+, pay at the session|Free)"))
    facts = [face, frame.get_by_text(re.compile("^with ")), frame.locator("strong").first, price]
    if is_held:
        facts.append(frame.get_by_role("timer"))
    for fact in facts:
        await expect(fact).to_be_in_viewport(ratio=1)


async def _expect_booked(page: Page) -> None:
    await expect(page.get_by_role("heading", level=1)).to_have_text("You're booked!", timeout=BROWSER_TIMEOUT_MS)


def _execute(product: dict[str, Any], statement: str, *params: object) -> None:
    with psycopg.connect(product["overseer_url"]) as conn:
        conn.execute(statement.encode(), params)


async def test_new_person_books_within_seven_taps(
    browser: Browser, origin: Origin, main_origin: str, product: dict[str, Any]
) -> None:
    email = f"new-{uuid.uuid4().hex[:10]}@mail.example"
    effort = Effort()  # from the home page of a guru to "You're booked!"
    async with visitor_page(browser, viewport=PHONE) as page:
        await page.goto(origin("music"))
        hero = page.locator(".hero-booking")
        await expect(hero).to_contain_text("Next: ")
        box = await hero.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 2 * PHONE["height"]
        await effort.open(hero.get_by_role("link", name="See times"))
        await expect(page.get_by_role("grid")).to_be_visible()
        await expect(_first_time(page)).to_be_visible()
        await effort.open(_first_time(page))
        await _expect_frame(page)
        await effort.open(page.get_by_role("link", name="Create an account"))
        await expect(page.get_by_role("heading", level=1)).to_contain_text("Create your account to book ")
        await _expect_frame(page)
        for label, text in (
            ("First name", "Nora"),
            ("Last name", "Newcomer"),
            ("Email", email),
            ("Password", "porchlight"),
            ("Confirm password", "porchlight"),
        ):
            await effort.type(page.get_by_label(label, exact=True), text)
        await effort.open(page.get_by_role("button", name="Create Account"))
        await expect(page.get_by_label("Your name")).to_have_value("Nora Newcomer")
        await expect(page.get_by_role("heading", name="Verify your email")).to_be_visible()
        await _expect_frame(page)
        await assert_accessible(page, WIDTHS)
        await page.get_by_label("Note for").fill("I have never played before.")
        await expect(page.get_by_role("button", name=BOOK)).to_be_disabled()

        link = extract_link(wait_for_email(product, email, "Verify your email for Porchlight"))
        other = await page.context.new_page()
        effort.follow_link()
        await other.goto(link)
        await effort.open(other.get_by_role("button", name="Yes, confirm"))
        await expect(other.get_by_text("Thanks! Your email address is confirmed.")).to_be_visible()
        await _expect_frame(other)
        await assert_accessible(other, WIDTHS)
        held_page = page.url
        back = other.get_by_role("link", name="Back to your booking")
        await expect(back).to_have_attribute("href", urlsplit(held_page).path)
        await other.close()
        await page.bring_to_front()
        await expect(page.get_by_text("Your email is verified. You can book now.")).to_be_visible()
        await page.reload()
        await expect(page.get_by_label("Note for")).to_have_value("I have never played before.")
        await effort.open(page.get_by_role("button", name=BOOK))
        await _expect_booked(page)
        await _expect_frame(page, is_held=False)
        await assert_accessible(page, WIDTHS)
        await page.reload()
        await _expect_booked(page)
    effort.expect_within("Book as a new person, with a password")
    with psycopg.connect(product["overseer_url"]) as conn:
        query = "SELECT b.status, b.note FROM bookings b JOIN users u ON u.user_id = b.person_id WHERE u.email = %s"
        assert conn.execute(query, [email]).fetchall() == [("confirmed", "I have never played before.")]


async def test_new_person_books_with_code_within_four_taps(
    browser: Browser, origin: Origin, product: dict[str, Any]
) -> None:
    email = f"code-{uuid.uuid4().hex[:10]}@mail.example"
    effort = Effort()  # from the home page of a guru to "You're booked!"
    async with visitor_page(browser, viewport=PHONE) as page:
        await page.goto(origin("music"))
        await effort.open(page.locator(".hero-booking").get_by_role("link", name="See times"))
        await effort.open(_first_time(page))
        held = page.get_by_role("region", name="What you're booking")
        await expect(held.get_by_role("timer")).to_be_visible()
        await _expect_frame(page)
        await assert_accessible(page, WIDTHS)
        await effort.type(page.get_by_label("Email", exact=True), email)
        await effort.open(page.get_by_role("button", name="Email me a code"))
        digits = page.get_by_label("6-digit code")
        await expect(digits).to_be_focused()
        await _expect_frame(page)
        await assert_accessible(page, WIDTHS)
        await effort.type(digits, _code_in_mailbox(product, email))
        name = page.get_by_label("Your name")
        await expect(name).to_have_value("")
        await expect(page.get_by_role("heading", name="Verify your email")).to_have_count(0)
        await effort.type(name, "Cody Newcomer")
        await effort.open(page.get_by_role("button", name=BOOK))
        await _expect_booked(page)
        await expect(page.get_by_role("button", name="Account menu for Cody Newcomer")).to_be_attached()
    effort.expect_within("Book as a new person, with a code")


def _code_in_mailbox(product: dict[str, Any], email: str) -> str:
    codes: list[str] = []

    def is_received() -> bool:
        with psycopg.connect(product["overseer_url"]) as conn:
            query = "SELECT substr(subject, 1, 6) FROM dev_mailbox WHERE recipient = %s AND subject LIKE %s"
            codes[:] = [row[0] for row in conn.execute(query, [email, "% is your Porchlight code"])]
        return bool(codes)

    eventually("the code reaches the mailbox", is_received)
    return codes[0]


async def test_known_person_books_within_four_taps(
    browser: Browser, origin: Origin, main_origin: str, user: str
) -> None:
    effort = Effort()  # from the home page of a guru to "You're booked!"
    async with visitor_page(browser, viewport=PHONE) as page:
        await sign_in(page, main_origin, user)
        await page.goto(origin("tech"))
        await effort.open(page.locator(".hero-booking").get_by_role("link", name="See times"))
        await effort.open(_first_time(page))
        await _expect_frame(page)
        await effort.type(page.get_by_label("Your name"), "Kim Known")
        await effort.open(page.get_by_role("button", name=BOOK))
        await _expect_booked(page)
        await expect(page.get_by_text(re.compile("^Check your email for the invitation"))).to_be_visible()
    effort.expect_within("Book as a known person")


async def test_risky_session_is_booked_by_keyboard(
    browser: Browser, origin: Origin, main_origin: str, user: str
) -> None:
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, user)
        await page.goto(f"{origin('woodwork')}/services")
        see_times = page.get_by_role("link", name=re.compile("^See times for")).first
        await focus_by_tab(page, see_times)
        await page.keyboard.press("Enter")
        grid = page.get_by_role("grid")
        await expect(grid.locator('[tabindex="0"]')).to_have_count(1)
        await focus_by_tab(page, grid.locator('[tabindex="0"]'))
        await page.keyboard.press("End")
        await page.keyboard.press("Home")
        await focus_by_tab(page, _first_time(page))
        await page.keyboard.press("Enter")
        name = page.get_by_label("Your name")
        await expect(name).to_be_visible()
        await expect(page.get_by_role("button", name=BOOK)).to_be_disabled()
        await focus_by_tab(page, name)
        await page.keyboard.press("ControlOrMeta+A")
        await page.keyboard.type("Kay Keyboard")
        await focus_by_tab(page, page.get_by_role("button", name="Read and accept the waiver"))
        await page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Liability waiver")
        await expect(dialog.get_by_role("heading", name="What you release")).to_be_attached()
        await assert_accessible(page)
        for text in ("read and understood", "acknowledge the risks", "agree to the release"):
            await focus_by_tab(page, dialog.get_by_role("checkbox", name=text))
            await page.keyboard.press("Space")
        for label, text in (("Contact name", "Maria Ortiz"), ("Contact phone", "+1 303 555 0199")):
            await focus_by_tab(page, dialog.get_by_label(label))
            await page.keyboard.type(text)
        await expect(dialog.get_by_label("Participant's name")).to_have_value("Kay Keyboard")
        await focus_by_tab(page, dialog.get_by_role("button", name="Accept", exact=True))
        await page.keyboard.press("Enter")
        await expect(page.get_by_text(re.compile("^Accepted. Your waiver is valid until"))).to_be_visible()
        await focus_by_tab(page, page.get_by_role("button", name=BOOK))
        await page.keyboard.press("Enter")
        await _expect_booked(page)
        await expect(page.get_by_role("heading", level=1)).to_be_focused()


async def test_questions_are_answered_by_keyboard(browser: Browser, origin: Origin, user: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(f"{origin('tech')}/services")
        await page.get_by_role("link", name="See times for Whole-House Wi-Fi Visit").click()
        await _first_time(page).click()
        await submit_login(page, user)
        await page.get_by_label("Your name").fill("Quinn Keyboard")
        book = page.get_by_role("button", name=BOOK)
        await focus_by_tab(page, book)
        await page.keyboard.press("Enter")
        provider = page.get_by_label("Who is your internet provider?")
        await expect(provider).to_be_focused()
        await expect(page.get_by_text("Please answer this question.")).to_have_count(2)
        await assert_accessible(page, WIDTHS)
        await page.keyboard.type("Xfinity")
        where = page.get_by_label("Where in the house is it slow?")
        await focus_by_tab(page, where)
        await page.keyboard.type("In the attic.")
        await page.reload()
        await expect(where).to_have_value("In the attic.")
        await expect(provider).to_have_value("Xfinity")
        await focus_by_tab(page, book)
        await page.keyboard.press("Enter")
        await _expect_booked(page)


async def test_visitor_without_javascript_asks_for_time(
    browser: Browser, origin: Origin, main_origin: str, product: dict[str, Any]
) -> None:
    email = f"scriptless-{uuid.uuid4().hex[:10]}@mail.example"
    async with visitor_page(browser, java_script_enabled=False, viewport=PHONE) as page:
        await page.goto(origin("garden"))
        await page.locator(".hero-booking").get_by_role("link", name="See times").click()
        await page.get_by_role("grid").locator("a[href]:visible").last.click()
        await expect(page).to_have_url(re.compile(r"\?day="))
        await _first_time(page).click()
        await expect(page).to_have_url(re.compile(f"^{re.escape(main_origin)}/book/[A-Za-z0-9_-]{{43}}$"))
        await expect(page.get_by_text("Loading your skill-sharing platform...")).to_be_hidden()
        await expect(page.get_by_text(re.compile("^We're holding this time for you until"))).to_be_visible()
        await page.get_by_role("link", name="Ask for this time").click()
        time = page.get_by_label("Preferred time")
        await expect(time).to_have_value(re.compile(r"\d, \d{4}, \d+:\d\d [AP]M"))
        wanted = await time.input_value()
        await page.get_by_label("Name", exact=True).fill("Sam Scriptless")
        await page.get_by_label("Email", exact=True).fill(email)
        await page.get_by_role("checkbox").check()
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_role("heading", name="Message sent")).to_be_visible()
    with psycopg.connect(product["overseer_url"]) as conn:
        query = "SELECT preferred_time, service_id IS NOT NULL FROM leads WHERE email = %s"
        assert conn.execute(query, [email]).fetchall() == [(wanted, True)]


async def test_expired_hold_keeps_input_and_offers_time(
    browser: Browser, origin: Origin, main_origin: str, product: dict[str, Any], user: str
) -> None:
    async with visitor_page(browser, viewport=PHONE) as page:
        await page.goto(f"{origin('spanish')}/services")
        await page.get_by_role("link", name=re.compile("^See times for")).first.click()
        await _first_time(page).click()
        await submit_login(page, user)
        await expect_toast(page, "Welcome back!")
        await page.get_by_label("Your name").fill("Lee Late")
        await page.get_by_label("Note for").fill("Hola!")
        _execute(
            product,
            "UPDATE bookings SET expires_at = app.now() - interval '1 second' WHERE hold_hash = %s",
            parse_token_or_404(page.url.rsplit("/", 1)[1]).digest,
        )
        book = page.get_by_role("button", name=BOOK)
        await book.click()
        text = "Your 10-minute hold has ended. Pick the time again."
        await expect(page.get_by_text(text)).to_be_visible()
        await assert_accessible(page, WIDTHS)
        await expect(page.get_by_label("Note for")).to_have_value("Hola!")
        expired_url = page.url
        await page.get_by_role("button", name=re.compile("^Keep ")).click()
        await expect(page).not_to_have_url(expired_url)
        await expect(page.get_by_label("Your name")).to_have_value("Lee Late")
        await expect(page.get_by_label("Note for")).to_have_value("Hola!")
        await book.click()
        await _expect_booked(page)


@pytest.mark.sweep
async def test_time_taken_meanwhile_asks_for_another(browser: Browser, origin: Origin) -> None:
    site = origin("cooking")
    async with visitor_page(browser) as first, visitor_page(browser, viewport=PHONE) as second:
        for page in (first, second):
            await page.goto(f"{site}/services")
            await page.get_by_role("link", name="See times for One-on-One Consultation").click()
            await expect(_first_time(page)).to_be_visible()
        taken = await _first_time(second).get_attribute("value")
        await _first_time(first).click()
        await expect(first.get_by_text("Held for you")).to_be_visible()
        await _first_time(second).click()
        await expect(second.get_by_text("That time was just taken. Please choose another.")).to_be_visible()
        await expect(second.locator(f'button[value="{taken}"]')).to_have_count(0)


@pytest.fixture
def label_without_bookings(product: dict[str, Any]) -> str:
    """The label of a new guru whose services could be booked, but whose flag `booking` is off."""
    guru = new_guru(product, "unbooked")
    _execute(product, "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', false)", guru.id)
    return guru.label


async def test_site_with_booking_off_has_no_times(browser: Browser, tls_port: int, label_without_bookings: str) -> None:
    async with visitor_page(browser) as page:
        await page.goto(f"https://{label_without_bookings}.porchlight.localhost:{tls_port}/services")
        await expect(page.get_by_role("link", name=re.compile("^Message .+")).first).to_be_visible()
        await expect(page.get_by_role("link", name=re.compile("^(See times|Book)"))).to_have_count(0)
