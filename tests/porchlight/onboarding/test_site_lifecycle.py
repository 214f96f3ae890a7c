"""A published site: unpublished and republished, renamed, deleted with its owner's account."""

from __future__ import annotations

import asyncio

import psycopg

from porchlight.app import Porchlight
from porchlight.features.onboarding.publishing import MAX_FORMER_LABELS
from tenants.db.jobs import use_jobs_schema
from tests.fixtures.jobs import do_jobs
from tests.porchlight.app_client import BASE_HOST, http_client, wait_until
from tests.porchlight.onboarding.observers import ServiceConnection, site_status
from tests.porchlight.onboarding.users import PROFILE, SAFE, Neighbor, UserFactory


async def test_unpublished_site_can_be_republished(app: Porchlight, ada: Neighbor, ben: Neighbor) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("on-and-off")).status_code == 201
    assert await site_status(app, "on-and-off") == 200
    assert (await ben.call("POST", "/unpublish")).status_code == 404
    assert (await ada.request_data("POST", "/unpublish"))["status"] == "unpublished"
    assert (await ada.request_data("POST", "/unpublish"))["status"] == "unpublished"

    async def is_offline() -> bool:
        return await site_status(app, "on-and-off") == 410

    await wait_until("the site is gone", is_offline)
    # The subdomain stays reserved, and an admin's suspend and restore do not publish the site again.
    await ben.ready(SAFE)
    assert (await ben.publish("on-and-off")).status_code == 409
    ada.conn.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'on-and-off'")
    ada.conn.execute("UPDATE gurus SET status = 'active' WHERE label = 'on-and-off'")
    assert ada.gurus()[0][2] == "unpublished"
    assert (await ada.publish()).status_code == 200

    async def is_online() -> bool:
        return await site_status(app, "on-and-off") == 200

    await wait_until("the site is back", is_online)


async def test_suspended_site_rejects_owner_changes(ada: Neighbor, service_db: ServiceConnection) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("crooked")).status_code == 201
    service_db.execute("UPDATE gurus SET status = 'suspended' WHERE label = 'crooked'")
    await ada.request_data("POST", "/profile", PROFILE | {"city": "Boulder"})
    for method, path, body in (
        ("POST", "/publish", {}),
        ("PUT", "/subdomain", {"subdomain": "straight"}),
        ("POST", "/unpublish", None),
    ):
        response = await ada.call(method, path, body)
        assert (response.status_code, response.json()["error"]["code"]) == (403, "site_suspended"), path
    row = service_db.execute("SELECT label, status, published, city FROM gurus WHERE id = %s", [ada.gurus()[0][0]])
    assert row.fetchone() == ("crooked", "suspended", True, "Denver")
    service_db.execute("UPDATE gurus SET status = 'active' WHERE label = 'crooked'")
    assert (await ada.publish()).status_code == 200


async def test_subdomain_change_redirects_old_one(app: Porchlight, ada: Neighbor, ben: Neighbor) -> None:
    await ada.ready(SAFE)
    await ben.ready(SAFE)
    assert (await ada.publish("first-name")).status_code == 201
    assert (await ada.request_data("PUT", "/subdomain", {"subdomain": "Second-Name"}))["subdomain"] == "second-name"

    async def is_redirected() -> bool:
        async with http_client(app, f"first-name.{BASE_HOST}") as client:
            response = await client.get("/about?from=old")
        return (response.status_code, response.headers.get("location")) == (
            308,
            f"http://second-name.{BASE_HOST}/about?from=old",
        )

    await wait_until("the old address redirects", is_redirected)
    for label in ("first-name", "second-name"):
        response = await ben.publish(label)
        assert (response.status_code, response.json()["error"]["code"]) == (409, "subdomain_taken"), label
    assert (await ben.call("PUT", "/subdomain", {"subdomain": "x-y-z"})).status_code == 404
    for label in ("admin", "p0rchlight"):
        assert (await ada.call("PUT", "/subdomain", {"subdomain": label})).status_code == 422
    # The number of changes to former subdomains is unlimited; the number of new ones is limited.
    assert (await ada.request_data("GET", "/subdomain?name=first-name"))["available"]
    await ada.request_data("PUT", "/subdomain", {"subdomain": "first-name"})
    await ada.request_data("PUT", "/subdomain", {"subdomain": "first-name"})
    await ada.request_data("PUT", "/subdomain", {"subdomain": "second-name"})
    for number in range(MAX_FORMER_LABELS - 1):
        await ada.request_data("PUT", "/subdomain", {"subdomain": f"name-{number}"})
    response = await ada.call("PUT", "/subdomain", {"subdomain": "one-more"})
    assert (response.status_code, response.json()["error"]["code"]) == (409, "renamed_too_often")
    await ada.request_data("PUT", "/subdomain", {"subdomain": "first-name"})
    assert ada.gurus()[0][1] == "first-name"


