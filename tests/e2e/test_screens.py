"""Every screen of the main platform at three widths, for a visitor, a newcomer without anything and somebody with much
of everything. The pictures stay in artifacts/screens, to be looked at."""

from __future__ import annotations

import re
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser, Page, expect

from tenants.kit import clock
from tests.e2e.visitor import PATIENCE, arrived, give_credentials, sign_in, visitor
from tests.sites.pages.village import AXE
from tests.support.identity import Emulator

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

ROOT = Path(__file__).resolve().parents[2]
PATHS = ROOT / "main-web" / "src" / "app" / "paths.ts"
PICTURES = ROOT / "artifacts" / "screens"
WIDTHS = (1280, 768, 360)
_OF_COOKING = "SELECT t.id::text FROM {} t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking' LIMIT 1"
# What stands for the parameters of an address: a thing of the demo, or a query for the id of one.
EXAMPLES = {
    "/u/:handle": "maya-lindqvist",
    "/angels-list/:service": "pet-sitting",
    "/needs/:need": "SELECT id::text FROM needs WHERE status = 'open' ORDER BY id LIMIT 1",
    "/listings/:id": "SELECT id::text FROM skill_offers ORDER BY id LIMIT 1",
    "/guru/posts/:id": _OF_COOKING.format("posts"),
    "/guru/leads/:id": _OF_COOKING.format("leads"),
}
# Screens of signed-in people, by the beginnings of their addresses; a guru's console and the staff's are apart.
SIGNED_IN = ("/dashboard", "/profile", "/onboarding", "/account", "/needs", "/be-an-angel", "/skills/mine")
GURU, STAFF = ("/guru",), ("/admin",)
GURU_OWNER = "rosa.delgado@example.com"

LONG = "Wolfeschlegelsteinhausenbergerdorff"
LEVELS = ("beginner", "intermediate", "advanced", "expert", None)
MUCH: dict[str, Any] = {
    "firstName": LONG,
    "lastName": f"{LONG}-{LONG}"[:60],
    "displayName": f"{LONG} {LONG} {LONG}",
    "bio": f"{LONG * 6}\n\n" + "I have lived on this street for forty years and know every roof of it. " * 22,
    "location": "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, Wales",
    "languages": [f"{LONG[:30]} {number}" for number in range(20)],
    "availability": "Every second Tuesday after the bins are out, " * 9,
    "skills": {
        side: [{"name": f"{word} {number} {LONG}"[:60], "level": LEVELS[number % 5]} for number in range(30)]
        for side, word in (("offered", "Teaching"), ("wanted", "Learning"))
    },
}


def _addresses(product: dict[str, Any]) -> list[str]:
    """Every address of the main platform, with things of the demo in place of parameters."""
    found = re.findall(r':\s*"(/[^"]*)"', PATHS.read_text(encoding="utf-8"))
    missing = [path for path in found if ":" in path and path not in EXAMPLES]
    assert missing == [], f"name an example of {missing} in EXAMPLES, so that its screen is looked at too"
    made = []
    with psycopg.connect(product["overseer_url"]) as conn:
        for path in found:
            example = EXAMPLES.get(path, "")
            if example.startswith("SELECT"):
                row = conn.execute(example).fetchone()
                assert row is not None, f"the demo has nothing for {path}"
                example = str(row[0])
            made.append(re.sub(r":\w+", example, path))
    return made


def _of(addresses: list[str], beginnings: tuple[str, ...]) -> list[str]:
    return [address for address in addresses if address.startswith(beginnings)]


async def _settled(page: Page) -> None:
    await expect(page.get_by_role("heading", level=1).first).to_be_visible(timeout=PATIENCE)
    await page.wait_for_load_state("networkidle")
    await expect(page.locator("main [aria-busy=true]")).to_have_count(0, timeout=PATIENCE)


