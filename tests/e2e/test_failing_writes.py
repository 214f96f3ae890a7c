"""Writes that need a real browser fail in three ways: with status 500, without an answer, and late.

The page says so, keeps what was typed, and sends nothing twice. No request reaches the server, so that nothing changes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.async_api import Browser

from tests.e2e.browser_session import sign_in, sign_in_as_staff, visitor_page
from tests.e2e.failing_writes.rows import WRITES
from tests.e2e.failing_writes.steps import Write
from tests.e2e.failing_writes.sweep import check_write

pytestmark = [pytest.mark.e2e, pytest.mark.tls]

USERS = {
    "neighbor": "maya.lindqvist@example.com",
    "asker": "bea.thornton@example.com",
    "guru": "rosa.delgado@example.com",
}
ROOT = Path(__file__).resolve().parents[2]
# Runs in the background; its failure costs the visitor nothing.
NOT_SWEPT = {"guru-web/features/bookings/api/create-hold DELETE"}


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
        "service_workers": "block",
        "storage_state": states.get(write.viewer),
    }
    async with visitor_page(browser, **options) as page:
        await check_write(page, write, origin + _address(product, write))


def test_writes_of_guru_sites_have_a_row() -> None:
    """The test of main-web's own is in `main-web/src/testing/failures`."""
    source = ROOT / "guru-web" / "src"
    found = {
        f"guru-web/{path.relative_to(source).with_suffix('').as_posix()} {method}"
        for path in source.rglob("*.ts*")
        if ".test." not in path.name
        for method in re.findall(r"\bapi\s*\.(POST|PUT|PATCH|DELETE)\b", path.read_text(encoding="utf-8"))
    }
    rows = {write.key for write in WRITES if write.key.startswith("guru-web/")}
    assert found == rows | NOT_SWEPT
