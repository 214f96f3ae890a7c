"""Swap rings: found where they are, none that is impossible, and settled by all three."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.matches.rings import Lesson, find_rings, propose_rings
from porchlight.notices.rings import letters_about_ring
from tests.accounts.calls import bearer, registered
from tests.matches.people import Person, add, model, settle
from tests.support.databases import Database
from tests.support.identity import Emulator

_PEOPLE = [UUID(int=number) for number in range(1, 7)]


@given(
    st.lists(st.tuples(st.sampled_from(_PEOPLE), st.sampled_from(_PEOPLE)), max_size=25, unique=True),
    st.lists(st.integers(0, 7), min_size=6, max_size=6),
)
def test_every_ring_is_found_once_and_none_is_impossible(pairs: list[tuple[UUID, UUID]], times: list[int]) -> None:
    free = dict(zip(_PEOPLE, times, strict=True))
    found = list(find_rings((Lesson(a, b, "chess", 0.9) for a, b in pairs), free))
    known = set(pairs)
    wanted = {
        frozenset({(a, b), (b, c), (c, a)})
        for a in _PEOPLE for b in _PEOPLE for c in _PEOPLE
        if len({a, b, c}) == 3 and {(a, b), (b, c), (c, a)} <= known and free[a] & free[b] & free[c]
    }  # fmt: skip
    assert [frozenset((one.teacher, one.learner) for one in ring.lessons) for ring in found].count(frozenset()) == 0
    assert {frozenset((one.teacher, one.learner) for one in ring.lessons) for ring in found} == wanted
    assert len(found) == len(wanted) == len({ring.digest for ring in found})
    for ring in found:
        assert ring.free == free[ring.members[0]] & free[ring.members[1]] & free[ring.members[2]] != 0


async def _three(web: httpx.AsyncClient, emulator: Emulator, database: Database) -> list[tuple[str, UUID]]:
    skills = ["Sourdough baking", "Python programming", "Spanish conversation"]
    made: list[tuple[str, UUID]] = []
    for at in range(3):
        _email, _uid, token = emulator.sign_up()
        told = {"offered": [skills[at]], "wanted": [skills[(at + 2) % 3]]}
        profile = await registered(web, token, displayName=f"Member {at}", skills=told)
        await web.put("/api/auth/profile", json={"availability": "Monday evenings"}, headers=bearer(token))
        made.append((token, UUID(profile["id"])))
    await settle(database, [person for _token, person in made], model())
    return made


async def _rings(web: httpx.AsyncClient, token: str) -> list[dict[str, Any]]:
    answer = await web.get("/api/skills/rings", headers=bearer(token))
    assert answer.status_code == 200, answer.text
    rings: list[dict[str, Any]] = answer.json()["data"]["rings"]
    return rings


async def test_a_ring_is_proposed_to_all_three_and_settled_by_all(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    members = await _three(web, emulator, database)
    with psycopg.connect(database.overseer_url) as conn:
        other = add(conn, Person("Never Free", ["Sourdough baking"], ["Spanish conversation"], free="Sunday mornings"))
        far = add(
            conn,
            Person("Far", ["Sourdough baking"], ["Spanish conversation"], "Pueblo, Colorado", "Monday evenings"),
        )
    await settle(database, [other, far], model())
    (ring_id,) = propose_rings(database.overseer_url)
    assert propose_rings(database.overseer_url) == [], "the same three are asked once"
    for token, _person in members:
        (ring,) = await _rings(web, token)
        assert (ring["id"], ring["state"], ring["times"]) == (str(ring_id), "proposed", ["Monday evening"])
        assert {member["name"] for member in ring["members"]} == {"Member 0", "Member 1", "Member 2"}
        assert [member["you"] for member in ring["members"]].count(True) == 1
    with psycopg.connect(database.overseer_url) as conn:
        letters = letters_about_ring(conn, ring_id, "https://porchlight.example")
    assert len({letter.recipient for letter in letters}) == 3
    assert all("teaches you" in letter.plain for letter in letters)

    _email, _uid, stranger = emulator.sign_up()
    await registered(web, stranger)
    for who in (ring_id, uuid4(), "nothing"):
        answer = await web.post(f"/api/skills/rings/{who}", json={"answer": "accepted"}, headers=bearer(stranger))
        assert answer.status_code == 404
    # All at once: exactly one of the answers settles it.
    answers = await asyncio.gather(
        *(
            web.post(f"/api/skills/rings/{ring_id}", json={"answer": "accepted"}, headers=bearer(token))
            for token, _person in members
        )
    )
    assert {answer.status_code for answer in answers} == {200}
    assert {(await _rings(web, token))[0]["state"] for token, _person in members} == {"agreed"}
    with psycopg.connect(database.superuser_url) as conn:
        told = conn.execute(
            "SELECT count(*) FROM jobs.procrastinate_jobs"
            " WHERE task_name = 'tell_swap_ring' AND args ->> 'ring_id' = %s",
            [str(ring_id)],
        ).fetchone()
    assert told == (2,), "once when it was proposed, once when it was agreed on"
    late = await web.post(f"/api/skills/rings/{ring_id}", json={"answer": "declined"}, headers=bearer(members[0][0]))
    assert late.status_code == 409


@pytest.mark.parametrize("answer", ["", "maybe", None])
async def test_other_answers_are_refused(web: httpx.AsyncClient, emulator: Emulator, answer: Any) -> None:
    _email, _uid, token = emulator.sign_up()
    await registered(web, token)
    refused = await web.post(f"/api/skills/rings/{uuid4()}", json={"answer": answer}, headers=bearer(token))
    assert refused.status_code == 422
