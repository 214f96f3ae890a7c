"""Reports: about visible subjects, rate limited, idempotent, resolved once by an admin."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from sites.reports.actions import REPORTS_PER_HOUR, THANKS, Reporter, create_report, reporter
from sites.reports.schemas import REASONS, ReportWords
from tenants.db.rate_limit import FloodLimit, hash_sender
from tenants.kit import clock
from tenants.kit.errors import Limited
from tenants.kit.ids import new_id
from tenants.tenancy.lifecycle import suspend_guru
from tests.fixtures import seeded
from tests.fixtures.databases import Database
from tests.fixtures.proofs import solve
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.factories import SeededGuru, insert_row, seed_guru, seed_post, seed_user

OWN_ORIGIN = {"origin": f"http://{BASE_HOST}"}


@dataclass(frozen=True)
class ReportSetup:
    """Two gurus, a neighbor, and the app with rate limits."""

    app: Porchlight
    database: Database
    alpha: SeededGuru
    beta: SeededGuru
    handle: str

    def rows(self, query: str, *params: Any) -> list[tuple[Any, ...]]:
        """Run a query as the service role."""
        with psycopg.connect(self.database.service_url) as conn:
            return conn.execute(query.encode(), params).fetchall()


@pytest.fixture(scope="module")
async def setup(database: Database) -> AsyncIterator[ReportSetup]:
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        alpha, beta = seed_guru(conn, "alpha"), seed_guru(conn, "beta")
        seed_post(conn, alpha, "a-draft", status="draft", published_at=None)
        user = new_id()
        insert_row(conn, "users", {"user_id": user, "firebase_uid": user.hex, "email": "nell@mail.example"})
        profile = {"user_id": user, "handle": "nell-neighbor", "display_name": "Nell", "registered_at": clock.now()}
        insert_row(conn, "profiles", profile)
    async with run_app(database, limits="on", admin_key=ADMIN_KEY) as app:
        yield ReportSetup(app, database, alpha, beta, "nell-neighbor")


def report_payload(kind: str, name: str, **changes: Any) -> dict[str, Any]:
    """Return the payload of a unique report."""
    return {"kind": kind, "name": name, "reason": "spam", "details": f"Look: {seeded.text()}"} | changes


async def test_visible_subject_can_be_reported(setup: ReportSetup) -> None:
    async with http_client(setup.app, BASE_HOST, address="198.51.100.1") as web:
        for kind, name in (
            ("site", "alpha"),
            ("post", f"alpha/{setup.alpha.slugs[0]}"),
            ("profile", setup.handle),
        ):
            response = await web.post("/api/reports", json=report_payload(kind, name))
            assert (response.status_code, response.json()["message"]) == (201, THANKS)
        rows = setup.rows("SELECT subject_kind, subject_name, guru_id, reporter_id FROM reports ORDER BY id")
        assert rows == [
            ("site", "alpha", setup.alpha.id, None),
            ("post", f"alpha/{setup.alpha.slugs[0]}", setup.alpha.id, None),
            ("profile", "nell-neighbor", None, None),
        ]
        unknown = (await web.post("/api/reports", json=report_payload("site", "unknown"))).json()
        for kind, name in (
            ("post", "alpha/a-draft"),
            ("post", "alpha/nothing"),
            ("post", "alpha"),
            ("profile", "unknown-handle"),
            ("listing", str(new_id())),
        ):
            response = await web.post("/api/reports", json=report_payload(kind, name))
            assert (response.status_code, response.json()) == (404, unknown)


async def test_report_of_suspended_site_is_not_found(setup: ReportSetup) -> None:
    with psycopg.connect(setup.database.service_url) as conn:
        response = seed_guru(conn, "gone")
        suspend_guru(conn, "gone")
    async with http_client(setup.app, BASE_HOST, address="198.51.100.2") as web:
        for kind, name in (("site", "gone"), ("post", f"gone/{response.slugs[0]}"), ("site", "never-was")):
            assert refusal(await web.post("/api/reports", json=report_payload(kind, name))) == (404, "not_found")


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
async def test_report_invalid_field_is_named(setup: ReportSetup, changes: dict[str, Any], field: str) -> None:
    async with http_client(setup.app, BASE_HOST, address="198.51.100.3") as web:
        response = await web.post("/api/reports", json=report_payload("site", "alpha") | changes)
        assert list(invalid_fields(response)) == [field]


async def test_reason_alone_is_enough_for_a_report(setup: ReportSetup) -> None:
    async with http_client(setup.app, BASE_HOST, address="198.51.100.30") as web:
        response = await web.post("/api/reports", json=report_payload("site", "alpha", details=""))
    assert (response.status_code, response.json()["message"]) == (201, THANKS)


async def test_report_resend_creates_one_report(setup: ReportSetup) -> None:
    async with http_client(setup.app, BASE_HOST, address="198.51.100.4") as web:
        payload = report_payload("site", "beta")
        key = {"idempotency-key": "one"}
        responses = await asyncio.gather(*(web.post("/api/reports", json=payload, headers=key) for _ in range(8)))
        assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
        other = await web.post("/api/reports", json=report_payload("site", "beta"), headers=key)
        assert other.status_code == 409
        unkeyed = [(await web.post("/api/reports", json=payload)).status_code for _ in range(3)]
        assert unkeyed == [201, 200, 200]
    count = setup.rows("SELECT count(*) FROM reports WHERE subject_name = 'beta'")
    assert count == [(2,)]


async def test_reports_are_limited_per_network(setup: ReportSetup) -> None:
    limit = REPORTS_PER_HOUR.per_address
    async with http_client(setup.app, BASE_HOST, address="2001:db8:0:1::7") as web:
        statuses = [
            (await web.post("/api/reports", json=report_payload("site", "alpha"))).status_code for _ in range(limit + 3)
        ]
        assert statuses == [201] * limit + [429] * 3
        limited = await web.post("/api/reports", json=report_payload("site", "alpha"))
        assert int(limited.headers["retry-after"]) > 0
    for address, status in (("2001:db8:0:1::8", 429), ("2001:db8:0:2::7", 201)):
        async with http_client(setup.app, BASE_HOST, address=address) as web:
            assert (await web.post("/api/reports", json=report_payload("site", "alpha"))).status_code == status


async def test_flood_of_visitors_spares_verified_user(setup: ReportSetup) -> None:
    """A thousand reports from a hundred addresses once shut the form for everyone."""
    with psycopg.connect(setup.database.service_url) as conn:
        user_id = seed_user(conn)
    limit = FloodLimit(per_address=2, per_network=9, flood_from=1, total=1)
    visitor, unverified = reporter(b"key", "192.0.2.1"), reporter(b"key", "192.0.2.2", user_id)
    verified = reporter(b"key", "192.0.2.1", user_id, is_verified=True)

    async def report(sender: Reporter, limit: FloodLimit | None = limit) -> bool:
        words = ReportWords(reason="spam", details=f"Look: {seeded.text()}")
        return await create_report(
            setup.app.context.db, ("site", "alpha"), words, reporter=sender, secret=b"key", limit=limit
        )

    assert await report(reporter(b"key", "192.0.2.3"), None)  # the limit of all visitors is reached
    for sender in (visitor, unverified):
        with pytest.raises(Limited):
            await report(sender)
    assert [await report(verified) for _ in range(2)] == [True, True]
    with pytest.raises(Limited):
        await report(verified)


async def test_flood_of_reports_asks_for_a_proof(setup: ReportSetup) -> None:
    """In a flood, an honest sender's report takes a second. Neither addresses nor networks of others matter."""
    secret = setup.app.settings.address_secret
    flood = (
        "INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, reason, address_hash,"
        " network_hash, idempotency_key, digest) SELECT gen_random_uuid(), 'site', %s, 'alpha', '', 'spam',"
        " int8send(n), int8send(n), 'flood-' || n, '' FROM generate_series(1, %s) n"
    )
    with psycopg.connect(setup.database.service_url, autocommit=True) as conn:
        conn.execute(flood, [setup.alpha.id, REPORTS_PER_HOUR.flood_from])
        try:
            async with http_client(setup.app, BASE_HOST, address="203.0.113.9") as web:

                async def send(key: str, proof: str = "") -> httpx.Response:
                    headers = {"idempotency-key": key} | ({"porchlight-proof": proof} if proof else {})
                    body = report_payload("site", "alpha", details=f"In the flood: {key}")
                    return await web.post("/api/reports", json=body, headers=headers)

                challenged = await send("honest")
                assert refusal(challenged) == (429, "proof_required")
                proof = solve(challenged.json()["error"]["challenge"])
                assert (await send("other", proof)).status_code == 429  # it is for one report
                assert (await send("honest", proof)).status_code == 201
                assert (await send("honest")).status_code == 200  # a resend needs none
            details = "SELECT count(*) FROM reports WHERE details = 'In the flood: honest'"
            assert conn.execute(details).fetchone() == (1,)
            of_network = hash_sender(secret, "203.0.113.9", purpose="report").network_hash
            conn.execute("UPDATE reports SET network_hash = %s", [of_network])
            async with http_client(setup.app, BASE_HOST, address="203.0.113.10") as web:
                limited = await web.post("/api/reports", json=report_payload("site", "alpha"))
                assert refusal(limited) == (429, "rate_limited")
            conn.execute("UPDATE reports SET network_hash = address_hash")
            async with http_client(setup.app, setup.alpha.host, address="198.51.105.1") as web:
                plain = await web.post("/report", data={"reason": "scam", "details": "kept words", "website": ""})
            assert (plain.status_code, "kept words" in plain.text) == (429, True)
            assert "turn on JavaScript" in plain.text
        finally:
            conn.execute("DELETE FROM reports WHERE idempotency_key LIKE 'flood-%'")


