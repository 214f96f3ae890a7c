"""Reports: by anybody, about what is there to be seen, limited, once, and settled by staff once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from porchlight.app import Porchlight
from sites.reports.actions import THANKS, ReportLimits
from sites.reports.schemas import REASONS
from tenants.kit.ids import new_id
from tenants.lifecycle import suspend
from tests.admin.test_staff import KEY, signed_in
from tests.platform_.world import BASE, Told, insert, post, serving, tell, visitor
from tests.support.databases import Database

OWN = {"origin": f"http://{BASE}"}


@dataclass(frozen=True)
class Village:
    """Two gurus, a neighbor, and the app with its limits on."""

    app: Porchlight
    database: Database
    alpha: Told
    beta: Told
    handle: str

    def rows(self, query: str, *params: Any) -> list[tuple[Any, ...]]:
        """As the overseer."""
        with psycopg.connect(self.database.overseer_url) as conn:
            return conn.execute(query.encode(), params).fetchall()


@pytest.fixture(scope="module")
async def village(database: Database) -> AsyncIterator[Village]:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        alpha, beta = tell(conn, "alpha"), tell(conn, "beta")
        post(conn, alpha, "a-draft", status="draft", published_at=None)
        user = new_id()
        insert(conn, "users", {"user_id": user, "firebase_uid": user.hex, "email": "nell@mail.example"})
        profile = {"user_id": user, "handle": "nell-neighbor", "display_name": "Nell", "registered_at": "now()"}
        insert(conn, "profiles", profile)
    async with serving(database, limits="on", admin_key=KEY) as app:
        yield Village(app, database, alpha, beta, "nell-neighbor")


def about(kind: str, name: str, **changes: Any) -> dict[str, Any]:
    """A report's payload."""
    return {"kind": kind, "name": name, "reason": "spam", "details": f"Look: {new_id()}"} | changes


async def test_what_can_be_seen_can_be_reported(village: Village) -> None:
    async with visitor(village.app, BASE, address="198.51.100.1") as web:
        for kind, name in (
            ("site", "alpha"),
            ("post", f"alpha/{village.alpha.slugs[0]}"),
            ("profile", village.handle),
        ):
            answer = await web.post("/api/reports", json=about(kind, name))
            assert (answer.status_code, answer.json()["message"]) == (201, THANKS)
        kept = village.rows("SELECT subject_kind, subject_name, guru_id, reporter_id FROM reports ORDER BY id")
        assert kept == [
            ("site", "alpha", village.alpha.id, None),
            ("post", f"alpha/{village.alpha.slugs[0]}", village.alpha.id, None),
            ("profile", "nell-neighbor", None, None),
        ]
        unknown = (await web.post("/api/reports", json=about("site", "nobody"))).json()
        for kind, name in (
            ("post", "alpha/a-draft"),
            ("post", "alpha/nothing"),
            ("post", "alpha"),
            ("profile", "nobody-here"),
            ("listing", str(new_id())),
        ):
            answer = await web.post("/api/reports", json=about(kind, name))
            assert (answer.status_code, answer.json()) == (404, unknown)


async def test_a_suspended_site_answers_like_an_unknown_one(village: Village) -> None:
    with psycopg.connect(village.database.overseer_url) as conn:
        gone = tell(conn, "gone")
        suspend(conn, "gone")
    async with visitor(village.app, BASE, address="198.51.100.2") as web:
        for kind, name in (("site", "gone"), ("post", f"gone/{gone.slugs[0]}")):
            assert (await web.post("/api/reports", json=about(kind, name))).status_code == 404


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reason": "dislike"}, "reason"),
        ({"reason": ""}, "reason"),
        ({"reason": "other", "details": "  "}, "details"),
        ({"details": "x" * 2001}, "details"),
        ({"details": "nul \0"}, "details"),
        ({"kind": "guru"}, "kind"),
        ({"name": ""}, "name"),
        ({"extra": 1}, "extra"),
    ],
)
async def test_bad_words_are_refused(village: Village, changes: dict[str, Any], field: str) -> None:
    async with visitor(village.app, BASE, address="198.51.100.3") as web:
        answer = await web.post("/api/reports", json=about("site", "alpha") | changes)
        assert answer.status_code == 422, answer.text
        assert field in answer.json()["error"]["fields"]


async def test_a_resend_is_one_report(village: Village) -> None:
    async with visitor(village.app, BASE, address="198.51.100.4") as web:
        words = about("site", "beta")
        key = {"idempotency-key": "one"}
        answers = await asyncio.gather(*(web.post("/api/reports", json=words, headers=key) for _ in range(8)))
        assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
        other = await web.post("/api/reports", json=about("site", "beta"), headers=key)
        assert other.status_code == 409
        unkeyed = [(await web.post("/api/reports", json=words)).status_code for _ in range(3)]
        assert unkeyed == [201, 200, 200]
    found = village.rows("SELECT count(*) FROM reports WHERE subject_name = 'beta'")
    assert found == [(2,)]


async def test_an_address_is_limited_and_others_are_not(village: Village) -> None:
    most = ReportLimits().per_address
    async with visitor(village.app, BASE, address="2001:db8:0:1::7") as web:
        codes = [(await web.post("/api/reports", json=about("site", "alpha"))).status_code for _ in range(most + 3)]
        assert codes == [201] * most + [429] * 3
        refused = await web.post("/api/reports", json=about("site", "alpha"))
        assert int(refused.headers["retry-after"]) > 0
    for address, status in (("2001:db8:0:1::8", 429), ("2001:db8:0:2::7", 201)):
        async with visitor(village.app, BASE, address=address) as web:
            assert (await web.post("/api/reports", json=about("site", "alpha"))).status_code == status


