"""The lead inbox: statuses, search, replies, notes, CSV export."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.emails.sender import MailboxMailer
from porchlight.features.leads.emails import lead_received_email, lead_reply_email
from porchlight.worker import app
from sites.leads.actions import NOTIFY_TASK, REPLY_TASK, mark_reply_sent
from tenants.kit.csv_export import escape_csv_formula
from tests.fixtures.databases import Database
from tests.fixtures.jobs import create_job_dependencies, running_job
from tests.porchlight.app_client import http_client
from tests.porchlight.factories import seed_lead, verify_contact_address
from tests.porchlight.mailbox import extract_token
from tests.porchlight.owner import GuruOwner


@pytest.fixture
def new_lead(service_db: psycopg.Connection[Any], rosa: GuruOwner) -> Iterator[UUID]:
    """Create a lead of rosa's guru."""
    created = seed_lead(service_db, rosa.guru, f"key-{len(rosa.guru.leads)}", name="Nora", email="nora@mail.example")
    yield created
    service_db.execute("DELETE FROM leads WHERE id = %s", [created])


def _jobs(conn: psycopg.Connection[Any], task: str) -> list[dict[str, Any]]:
    rows = conn.execute("SELECT args FROM jobs.procrastinate_jobs WHERE task_name = %s ORDER BY id", [task]).fetchall()
    return [row[0] for row in rows]


async def test_lead_status_changes_its_list(rosa: GuruOwner, new_lead: UUID) -> None:
    inbox = await rosa.call("GET", "/leads", params={"status": "new"})
    assert str(new_lead) in [row["id"] for row in inbox["leads"]]
    assert inbox["counts"]["new"] == 3
    lead_detail = await rosa.call("GET", f"/leads/{new_lead}")
    assert lead_detail["status"] == "new"
    for status in ("read", "archived"):
        sorted_away = await rosa.call("PUT", f"/leads/{new_lead}/status", {"status": status})
        assert sorted_away["status"] == status
    listing = await rosa.call("GET", "/leads")
    assert str(new_lead) not in [row["id"] for row in listing["leads"]]
    await rosa.call("PUT", f"/leads/{new_lead}/status", {"status": "closed"}, expect=422)


