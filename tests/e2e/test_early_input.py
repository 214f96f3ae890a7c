"""Input on a prerendered page before the app has taken it over: what a person does there is not lost."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.browser_session import assert_accessible, expect_url, visitor_page

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

APP = re.compile(r"/assets/start-[^/]+\.js$")
PHONE = {"width": 360, "height": 740}

StartApp = Callable[[], None]
EarlyPage = Callable[..., AbstractAsyncContextManager[tuple[Page, StartApp]]]


@asynccontextmanager
async def _early_page(browser: Browser, url: str, **options: Any) -> AsyncIterator[tuple[Page, StartApp]]:
    """Yield a prerendered page, and what lets its app arrive."""
    is_started = asyncio.Event()

    async def hold(route: Route) -> None:
        await is_started.wait()
        await route.continue_()

    async with visitor_page(browser, **options) as page:
        await page.route(APP, hold)
        async with page.expect_request(APP):
            await page.goto(url, wait_until="commit")
        try:
            yield page, is_started.set
        finally:
            is_started.set()


async def _expect_app(page: Page) -> None:
    """Expect the page's data, which only the app loads."""
    await expect(page.locator("main [aria-busy=true]")).to_have_count(0)


@pytest.fixture
def early_page(browser: Browser, main_origin: str) -> EarlyPage:
    return lambda path, **options: _early_page(browser, main_origin + path, **options)


