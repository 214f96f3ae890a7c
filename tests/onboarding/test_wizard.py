"""The wizard's steps: kept as one goes, one's own, and never broken by what is sent."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.skills.catalogue import everything
from tests.onboarding.people import PROFILE, RISKY, SAFE, STRICT, Neighbour

EMPTY = {"displayName": "", "photoUrl": "", "city": "", "zip": "", "bio": ""}


async def _profile(who: Neighbour) -> Any:
    return await who.told("GET", "/profile")


async def test_a_newcomer_has_everything_before_them(ada: Neighbour) -> None:
    assert await ada.status() == {
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
    assert (await ada.told("GET", "/requirements")) == {"needed": []}


async def test_what_is_told_is_kept_and_is_nobody_elses(ada: Neighbour, ben: Neighbour) -> None:
    saved = await ada.told("POST", "/profile", PROFILE)
    assert saved == PROFILE | {"complete": True}
    assert await ada.told("POST", "/categories", {"categories": [SAFE, RISKY, SAFE]}) == {
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
    assert (await ben.told("GET", "/requirements")) == {"needed": []}


async def test_drafts_are_kept_however_unfinished(ada: Neighbour) -> None:
    typed = await ada.told("PUT", "/draft", {"displayName": "Ad", "photoUrl": "htt", "zip": "80"})
    assert typed == EMPTY | {"displayName": "Ad", "photoUrl": "htt", "zip": "80", "complete": False}
    # What is not named stays.
    await ada.told("PUT", "/draft", {"city": "Denver", "bio": "I bake.", "displayName": "Ada"})
    assert not (await _profile(ada))["complete"]
    await ada.told("PUT", "/draft", {"photoUrl": "", "zip": "80202", "subdomain": "Ada-Bakes"})
    kept = await _profile(ada)
    assert kept == {"displayName": "Ada", "photoUrl": "", "city": "Denver", "zip": "80202", "bio": "I bake."} | {
        "complete": True
    }
    assert (await ada.status())["subdomain"] == "ada-bakes"
    # A finished profile that is taken apart again is no longer one.
    await ada.told("PUT", "/draft", {"bio": ""})
    assert not (await ada.status())["step"]["profileComplete"]


async def test_saves_at_once_end_in_one_of_them(ada: Neighbour) -> None:
    answers = await asyncio.gather(
        *(ada.call("PUT", "/draft", {"city": f"City {n}", "bio": f"Bio {n}"}) for n in range(8)),
        *(ada.call("POST", "/categories", {"categories": [SAFE] if n % 2 else [RISKY, STRICT]}) for n in range(6)),
    )
    assert {answer.status_code for answer in answers} == {200}
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
        ("displayName", "Ada\u202egnp.exe"),
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
async def test_a_wrong_field_is_named_and_nothing_is_written(ada: Neighbour, field: str, value: Any) -> None:
    answer = await ada.call("POST", "/profile", PROFILE | {field: value})
    assert answer.status_code == 422
    assert field in answer.json()["error"]["fields"]
    assert await _profile(ada) == EMPTY | {"complete": False}


@pytest.mark.parametrize("missing", ["displayName", "city", "zip", "bio"])
async def test_every_required_field_is_required(ada: Neighbour, missing: str) -> None:
    answer = await ada.call("POST", "/profile", {name: value for name, value in PROFILE.items() if name != missing})
    assert answer.status_code == 422
    assert answer.json()["error"]["fields"] == {missing: "This field is required."}


@pytest.mark.parametrize(
    "sent",
    [
        {"categories": ["no-such-thing"]},
        {"categories": [SAFE, "driving"]},  # announced, not on offer
        {"categories": ["'; DROP TABLE gurus; --"]},
        {"categories": [""]},
        {"categories": ["x"] * 41},
        {"categories": SAFE},
        {"categories": [1]},
        {"categories": None},
        {},
        [],
    ],
)
async def test_wrong_categories_change_nothing(ada: Neighbour, sent: Any) -> None:
    await ada.told("POST", "/categories", {"categories": [RISKY]})
    answer = await ada.call("POST", "/categories", sent)
    assert answer.status_code == 422, answer.text
    assert (await ada.status())["picks"] == {RISKY: True}


async def test_the_engine_asks_what_the_catalogue_says(ada: Neighbour) -> None:
    slugs = [category.slug for category in everything() if not category.coming_soon]
    await ada.told("POST", "/categories", {"categories": slugs})
    needed = (await ada.told("GET", "/requirements"))["needed"]
    assert [item["slug"] for item in needed] == slugs
    for item, category in zip(needed, (one for one in everything() if not one.coming_soon), strict=True):
        assert item["requirements"] == category.requirements
        assert item["riskLevel"] == category.risk
        wanted = [
            (kind, title)
            for kind, title, asked in (
                ("license", "License", category.requires_license),
                ("insurance", "General liability insurance $1M/$2M", category.requires_gl),
                ("auto", "Auto insurance", category.requires_auto_insurance),
            )
            if asked
        ]
        assert [(one["type"], one["title"], one["state"]) for one in item["documents"]] == [
            (kind, title, "missing") for kind, title in wanted
        ]
        assert item["submitted"] is item["approved"] is (not wanted)


async def test_a_document_counts_for_what_it_was_sent_for(ada: Neighbour, ben: Neighbour) -> None:
    async def states() -> dict[str, dict[str, str]]:
        needed = (await ada.told("GET", "/requirements"))["needed"]
        return {one["slug"]: {paper["type"]: paper["state"] for paper in one["documents"]} for one in needed}

    await ada.told("POST", "/categories", {"categories": [RISKY, STRICT]})
    ben.document("insurance", "", "approved")  # somebody else's counts for nobody but them
    ada.document("license", "", "approved")  # a licence is for one trade
    ada.document("cert", RISKY, "approved")  # not what is asked for
    assert await states() == {RISKY: {"insurance": "missing"}, STRICT: {"license": "missing", "insurance": "missing"}}
    ada.document("insurance", RISKY, "rejected")
    assert (await states())[RISKY] == {"insurance": "void"}
    ada.document("insurance", RISKY)
    assert (await states())[RISKY] == {"insurance": "pending"}
    assert (await states())[STRICT] == {"license": "missing", "insurance": "missing"}
    assert not (await ada.status())["step"]["requirementsComplete"]
    ada.document("insurance", "", "approved")  # insurance sent for no category in particular is for all
    ada.document("license", STRICT, "approved", expires_on="2020-01-01")  # over
    assert await states() == {RISKY: {"insurance": "approved"}, STRICT: {"license": "void", "insurance": "approved"}}
    ada.document("license", STRICT, "pending")
    assert (await ada.status())["step"]["requirementsComplete"]


async def test_a_payout_account_must_be_whole(ada: Neighbour, ben: Neighbour) -> None:
    ada.connect_payouts(details_submitted=False)
    assert not (await ada.status())["step"]["payoutConnected"]
    ada.conn.execute("UPDATE payout_accounts SET details_submitted = true WHERE user_id = %s", [ada.user_id])
    assert (await ada.status())["step"]["payoutConnected"]
    assert not (await ben.status())["step"]["payoutConnected"]


async def test_nobody_else_gets_in(web: httpx.AsyncClient, ada: Neighbour) -> None:
    for method, path in (("GET", "/status"), ("POST", "/profile"), ("PUT", "/draft"), ("POST", "/publish")):
        answer = await web.request(method, f"/api/onboarding{path}", json=PROFILE)
        assert answer.status_code == 401, path


async def test_erasing_the_account_erases_the_wizard(
    ada: Neighbour, overseer: psycopg.Connection[tuple[object, ...]]
) -> None:
    await ada.ready(SAFE)
    answer = await ada.web.delete("/api/auth/account", headers={"authorization": f"Bearer {ada.token}"})
    assert answer.status_code == 200, answer.text
    for table in ("onboardings", "category_picks"):
        query = f"SELECT count(*) FROM {table} WHERE user_id = %s".encode()
        assert overseer.execute(query, [ada.user_id]).fetchone() == (0,), table
