"""The lead inbox: sorted, searched, answered once, noted, exported without formulas."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight import jobs
from porchlight.notices.lead_answers import letter_of_answer, mark_sent
from porchlight.notices.mail import MailboxMailer
from sites.leads.inbox import harmless
from tests.console.owner import Owner
from tests.platform_.world import lead
from tests.support.databases import Database


@pytest.fixture
def written(overseer: psycopg.Connection[Any], rosa: Owner) -> Iterator[UUID]:
    """A fresh lead of rosa's."""
    made = lead(overseer, rosa.guru, f"key-{len(rosa.guru.leads)}", name="Nora", email="nora@mail.example")
    yield made
    overseer.execute("DELETE FROM leads WHERE id = %s", [made])


def _jobs(conn: psycopg.Connection[Any], task: str) -> list[dict[str, Any]]:
    rows = conn.execute("SELECT args FROM jobs.procrastinate_jobs WHERE task_name = %s ORDER BY id", [task]).fetchall()
    return [row[0] for row in rows]


async def test_leads_are_sorted(rosa: Owner, written: UUID) -> None:
    inbox = await rosa.call("GET", "/leads", params={"status": "new"})
    assert str(written) in [row["id"] for row in inbox["leads"]]
    assert inbox["counts"]["new"] == 3
    opened = await rosa.call("GET", f"/leads/{written}")
    assert opened["status"] == "new"
    for status in ("read", "archived"):
        sorted_away = await rosa.call("PUT", f"/leads/{written}/status", {"status": status})
        assert sorted_away["status"] == status
    listed = await rosa.call("GET", "/leads")
    assert str(written) not in [row["id"] for row in listed["leads"]]
    await rosa.call("PUT", f"/leads/{written}/status", {"status": "closed"}, expect=422)


async def test_leads_are_searched_and_paged(rosa: Owner, overseer: psycopg.Connection[Any]) -> None:
    made = [lead(overseer, rosa.guru, f"paged-{n}", name=f"Paged_{n}%", message="A cake?") for n in range(5)]
    seen: list[str] = []
    query: dict[str, Any] = {"q": "paged_", "limit": 2}
    while True:
        page = await rosa.call("GET", "/leads", params=query)
        seen += [row["name"] for row in page["leads"]]
        if page["nextCursor"] is None:
            break
        query["cursor"] = page["nextCursor"]
    assert seen == [f"Paged_{n}%" for n in (4, 3, 2, 1, 0)]
    assert (await rosa.call("GET", "/leads", params={"q": "%%"}))["leads"] == []
    await rosa.call("GET", "/leads", params={"cursor": "x" * 32}, expect=422)
    overseer.execute("DELETE FROM leads WHERE id = ANY(%s)", [made])


async def test_an_answer_is_mailed_once_with_the_guru_to_reply_to(
    rosa: Owner, written: UUID, overseer: psycopg.Connection[Any], database: Database
) -> None:
    before = len(_jobs(overseer, "send_lead_answer"))
    body = {"body": "Yes!\n\n<b>Come</b> on Tuesday."}
    key = {"Idempotency-Key": "answer-1"}
    answered = await rosa.call("POST", f"/leads/{written}/answers", body, expect=201, headers=key)
    assert answered["status"] == "answered"
    assert [mail["sentAt"] for mail in answered["answers"]] == [None]
    again = await rosa.call("POST", f"/leads/{written}/answers", body, expect=200, headers=key)
    assert len(again["answers"]) == 1
    await rosa.call("POST", f"/leads/{written}/answers", {"body": "Other words"}, expect=409, headers=key)
    (job,) = _jobs(overseer, "send_lead_answer")[before:]
    assert job == {"answer_id": answered["answers"][0]["id"], "tenant_id": str(rosa.guru.id)}
    mailer = MailboxMailer(database.overseer_url)
    tenant, answer = UUID(job["tenant_id"]), UUID(job["answer_id"])
    for _ in range(2):  # a worker that died between the mail and its mark
        letter = letter_of_answer(overseer, tenant, answer)
        assert letter is not None
        mailer.send(letter)
    mark_sent(overseer, tenant, answer)
    assert letter_of_answer(overseer, tenant, answer) is None
    mails = overseer.execute(
        "SELECT recipient, reply_to, subject, plain, html FROM mailbox WHERE key = %s", [f"answer-{answer}"]
    ).fetchall()
    ((recipient, reply_to, subject, plain, html),) = mails
    assert (recipient, reply_to) == ("nora@mail.example", "markalpha@mail.example")
    assert "Guru markalpha" in subject
    assert "Come</b> on Tuesday" in plain
    assert "<b>Come" not in html
    assert "> Message markalpha" in plain
    assert (await rosa.call("GET", f"/leads/{written}"))["answers"][0]["sentAt"] is not None


async def test_the_worker_knows_the_job(rosa: Owner, database: Database) -> None:
    helpers = jobs.Helpers(MailboxMailer(database.overseer_url), "staff@mail.example", None, "http://main")
    assert "send_lead_answer" in jobs.build(database.overseer_url, helpers).tasks


async def test_one_key_sent_many_times_at_once_is_one_mail(
    rosa: Owner, written: UUID, overseer: psycopg.Connection[Any]
) -> None:
    before = len(_jobs(overseer, "send_lead_answer"))
    path, key = f"/api/guru/leads/{written}/answers", {"Idempotency-Key": "answer-many"}
    answers = await asyncio.gather(*(rosa.web.post(path, json={"body": "Hi"}, headers=key) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len(_jobs(overseer, "send_lead_answer")) == before + 1


async def test_without_a_key_the_same_words_are_the_same_mail(rosa: Owner, written: UUID) -> None:
    for expect in (201, 200):
        await rosa.call("POST", f"/leads/{written}/answers", {"body": "Twice pressed"}, expect=expect)


async def test_notes_are_kept_and_deleted(rosa: Owner, written: UUID) -> None:
    noted = await rosa.call("POST", f"/leads/{written}/notes", {"body": "Call in May"}, expect=201)
    (note,) = noted["notes"]
    assert note["body"] == "Call in May"
    left = await rosa.call("DELETE", f"/leads/{written}/notes/{note['id']}")
    assert left["notes"] == []
    await rosa.call("DELETE", f"/leads/{written}/notes/{note['id']}", expect=404)
    await rosa.call("POST", f"/leads/{written}/notes", {"body": "  "}, expect=422)


HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "|calc", "%0A", '=HYPERLINK("http://e")', '"=1"']


async def test_the_export_is_no_formula(rosa: Owner, overseer: psycopg.Connection[Any]) -> None:
    made = [
        lead(overseer, rosa.guru, f"csv-{n}", name=text, message=f'{text}\n"and", more', phone=text)
        for n, text in enumerate(HOSTILE)
    ]
    answer = await rosa.web.get("/api/guru/lead-export")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="leads-alpha-')
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))
    assert rows[0][:4] == ["Received (UTC)", "Status", "Name", "Email"]
    found = {row[2].removeprefix("'") for row in rows[1:]}
    assert set(HOSTILE) <= found
    for row in rows[1:]:
        for cell in row:
            assert cell.lstrip()[:1] not in set("=+-@|%"), cell
    assert b"markbeta" not in answer.content
    overseer.execute("DELETE FROM leads WHERE id = ANY(%s)", [made])


@pytest.mark.parametrize(("cell", "kept"), [("=1", "'=1"), ("a=1", "a=1"), ("", ""), ("  -2", "'  -2")])
def test_cells(cell: str, kept: str) -> None:
    assert harmless(cell) == kept
