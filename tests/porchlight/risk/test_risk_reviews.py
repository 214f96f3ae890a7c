"""Risk reviews: unknown activities wait for an admin, whose decision applies in all workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.contracts import MAX_ACTIVITY_CHARACTERS, RISK_LEVELS, RiskLevel
from porchlight.features.risk.decisions import Decisions, phrase_of
from tenants.db.pool import Database as Pools
from tenants.kit.ids import new_id
from tenants.kit.pagination import PAGE_SIZE
from tests.fixtures import seeded
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, CertificateServer, Signer, certificates, signer  # noqa: F401 - fixtures
from tests.fixtures.refusals import NOT_A_CHOICE, REQUIRED, UNPRINTABLE, UNRECOGNIZED, invalid_fields, refusal
from tests.fixtures.timeouts import default_timeouts
from tests.porchlight.admin.api_client import ADMIN_KEY, sign_in_admin
from tests.porchlight.angels.users import ApiUser, register_user
from tests.porchlight.app_client import BASE_HOST, http_client, run_app, wait_until
from tests.porchlight.risk.labeled_activities import ENGINE

PATH = "/api/admin/risk-reviews"


@dataclass(frozen=True)
class ReviewArea:
    """An admin at one app instance, and a visitor at another."""

    web: httpx.AsyncClient
    other_web: httpx.AsyncClient
    staff: dict[str, str]
    database: Database
    signer: Signer

    async def get(self, path: str = "", **query: Any) -> Any:
        """Return the data of an admin's request."""
        response = await self.web.get(PATH + path, params=query, headers=self.staff)
        assert response.status_code == 200, response.text
        return response.json()["data"]

    async def decide(
        self, review_id: str, level: str, *, replaces: str | None = None, note: str = ""
    ) -> httpx.Response:
        """Decide on an activity."""
        payload = {"level": level, "note": note, "replaces": replaces}
        return await self.web.put(f"{PATH}/{review_id}/decision", json=payload, headers=self.staff)

    async def assess_activity(self, category: str, activity: str) -> Any:
        """Return the other instance's assessment of an activity, which queues an unknown one."""
        payload = {"skillCategory": category, "activityDescription": activity}
        response = await self.other_web.post("/api/liability/risk", json=payload)
        assert response.status_code == 200, response.text
        return response.json()["data"]

    async def waiting_review(self, words: str) -> dict[str, Any]:
        """Return the review with these words from the queue."""
        (review,) = (await self.get(search=words))["items"]
        return dict(review)

    async def register(self, name: str) -> ApiUser:
        """Register a user at the other instance."""
        return await register_user(self.other_web, self.signer, self.database, name)


@pytest.fixture(scope="module")
async def app(database: Database, certificates: CertificateServer) -> AsyncIterator[Porchlight]:  # noqa: F811
    """The instance of the visitor."""
    settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
    async with run_app(database, **settings) as app:
        yield app


@pytest.fixture(scope="module")
async def area(app: Porchlight, database: Database, signer: Signer) -> AsyncIterator[ReviewArea]:  # noqa: F811
    """An admin at another instance."""
    async with (
        run_app(database, admin_key=ADMIN_KEY) as admin_app,
        http_client(admin_app, BASE_HOST) as web,
        http_client(app, BASE_HOST) as other_web,
    ):
        yield ReviewArea(web, other_web, await sign_in_admin(web), database, signer)


async def _offer(user: ApiUser, title: str, details: str = "") -> dict[str, Any]:
    response = await user.request("POST", "/api/skills/offers", json={"title": title, "details": details})
    assert response.status_code == 201, response.text
    return next(one for one in response.json()["data"]["offers"] if one["title"] == title)


@pytest.mark.parametrize("decided", RISK_LEVELS)
def test_decision_applies_to_unknown_activity(decided: RiskLevel) -> None:
    reason = f"Reviewed by our team: {decided} risk."
    activity = ENGINE.assess("", "Qvorxling", decided)
    assert (activity.rating, activity.reasons, activity.known) == (decided, (reason,), True)
    offer = ENGINE.assess_offer("Qvorxling", "Blorf and qwxz.", decided)
    assert (offer.rating, offer.reasons, offer.known) == (decided, (reason,), True)


