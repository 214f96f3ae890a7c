"""Demo messages: sent once, with a request, a photo, a guru's thread and unread ones."""

from __future__ import annotations

from pathlib import Path

import psycopg

from porchlight.demo_data import gurus, messages, neighbors
from porchlight.demo_data.neighbors import neighbor_id
from tests.fixtures.databases import Database
from tests.porchlight.app_client import create_settings


async def test_messages_loaded_twice_are_sent_once(database: Database, tmp_path: Path) -> None:
    gurus.load_all(database.service_url)
    neighbors.load_all(database.service_url)
    settings = create_settings(database, files_url=tmp_path.as_uri())
    for _ in range(2):
        await messages.load_all(settings)
    with psycopg.connect(database.service_url) as conn:
        counts = conn.execute(
            "SELECT (SELECT count(*) FROM threads), (SELECT count(*) FROM messages),"
            " (SELECT count(*) FROM message_files WHERE thread_id IS NOT NULL),"
            " (SELECT count(*) FROM thread_members WHERE request),"
            " (SELECT count(*) FROM thread_members WHERE side = 'guru'),"
            " (SELECT count(*) FROM thread_members WHERE mail_due_at IS NOT NULL)"
        ).fetchone()
        unread = conn.execute(
            "SELECT unread FROM inboxes WHERE user_id = %s", [neighbor_id("maya.lindqvist@example.com")]
        ).fetchone()
    assert counts == (4, 10, 1, 1, 2, 0)
    assert unread == (4,)
