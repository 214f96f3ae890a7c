"""The whole app with the real Auth emulator, a folder as file store, and an admin."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.fixtures.identity import PROJECT, Emulator
from tests.porchlight.app_client import run_app
from tests.porchlight.documents.users import AdminUser, GuruUser, create_admin, create_guru_user

ADMIN_KEY = "correct-horse-battery-staple-0123456789"


@pytest.fixture(scope="module")
def files_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the file store."""
    return tmp_path_factory.mktemp("state") / "files"


@pytest.fixture(scope="module")
async def app(database: Database, emulator: Emulator, files_folder: Path) -> AsyncIterator[Porchlight]:
    """The app as `make run` composes it."""
    parts: dict[str, Any] = {"firebase_project_id": PROJECT, "firebase_emulator_host": emulator.host}
    async with run_app(database, admin_key=ADMIN_KEY, files_url=files_folder.as_uri(), **parts) as created:
        yield created


@pytest.fixture
async def ada(web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any]) -> GuruUser:
    """A new user."""
    return await create_guru_user(web, emulator, service_db, "Ada Alvarez")


@pytest.fixture
async def ben(web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any]) -> GuruUser:
    """Another new user."""
    return await create_guru_user(web, emulator, service_db, "Ben Brook")


@pytest.fixture
async def admin(web: httpx.AsyncClient) -> AdminUser:
    """A signed-in admin."""
    return await create_admin(web, ADMIN_KEY)
