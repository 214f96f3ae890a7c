"""The cost of a walk to a person: taps, and the seconds that the keystroke-level model counts for them.

The model's times are of Card, Moran and Newell, "The Keystroke-Level Model for User Performance Time" (1980). They do
not depend on the machine, so that a walk's length can be tested.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import FilePayload, Locator

# A person who is not a trained typist presses a key, points at something and presses it, and thinks before that.
KEY_SECONDS, POINT_SECONDS, THINK_SECONDS = 0.28, 1.3, 1.35
# A photo is looked for in a folder or among the phone's pictures.
FILE_SECONDS = 15.0
# A page that opens.
PAGE_SECONDS = 2.0

# The most taps and seconds of each journey. docs/webs.md has the same table.
CEILINGS: dict[str, tuple[int, int]] = {
    "Book as a known person": (3, 20),
    "Book as a new person, with a code": (4, 40),
    "Book as a new person, with a password": (7, 63),
    "Book again": (3, 20),
    "Move a session": (3, 8),
    "Cancel a session": (2, 11),
    "Find who teaches sourdough, and write to them": (3, 20),
    "Post a need": (4, 57),
    "Accept a waiting request": (1, 3),
    "Add a service in the wizard": (1, 25),
    "Write and publish a post": (4, 33),
    "Resolve a report": (5, 27),
}


@dataclass
class Effort:
    """Does what a person does, and counts it."""

    taps: int = 0
    seconds: float = 0.0

    async def tap(self, element: Locator) -> None:
        """Tap an element."""
        self.taps += 1
        self.seconds += THINK_SECONDS + POINT_SECONDS
        await element.click()

    async def open(self, element: Locator) -> None:
        """Tap what opens a page."""
        self.seconds += PAGE_SECONDS
        await self.tap(element)

    async def press_on(self, element: Locator, key: str = "Enter") -> None:
        """Press a key on an element, which counts as a tap."""
        self.taps += 1
        self.seconds += THINK_SECONDS + POINT_SECONDS
        await element.press(key)

    async def choose(self, field: Locator, option: str) -> None:
        """Open a list of options and tap one."""
        self.taps += 2
        self.seconds += 2 * (THINK_SECONDS + POINT_SECONDS)
        await field.select_option(option)

    def follow_link(self) -> None:
        """Count the tap on a link outside of the page, such as in an email."""
        self.taps += 1
        self.seconds += THINK_SECONDS + POINT_SECONDS + PAGE_SECONDS

    async def type(self, field: Locator, text: str) -> None:
        """Type a text into a field, which does not count as a tap."""
        self.seconds += THINK_SECONDS + POINT_SECONDS + KEY_SECONDS * len(text)
        await field.fill(text)

    async def press(self, field: Locator, key: str) -> None:
        """Press a key of the keyboard that is open, such as Enter."""
        self.seconds += KEY_SECONDS
        await field.press(key)

    async def choose_file(self, field: Locator, file: FilePayload) -> None:
        """Choose a file."""
        self.taps += 1
        self.seconds += THINK_SECONDS + POINT_SECONDS + FILE_SECONDS
        await field.set_input_files(file)

    def since(self, before: Effort) -> Effort:
        """Return what came after `before`, an earlier copy."""
        return Effort(self.taps - before.taps, self.seconds - before.seconds)

    def expect_within(self, journey: str) -> None:
        """Expect no more taps and seconds than the journey may take."""
        taps, seconds = CEILINGS[journey]
        assert self.taps <= taps, (journey, self)
        assert self.seconds <= seconds, (journey, self)
