"""Limits that count rows hold for requests at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.app import Porchlight
from porchlight.features.search import actions as searches
from porchlight.features.search.schemas import SavedSearchPayload
from sites.images import actions as images
from sites.posts import actions as posts
from sites.posts.markdown import RenderedText
from sites.posts.render import PostText
from sites.services import actions as services
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.errors import Conflict
from tenants.kit.images import EncodedImage
from tests.fixtures.databases import Database
from tests.porchlight.app_client import run_app
from tests.porchlight.factories import seed_guru, seed_user

pytestmark = pytest.mark.race
AT_ONCE = 8
Work = Callable[[AsyncSession, UUID, int], Awaitable[Any]]


@pytest.fixture
async def app(database: Database) -> Any:
    """The app."""
    async with run_app(database) as created:
        yield created


async def _at_once(app: Porchlight, work: Work, *, tenant_id: UUID | None = None, user_id: UUID | None = None) -> int:
    """Do a piece of work eight times at the same moment. Return how many were not refused."""
    owner_id = tenant_id or user_id
    assert owner_id is not None

    async def once(number: int) -> bool:
        try:
            async with unit_of_work(app.db, tenant_id=tenant_id, user_id=user_id) as session:
                await work(session, owner_id, number)
        except Conflict:
            return False
        return True

    return sum(await asyncio.gather(*(once(number) for number in range(AT_ONCE))))


def _service(number: int) -> services.ServiceInput:
    return services.ServiceInput(f"Lesson {number}", "", 1000, 60, "", False, [])


async def test_saved_searches_are_counted_one_by_one(
    app: Porchlight, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty-three of twenty were stored."""
    monkeypatch.setattr(searches, "MAX_SAVED_SEARCHES", 2)
    with psycopg.connect(database.service_url) as conn:
        user_id = seed_user(conn)

    async def save(session: AsyncSession, owner: UUID, number: int) -> None:
        await searches.create_saved_search(session, owner, SavedSearchPayload(q=f"chess {number}"))

    assert await _at_once(app, save, user_id=user_id) == 2


@pytest.mark.parametrize("what", ["posts", "images", "services"])
async def test_rows_of_a_site_are_counted_one_by_one(
    app: Porchlight, database: Database, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, f"counted-{what}")
        ((before,),) = conn.execute(f"SELECT count(*) FROM {'site_images' if what == 'images' else what}"
                                    " WHERE tenant_id = %s".encode(), [guru.id]).fetchall()  # fmt: skip
    monkeypatch.setattr(posts, "MAX_POSTS", before + 2)
    monkeypatch.setattr(images, "MAX_IMAGES", before + 2)
    monkeypatch.setattr(services, "MAX_SERVICES", before + 2)

    async def create(session: AsyncSession, tenant_id: UUID, number: int) -> None:
        if what == "posts":
            text = PostText(f"Title {number}", f"title-{number}", [], "", "")
            await posts.create_post(session, tenant_id, text, RenderedText("", "", 0, None))
        elif what == "images":
            await images.create_image(session, tenant_id, EncodedImage(b"x", 1, 1, ""))
        else:
            await services.create_service(session, tenant_id, _service(number))

    assert await _at_once(app, create, tenant_id=guru.id) == 2