@pytest.mark.parametrize("decided", RISK_LEVELS)
@pytest.mark.parametrize("words", ["Chainsaw carving", "Sourdough baking", "Italian grammar"])
def test_decision_replaces_rating_of_read_words(words: str, decided: RiskLevel) -> None:
    assert ENGINE.assess("", words, decided).rating == decided
    assert ENGINE.assess_offer(words, "", decided).rating == decided


@pytest.mark.parametrize("decided", RISK_LEVELS)
@pytest.mark.parametrize(
    ("title", "details"), [("Skydiving", ""), ("Qvorxling", "Chainsaw carving"), ("Bread", "Chainsaw carving")]
)
def test_decision_never_lowers_details_or_extreme(title: str, details: str, decided: RiskLevel) -> None:
    undecided = ENGINE.assess_offer(title, details)
    for assessed in (ENGINE.assess_offer(title, details, decided),):
        assert assessed.rating == max(undecided.rating, decided, key=RISK_LEVELS.index)
        team = [reason for reason in assessed.reasons if reason.startswith("Reviewed by our team")]
        assert bool(team) is (assessed.rating == decided)


@pytest.mark.parametrize("decided", RISK_LEVELS)
def test_decision_is_combined_with_category_risk(decided: RiskLevel) -> None:
    assessed = ENGINE.assess("cooking", "Qvorxling", decided)
    assert assessed.rating == max("medium", decided, key=RISK_LEVELS.index)
    assert assessed.known
    reason = "Cooking is medium risk by our waiver rules."
    assert (reason in assessed.reasons) is (assessed.rating == "medium")


async def test_decision_applies_everywhere_in_all_workers(area: ReviewArea) -> None:
    owner, other = await area.register("Ada"), await area.register("Bob")
    offer = await _offer(owner, "Qvorxling of fqgs", "We talk about books.")
    await _offer(other, "qvorxling  of FQGS")
    assert (offer["risk"]["rating"], offer["risk"]["known"]) == ("medium", False)
    review = await area.waiting_review("qvorxling")
    assert (review["activity"], review["category"], review["level"]) == ("qvorxling of fqgs", "", None)
    assert (review["listings"], review["decidedAt"]) == (2, None)
    assert review["risk"] == offer["risk"]
    detail = await area.get(f"/{review['id']}")
    assert [one["details"] for one in detail["examples"]] == ["We talk about books.", ""]

    decided = await area.decide(review["id"], "high", note="Cold water, no light.")
    assert decided.status_code == 200, decided.text
    decided_risk = decided.json()["data"]["risk"]
    reason = "Reviewed by our team: high risk."
    assert decided_risk == {"rating": "high", "requiresWaiver": True, "reasons": [reason], "known": True}

    async def listing_risk() -> Any:
        return (await area.other_web.get(f"/api/skills/listings/{offer['id']}")).json()["data"]["risk"]

    async def is_decision_applied() -> bool:
        return bool(await listing_risk() == decided_risk)

    await wait_until("the other instance applies the decision", is_decision_applied)
    own_offers = (await owner.get("/api/skills/mine"))["offers"]
    assert [one["risk"] for one in own_offers] == [decided_risk]
    draft = {"title": "QVORXLING of fqgs", "details": "Something else."}
    previewed = await owner.request("POST", "/api/skills/listing-risks", json=draft)
    assert previewed.json()["data"] == decided_risk
    hits = (await area.other_web.get("/api/search", params={"q": "qvorxling of fqgs"})).json()["data"]["hits"]
    assert [hit["risk"] for hit in hits if hit["id"] == offer["id"]] == [decided_risk]
    activity = await area.assess_activity("", "Qvorxling of fqgs")
    assert (activity["level"], activity["requiresContact"], activity["reasons"]) == ("high", True, [reason])
    # Words with a higher risk still take precedence, and the review no longer waits.
    riskier = await owner.request(
        "POST", "/api/skills/listing-risks", json={"title": "Qvorxling of fqgs", "details": "Then we go skydiving."}
    )
    assert riskier.json()["data"]["rating"] == "extreme"
    assert (await area.get(search="qvorxling"))["items"] == []

    (decided_review,) = (await area.get(status="decided", search="qvorxling"))["items"]
    assert (decided_review["level"], decided_review["risk"]) == ("high", decided_risk)
    log = await area.web.get(f"/api/admin/audit?subject={review['id']}", headers=area.staff)
    (audit_event,) = log.json()["data"]["items"]
    assert (audit_event["action"], audit_event["details"]["level"], audit_event["details"]["before"]) == (
        "risk.decide",
        "high",
        None,
    )
    assert audit_event["details"]["note"] == "Cold water, no light."

    # Changing a decision requires the current one.
    assert (await area.decide(review["id"], "low")).status_code == 409
    assert (await area.decide(review["id"], "low", replaces="high")).status_code == 200

    async def is_lowered() -> bool:
        return bool((await listing_risk())["rating"] == "low")

    await wait_until("the other instance applies the new decision", is_lowered)
    updated = await area.get(f"/{review['id']}")
    assert (updated["note"], bool(updated["decidedBy"])) == ("", True)


