"""Swap rings: found completely, never impossible, and settled by all three members."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.matches.emails import swap_ring_emails
from porchlight.features.matches.rings import NOTIFY_MEMBERS_TASK, RingLesson, find_rings, propose_rings
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.fixtures.jobs import running_job, service_job
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.auth.api_client import bearer_header, register_user
from tests.porchlight.matches.factories import UserData, embedding_model, insert_user, run_profile_jobs

_PEOPLE = [UUID(int=number) for number in range(1, 7)]


@given(
    st.lists(st.tuples(st.sampled_from(_PEOPLE), st.sampled_from(_PEOPLE)), max_size=25, unique=True),
    st.lists(st.integers(0, 7), min_size=6, max_size=6),
)
def test_find_rings_returns_each_possible_ring_once(pairs: list[tuple[UUID, UUID]], times: list[int]) -> None:
    free = dict(zip(_PEOPLE, times, strict=True))
    rings = list(find_rings((RingLesson(a, b, "chess", 0.9) for a, b in pairs), free))
    known = set(pairs)
    expected = {
        frozenset({(a, b), (b, c), (c, a)})
        for a in _PEOPLE for b in _PEOPLE for c in _PEOPLE
        if len({a, b, c}) == 3 and {(a, b), (b, c), (c, a)} <= known and free[a] & free[b] & free[c]
    }  # fmt: skip
    assert [frozenset((one.teacher, one.learner) for one in ring.lessons) for ring in rings].count(frozenset()) == 0
    assert {frozenset((one.teacher, one.learner) for one in ring.lessons) for ring in rings} == expected
    assert len(rings) == len(expected) == len({ring.digest for ring in rings})
    for ring in rings:
        assert ring.availability_bits == free[ring.members[0]] & free[ring.members[1]] & free[ring.members[2]] != 0


async def _three(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> list[tuple[str, UUID]]:
    skills = ["Sourdough baking", "Python programming", "Spanish conversation"]
    members: list[tuple[str, UUID]] = []
    for at in range(3):
        _email, _uid, token = emulator.sign_up(verified=True)
        row = {"offered": [skills[at]], "wanted": [skills[(at + 2) % 3]]}
        profile = await register_user(web, token, displayName=f"Member {at}", skills=row)
        await web.put("/api/auth/profile", json={"availability": "Monday evenings"}, headers=bearer_header(token))
        members.append((token, UUID(profile["id"])))
    await run_profile_jobs(database, [user for _token, user in members], embedding_model())
    return members


async def _rings(web: httpx.AsyncClient, token: str) -> list[dict[str, Any]]:
    response = await web.get("/api/skills/rings", headers=bearer_header(token))
    assert response.status_code == 200, response.text
    rings: list[dict[str, Any]] = response.json()["data"]["rings"]
    return rings


async def test_ring_is_proposed_and_agreed_by_all_members(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    members = await _three(web, emulator, database)
    with psycopg.connect(database.service_url) as conn:
        other = insert_user(
            conn,
            UserData("Never Free", ["Sourdough baking"], ["Spanish conversation"], availability="Sunday mornings"),
        )
        far = insert_user(
            conn,
            UserData("Far", ["Sourdough baking"], ["Spanish conversation"], "Pueblo, Colorado", "Monday evenings"),
        )
    await run_profile_jobs(database, [other, far], embedding_model())
    finding = service_job(database)
    (ring_id,) = propose_rings(finding)
    assert propose_rings(finding) == [], "users are checked only once after a change"
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE user_locations SET ring_check_due = true")
    assert propose_rings(finding) == [], "the same ring is proposed only once"
    for token, _person in members:
        (ring,) = await _rings(web, token)
        assert (ring["id"], ring["state"], ring["times"]) == (str(ring_id), "proposed", ["Monday evening"])
        assert {member["name"] for member in ring["members"]} == {"Member 0", "Member 1", "Member 2"}
        assert [member["you"] for member in ring["members"]].count(True) == 1
    with running_job(database, NOTIFY_MEMBERS_TASK, ring_id=str(ring_id)) as job, job.transaction() as conn:
        emails = swap_ring_emails(conn, ring_id, "https://porchlight.example")
    assert len({email.recipient for email in emails}) == 3
    assert all("teaches you" in email.text for email in emails)

    # A profile that turned private since is named by its first name, and has no page.
    private = {"privacy": {"publicProfile": False}, "firstName": "Mia"}
    assert (await web.put("/api/auth/profile", json=private, headers=bearer_header(members[1][0]))).status_code == 200
    (ring,) = await _rings(web, members[0][0])
    shown = {(member["name"], member["handle"] is None) for member in ring["members"]}
    assert shown == {("Member 0", False), ("Mia", True), ("Member 2", False)}
    with running_job(database, NOTIFY_MEMBERS_TASK, ring_id=str(ring_id)) as job, job.transaction() as conn:
        emails = swap_ring_emails(conn, ring_id, "https://porchlight.example")
    assert not any("Member 1" in email.text for email in emails)

    _email, _uid, stranger = emulator.sign_up()
    await register_user(web, stranger)
    for who in (ring_id, uuid4(), "nothing"):
        response = await web.post(
            f"/api/skills/rings/{who}", json={"answer": "accepted"}, headers=bearer_header(stranger)
        )
        assert response.status_code == 404
    # Simultaneous answers: exactly one of them settles the ring.
    responses = await asyncio.gather(
        *(
            web.post(f"/api/skills/rings/{ring_id}", json={"answer": "accepted"}, headers=bearer_header(token))
            for token, _person in members
        )
    )
    assert {response.status_code for response in responses} == {200}
    assert {(await _rings(web, token))[0]["state"] for token, _person in members} == {"agreed"}
    with psycopg.connect(database.superuser_url) as conn:
        jobs = conn.execute(
            "SELECT count(*) FROM jobs.procrastinate_jobs"
            " WHERE task_name = 'matches:notify_members' AND args ->> 'ring_id' = %s",
            [str(ring_id)],
        ).fetchone()
    assert jobs == (2,), "one when it is proposed, one when it is agreed"
    late = await web.post(
        f"/api/skills/rings/{ring_id}", json={"answer": "declined"}, headers=bearer_header(members[0][0])
    )
    assert late.status_code == 409


@pytest.mark.parametrize("answer", ["", "maybe", None])
async def test_invalid_ring_answers_are_rejected(web: httpx.AsyncClient, emulator: Emulator, answer: Any) -> None:
    _email, _uid, token = emulator.sign_up()
    await register_user(web, token)
    response = await web.post(f"/api/skills/rings/{uuid4()}", json={"answer": answer}, headers=bearer_header(token))
    assert list(invalid_fields(response)) == ["answer"]