async def test_early_text_is_kept_and_searched_by_app(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/") as (page, start_app):
        field = page.get_by_role("searchbox", name="What are you looking for?")
        await field.press_sequentially("sour")
        start_app()
        await _expect_app(page)
        await expect(field).to_be_focused()
        await page.keyboard.type("dough")
        await expect(field).to_have_value("sourdough")
        await page.evaluate("window.isSameDocument = true")
        await page.keyboard.press("Enter")
        await expect_url(page, f"{main_origin}/search?q=sourdough")
        assert await page.evaluate("window.isSameDocument")
        await expect(page.get_by_role("link", name="Sourdough baking").first).to_be_visible()


@pytest.mark.parametrize("by_key", [True, pytest.param(False, marks=pytest.mark.sweep)])
async def test_early_search_opens_results(early_page: EarlyPage, main_origin: str, *, by_key: bool) -> None:
    async with early_page("/") as (page, start_app):
        field = page.get_by_role("searchbox", name="What are you looking for?")
        await field.press_sequentially("rye & sourdough")
        if by_key:
            await page.keyboard.press("Enter")
        else:
            await page.get_by_role("main").get_by_role("button", name="Search", exact=True).click()
        await page.wait_for_url(f"{main_origin}/search?q=rye+%26+sourdough", wait_until="commit")
        start_app()
        await expect(field).to_have_value("rye & sourdough")
        await expect(page.get_by_role("link", name="Rye and sourdough bread").first).to_be_visible()


async def test_early_text_filters_skills_and_opens_list(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/skills", viewport=PHONE) as (page, start_app):
        field = page.get_by_role("combobox", name="Search skills")
        await field.press_sequentially("photgrpahy")
        start_app()
        await expect(page.get_by_role("option").first).to_contain_text("photography")
        await expect(field).to_have_value("photgrpahy")
        await expect(field).to_be_focused()
        await assert_accessible(page)
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await expect(field).to_have_value("photography")
        await expect_url(page, f"{main_origin}/skills?q=photography")


@pytest.mark.sweep
async def test_early_text_without_focus_keeps_list_closed(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/skills") as (page, start_app):
        field = page.get_by_role("combobox", name="Search skills")
        await field.press_sequentially("guitar")
        await page.keyboard.press("Tab")
        start_app()
        await expect_url(page, f"{main_origin}/skills?q=guitar")
        await expect(field).to_have_value("guitar")
        await expect(field).to_have_attribute("aria-expanded", "false")
        await expect(page.get_by_role("main").get_by_role("heading", name="Language")).to_have_count(0)


async def test_early_text_on_translated_page_is_kept(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/search", translated=True) as (page, start_app):
        field = page.get_by_role("searchbox", name="What are you looking for?")
        await page.get_by_label("Show").select_option("guru")
        await field.press_sequentially("sour")
        # React replaces the field, and the rest of the word must go into the new one.
        replaced = await field.element_handle()
        start_app()
        await page.wait_for_function("(field) => !field.isConnected", arg=replaced)
        await expect(field).to_be_focused()
        await page.keyboard.type("dough")
        await expect_url(page, f"{main_origin}/search?kind=guru&q=sourdough")
        await expect(field).to_have_value("sourdough")
        await expect(page.get_by_label("Show")).to_have_value("guru")


async def test_early_press_on_translated_page_is_done_by_app(early_page: EarlyPage) -> None:
    async with early_page("/", translated=True) as (page, start_app):
        await page.get_by_role("button", name="Change location").click()
        start_app()
        await expect(page.get_by_label("Your location: city, state")).to_be_focused()


async def test_early_press_of_button_is_done_by_app(early_page: EarlyPage) -> None:
    async with early_page("/") as (page, start_app):
        await page.get_by_role("button", name="Change location").click()
        start_app()
        await expect(page.get_by_label("Your location: city, state")).to_be_focused()


async def test_early_second_press_of_menu_leaves_it_open(early_page: EarlyPage) -> None:
    async with early_page("/", viewport=PHONE) as (page, start_app):
        for _ in range(2):
            await page.get_by_role("button", name="Open menu").click()
        start_app()
        await expect(page.get_by_role("navigation", name="Main, small screen")).to_be_visible()
        await _expect_app(page)
        await page.get_by_role("button", name="Close menu").click()
        await expect(page.get_by_role("navigation", name="Main, small screen")).to_be_hidden()


async def test_early_keys_on_tabs_select_last_one(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/skills", viewport=PHONE) as (page, start_app):
        await page.get_by_role("tab", name="Browse Skills").focus()
        for name in ("Session Templates", "AI Coaching"):
            await page.keyboard.press("ArrowRight")
            await expect(page.get_by_role("tab", name=name)).to_be_focused()
        start_app()
        await expect(page.get_by_text("Sign in to access AI-powered skill matching")).to_be_visible()
        await expect(page.get_by_role("tab", name="AI Coaching")).to_be_focused()
        await expect_url(page, f"{main_origin}/skills?tab=ai-coach")
        await page.go_back()
        await expect(page.get_by_role("tab", name="Browse Skills")).to_have_attribute("aria-selected", "true")


async def test_early_scroll_of_tabs_is_kept_by_app(early_page: EarlyPage) -> None:
    async with early_page("/skills", viewport=PHONE) as (page, start_app):
        tabs = page.get_by_role("tablist")
        await tabs.evaluate("row => { row.scrollLeft = 40; }")
        start_app()
        await _expect_app(page)
        assert await tabs.evaluate("row => row.scrollLeft") == 40


async def test_early_click_of_link_opens_its_page(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/") as (page, start_app):
        await page.get_by_role("main").get_by_role("link", name="SkillShare").click()
        await page.wait_for_url(f"{main_origin}/skills", wait_until="commit")
        await expect(page.get_by_role("heading", level=1)).to_have_text("SkillShare")
        start_app()
        await page.go_back()
        await _expect_app(page)
        await expect_url(page, f"{main_origin}/")


@pytest.mark.parametrize("path", ["/skills", pytest.param("/", marks=pytest.mark.sweep)])
async def test_early_scroll_is_kept_by_app_and_reload(early_page: EarlyPage, path: str) -> None:
    async with early_page(path, viewport=PHONE) as (page, start_app):
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await page.mouse.wheel(0, 400)
        await page.wait_for_function("() => window.scrollY === 400")
        start_app()
        await _expect_app(page)
        assert await page.evaluate("window.scrollY") == 400
        await page.reload()
        await _expect_app(page)
        assert await page.evaluate("window.scrollY") == 400
        if path == "/skills":
            await page.get_by_role("tab", name="Session Templates").dispatch_event("click")
            await expect(page.get_by_text("First chords")).to_be_visible()
            assert await page.evaluate("window.scrollY") == 400


async def test_early_search_and_filter_are_kept_by_app(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/search") as (page, start_app):
        field = page.get_by_role("searchbox", name="What are you looking for?")
        await field.press_sequentially("sourdough")
        await page.get_by_label("Show").select_option("Gurus")
        start_app()
        await expect_url(page, f"{main_origin}/search?kind=guru&q=sourdough")
        await expect(field).to_have_value("sourdough")
        await expect(page.get_by_label("Show")).to_have_value("guru")


async def test_early_choice_of_interval_is_kept_by_app(early_page: EarlyPage) -> None:
    async with early_page("/pricing") as (page, start_app):
        yearly = page.get_by_role("radio", name="Yearly")
        await yearly.check()
        start_app()
        await expect(page.get_by_text("$90")).to_be_visible()
        await expect(yearly).to_be_checked()


@pytest.mark.sweep
async def test_early_category_filters_services(early_page: EarlyPage, main_origin: str) -> None:
    async with early_page("/angels-list") as (page, start_app):
        await page.get_by_label("City").select_option("Denver")
        await page.get_by_role("button", name="Pets").click()
        start_app()
        await expect(page.get_by_role("heading", name="Moving Help")).to_have_count(0)
        await expect_url(page, f"{main_origin}/angels-list?city=Denver&category=Pets")


async def test_early_page_not_prerendered_shows_loading(early_page: EarlyPage) -> None:
    async with early_page("/how-it-works?from=mail") as (page, start_app):
        await expect(page.get_by_text("Loading your skill-sharing platform...", exact=True)).to_be_visible()
        await expect(page.get_by_role("heading", name="Please turn on JavaScript")).to_have_count(0)
        start_app()
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await expect(page.get_by_text("Loading your skill-sharing platform...")).to_have_count(0)


async def test_early_page_of_past_user_shows_loading(early_page: EarlyPage, main_origin: str) -> None:
    """Without the cookie, the server takes a past user for a new visitor; the app first checks the session."""
    storage = {"origin": main_origin, "localStorage": [{"name": "porchlight.signed-in", "value": "1"}]}
    async with early_page("/", storage_state={"origins": [storage]}) as (page, start_app):
        await expect(page.get_by_text("Loading your skill-sharing platform...")).to_be_visible()
        await expect(page.get_by_role("link", name="Sign Up")).to_have_count(0)
        start_app()
        await expect(page.get_by_role("banner").get_by_role("link", name="Sign Up")).to_be_visible()
