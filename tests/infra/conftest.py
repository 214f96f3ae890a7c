"""One deployment for all tests of this package, in one worker. Each test restarts the services that it stops."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from porchlight.demo_data import gurus
from tests.fixtures.databases import Server
from tests.infra.deployment import Deployment


class _OneDeployment(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Gives each file to one worker, and this package to one: a deployment takes seconds of CPU time to start."""

    def _split_scope(self, nodeid: str) -> str:
        return "tests/infra" if nodeid.startswith("tests/infra/") else nodeid.split("::", 1)[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Return the scheduler of a run by files, and None for other runs."""
    return _OneDeployment(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(scope="session")
def started_deployment(run_directory: Path, server: Server) -> Iterator[Deployment]:
    """The deployment, started once."""
    with server.fresh() as database:
        gurus.load_all(database.service_url)
        folder = run_directory / f"deployment-{uuid.uuid4().hex[:8]}"
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