async def test_concurrent_renames_keep_labels_unique(
    users: UserFactory, service_db: ServiceConnection, ada: Neighbor
) -> None:
    others = [await users.new(f"Other {n}") for n in range(3)]
    for user in (ada, *others):
        await user.ready(SAFE)
    assert (await ada.publish("swap-a")).status_code == 201
    assert (await others[0].publish("swap-b")).status_code == 201
    responses = await asyncio.gather(
        ada.call("PUT", "/subdomain", {"subdomain": "swap-c"}),
        others[0].call("PUT", "/subdomain", {"subdomain": "swap-c"}),
        others[1].publish("swap-c"),
        others[2].publish("swap-a"),
        ada.call("PUT", "/subdomain", {"subdomain": "swap-d"}),
    )
    assert {response.status_code for response in responses} <= {200, 201, 409}
    duplicates = service_db.execute(
        "SELECT label FROM (SELECT label FROM gurus UNION ALL SELECT label FROM retired_labels) l"
        " GROUP BY label HAVING count(*) > 1"
    ).fetchall()
    assert duplicates == []
    owners = service_db.execute(
        "SELECT count(*) FROM (SELECT label FROM gurus UNION SELECT label FROM retired_labels) l WHERE label = 'swap-a'"
    ).fetchone()
    assert owners == (1,)


async def test_account_deletion_deletes_site(app: Porchlight, ada: Neighbor, service_db: ServiceConnection) -> None:
    await ada.ready(SAFE)
    assert (await ada.publish("closing")).status_code == 201
    tenant = ada.gurus()[0][0]
    response = await ada.web.delete("/api/auth/account", headers={"authorization": f"Bearer {ada.token}"})
    assert response.status_code == 200, response.text

    async def is_offline() -> bool:
        return await site_status(app, "closing") == 410

    await wait_until("the site is off the air at once", is_offline)
    for _ in range(2):  # a job may run twice
        await do_jobs(ada.database)
        with psycopg.connect(ada.database.service_url) as conn:
            use_jobs_schema(conn)
            jobs = conn.execute(
                "SELECT task_name, status::text FROM procrastinate_jobs WHERE args ->> 'tenant_id' = %s", [str(tenant)]
            ).fetchall()
            # The guru's other jobs are deleted with it, but not the job that deletes it.
            assert jobs == [("onboarding:delete_guru", "succeeded")]
            conn.execute("UPDATE procrastinate_jobs SET status = 'todo' WHERE args ->> 'tenant_id' = %s", [str(tenant)])
    assert service_db.execute("SELECT count(*) FROM gurus WHERE id = %s", [tenant]).fetchone() == (0,)
    assert service_db.execute("SELECT count(*) FROM memberships WHERE user_id = %s", [ada.user_id]).fetchone() == (0,)


async def test_account_deletion_during_publishing_leaves_no_site(
    users: UserFactory, service_db: ServiceConnection
) -> None:
    for number in range(4):
        user = await users.new(f"Quick {number}")
        await user.ready(SAFE)
        published, deleted = await asyncio.gather(
            user.publish(f"quick-{number}"),
            user.web.delete("/api/auth/account", headers={"authorization": f"Bearer {user.token}"}),
        )
        assert published.status_code in (201, 401, 409)
        assert deleted.status_code == 200, deleted.text
        rows = service_db.execute("SELECT status FROM gurus WHERE label = %s", [f"quick-{number}"]).fetchall()
        assert rows in ([], [("unpublished",)])
