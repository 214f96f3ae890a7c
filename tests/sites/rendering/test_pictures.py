"""The guru's pictures on their site: markup, loading, and what is shown where there are none."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest
from playwright.async_api import Browser, expect

from sites.rendering.templates import GuruWeb
from tests.fixtures.browser import axe_violations
from tests.fixtures.page_observer import observed_page
from tests.sites.rendering.guru_set import GuruSet
from tests.sites.rendering.page_props import Guru, Props, extreme_guru, picture, service, typical_guru

ORIGIN, MAIN = "https://cooking.example.org", "https://example.org"
NO_PICTURES: Props = {"hero": None, "pictures": []}


async def body(web: GuruWeb, path: str, guru: Props | None = None, **changes: Any) -> str:
    """Return the HTML of a page before its data."""
    page = Guru(guru or typical_guru(), ORIGIN, MAIN).page(path)
    assert page is not None
    name, props, query = page
    html = (await web.page(name, props | changes, query=query, palette_css="", typeface="warm")).html.decode()
    return html.partition('<script id="__NEXT_DATA__"')[0]


def images(html: str, path: str) -> list[str]:
    """Return the elements that show a picture, without those of its preview."""
    return re.findall(rf'<picture><source [^>]*><img [^>]*src="/images/{path}-640\.webp"[^>]*>', html)


async def test_hero_picture_is_loaded_first(web: GuruWeb) -> None:
    html = await body(web, "/")
    (hero,) = images(html, "kitchen")
    assert 'fetchPriority="high"' in hero
    assert 'loading="lazy"' not in hero
    others = [image for image in re.findall(r"<picture><source [^>]*><img [^>]*>", html) if image != hero]
    assert len(others) == 5 + 2 + 1, "the gallery, the services, and the cover of a post"
    assert all('loading="lazy"' in image and "fetchPriority" not in image for image in others)
    assert 'rel="preload" as="image"' not in html


async def test_picture_names_all_sizes_and_keeps_its_focus(web: GuruWeb) -> None:
    html = await body(web, "/")
    (hero,) = images(html, "kitchen")
    assert f'<source type="image/avif" srcSet="{picture("kitchen", "")["srcset"]}"' in hero
    assert 'width="1600" height="1200"' in hero
    assert 'alt="Two people at a stove"' in hero
    assert '<span class="picture fx-3 fy-8 hero-picture"><img class="preview" src="data:image/bmp,BM%3E%00' in html
    assert "style=" not in html.partition("<body>")[2]


@pytest.mark.parametrize("path", ["/", "/about", "/services", "/services/group-workshop/times"])
async def test_words_of_pictures_are_escaped(web: GuruWeb, path: str) -> None:
    html = (await body(web, path, extreme_guru())).partition("<body>")[2]
    assert 'alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in html
    assert "<script>" not in html


async def test_picture_without_preview_or_words_is_shown(web: GuruWeb) -> None:
    html = await body(web, "/about", extreme_guru())
    assert '<span class="picture fx-5 fy-5 "><picture><source type="image/avif"' in html
    assert '<a class="picture-link" href="/images/silent.webp" aria-label="Picture 2">' in html


async def test_pictures_are_links_without_scripts(web: GuruWeb) -> None:
    home, about = await body(web, "/"), await body(web, "/about", gallery=NO_PICTURES)
    assert re.findall(r'class="picture-link" href="([^"]+)"', home) == [
        f"/images/{name}.webp" for name in ("kneading", "oven", "knives", "market", "table")
    ]
    assert "All pictures" not in home
    assert 'class="picture-link"' not in about
    many = [picture(f"many-{number}", "") for number in range(6)]
    home = await body(web, "/", gallery={"hero": None, "pictures": many})
    assert home.count('class="picture-link"') == 5
    assert 'href="/about#pictures">All pictures' in home
    assert (await body(web, "/about", gallery={"hero": None, "pictures": many})).count('class="picture-link"') == 6
    assert (await body(web, "/services")).count('class="picture-link"') == 3


async def test_home_without_hero_picture_has_drawing(web: GuruWeb) -> None:
    assert 'class="hero-art"' not in await body(web, "/")
    html = await body(web, "/", gallery=NO_PICTURES)
    assert 'class="hero-art"' in html
    assert "hero-picture" not in html.partition("<body>")[2]
    assert "A look at the work" not in html


async def test_drawing_stands_among_pictures_of_services(web: GuruWeb) -> None:
    cover = re.compile(r'<article class="service-card[^>]*><svg class="cover')
    assert len(cover.findall(await body(web, "/services"))) == 1, "of three services, two have pictures"
    without = [service("One", 5, 60), service("Two", 5, 60)]
    assert not cover.search(await body(web, "/services", services=without))


async def test_search_engines_get_portrait_else_hero(web: GuruWeb) -> None:
    async def image(photo_url: str, **changes: Any) -> object:
        html = await body(web, "/", typical_guru() | {"photoUrl": photo_url}, **changes)
        (block,) = re.findall(r'<script type="application/ld\+json"[^>]*>(.*?)</script>', html)
        return orjson.loads(block)["mainEntity"].get("image")

    assert await image("/api/photos/chef.webp") == ORIGIN + "/api/photos/chef.webp"
    assert await image("") == ORIGIN + "/images/kitchen.webp"
    assert await image("", gallery=NO_PICTURES) is None


async def test_large_view_works_with_the_keyboard(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        page = visit.page
        await visit.open(guru_set.origin("cooking") + "/about")
        link = page.get_by_role("link", name="The table & more")
        await link.press("Enter")
        dialog = page.get_by_role("dialog", name="Pictures")
        await expect(dialog.get_by_text("The table & more")).to_be_visible()
        await expect(dialog.get_by_text("5 of 5")).to_be_visible()
        assert await axe_violations(page, "dialog") == []
        await page.keyboard.press("ArrowRight")
        await expect(dialog.get_by_text("The kneading & more")).to_be_visible()
        await page.keyboard.press("ArrowLeft")
        await expect(dialog.get_by_text("5 of 5")).to_be_visible()
        await dialog.get_by_role("button", name="Previous picture").click()
        await expect(dialog.get_by_text("The market & more")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        await expect(link).to_be_focused()
        await link.click()
        await dialog.get_by_role("button", name="Close").click()
        await expect(dialog).to_have_count(0)
        assert page.url.endswith("/about")

    assert visit.errors == []


async def test_printed_page_has_pictures_without_previews(browser: Browser, guru_set: GuruSet) -> None:
    async with observed_page(browser) as visit:
        await visit.open(guru_set.origin("cooking") + "/")
        await visit.page.emulate_media(media="print")
        await expect(visit.page.get_by_role("img", name="Two people at a stove")).to_be_visible()
        await expect(visit.page.locator(".preview").first).to_be_hidden()