async def test_the_honeypot_is_thanked_and_dropped(village: Village) -> None:
    before = village.rows("SELECT count(*) FROM reports")
    async with visitor(village.app, BASE, address="198.51.100.5") as web:
        answer = await web.post("/api/reports", json=about("site", "alpha", website="http://spam.example"))
        assert answer.status_code == 201
    assert village.rows("SELECT count(*) FROM reports") == before


async def test_a_gurus_host_takes_reports_of_its_own_alone(village: Village) -> None:
    async with visitor(village.app, village.alpha.host, address="198.51.100.6") as web:
        assert (await web.post("/api/reports", json=about("site", "alpha"))).status_code == 201
        for kind, name in (("site", "beta"), ("post", f"beta/{village.beta.slugs[0]}"), ("profile", village.handle)):
            assert (await web.post("/api/reports", json=about(kind, name))).status_code == 404
        assert (await web.get("/api/admin/reports")).status_code == 404


@pytest.mark.parametrize("path", ["/report", "/report/blog/post-alpha-0"])
async def test_the_form_works_without_javascript(village: Village, path: str) -> None:
    async with visitor(village.app, village.alpha.host, address=f"198.51.101.{len(path)}") as web:
        page = await web.get(path)
        assert page.status_code == 200
        assert all(f'value="{reason}"' in page.text for reason in REASONS)
        missing = await web.post(path, data={"reason": "", "details": "kept words"})
        assert (missing.status_code, "kept words" in missing.text) == (422, True)
        assert "Please choose a reason." in missing.text
        sent = await web.post(path, data={"reason": "scam", "details": path, "website": ""})
        assert (sent.status_code, sent.headers["location"]) == (303, "/report/sent")
        assert THANKS in (await web.get("/report/sent")).text
    kind = "post" if "blog" in path else "site"
    assert village.rows("SELECT reason FROM reports WHERE details = %s AND subject_kind = %s", path, kind) == [
        ("scam",)
    ]


async def test_pages_lead_to_the_form(village: Village) -> None:
    async with visitor(village.app, village.alpha.host) as web:
        assert 'href="/report"' in (await web.get("/")).text
        assert 'href="/report/blog/post-alpha-0"' in (await web.get("/blog/post-alpha-0")).text
        gone = await web.get("/report/blog/nothing")
        assert (gone.status_code, gone.headers["location"]) == (302, "/blog")
        assert (await web.post("/report/blog/nothing", data={"reason": "scam"})).status_code == 302


async def test_staff_settle_a_report_once(village: Village) -> None:
    async with visitor(village.app, BASE, address="198.51.100.7") as web:
        await web.post("/api/reports", json=about("profile", village.handle, reason="impersonation"))
        staff = await signed_in(web)
        listed = (await web.get("/api/admin/reports?kind=profile&search=nell&status=open", headers=staff)).json()
        wanted = listed["data"]["items"][0]
        path = f"/api/admin/reports/{wanted['id']}"
        shown = (await web.get(path, headers=staff)).json()["data"]
        assert (shown["reason"], shown["status"], shown["outcome"]) == ("impersonation", "open", None)
        words = {"outcome": "acted", "note": "Handle changed"}
        answers = await asyncio.gather(*(web.post(f"{path}/resolution", json=words, headers=staff) for _ in range(4)))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        settled = (await web.get(path, headers=staff)).json()["data"]
        assert (settled["status"], settled["outcome"], settled["note"]) == ("resolved", "acted", "Handle changed")
        log = (await web.get(f"/api/admin/audit?subject={wanted['id']}", headers=staff)).json()["data"]["items"]
        assert [(act["action"], act["details"]["note"]) for act in log] == [("report.resolve", "Handle changed")]
        assert (await web.post(f"{path}/resolution", json={"outcome": "ignored"}, headers=staff)).status_code == 422


async def test_the_flag_switches_reports_off(village: Village) -> None:
    with psycopg.connect(village.database.overseer_url) as conn:
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('systemReports', false)")
    before = village.rows("SELECT count(*) FROM reports")
    try:
        async with serving(village.database, admin_key=KEY) as app, visitor(app, BASE) as web:
            assert (await web.post("/api/reports", json=about("site", "alpha"))).status_code == 404
            async with visitor(app, village.alpha.host) as site:
                assert (await site.post("/api/reports", json=about("site", "alpha"))).status_code == 404
                for path in ("/report", "/report/sent", "/report/blog/post-alpha-0"):
                    led = await site.get(path)
                    assert (led.status_code, led.headers["location"]) == (302, "/"), path
                for path in ("/report", "/report/blog/post-alpha-0"):
                    assert (await site.post(path, data={"reason": "scam", "details": path})).status_code == 404
                for path in ("/", "/blog/post-alpha-0"):
                    assert "/report" not in (await site.get(path)).text
            staff = await signed_in(web)
            off = await web.get("/api/admin/reports", headers=staff)
            words = "This will be available in a future release."
            assert (off.status_code, off.json()["error"]["message"]) == (404, words)
    finally:
        with psycopg.connect(village.database.overseer_url) as conn:
            conn.execute("DELETE FROM flag_settings")
    assert village.rows("SELECT count(*) FROM reports") == before


async def test_the_flag_of_one_guru_closes_their_form_alone(village: Village) -> None:
    with psycopg.connect(village.database.overseer_url) as conn:
        conn.execute(
            "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'systemReports', false)", [village.alpha.id]
        )
    async with serving(village.database) as app:
        for told, status in ((village.alpha, 302), (village.beta, 200)):
            async with visitor(app, told.host) as site:
                assert (await site.get("/report")).status_code == status


def test_requests_read_no_report(village: Village) -> None:
    with psycopg.connect(village.database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT * FROM reports")
