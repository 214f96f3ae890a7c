"""The risk of a listing: on its page, on cards and in the editor; unknown listings wait for review."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.fixtures.refusals import REQUIRED, invalid_fields, refusal
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.named_users import CreateUser
from tests.porchlight.risk.labeled_activities import ENGINE, ActivitySet, rate_activities

assess, assess_offer = ENGINE.assess, ENGINE.assess_offer


async def _offer(user: ApiUser, title: str, details: str = "") -> dict[str, Any]:
    response = await user.request("POST", "/api/skills/offers", json={"title": title, "details": details})
    assert response.status_code == 201, response.text
    offer: dict[str, Any] = next(one for one in response.json()["data"]["offers"] if one["title"] == title)
    return offer


def _queue(database: Database, about: str) -> list[tuple[str, int]]:
    with psycopg.connect(database.service_url) as conn:
        return conn.execute(
            "SELECT activity, occurrences FROM risk_reviews WHERE activity LIKE %s ORDER BY id", [f"%{about}%"]
        ).fetchall()


@pytest.mark.parametrize("half", ["tuning", pytest.param("held-out", marks=pytest.mark.sweep)])
def test_dangerous_offer_is_never_low_in_title_or_details(half: ActivitySet) -> None:
    tea = "We meet on Saturdays and have tea."
    for one in rate_activities(half):
        if one.waiver_label == "high":
            assert assess_offer(one.activity, tea).level != "low", one
            assert assess_offer("What I know", one.activity).level != "low", one
            if assess("", one.activity).known:  # listings have no category
                assert assess_offer("Spanish", one.activity).level != "low", one


@pytest.mark.parametrize(
    ("title", "details", "rating", "known"),
    [
        ("Italian", "Rossini, grammar and what one says over coffee.", "low", True),
        ("Italian", "Afterwards we go skydiving.", "extreme", True),
        ("Woodworking", "", "high", True),
        ("Sourdough baking", "We feed a starter.", "medium", True),
        ("Zorbing of frogs", "", "medium", False),
        ("Zorbing of frogs", "Blorf and qwxz.", "medium", False),
        ("Zorbing of frogs", "With a chainsaw.", "high", True),
    ],
)
def test_offer_details_only_raise_risk_of_title(title: str, details: str, rating: str, known: bool) -> None:
    assessment = assess_offer(title, details)
    assert (assessment.rating, assessment.known) == (rating, known)
    assert assessment.reasons


async def test_page_card_and_preview_show_same_risk(create_user: CreateUser, web: httpx.AsyncClient) -> None:
    owner = await create_user("Ada")
    offer = await _offer(owner, "Chainsaw carving", "Owls out of trunks.")
    own = offer["risk"]
    assert (own["rating"], own["requiresWaiver"], own["known"]) == ("high", True, True)
    assert any("“chainsaw”" in reason for reason in own["reasons"])
    page = (await web.get(f"/api/skills/listings/{offer['id']}")).json()["data"]
    assert page["risk"] == own
    draft = await owner.request(
        "POST", "/api/skills/listing-risks", json={"title": "Chainsaw carving", "details": "Owls out of trunks."}
    )
    assert draft.json()["data"] == own
    hits = (await web.get("/api/search", params={"q": "chainsaw carving"})).json()["data"]["hits"]
    (hit,) = [one for one in hits if one["id"] == offer["id"]]
    assert hit["risk"] == own
    calm = {"formats": ["in_person"], "terms": ["swap"], "details": "Only of soap, by hand."}
    assert (await owner.request("PUT", f"/api/skills/offers/{offer['id']}", json=calm)).status_code == 200
    again = (await web.get(f"/api/skills/listings/{offer['id']}")).json()["data"]["risk"]
    assert again["rating"] == "high"  # by its title


async def test_unknown_offer_is_medium_and_queued_for_review(
    create_user: CreateUser, web: httpx.AsyncClient, database: Database
) -> None:
    owner = await create_user("Ada")
    risk = (await owner.request("POST", "/api/skills/listing-risks", json={"title": "Qvorxling of fqgs"})).json()[
        "data"
    ]
    assert (risk["rating"], risk["requiresWaiver"], risk["known"]) == ("medium", False, False)
    assert risk["reasons"][0].startswith("We don't know this activity yet.")
    assert _queue(database, "qvorxling") == []  # previews are not queued
    offer = await _offer(owner, "Qvorxling of fqgs")
    assert offer["risk"] == risk
    for _ in range(3):
        await web.get(f"/api/skills/listings/{offer['id']}")
        await owner.get("/api/skills/mine")
    assert _queue(database, "qvorxling") == [("qvorxling of fqgs", 1)]


async def test_profile_skill_is_queued_when_page_is_viewed(
    create_user: CreateUser, web: httpx.AsyncClient, database: Database
) -> None:
    owner = await create_user("Ada")
    skills = {"offered": ["Blimmeting"], "wanted": []}
    assert (await owner.request("PUT", "/api/auth/profile", json={"skills": skills})).status_code == 200
    with psycopg.connect(database.service_url) as conn:
        (offer,) = conn.execute("SELECT id FROM skill_offers WHERE user_id = %s", [owner.user_id]).fetchone() or ()
    assert (await web.get(f"/api/skills/listings/{offer}")).json()["data"]["risk"]["known"] is False
    assert _queue(database, "blimmeting") == [("blimmeting", 1)]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"title": REQUIRED}),
        ({"title": ""}, {"title": REQUIRED}),
        ({"title": "x" * 61}, {"title": "Use 60 characters or fewer."}),
        ({"title": "x", "details": "x" * 2001}, {"details": "Use 2000 characters or fewer."}),
    ],
)
async def test_invalid_risk_previews_are_rejected(
    create_user: CreateUser, body: dict[str, Any], fields: dict[str, str]
) -> None:
    owner = await create_user("Ada")
    assert invalid_fields(await owner.request("POST", "/api/skills/listing-risks", json=body)) == fields


async def test_risk_preview_signed_out_is_rejected(web: httpx.AsyncClient) -> None:
    response = await web.post("/api/skills/listing-risks", json={"title": "Bread"})
    assert refusal(response) == (401, "unauthenticated")
