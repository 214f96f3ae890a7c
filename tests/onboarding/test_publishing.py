"""From a finished wizard to a site that answers: all or nothing, once, and only for who may."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.onboarding.jobs import erase_guru, relist
from porchlight.onboarding.publishing import FORMER_LABELS, tagline
from tests.onboarding.people import PROFILE, RISKY, SAFE, STRICT, Neighbour, People
from tests.platform_.world import BASE, until, visitor

WORDS = "Submitted. A badge appears after any required docs are approved."
Watch = psycopg.Connection[tuple[Any, ...]]


async def _home(app: Porchlight, label: str) -> Any:
    async with visitor(app, f"{label}.{BASE}") as guest:
        answer = await guest.get(f"/api/gurus/{label}/home")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _site_status(app: Porchlight, label: str) -> int:
    async with visitor(app, f"{label}.{BASE}") as guest:
        return (await guest.get(f"/api/gurus/{label}/home")).status_code


def _count(watch: Watch, table: str, who: Neighbour) -> int:
    query = f"SELECT count(*) FROM {table} t JOIN memberships m USING (tenant_id) WHERE m.user_id = %s"
    row = watch.execute(query.encode(), [who.user_id]).fetchone()
    assert row is not None
    return int(row[0])


def _world(watch: Watch) -> Any:
    tables = ("gurus", "memberships", "retired_labels", "services", "guru_categories")
    return [watch.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in tables]


async def test_publishing_makes_a_guru_with_everything(app: Porchlight, ada: Neighbour) -> None:
    await ada.ready(SAFE, RISKY)
    answer = await ada.publish("ada-bakes")
    assert answer.status_code == 201, answer.text
    body = answer.json()
    assert body["message"] == WORDS
    assert body["data"] == {
        "subdomain": "ada-bakes",
        "url": f"http://ada-bakes.{BASE}/",
        "status": "active",
        "made": True,
    }
    home = await _home(app, "ada-bakes")
    guru = home["guru"]
    assert guru["character"] == "Ada Alvarez"
    assert guru["tagline"] == "I bake bread and teach others how."
    assert guru["city"] == "Denver"
    assert guru["category"] == SAFE
    assert guru["theme"]["icon"] == "palette"
    assert [(s["name"], s["price"], s["duration"], s["popular"]) for s in home["services"]] == [
        ("One-on-One Consultation", 75, "60 minutes", True),
        ("Group Workshop", 45, "90 minutes", False),
        ("Monthly Mentorship", 200, "Monthly", False),
    ]
    # The risky category waits for its documents: visitors see nothing of it.
    assert guru["categories"] == [{"slug": SAFE, "name": "Creative", "verified": False}]
    assert guru["verified"] is False
    site = (await ada.status())["site"]
    assert [(one["slug"], one["listed"], one["verified"]) for one in site["categories"]] == [
        (RISKY, False, False),
        (SAFE, True, False),
    ]
    assert (site["status"], site["changed"]) == ("active", False)


async def test_documents_decide_what_is_listed(app: Porchlight, ada: Neighbour, ben: Neighbour) -> None:
    async def shown(label: str) -> tuple[dict[str, bool], bool, int]:
        home = await _home(app, label)
        listed = {one["slug"]: one["verified"] for one in home["guru"]["categories"]}
        return listed, home["guru"]["verified"], len(home["services"])

    async def becomes(expected: Any, what: str) -> None:
        async def there() -> bool:
            return await shown("careful") == expected

        await until(what, there)

    await ada.ready(RISKY, STRICT)
    await ben.ready(RISKY)
    assert (await ada.publish("careful")).status_code == 201
    assert (await ben.publish("careless")).status_code == 201
    # Nothing may be listed yet, so nothing is on offer either.
    assert await shown("careful") == ({}, False, 0)
    rows = ada.conn.execute("SELECT id, type, category FROM documents WHERE user_id = %s", [ada.user_id]).fetchall()
    papers = {(kind, category): document for document, kind, category in rows}
    ada.review(papers["insurance", RISKY], "approved")
    await becomes(({RISKY: True}, False, 3), "the insured category is listed; the badge waits for the rest")
    ada.review(papers["insurance", STRICT], "approved")
    ada.review(papers["license", STRICT], "approved")
    await becomes(({RISKY: True, STRICT: True}, True, 3), "everything is listed, with the badge")
    ada.review(papers["license", STRICT], "lapsed")
    await becomes(({RISKY: True}, False, 3), "what lapsed is taken off the list, and the badge with it")
    ada.review(papers["insurance", RISKY], "rejected")
    await becomes(({}, False, 0), "nothing is left")
    assert await shown("careless") == ({}, False, 0)  # all the while, another's documents changed nothing here


async def test_a_document_that_is_over_counts_no_longer(app: Porchlight, ada: Neighbour, overseer: Watch) -> None:
    await ada.ready(RISKY)
    ada.document("insurance", RISKY, "approved", expires_on="2999-01-01")
    assert (await ada.publish("on-time")).status_code == 201
    assert [one["slug"] for one in (await _home(app, "on-time"))["guru"]["categories"]] == [RISKY]
    row = overseer.execute(
        "SELECT good_until::text FROM guru_categories c JOIN memberships m USING (tenant_id) WHERE m.user_id = %s",
        [ada.user_id],
    ).fetchone()
    assert row == ("2999-01-01",)
    overseer.execute("UPDATE documents SET expires_on = '2020-01-01' WHERE user_id = %s", [ada.user_id])
    relist(overseer, ada.user_id)

    async def unlisted() -> bool:
        return (await _home(app, "on-time"))["guru"]["categories"] == []

    await until("the category is off the list", unlisted)


async def test_every_change_of_a_document_has_its_site_looked_at(ada: Neighbour, overseer: Watch) -> None:
    document = ada.document("insurance", RISKY)
    query = (
        "SELECT count(*) FROM jobs.procrastinate_jobs"
        " WHERE task_name = 'documents_changed' AND args ->> 'user_id' = %s AND status = 'todo'"
    )
    waiting = overseer.execute(query, [str(ada.user_id)]).fetchone()
    assert waiting == (1,)
    overseer.execute("UPDATE documents SET status = 'approved' WHERE id = %s", [document])
    assert overseer.execute(query, [str(ada.user_id)]).fetchone() == (1,)  # two that wait are one


async def test_nothing_is_made_before_every_step_is_done(ada: Neighbour, overseer: Watch) -> None:
    async def refused() -> None:
        before = _world(overseer)
        answer = await ada.publish("too-early")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "steps_missing")
        assert answer.json()["error"]["message"] == "Complete all steps first."
        assert _world(overseer) == before

    await refused()
    await ada.told("POST", "/profile", PROFILE)
    await refused()
    await ada.told("POST", "/categories", {"categories": [RISKY]})
    ada.connect_payouts()
    await refused()  # the document is missing
    document = ada.document("insurance", RISKY, "rejected")
    await refused()
    overseer.execute("UPDATE documents SET status = 'pending' WHERE id = %s", [document])
    overseer.execute("UPDATE payout_accounts SET payouts_enabled = false WHERE user_id = %s", [ada.user_id])
    await refused()
    overseer.execute("UPDATE payout_accounts SET payouts_enabled = true WHERE user_id = %s", [ada.user_id])
    await ada.told("PUT", "/draft", {"city": ""})
    await refused()
    await ada.told("PUT", "/draft", {"city": "Denver"})
    assert (await ada.publish("too-early")).status_code == 201


@pytest.mark.parametrize(
    ("label", "status"),
    [("admin", 422), ("p0rchlight", 422), ("no_underscores", 422), ("-x-", 422), ("ab", 422), ("xn--abc", 422)],
)
async def test_labels_nobody_gets(ada: Neighbour, overseer: Watch, label: str, status: int) -> None:
    await ada.ready()
    before = _world(overseer)
    answer = await ada.publish(label)
    assert answer.status_code == status
    assert "subdomain" in answer.json()["error"]["fields"]
    assert _world(overseer) == before
    check = await ada.told("GET", f"/subdomain?name={label}")
    assert check["available"] is False
    assert check["reason"] == answer.json()["error"]["fields"]["subdomain"]
    assert (await ada.told("GET", f"/subdomain?name={check['suggestion']}"))["available"]


async def test_two_people_one_address(app: Porchlight, people: People, overseer: Watch) -> None:
    rivals = [await people.new(f"Rival {n}") for n in range(5)]
    for rival in rivals:
        await rival.ready(SAFE, displayName=f"Name {rivals.index(rival)}")
    answers = await asyncio.gather(*(rival.publish("wanted") for rival in rivals))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    for rival, answer in zip(rivals, answers, strict=True):
        if answer.status_code == 409:
            error = answer.json()["error"]
            assert error["code"] == "subdomain_taken"
            assert error["message"] == "“wanted” is already taken. Please choose another site address."
            assert rival.gurus() == []
            check = await rival.told("GET", "/subdomain?name=wanted")
            assert not check["available"]
            assert (await rival.publish(check["suggestion"])).status_code == 201
        assert len(rival.gurus()) == 1
        assert _count(overseer, "services", rival) == 3


async def test_publishing_many_times_at_once_makes_one_guru(ada: Neighbour, overseer: Watch) -> None:
    await ada.ready(SAFE, RISKY)
    answers = await asyncio.gather(*(ada.publish(f"many-{n % 3}") for n in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.json()["data"]["subdomain"] for answer in answers}) == 1
    assert len(ada.gurus()) == 1
    for table, rows in (("memberships", 1), ("services", 3), ("guru_categories", 2)):
        assert _count(overseer, table, ada) == rows, table


async def test_publishing_again_updates_and_keeps_what_the_console_wrote(app: Porchlight, ada: Neighbour) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("again")).status_code == 201
    tenant = ada.gurus()[0][0]
    ada.conn.execute("UPDATE gurus SET tagline = 'Written in the console' WHERE id = %s", [tenant])
    ada.conn.execute("DELETE FROM services WHERE tenant_id = %s AND name <> 'Group Workshop'", [tenant])
    await ada.told("POST", "/profile", PROFILE | {"city": "Boulder", "photoUrl": "https://pictures.example/ada.png"})
    await ada.told("POST", "/categories", {"categories": ["language"]})
    assert (await ada.status())["site"]["changed"]
    assert (await _home(app, "again"))["guru"]["city"] == "Denver"  # drafts are not for visitors
    answer = await ada.publish("another-name")
    assert answer.status_code == 200
    assert answer.json()["data"]["subdomain"] == "again"  # a rename is a thing of its own

    async def shown() -> bool:
        return bool((await _home(app, "again"))["guru"]["city"] == "Boulder")

    await until("the site is up to date", shown)
    home = await _home(app, "again")
    assert home["guru"]["photoUrl"] == "https://pictures.example/ada.png"
    assert home["guru"]["tagline"] == "Written in the console"
    assert [one["slug"] for one in home["guru"]["categories"]] == ["language"]
    assert home["guru"]["category"] == "language"
    assert [one["name"] for one in home["services"]] == ["Group Workshop"]
    assert not (await ada.status())["site"]["changed"]


async def test_off_the_air_and_back(app: Porchlight, ada: Neighbour, ben: Neighbour) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("on-and-off")).status_code == 201
    assert await _site_status(app, "on-and-off") == 200
    assert (await ben.call("POST", "/unpublish")).status_code == 404
    assert (await ada.told("POST", "/unpublish"))["status"] == "unpublished"
    assert (await ada.told("POST", "/unpublish"))["status"] == "unpublished"

    async def gone() -> bool:
        return await _site_status(app, "on-and-off") == 410

    await until("the site is gone", gone)
    # Nobody else gets the address meanwhile, and staff who suspend and restore do not publish for the owner.
    await ben.ready(SAFE)
    assert (await ben.publish("on-and-off")).status_code == 409
    ada.conn.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'on-and-off'")
    ada.conn.execute("UPDATE gurus SET status = 'active' WHERE label = 'on-and-off'")
    assert ada.gurus()[0][2] == "unpublished"
    assert (await ada.publish()).status_code == 200

    async def back() -> bool:
        return await _site_status(app, "on-and-off") == 200

    await until("the site is back", back)


async def test_a_suspended_owner_changes_nothing(ada: Neighbour, overseer: Watch) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("crooked")).status_code == 201
    overseer.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'crooked'")
    await ada.told("POST", "/profile", PROFILE | {"city": "Boulder"})
    for method, path, body in (
        ("POST", "/publish", {}),
        ("PUT", "/subdomain", {"subdomain": "straight"}),
        ("POST", "/unpublish", None),
    ):
        answer = await ada.call(method, path, body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "site_suspended"), path
    row = overseer.execute("SELECT label, status, published, city FROM gurus WHERE id = %s", [ada.gurus()[0][0]])
    assert row.fetchone() == ("crooked", "suspended", True, "Denver")
    overseer.execute("UPDATE gurus SET status = 'active' WHERE label = 'crooked'")
    assert (await ada.publish()).status_code == 200


async def test_a_new_address_and_the_old_one(app: Porchlight, ada: Neighbour, ben: Neighbour) -> None:
    await ada.ready(SAFE)
    await ben.ready(SAFE)
    assert (await ada.publish("first-name")).status_code == 201
    assert (await ada.told("PUT", "/subdomain", {"subdomain": "Second-Name"}))["subdomain"] == "second-name"

    async def moved() -> bool:
        async with visitor(app, f"first-name.{BASE}") as guest:
            answer = await guest.get("/about?from=old")
        return (answer.status_code, answer.headers.get("location")) == (
            308,
            f"http://second-name.{BASE}/about?from=old",
        )

    await until("the old address redirects", moved)
    for label in ("first-name", "second-name"):
        answer = await ben.publish(label)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "subdomain_taken"), label
    assert (await ben.call("PUT", "/subdomain", {"subdomain": "x-y-z"})).status_code == 404
    for label in ("admin", "p0rchlight"):
        assert (await ada.call("PUT", "/subdomain", {"subdomain": label})).status_code == 422
    # Back to a former address, and to the present one, as often as one likes; but only so many new ones.
    assert (await ada.told("GET", "/subdomain?name=first-name"))["available"]
    await ada.told("PUT", "/subdomain", {"subdomain": "first-name"})
    await ada.told("PUT", "/subdomain", {"subdomain": "first-name"})
    await ada.told("PUT", "/subdomain", {"subdomain": "second-name"})
    for number in range(FORMER_LABELS - 1):
        await ada.told("PUT", "/subdomain", {"subdomain": f"name-{number}"})
    answer = await ada.call("PUT", "/subdomain", {"subdomain": "one-more"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "renamed_too_often")
    await ada.told("PUT", "/subdomain", {"subdomain": "first-name"})
    assert ada.gurus()[0][1] == "first-name"


async def test_renames_and_publishings_at_once_leave_every_address_to_one(
    people: People, overseer: Watch, ada: Neighbour
) -> None:
    others = [await people.new(f"Other {n}") for n in range(3)]
    for one in (ada, *others):
        await one.ready(SAFE)
    assert (await ada.publish("swap-a")).status_code == 201
    assert (await others[0].publish("swap-b")).status_code == 201
    answers = await asyncio.gather(
        ada.call("PUT", "/subdomain", {"subdomain": "swap-c"}),
        others[0].call("PUT", "/subdomain", {"subdomain": "swap-c"}),
        others[1].publish("swap-c"),
        others[2].publish("swap-a"),
        ada.call("PUT", "/subdomain", {"subdomain": "swap-d"}),
    )
    assert {answer.status_code for answer in answers} <= {200, 201, 409}
    twice = overseer.execute(
        "SELECT label FROM (SELECT label FROM gurus UNION ALL SELECT label FROM retired_labels) l"
        " GROUP BY label HAVING count(*) > 1"
    ).fetchall()
    assert twice == []
    held = overseer.execute(
        "SELECT count(*) FROM (SELECT label FROM gurus UNION SELECT label FROM retired_labels) l WHERE label = 'swap-a'"
    ).fetchone()
    assert held == (1,)


async def test_the_site_goes_with_its_owners_account(app: Porchlight, ada: Neighbour, overseer: Watch) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("farewell")).status_code == 201
    tenant = ada.gurus()[0][0]
    answer = await ada.web.delete("/api/auth/account", headers={"authorization": f"Bearer {ada.token}"})
    assert answer.status_code == 200, answer.text

    async def gone() -> bool:
        return await _site_status(app, "farewell") == 410

    await until("the site is off the air at once", gone)
    jobs = overseer.execute(
        "SELECT args ->> 'tenant_id' FROM jobs.procrastinate_jobs"
        " WHERE task_name = 'erase_guru' AND args ->> 'guru_id' = %s",
        [str(tenant)],
    ).fetchall()
    assert jobs == [(None,)]  # not the tenant's own job: those go with the guru, and a job must not erase itself
    with psycopg.connect(overseer.info.dsn, password=overseer.info.password) as conn:
        erase_guru(conn, tenant)
        erase_guru(conn, tenant)  # a job may run twice
    assert overseer.execute("SELECT count(*) FROM gurus WHERE id = %s", [tenant]).fetchone() == (0,)
    assert overseer.execute("SELECT count(*) FROM memberships WHERE user_id = %s", [ada.user_id]).fetchone() == (0,)


async def test_leaving_while_publishing_leaves_no_site_on_the_air(people: People, overseer: Watch) -> None:
    for number in range(4):
        one = await people.new(f"Hasty {number}")
        await one.ready(SAFE)
        published, left = await asyncio.gather(
            one.publish(f"hasty-{number}"),
            one.web.delete("/api/auth/account", headers={"authorization": f"Bearer {one.token}"}),
        )
        assert published.status_code in (201, 401, 409)
        assert left.status_code == 200, left.text
        rows = overseer.execute("SELECT status FROM gurus WHERE label = %s", [f"hasty-{number}"]).fetchall()
        assert rows in ([], [("unpublished",)])


async def test_hostile_words_stay_words(app: Porchlight, ada: Neighbour) -> None:
    hostile = "</script><script>alert(1)</script> ![x](javascript:alert(1)) <img src=x onerror=alert(1)> {{7*7}}"
    await ada.ready(SAFE, displayName=hostile[:80], bio=hostile + "\n\n[click](javascript:alert(1))", city="<b>Denver")
    assert (await ada.publish("hostile")).status_code == 201
    async with visitor(app, f"hostile.{BASE}") as guest:
        home = (await guest.get("/api/gurus/hostile/home")).json()
    assert home["guru"]["character"] == hostile[:80]
    row = ada.conn.execute("SELECT about_html FROM gurus WHERE label = 'hostile'").fetchone()
    assert row is not None
    for marker in ("<script", "onerror=", 'href="javascript', 'src="javascript'):
        assert marker not in re.sub(r"&lt;.*?&gt;", "", row[0])


@pytest.mark.parametrize(
    "sent",
    [
        [],
        "x",
        None,
        {"subdomain": None, "owner": "me"},
        {"subdomain": 7},
        {"subdomain": "x" * 101},
        {"subdomain": "\x00"},
    ],
)
async def test_what_is_no_publishing_is_refused(ada: Neighbour, overseer: Watch, sent: Any) -> None:
    await ada.ready()
    before = _world(overseer)
    answer = await ada.web.post("/api/onboarding/publish", json=sent, headers={"authorization": f"Bearer {ada.token}"})
    assert answer.status_code == 422, answer.text
    assert _world(overseer) == before


async def test_a_foreign_page_cannot_publish(web: httpx.AsyncClient, ada: Neighbour, overseer: Watch) -> None:
    await ada.ready()
    opened = await web.post("/api/auth/session", json={"idToken": ada.token}, headers={"origin": f"http://{BASE}"})
    cookie = opened.headers.get_list("set-cookie")[0].split(";")[0]
    web.cookies.clear()
    for origin in (f"http://evil.{BASE}", "https://evil.example", "null"):
        answer = await web.post("/api/onboarding/publish", json={}, headers={"cookie": cookie, "origin": origin})
        assert answer.status_code == 403
    assert ada.gurus() == []
    answer = await web.post("/api/onboarding/publish", json={}, headers={"cookie": cookie, "origin": f"http://{BASE}"})
    assert answer.status_code == 201
    assert answer.json()["data"]["subdomain"].startswith("ada-alvarez")  # proposed, since none was asked for


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
def test_the_tagline_is_the_first_sentence(bio: str, expected: str) -> None:
    assert tagline(bio) == expected
