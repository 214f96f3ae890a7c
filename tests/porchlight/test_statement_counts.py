"""SQL statements of every read of the API. Each is a round trip, and together they cost more than the work in them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.bench import population
from tests.bench.busy_guru import create_busy_guru
from tests.bench.reads import Deployment, app_settings, kinds_of_path_values, reads, sign_in
from tests.fixtures.databases import Database, Server
from tests.fixtures.identity import CertificateServer
from tests.fixtures.statement_log import StatementLog
from tests.porchlight.app_client import run_app
from tests.porchlight.authorization import CALLERS, ROWS
from tests.porchlight.named_users import certificates, signer

__all__ = ["certificates", "signer"]

PEOPLE = 100
CALLS = 4  # the first ones connect and fill caches, and a listener's statements may be among those of a call
MAX_STATEMENTS = 8  # with those that find the user, and begin, set up and end a transaction
# Reads that need more, each with the reason.
EXCEPTIONS = {
    "export_leads": "a file of all leads is read in pages, so that it needs little memory",
    "get_following": "the preview of a move reads the series, then the times that are free without it",
    "get_guru_following": "the preview of a move reads the series, then the times that are free without it",
    "get_guru_week": "a week has sessions, bookings, busy times, weekly hours and the hours of dates",
    "list_proposable_starts": "it reads the booking, then the times that are free without it",
    "search": "after the ranking it reads photos, handles and next times for the rows of the page, each kind at once",
    "list_new_results": "each saved search is a search of its own, and it runs at most five",
    "export_guru_statement": "a file of all lines is read in pages, so that it needs little memory",
    "export_year_statement": "a file of all lines is read in pages, so that it needs little memory",
    "get_year_statement": "the zone and the years come first, then the lines of each month",
    "get_year_statement_pdf": "the zone and the years come first, then the lines of each month",
    "get_money_overview": "each figure reads an index of only its own rows",
    "list_tips": "it reads the session, then whether the guru can take cards",
}


@pytest.fixture(scope="module")
def log(server: Server, database: Database) -> StatementLog:
    """The log of the statements."""
    return StatementLog(server, database)


@pytest.fixture(scope="module")
async def deployment(
    log: StatementLog, database: Database, certificates: CertificateServer
) -> AsyncIterator[Deployment]:
    """The app with a guru who has very much of everything; all of its connections are logged."""
    assert log.size() >= 0
    population.build(database, PEOPLE)
    guru = create_busy_guru(database, kinds_of_path_values())
    async with run_app(database, **app_settings(certificates)) as app:
        yield Deployment(app, guru, await sign_in(app, guru))


async def test_read_takes_at_most_eight_statements(deployment: Deployment, log: StatementLog) -> None:
    counts: dict[str, int] = {}
    for read in reads():
        expected = {200, ROWS[read.operation].own[CALLERS.index(read.caller)]}
        of_calls = []
        for _ in range(CALLS):
            since = log.size()
            response, *_ = await deployment.call(read)
            assert response.status in expected, (read.name, response.status, response.body[:300])
            of_calls.append(log.count(since))
        counts[read.name] = min(of_calls)
    excess = {name: count for name, count in counts.items() if count > MAX_STATEMENTS}
    assert {name.partition("?")[0] for name in excess} == EXCEPTIONS.keys(), excess
    assert len(counts) > 150