async def test_report_with_honeypot_is_dropped(setup: ReportSetup) -> None:
    before = setup.rows("SELECT count(*) FROM reports")
    async with http_client(setup.app, BASE_HOST, address="198.51.100.5") as web:
        response = await web.post("/api/reports", json=report_payload("site", "alpha", website="http://spam.example"))
        assert response.status_code == 201
    assert setup.rows("SELECT count(*) FROM reports") == before


async def test_guru_host_accepts_own_reports_only(setup: ReportSetup) -> None:
    async with http_client(setup.app, setup.alpha.host, address="198.51.100.6") as web:
        assert (await web.post("/api/reports", json=report_payload("site", "alpha"))).status_code == 201
        for kind, name in (("site", "beta"), ("post", f"beta/{setup.beta.slugs[0]}"), ("profile", setup.handle)):
            assert refusal(await web.post("/api/reports", json=report_payload(kind, name))) == (404, "not_found")
        assert refusal(await web.get("/api/admin/reports")) == (404, "not_found")


@pytest.mark.parametrize("path", ["/report", "/report/blog/post-alpha-0"])
async def test_report_form_works_without_javascript(setup: ReportSetup, path: str) -> None:
    async with http_client(setup.app, setup.alpha.host, address=f"198.51.101.{len(path)}") as web:
        page = await web.get(path)
        assert page.status_code == 200
        assert all(f'value="{reason}"' in page.text for reason in REASONS)
        missing = await web.post(path, data={"reason": "", "details": "kept words"})
        assert (missing.status_code, "kept words" in missing.text) == (422, True)
        assert "Please choose a reason." in missing.text
        response = await web.post(path, data={"reason": "scam", "details": path, "website": ""})
        assert (response.status_code, response.headers["location"]) == (303, "/report/sent")
        assert THANKS in (await web.get("/report/sent")).text
    kind = "post" if "blog" in path else "site"
    assert setup.rows("SELECT reason FROM reports WHERE details = %s AND subject_kind = %s", path, kind) == [("scam",)]


