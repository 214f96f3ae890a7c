"""Jobs of matches, run by a worker in the app role."""

from __future__ import annotations

import psycopg

from porchlight.features.matches.rings import FIND_SWAP_RINGS_TASK
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.matches.factories import UserData, embedding_model, insert_user

_SKILLS = ("Sourdough baking", "Python programming", "Spanish conversation")


async def test_find_swap_rings_informs_the_three_members(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        members = {
            insert_user(conn, UserData(f"Member {number}", [skill], [_SKILLS[number - 1]]))
            for number, skill in enumerate(_SKILLS)
        }
    await do_jobs(database, embedder=embedding_model())
    with psycopg.connect(database.service_url) as conn:
        enqueue_as_service(conn, FIND_SWAP_RINGS_TASK)
    await do_jobs(database)
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute(
            "SELECT m.user_id, u.email, r.state, l.ring_check_due FROM swap_ring_members m"
            " JOIN swap_rings r ON r.id = m.ring_id JOIN users u USING (user_id) JOIN user_locations l USING (user_id)"
        ).fetchall()
        recipients = conn.execute("SELECT recipient FROM dev_mailbox").fetchall()
    assert {row[0] for row in rows} == members
    assert {row[2:] for row in rows} == {("proposed", False)}
    assert sorted(address for (address,) in recipients) == sorted(row[1] for row in rows)
