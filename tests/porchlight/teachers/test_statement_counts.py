"""SQL statements of the list of teachers. Their number does not depend on how many gurus fit."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.search.indexer import reindex
from porchlight.features.teachers.queries import MAX_TEACHERS
from porchlight.geo.gazetteer import Gazetteer
from tests.fixtures.databases import Database, Server
from tests.fixtures.identity import PROJECT, CertificateServer
from tests.fixtures.statement_log import StatementLog
from tests.porchlight.app_client import run_app
from tests.porchlight.factories import seed_guru
from tests.porchlight.named_users import CreateUser, certificates, create_user, signer

__all__ = ["certificates", "create_user", "signer"]

# Each is the settings of tenant and user, and a query.
FIND_USER = GURUS = NEIGHBORS = PREMIUM = 2


@pytest.fixture(scope="module")
def log(server: Server, database: Database) -> StatementLog:
    """The log of the statements."""
    return StatementLog(server, database)


@pytest.fixture(scope="module")
async def app(log: StatementLog, database: Database, certificates: CertificateServer) -> AsyncIterator[Porchlight]:
    """The app, all of whose connections are logged."""
    settings = {"firebase_project_id": PROJECT, "firebase_certs_url": certificates.url}
    async with run_app(database, **settings) as created:
        yield created


async def test_list_of_many_gurus_takes_eight_statements(
    create_user: CreateUser, database: Database, log: StatementLog
) -> None:
    with psycopg.connect(database.service_url) as conn:
        for number in range(MAX_TEACHERS + 2):
            guru = seed_guru(conn, f"weaver-{number}", posts=0)
            conn.execute("UPDATE gurus SET primary_skills = '{Weaving}' WHERE id = %s", [guru.id])
            conn.execute("DELETE FROM guru_flags WHERE tenant_id = %s", [guru.id])
    await reindex(database.service_url, Gazetteer())
    user = await create_user("Ada")
    counts = []
    for _ in range(4):  # the first ones connect, and the listener's statements may be among those of a call
        since = log.size()
        data = await user.get("/api/teachers", category="Weaving")
        counts.append(log.count(since))
        assert len([guru for guru in data["gurus"] if guru["service"]]) == MAX_TEACHERS
    assert min(counts) == FIND_USER + GURUS + NEIGHBORS + PREMIUM
