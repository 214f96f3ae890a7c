"""SQL statements of a call to the console. Each one costs more than most of the work around it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from porchlight.app import Porchlight
from tests.fixtures.databases import Database, Server
from tests.fixtures.identity import PROJECT, Emulator
from tests.fixtures.statement_log import StatementLog
from tests.porchlight.app_client import run_app
from tests.porchlight.owner import GuruOwner

# The account with its guru, and then the transaction: each begins with the settings of tenant and user.
FIND_USER, BEGIN, QUERY, COMMIT = 2, 1, 1, 1


@pytest.fixture(scope="module")
def log(server: Server, database: Database) -> StatementLog:
    """The log of the statements."""
    return StatementLog(server, database)


@pytest.fixture(scope="module")
async def app(log: StatementLog, database: Database, emulator: Emulator) -> AsyncIterator[Porchlight]:
    """The app, all of whose connections are logged."""
    async with run_app(database, firebase_project_id=PROJECT, firebase_emulator_host=emulator.host) as created:
        yield created


@pytest.mark.parametrize("path", ["/blocks", "/images"])
async def test_console_call_finds_guru_with_account(rosa: GuruOwner, log: StatementLog, path: str) -> None:
    counts = []
    for _ in range(4):  # the first ones connect, and the listener's statements may be among those of a call
        since = log.size()
        await rosa.call("GET", path)
        counts.append(log.count(since))
    assert min(counts) == FIND_USER + BEGIN + QUERY + COMMIT