async def _walk(page: Page, who: str, origin: str, addresses: list[str]) -> list[str]:
    """Look at every screen at every width; what is wrong with them."""
    faults: list[str] = []
    folder = PICTURES / who
    shutil.rmtree(folder, ignore_errors=True)  # of the run before
    folder.mkdir(parents=True)
    for address in addresses:
        await page.goto(origin + address)
        await _settled(page)
        await page.evaluate(AXE.read_text(encoding="utf-8"))
        for width in WIDTHS:
            await page.set_viewport_size({"width": width, "height": 900})
            where = f"{who} {address} at {width}"
            name = re.sub(r"[^\w-]+", "-", address.strip("/")) or "home"
            await page.screenshot(path=folder / f"{name}-{width}.jpg", full_page=True, type="jpeg", quality=70)
            wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if wide > 0:
                faults.append(f"{where}: {wide} px too wide")
            violations = await page.evaluate(
                "async () => (await axe.run()).violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`)"
            )
            faults += [f"{where}: {violation}" for violation in violations]
    return faults


# Pictures of a movement half done would be judged as if they stayed.
STILL: dict[str, Any] = {"reduced_motion": "reduce"}


async def test_a_visitor_sees_every_screen_whole(browser: Browser, main_origin: str, product: dict[str, Any]) -> None:
    everything = _addresses(product)
    inside = {*_of(everything, (*SIGNED_IN, *GURU, *STAFF))} - {"/admin/login"}
    async with visitor(browser, **STILL) as page:
        faults = await _walk(page, "visitor", main_origin, [one for one in everything if one not in inside])
    assert faults == []


async def test_somebody_without_anything_sees_every_screen_whole(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **STILL) as page:
        await sign_in(page, main_origin, email)
        faults = await _walk(page, "newcomer", main_origin, _of(_addresses(product), SIGNED_IN))
    assert faults == []


async def test_somebody_with_much_of_everything_sees_every_screen_whole(
    browser: Browser, main_origin: str, product: dict[str, Any], emulator: Emulator
) -> None:
    email, _, _ = emulator.sign_up()
    async with visitor(browser, **STILL) as page:
        await sign_in(page, main_origin, email)
        profile = await page.evaluate(_CALL, ["PUT", "/api/auth/profile", MUCH])
        needs = [await page.evaluate(_CALL, ["POST", "/api/needs", _need(number)]) for number in range(6)]
        mine = _of(_addresses(product), ("/dashboard", "/profile", "/needs", "/be-an-angel", "/skills/mine"))
        own = [f"/u/{profile['handle']}", f"/needs/{needs[0]['need']['id']}", "/needs?tab=own", "/", "/skills"]
        faults = await _walk(page, "much", main_origin, [*mine, *own])
        # What is too long for others to look at is taken back again.
        for posted in needs:
            await page.evaluate(_CALL, ["POST", f"/api/needs/{posted['need']['id']}/withdrawal", None])
    assert faults == []


_CALL = """async ([method, path, body]) => {
  const headers = body ? { "content-type": "application/json" } : {};
  const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).data;
}"""


def _need(number: int) -> dict[str, Any]:
    day = clock.now().date()
    return {
        "title": f"{LONG} {LONG} {number}",
        "description": f"{LONG * 8}\n\n" + "And then the other side of the fence, which leans as well. " * 20,
        "serviceId": "moving-help",  # of handyman's needs the angels of another journey have a day's mails to get
        "wantedFrom": day.isoformat(),
        "wantedUntil": (day + timedelta(days=30)).isoformat(),
        "timeNote": f"{LONG} " * 4,
        "hours": 12,
        "budgetCents": 999_900,
        "place": {"text": "Denver, Colorado"},
    }


async def test_a_guru_sees_every_screen_of_the_console_whole(
    browser: Browser, main_origin: str, product: dict[str, Any]
) -> None:
    password = next(user["password"] for user in product["users"] if user["email"] == GURU_OWNER)
    async with visitor(browser, **STILL) as page:
        await page.goto(f"{main_origin}/login")
        await give_credentials(page, GURU_OWNER, password)
        await arrived(page, f"{main_origin}/dashboard")
        faults = await _walk(page, "guru", main_origin, _of(_addresses(product), GURU))
    assert faults == []
