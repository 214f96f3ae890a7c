"""Demo work for admins: a document and a report wait, once, and the document's file can be viewed."""

from __future__ import annotations

from pathlib import Path

import psycopg

from porchlight.demo_data import admin_queue, gurus, neighbors
from tests.fixtures.databases import Database
from tests.porchlight.app_client import create_settings


async def test_admin_queue_loaded_twice_has_one_of_each(database: Database, tmp_path: Path) -> None:
    gurus.load_all(database.service_url)
    neighbors.load_all(database.service_url)
    settings = create_settings(database, files_url=tmp_path.as_uri())
    assert [await admin_queue.load_all(settings) for _ in range(2)] == [1, 0]
    with psycopg.connect(database.service_url) as conn:
        documents = conn.execute(
            "SELECT d.status, f.key FROM documents d JOIN document_files f ON f.id = d.file_id"
        ).fetchall()
        reports = conn.execute("SELECT subject_kind, subject_name, status FROM reports").fetchall()
    assert [status for status, _key in documents] == ["pending"]
    assert (tmp_path / documents[0][1]).stat().st_size > 0
    assert reports == [("post", admin_queue.POST, "open")]
