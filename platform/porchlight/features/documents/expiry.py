"""Expiry of documents, run by the worker: reminders 30, 7 and 1 days before, and the expiration itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from tenants.db.rows import Connection, fetch_all
from tenants.db.tasks import Job
from tenants.kit import clock
from tenants.kit.ids import new_id

PROCESS_EXPIRY_TASK = "documents:process_expiry"
REMINDER_DAYS = (30, 7, 1)
UNUSED_UPLOAD_TTL = timedelta(days=1)  # for uploads without a document

_DUE = "SELECT user_id, document_id, days, has_successor FROM app.due_documents(%s, %s::integer[])"
_EXPIRE = """
UPDATE documents SET status = 'lapsed'
 WHERE user_id = %s AND id = %s AND status = 'approved' AND expires_on < %s"""
_INSERT_REMINDER = """
INSERT INTO document_reminders (user_id, document_id, days)
SELECT user_id, id, %s FROM documents WHERE user_id = %s AND id = %s AND status = 'approved'
ON CONFLICT DO NOTHING"""
_EVENT = """
INSERT INTO document_events (user_id, document_id, id, kind, actor, note) VALUES (%s, %s, %s, %s, 'sweep', %s)"""
_ENQUEUE_EMAIL = "SELECT app.enqueue_document_email(%s, %s)"


class DueDocument(NamedTuple):
    """A document that has expired (`days` 0), or whose owner gets the reminder of `days` days."""

    user_id: UUID
    document_id: UUID
    days: int
    has_successor: bool


def process_document_expiry(job: Job, today: date) -> tuple[int, int]:
    """Expire documents and enqueue emails. Return the number of reminders and of expired documents.

    Safe to repeat on the same day. `job` is one of PROCESS_EXPIRY_TASK.
    """
    with job.transaction() as conn:
        due = fetch_all(conn, DueDocument, _DUE, [today, list(REMINDER_DAYS)])
    processed: list[DueDocument] = []
    for user_id, documents in groupby(due, attrgetter("user_id")):
        with job.for_user(user_id).transaction() as conn:
            processed += _process(conn, list(documents), today)
    expired = sum(document.days == 0 for document in processed)
    return len(processed) - expired, expired


def _process(conn: Connection, documents: Sequence[DueDocument], today: date) -> list[DueDocument]:
    """Expire a user's documents and record reminders. Return the documents that are still due."""
    processed = []
    for document in documents:
        user_id, document_id, days, has_successor = document
        if days == 0:
            count = conn.execute(_EXPIRE, [user_id, document_id, today]).rowcount
            event, note = "lapsed", ""
        else:
            count = conn.execute(_INSERT_REMINDER, [days, user_id, document_id]).rowcount
            event, note = "reminded", f"{days} days"
        if count == 0:  # it was changed in the meantime
            continue
        conn.execute(_EVENT, [user_id, document_id, new_id(), event, note])
        if days or not has_successor:
            conn.execute(_ENQUEUE_EMAIL, [document_id, days])
        processed.append(document)
    return processed


def delete_unused_uploads(conn: Connection) -> int:
    """Delete uploads without a document. A job deletes their files."""
    return conn.execute(
        "DELETE FROM document_files f WHERE f.created_at < %s"
        " AND NOT EXISTS (SELECT FROM documents d WHERE d.user_id = f.user_id AND d.file_id = f.id)",
        [clock.now() - UNUSED_UPLOAD_TTL],
    ).rowcount