async def test_decision_in_category_applies_only_there(area: ReviewArea) -> None:
    assert (await area.assess_activity("Creative", "Blimmeting"))["known"] is False
    await area.assess_activity("", "Blimmeting")
    reviews = {row["category"]: row for row in (await area.get(search="blimmeting"))["items"]}
    assert set(reviews) == {"creative", ""}
    assert (await area.decide(reviews["creative"]["id"], "extreme")).status_code == 200

    async def is_decision_applied() -> bool:
        return bool((await area.assess_activity("Creative", "Blimmeting"))["rating"] == "extreme")

    await wait_until("the other instance applies the decision", is_decision_applied)
    assert (await area.assess_activity("", "Blimmeting"))["known"] is False
    assert (await area.assess_activity("Cooking", "Blimmeting"))["known"] is False
    assert (await area.decide(reviews[""]["id"], "high")).status_code == 200

    async def is_applied_in_other_category() -> bool:
        return bool((await area.assess_activity("Language", "blimmeting "))["rating"] == "high")

    await wait_until("the decision without a category applies in other categories", is_applied_in_other_category)
    assert (await area.assess_activity("Creative", "Blimmeting"))["rating"] == "extreme"


async def test_truncated_activity_is_never_low_risk(area: ReviewArea) -> None:
    long_activity = "fqgs " * 80
    await area.assess_activity("", long_activity)
    review = await area.waiting_review("fqgs fqgs")
    detail = await area.get(f"/{review['id']}")
    assert (len(review["activity"]), detail["cut"]) == (MAX_ACTIVITY_CHARACTERS, True)
    assert (await area.decide(review["id"], "low")).json()["data"]["risk"]["rating"] == "medium"

    async def is_decision_applied() -> bool:
        return bool((await area.assess_activity("", long_activity + "and more"))["known"])

    await wait_until("the other instance applies the decision", is_decision_applied)
    assert (await area.assess_activity("", long_activity + "and more"))["rating"] == "medium"


async def test_concurrent_decisions_all_but_one_are_409(area: ReviewArea) -> None:
    await area.assess_activity("", "Snurfing of owls")
    review = await area.waiting_review("snurfing of owls")
    responses = await asyncio.gather(
        *(area.decide(review["id"], risk_level) for risk_level in (*RISK_LEVELS, *RISK_LEVELS))
    )
    assert sorted(response.status_code for response in responses) == [200] + [409] * 7
    rejected = next(response for response in responses if response.status_code == 409)
    message = "Someone else has already decided this. Please review it again."
    assert rejected.json()["error"] == {"code": "already_decided", "message": message}
    level = next(response for response in responses if response.status_code == 200).json()["data"]["level"]
    assert (await area.get(f"/{review['id']}"))["level"] == level
    log = await area.web.get(f"/api/admin/audit?subject={review['id']}", headers=area.staff)
    assert [event["details"]["level"] for event in log.json()["data"]["items"]] == [level]


