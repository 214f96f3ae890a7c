"""Gurus whose sessions can be booked."""

from __future__ import annotations

import psycopg
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.factories import SeededGuru, seed_guru


@pytest.fixture(scope="module")
def gurus(database: Database) -> tuple[SeededGuru, SeededGuru]:
    """Two gurus, each with a calendar and a booking."""
    with psycopg.connect(database.service_url) as conn:
        return seed_guru(conn, "alpha"), seed_guru(conn, "beta")


@pytest.fixture
def guru(gurus: tuple[SeededGuru, SeededGuru]) -> SeededGuru:
    """The first guru."""
    return gurus[0]