async def test_pages_link_to_report_form(setup: ReportSetup) -> None:
    async with http_client(setup.app, setup.alpha.host) as web:
        assert 'href="/report"' in (await web.get("/")).text
        assert 'href="/report/blog/post-alpha-0"' in (await web.get("/blog/post-alpha-0")).text
        response = await web.get("/report/blog/nothing")
        assert (response.status_code, response.headers["location"]) == (302, "/")
        assert (await web.post("/report/blog/nothing", data={"reason": "scam"})).status_code == 302


async def test_report_is_resolved_once(setup: ReportSetup) -> None:
    async with http_client(setup.app, BASE_HOST, address="198.51.100.7") as web:
        await web.post("/api/reports", json=report_payload("profile", setup.handle, reason="impersonation"))
        staff = await sign_in_admin(web)
        listed = (await web.get("/api/admin/reports?kind=profile&search=nell&status=open", headers=staff)).json()
        report = listed["data"]["items"][0]
        path = f"/api/admin/reports/{report['id']}"
        detail = (await web.get(path, headers=staff)).json()["data"]
        assert (detail["reason"], detail["status"], detail["outcome"]) == ("impersonation", "open", None)
        payload = {"outcome": "acted", "note": "Handle changed"}
        responses = await asyncio.gather(
            *(web.post(f"{path}/resolution", json=payload, headers=staff) for _ in range(4))
        )
        assert sorted(response.status_code for response in responses) == [200, 409, 409, 409]
        refused = {response.json()["error"]["code"] for response in responses if response.status_code == 409}
        assert refused == {"already_decided"}
        resolved = (await web.get(path, headers=staff)).json()["data"]
        assert (resolved["status"], resolved["outcome"], resolved["note"]) == ("resolved", "acted", "Handle changed")
        log = (await web.get(f"/api/admin/audit?subject={report['id']}", headers=staff)).json()["data"]["items"]
        assert [(act["action"], act["details"]["note"]) for act in log] == [("report.resolve", "Handle changed")]
        assert (await web.post(f"{path}/resolution", json={"outcome": "ignored"}, headers=staff)).status_code == 422