async def test_leads_search_returns_pages(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    created = [seed_lead(service_db, rosa.guru, f"paged-{n}", name=f"Paged_{n}%", message="A cake?") for n in range(5)]
    titles: list[str] = []
    query: dict[str, Any] = {"q": "paged_", "limit": 2}
    while True:
        page = await rosa.call("GET", "/leads", params=query)
        titles += [row["name"] for row in page["leads"]]
        if page["nextCursor"] is None:
            break
        query["cursor"] = page["nextCursor"]
    assert titles == [f"Paged_{n}%" for n in (4, 3, 2, 1, 0)]
    assert (await rosa.call("GET", "/leads", params={"q": "%%"}))["leads"] == []
    await rosa.call("GET", "/leads", params={"cursor": "x" * 32}, expect=422)
    service_db.execute("DELETE FROM leads WHERE id = ANY(%s)", [created])


async def test_lead_reply_is_emailed_once_with_reply_to(
    rosa: GuruOwner, new_lead: UUID, service_db: psycopg.Connection[Any], database: Database
) -> None:
    before = len(_jobs(service_db, "leads:send_reply"))
    body = {"body": "Yes!\n\n<b>Come</b> on Tuesday."}
    key = {"Idempotency-Key": "answer-1"}
    answered = await rosa.call("POST", f"/leads/{new_lead}/answers", body, expect=201, headers=key)
    assert answered["status"] == "answered"
    # Another tab marks the lead as read late.
    late = await rosa.call("PUT", f"/leads/{new_lead}/status", {"status": "read"})
    assert late["status"] == "answered"
    assert [mail["sentAt"] for mail in answered["answers"]] == [None]
    unpublished = await rosa.call("POST", f"/leads/{new_lead}/answers", body, expect=200, headers=key)
    assert len(unpublished["answers"]) == 1
    await rosa.call("POST", f"/leads/{new_lead}/answers", {"body": "Other words"}, expect=409, headers=key)
    (job,) = _jobs(service_db, "leads:send_reply")[before:]
    assert job == {"reply_id": answered["answers"][0]["id"], "tenant_id": str(rosa.guru.id), "user_id": None}
    mailer = MailboxMailer(database.service_url)
    tenant, response = UUID(job["tenant_id"]), UUID(job["reply_id"])
    jobs = create_job_dependencies(database)
    with running_job(database, REPLY_TASK, tenant_id=tenant) as running, running.transaction() as conn:
        for _ in range(2):  # a worker may be killed between sending and recording
            message = lead_reply_email(conn, tenant, response, jobs)
            assert message is not None
            mailer.send(message)
        mark_reply_sent(conn, tenant, response)
        assert lead_reply_email(conn, tenant, response, jobs) is None
    mails = service_db.execute(
        "SELECT recipient, reply_to, subject, plain, html FROM dev_mailbox WHERE key = %s", [f"answer-{response}"]
    ).fetchall()
    ((recipient, reply_to, subject, plain, html),) = mails
    assert (recipient, reply_to) == ("nora@mail.example", "markalpha@mail.example")
    assert "Guru markalpha" in subject
    assert "Guru markalpha answered your message to alpha.porchlight.example:" in plain
    assert f"/mail/{extract_token(plain)}#report" in plain
    assert f"/mail/{extract_token(plain)}#report" in html
    assert "Come</b> on Tuesday" in plain
    assert "<b>Come" not in html
    # The visitor only typed the address, so nothing else that was typed with it goes there.
    assert "Message markalpha" not in plain + html
    assert "Nora" not in plain + html
    assert (await rosa.call("GET", f"/leads/{new_lead}"))["answers"][0]["sentAt"] is not None


async def test_worker_registers_reply_task(rosa: GuruOwner, database: Database) -> None:
    assert "leads:send_reply" in app.build(database.service_url, create_job_dependencies(database)).tasks


async def test_lead_reply_concurrent_resends_send_one_email(
    rosa: GuruOwner, new_lead: UUID, service_db: psycopg.Connection[Any]
) -> None:
    before = len(_jobs(service_db, "leads:send_reply"))
    path, key = f"/api/guru/leads/{new_lead}/answers", {"Idempotency-Key": "answer-many"}
    responses = await asyncio.gather(*(rosa.web.post(path, json={"body": "Hi"}, headers=key) for _ in range(8)))
    assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
    assert len(_jobs(service_db, "leads:send_reply")) == before + 1


async def test_lead_reply_same_text_without_key_is_resend(rosa: GuruOwner, new_lead: UUID) -> None:
    for expect in (201, 200):
        await rosa.call("POST", f"/leads/{new_lead}/answers", {"body": "Twice pressed"}, expect=expect)


async def test_lead_note_is_stored_and_deleted(rosa: GuruOwner, new_lead: UUID) -> None:
    noted = await rosa.call("POST", f"/leads/{new_lead}/notes", {"body": "Call in May"}, expect=201)
    (note,) = noted["notes"]
    assert note["body"] == "Call in May"
    left = await rosa.call("DELETE", f"/leads/{new_lead}/notes/{note['id']}")
    assert left["notes"] == []
    await rosa.call("DELETE", f"/leads/{new_lead}/notes/{note['id']}", expect=404)
    await rosa.call("POST", f"/leads/{new_lead}/notes", {"body": "  "}, expect=422)


MALICIOUS_TEXTS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    " =1",
    "\r=1",
    "|calc",
    "%0A",
    '=HYPERLINK("http://e")',
    '"=1"',
]


async def test_lead_export_contains_no_formulas(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    created = [
        seed_lead(service_db, rosa.guru, f"csv-{n}", name=text, message=f'{text}\n"and", more', phone=text)
        for n, text in enumerate(MALICIOUS_TEXTS)
    ]
    response = await rosa.web.get("/api/guru/lead-export")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"].startswith('attachment; filename="leads-alpha-')
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))
    assert rows[0][:4] == ["Received (UTC)", "Status", "Name", "Email"]
    messages = {row[2].removeprefix("'") for row in rows[1:]}
    assert set(MALICIOUS_TEXTS) <= messages
    for row in rows[1:]:
        for cell in row:
            assert cell.lstrip()[:1] not in set("=+-@|%"), cell
    assert b"markbeta" not in response.content
    service_db.execute("DELETE FROM leads WHERE id = ANY(%s)", [created])


