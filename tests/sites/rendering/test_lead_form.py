"""The lead form in a real browser, with and without JavaScript."""

from __future__ import annotations

import asyncio

import httpx
from playwright.async_api import Browser, Page, Route, expect

from tests.fixtures.page_observer import observed_page
from tests.sites.rendering.guru_set import GuruSet

FIELDS = ("name", "email", "phone", "serviceId", "message")
MESSAGE = "Could you teach two beginners\nto bake rye bread?"


async def fill(page: Page) -> None:
    await page.get_by_label("Name").fill("Ana Whitfield")
    await page.get_by_label("Email").fill("ana@example.org")
    await page.get_by_label("Phone").fill("303 555 0100")
    await page.get_by_label("Service").select_option("group-workshop")
    await page.get_by_label("Message", exact=True).fill(MESSAGE)
    await page.get_by_role("checkbox").check()


async def typed(page: Page) -> list[str]:
    return [await page.locator(f"[name={field}]").input_value() for field in FIELDS]


TYPED = ["Ana Whitfield", "ana@example.org", "303 555 0100", "group-workshop", MESSAGE]


async def test_lead_form_double_click_sends_once(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + "/contact")
        await fill(visit.page)
        await visit.page.get_by_role("button", name="Send message").dblclick()
        await expect(visit.page.get_by_role("heading", name="Message sent")).to_be_visible()
        await expect(visit.page.get_by_text("Chef Marisol will reply soon.")).to_be_visible()

    assert visit.errors == []
    ((key, lead),) = guru_set.leads
    assert len(key) == 36
    assert lead == {
        "name": "Ana Whitfield",
        "email": "ana@example.org",
        "phone": "303 555 0100",
        "serviceId": "group-workshop",
        "message": MESSAGE,
        "consent": True,
        "website": "",
        "page": "/contact",
    }


async def test_lead_form_retry_keeps_values_and_key(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.lead_statuses = [500, 503, 201, 201]
    async with observed_page(browser) as visit:
        page = visit.page
        await page.set_viewport_size({"width": 360, "height": 640})
        await visit.open(guru_set.origin("cooking") + "/contact")
        await fill(page)
        send = page.get_by_role("button", name="Send message")
        await send.click()
        await expect(page.get_by_text("Failed to submit lead")).to_be_visible()
        assert await typed(page) == TYPED
        await page.reload()
        await page.wait_for_function("() => document.querySelector('[name=name]').value !== ''")
        assert await typed(page) == TYPED
        await expect(page.get_by_role("checkbox")).to_be_checked()
        await send.click()
        await expect(page.get_by_text("Failed to submit lead")).to_be_visible()
        await send.click()
        sent = page.get_by_role("heading", name="Message sent")
        await expect(sent).to_be_focused()
        await expect(sent).to_be_in_viewport(ratio=1)
        await page.get_by_role("link", name="Send another message").click()
        await expect(page.get_by_label("Name", exact=True)).to_be_focused()
        assert await typed(page) == ["", "", "", "", ""]
        await fill(page)
        await page.get_by_label("Message", exact=True).fill("Something else.")
        await send.click()
        await expect(page.get_by_role("heading", name="Message sent")).to_be_visible()

    keys = [key for key, _ in guru_set.leads]
    assert len(keys) == 4
    assert keys[0] == keys[1] == keys[2] != keys[3]


async def test_lead_form_keeps_values_typed_before_hydration(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        # The scripts load late, as on a slow phone.
        typed_first = asyncio.Event()

        async def delay(route: Route) -> None:
            await typed_first.wait()
            await route.continue_()

        await visit.page.route("**/_next/static/**", delay)
        await visit.page.goto(guru_set.origin("cooking") + "/contact", wait_until="commit")
        await visit.page.get_by_label("Name").fill("Ana Whitfield")
        typed_first.set()
        await visit.page.wait_for_function("() => document.querySelector('form').noValidate")
        assert await visit.page.get_by_label("Name").input_value() == "Ana Whitfield"

    assert visit.errors == []


async def test_lead_form_shows_error_beside_field(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + "/contact")
        await page.get_by_label("Email").fill("not an address")
        await page.get_by_role("button", name="Send message").click()
        for words in ("Name is required", "Invalid email address", "Message is required", "Please check the box"):
            await expect(page.get_by_text(words)).to_be_visible()
        name = page.get_by_label("Name")
        await expect(name).to_be_focused()
        await expect(name).to_have_attribute("aria-invalid", "true")
        await expect(name).to_have_accessible_description("Name is required")
        await name.fill("A")
        await expect(page.get_by_text("Name is required")).to_be_hidden()

    assert guru_set.leads == []


async def test_lead_form_shows_server_errors(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.lead_statuses = [422, 429]
    async with observed_page(browser) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + "/contact")
        await fill(page)
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_text("This address does not exist")).to_be_visible()
        await expect(page.get_by_label("Email")).to_be_focused()
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_text("Too many requests. Please wait a moment and try again.")).to_be_visible()
        assert await typed(page) == TYPED


async def test_lead_form_works_without_javascript(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser, java_script_enabled=False) as visit:
        page = visit.page
        await page.goto(guru_set.origin("cooking") + "/contact")
        await fill(page)
        await page.get_by_role("button", name="Send message").click()
        await expect(page.get_by_role("heading", name="Message sent")).to_be_visible()
        await expect(page.get_by_text("Thank you, neighbor.")).to_be_visible()

    ((_, lead),) = guru_set.leads
    assert lead["message"].replace("\r\n", "\n") == MESSAGE
    assert lead["consent"] == "true"


async def test_lead_form_rejected_keeps_values(guru_set: GuruSet) -> None:
    host = guru_set.origin("cooking").removeprefix("http://")
    form = {"name": "", "email": "ana@example.org", "message": "Hello & <b>", "serviceId": "group-workshop"}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{host.partition(':')[2]}", timeout=60) as client:
        response = await client.post("/contact", data=form, headers={"host": host})

    assert "Name is required" in response.text
    assert 'value="ana@example.org"' in response.text
    assert "Hello &amp; &lt;b&gt;</textarea>" in response.text
    assert '<option value="group-workshop" selected="">' in response.text
