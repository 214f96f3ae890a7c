"""Operations by plan, through the API: quotas, parallel requests, lost plans and who may grant one."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import httpx
import psycopg
import pytest

from porchlight.plans.limits import LIMITS, PlanFeature
from porchlight.plans.plans import PlanSlug
from tests.fixtures.databases import Database
from tests.fixtures.images import png
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.factories import SeededGuru
from tests.porchlight.named_users import CreateUser
from tests.porchlight.plans.conftest import Publish
from tests.porchlight.plans.grants import apply_plan, end_plans, grant_plan, subscribe

COMMUNITY, SHARER, PREMIUM = PlanSlug.COMMUNITY, PlanSlug.SKILL_SHARER, PlanSlug.PREMIUM_ANGEL
PLANS = (COMMUNITY, SHARER, PREMIUM)
PRICED = {"terms": ["price"], "priceCents": 2500}
SERVICE = {"name": "Lesson", "priceCents": 4500, "durationMinutes": 60}
Kind = Literal["exchange", "priced"]


def _give(database: Database, user: ApiUser, plan: PlanSlug) -> None:
    if plan is not COMMUNITY:
        grant_plan(database, user.user_id, plan)


def _fill_offers(database: Database, user: ApiUser, kind: Kind, count: int) -> None:
    """Give the user offers, the later ones newer."""
    terms, price = ("{price}", 2500) if kind == "priced" else ("{swap}", None)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user.user_id)])
        skills = conn.execute(
            "UPDATE profiles SET skills_offered = skills_offered || (SELECT coalesce(jsonb_agg(jsonb_build_object("
            "'name', %s || n, 'level', NULL)), '[]') FROM generate_series(1, %s) n), is_public = true"
            " WHERE user_id = %s",
            [f"{kind} skill number ", count, user.user_id],
        )
        assert skills.rowcount == 1
        conn.execute(
            "UPDATE skill_offers SET terms = %s, price_cents = %s,"
            " created_at = app.now() - interval '1 day'"
            " + make_interval(secs => substring(title FROM '[0-9]+$')::integer) WHERE user_id = %s AND title LIKE %s",
            [terms, price, user.user_id, f"{kind} skill%"],
        )


def _fill_services(database: Database, guru: SeededGuru, count: int) -> None:
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "INSERT INTO services (tenant_id, id, name, price_cents, duration_minutes, position, created_at)"
            " SELECT %s, gen_random_uuid(), 'Service ' || n, 1000, 60, n, app.now() + make_interval(secs => n)"
            " FROM generate_series(1, %s) n",
            [guru.id, count],
        )


async def _offer(user: ApiUser, title: str, kind: Kind) -> httpx.Response:
    return await user.request(
        "POST", "/api/skills/offers", json={"title": title} | (PRICED if kind == "priced" else {})
    )


def _check_refusal(response: httpx.Response, feature: PlanFeature, plan: PlanSlug, used: int) -> None:
    """Expect a 402 that names a better plan, or at the largest plan a 409."""
    error = response.json()["error"]
    if plan is PREMIUM:
        assert (response.status_code, error["code"]) == (409, "limit_reached"), response.text
    else:
        assert (response.status_code, error["code"]) == (402, "plan_required"), response.text
        assert LIMITS[PlanSlug(error["plan"])][feature] > LIMITS[plan][feature]
        assert "a month)." in error["message"]
    assert (error["feature"], error["limit"], error["used"]) == (feature, LIMITS[plan][feature], used)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("kind", ["exchange", "priced"])
async def test_offers_stop_at_limit_of_plan(
    create_user: CreateUser, database: Database, plan: PlanSlug, kind: Kind
) -> None:
    user = await create_user("Ada")
    _give(database, user, plan)
    feature = PlanFeature.PRICED_OFFERS if kind == "priced" else PlanFeature.EXCHANGE_OFFERS
    limit = int(LIMITS[plan][feature])
    _fill_offers(database, user, kind, max(0, limit - 1))
    if limit:
        assert (await _offer(user, "The last one", kind)).status_code == 201
    _check_refusal(await _offer(user, "One more", kind), feature, plan, limit)
    other: Kind = "exchange" if kind == "priced" else "priced"
    if plan is not COMMUNITY or other == "exchange":
        assert (await _offer(user, "Another kind", other)).status_code == 201


@pytest.mark.parametrize("plan", PLANS)
async def test_services_stop_at_limit_of_plan(
    create_user: CreateUser, publish: Publish, database: Database, plan: PlanSlug
) -> None:
    user = await create_user("Ada")
    guru = publish(user)
    _give(database, user, plan)
    limit = int(LIMITS[plan][PlanFeature.PRICED_SERVICES])
    _fill_services(database, guru, limit - 3)
    before = await user.get("/api/guru/services")
    assert before["priced"] == {"used": limit, "limit": limit}
    refused = await user.request("POST", "/api/guru/services", json=SERVICE)
    _check_refusal(refused, PlanFeature.PRICED_SERVICES, plan, limit)
    free = await user.request("POST", "/api/guru/services", json=SERVICE | {"priceCents": 0})
    assert free.status_code == 201, "services without a price have no limit of a plan"
    free_id = free.json()["data"]["services"][-1]["id"]
    priced = await user.request("PUT", f"/api/guru/services/{free_id}", json=SERVICE)
    _check_refusal(priced, PlanFeature.PRICED_SERVICES, plan, limit)
    own = before["services"][0]["id"]
    edited = await user.request("PUT", f"/api/guru/services/{own}", json=SERVICE | {"name": "Edited"})
    assert edited.status_code == 200, "the services within the limit are editable"
    assert (await user.request("DELETE", f"/api/guru/services/{own}")).status_code == 200
    assert (await user.request("POST", "/api/guru/services", json=SERVICE)).status_code == 201


@pytest.mark.parametrize("plan", PLANS)
async def test_photos_stop_at_limit_of_plan(create_user: CreateUser, database: Database, plan: PlanSlug) -> None:
    user = await create_user("Ada")
    _give(database, user, plan)
    offers = [(await _offer(user, f"Craft {n}", "exchange")).json()["data"]["offers"] for n in range(2)][-1]
    full, other = (offer["id"] for offer in offers)
    limit = int(LIMITS[plan][PlanFeature.WORK_PHOTOS])
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "INSERT INTO listing_photos (user_id, offer_id, id, position, width, height, body, thumbnail)"
            " SELECT %s, %s, gen_random_uuid(), n, 1, 1, '', '' FROM generate_series(1, %s) n",
            [user.user_id, full, limit - 1],
        )
    path = f"/api/skills/offers/{other}/photos"
    assert (await user.request("POST", path, content=png(64, 48))).status_code == 201
    refused = await user.request("POST", path, content=png(64, 48))
    _check_refusal(refused, PlanFeature.WORK_PHOTOS, plan, limit)


async def test_twenty_parallel_offers_stop_at_limit(create_user: CreateUser) -> None:
    user = await create_user("Ada")
    statuses = [
        one.status_code for one in await asyncio.gather(*(_offer(user, f"Art {n}", "exchange") for n in range(20)))
    ]
    assert sorted(set(statuses)) == [201, 402]
    assert statuses.count(201) == LIMITS[COMMUNITY][PlanFeature.EXCHANGE_OFFERS]


async def test_twenty_parallel_services_stop_at_limit(
    create_user: CreateUser, publish: Publish, database: Database
) -> None:
    user = await create_user("Ada")
    publish(user)
    grant_plan(database, user.user_id, SHARER)
    creates = (user.request("POST", "/api/guru/services", json=SERVICE) for _ in range(20))
    statuses = [one.status_code for one in await asyncio.gather(*creates)]
    assert statuses.count(201) == int(LIMITS[SHARER][PlanFeature.PRICED_SERVICES]) - 3
    assert set(statuses) == {201, 402}


async def test_profile_skills_stop_at_limit_without_trace(create_user: CreateUser) -> None:
    user = await create_user("Ada")
    skills = {"offered": ["Chess", "Bread", "Rust"], "wanted": []}
    assert (await user.request("PUT", "/api/auth/profile", json={"skills": skills})).status_code == 200
    more = {"skills": skills | {"offered": [*skills["offered"], "Cello"]}, "bio": "New"}
    _check_refusal(await user.request("PUT", "/api/auth/profile", json=more), PlanFeature.EXCHANGE_OFFERS, COMMUNITY, 3)
    profile = await user.get("/api/auth/profile")
    assert (len(profile["skills"]["offered"]), profile["bio"]) == (3, "")


async def test_sign_up_with_many_skills_succeeds(create_user: CreateUser, database: Database) -> None:
    user = await create_user("Ada")
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE profiles SET registered_at = NULL WHERE user_id = %s", [user.user_id])
    skills = {"offered": [f"Skill {n}" for n in range(5)], "wanted": []}
    assert (await user.request("POST", "/api/auth/register", json={"skills": skills})).status_code == 201
    mine = await user.get("/api/skills/mine")
    assert sum(offer["overLimit"] for offer in mine["offers"]) == 2
    assert mine["exchangeOffers"] == {"used": 5, "limit": 3}


async def test_price_needs_plan_when_listing_changes(create_user: CreateUser, database: Database) -> None:
    user = await create_user("Ada")
    offer = (await _offer(user, "Chess", "exchange")).json()["data"]["offers"][0]["id"]
    change = await user.request("PUT", f"/api/skills/offers/{offer}", json=PRICED)
    _check_refusal(change, PlanFeature.PRICED_OFFERS, COMMUNITY, 0)
    assert change.json()["error"]["message"] == "Priced offers are part of Skill Sharer ($9 a month)."
    grant_plan(database, user.user_id, SHARER)
    assert (await user.request("PUT", f"/api/skills/offers/{offer}", json=PRICED)).status_code == 200


@pytest.mark.parametrize("plan", [COMMUNITY, SHARER, PREMIUM])
async def test_own_domain_needs_premium(
    create_user: CreateUser, publish: Publish, database: Database, plan: PlanSlug
) -> None:
    user = await create_user("Ada")
    guru = publish(user)
    _give(database, user, plan)
    response = await user.request("POST", "/api/guru/domains", json={"domain": f"www.{guru.label}.example"})
    kept = [domain["domain"] for domain in (await user.get("/api/guru/domains"))["domains"]]
    if plan is PREMIUM:
        assert (response.status_code, kept) == (201, [f"www.{guru.label}.example"]), response.text
    else:
        error = response.json()["error"]
        assert (response.status_code, error["code"], error["plan"]) == (402, "plan_required", PREMIUM), response.text
        assert (error["feature"], kept) == (PlanFeature.OWN_DOMAIN, [])


@pytest.mark.parametrize(("plan", "status"), [(COMMUNITY, 402), (SHARER, 402), (PREMIUM, 200)])
async def test_own_colors_need_premium_and_presets_do_not(
    create_user: CreateUser, publish: Publish, database: Database, plan: PlanSlug, status: int
) -> None:
    user = await create_user("Ada")
    publish(user)
    _give(database, user, plan)

    async def save(**changes: str) -> int:
        site = await user.get("/api/guru/site")
        return (await user.request("PUT", "/api/guru/site", json=changes | {"revision": site["revision"]})).status_code

    assert await save(primaryColor="#123456") == status
    preset = (await user.get("/api/guru/site"))["presetColors"][1]
    assert await save(**preset) == 200
    assert await save(tagline="I bake.") == 200


@pytest.mark.parametrize(("plan", "days", "status"), [(COMMUNITY, 7, 402), (SHARER, 30, 402), (PREMIUM, 730, 200)])
async def test_statistics_show_days_of_plan(
    create_user: CreateUser, publish: Publish, database: Database, plan: PlanSlug, days: int, status: int
) -> None:
    user = await create_user("Ada")
    guru = publish(user)
    _give(database, user, plan)
    with psycopg.connect(database.service_url) as conn:
        for ago in (0, 6, 7, 29, 30, 729, 730):
            conn.execute(
                "INSERT INTO daily_visits (tenant_id, day, visitors) VALUES (%s, app.now()::date - %s::integer, 1)",
                [guru.id, ago],
            )
    visits = (await user.get("/api/guru/overview"))["visits"]
    assert (visits["days"], visits["visitors"]) == (days, {7: 2, 30: 4, 730: 6}[days])
    response = await user.request("GET", "/api/guru/visits.csv")
    assert response.status_code == status
    if status == 200:
        assert len(response.text.splitlines()) == 7


@pytest.mark.parametrize(("plan", "limit"), [(COMMUNITY, 1), (SHARER, 1), (PREMIUM, 10)])
async def test_site_lists_first_categories_of_plan(
    create_user: CreateUser, publish: Publish, database: Database, plan: PlanSlug, limit: int
) -> None:
    user = await create_user("Ada")
    guru = publish(user)
    _give(database, user, plan)
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "INSERT INTO guru_categories (tenant_id, slug, name, position, needs_documents, listed, created_at)"
            " SELECT %s, 'c' || n, 'C' || n, 20 - n, false, true, app.now() + make_interval(secs => n)"
            " FROM generate_series(1, 12) n",
            [guru.id],
        )
    apply_plan(database, user.user_id)
    site = (await user.web.get(f"/api/gurus/{guru.label}/home")).json()
    assert {one["slug"] for one in site["guru"]["categories"]} == {f"c{n}" for n in range(1, limit + 1)}


async def test_extras_are_kept_unlisted_and_return(
    create_user: CreateUser, publish: Publish, database: Database
) -> None:
    user, other = await create_user("Ada"), await create_user("Bob")
    guru = publish(user)
    grant_plan(database, user.user_id, PREMIUM)
    _fill_offers(database, user, "priced", 2)
    _fill_offers(database, user, "exchange", 5)
    _fill_services(database, guru, 2)
    _fill_offers(database, other, "exchange", 3)

    async def seen() -> tuple[list[str], int]:
        titles = []
        for offer in (await user.get("/api/skills/mine"))["offers"]:
            page = await user.web.get(f"/api/skills/listings/{offer['id']}")
            assert (page.status_code == 404) == offer["overLimit"]
            titles += [offer["title"]] if page.status_code == 200 else []
        services = (await user.web.get(f"/api/gurus/{guru.label}/services")).json()["services"]
        return sorted(titles), len(services)

    apply_plan(database, user.user_id)
    everything = await seen()
    assert (len(everything[0]), everything[1]) == (7, 5)
    end_plans(database, user.user_id)
    apply_plan(database, user.user_id)
    assert await seen() == ([f"exchange skill number {n}" for n in (1, 2, 3)], 3), "the newest are unlisted"

    mine = (await user.get("/api/skills/mine"))["offers"]
    assert len(mine) == 7, "nothing is deleted"
    extra = next(offer for offer in mine if offer["title"] == "exchange skill number 5")
    change = await user.request("PUT", f"/api/skills/offers/{extra['id']}", json={"details": "New"})
    assert change.status_code == 402, "extras are read-only"
    services = (await user.get("/api/guru/services"))["services"]
    service = next(one for one in services if one["name"] == "Service 2")  # the newest
    assert service["overLimit"]
    assert (await user.request("PUT", f"/api/guru/services/{service['id']}", json=SERVICE)).status_code == 402

    oldest = next(offer for offer in mine if offer["title"] == "exchange skill number 1")
    assert (await user.request("DELETE", f"/api/skills/offers/{oldest['id']}")).status_code == 200
    assert (await seen())[0] == [f"exchange skill number {n}" for n in (2, 3, 4)], "the next one takes the place"
    assert all(not offer["overLimit"] for offer in (await other.get("/api/skills/mine"))["offers"])

    grant_plan(database, user.user_id, SHARER)
    apply_plan(database, user.user_id)
    assert (len((await seen())[0]), (await seen())[1]) == (6, 5), "they return with the plan"


@pytest.mark.parametrize(
    ("columns", "plan"),
    [
        ({"state": "'active'"}, SHARER),
        ({"state": "'incomplete'"}, COMMUNITY),
        ({"state": "'past_due'", "past_due_since": "app.now()", "right_until": "app.now() + interval '1 day'"}, SHARER),
        ({"state": "'past_due'", "past_due_since": "app.now()", "right_until": "app.now()"}, COMMUNITY),
        ({"state": "'unpaid'", "past_due_since": "app.now()"}, COMMUNITY),
        ({"state": "'canceled'", "right_until": "app.now() + interval '1 day'"}, SHARER),
        ({"state": "'canceled'", "right_until": "app.now()"}, COMMUNITY),
        ({"state": "'canceled'"}, COMMUNITY),
        ({"state": "'gone'", "period_end": "app.now()"}, COMMUNITY),
    ],
)
async def test_subscription_state_decides_plan(
    create_user: CreateUser, database: Database, columns: dict[str, Any], plan: PlanSlug
) -> None:
    user = await create_user("Ada")
    subscribe(database, user.user_id, SHARER, **columns)
    assert (await user.get("/api/billing"))["plan"] == plan
    status = (await _offer(user, "Chess", "priced")).status_code
    assert status == (402 if plan is COMMUNITY else 201)


async def test_best_of_grant_and_subscription_counts(create_user: CreateUser, database: Database) -> None:
    user, other = await create_user("Ada"), await create_user("Bob")
    subscribe(database, user.user_id, SHARER, state="'active'")
    grant_plan(database, user.user_id, PREMIUM)
    billing = await user.get("/api/billing")
    assert (billing["plan"], billing["source"]) == (PREMIUM, "grant")
    end_plans(database, user.user_id)
    billing = await user.get("/api/billing")
    assert (billing["plan"], billing["source"], billing["until"]) == (SHARER, "subscription", None)
    free = await other.get("/api/billing")
    assert (free["plan"], free["source"]) == (COMMUNITY, None)
    limits = {one["feature"]: one for one in free["limits"]}
    assert limits["exchange_offers"] == {"feature": "exchange_offers", "included": True, "limit": 3, "used": 0}


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO plan_grants (user_id, plan, until, reason)"
        " VALUES (app.user_id(), 'premium-angel', app.now(), 'mine')",
        "UPDATE plan_grants SET plan = 'premium-angel'",
        "DELETE FROM plan_grants",
        "INSERT INTO subscriptions (user_id, id, plan, interval)"
        " VALUES (app.user_id(), gen_random_uuid(), 'premium-angel', 'month')",
        "UPDATE subscriptions SET plan = 'premium-angel'",
        "DELETE FROM subscriptions",
    ],
)
async def test_user_cannot_grant_themselves_plan(create_user: CreateUser, database: Database, statement: str) -> None:
    user = await create_user("Ada")
    grant_plan(database, user.user_id, SHARER)
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user.user_id)])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement.encode())


async def test_plan_of_another_user_is_withheld(create_user: CreateUser, database: Database) -> None:
    user, other = await create_user("Ada"), await create_user("Ben")
    grant_plan(database, user.user_id, SHARER)
    for setting, plan in ((user.user_id, SHARER), (other.user_id, "community"), ("", "community")):
        with psycopg.connect(database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(setting)])
            assert conn.execute("SELECT app.plan_of(%s)", [user.user_id]).fetchone() == (plan,)
