"""The exported shell, served while the API was away: the browser asks by itself (SPEC 4 "Guru page", 8.1)."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.sites.pages.gurus import CONTENT_PATHS
from tests.sites.pages.village import Village
from tests.sites.pages.watch import Watched, watched


def own_complaints(visit: Watched) -> list[str]:
    """What the page itself complained about; the browser reports every failed answer too."""
    return [complaint for complaint in visit.complaints if "Failed to load resource" not in complaint]


@pytest.mark.parametrize("path", CONTENT_PATHS)
async def test_the_api_is_back(browser: Browser, village: Village, path: str) -> None:
    village.pages_down = True
    async with watched(browser) as visit:
        await visit.open(village.origin("cooking") + path)
        await expect(visit.page.get_by_role("banner")).to_contain_text("Chef Marisol")
        await expect(visit.page.get_by_role("heading", level=1)).to_be_visible()
        await expect(visit.page.get_by_role("status")).to_have_count(0)

    assert own_complaints(visit) == []


@pytest.mark.parametrize(
    ("label", "name", "sentence"),
    [
        ("cooking", "Chef Guru", "cooking, baking and meal planning"),
        ("music", "Music Guru", "guitar, singing and music theory"),
        ("tech", "Tech Guru", "programming, web design and troubleshooting"),
        ("juggling", "Guru", "teaching and mentoring"),
    ],
)
async def test_the_api_is_still_away(browser: Browser, village: Village, label: str, name: str, sentence: str) -> None:
    village.pages_down = village.api_down = True
    async with watched(browser) as visit:
        await visit.open(village.origin(label) + "/")
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text(name)
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to fetch guru data")
        await expect(visit.page.get_by_text(f"Learn {sentence}")).to_be_visible()
        services = await visit.page.get_by_role("article").all_inner_texts()

    assert own_complaints(visit) == []
    assert [text.split("\n")[0] for text in services] == ["Popular", "Group Workshop", "Monthly Mentorship"]
    for text, price, length in zip(
        services, ("$75", "$45", "$200"), ("60 minutes", "90 minutes", "Monthly"), strict=True
    ):
        assert price in text
        assert length in text


async def test_no_connection_at_all(browser: Browser, village: Village) -> None:
    village.pages_down = True
    async with watched(browser) as visit:
        await visit.page.route("**/api/**", lambda route: route.abort())
        await visit.open(village.origin("cooking") + "/")
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to load guru data")
        await visit.open(village.origin("cooking") + "/services")
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to fetch services")
        await expect(visit.page.get_by_role("article")).to_have_count(3)
        await visit.open(village.origin("cooking") + "/blog/crusty-bread-1")
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to fetch posts")
        await expect(visit.page.get_by_role("link", name="Try again")).to_be_visible()


async def test_no_such_guru(browser: Browser, village: Village) -> None:
    village.pages_down = True
    async with watched(browser) as visit:
        # The page asks for itself once more: the API may know whose a domain is. So no waiting for scripts.
        await visit.page.goto(village.origin("nobody") + "/")
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text("Guru Not Found")
        button = visit.page.get_by_role("link", name="Go to Main Site")
        await expect(button).to_have_attribute("href", village.main_origin + "/")


@pytest.mark.parametrize("label", ["www", "api", "admin", "staging", "dev", "test"])
async def test_no_guru_in_the_host_name(browser: Browser, village: Village, label: str) -> None:
    village.pages_down = True
    async with watched(browser) as visit:
        await visit.open(village.origin(label) + "/")
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text("No guru subdomain detected")


async def test_a_post_that_is_gone_leads_home(browser: Browser, village: Village) -> None:
    village.pages_down = True
    async with watched(browser) as visit:
        # The shell knows no slugs: it is the same for every post.
        await visit.page.route(
            "**/blog/lost",
            lambda route: route.fulfill(status=503, content_type="text/html", body=village.web.shell("/blog/[slug]")),
        )
        await visit.page.goto(village.origin("cooking") + "/blog/lost")
        await visit.page.wait_for_url(village.origin("cooking") + "/")


async def test_without_javascript_it_asks_for_patience(browser: Browser, village: Village) -> None:
    village.pages_down = True
    async with watched(browser, java_script_enabled=False) as visit:
        await visit.page.goto(village.origin("cooking") + "/")
        await expect(visit.page.locator("noscript p")).to_have_text(re.compile("^This site is resting for a moment"))
        await expect(visit.page.locator("noscript p")).to_be_visible()
