"""Hiding of listings."""

from __future__ import annotations

import psycopg
from psycopg.types.json import Jsonb

from porchlight.features.listings import admin_queries
from tenants.kit.ids import new_id
from tests.porchlight.admin.area import AdminArea, create_guru
from tests.porchlight.factories import insert_row


async def test_hidden_listing_stays_hidden_until_shown(area: AdminArea) -> None:
    guru = create_guru(area, "teacher")
    bread = Jsonb([{"name": "Sourdough bread", "level": None}])
    area.rows("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", bread, guru.owner)
    listed = (await area.web.get("/api/admin/listings?search=sourdough", headers=area.staff)).json()["data"]["items"]
    assert [(item["title"], item["status"]) for item in listed] == [("Sourdough bread", "listed")]
    path = f"/api/admin/listings/{listed[0]['id']}"
    public = f"/api/skills/listings/{listed[0]['id']}"
    assert (await area.web.get(public)).status_code == 200
    photo_columns = {"position": 0, "alt": "A loaf", "width": 1, "height": 1, "body": b"webp", "thumbnail": b"webp"}
    with psycopg.connect(area.database.service_url) as conn:
        insert_row(
            conn, "listing_photos", {"user_id": guru.owner, "offer_id": listed[0]["id"], "id": new_id()} | photo_columns
        )
    report = {"kind": "listing", "name": listed[0]["id"], "reason": "scam"}
    assert (await area.web.post("/api/reports", json=report)).status_code == 201
    assert (await area.web.post(f"{path}/hiding", json={"reason": "scam"}, headers=area.staff)).status_code == 200
    assert (await area.web.get(public)).status_code == 404
    hidden = (await area.web.get("/api/admin/listings?hidden=true", headers=area.staff)).json()["data"]["items"]
    assert [item["status"] for item in hidden] == ["hidden"]
    detail = (await area.web.get(path, headers=area.staff)).json()["data"]
    assert (detail["hiddenReason"], detail["reports"]) == ("scam", 1)
    (photo,) = detail["photos"]
    assert photo["alt"] == "A loaf"
    photo_response = await area.web.get(photo["path"], headers=area.staff)
    assert (photo_response.content, photo_response.headers["cache-control"]) == (b"webp", "private, no-store")
    for skills in (Jsonb([]), bread):  # remove and add the skill
        area.rows("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", skills, guru.owner)
    assert area.rows("SELECT visible FROM skill_offers WHERE user_id = %s", guru.owner) == [(False,)]
    hidden_again = (await area.web.get("/api/admin/listings?hidden=true", headers=area.staff)).json()["data"]["items"][
        0
    ]
    response = await area.web.delete(f"/api/admin/listings/{hidden_again['id']}/hiding", headers=area.staff)
    assert response.status_code == 200
    assert area.rows("SELECT visible FROM skill_offers WHERE user_id = %s", guru.owner) == [(True,)]
    assert await area.audit_actions(hidden_again["id"]) == ["listing.show"]


async def test_hidden_listings_come_in_order_of_hiding(area: AdminArea) -> None:
    skills = [{"name": f"Unwanted {number}", "level": None} for number in range(60)]
    guru = create_guru(area, "unwanted")
    area.rows("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", Jsonb(skills), guru.owner)
    area.rows(
        "INSERT INTO hidden_listings (owner_id, phrase_id, reason, hidden_at)"
        " SELECT user_id, phrase_id, 'spam', app.now() - substr(title, 10)::integer / 2 * interval '1 hour'"  # pairs
        " FROM skill_offers WHERE user_id = %s",
        guru.owner,
    )
    url = "/api/admin/listings?hidden=true&search=unwanted"
    first = (await area.web.get(url, headers=area.staff)).json()["data"]
    second = (await area.web.get(f"{url}&cursor={first['nextCursor']}", headers=area.staff)).json()["data"]
    hours = [int(item["title"].removeprefix("Unwanted ")) // 2 for item in first["items"] + second["items"]]
    assert (len(first["items"]), second["nextCursor"]) == (50, None)
    assert hours == sorted([*range(30), *range(30)])


def test_hidden_listings_are_read_in_order_of_index(area: AdminArea) -> None:
    params = {"at": None, "id": None, "limit": 51}
    with psycopg.connect(area.database.service_url) as conn:
        conn.execute("SET enable_seqscan = off")  # the tables of a test are small
        conn.execute("SET enable_sort = off")
        plan = "\n".join(row[0] for row in conn.execute("EXPLAIN " + admin_queries._LIST_HIDDEN, params))
    assert "Index Scan Backward using ix_hidden_listings_hidden_at" in plan, plan
