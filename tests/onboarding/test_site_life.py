"""A published site's life: off the air and back, under another address, and gone with its owner."""

from __future__ import annotations

import asyncio

import psycopg

from porchlight.app import Porchlight
from porchlight.onboarding.jobs import erase_guru
from porchlight.onboarding.publishing import FORMER_LABELS
from tests.onboarding.people import PROFILE, SAFE, Neighbour, People
from tests.onboarding.watching import Watch, site_status
from tests.platform_.world import BASE, until, visitor


async def test_off_the_air_and_back(app: Porchlight, ada: Neighbour, ben: Neighbour) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("on-and-off")).status_code == 201
    assert await site_status(app, "on-and-off") == 200
    assert (await ben.call("POST", "/unpublish")).status_code == 404
    assert (await ada.told("POST", "/unpublish"))["status"] == "unpublished"
    assert (await ada.told("POST", "/unpublish"))["status"] == "unpublished"

    async def gone() -> bool:
        return await site_status(app, "on-and-off") == 410

    await until("the site is gone", gone)
    # Nobody else gets the address meanwhile, and staff who suspend and restore do not publish for the owner.
    await ben.ready(SAFE)
    assert (await ben.publish("on-and-off")).status_code == 409
    ada.conn.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'on-and-off'")
    ada.conn.execute("UPDATE gurus SET status = 'active' WHERE label = 'on-and-off'")
    assert ada.gurus()[0][2] == "unpublished"
    assert (await ada.publish()).status_code == 200

    async def back() -> bool:
        return await site_status(app, "on-and-off") == 200

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
        return await site_status(app, "farewell") == 410

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
