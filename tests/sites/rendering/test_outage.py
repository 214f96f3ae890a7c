"""The fallback page, served while the API is down: the browser calls the API itself (SPEC 4 "Guru page", 8.1)."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.fixtures.page_observer import ObservedPage, observed_page
from tests.sites.rendering.guru_set import GuruSet
from tests.sites.rendering.page_props import CONTENT_PATHS

TIMES_PATH = "/services/group-workshop/times"


def page_errors(visit: ObservedPage) -> list[str]:
    """Return the errors of the page itself, without the browser's reports of failed responses."""
    return [error for error in visit.errors if "Failed to load resource" not in error]


# Times have a test of their own.
@pytest.mark.parametrize("path", [path for path in CONTENT_PATHS if not path.startswith(TIMES_PATH)])
async def test_fallback_page_loads_data_from_api(browser: Browser, guru_set: GuruSet, path: str) -> None:
    guru_set.pages_down = True
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + path)
        await expect(visit.page.get_by_role("banner")).to_contain_text("Chef Marisol")
        await expect(visit.page.get_by_role("heading", level=1)).to_be_visible()
        # The contact form has a status, which is empty until it is sent.
        await expect(visit.page.get_by_role("status").filter(has_text=re.compile("."))).to_have_count(0)

    assert page_errors(visit) == []


@pytest.mark.parametrize(("path", "link"), [("/reviews", "Older reviews"), ("/reviews/older/older", "Newest reviews")])
async def test_fallback_of_reviews_shows_them(browser: Browser, guru_set: GuruSet, path: str, link: str) -> None:
    guru_set.pages_down = True
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + path)
        await expect(visit.page.get_by_text("It names a child.")).to_be_visible()
        await expect(visit.page.get_by_role("link", name=link)).to_be_visible()
    assert "GET /api/gurus/cooking/reviews" in guru_set.requests


async def test_fallback_of_times_can_be_retried(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.pages_down = True
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + TIMES_PATH)
        await expect(visit.page.get_by_role("status")).to_contain_text("We couldn't load the times")
        guru_set.pages_down = False
        await visit.page.get_by_role("link", name="Try again").click()
        await expect(visit.page.get_by_role("grid")).to_be_visible()


@pytest.mark.parametrize(
    ("label", "name", "sentence"),
    [
        ("cooking", "Chef Guru", "cooking, baking and meal planning"),
        ("music", "Music Guru", "guitar, singing and music theory"),
        ("tech", "Tech Guru", "programming, web design and troubleshooting"),
        ("juggling", "Guru", "teaching and mentoring"),
    ],
)
async def test_fallback_page_without_api_shows_defaults(
    browser: Browser, guru_set: GuruSet, label: str, name: str, sentence: str
) -> None:
    guru_set.pages_down = guru_set.api_down = True
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin(label) + "/")
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text(name)
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to fetch guru data")
        await expect(visit.page.get_by_text(f"Learn {sentence}")).to_be_visible()
        services = await visit.page.get_by_role("article").all_inner_texts()

    assert page_errors(visit) == []
    assert [text.split("\n")[0] for text in services] == ["Popular", "Group Workshop", "Monthly Mentorship"]
    for text, price, length in zip(
        services, ("$75", "$45", "$200"), ("60 minutes", "90 minutes", "Monthly"), strict=True
    ):
        assert price in text
        assert length in text


async def test_fallback_page_without_network_shows_errors(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.pages_down = True
    async with observed_page(browser) as visit:
        await visit.page.route("**/api/**", lambda route: route.abort())
        await visit.open(guru_set.origin("cooking") + "/")
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to load guru data")
        await visit.open(guru_set.origin("cooking") + "/services")
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to fetch services")
        await expect(visit.page.get_by_role("article")).to_have_count(3)
        await visit.open(guru_set.origin("cooking") + "/blog/crusty-bread-1")
        await expect(visit.page.get_by_role("status")).to_contain_text("Failed to fetch posts")
        await expect(visit.page.get_by_role("link", name="Try again")).to_be_visible()


async def test_fallback_page_of_unknown_guru_shows_not_found(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.pages_down = True
    async with observed_page(browser) as visit:
        # The page reloads once, because the API may know the domain. So the test does not wait for scripts.
        await visit.page.goto(guru_set.origin("unknown") + "/")
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text("Guru Not Found")
        button = visit.page.get_by_role("link", name="Go to Main Site")
        await expect(button).to_have_attribute("href", guru_set.main_origin + "/")


@pytest.mark.parametrize("label", ["www", "api", "admin", "staging", "dev", "test"])
async def test_fallback_page_of_reserved_label_shows_error(browser: Browser, guru_set: GuruSet, label: str) -> None:
    guru_set.pages_down = True
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin(label) + "/")
        await expect(visit.page.get_by_role("heading", level=1)).to_have_text("No guru subdomain detected")


async def test_fallback_page_of_deleted_post_redirects_home(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.pages_down = True
    async with observed_page(browser) as visit:
        # The fallback page is the same for every post.
        await visit.page.route(
            "**/blog/lost",
            lambda route: route.fulfill(status=503, content_type="text/html", body=guru_set.web.shell("/blog/[slug]")),
        )
        await visit.page.goto(guru_set.origin("cooking") + "/blog/lost")
        await visit.page.wait_for_url(guru_set.origin("cooking") + "/")


async def test_fallback_page_without_javascript_shows_notice(browser: Browser, guru_set: GuruSet) -> None:
    guru_set.pages_down = True
    async with observed_page(browser, java_script_enabled=False) as visit:
        await visit.page.goto(guru_set.origin("cooking") + "/")
        await expect(visit.page.locator("noscript p")).to_have_text(re.compile("^This site is temporarily unavailable"))
        await expect(visit.page.locator("noscript p")).to_be_visible()