async def test_report_says_whose_subject_it_is_and_its_state(setup: ReportSetup) -> None:
    """Staff act from the report, so it says what is still visible and who to write to."""
    (owner,) = setup.rows("SELECT user_id::text, email FROM users WHERE user_id = %s", setup.alpha.owner)
    (nell,) = setup.rows("SELECT user_id::text, email FROM users WHERE email = 'nell@mail.example'")
    gone = new_id()
    subjects = {
        "site": (setup.alpha.id, owner, "shown"),
        "post": (setup.alpha.posts[0], owner, "shown"),
        "profile": (nell[0], nell, "shown"),
        "listing": (gone, None, "gone"),
        "review": (gone, None, "gone"),
        "thread": (gone, None, "gone"),
    }
    with psycopg.connect(setup.database.service_url, autocommit=True) as conn:
        conn.execute("UPDATE profiles SET is_public = true WHERE user_id = %s", [nell[0]])
        for kind, (subject_id, _, _) in subjects.items():
            row = {"id": new_id(), "subject_kind": kind, "subject_id": subject_id, "subject_name": kind,
                   "subject_title": "", "reason": "spam", "address_hash": b"", "idempotency_key": f"state-{kind}",
                   "digest": b""}  # fmt: skip
            insert_row(conn, "reports", row)
    async with http_client(setup.app, BASE_HOST, address="198.51.100.8") as web:
        staff = await sign_in_admin(web)
        for kind, (_, account, state) in subjects.items():
            (report,) = setup.rows("SELECT id FROM reports WHERE idempotency_key = %s", f"state-{kind}")
            found = (await web.get(f"/api/admin/reports/{report[0]}", headers=staff)).json()["data"]
            shown = (found["owner"]["userId"], found["owner"]["email"]) if found["owner"] else None
            assert (kind, shown, found["subjectState"]) == (kind, account, state)


async def test_flag_disables_reports(setup: ReportSetup) -> None:
    with psycopg.connect(setup.database.service_url) as conn:
        conn.execute("INSERT INTO flag_settings (name, enabled) VALUES ('systemReports', false)")
    before = setup.rows("SELECT count(*) FROM reports")
    try:
        async with run_app(setup.database, admin_key=ADMIN_KEY) as app, http_client(app, BASE_HOST) as web:
            assert (await web.post("/api/reports", json=report_payload("site", "alpha"))).status_code == 404
            async with http_client(app, setup.alpha.host) as site:
                assert (await site.post("/api/reports", json=report_payload("site", "alpha"))).status_code == 404
                for path in ("/report", "/report/sent", "/report/blog/post-alpha-0"):
                    response = await site.get(path)
                    assert (response.status_code, response.headers["location"]) == (302, "/"), path
                for path in ("/report", "/report/blog/post-alpha-0"):
                    assert (await site.post(path, data={"reason": "scam", "details": path})).status_code == 404
                for path in ("/", "/blog/post-alpha-0"):
                    assert "/report" not in (await site.get(path)).text
            staff = await sign_in_admin(web)
            disabled = await web.get("/api/admin/reports", headers=staff)
            payload = "This will be available in a future release."
            assert (disabled.status_code, disabled.json()["error"]["message"]) == (404, payload)
    finally:
        with psycopg.connect(setup.database.service_url) as conn:
            conn.execute("DELETE FROM flag_settings")
    assert setup.rows("SELECT count(*) FROM reports") == before


async def test_guru_flag_disables_own_form_only(setup: ReportSetup) -> None:
    with psycopg.connect(setup.database.service_url) as conn:
        conn.execute(
            "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'systemReports', false)", [setup.alpha.id]
        )
    async with run_app(setup.database) as app:
        for guru, status in ((setup.alpha, 302), (setup.beta, 200)):
            async with http_client(app, guru.host) as site:
                page = await site.get("/report")
                assert (page.status_code, "<form" in page.text) == (status, status == 200)


def test_app_role_cannot_read_reports(setup: ReportSetup) -> None:
    with psycopg.connect(setup.database.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("SELECT * FROM reports")