async def test_risk_review_pages_are_sorted_by_occurrences(area: ReviewArea) -> None:
    with psycopg.connect(area.database.service_url, autocommit=True) as conn:
        created = [(new_id(), number % 3 + 1) for number in range(PAGE_SIZE + 7)]
        for review, occurrences in created:
            words = f"paged {seeded.text()}"
            conn.execute("SELECT app.request_risk_review(%s, '', %s, %s, 10000, 9)", [review, words, review.bytes])
            conn.execute("UPDATE risk_reviews SET occurrences = %s WHERE id = %s", [occurrences, review])
    expected = [str(review) for review, _occurrences in sorted(created, key=lambda one: (-one[1], one[0]))]
    first = await area.get(search="paged ")
    assert len(first["items"]) == PAGE_SIZE
    rest = await area.get(search="paged ", cursor=first["nextCursor"])
    assert rest["nextCursor"] is None
    assert [row["id"] for row in (*first["items"], *rest["items"])] == expected
    for review_id in expected:
        assert (await area.decide(review_id, "low")).status_code == 200
    newest = await area.get(search="paged ", status="decided")
    oldest = await area.get(search="paged ", status="decided", cursor=newest["nextCursor"])
    assert [row["id"] for row in (*newest["items"], *oldest["items"])] == expected[::-1]
    assert (await area.get(search="paged "))["items"] == []


@pytest.mark.parametrize("cursor", ["x", "1.2", f"9999999999.{UUID(int=11)}", "1." + "z" * 36, "A" * 32, "%00"])
@pytest.mark.parametrize("status", ["waiting", "decided"])
async def test_risk_review_list_with_invalid_cursor_is_422(area: ReviewArea, cursor: str, status: str) -> None:
    query = {"cursor": cursor, "status": status}
    response = await area.web.get(PATH, params=query, headers=area.staff)
    if (cursor, status) == ("A" * 32, "decided"):  # a valid cursor: a time long ago
        assert response.json()["data"]["items"] == []
    else:
        assert list(invalid_fields(response)) == ["cursor"]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"level": REQUIRED, "replaces": REQUIRED}),
        ({"level": "low"}, {"replaces": REQUIRED}),
        ({"level": "harmless", "replaces": None}, {"level": NOT_A_CHOICE}),
        ({"level": "low", "replaces": "never"}, {"replaces": NOT_A_CHOICE}),
        ({"level": "low", "replaces": None, "note": "x" * 1001}, {"note": "Use 1000 characters or fewer."}),
        ({"level": "low", "replaces": None, "note": "\0"}, {"note": UNPRINTABLE}),
        ({"level": "low", "replaces": None, "reason": "?"}, {"reason": UNRECOGNIZED}),
    ],
)
async def test_invalid_decision_is_422(area: ReviewArea, body: dict[str, Any], fields: dict[str, str]) -> None:
    response = await area.web.put(f"{PATH}/{new_id()}/decision", json=body, headers=area.staff)
    assert invalid_fields(response) == fields


@pytest.mark.parametrize("unknown_id", [str(UUID(int=1)), "nonsense"])
async def test_decision_of_unknown_review_is_404(area: ReviewArea, unknown_id: str) -> None:
    assert refusal(await area.decide(unknown_id, "low")) == (404, "not_found")


async def test_cached_decision_applies_during_database_outage(area: ReviewArea) -> None:
    phrase = phrase_of("", "Drumbling")
    await area.assess_activity("", "Drumbling")
    review = await area.waiting_review("drumbling")
    await area.decide(review["id"], "high")
    async with Pools(area.database.app_url) as pools:
        decisions = Decisions(pools)
        assert await decisions.level_of(phrase, phrase_of("", "Unknown")) == "high"
    decisions.on_change()
    assert await decisions.level_of(phrase) == "high"  # although the pools are closed
    with default_timeouts():  # of the product: the test waits for the pool's timeout
        async with Pools("postgresql://user@127.0.0.1:1/none") as closed_pools:
            assert await Decisions(closed_pools).level_of(phrase) is None


def test_app_role_reads_risk_levels_but_no_activities(area: ReviewArea) -> None:
    with psycopg.connect(area.database.app_url) as conn:
        conn.execute("SELECT digest, level FROM risk_reviews")
        for columns in ("activity", "*", "asked_by"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), conn.transaction():
                conn.execute(f"SELECT {columns} FROM risk_reviews".encode())
