"""Lists and counters: search, pagination, exact counts."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from porchlight.features.listings import admin_queries as listing_queries
from porchlight.features.sites import admin_queries as site_queries
from porchlight.features.users import admin_queries as user_queries
from tenants.db import list_search
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.admin.area import AdminArea, create_guru
from tests.porchlight.factories import insert_row, seed_guru


async def test_user_search_matches_part_of_email(area: AdminArea) -> None:
    area.rows(
        "INSERT INTO users (user_id, firebase_uid, email) VALUES (%s, 'zelda', 'zelda@fa_r%%away.example')", new_id()
    )
    for search, count in (("ZELDA", 1), ("a_r%aw", 1), ("a_r_aw", 0), ("%", 0), ("ze", 1), ("no such user", 0)):
        response = await area.web.get("/api/admin/users", params={"search": search}, headers=area.staff)
        emails = [user["email"] for user in response.json()["data"]["items"]]
        assert len([email for email in emails if email.startswith("zelda")]) == count, search
    assert (await area.web.get("/api/admin/users?cursor=x", headers=area.staff)).status_code == 422


async def test_user_list_has_cursor_pagination(area: AdminArea) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        for number in range(120):
            insert_row(
                conn,
                "users",
                {"user_id": new_id(), "firebase_uid": f"page-{number}", "email": f"p{number}@many.example"},
            )
    emails: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        query = {"search": "@many.example", "cursor": cursor}
        page = (await area.web.get("/api/admin/users", params=query, headers=area.staff)).json()["data"]
        emails += [user["email"] for user in page["items"]]
        cursor = page["nextCursor"]
    assert emails == [f"p{number}@many.example" for number in reversed(range(120))]


async def test_dashboard_counters_are_exact(area: AdminArea) -> None:
    async def counters() -> dict[str, int]:
        data = (await area.web.get("/api/admin/dashboard", headers=area.staff)).json()["data"]
        return {name: counter["total"] for name, counter in data.items()}

    def row_counts() -> dict[str, int]:
        (row,) = area.rows(
            "SELECT (SELECT count(*) FROM users WHERE status <> 'erased'), (SELECT count(*) FROM skill_offers),"
            " (SELECT count(*) FROM reports),"
            " (SELECT count(*) FROM bookings WHERE status IN ('confirmed', 'missed', 'completed'))"
        )
        return {"users": row[0], "listings": row[1], "sessions": row[3], "reports": row[2]}

    guru = create_guru(area, "counted-guru")
    assert await counters() == row_counts()
    skills = Jsonb([{"name": "Bread", "level": None}, {"name": "Cheese", "level": None}])
    area.rows("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", skills, guru.owner)
    before = await counters()
    assert before == row_counts()
    area.rows("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", guru.owner)
    area.rows("DELETE FROM profiles WHERE user_id = %s", guru.owner)
    after = await counters()
    assert after == row_counts()
    assert (before["users"] - after["users"], before["listings"] - after["listings"]) == (1, 2)
    area.rows("DELETE FROM users WHERE user_id = %s", guru.owner)
    assert await counters() == row_counts() == after


async def test_search_with_many_matches_returns_the_same_rows(area: AdminArea, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        for number in range(60):
            row = {"user_id": new_id(), "firebase_uid": f"many-{number}", "email": f"m{number}@teems.example"}
            insert_row(conn, "users", row)
            conn.execute(
                "INSERT INTO profiles (user_id, handle, skills_offered) VALUES (%s, %s, %s)",
                [row["user_id"], f"teeming-{number}", Jsonb([{"name": f"Teeming {number}", "level": None}])],
            )
        for number in range(3):
            guru = seed_guru(conn, f"teem-{number}", posts=1)
            conn.execute("UPDATE users SET email = %s WHERE user_id = %s", [f"t{number}@owns.example", guru.owner])

    async def search_page(path: str, text: str, **query: str) -> dict[str, Any]:
        response = await area.web.get(f"/api/admin/{path}", params={"search": text} | query, headers=area.staff)
        data: dict[str, Any] = response.json()["data"]
        return data

    searches = [
        ("users", "@teems.example"), ("users", "teeming"), ("listings", "teeming"), ("listings", "te"),
        ("sites", "teem"), ("sites", "@owns.example"), ("sites", "t1@owns"), ("users", "te"), ("users", "T"),
        ("users", "m5"), ("sites", "te"), ("sites", "t2"),
    ]  # fmt: skip
    expected = [await search_page(*search) for search in searches]
    for recent, many in ((1, 1000), (1, 1), (55, 1)):
        monkeypatch.setattr(list_search, "RECENT_ROWS", recent)
        monkeypatch.setattr(list_search, "MAX_SORTED_MATCHES", many)
        assert [await search_page(*search) for search in searches] == expected
    assert [len(page["items"]) for page in expected] == [50, 50, 50, 50, 3, 3, 1, 50, 50, 11, 3, 1]
    second = await search_page("listings", "teeming", cursor=expected[2]["nextCursor"])
    assert len({item["id"] for item in expected[2]["items"] + second["items"]}) == 60
    assert (await search_page("sites", "teem", status="suspended"))["items"] == []


@pytest.mark.parametrize(
    ("module", "indexes"),
    [
        (user_queries, {"ix_users_email_start", "ix_profiles_display_name_start", "ix_profiles_handle_start"}),
        (listing_queries, {"Index Only Scan using ix_skill_offers_title_start"}),
        (site_queries, {"ix_users_email_start"}),
    ],
)
def test_search_of_two_letters_uses_indexes(area: AdminArea, module: ModuleType, indexes: set[str]) -> None:
    params = dict.fromkeys(("status", "before", "at", "id")) | {
        "prefix": "br", "many": 9, "limit": 9, "from": "br", "to": "bs", "like": "br%",
    }  # fmt: skip
    with psycopg.connect(area.database.service_url) as conn:
        conn.execute("SET enable_seqscan = off")  # the tables of a test are small
        # The server's first choice without statistics of the expressions.
        plan = "\n".join(row[0] for row in conn.execute("EXPLAIN " + module._SEARCH.beginning.matches, params))
    assert indexes == {name for name in indexes if name in plan}, plan
    assert "trgm" not in plan


@pytest.mark.parametrize("path", ["users", "listings"])
async def test_search_of_frequent_text_reads_newest_rows(
    area: AdminArea, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        for number in range(60):
            user_id = new_id()
            insert_row(conn, "users", {"user_id": user_id, "firebase_uid": f"{path}-{number}", "email": "f@x.example"})
            skills = Jsonb([{"name": f"Frequent {number}", "level": None}])
            row = {"user_id": user_id, "handle": f"frequent-{path}-{number}", "skills_offered": skills}
            insert_row(conn, "profiles", row)
    # With a condition that fails, only the query of the newest rows can answer.
    monkeypatch.setattr(list_search, "MAX_SORTED_MATCHES", "not a number")
    for text in ("fr", "frequent"):
        response = await area.web.get(f"/api/admin/{path}", params={"search": text}, headers=area.staff)
        assert len(response.json()["data"]["items"]) == 50


def test_search_of_many_users_reads_only_those_of_page(new_database: Callable[[], Database]) -> None:
    queries = user_queries._SEARCH.anywhere
    values = {"status": None, "before": None, "like": "%crowd%", "many": 20_000, "limit": 51}
    with psycopg.connect(new_database().superuser_url, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO users (user_id, firebase_uid, email)"
            " SELECT gen_random_uuid(), n, 'crowd' || n || '@mail.example' FROM generate_series(1, 3000) n"
        )
        conn.execute("VACUUM ANALYZE users")
        conn.execute("SET enable_seqscan = off")  # the table of a test is small
        ((plan,),) = conn.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {queries.matches}".encode(), values)
        ((ids,),) = conn.execute(queries.matches.encode(), values).fetchall()
        newest = conn.execute("SELECT user_id FROM users ORDER BY user_id DESC LIMIT 51").fetchall()
        rows = conn.execute(queries.rows.encode(), {"ids": ids}).fetchall()
    assert [row[:1] for row in rows] == newest
    assert plan[0]["Plan"]["Shared Hit Blocks"] < 600, plan
