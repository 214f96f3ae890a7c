"""The deletion of an account with reviews, and its export."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg

from porchlight.features.account.export import collect_personal_data
from porchlight.registry import personal_data
from tenants.db.unit_of_work import unit_of_work
from tests.fixtures.databases import Database
from tests.porchlight.bookings.api import CreateUser
from tests.porchlight.owner import GuruOwner
from tests.porchlight.reviews.sessions import (
    end_session,
    publish,
    reviews_of,
    written,
    written_by_guru,
)


async def test_deleted_account_leaves_stars_only(
    web: httpx.AsyncClient, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    public, hidden = end_session(database, owner.guru, ada), end_session(database, owner.guru, ada)
    await written(ada, public, 2, "Vanishing words", privateNote="Vanishing note")
    await written_by_guru(owner, public, 1, "Vanishing too")
    await written_by_guru(owner, hidden, 1, "Vanishing, and hidden")
    publish(database, owner.guru)
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(ada.user_id)])
        conn.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [ada.user_id])
        conn.execute("DELETE FROM profiles WHERE user_id = %s", [ada.user_id])
    page = await reviews_of(web, owner.guru)
    assert page["counts"] == [0, 1, 0, 0, 0]
    assert [(one["stars"], one["body"], one["author"]) for one in page["reviews"]] == [(2, "", "")]
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute("SELECT side, r::text FROM reviews r WHERE person_id = %s", [ada.user_id]).fetchall()
    assert [side for side, _ in rows] == ["person"]
    assert "Vanishing" not in str(rows)


async def test_export_has_own_and_revealed_reviews(
    create_user: CreateUser, owner: GuruOwner, database: Database, app: Any
) -> None:
    ada = await create_user("Ada Neighbor")
    revealed, hidden = end_session(database, owner.guru, ada), end_session(database, owner.guru, ada)
    await written(ada, revealed, 5, "My words", privateNote="My note")
    await written_by_guru(owner, revealed, 4, "Words about me")
    await written_by_guru(owner, hidden, 1, "Hidden words")
    async with unit_of_work(app.db, user_id=ada.user_id) as session:
        archive = str(await collect_personal_data(session, ada.user_id, personal_data()))
    assert all(words in archive for words in ("My words", "My note", "Words about me"))
    assert "Hidden words" not in archive
    assert "address_hash" not in archive.partition("reviews")[2].partition("]")[0]
