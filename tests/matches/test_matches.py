"""Who fits whom: through the real app, on real PostgreSQL, with the real model."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from tests.accounts.calls import bearer, registered
from tests.matches.people import Person, add, model, settle
from tests.support.databases import Database
from tests.support.identity import Emulator


async def _me(web: httpx.AsyncClient, emulator: Emulator, **told: Any) -> tuple[str, str, str]:
    """A neighbour who signed up: their token, uid and account's id."""
    _email, uid, token = emulator.sign_up()
    profile = await registered(web, token, **told)
    return token, uid, profile["id"]


async def _matches(web: httpx.AsyncClient, token: str, who: str, **query: Any) -> dict[str, Any]:
    answer = await web.get(f"/api/skills/matches/{who}", headers=bearer(token), params=query)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def _add(database: Database, *people: Person) -> list[UUID]:
    with psycopg.connect(database.overseer_url) as conn:
        return [add(conn, person) for person in people]


def _named(data: dict[str, Any], name: str) -> dict[str, Any] | None:
    found: dict[str, Any] | None = next((one for one in data["matches"] if one["user"]["name"] == name), None)
    return found


async def test_matches_with_their_reasons(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _me(
        web, emulator, skills={"offered": ["Sourdough baking"], "wanted": ["learn to play the guitar"]}
    )
    people = _add(
        database,
        Person("Both Ways", ["Guitar lessons"], ["bake my own bread"]),
        Person("Only Learns", [], ["Sourdough bread baking"], place="Boulder, Colorado"),
        Person("Far Away", ["Guitar lessons"], place="Seattle, Washington"),
        Person("Somebody Else", ["Bass fishing"], ["Chess"]),
    )
    await settle(database, [UUID(me), *people], model())
    data = await _matches(web, token, uid)
    assert data == await _matches(web, token, me)
    assert data["targetUserId"] == me
    assert "all-MiniLM-L6-v2" in data["algorithm"]
    first = data["matches"][0]
    assert first["user"]["name"] == "Both Ways"
    assert first["matchDetails"][:3] == [
        {"type": "direct_match", "teacherSkill": "Guitar lessons"},
        {"type": "reverse_match", "learnerWant": "bake my own bread"},
        {"type": "location_bonus", "city": "Denver, Colorado"},
    ]
    learner, far = _named(data, "Only Learns"), _named(data, "Far Away")
    assert learner is not None
    assert learner["matchDetails"][0] == {"type": "reverse_match", "learnerWant": "Sourdough bread baking"}
    assert far is not None, "what is taught online is found far away"
    assert all(detail["type"] != "location_bonus" for detail in far["matchDetails"])
    assert _named(data, "Somebody Else") is None
    scores = [one["matchScore"] for one in data["matches"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 100 for score in scores)
    assert len((await _matches(web, token, uid, limit=1))["matches"]) == 1
    high = await _matches(web, token, uid, minScore=scores[0])
    assert [one["matchScore"] for one in high["matches"]] == scores[:1]


async def test_taking_away_a_cited_skill_lowers_the_score(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _me(web, emulator, skills={"offered": ["Chess"], "wanted": ["Piano", "learn the keyboard"]})
    (teacher,) = _add(
        database,
        Person("Many Sided", ["Piano lessons", "Piano for adults", "Keyboard"], ["learn chess openings", "Chess"]),
    )
    await settle(database, [UUID(me), teacher], model())
    whole = _named(await _matches(web, token, uid), "Many Sided")
    assert whole is not None
    cited = [one for one in whole["matchDetails"] if one["type"] != "location_bonus"]
    assert len(cited) >= 4
    for detail in cited:
        column, skill = (
            ("skills_offered", detail["teacherSkill"])
            if detail["type"] == "direct_match"
            else ("skills_wanted", detail["learnerWant"])
        )
        with psycopg.connect(database.overseer_url) as conn:
            before = conn.execute(f"SELECT {column} FROM profiles WHERE user_id = %s".encode(), [teacher]).fetchone()
            assert before is not None
            rest = [one for one in before[0] if one["name"] != skill]
            change = f"UPDATE profiles SET {column} = %s WHERE user_id = %s".encode()
            conn.execute(change, [psycopg.types.json.Jsonb(rest), teacher])
        less = _named(await _matches(web, token, uid), "Many Sided")
        assert less is None or less["matchScore"] < whole["matchScore"], detail
        with psycopg.connect(database.overseer_url) as conn:
            conn.execute(change, [psycopg.types.json.Jsonb(before[0]), teacher])
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("UPDATE profiles SET location = 'Boulder, Colorado' WHERE user_id = %s", [teacher])
    await settle(database, [teacher], model())
    farther = _named(await _matches(web, token, uid), "Many Sided")
    assert farther is not None
    assert farther["matchScore"] < whole["matchScore"]


async def test_another_id_answers_like_an_unknown_one(
    web: httpx.AsyncClient,
    emulator: Emulator,
) -> None:
    _token, uid, me = await _me(web, emulator)
    other, _uid, _id = await _me(web, emulator)
    answers = [
        await web.get(f"/api/skills/matches/{who}", headers=bearer(other)) for who in (uid, me, str(uuid4()), "nobody")
    ]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.text for answer in answers}) == 1
    assert (await web.get(f"/api/skills/matches/{uid}")).status_code == 401
    for query in ({"limit": 0}, {"limit": 51}, {"minScore": -1}, {"minScore": 101}, {"minScore": "nan"}):
        answer = await web.get(f"/api/skills/matches/{me}", headers=bearer(_token), params=query)
        assert answer.status_code == 422, query


async def test_without_a_model_words_match_and_the_algorithm_says_so(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _me(web, emulator, skills={"offered": [], "wanted": ["Xylophone lessons"]})
    people = _add(database, Person("Plays It", ["Xylophone"]), Person("Slips", ["Xylofone lessons"]))
    await settle(database, [UUID(me), *people], None)
    data = await _matches(web, token, uid)
    assert "MiniLM" not in data["algorithm"]
    assert "words" in data["algorithm"]
    assert {one["user"]["name"] for one in data["matches"]} >= {"Plays It", "Slips"}


async def test_hidden_neighbours_match_nobody_and_hidden_places_tell_nothing(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _me(web, emulator, skills={"offered": [], "wanted": ["Glassblowing"]})
    people = _add(
        database,
        Person("Open", ["Glassblowing"]),
        Person("Private", ["Glassblowing"], shown={"is_public": False}),
        Person("Secretive", ["Glassblowing"], shown={"shows_skills": False}),
        Person("Placeless", ["Glassblowing"], shown={"shows_location": False}),
        Person("Gone", ["Glassblowing"]),
    )
    await settle(database, [UUID(me), *people], model())
    with psycopg.connect(database.overseer_url) as conn:
        conn.execute("DELETE FROM profiles WHERE user_id = %s", [people[-1]])
        left = conn.execute("SELECT count(*) FROM skill_offers WHERE user_id = %s", [people[-1]]).fetchone()
    assert left == (0,)
    data = await _matches(web, token, uid)
    assert {one["user"]["name"] for one in data["matches"]} == {"Open", "Placeless"}
    placeless = _named(data, "Placeless")
    assert placeless is not None
    assert placeless["miles"] is None
    assert [one["type"] for one in placeless["matchDetails"]] == ["direct_match"]


async def test_the_one_skill_to_offer(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, _uid, me = await _me(web, emulator, location="Fargo, North Dakota", skills={"offered": ["Chess"]})
    people = _add(
        database,
        *(Person(f"Learner {n}", [], ["Ukulele lessons"], place="Fargo, North Dakota") for n in range(3)),
        Person("Other", [], ["Sewing"], place="Fargo, North Dakota"),
        Person("Known", [], ["Chess"], place="Fargo, North Dakota"),
    )
    await settle(database, [UUID(me), *people], model())
    answer = await web.get("/api/skills/openings", headers=bearer(token))
    skills = answer.json()["data"]["skills"]
    assert skills[0] == {"skill": "Ukulele lessons", "people": 3}
    assert all(one["skill"] != "Chess" for one in skills)


def test_requests_reach_phrases_and_others_rows_by_functions_alone(database: Database) -> None:
    with psycopg.connect(database.app_url, autocommit=True) as conn:
        for table in ("phrases", "phrase_relations", "phrase_vectors", "swap_rings"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"SELECT * FROM {table}".encode())
        for table in ("skill_offers", "skill_wants", "whereabouts", "swap_ring_members"):
            assert conn.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() == (0,)
