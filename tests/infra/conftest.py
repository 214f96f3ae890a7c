"""One deployment for all tests of this package. Each test restarts the services that it stops."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from porchlight.demo_data import gurus
from tests.fixtures.databases import Server
from tests.infra.deployment import Deployment


@pytest.fixture(scope="session")
def started_deployment(run_directory: Path, server: Server) -> Iterator[Deployment]:
    """The deployment, started once."""
    with server.fresh() as database:
        gurus.load_all(database.service_url)
        folder = run_directory / f"deployment-{uuid.uuid4().hex[:8]}"  # one per worker
        folder.mkdir()
        deployment = Deployment(folder, database)
        deployment.start_api()
        deployment.caddy.start()
        try:
            yield deployment
        finally:
            deployment.caddy.stop()
            deployment.stop_api()


@pytest.fixture
def deployment(started_deployment: Deployment) -> Iterator[Deployment]:
    """The deployment, with API and Caddy running before and after the test."""
    yield started_deployment
    started_deployment.start_api()
    if started_deployment.caddy.process is None:
        started_deployment.caddy.start()
