"""The pictures of a guru's site: uploaded, described, with a focus, and on the site once they are saved."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, FilePayload, Page, expect

from tests.e2e.browser_session import assert_accessible, sign_in, visitor_page
from tests.e2e.own_gurus import OwnGuru, new_owned_guru
from tests.fixtures.browser import BROWSER_TIMEOUT_MS
from tests.fixtures.identity import Emulator
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.profiles.api_client import create_image

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

_PDF: FilePayload = {"name": "a.pdf", "mimeType": "text/pdf", "buffer": b"%PDF"}
_READ = "async (path) => (await fetch(path)).json()"
_TYPE = "async (path) => (await fetch(path)).headers.get('content-type')"
HERO, WORK = "A kitchen with a long table", "Hands that knead a loaf"


def _photo(name: str, size: tuple[int, int]) -> FilePayload:
    return {"name": name, "mimeType": "image/png", "buffer": create_image("PNG", size)}


@pytest.fixture
def guru(product: dict[str, Any], emulator: Emulator) -> OwnGuru:
    """A guru with the services of the demo's cook, and without pictures."""
    return new_owned_guru(product, emulator, "pictures", like="cooking")


async def _set_focus(page: Page) -> None:
    await page.get_by_role("button", name="Adjust the picture").click()
    dialog = page.get_by_role("dialog", name="Adjust the picture")
    picture = dialog.get_by_role("group", name="Focus of the picture").locator("img")
    await expect(picture).to_have_js_property("complete", True, timeout=BROWSER_TIMEOUT_MS)
    box = await picture.bounding_box()
    assert box is not None
    await picture.click(position={"x": box["width"] * 0.25, "y": box["height"] * 0.75})
    await expect(dialog.get_by_text("25% from the left, 75% from the top")).to_be_visible()
    await dialog.get_by_role("slider", name="From the left").press("ArrowLeft")
    await expect(dialog.get_by_text("20% from the left, 75% from the top")).to_be_visible()
    await assert_accessible(page)
    await dialog.get_by_role("button", name="Done").click()


async def test_saved_pictures_are_on_the_site(browser: Browser, main_origin: str, tls_port: int, guru: OwnGuru) -> None:
    site = f"https://{guru.label}.{BASE_HOST}:{tls_port}"
    async with visitor_page(browser) as page:
        await sign_in(page, main_origin, guru.email, guru.password)
        await page.goto(f"{main_origin}/guru/gallery")
        await page.get_by_label("Files: Top of your home page").set_input_files([_photo("hero.png", (800, 600))])
        hero = page.get_by_role("list", name="Top of your home page")
        await hero.get_by_label("Description of the picture").fill(HERO)
        await _set_focus(page)
        files = [_photo("work.png", (640, 640)), _PDF]
        await page.get_by_label("Files: Gallery").set_input_files(files)
        gallery = page.get_by_role("list", name="Gallery")
        await expect(gallery.get_by_text("Please choose a JPEG", exact=False)).to_be_visible()
        await gallery.get_by_role("button", name="Leave out a.pdf").click()
        await gallery.get_by_label("Description of picture 1").fill(WORK)
        await assert_accessible(page, (360, 1280))
        await page.get_by_role("button", name="Save pictures").click()
        await expect(page.get_by_role("link", name=re.compile("^See your site"))).to_be_visible(
            timeout=BROWSER_TIMEOUT_MS
        )

        await page.reload()
        await expect(hero.get_by_label("Description of the picture")).to_have_value(HERO, timeout=BROWSER_TIMEOUT_MS)
        await expect(gallery.get_by_label("Description of picture 1")).to_have_value(WORK)

    async with visitor_page(browser) as visitor:
        await visitor.goto(f"{site}/robots.txt")
        answer = await visitor.evaluate(_READ, f"/api/gurus/{guru.label}/home")
        shown = answer["gallery"]
        hero_shown = {name: shown["hero"][name] for name in ("alt", "focusX", "focusY", "width")}
        assert hero_shown == {"alt": HERO, "focusX": 20, "focusY": 75, "width": 800}
        assert [one["alt"] for one in shown["pictures"]] == [WORK]
        assert await visitor.evaluate(_TYPE, shown["hero"]["path"]) == "image/webp"
