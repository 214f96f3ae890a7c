"""One house for all tests of this room; each puts back what it stops."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from porchlight.seeds import stories
from tests.infra.house import House
from tests.support.databases import Server


@pytest.fixture(scope="session")
def started_house(run_directory: Path, server: Server) -> Iterator[House]:
    """The house, started once."""
    with server.fresh() as database:
        stories.tell_all(database.overseer_url)
        folder = run_directory / f"house-{uuid.uuid4().hex[:8]}"  # one for each lane
        folder.mkdir()
        house = House(folder, database)
        house.start_api()
        house.caddy.start()
        try:
            yield house
        finally:
            house.caddy.stop()
            house.stop_api()


@pytest.fixture
def house(started_house: House) -> Iterator[House]:
    """The house, with its API and its Caddy running before and after the test."""
    yield started_house
    started_house.start_api()
    if started_house.caddy.process is None:
        started_house.caddy.start()
