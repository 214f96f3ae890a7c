"""Publishing a site: atomic, idempotent, only for its owner."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from porchlight.app import Porchlight
from porchlight.features.onboarding.publishing import tagline
from tenants.db.jobs import enqueue_as_service
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.app_client import BASE_HOST, http_client, run_app, wait_until
from tests.porchlight.onboarding.observers import ServiceConnection, count_rows, fetch_home, row_counts
from tests.porchlight.onboarding.users import PROFILE, RISKY, SAFE, SKILLS, STRICT, Neighbor, UserFactory
from tests.porchlight.plans.grants import grant_plan

PUBLISHED_MESSAGE = "Submitted. A badge appears after any required docs are approved."


async def test_publishing_creates_complete_guru(app: Porchlight, ada: Neighbor) -> None:
    await ada.ready(SAFE, RISKY)
    response = await ada.publish("ada-bakes")
    assert response.status_code == 201, response.text
    body = response.json()
    assert body["message"] == PUBLISHED_MESSAGE
    assert body["data"] == {
        "subdomain": "ada-bakes",
        "url": f"http://ada-bakes.{BASE_HOST}/",
        "status": "active",
        "made": True,
    }
    home = await fetch_home(app, "ada-bakes")
    guru = home["guru"]
    assert guru["character"] == "Ada Alvarez"
    assert guru["tagline"] == "I bake bread and teach others how."
    assert guru["primarySkills"] == SKILLS
    async with http_client(app, f"ada-bakes.{BASE_HOST}") as visitor:
        page = (await visitor.get("/")).text
    assert "sourdough, rye bread and pizza" in page.lower()
    assert guru["city"] == "Denver"
    assert guru["category"] == SAFE
    assert guru["theme"]["icon"] == "palette"
    assert [(s["name"], s["price"], s["duration"], s["popular"]) for s in home["services"]] == [
        ("One-on-One Consultation", 75, "60 minutes", False),
        ("Group Workshop", 45, "90 minutes", False),
        ("Monthly Mentorship", 200, "Monthly", False),
    ]
    # Visitors do not see the risky category until its documents are approved.
    assert guru["categories"] == [{"slug": SAFE, "name": "Creative", "verified": False}]
    assert guru["verified"] is False
    site = (await ada.status())["site"]
    assert [(category["slug"], category["listed"], category["verified"]) for category in site["categories"]] == [
        (RISKY, False, False),
        (SAFE, True, False),
    ]
    assert (site["status"], site["changed"]) == ("active", False)


@pytest.fixture
async def app_with_badges(database: Database, service_db: ServiceConnection) -> AsyncIterator[Porchlight]:
    """The app while the flag `certifications` is on."""
    service_db.execute("INSERT INTO flag_settings (name, enabled) VALUES ('certifications', true)")
    try:
        async with run_app(database) as created:
            yield created
    finally:
        service_db.execute("DELETE FROM flag_settings")


async def test_badge_is_hidden_while_its_flag_is_off(app: Porchlight, ada: Neighbor) -> None:
    await ada.ready(RISKY)
    ada.document("insurance", RISKY, "approved")
    assert (await ada.publish("humble")).status_code == 201
    guru = (await fetch_home(app, "humble"))["guru"]
    assert guru["categories"] == [{"slug": RISKY, "name": "Martial Arts", "verified": False}]
    assert guru["verified"] is False
    async with http_client(app, f"humble.{BASE_HOST}") as visitor:
        for path in ("/", "/about"):
            page = await visitor.get(path)
            assert page.status_code == 200
            assert 'class="verified-badge"' not in page.text
            assert "documents verified" not in page.text


async def test_categories_are_listed_by_approved_documents(
    app_with_badges: Porchlight, ada: Neighbor, ben: Neighbor, database: Database
) -> None:
    async def listed_categories(label: str) -> tuple[dict[str, bool], bool, int]:
        home = await fetch_home(app_with_badges, label)
        listed = {category["slug"]: category["verified"] for category in home["guru"]["categories"]}
        return listed, home["guru"]["verified"], len(home["services"])

    async def wait_for(expected: Any, what: str) -> None:
        async def matches() -> bool:
            return bool(await listed_categories("careful") == expected)

        await wait_until(what, matches)

    grant_plan(database, ada.user_id)
    await ada.ready(RISKY, STRICT)
    await ben.ready(RISKY)
    assert (await ada.publish("careful")).status_code == 201
    assert (await ben.publish("careless")).status_code == 201
    # No category is listed yet, so no services are shown either.
    assert await listed_categories("careful") == ({}, False, 0)
    rows = ada.conn.execute("SELECT id, type, category FROM documents WHERE user_id = %s", [ada.user_id]).fetchall()
    documents = {(kind, category): document for document, kind, category in rows}
    await ada.review(documents["insurance", RISKY], "approved")
    await wait_for(({RISKY: True}, False, 3), "the insured category is listed without the badge")
    await ada.review(documents["insurance", STRICT], "approved")
    await ada.review(documents["license", STRICT], "approved")
    await wait_for(({RISKY: True, STRICT: True}, True, 3), "all categories are listed with the badge")
    await ada.review(documents["license", STRICT], "lapsed")
    await wait_for(({RISKY: True}, False, 3), "the category with the expired license is unlisted")
    await ada.review(documents["insurance", RISKY], "rejected")
    await wait_for(({}, False, 0), "no category is listed")
    assert await listed_categories("careless") == ({}, False, 0)  # another user's documents have no effect


async def test_expired_document_unlists_category(app: Porchlight, ada: Neighbor, service_db: ServiceConnection) -> None:
    await ada.ready(RISKY)
    ada.document("insurance", RISKY, "approved", expires_on="2999-01-01")
    assert (await ada.publish("on-time")).status_code == 201
    assert [category["slug"] for category in (await fetch_home(app, "on-time"))["guru"]["categories"]] == [RISKY]
    row = service_db.execute(
        "SELECT good_until::text FROM guru_categories c JOIN memberships m USING (tenant_id) WHERE m.user_id = %s",
        [ada.user_id],
    ).fetchone()
    assert row == ("2999-01-01",)
    service_db.execute("UPDATE documents SET expires_on = '2020-01-01' WHERE user_id = %s", [ada.user_id])
    enqueue_as_service(service_db, "onboarding:update_listed_categories", user_id=str(ada.user_id))
    await do_jobs(ada.database)

    async def unlisted() -> bool:
        return not (await fetch_home(app, "on-time"))["guru"]["categories"]

    await wait_until("the category is unlisted", unlisted)


async def test_document_change_enqueues_one_listing_update(ada: Neighbor, service_db: ServiceConnection) -> None:
    document = ada.document("insurance", RISKY)
    query = (
        "SELECT count(*) FROM jobs.procrastinate_jobs"
        " WHERE task_name = 'onboarding:update_listed_categories' AND args ->> 'user_id' = %s AND status = 'todo'"
    )
    pending = service_db.execute(query, [str(ada.user_id)]).fetchone()
    assert pending == (1,)
    service_db.execute("UPDATE documents SET status = 'approved' WHERE id = %s", [document])
    assert service_db.execute(query, [str(ada.user_id)]).fetchone() == (1,)  # still one


async def test_publishing_unconfirmed_services_is_rejected(
    app: Porchlight, ada: Neighbor, service_db: ServiceConnection
) -> None:
    await ada.ready(SAFE)
    service_db.execute("UPDATE onboardings SET services = NULL WHERE user_id = %s", [ada.user_id])
    before = row_counts(service_db)
    response = await ada.publish("ada-unsure")
    assert (response.status_code, response.json()["error"]["code"]) == (409, "services_unconfirmed")
    assert row_counts(service_db) == before
    proposed = (await ada.status())["services"]
    assert proposed["confirmed"] is False
    names = [service["name"] for service in proposed["services"]]
    assert names == ["One-on-One Consultation", "Group Workshop", "Monthly Mentorship"]
    services: list[dict[str, Any]] = [
        {"name": "Bread", "priceCents": 1950, "durationMinutes": 45, "description": "We bake.", "features": ["Rye"]},
        {"name": "A month of bread", "priceCents": 20_000, "durationMinutes": None},
    ]
    for wrong in ([], [services[0] | {"features": [""]}], [services[0] | {"durationMinutes": 0}], services * 6):
        assert (await ada.call("PUT", "/services", {"services": wrong})).status_code == 422
    assert (await ada.request_data("PUT", "/services", {"services": services}))["confirmed"] is True
    assert (await ada.publish("ada-unsure")).status_code == 201
    home = await fetch_home(app, "ada-unsure")
    fields = ("name", "price", "duration", "description", "features", "popular")
    assert [tuple(service[field] for field in fields) for service in home["services"]] == [
        ("Bread", 19.5, "45 minutes", "We bake.", ["Rye"], False),
        ("A month of bread", 200, "Monthly", "", [], False),
    ]


async def test_publishing_incomplete_wizard_is_rejected(ada: Neighbor, service_db: ServiceConnection) -> None:
    async def assert_rejected(code: str = "steps_missing", message: str = "Complete all steps first.") -> None:
        before = row_counts(service_db)
        response = await ada.publish("too-early")
        assert (response.status_code, response.json()["error"]["code"]) == (409, code)
        assert response.json()["error"]["message"] == message
        assert row_counts(service_db) == before

    await assert_rejected()
    await ada.request_data("POST", "/profile", PROFILE)
    await assert_rejected()
    await ada.request_data("POST", "/categories", {"categories": [RISKY]})
    ada.connect_payouts()
    await assert_rejected()  # without the document
    document = ada.document("insurance", RISKY, "rejected")
    await assert_rejected()
    service_db.execute("UPDATE documents SET status = 'pending' WHERE id = %s", [document])
    service_db.execute("UPDATE payout_accounts SET payouts_enabled = false WHERE user_id = %s", [ada.user_id])
    await assert_rejected()
    service_db.execute("UPDATE payout_accounts SET payouts_enabled = true WHERE user_id = %s", [ada.user_id])
    await ada.request_data("PUT", "/draft", {"city": ""})
    await assert_rejected()
    await ada.request_data("PUT", "/draft", {"city": "Denver"})
    await ada.confirm_services()
    await assert_rejected("skills_unconfirmed", "Check your skills and confirm them first.")
    await ada.request_data("PUT", "/skills", {"skills": SKILLS})
    assert (await ada.publish("too-early")).status_code == 201


@pytest.mark.parametrize(
    ("label", "status"),
    [("admin", 422), ("p0rchlight", 422), ("no_underscores", 422), ("-x-", 422), ("ab", 422), ("xn--abc", 422)],
)
async def test_publishing_forbidden_label_is_rejected(
    ada: Neighbor, service_db: ServiceConnection, label: str, status: int
) -> None:
    await ada.ready()
    before = row_counts(service_db)
    response = await ada.publish(label)
    assert response.status_code == status
    assert "subdomain" in response.json()["error"]["fields"]
    assert row_counts(service_db) == before
    check = await ada.request_data("GET", f"/subdomain?name={label}")
    assert check["available"] is False
    assert check["reason"] == response.json()["error"]["fields"]["subdomain"]
    # A forbidden name is no base for another one: the person's name is.
    assert check["suggestion"].startswith("ada")
    assert (await ada.request_data("GET", f"/subdomain?name={check['suggestion']}"))["available"]


async def test_same_subdomain_goes_to_one_of_many(
    app: Porchlight, users: UserFactory, service_db: ServiceConnection
) -> None:
    rivals = [await users.new(f"Rival {n}") for n in range(5)]
    for rival in rivals:
        await rival.ready(SAFE, displayName=f"Name {rivals.index(rival)}")
    responses = await asyncio.gather(*(rival.publish("wanted") for rival in rivals))
    assert sorted(response.status_code for response in responses) == [201, 409, 409, 409, 409]
    for rival, response in zip(rivals, responses, strict=True):
        if response.status_code == 409:
            error = response.json()["error"]
            assert error["code"] == "subdomain_taken"
            assert error["message"] == "“wanted” is already taken. Please choose another site address."
            assert rival.gurus() == []
            check = await rival.request_data("GET", "/subdomain?name=wanted")
            assert not check["available"]
            assert (await rival.publish(check["suggestion"])).status_code == 201
        assert len(rival.gurus()) == 1
        assert count_rows(service_db, "services", rival) == 3


async def test_concurrent_publishing_creates_one_guru(ada: Neighbor, service_db: ServiceConnection) -> None:
    await ada.ready(SAFE, RISKY)
    responses = await asyncio.gather(*(ada.publish(f"many-{n % 3}") for n in range(8)))
    assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
    assert len({response.json()["data"]["subdomain"] for response in responses}) == 1
    assert len(ada.gurus()) == 1
    for table, rows in (("memberships", 1), ("services", 3), ("guru_categories", 2)):
        assert count_rows(service_db, table, ada) == rows, table


async def test_republishing_keeps_console_changes(app: Porchlight, ada: Neighbor) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("again")).status_code == 201
    tenant = ada.gurus()[0][0]
    ada.conn.execute("UPDATE gurus SET tagline = 'Written in the console' WHERE id = %s", [tenant])
    ada.conn.execute("DELETE FROM services WHERE tenant_id = %s AND name <> 'Group Workshop'", [tenant])
    await ada.request_data(
        "POST", "/profile", PROFILE | {"city": "Boulder", "photoUrl": "https://pictures.example/ada.png"}
    )
    await ada.request_data("POST", "/categories", {"categories": ["language"]})
    assert (await ada.status())["site"]["changed"]
    assert (await fetch_home(app, "again"))["guru"]["city"] == "Denver"  # drafts are not published
    response = await ada.publish("another-name")
    assert response.status_code == 200
    assert response.json()["data"]["subdomain"] == "again"  # publishing does not rename

    async def is_shown() -> bool:
        return bool((await fetch_home(app, "again"))["guru"]["city"] == "Boulder")

    await wait_until("the site is up to date", is_shown)
    home = await fetch_home(app, "again")
    assert home["guru"]["photoUrl"] == "https://pictures.example/ada.png"
    assert home["guru"]["tagline"] == "Written in the console"
    assert [category["slug"] for category in home["guru"]["categories"]] == ["language"]
    assert home["guru"]["category"] == "language"
    assert [category["name"] for category in home["services"]] == ["Group Workshop"]
    assert not (await ada.status())["site"]["changed"]


async def test_published_malicious_text_is_escaped(app: Porchlight, ada: Neighbor) -> None:
    malicious_text = "</script><script>alert(1)</script> ![x](javascript:alert(1)) <img src=x onerror=alert(1)> {{7*7}}"
    await ada.ready(
        SAFE, displayName=malicious_text[:80], bio=malicious_text + "\n\n[click](javascript:alert(1))", city="<>Denver<"
    )
    assert (await ada.publish("hostile")).status_code == 201
    async with http_client(app, f"hostile.{BASE_HOST}") as client:
        home = (await client.get("/api/gurus/hostile/home")).json()
    assert home["guru"]["character"] == malicious_text[:80]
    row = ada.conn.execute("SELECT about_html FROM gurus WHERE label = 'hostile'").fetchone()
    assert row is not None
    for marker in ("<script", "onerror=", 'href="javascript', 'src="javascript'):
        assert marker not in re.sub(r"&lt;.*?&gt;", "", row[0])


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ([], "body"),
        ("x", "body"),
        (None, "body"),
        ({"subdomain": None, "owner": "me"}, "owner"),
        ({"subdomain": 7}, "subdomain"),
        ({"subdomain": "x" * 101}, "subdomain"),
        ({"subdomain": "\x00"}, "subdomain"),
    ],
)
async def test_publishing_invalid_body_is_rejected(
    ada: Neighbor, service_db: ServiceConnection, payload: Any, field: str
) -> None:
    await ada.ready()
    before = row_counts(service_db)
    response = await ada.web.post(
        "/api/onboarding/publish", json=payload, headers={"authorization": f"Bearer {ada.token}"}
    )
    assert list(invalid_fields(response)) == [field]
    assert row_counts(service_db) == before


async def test_publishing_from_other_origin_is_forbidden(
    web: httpx.AsyncClient, ada: Neighbor, service_db: ServiceConnection
) -> None:
    await ada.ready()
    opened = await web.post("/api/auth/session", json={"idToken": ada.token}, headers={"origin": f"http://{BASE_HOST}"})
    cookie = opened.headers.get_list("set-cookie")[0].split(";")[0]
    web.cookies.clear()
    for origin in (f"http://evil.{BASE_HOST}", "https://evil.example", "null"):
        response = await web.post("/api/onboarding/publish", json={}, headers={"cookie": cookie, "origin": origin})
        assert response.status_code == 403
    assert ada.gurus() == []
    response = await web.post(
        "/api/onboarding/publish", json={}, headers={"cookie": cookie, "origin": f"http://{BASE_HOST}"}
    )
    assert response.status_code == 201
    assert response.json()["data"]["subdomain"].startswith("ada-alvarez")  # suggested, because none was requested


@pytest.mark.parametrize(
    ("bio", "expected"),
    [
        ("I bake. And more.", "I bake."),
        ("Version 2.0 of me is here", "Version 2.0 of me is here"),
        ("**Bold** words? Yes.", "Bold words?"),
        ("word " * 60, ("word " * 32).strip() + "…"),
        ("x" * 300, "x" * 160 + "…"),
        ("Tom & <Jerry>", "Tom & <Jerry>"),
    ],
)
def test_tagline_is_first_sentence_of_bio(bio: str, expected: str) -> None:
    assert tagline(bio) == expected
