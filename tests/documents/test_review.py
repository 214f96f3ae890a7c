"""Documents are sent in, reviewed, told of by mail, and sent in again."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.admin.audit import fault
from porchlight.app import Porchlight
from porchlight.documents import actions
from porchlight.documents.schemas import DocumentPayload, StatusPayload
from tenants.kit.ids import new_id
from tests.documents.people import LICENSE, Guru, Staff, mails_to, run_jobs
from tests.support.databases import Database

FIELDS = {"id", "uid", "type", "category", "provider", "number", "file_url", "status"}  # SPEC 3, pending document


async def test_a_document_waits_is_rejected_with_a_reason_and_comes_again(
    app: Porchlight, ada: Guru, staff: Staff, database: Database, overseer: psycopg.Connection[Any]
) -> None:
    first = await ada.submitted()
    assert first["status"] == "pending"
    waiting = next(paper for paper in await staff.pending() if paper["id"] == first["id"])
    assert set(waiting) >= FIELDS
    shown = {name: waiting[name] for name in ("type", "category", "provider", "number", "file_url")}
    assert shown == {name: LICENSE[name] for name in shown}
    assert (waiting["uid"], waiting["status"]) == (str(ada.user_id), "pending")
    assert waiting["owner_name"] == "Ada Alvarez"

    answer = await staff.review(first, ada.user_id, "rejected", "The number cannot be read.")
    assert answer.status_code == 200, answer.text
    assert first["id"] not in {paper["id"] for paper in await staff.pending()}
    await run_jobs(database, app)
    await run_jobs(database, app)
    assert mails_to(overseer, ada.email) == [
        (
            "Please upload your license for Electrical again",
            "We looked at your license for Electrical and cannot accept it as it is.\n\n"
            "Reason: The number cannot be read.\n\n"
            "You can upload a better one at any time; we look at it again.\n\n"
            "Upload it again:\nhttp://porchlight.localhost/onboarding/documents\n\n"
            "-- \nYou get this mail because you sent documents to Porchlight.\n",
        )
    ]

    second = await ada.submitted(number="EL-2231-B")
    mine = {paper["id"]: paper for paper in await ada.documents()}
    assert (mine[first["id"]]["status"], mine[first["id"]]["reason"]) == ("rejected", "The number cannot be read.")
    assert mine[second["id"]]["status"] == "pending"
    assert (await staff.review(second, ada.user_id, "approved")).status_code == 200
    await run_jobs(database, app)
    subject, plain = mails_to(overseer, ada.email)[-1]
    assert subject == "Your license for Electrical was approved"
    assert "It counts until May 1, 2031." in plain

    history = await staff.history(ada.user_id)
    assert [(one["document"]["id"], [event["kind"] for event in one["events"]]) for one in history] == [
        (second["id"], ["submitted", "approved"]),
        (first["id"], ["submitted", "rejected"]),
    ]
    assert history[1]["events"][1]["note"] == "The number cannot be read."
    acts = overseer.execute(
        "SELECT action, details ->> 'reason' FROM audit_log WHERE subject_id = ANY (%s) ORDER BY id",
        [[first["id"], second["id"]]],
    ).fetchall()
    assert acts == [("document.reject", "The number cannot be read."), ("document.approve", "")]
    assert fault(overseer) is None


async def test_of_two_admins_at_once_one_wins(
    app: Porchlight, ada: Guru, staff: Staff, database: Database, overseer: psycopg.Connection[Any]
) -> None:
    paper = await ada.submitted()
    answers = await asyncio.gather(
        *(staff.review(paper, ada.user_id, status) for status in ("approved", "rejected") * 4)
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert {answer.json()["error"]["code"] for answer in answers if answer.status_code == 409} == {"reviewed_already"}
    await run_jobs(database, app)
    assert len(mails_to(overseer, ada.email)) == 1
    done = overseer.execute(
        "SELECT count(*) FROM document_events WHERE document_id = %s AND kind IN ('approved', 'rejected')",
        [paper["id"]],
    ).fetchone()
    assert done == (1,)


async def test_a_review_that_breaks_off_leaves_nothing(
    ada: Guru, database: Database, overseer: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = await ada.submitted()

    def broken(*_args: object) -> None:
        raise RuntimeError("the power went out")

    monkeypatch.setattr(actions, "record", broken)
    with pytest.raises(RuntimeError):
        actions.review(
            database.overseer_url, "staff", ada.user_id, UUID(paper["id"]), StatusPayload(status="approved", reason="")
        )
    assert (await ada.documents())[0]["status"] == "pending"
    events = overseer.execute("SELECT kind FROM document_events WHERE document_id = %s", [paper["id"]]).fetchall()
    assert events == [("submitted",)]


async def test_foreign_and_unknown_documents_answer_alike(ada: Guru, ben: Guru, staff: Staff) -> None:
    paper = await ada.submitted()
    foreign = await staff.review(paper, ben.user_id, "approved")
    unknown = await staff.review({"id": str(new_id())}, ben.user_id, "approved")
    assert (foreign.status_code, foreign.json()) == (404, unknown.json())
    assert await ben.documents() == []
    assert (await staff.review({"id": "none"}, ben.user_id, "approved")).status_code == 404
    # Another's upload is as good as none.
    answer = await ada.submit(file_url="", file_id=str(new_id()))
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (422, ["file_id"])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"type": "passport"}, "type"),
        ({"category": "sword-swallowing"}, "category"),
        ({"file_url": "javascript:alert(1)"}, "file_url"),
        ({"file_url": "data:text/html,<script>alert(1)</script>"}, "file_url"),
        ({"file_url": "http://files.example/license.pdf"}, "file_url"),
        ({"file_url": "https://"}, "file_url"),
        ({"file_url": "https://user:password@files.example/"}, "file_url"),
        ({"file_url": "https://files.example\\@evil.example/"}, "file_url"),
        ({"file_url": "https://files.example/a b"}, "file_url"),
        ({"file_url": "//files.example/license.pdf"}, "file_url"),
        ({"issued_on": "2999-01-01"}, "issued_on"),
        ({"issued_on": "yesterday"}, "issued_on"),
        ({"issued_on": "2025-02-30"}, "issued_on"),
        ({"expires_on": "2020-01-01"}, "expires_on"),
        ({"number": "x" * 81}, "number"),
        ({"provider": "a\0b"}, "provider"),
        ({"file_id": "not-an-id"}, "file_id"),
        ({"status": "approved"}, "status"),
        ({"uid": "x"}, "uid"),
    ],
)
async def test_what_will_not_do_is_named_and_nothing_is_kept(ada: Guru, changes: dict[str, str], field: str) -> None:
    answer = await ada.submit(**changes)
    assert answer.status_code == 422, answer.text
    assert list(answer.json()["error"]["fields"]) == [field]
    assert await ada.documents() == []


async def test_a_form_sends_empty_fields_and_hosts_in_capitals(ada: Guru) -> None:
    paper = await ada.submitted(
        category="", provider="", number="", issued_on="", expires_on="", file_url="HTTPS://Files.example/a"
    )
    assert (paper["issued_on"], paper["expires_on"], paper["file_url"]) == (None, None, "https://Files.example/a")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(address=st.one_of(st.text(max_size=60), st.from_regex(r"\A[a-zA-Z]{1,10}:.{0,40}\Z")))
def test_whatever_is_typed_only_https_gets_through(address: str) -> None:
    try:
        taken = DocumentPayload.model_validate({"type": "id", "file_url": address}).file_url
    except ValueError:
        return
    assert taken == "" or taken.startswith("https://")


async def test_a_heap_of_waiting_documents_is_refused(
    database: Database, app: Porchlight, ada: Guru, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "WAITING_MOST", 2)
    monkeypatch.setattr(app.settings, "limits", "on")
    await ada.submitted()
    await ada.submitted()
    answer = await ada.submit()
    assert (answer.status_code, "retry-after" in answer.headers) == (429, True)


async def test_without_staff_nobody_reviews(web: httpx.AsyncClient, ada: Guru) -> None:
    paper = await ada.submitted()
    for method, path in (
        ("GET", "/api/documents/pending"),
        ("GET", f"/api/documents/{ada.user_id}"),
        ("POST", f"/api/documents/{ada.user_id}/{paper['id']}/status"),
        ("POST", f"/api/documents/{ada.user_id}/{paper['id']}/openings"),
    ):
        for headers in ({}, ada.headers()):
            answer = await web.request(method, path, json={"status": "approved"}, headers=headers)
            assert answer.status_code == 401, path
    assert (await web.post("/api/onboarding/documents", json=LICENSE)).status_code == 401
    assert (await web.post("/api/onboarding/documents/files?name=a", content=b"%PDF-1.7")).status_code == 401


async def test_another_page_cannot_review(ada: Guru, staff: Staff) -> None:
    paper = await ada.submitted()
    staff.headers["origin"] = "http://cooking.porchlight.localhost"
    assert (await staff.review(paper, ada.user_id, "approved")).status_code == 403
    assert (await ada.documents())[0]["status"] == "pending"


async def test_the_queue_goes_by_pages_the_oldest_first(
    ada: Guru, staff: Staff, overseer: psycopg.Connection[Any]
) -> None:
    overseer.execute("DELETE FROM documents")
    sent = [(await ada.submitted())["id"] for _ in range(23)]
    found, cursor = [], ""
    while cursor is not None:
        answer = await staff.web.get(f"/api/documents/pending{cursor and f'?cursor={cursor}'}", headers=staff.headers)
        page = answer.json()["data"]
        found += [paper["id"] for paper in page["pending"]]
        cursor = page["nextCursor"]
    assert found == sent
    broken = await staff.web.get("/api/documents/pending?cursor=x", headers=staff.headers)
    assert broken.status_code == 422


async def test_opening_a_link_elsewhere_is_written_down(ada: Guru, staff: Staff) -> None:
    paper = await ada.submitted()
    path = f"/api/documents/{ada.user_id}/{paper['id']}/openings"
    assert (await staff.web.post(path, headers=staff.headers)).status_code == 200
    events = (await staff.history(ada.user_id))[0]["events"]
    assert [event["kind"] for event in events] == ["submitted", "opened"]


async def test_with_the_account_its_documents_go(
    app: Porchlight, ada: Guru, database: Database, overseer: psycopg.Connection[Any]
) -> None:
    await ada.submitted()
    answer = await ada.web.delete("/api/auth/account", headers=ada.headers())
    assert answer.status_code == 200, answer.text
    left = overseer.execute("SELECT count(*) FROM documents WHERE user_id = %s", [ada.user_id]).fetchone()
    assert left == (0,)
