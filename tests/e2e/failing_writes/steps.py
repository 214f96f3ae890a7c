"""A write as a user makes it: who, where, what they fill in, and the button that sends it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from playwright.async_api import FilePayload, Locator, Page

from tests.porchlight.profiles.api_client import create_image

Step = Callable[[Page], Awaitable[None]]
Find = Callable[[Page], Locator]

SERVER_ERROR = "Server error. Please try again later."
NETWORK_ERROR = "Network error. Please check your internet connection."


@dataclass(frozen=True)
class Write:
    """A form or button, and the request that it sends."""

    # The file below the web's `src` that sends the request, without its suffix.
    source: str
    method: str
    # The path below /api, as a regular expression.
    route: str
    viewer: str
    address: str
    button: Find
    steps: tuple[Step, ...] = ()
    # A query whose first column replaces {} in the address.
    example: str = ""
    on_server_error: str = SERVER_ERROR
    on_network_error: str = NETWORK_ERROR

    @property
    def key(self) -> str:
        """The file and the method."""
        return f"{self.source} {self.method}"


def named(name: str | re.Pattern[str], role: str = "button", inside: str = "body") -> Find:
    """Find the first element with this role and name."""

    def find(page: Page) -> Locator:
        exact = isinstance(name, str)
        return page.locator(inside).get_by_role(role, name=name, exact=exact).first  # type: ignore[arg-type]

    return find


def press(name: str | re.Pattern[str], role: str = "button", inside: str = "body") -> Step:
    """Press a button, tab or link."""

    async def step(page: Page) -> None:
        await named(name, role, inside)(page).click()

    return step


def fill(label: str | re.Pattern[str], text: str) -> Step:
    """Type a text into a field."""

    async def step(page: Page) -> None:
        await page.get_by_label(label, exact=isinstance(label, str)).first.fill(text)

    return step


def choose(label: str, value: str) -> Step:
    """Choose an option of a select."""

    async def step(page: Page) -> None:
        await page.get_by_label(label).first.select_option(value)

    return step


def _photo() -> FilePayload:
    return FilePayload(name="photo.png", mimeType="image/png", buffer=create_image("PNG"))


def choose_file(label: str) -> Step:
    """Choose a photo in a file field."""

    async def step(page: Page) -> None:
        await page.get_by_label(label).first.set_input_files(_photo())

    return step
