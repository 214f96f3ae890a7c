"""Demo neighbors: every demo guru has an owner."""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from porchlight.demo_data import gurus, neighbors
from tests.fixtures.databases import Database


def test_demo_gurus_get_owners_on_reload(new_database: Callable[[], Database]) -> None:
    database = new_database()
    gurus.load_all(database.service_url)
    neighbors.load_all(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM memberships")  # gurus without owners
    neighbors.load_all(database.service_url)
    with psycopg.connect(database.service_url) as conn:
        owners = conn.execute(
            "SELECT g.label, u.email FROM gurus g LEFT JOIN memberships m ON m.tenant_id = g.id"
            " LEFT JOIN users u ON u.user_id = m.user_id"
        ).fetchall()
        label, status = conn.execute(
            "SELECT g.label, g.status FROM users u JOIN memberships m USING (user_id)"
            " JOIN gurus g ON g.id = m.tenant_id WHERE u.email = 'rosa.delgado@example.com'"
        ).fetchone() or ("", "")
    assert len(owners) == len(gurus.labels())
    assert all(email for _, email in owners)
    assert (label, status) == ("cooking", "active")
