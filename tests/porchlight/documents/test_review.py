"""Documents: submission, review, emails, resubmission."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.app import Porchlight
from porchlight.audit.verification import fault
from porchlight.features.documents import actions
from porchlight.features.documents.schemas import DocumentPayload, ReviewPayload
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.refusals import refusal
from tests.porchlight.documents.users import LICENSE, AdminUser, GuruUser, emails_to, run_jobs
from tests.porchlight.factories import insert_row

FIELDS = {"id", "uid", "type", "category", "provider", "number", "file_url", "status"}  # SPEC 3, pending document


async def test_rejected_document_can_be_resubmitted(
    app: Porchlight, ada: GuruUser, admin: AdminUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    first = await ada.submit_document()
    assert first["status"] == "pending"
    pending = next(document for document in await admin.pending() if document["id"] == first["id"])
    assert set(pending) >= FIELDS
    visible = {name: pending[name] for name in ("type", "category", "provider", "number", "file_url")}
    assert visible == {name: LICENSE[name] for name in visible}
    assert (pending["uid"], pending["status"]) == (str(ada.user_id), "pending")
    assert pending["owner_name"] == "Ada Alvarez"

    response = await admin.review(first, ada.user_id, "rejected", "The number cannot be read.")
    assert response.status_code == 200, response.text
    assert first["id"] not in {document["id"] for document in await admin.pending()}
    await run_jobs(database, app)
    await run_jobs(database, app)
    assert emails_to(service_db, ada.email) == [
        (
            "Please upload your license for Electrical again",
            "Hi,\n\nWe reviewed your license for Electrical and need a new copy.\n\n"
            "Reason: The number cannot be read.\n\n"
            "You can upload a new copy anytime. We'll review it again.\n\n"
            "Upload a new copy:\nhttp://porchlight.localhost/onboarding/documents\n\n"
            "-- \nYou're receiving this because you uploaded documents to Porchlight.\n",
        )
    ]

    second = await ada.submit_document(number="EL-2231-B")
    own = {document["id"]: document for document in await ada.documents()}
    assert (own[first["id"]]["status"], own[first["id"]]["reason"]) == ("rejected", "The number cannot be read.")
    assert own[second["id"]]["status"] == "pending"
    assert (await admin.review(second, ada.user_id, "approved")).status_code == 200
    await run_jobs(database, app)
    subject, plain = emails_to(service_db, ada.email)[-1]
    assert subject == "Your license for Electrical was approved"
    assert "It's valid through May 1, 2031." in plain

    history = await admin.history(ada.user_id)
    assert [(one["document"]["id"], [event["kind"] for event in one["events"]]) for one in history] == [
        (second["id"], ["submitted", "approved"]),
        (first["id"], ["submitted", "rejected"]),
    ]
    assert history[1]["events"][1]["note"] == "The number cannot be read."
    acts = service_db.execute(
        "SELECT action, details ->> 'reason' FROM audit_log WHERE subject_id = ANY (%s) ORDER BY id",
        [[first["id"], second["id"]]],
    ).fetchall()
    assert acts == [("document.reject", "The number cannot be read."), ("document.approve", "")]
    assert fault(service_db) is None


async def test_concurrent_reviews_have_one_winner(
    app: Porchlight, ada: GuruUser, admin: AdminUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    document = await ada.submit_document()
    responses = await asyncio.gather(
        *(admin.review(document, ada.user_id, status) for status in ("approved", "rejected") * 4)
    )
    assert sorted(response.status_code for response in responses) == [200] + [409] * 7
    assert {response.json()["error"]["code"] for response in responses if response.status_code == 409} == {
        "already_decided"
    }
    await run_jobs(database, app)
    assert len(emails_to(service_db, ada.email)) == 1
    done = service_db.execute(
        "SELECT count(*) FROM document_events WHERE document_id = %s AND kind IN ('approved', 'rejected')",
        [document["id"]],
    ).fetchone()
    assert done == (1,)


async def test_failed_review_is_rolled_back(
    ada: GuruUser, database: Database, service_db: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = await ada.submit_document()

    def broken(*_args: object) -> None:
        raise RuntimeError("the power went out")

    monkeypatch.setattr(actions, "record", broken)
    with pytest.raises(RuntimeError), psycopg.connect(database.service_url) as conn:
        actions.review_document(
            conn,
            "staff",
            ada.user_id,
            UUID(document["id"]),
            ReviewPayload(status="approved", reason=""),
        )
    assert (await ada.documents())[0]["status"] == "pending"
    events = service_db.execute("SELECT kind FROM document_events WHERE document_id = %s", [document["id"]]).fetchall()
    assert events == [("submitted",)]


async def test_other_users_document_equals_unknown_one(ada: GuruUser, ben: GuruUser, admin: AdminUser) -> None:
    document = await ada.submit_document()
    foreign = await admin.review(document, ben.user_id, "approved")
    unknown = await admin.review({"id": str(new_id())}, ben.user_id, "approved")
    assert (foreign.status_code, foreign.json()) == (404, unknown.json())
    assert await ben.documents() == []
    assert (await admin.review({"id": "none"}, ben.user_id, "approved")).status_code == 404
    # Another user's upload is treated like an unknown one.
    response = await ada.submit(file_url="", file_id=str(new_id()))
    assert (response.status_code, list(response.json()["error"]["fields"])) == (422, ["file_id"])


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
        ({"file_url": ""}, "file_id"),
        ({"number": " "}, "number"),
        ({"type": "insurance", "number": ""}, "number"),
        ({"type": "insurance", "expires_on": ""}, "expires_on"),
        ({"type": "auto", "provider": ""}, "provider"),
        ({"type": "cert", "provider": ""}, "provider"),
        ({"status": "approved"}, "status"),
        ({"uid": "x"}, "uid"),
    ],
)
async def test_document_invalid_field_is_named_and_not_stored(
    ada: GuruUser, changes: dict[str, str], field: str
) -> None:
    response = await ada.submit(**changes)
    assert response.status_code == 422, response.text
    assert list(response.json()["error"]["fields"]) == [field]
    assert await ada.documents() == []


async def test_document_empty_fields_are_accepted(ada: GuruUser) -> None:
    document = await ada.submit_document(
        type="id", category="", provider="", number="", issued_on="", expires_on="", file_url="HTTPS://Files.example/a"
    )
    assert (document["issued_on"], document["expires_on"], document["file_url"]) == (
        None,
        None,
        "https://Files.example/a",
    )


async def test_document_with_only_a_type_is_refused_in_words(ada: GuruUser) -> None:
    response = await ada.web.post("/api/onboarding/documents", json={"type": "license"}, headers=ada.headers())
    assert response.status_code == 422, response.text
    assert response.json()["error"]["fields"] == {
        "number": "Enter the license or policy number.",
        "file_id": "Add a file or a link so we can review it.",
    }


async def test_document_without_file_is_never_approved(
    ada: GuruUser, admin: AdminUser, service_db: psycopg.Connection[Any]
) -> None:
    document_id = new_id()
    row = {"user_id": ada.user_id, "id": document_id, "type": "license", "status": "incomplete"}
    insert_row(service_db, "documents", row)
    assert [document["status"] for document in await ada.documents()] == ["incomplete"]
    assert str(document_id) not in {document["id"] for document in await admin.pending()}
    for status in ("approved", "rejected"):
        response = await admin.review({"id": str(document_id)}, ada.user_id, status)
        assert (response.status_code, response.json()["error"]["code"]) == (409, "nothing_to_review")
    for status in ("pending", "approved"):
        with pytest.raises(psycopg.errors.CheckViolation, match="viewable"):
            service_db.execute("UPDATE documents SET status = %s WHERE id = %s", [status, document_id])
    assert [document["status"] for document in await ada.documents()] == ["incomplete"]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(address=st.one_of(st.text(max_size=60), st.from_regex(r"\A[a-zA-Z]{1,10}:.{0,40}\Z")))
def test_document_link_accepts_https_only(address: str) -> None:
    try:
        taken = DocumentPayload.model_validate({"type": "id", "file_url": address}).file_url
    except ValueError:
        return
    assert taken == "" or taken.startswith("https://")


async def test_too_many_pending_documents_are_limited(
    database: Database, app: Porchlight, ada: GuruUser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MAX_PENDING_DOCUMENTS", 2)
    monkeypatch.setattr(app.settings, "limits", "on")
    await ada.submit_document()
    await ada.submit_document()
    response = await ada.submit()
    assert (response.status_code, "retry-after" in response.headers) == (429, True)


async def test_review_without_admin_session_is_rejected(web: httpx.AsyncClient, ada: GuruUser) -> None:
    document = await ada.submit_document()
    for method, path in (
        ("GET", "/api/documents/pending"),
        ("GET", f"/api/documents/{ada.user_id}"),
        ("POST", f"/api/documents/{ada.user_id}/{document['id']}/status"),
        ("POST", f"/api/documents/{ada.user_id}/{document['id']}/openings"),
    ):
        for headers in ({}, ada.headers()):
            response = await web.request(method, path, json={"status": "approved"}, headers=headers)
            assert refusal(response) == (401, "unauthenticated"), path
    for response in (
        await web.post("/api/onboarding/documents", json=LICENSE),
        await web.post("/api/onboarding/documents/files?name=a", content=b"%PDF-1.7"),
    ):
        assert refusal(response) == (401, "unauthenticated")
    assert [(kept["id"], kept["status"]) for kept in await ada.documents()] == [(document["id"], "pending")]


async def test_review_from_other_origin_is_forbidden(ada: GuruUser, admin: AdminUser) -> None:
    document = await ada.submit_document()
    admin.headers["origin"] = "http://cooking.porchlight.localhost"
    assert (await admin.review(document, ada.user_id, "approved")).status_code == 403
    assert (await ada.documents())[0]["status"] == "pending"


async def test_pending_documents_are_paged_oldest_first(
    ada: GuruUser, admin: AdminUser, service_db: psycopg.Connection[Any]
) -> None:
    service_db.execute("DELETE FROM documents")
    submitted_ids = [(await ada.submit_document())["id"] for _ in range(23)]
    documents, cursor = [], ""
    while cursor is not None:
        response = await admin.web.get(f"/api/documents/pending{cursor and f'?cursor={cursor}'}", headers=admin.headers)
        page = response.json()["data"]
        documents += [document["id"] for document in page["pending"]]
        cursor = page["nextCursor"]
    assert documents == submitted_ids
    broken = await admin.web.get("/api/documents/pending?cursor=x", headers=admin.headers)
    assert broken.status_code == 422


async def test_external_link_access_is_recorded(ada: GuruUser, admin: AdminUser) -> None:
    document = await ada.submit_document()
    path = f"/api/documents/{ada.user_id}/{document['id']}/openings"
    assert (await admin.web.post(path, headers=admin.headers)).status_code == 200
    events = (await admin.history(ada.user_id))[0]["events"]
    assert [event["kind"] for event in events] == ["submitted", "opened"]


async def test_account_deletion_deletes_documents(
    app: Porchlight, ada: GuruUser, database: Database, service_db: psycopg.Connection[Any]
) -> None:
    await ada.submit_document()
    response = await ada.web.delete("/api/auth/account", headers=ada.headers())
    assert response.status_code == 200, response.text
    left = service_db.execute("SELECT count(*) FROM documents WHERE user_id = %s", [ada.user_id]).fetchone()
    assert left == (0,)
