"""Matches: the real app on real PostgreSQL with the real model."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from porchlight.features.matches.rules import shown_by_plan
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.auth.api_client import bearer_header, register_user
from tests.porchlight.matches.factories import UserData, embedding_model, insert_user, run_profile_jobs
from tests.porchlight.plans.grants import grant_plan


async def _sign_up(web: httpx.AsyncClient, emulator: Emulator, **row: Any) -> tuple[str, str, str]:
    """Sign up a user and return their token, uid and user id."""
    _email, uid, token = emulator.sign_up()
    profile = await register_user(web, token, **row)
    return token, uid, profile["id"]


async def _matches(web: httpx.AsyncClient, token: str, who: str, **query: Any) -> dict[str, Any]:
    response = await web.get(f"/api/skills/matches/{who}", headers=bearer_header(token), params=query)
    assert response.status_code == 200, response.text
    data: dict[str, Any] = response.json()["data"]
    return data


def _add(database: Database, *people: UserData) -> list[UUID]:
    with psycopg.connect(database.service_url) as conn:
        return [insert_user(conn, user) for user in people]


def _named(data: dict[str, Any], name: str) -> dict[str, Any] | None:
    match: dict[str, Any] | None = next((one for one in data["matches"] if one["user"]["name"] == name), None)
    return match


async def test_matches_have_scores_and_reasons(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _sign_up(
        web, emulator, skills={"offered": ["Sourdough baking"], "wanted": ["learn to play the guitar"]}
    )
    people = _add(
        database,
        UserData("Both Ways", ["Guitar lessons"], ["bake my own bread"]),
        UserData("Only Learns", [], ["Sourdough bread baking"], location="Boulder, Colorado"),
        UserData("Far Away", ["Guitar lessons"], location="Seattle, Washington"),
        UserData("Someone Else", ["Bass fishing"], ["Chess"]),
    )
    grant_plan(database, me)
    await run_profile_jobs(database, [UUID(me), *people], embedding_model())
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
    assert far is not None, "online offers match at any distance"
    assert all(detail["type"] != "location_bonus" for detail in far["matchDetails"])
    assert _named(data, "Someone Else") is None
    scores = [one["matchScore"] for one in data["matches"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 100 for score in scores)
    assert len((await _matches(web, token, uid, limit=1))["matches"]) == 1
    high = await _matches(web, token, uid, minScore=scores[0])
    assert [one["matchScore"] for one in high["matches"]] == scores[:1]
    for user, blocked in ((me, people[0]), (people[0], me)):  # a block works both ways
        with psycopg.connect(database.service_url) as conn:
            conn.execute("DELETE FROM blocks")
            conn.execute("INSERT INTO blocks (user_id, blocked_id) VALUES (%s, %s)", [user, blocked])
        assert _named(await _matches(web, token, uid), "Both Ways") is None


async def test_reason_names_only_the_skill_that_fits(
    web: httpx.AsyncClient, emulator: Emulator, database: Database
) -> None:
    token, uid, me = await _sign_up(
        web, emulator, skills={"offered": ["Knitting"], "wanted": ["purl stitches and cable socks"]}
    )
    people = _add(
        database,
        UserData("Yarn Shop", ["Crochet", "Knitting lessons", "Sewing"], ["amigurumi crochet", "knit a scarf"]),
        UserData("Loosely Related", ["Sewing machine repair"]),
    )
    grant_plan(database, me)
    await run_profile_jobs(database, [UUID(me), *people], embedding_model())
    data = await _matches(web, token, uid)
    shop, loose = _named(data, "Yarn Shop"), _named(data, "Loosely Related")
    assert shop is not None
    assert [detail for detail in shop["matchDetails"] if detail["type"] != "location_bonus"] == [
        {"type": "direct_match", "teacherSkill": "Knitting lessons"},
        {"type": "reverse_match", "learnerWant": "knit a scarf"},
    ]
    assert loose is None, "someone without a skill that fits is no match"


async def test_match_score_drops_without_cited_skill(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _sign_up(
        web, emulator, skills={"offered": ["Chess"], "wanted": ["Piano", "learn the keyboard"]}
    )
    (teacher,) = _add(
        database,
        UserData("Many Sided", ["Piano lessons", "Piano for adults", "Keyboard"], ["learn chess openings", "Chess"]),
    )
    grant_plan(database, me)
    await run_profile_jobs(database, [UUID(me), teacher], embedding_model())
    whole = _named(await _matches(web, token, uid), "Many Sided")
    assert whole is not None
    cited = [one for one in whole["matchDetails"] if one["type"] != "location_bonus"]
    assert len(cited) >= 3
    for detail in cited:
        column, skill = (
            ("skills_offered", detail["teacherSkill"])
            if detail["type"] == "direct_match"
            else ("skills_wanted", detail["learnerWant"])
        )
        with psycopg.connect(database.service_url) as conn:
            before = conn.execute(f"SELECT {column} FROM profiles WHERE user_id = %s".encode(), [teacher]).fetchone()
            assert before is not None
            rest = [one for one in before[0] if one["name"] != skill]
            change = f"UPDATE profiles SET {column} = %s WHERE user_id = %s".encode()
            conn.execute(change, [psycopg.types.json.Jsonb(rest), teacher])
        less = _named(await _matches(web, token, uid), "Many Sided")
        assert less is None or less["matchScore"] < whole["matchScore"], detail
        with psycopg.connect(database.service_url) as conn:
            conn.execute(change, [psycopg.types.json.Jsonb(before[0]), teacher])
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE profiles SET location = 'Boulder, Colorado' WHERE user_id = %s", [teacher])
    await run_profile_jobs(database, [teacher], embedding_model())
    farther = _named(await _matches(web, token, uid), "Many Sided")
    assert farther is not None
    assert farther["matchScore"] < whole["matchScore"]


async def test_matches_of_other_user_return_404(
    web: httpx.AsyncClient,
    emulator: Emulator,
) -> None:
    _token, uid, me = await _sign_up(web, emulator)
    other, _uid, _id = await _sign_up(web, emulator)
    responses = [
        await web.get(f"/api/skills/matches/{who}", headers=bearer_header(other))
        for who in (uid, me, str(uuid4()), "unknown")
    ]
    assert {response.status_code for response in responses} == {404}
    assert len({response.text for response in responses}) == 1
    assert (await web.get(f"/api/skills/matches/{uid}")).status_code == 401
    for query in ({"limit": 0}, {"limit": 51}, {"minScore": -1}, {"minScore": 101}, {"minScore": "nan"}):
        response = await web.get(f"/api/skills/matches/{me}", headers=bearer_header(_token), params=query)
        assert response.status_code == 422, query


async def test_matches_without_model_use_words(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _sign_up(web, emulator, skills={"offered": [], "wanted": ["Xylophone lessons"]})
    people = _add(database, UserData("Plays It", ["Xylophone"]), UserData("Slips", ["Xylofone lessons"]))
    grant_plan(database, me)
    await run_profile_jobs(database, [UUID(me), *people], None)
    data = await _matches(web, token, uid)
    assert "MiniLM" not in data["algorithm"]
    assert "words" in data["algorithm"]
    assert {one["user"]["name"] for one in data["matches"]} >= {"Plays It", "Slips"}


async def test_hidden_users_and_locations_are_excluded_from_matches(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _sign_up(web, emulator, skills={"offered": [], "wanted": ["Glassblowing"]})
    people = _add(
        database,
        UserData("Open", ["Glassblowing"]),
        UserData("Private", ["Glassblowing"], overrides={"is_public": False}),
        UserData("Secretive", ["Glassblowing"], overrides={"shows_skills": False}),
        UserData("Placeless", ["Glassblowing"], overrides={"shows_location": False}),
        UserData("Gone", ["Glassblowing"]),
    )
    grant_plan(database, me)
    await run_profile_jobs(database, [UUID(me), *people], embedding_model())
    with psycopg.connect(database.service_url) as conn:
        conn.execute("DELETE FROM profiles WHERE user_id = %s", [people[-1]])
        left = conn.execute("SELECT count(*) FROM skill_offers WHERE user_id = %s", [people[-1]]).fetchone()
    assert left == (0,)
    data = await _matches(web, token, uid)
    assert {one["user"]["name"] for one in data["matches"]} == {"Open", "Placeless"}
    placeless = _named(data, "Placeless")
    assert placeless is not None
    assert placeless["miles"] is None
    assert [one["type"] for one in placeless["matchDetails"]] == ["direct_match"]


async def test_suggested_skill_has_most_new_matches(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, _uid, me = await _sign_up(web, emulator, location="Fargo, North Dakota", skills={"offered": ["Chess"]})
    people = _add(
        database,
        *(UserData(f"Learner {n}", [], ["Ukulele lessons"], location="Fargo, North Dakota") for n in range(3)),
        UserData("Other", [], ["Sewing"], location="Fargo, North Dakota"),
        UserData("Known", [], ["Chess"], location="Fargo, North Dakota"),
    )
    grant_plan(database, me)
    await run_profile_jobs(database, [UUID(me), *people], embedding_model())
    response = await web.get("/api/skills/openings", headers=bearer_header(token))
    skills = response.json()["data"]["skills"]
    assert skills[0] == {"skill": "Ukulele lessons", "people": 3}
    assert all(one["skill"] != "Chess" for one in skills)


def test_app_role_cannot_read_phrases_or_foreign_rows(database: Database) -> None:
    with psycopg.connect(database.app_url, autocommit=True) as conn:
        for table in ("phrases", "phrase_relations", "phrase_vectors", "swap_rings"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"SELECT * FROM {table}".encode())
        for table in ("skill_offers", "skill_wants", "user_locations", "swap_ring_members"):
            assert conn.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() == (0,)


async def test_plan_decides_how_many_matches_are_shown(
    web: httpx.AsyncClient,
    emulator: Emulator,
    database: Database,
) -> None:
    token, uid, me = await _sign_up(web, emulator, skills={"offered": ["Juggling"], "wanted": ["Theremin"]})
    both_ways = [UserData(f"Juggler {number}", ["Theremin"], ["Juggling"]) for number in range(3)]
    people = _add(database, *(UserData(f"Player {number}", ["Theremin"]) for number in range(4)), *both_ways)
    await run_profile_jobs(database, [UUID(me), *people], None)
    community = await _matches(web, token, uid)
    names = {one["user"]["name"] for one in community["matches"]}
    assert names >= {user.name for user in both_ways}, "those who fit both ways are in all plans"
    assert (len(names), community["moreWithPlan"]) == (5, 2)
    first = await _matches(web, token, uid, limit=2)
    assert (len(first["matches"]), first["moreMatches"], first["moreWithPlan"]) == (2, 3, 2)
    grant_plan(database, me)
    sharer = await _matches(web, token, uid)
    assert (len(sharer["matches"]), sharer["moreWithPlan"]) == (7, 0)
    assert sharer["matches"][:5] == community["matches"]


def test_shown_by_plan_counts_only_one_way_matches() -> None:
    assert shown_by_plan([False, True, False, False, True], 2) == [True, True, True, False, True]
    assert shown_by_plan([False, True], 0) == [False, True]
    assert shown_by_plan([False] * 4, float("inf")) == [True] * 4
