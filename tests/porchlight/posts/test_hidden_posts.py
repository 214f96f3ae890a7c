"""Posts that an admin hides from the report about them: off the site, changed by the guru, shown again by staff."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.app_client import BASE_HOST, http_client, run_app, send_raw, wait_until
from tests.porchlight.owner import GuruOwner, create_owner

REASON = "It asks for gift cards."


@dataclass(frozen=True)
class _Moderation:
    """A guru with a console, and an admin."""

    app: Porchlight
    guru: GuruOwner
    web: httpx.AsyncClient
    staff: dict[str, str]

    async def report(self, slug: str) -> dict[str, Any]:
        """Report a post and return the report as staff see it."""
        name = f"{self.guru.guru.label}/{slug}"
        created = await self.web.post("/api/reports", json={"kind": "post", "name": name, "reason": "scam"})
        assert created.status_code == 201
        listed = (await self.web.get("/api/admin/reports?kind=post&status=open", headers=self.staff)).json()
        found = next(row for row in listed["data"]["items"] if row["name"] == name)
        return await self.report_details(found["id"])

    async def report_details(self, report_id: str) -> dict[str, Any]:
        """Return a report as it is now."""
        response = await self.web.get(f"/api/admin/reports/{report_id}", headers=self.staff)
        found: dict[str, Any] = response.json()["data"]
        return found

    async def change(self, method: str, post_id: str, **options: Any) -> httpx.Response:
        """Hide or show a post as an admin."""
        return await self.web.request(method, f"/api/admin/posts/{post_id}/hiding", headers=self.staff, **options)

    async def is_shown(self, slug: str) -> bool:
        """Return whether visitors see the post's page."""
        return (await send_raw(self.app, f"/blog/{slug}".encode(), self.guru.guru.host)).status == 200


@pytest.fixture(scope="module")
async def moderation(database: Database, emulator: Emulator) -> AsyncIterator[_Moderation]:
    async with (
        run_app(
            database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host, admin_key=ADMIN_KEY
        ) as app,
        http_client(app, BASE_HOST) as web,
    ):
        with psycopg.connect(database.service_url, autocommit=True) as conn:
            guru = await create_owner(app, emulator, conn, "alpha")
        yield _Moderation(app, guru, web, await sign_in_admin(web))
        await guru.web.aclose()


async def test_hidden_post_leaves_site_until_shown_again(moderation: _Moderation) -> None:
    guru = moderation.guru
    post = await guru.save(await guru.post(title="Win a pan"))
    await wait_until("the site shows it", lambda: moderation.is_shown("win-a-pan"))
    report = await moderation.report("win-a-pan")
    assert (report["subjectState"], report["subjectId"]) == ("shown", post["id"])
    assert report["owner"]["userId"] == str(guru.guru.owner)
    assert (await moderation.change("POST", post["id"], json={"reason": REASON})).status_code == 200

    async def is_gone() -> bool:
        return not await moderation.is_shown("win-a-pan")

    await wait_until("the site shows it no longer", is_gone)
    assert (await moderation.report_details(report["id"]))["subjectState"] == "hidden"
    assert (await moderation.change("DELETE", post["id"])).status_code == 200
    await wait_until("the site shows it again", lambda: moderation.is_shown("win-a-pan"))
    log = (await moderation.web.get(f"/api/admin/audit?subject={post['id']}", headers=moderation.staff)).json()
    assert [act["action"] for act in log["data"]["items"]] == ["post.show", "post.hide"]


async def test_guru_changes_hidden_post_and_cannot_publish(moderation: _Moderation) -> None:
    guru = moderation.guru
    post = await guru.save(await guru.post(title="Secret offer"))
    await moderation.change("POST", post["id"], json={"reason": REASON})
    hidden = await guru.call("GET", f"/posts/{post['id']}")
    assert (hidden["standing"], hidden["hiddenReason"]) == ("hidden", REASON)
    assert (await guru.call("GET", "/posts?standing=hidden"))["counts"]["hidden"] == 1
    assert (await guru.save(hidden, expect=409))["code"] == "post_hidden"
    unpublished = await guru.call("DELETE", f"/posts/{post['id']}/publication", expect=409)
    assert unpublished["code"] == "post_hidden"
    saved = await guru.save(hidden, status="draft", content="No more cards.")
    assert (saved["standing"], saved["saved"]["content"]) == ("hidden", "No more cards.")
    await guru.call("DELETE", f"/posts/{post['id']}")
    assert refusal(await moderation.change("DELETE", post["id"])) == (404, "not_found")


async def test_draft_cannot_be_hidden(moderation: _Moderation) -> None:
    draft = await moderation.guru.post(title="Not out yet")
    refused = await moderation.change("POST", draft["id"], json={"reason": REASON})
    assert refusal(refused) == (409, "post_not_published")
    assert (await moderation.change("DELETE", draft["id"])).status_code == 200  # it is not hidden: nothing changes
    assert (await moderation.guru.call("GET", f"/posts/{draft['id']}"))["standing"] == "draft"


async def test_hiding_needs_a_reason_and_a_staff_session(moderation: _Moderation) -> None:
    post = await moderation.guru.post(title="Quiet")
    assert list(invalid_fields(await moderation.change("POST", post["id"], json={"reason": "  "}))) == ["reason"]
    unsigned = await moderation.web.post(f"/api/admin/posts/{post['id']}/hiding", json={"reason": REASON})
    assert refusal(unsigned) == (401, "unauthenticated")
