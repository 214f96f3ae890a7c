"""The wizard's steps: stored per user, validated, safe against invalid input."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.catalog.catalog import all_categories
from tests.fixtures.refusals import invalid_fields, refusal
from tests.porchlight.onboarding.users import PROFILE, RISKY, SAFE, STRICT, Neighbor

EMPTY = {"displayName": "", "photoUrl": "", "city": "", "zip": "", "bio": ""}


async def _profile(user: Neighbor) -> Any:
    return await user.request_data("GET", "/profile")


async def test_wizard_new_user_starts_empty(ada: Neighbor) -> None:
    status = await ada.status()
    assert status.pop("services")["confirmed"] is False
    assert status.pop("skills") == {"confirmed": False, "skills": []}
    assert status == {
        "step": {
            "profileComplete": False,
            "categoriesComplete": False,
            "requirementsComplete": False,
            "payoutConnected": False,
            "reviewReady": False,
        },
        "profile": EMPTY,
        "picks": {},
        "docs": {},
        "subdomain": "",
        "site": None,
    }
    assert await _profile(ada) == EMPTY | {"complete": False}
    assert (await ada.request_data("GET", "/requirements")) == {"needed": []}


async def test_wizard_answers_are_stored_per_user(ada: Neighbor, ben: Neighbor) -> None:
    saved = await ada.request_data("POST", "/profile", PROFILE)
    assert saved == PROFILE | {"complete": True}
    assert await ada.request_data("POST", "/categories", {"categories": [SAFE, RISKY, SAFE]}) == {
        "categories": sorted([SAFE, RISKY])
    }
    document = ada.document("insurance", RISKY)
    status = await ada.status()
    assert status["profile"] == PROFILE
    assert status["picks"] == {SAFE: True, RISKY: True}
    assert status["docs"] == {
        str(document): {"id": str(document), "type": "insurance", "status": "pending", "category": RISKY}
    }
    assert status["step"] == {
        "profileComplete": True,
        "categoriesComplete": True,
        "requirementsComplete": True,
        "payoutConnected": False,
        "reviewReady": False,
    }
    other = await ben.status()
    assert (other["profile"], other["picks"], other["docs"]) == (EMPTY, {}, {})
    assert (await ben.request_data("GET", "/requirements")) == {"needed": []}


async def test_wizard_incomplete_draft_is_stored(ada: Neighbor) -> None:
    typed = await ada.request_data("PUT", "/draft", {"displayName": "Ad", "photoUrl": "htt", "zip": "80"})
    assert typed == EMPTY | {"displayName": "Ad", "photoUrl": "htt", "zip": "80", "complete": False}
    # What is not named stays.
    await ada.request_data("PUT", "/draft", {"city": "Denver", "bio": "I bake.", "displayName": "Ada"})
    assert not (await _profile(ada))["complete"]
    await ada.request_data("PUT", "/draft", {"photoUrl": "", "zip": "80202", "subdomain": "Ada-Bakes"})
    saved = await _profile(ada)
    assert saved == {"displayName": "Ada", "photoUrl": "", "city": "Denver", "zip": "80202", "bio": "I bake."} | {
        "complete": True
    }
    assert (await ada.status())["subdomain"] == "ada-bakes"
    # Removing a required text makes the profile incomplete again.
    await ada.request_data("PUT", "/draft", {"bio": ""})
    assert not (await ada.status())["step"]["profileComplete"]


async def test_wizard_concurrent_saves_keep_one(ada: Neighbor) -> None:
    responses = await asyncio.gather(
        *(ada.call("PUT", "/draft", {"city": f"City {n}", "bio": f"Bio {n}"}) for n in range(8)),
        *(ada.call("POST", "/categories", {"categories": [SAFE] if n % 2 else [RISKY, STRICT]}) for n in range(6)),
    )
    assert {response.status_code for response in responses} == {200}
    status = await ada.status()
    assert status["profile"]["city"].replace("City", "Bio") == status["profile"]["bio"]
    assert set(status["picks"]) in ({SAFE}, {RISKY, STRICT})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("displayName", ""),
        ("displayName", "   "),
        ("displayName", " "),
        ("displayName", "​‮"),
        ("displayName", "a" * 81),
        ("displayName", "two\nlines"),
        ("displayName", None),
        ("displayName", 7),
        ("city", ""),
        ("city", "c" * 81),
        ("zip", ""),
        ("zip", "80202; DROP TABLE"),
        ("zip", "-"),
        ("bio", ""),
        ("bio", " \n "),
        ("bio", "b" * 2001),
        ("bio", "nul\x00"),
        ("photoUrl", "picture.png"),
        ("photoUrl", "http://example.com/a.png"),
        ("photoUrl", "javascript:alert(1)"),
        ("photoUrl", "data:image/png;base64,AAAA"),
        ("photoUrl", "https://"),
        ("photoUrl", "https://user@example.com/a.png"),
        ("photoUrl", "https://example.com:8443/a.png"),
        ("photoUrl", "https://example.com/\"onerror='x"),
        ("photoUrl", "https://[::1"),
        ("photoUrl", "https://exämple.com/a.png"),
        ("surprise", "x"),
    ],
)
async def test_wizard_invalid_field_is_named_and_not_stored(ada: Neighbor, field: str, value: Any) -> None:
    response = await ada.call("POST", "/profile", PROFILE | {field: value})
    assert response.status_code == 422
    assert field in response.json()["error"]["fields"]
    assert await _profile(ada) == EMPTY | {"complete": False}


@pytest.mark.parametrize("missing", ["displayName", "city", "zip", "bio"])
async def test_wizard_missing_field_is_rejected(ada: Neighbor, missing: str) -> None:
    response = await ada.call("POST", "/profile", {name: value for name, value in PROFILE.items() if name != missing})
    assert response.status_code == 422
    assert response.json()["error"]["fields"] == {missing: "This field is required."}


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({"categories": ["no-such-thing"]}, "categories"),
        ({"categories": [SAFE, "driving"]}, "categories"),  # coming soon
        ({"categories": ["'; DROP TABLE gurus; --"]}, "categories"),
        ({"categories": [""]}, "categories.0"),
        ({"categories": ["x"] * 41}, "categories"),
        ({"categories": SAFE}, "categories"),
        ({"categories": [1]}, "categories.0"),
        ({"categories": None}, "categories"),
        ({}, "categories"),
        ([], "body"),
    ],
)
async def test_wizard_invalid_categories_are_rejected(ada: Neighbor, payload: Any, field: str) -> None:
    await ada.request_data("POST", "/categories", {"categories": [RISKY]})
    response = await ada.call("POST", "/categories", payload)
    assert list(invalid_fields(response)) == [field]
    assert (await ada.status())["picks"] == {RISKY: True}


async def test_required_documents_match_catalog(ada: Neighbor) -> None:
    slugs = [category.slug for category in all_categories() if not category.coming_soon]
    await ada.request_data("POST", "/categories", {"categories": slugs})
    needed = (await ada.request_data("GET", "/requirements"))["needed"]
    assert [item["slug"] for item in needed] == slugs
    for item, category in zip(needed, (user for user in all_categories() if not user.coming_soon), strict=True):
        assert item["requirements"] == category.requirements
        assert item["riskLevel"] == category.risk
        expected = [
            (kind, title)
            for kind, title, asked in (
                ("license", "License", category.requires_license),
                ("insurance", "General liability insurance $1M/$2M", category.requires_gl),
                ("auto", "Auto insurance", category.requires_auto_insurance),
            )
            if asked
        ]
        assert [(user["type"], user["title"], user["state"]) for user in item["documents"]] == [
            (kind, title, "missing") for kind, title in expected
        ]
        assert item["submitted"] is item["approved"] is (not expected)


async def test_document_counts_for_its_category_only(ada: Neighbor, ben: Neighbor) -> None:
    async def states() -> dict[str, dict[str, str]]:
        needed = (await ada.request_data("GET", "/requirements"))["needed"]
        return {user["slug"]: {paper["type"]: paper["state"] for paper in user["documents"]} for user in needed}

    await ada.request_data("POST", "/categories", {"categories": [RISKY, STRICT]})
    ben.document("insurance", "", "approved")  # another user's document has no effect
    ada.document("license", "", "approved")  # a license counts for one category only
    ada.document("cert", RISKY, "approved")  # another type of document
    assert await states() == {RISKY: {"insurance": "missing"}, STRICT: {"license": "missing", "insurance": "missing"}}
    ada.document("insurance", RISKY, "rejected")
    assert (await states())[RISKY] == {"insurance": "void"}
    ada.document("insurance", RISKY)
    assert (await states())[RISKY] == {"insurance": "pending"}
    assert (await states())[STRICT] == {"license": "missing", "insurance": "missing"}
    assert not (await ada.status())["step"]["requirementsComplete"]
    ada.document("insurance", "", "approved")  # insurance without a category counts for all
    ada.document("license", STRICT, "approved", expires_on="2020-01-01")  # expired
    assert await states() == {RISKY: {"insurance": "approved"}, STRICT: {"license": "void", "insurance": "approved"}}
    ada.document("license", STRICT, "incomplete", file_url="")
    assert not (await ada.status())["step"]["requirementsComplete"]
    ada.document("license", STRICT, "pending")
    assert (await ada.status())["step"]["requirementsComplete"]


async def test_incomplete_payout_account_is_not_connected(ada: Neighbor, ben: Neighbor) -> None:
    ada.connect_payouts(details_submitted=False)
    assert not (await ada.status())["step"]["payoutConnected"]
    ada.conn.execute("UPDATE payout_accounts SET details_submitted = true WHERE user_id = %s", [ada.user_id])
    assert (await ada.status())["step"]["payoutConnected"]
    assert not (await ben.status())["step"]["payoutConnected"]


async def test_wizard_signed_out_is_rejected(web: httpx.AsyncClient, ada: Neighbor) -> None:
    for method, path in (("GET", "/status"), ("POST", "/profile"), ("PUT", "/draft"), ("POST", "/publish")):
        response = await web.request(method, f"/api/onboarding{path}", json=PROFILE)
        assert refusal(response) == (401, "unauthenticated"), path
    assert await _profile(ada) == EMPTY | {"complete": False}


async def test_account_deletion_deletes_wizard_answers(
    ada: Neighbor, service_db: psycopg.Connection[tuple[object, ...]]
) -> None:
    await ada.ready(SAFE)
    response = await ada.web.delete("/api/auth/account", headers={"authorization": f"Bearer {ada.token}"})
    assert response.status_code == 200, response.text
    for table in ("onboardings", "category_picks"):
        query = f"SELECT count(*) FROM {table} WHERE user_id = %s".encode()
        assert service_db.execute(query, [ada.user_id]).fetchone() == (0,), table


async def test_new_site_starts_with_skills_offered_before(ada: Neighbor) -> None:
    await ada.request_data("POST", "/categories", {"categories": [SAFE]})
    assert (await ada.status())["skills"] == {"confirmed": False, "skills": []}
    own = [{"name": "Sourdough", "category": None}, {"name": "SOURDOUGH", "category": None}]
    ada.conn.execute("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", [Jsonb(own), ada.user_id])
    assert (await ada.status())["skills"] == {"confirmed": False, "skills": ["Sourdough"]}


async def test_skills_are_proposed_from_bio_and_categories(ada: Neighbor, ben: Neighbor) -> None:
    await ada.request_data("PUT", "/draft", {"bio": "I throw pots in my garage and show others how to center clay."})
    await ada.request_data("POST", "/categories", {"categories": [SAFE]})
    proposed = (await ada.request_data("GET", "/skill-proposals"))["skills"]
    assert proposed[:4] == ["Pottery", "Guitar", "Painting", "Photography"]
    assert len(proposed) == len({skill.casefold() for skill in proposed}) == 8
    assert (await ada.status())["skills"]["skills"] == []  # only proposed
    assert await ben.request_data("GET", "/skill-proposals") == {"skills": []}


async def test_confirmed_skills_replace_the_proposal(ada: Neighbor, ben: Neighbor) -> None:
    for skills in (
        ["Bread", "Soup"],
        ["Bread", "Bread", " "],
        ["x" * 41, "Bread", "Soup"],
        [f"{n}" for n in range(13)],
    ):
        response = await ada.call("PUT", "/skills", {"skills": skills})
        assert response.status_code == 422, skills
    saved = {"confirmed": True, "skills": ["Bread", "Soup", "Pie"]}
    assert await ada.request_data("PUT", "/skills", {"skills": ["Bread", "Soup", "Bread", "Pie"]}) == saved
    assert (await ada.status())["skills"] == saved
    assert not (await ben.status())["skills"]["confirmed"]


@pytest.mark.parametrize(
    ("city", "zip_code", "field", "words"),
    [
        ("Springfield", "80202", "city", "Did you mean Denver, Colorado; Springfield, Missouri"),
        ("Springfield", "62701", "city", "There is more than one Springfield. Did you mean Springfield, Illinois?"),
        ("Springfield", "SW1A 1AA", "city", "There is more than one Springfield."),
        ("Dever", "80202", "city", "Did you mean Denver, Colorado"),
        ("Xyzzy", "99999-1234", "city", "We couldn't find that place."),
        ("80 Elm Street", "80202", "city", "leave out ZIP code and street."),
        ("Denver", "02139", "zip", "The ZIP code 02139 isn't in Denver."),
    ],
)
async def test_wizard_unclear_town_is_refused(ada: Neighbor, city: str, zip_code: str, field: str, words: str) -> None:
    step = PROFILE | {"city": city, "zip": zip_code}
    response = await ada.call("POST", "/profile", step)
    assert response.status_code == 422
    assert words in response.json()["error"]["fields"][field]
    assert await _profile(ada) == EMPTY | {"complete": False}
    # A draft keeps what was typed, but is not complete.
    assert (await ada.request_data("PUT", "/draft", step)) == step | {"complete": False}


@pytest.mark.parametrize(
    ("city", "zip_code"),
    [("denver co", "80202-1234"), ("St Louis", "63101"), ("Springfield, Illinois", "62701"), ("Denver", "80299")],
)
async def test_wizard_town_is_kept_as_typed(ada: Neighbor, city: str, zip_code: str) -> None:
    saved = await ada.request_data("POST", "/profile", PROFILE | {"city": city, "zip": zip_code})
    assert (saved["city"], saved["zip"], saved["complete"]) == (city, zip_code, True)
