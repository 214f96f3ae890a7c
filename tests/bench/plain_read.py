"""A signed-in read as a plain FastAPI app does it: the measure of what the product's reads cost."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import Cookie, Depends, FastAPI, Request
from pydantic import BaseModel
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine

from porchlight.auth.cookies import hash_secret
from porchlight.dependencies import SESSION_COOKIE
from porchlight.features.profiles.models import Profile
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, send_raw

_USER = text("SELECT user_id FROM app.find_session(:hash)")
_SET_USER = text("SELECT set_config('app.user_id', :user, true)")


class PlainProfile(BaseModel):
    """Fields of a profile."""

    handle: str
    display_name: str
    bio: str
    languages: list[str]


async def current_user(request: Request, secret: Annotated[str, Cookie(alias=SESSION_COOKIE)]) -> UUID:
    """Return the user of the session."""
    async with request.app.state.engine.begin() as connection:
        user_id: UUID = (await connection.execute(_USER, {"hash": hash_secret(secret)})).scalar_one()
    return user_id


async def get_profile(request: Request, user_id: Annotated[UUID, Depends(current_user)]) -> PlainProfile:
    """Return the user's row of a table that row-level security protects."""
    async with AsyncSession(request.app.state.engine) as session, session.begin():
        await session.execute(_SET_USER, {"user": str(user_id)})
        profile = (await session.scalars(select(Profile).where(Profile.user_id == user_id))).one()
        return PlainProfile.model_validate(profile, from_attributes=True)


def plain_app(engine: AsyncEngine) -> FastAPI:
    """Return an app with one route, which needs a signed-in user."""
    app = FastAPI()
    app.state.engine = engine
    app.get("/profile")(get_profile)
    return app


class PlainRead:
    """Calls the plain app with the cookie of a signed-in user."""

    def __init__(self, app: FastAPI, headers: list[tuple[bytes, bytes]]) -> None:
        self._app = app
        self._headers = headers

    async def call(self) -> float:
        """Read once. Return the milliseconds of the loop's thread."""
        began = time.thread_time()
        response = await send_raw(self._app, b"/profile", BASE_HOST, headers=self._headers)
        cost = (time.thread_time() - began) * 1000
        assert response.status == 200, response.body
        return cost


@contextlib.asynccontextmanager
async def plain_read(database: Database, headers: list[tuple[bytes, bytes]]) -> AsyncIterator[PlainRead]:
    """Yield the plain read on a database. `headers` have the cookie of a session."""
    engine = create_async_engine(database.app_url.replace("postgresql:", "postgresql+psycopg:"))
    try:
        yield PlainRead(plain_app(engine), headers)
    finally:
        await engine.dispose()
