"""What the risk engine does not know waits for staff; what they decide counts everywhere, in every worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.admin import risk_reviews
from porchlight.app import Porchlight
from porchlight.lists import PAGE
from porchlight.skills import risk
from porchlight.skills.catalogue import LEVELS, Level
from porchlight.skills.decisions import KEPT, Decisions, phrase_of
from tenants.kit.db import Database as Pools
from tenants.kit.ids import new_id
from tests.admin.test_staff import KEY, signed_in
from tests.angels.conftest import certificates, signer  # noqa: F401 - fixtures
from tests.angels.people import Neighbour, neighbour
from tests.platform_.world import BASE, serving, until, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, CertificateServer, Signer

PATH = "/api/admin/risk-reviews"


@dataclass(frozen=True)
class Office:
    """Staff at one worker, and a visitor of another."""

    web: httpx.AsyncClient
    elsewhere: httpx.AsyncClient
    staff: dict[str, str]
    database: Database
    signer: Signer

    async def gets(self, path: str = "", **query: Any) -> Any:
        """What staff read."""
        answer = await self.web.get(PATH + path, params=query, headers=self.staff)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def decides(self, review: str, level: str, *, replaces: str | None = None, note: str = "") -> httpx.Response:
        """Decide on an activity."""
        sent = {"level": level, "note": note, "replaces": replaces}
        return await self.web.put(f"{PATH}/{review}/decision", json=sent, headers=self.staff)

    async def asks(self, category: str, activity: str) -> Any:
        """What the other worker says of an activity; what nobody knows is queued by that."""
        sent = {"skillCategory": category, "activityDescription": activity}
        answer = await self.elsewhere.post("/api/liability/risk", json=sent)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def waiting(self, words: str) -> dict[str, Any]:
        """The activity in the queue that is called so."""
        (found,) = (await self.gets(search=words))["items"]
        return dict(found)

    async def comes(self, name: str) -> Neighbour:
        """Somebody new, at the other worker."""
        return await neighbour(self.elsewhere, self.signer, self.database, name)


@pytest.fixture(scope="module")
async def app(database: Database, certificates: CertificateServer) -> AsyncIterator[Porchlight]:  # noqa: F811
    parts = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
    async with serving(database, **parts) as made:
        yield made


@pytest.fixture(scope="module")
async def office(app: Porchlight, database: Database, signer: Signer) -> AsyncIterator[Office]:  # noqa: F811
    async with (
        serving(database, admin_key=KEY) as desk,
        visitor(desk, BASE) as web,
        visitor(app, BASE) as elsewhere,
    ):
        yield Office(web, elsewhere, await signed_in(web), database, signer)


async def _offer(person: Neighbour, title: str, details: str = "") -> dict[str, Any]:
    answer = await person.call("POST", "/api/skills/offers", json={"title": title, "details": details})
    assert answer.status_code == 201, answer.text
    return next(one for one in answer.json()["data"]["offers"] if one["title"] == title)


# --- what counts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decided", LEVELS)
def test_a_decision_stands_where_nothing_else_is_known(decided: Level) -> None:
    reason = f"Reviewed by our team: {decided} risk."
    of_activity = risk.assess("", "Quorvling", decided)
    assert (of_activity.rating, of_activity.reasons, of_activity.known) == (decided, (reason,), True)
    of_offer = risk.assess_offer("Quorvling", "Blorf and qwxz.", decided)
    assert (of_offer.rating, of_offer.reasons, of_offer.known) == (decided, (reason,), True)


@pytest.mark.parametrize("decided", LEVELS)
@pytest.mark.parametrize("words", ["Skydiving", "Chainsaw carving", "Sourdough baking", "Italian grammar"])
def test_a_decision_never_lowers_what_words_prove(words: str, decided: Level) -> None:
    for plain, found in (
        (risk.assess("", words), risk.assess("", words, decided)),
        (risk.assess_offer(words, ""), risk.assess_offer(words, "", decided)),
        (risk.assess_offer("Quorvling", words), risk.assess_offer("Quorvling", words, decided)),
    ):
        assert found.rating == max(plain.rating, decided, key=LEVELS.index)
        team = [reason for reason in found.reasons if reason.startswith("Reviewed by our team")]
        assert bool(team) is (found.rating == decided)


@pytest.mark.parametrize("decided", LEVELS)
def test_a_category_counts_besides(decided: Level) -> None:
    found = risk.assess("cooking", "Quorvling", decided)
    assert found.rating == max("medium", decided, key=LEVELS.index)
    assert found.known
    assert ("Waivers count cooking as medium risk." in found.reasons) is True


# --- the way of a phrase -------------------------------------------------------------------------------------------


async def test_a_decision_counts_wherever_the_phrase_is_judged(office: Office) -> None:
    owner, other = await office.comes("Ada"), await office.comes("Bob")
    offer = await _offer(owner, "Quorvling at dawn", "We meet at the pond.")
    await _offer(other, "quorvling  at DAWN")
    assert (offer["risk"]["rating"], offer["risk"]["known"]) == ("medium", False)
    waits = await office.waiting("quorvling")
    assert (waits["activity"], waits["category"], waits["level"]) == ("quorvling at dawn", "", None)
    assert (waits["listings"], waits["decidedAt"]) == (2, None)
    assert waits["risk"] == offer["risk"]
    whole = await office.gets(f"/{waits['id']}")
    assert [one["details"] for one in whole["examples"]] == ["We meet at the pond.", ""]

    decided = await office.decides(waits["id"], "high", note="Cold water, no light.")
    assert decided.status_code == 200, decided.text
    risk_now = decided.json()["data"]["risk"]
    reason = "Reviewed by our team: high risk."
    assert risk_now == {"rating": "high", "requiresWaiver": True, "reasons": [reason], "known": True}

    async def page() -> Any:
        return (await office.elsewhere.get(f"/api/skills/listings/{offer['id']}")).json()["data"]["risk"]

    async def told() -> bool:
        return bool(await page() == risk_now)

    await until("the other worker knows of the decision", told)
    own = (await owner.gets("/api/skills/mine"))["offers"]
    assert [one["risk"] for one in own] == [risk_now]
    draft = {"title": "QUORVLING at dawn", "details": "Something else."}
    written = await owner.call("POST", "/api/skills/listing-risks", json=draft)
    assert written.json()["data"] == risk_now
    hits = (await office.elsewhere.get("/api/search", params={"q": "quorvling at dawn"})).json()["data"]["hits"]
    assert [hit["risk"] for hit in hits if hit["id"] == offer["id"]] == [risk_now]
    activity = await office.asks("", "Quorvling at dawn")
    assert (activity["level"], activity["requiresContact"], activity["reasons"]) == ("high", True, [reason])
    # Words that prove more are believed, and the phrase waits for nobody any more.
    worse = await owner.call(
        "POST", "/api/skills/listing-risks", json={"title": "Quorvling at dawn", "details": "Then we go skydiving."}
    )
    assert worse.json()["data"]["rating"] == "extreme"
    assert (await office.gets(search="quorvling"))["items"] == []

    (done,) = (await office.gets(status="decided", search="quorvling"))["items"]
    assert (done["level"], done["risk"]) == ("high", risk_now)
    log = await office.web.get(f"/api/admin/audit?subject={waits['id']}", headers=office.staff)
    (act,) = log.json()["data"]["items"]
    assert (act["action"], act["details"]["level"], act["details"]["before"]) == ("risk.decide", "high", None)
    assert act["details"]["note"] == "Cold water, no light."

    # A decision is changed by who has seen it.
    assert (await office.decides(waits["id"], "low")).status_code == 409
    assert (await office.decides(waits["id"], "low", replaces="high")).status_code == 200

    async def lowered() -> bool:
        return bool((await page())["rating"] == "low")

    await until("the other worker knows of the other decision", lowered)
    again = await office.gets(f"/{waits['id']}")
    assert (again["note"], bool(again["decidedBy"])) == ("", True)


async def test_a_decision_in_a_category_is_that_categorys(office: Office) -> None:
    assert (await office.asks("Creative", "Blimmeting"))["known"] is False
    await office.asks("", "Blimmeting")
    both = {row["category"]: row for row in (await office.gets(search="blimmeting"))["items"]}
    assert set(both) == {"creative", ""}
    assert (await office.decides(both["creative"]["id"], "extreme")).status_code == 200

    async def told() -> bool:
        return bool((await office.asks("Creative", "Blimmeting"))["rating"] == "extreme")

    await until("the other worker knows", told)
    assert (await office.asks("", "Blimmeting"))["known"] is False
    assert (await office.asks("Cooking", "Blimmeting"))["known"] is False
    assert (await office.decides(both[""]["id"], "high")).status_code == 200

    async def everywhere() -> bool:
        return bool((await office.asks("Language", "blimmeting "))["rating"] == "high")

    await until("what is decided for the activity alone counts in other categories", everywhere)
    assert (await office.asks("Creative", "Blimmeting"))["rating"] == "extreme"


async def test_what_was_cut_off_is_never_low(office: Office) -> None:
    long = "quorvling " * 40
    await office.asks("", long)
    waits = await office.waiting("quorvling quorvling")
    whole = await office.gets(f"/{waits['id']}")
    assert (len(waits["activity"]), whole["cut"]) == (KEPT, True) == (risk_reviews.KEPT, True)
    assert (await office.decides(waits["id"], "low")).json()["data"]["risk"]["rating"] == "medium"

    async def told() -> bool:
        return bool((await office.asks("", long + "and more"))["known"])

    await until("the other worker knows", told)
    assert (await office.asks("", long + "and more"))["rating"] == "medium"


async def test_of_two_at_once_one_decides_and_the_others_are_told(office: Office) -> None:
    await office.asks("", "Snurfing of owls")
    waits = await office.waiting("snurfing of owls")
    answers = await asyncio.gather(*(office.decides(waits["id"], level) for level in (*LEVELS, *LEVELS)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    refused = next(answer for answer in answers if answer.status_code == 409)
    words = "A colleague decided on this meanwhile. Please look at it again."
    assert refused.json()["error"]["message"] == words
    won = next(answer for answer in answers if answer.status_code == 200).json()["data"]["level"]
    assert (await office.gets(f"/{waits['id']}"))["level"] == won
    log = await office.web.get(f"/api/admin/audit?subject={waits['id']}", headers=office.staff)
    assert [act["details"]["level"] for act in log.json()["data"]["items"]] == [won]


# --- the list ------------------------------------------------------------------------------------------------------


async def test_what_is_asked_about_most_comes_first_page_by_page(office: Office) -> None:
    with psycopg.connect(office.database.overseer_url, autocommit=True) as conn:
        made = [(new_id(), number % 3 + 1) for number in range(PAGE + 7)]
        for review, seen in made:
            words = f"paged {review.hex}"
            conn.execute("SELECT app.ask_risk_review(%s, '', %s, %s)", [review, words, review.bytes])
            conn.execute("UPDATE risk_reviews SET seen = %s WHERE id = %s", [seen, review])
    wanted = [str(review) for review, _seen in sorted(made, key=lambda one: (-one[1], one[0]))]
    first = await office.gets(search="paged ")
    assert len(first["items"]) == PAGE
    rest = await office.gets(search="paged ", cursor=first["nextCursor"])
    assert rest["nextCursor"] is None
    assert [row["id"] for row in (*first["items"], *rest["items"])] == wanted
    for review in wanted:
        assert (await office.decides(review, "low")).status_code == 200
    newest = await office.gets(search="paged ", status="decided")
    oldest = await office.gets(search="paged ", status="decided", cursor=newest["nextCursor"])
    assert [row["id"] for row in (*newest["items"], *oldest["items"])] == wanted[::-1]
    assert (await office.gets(search="paged "))["items"] == []


@pytest.mark.parametrize("cursor", ["x", "1.2", f"9999999999.{UUID(int=11)}", "1." + "z" * 36, "A" * 32, "%00"])
@pytest.mark.parametrize("status", ["waiting", "decided"])
async def test_what_was_never_a_cursor_is_refused(office: Office, cursor: str, status: str) -> None:
    query = {"cursor": cursor, "status": status}
    answer = await office.web.get(PATH, params=query, headers=office.staff)
    if (cursor, status) != ("A" * 32, "decided"):  # a time long ago
        assert answer.status_code == 422, answer.text


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"level": "low"},
        {"level": "harmless", "replaces": None},
        {"level": "low", "replaces": "never"},
        {"level": "low", "replaces": None, "note": "x" * 1001},
        {"level": "low", "replaces": None, "note": "\0"},
        {"level": "low", "replaces": None, "reason": "?"},
    ],
)
async def test_wild_decisions_are_refused(office: Office, body: dict[str, Any]) -> None:
    answer = await office.web.put(f"{PATH}/{new_id()}/decision", json=body, headers=office.staff)
    assert answer.status_code == 422
    for unknown in (str(new_id()), "nonsense"):
        assert (await office.decides(unknown, "low")).status_code == 404


# --- the workers' memory -------------------------------------------------------------------------------------------


async def test_what_was_known_last_counts_while_the_database_is_out(office: Office) -> None:
    phrase = phrase_of("", "Drumbling")
    await office.asks("", "Drumbling")
    waits = await office.waiting("drumbling")
    await office.decides(waits["id"], "high")
    async with Pools(office.database.app_url) as pools:
        decisions = Decisions(pools)
        assert await decisions.on(phrase, phrase_of("", "Never heard of")) == "high"
    decisions.changed()
    assert await decisions.on(phrase) == "high"  # the pools are closed
    async with Pools("postgresql://nobody@127.0.0.1:1/none") as nowhere:
        assert await Decisions(nowhere).on(phrase) is None


def test_requests_learn_levels_and_no_words(office: Office) -> None:
    with psycopg.connect(office.database.app_url) as conn:
        told = conn.execute("SELECT * FROM app.risk_decisions()")
        assert [column.name for column in told.description or ()] == ["digest", "level"]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("SELECT activity FROM risk_reviews")
