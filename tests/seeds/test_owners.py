"""Every guru of the stories is somebody's."""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from porchlight.seeds import neighbours, stories
from tests.support.databases import Database


def test_each_story_has_its_owner_also_when_told_again(new_database: Callable[[], Database]) -> None:
    database = new_database()
    stories.tell_all(database.overseer_url)
    neighbours.tell_all(database.overseer_url)
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("DELETE FROM memberships")  # a world of a time before owners were kept
    neighbours.tell_all(database.overseer_url)
    with psycopg.connect(database.overseer_url) as conn:
        owned = conn.execute(
            "SELECT g.label, u.email FROM gurus g LEFT JOIN memberships m ON m.tenant_id = g.id"
            " LEFT JOIN users u ON u.user_id = m.user_id"
        ).fetchall()
        label, status = conn.execute(
            "SELECT o.label, o.status FROM users u, app.guru_of(u.user_id) o WHERE u.email = 'rosa.delgado@example.com'"
        ).fetchone() or ("", "")
    assert len(owned) == len(stories.labels())
    assert all(email for _, email in owned)
    assert (label, status) == ("cooking", "active")
