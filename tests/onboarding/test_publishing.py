"""From a finished wizard to a site that answers: all or nothing, once, and only for who may."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest

from porchlight.app import Porchlight
from porchlight.onboarding.jobs import relist
from porchlight.onboarding.publishing import tagline
from tests.onboarding.people import PROFILE, RISKY, SAFE, STRICT, Neighbour, People
from tests.onboarding.watching import Watch, counted, home_of, world_of
from tests.platform_.world import BASE, until, visitor

WORDS = "Submitted. A badge appears after any required docs are approved."


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
    home = await home_of(app, "ada-bakes")
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
        home = await home_of(app, label)
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
    assert [one["slug"] for one in (await home_of(app, "on-time"))["guru"]["categories"]] == [RISKY]
    row = overseer.execute(
        "SELECT good_until::text FROM guru_categories c JOIN memberships m USING (tenant_id) WHERE m.user_id = %s",
        [ada.user_id],
    ).fetchone()
    assert row == ("2999-01-01",)
    overseer.execute("UPDATE documents SET expires_on = '2020-01-01' WHERE user_id = %s", [ada.user_id])
    relist(overseer, ada.user_id)

    async def unlisted() -> bool:
        return (await home_of(app, "on-time"))["guru"]["categories"] == []

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
        before = world_of(overseer)
        answer = await ada.publish("too-early")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "steps_missing")
        assert answer.json()["error"]["message"] == "Complete all steps first."
        assert world_of(overseer) == before

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
    before = world_of(overseer)
    answer = await ada.publish(label)
    assert answer.status_code == status
    assert "subdomain" in answer.json()["error"]["fields"]
    assert world_of(overseer) == before
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
        assert counted(overseer, "services", rival) == 3


async def test_publishing_many_times_at_once_makes_one_guru(ada: Neighbour, overseer: Watch) -> None:
    await ada.ready(SAFE, RISKY)
    answers = await asyncio.gather(*(ada.publish(f"many-{n % 3}") for n in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.json()["data"]["subdomain"] for answer in answers}) == 1
    assert len(ada.gurus()) == 1
    for table, rows in (("memberships", 1), ("services", 3), ("guru_categories", 2)):
        assert counted(overseer, table, ada) == rows, table


async def test_publishing_again_updates_and_keeps_what_the_console_wrote(app: Porchlight, ada: Neighbour) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("again")).status_code == 201
    tenant = ada.gurus()[0][0]
    ada.conn.execute("UPDATE gurus SET tagline = 'Written in the console' WHERE id = %s", [tenant])
    ada.conn.execute("DELETE FROM services WHERE tenant_id = %s AND name <> 'Group Workshop'", [tenant])
    await ada.told("POST", "/profile", PROFILE | {"city": "Boulder", "photoUrl": "https://pictures.example/ada.png"})
    await ada.told("POST", "/categories", {"categories": ["language"]})
    assert (await ada.status())["site"]["changed"]
    assert (await home_of(app, "again"))["guru"]["city"] == "Denver"  # drafts are not for visitors
    answer = await ada.publish("another-name")
    assert answer.status_code == 200
    assert answer.json()["data"]["subdomain"] == "again"  # a rename is a thing of its own

    async def shown() -> bool:
        return bool((await home_of(app, "again"))["guru"]["city"] == "Boulder")

    await until("the site is up to date", shown)
    home = await home_of(app, "again")
    assert home["guru"]["photoUrl"] == "https://pictures.example/ada.png"
    assert home["guru"]["tagline"] == "Written in the console"
    assert [one["slug"] for one in home["guru"]["categories"]] == ["language"]
    assert home["guru"]["category"] == "language"
    assert [one["name"] for one in home["services"]] == ["Group Workshop"]
    assert not (await ada.status())["site"]["changed"]


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
    before = world_of(overseer)
    answer = await ada.web.post("/api/onboarding/publish", json=sent, headers={"authorization": f"Bearer {ada.token}"})
    assert answer.status_code == 422, answer.text
    assert world_of(overseer) == before


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
