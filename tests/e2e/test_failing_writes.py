"""Every write of both webs fails in three ways: with status 500, without an answer, and late.

The page says so, keeps what was typed, and sends nothing twice. No request reaches the server, so that nothing changes.
"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser

from tests.e2e.browser_session import sign_in, sign_in_as_staff, visitor_page
from tests.e2e.failing_writes.not_swept import NOT_SWEPT
from tests.e2e.failing_writes.rows import WRITES
from tests.e2e.failing_writes.sources import written_in_sources
from tests.e2e.failing_writes.steps import Write
from tests.e2e.failing_writes.sweep import check_write

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

USERS = {
    "neighbor": "maya.lindqvist@example.com",
    "asker": "bea.thornton@example.com",
    "signer": "caleb.yazzie@example.com",
    "waiting": "sofia.marchetti@example.com",
    "offered": "dev.chaudhary@example.com",
    "guru": "rosa.delgado@example.com",
    "trainer": "dana.kowalczyk@example.com",
}
DENVER = {"latitude": 39.7392, "longitude": -104.9847}


@pytest.fixture(scope="module")
def states() -> dict[str, Any]:
    """The cookies and storage of each signed-in viewer, so that each signs in once."""
    return {}


async def _sign_in(browser: Browser, product: dict[str, Any], origin: str, viewer: str) -> Any:
    async with visitor_page(browser) as page:
        if viewer == "admin":
            await sign_in_as_staff(page, origin, product["admin_key"])
        else:
            password = next(user["password"] for user in product["users"] if user["email"] == USERS[viewer])
            await sign_in(page, origin, USERS[viewer], password)
        return await page.context.storage_state()


def _address(product: dict[str, Any], write: Write) -> str:
    if not write.example:
        return write.address
    with psycopg.connect(product["overseer_url"]) as conn:
        row = conn.execute(write.example.encode()).fetchone()
    assert row is not None, f"the demo has nothing for {write.key}"
    return write.address.format(row[0])


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.key.rsplit("/", 1)[1].replace(" ", "-"))
async def test_failing_write_says_so_and_loses_nothing(
    browser: Browser,
    product: dict[str, Any],
    main_origin: str,
    tls_port: int,
    states: dict[str, Any],
    write: Write,
) -> None:
    origin = f"https://cooking.porchlight.localhost:{tls_port}" if write.viewer == "guest" else main_origin
    if write.viewer not in ("visitor", "guest") and write.viewer not in states:
        states[write.viewer] = await _sign_in(browser, product, main_origin, write.viewer)
    # Playwright cannot answer the requests of a service worker.
    options: dict[str, Any] = {
        "permissions": ["geolocation"],
        "service_workers": "block",
        "storage_state": states.get(write.viewer),
        "geolocation": DENVER,
    }
    async with visitor_page(browser, **options) as page:
        await check_write(page, write, origin + _address(product, write))


def test_writes_in_sources_have_a_row() -> None:
    rows = [write.key for write in WRITES]
    assert len(rows) == len(set(rows))
    assert set(rows) & set(NOT_SWEPT) == set()
    assert {*rows, *NOT_SWEPT} == written_in_sources()