async def test_lead_export_is_sent_in_pages(
    rosa: GuruOwner, service_db: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (await rosa.web.get("/api/guru/lead-export")).content
    created = [seed_lead(service_db, rosa.guru, f"page-{n}", name=f"Page {n}") for n in range(7)]
    # Several leads of one moment: the pages must neither repeat nor skip one.
    service_db.execute("UPDATE leads SET created_at = app.now() WHERE id = ANY(%s)", [created])
    monkeypatch.setattr("sites.leads.queries.EXPORT_PAGE_SIZE", 2)
    response = await rosa.web.get("/api/guru/lead-export")
    assert response.headers["cache-control"] == "no-store"
    assert "content-length" not in response.headers
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))
    assert sorted(row[2] for row in rows[1:8]) == [f"Page {n}" for n in range(7)]
    assert rows[8:] == list(csv.reader(io.StringIO(whole.decode("utf-8-sig"), newline="")))[1:]
    monkeypatch.setattr("sites.leads.queries.MAX_EXPORTED_LEADS", 4)
    assert (await rosa.web.get("/api/guru/lead-export")).text.count("Page ") == 4
    service_db.execute("DELETE FROM leads WHERE id = ANY(%s)", [created])


LEAD_WITH_TIME = {
    "name": "Ida",
    "email": "ida@example.com",
    "message": "Rye bread?",
    "preferredTime": "Weekday evenings",
}


async def test_lead_preferred_time_reaches_email_and_console(
    rosa: GuruOwner, theo: GuruOwner, service_db: psycopg.Connection[Any], database: Database
) -> None:
    path = f"/api/gurus/{rosa.guru.label}/leads"
    long, lines = ({"consent": True, "preferredTime": text} for text in ("x" * 101, "Now\nor later"))
    for change, message in ((long, "Use 100 characters or fewer."), (lines, "This must be a single line.")):
        rejected = await rosa.web.post(path, json=LEAD_WITH_TIME | change)
        assert (rejected.status_code, rejected.json()["error"]["fields"]) == (422, {"preferredTime": message})
    for time in ("", "Weekday evenings"):
        created = await rosa.web.post(path, json=LEAD_WITH_TIME | {"consent": True, "preferredTime": time})
        assert created.status_code == 201
    (row,) = (await rosa.call("GET", "/leads", params={"q": "weekday eve"}))["leads"]
    assert (await rosa.call("GET", f"/leads/{row['id']}"))["preferredTime"] == "Weekday evenings"
    assert (await theo.call("GET", "/leads", params={"q": "weekday eve"}))["leads"] == []
    verify_contact_address(service_db, rosa.guru)
    with running_job(database, NOTIFY_TASK, tenant_id=rosa.guru.id) as running, running.transaction() as conn:
        email = lead_received_email(conn, rosa.guru.id, UUID(row["id"]), create_job_dependencies(database))
    assert email is not None
    assert "Preferred time: Weekday evenings\n" in email.text
    assert "Preferred time</td>" in email.html
    exported = (await rosa.web.get("/api/guru/lead-export")).content.decode("utf-8-sig")
    times = [
        line["Preferred time"] for line in csv.DictReader(io.StringIO(exported, newline="")) if "Ida" in line["Name"]
    ]
    assert times == ["Weekday evenings", ""]
    service_db.execute("DELETE FROM leads WHERE name = 'Ida'")


async def test_lead_preferred_time_in_form_is_kept(
    app: Porchlight, rosa: GuruOwner, service_db: psycopg.Connection[Any]
) -> None:
    async with http_client(app, rosa.guru.host) as visitor:
        assert "For example: weekday evenings" in (await visitor.get("/contact")).text
        invalid = await visitor.post("/contact", data=LEAD_WITH_TIME)
        sent = await visitor.post("/contact", data=LEAD_WITH_TIME | {"consent": "on"})
    assert invalid.status_code == 422
    assert 'value="Weekday evenings"' in invalid.text
    assert sent.status_code == 303
    stored = service_db.execute("SELECT preferred_time FROM leads WHERE name = 'Ida'").fetchall()
    assert stored == [("Weekday evenings",)]
    service_db.execute("DELETE FROM leads WHERE name = 'Ida'")


@pytest.mark.parametrize(
    ("cell", "escaped"),
    [
        ("=1", "'=1"), ("a=1", "a=1"), ("", ""), ("  -2", "'  -2"), ("-2.00", "-2.00"), ("-2.00+1", "'-2.00+1"),
        ("-2.00\n", "'-2.00\n"), ("+2.00", "'+2.00"),
    ],
)  # fmt: skip
def test_csv_cell_formula_is_escaped(cell: str, escaped: str) -> None:
    assert escape_csv_formula(cell) == escaped
