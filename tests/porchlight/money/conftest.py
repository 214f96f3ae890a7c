"""Fixtures of the ledger's tests."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.fixtures.databases import Database


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection]:
    """A transaction of the service role, rolled back afterwards."""
    with psycopg.connect(database.service_url) as connection:
        yield connection
        connection.rollback()
