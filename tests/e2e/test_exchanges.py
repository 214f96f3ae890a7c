"""Neighbors agree on a session in the browser. Its time is taken from the calendar of the teacher's site, too."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.browser_session import (
    CALL_API,
    assert_accessible,
    expect_toast,
    focus_by_tab,
    press,
    sign_in,
    visitor_page,
)
from tests.e2e.own_gurus import OwnGuru, new_owned_guru
from tests.fixtures.identity import Emulator

pytestmark = pytest.mark.e2e

WIDTHS = (1280, 360)  # the test goes on in the last one
SKILL = "Playing the theremin"
ZONE = "America/Denver"
# Lets others see the profile, and returns the id of a new listing.
LIST_SKILL = f"""async ([title]) => {{
{CALL_API}  const headers = {{ "content-type": "application/json" }};
  const profile = JSON.stringify({{ privacy: {{ publicProfile: true }} }});
  const shown = await fetch("/api/auth/profile", {{ method: "PUT", headers, body: profile }});
  if (!shown.ok) throw new Error(`profile: ${{shown.status}}`);
  const {{ data: {{ offers }} }} = await call("/skills/offers", {{ title, details: "" }});
  return offers.find((offer) => offer.title === title).id;
}}"""
# Returns the starts of a service of a guru that can be booked.
STARTS = f"""async ([guru]) => {{
{CALL_API}  const {{ data: {{ gurus: [{{ service }}] }} }} = await call(`/teachers?guru=${{guru}}`);
  const {{ starts }} = await call(`/gurus/${{guru}}/services/${{service.id}}/slots?days=62`);
  return starts.map(({{ startsAt }}) => startsAt);
}}"""


async def _free_starts(page: Page, guru: OwnGuru) -> list[datetime]:
    return [datetime.fromisoformat(start) for start in await page.evaluate(STARTS, [guru.label])]


async def _propose(page: Page, start: datetime, part: Locator) -> None:
    """Type a time of the reader's zone into the first row."""
    local = start.astimezone(ZoneInfo(ZONE))
    await part.get_by_label("Day 1").fill(local.date().isoformat())
    await part.get_by_label("Time 1", exact=True).last.fill(local.strftime("%H:%M"))


async def test_neighbors_agree_on_a_session_and_cancel_it(
    demo: dict[str, Any], browser: Browser, user: str, emulator: Emulator
) -> None:
    origin = str(demo["base_url"])
    guru = new_owned_guru(demo, emulator, "exchanges", like="music")
    teaches = f"Owner of {guru.label}"
    async with visitor_page(browser, timezone_id=ZONE) as tom, visitor_page(browser, timezone_id=ZONE) as lea:
        await sign_in(tom, origin, guru.email)
        listing = await tom.evaluate(LIST_SKILL, [SKILL])
        await sign_in(lea, origin, user)
        start = (await _free_starts(lea, guru))[-1]
        await lea.goto(f"{origin}/listings/{listing}")
        await lea.get_by_role("link", name="Ask for a session").press("Enter")
        await expect(lea.get_by_role("heading", name=f"{SKILL} with {teaches}")).to_be_visible()
        await focus_by_tab(lea, lea.get_by_label(f"Note for {teaches}"))
        await lea.keyboard.type("I have never played one.")
        await assert_accessible(lea, WIDTHS)
        await press(lea.get_by_role("button", name=f"Ask {teaches}"))
        await expect_toast(lea, f"We've asked {teaches}.")
        await expect(lea.get_by_role("button", name="Take back request")).to_be_visible()
        await assert_accessible(lea, WIDTHS)

        await tom.goto(f"{origin}/dashboard")
        await tom.get_by_role("link", name="Answer", exact=True).press("Enter")
        await assert_accessible(tom, WIDTHS)
        await tom.get_by_role("link", name=SKILL).press("Enter")
        await expect(tom.get_by_text("I have never played one.")).to_be_visible()
        await assert_accessible(tom, WIDTHS)
        await press(tom.get_by_role("button", name="Propose other times"))
        dialog = tom.get_by_role("dialog", name="Propose other times")
        await _propose(tom, start, dialog)
        await assert_accessible(tom, WIDTHS)
        await press(dialog.get_by_role("button", name="Propose", exact=True))
        await expect(dialog).not_to_be_visible()

        assert start in await _free_starts(lea, guru)
        await lea.reload()
        await press(lea.get_by_role("button", name="Accept "))
        await expect_toast(lea, "Agreed. You both get an email with the session for your calendar.")
        await expect(lea.get_by_text("You two agreed on this time.")).to_be_visible()
        await assert_accessible(lea, WIDTHS)
        # No one can book the guru at that time.
        assert start not in await _free_starts(lea, guru)
        for page in (lea, tom):
            await page.goto(f"{origin}/sessions")
            await expect(page.get_by_role("link", name=SKILL)).to_be_visible()
            await assert_accessible(page, WIDTHS)
        await tom.goto(f"{origin}/guru/calendar?from={start.astimezone(ZoneInfo(ZONE)).date()}")
        await assert_accessible(tom, WIDTHS)

        await lea.get_by_role("link", name=SKILL).press("Enter")
        await press(lea.get_by_role("button", name="Cancel session"))
        question = lea.get_by_role("alertdialog", name="Cancel this session?")
        await assert_accessible(lea, WIDTHS)
        await press(question.get_by_role("button", name="Cancel session"))
        await expect_toast(lea, "The session is canceled.")
        await expect(lea.get_by_text("You canceled this.")).to_be_visible()
        assert start in await _free_starts(lea, guru)
        await tom.goto(f"{origin}/sessions?tab=past")
        await expect(tom.get_by_text("Canceled", exact=True)).to_be_visible()
