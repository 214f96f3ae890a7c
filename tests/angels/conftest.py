"""The app with keys of our own, so that anybody may be signed in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import httpx
import pytest

from porchlight.app import Porchlight
from tests.angels.people import Neighbour, neighbour
from tests.platform_.world import BASE, serving, visitor
from tests.support.databases import Database
from tests.support.identity import PROJECT, CertificateServer, Signer

Come = Callable[[str], Awaitable[Neighbour]]


@pytest.fixture(scope="module")
def signer() -> Signer:
    """A key."""
    return Signer("angels")


@pytest.fixture(scope="module")
def certificates(signer: Signer) -> Iterator[CertificateServer]:
    """Where the app finds the key's certificate."""
    made = CertificateServer(signer)
    yield made
    made.close()


@pytest.fixture(scope="module")
async def app(database: Database, certificates: CertificateServer) -> AsyncIterator[Porchlight]:
    """The app."""
    async with serving(database, firebase_project_id=PROJECT, firebase_certs_url=certificates.url) as made:
        yield made


@pytest.fixture(scope="module")
async def web(app: Porchlight) -> AsyncIterator[httpx.AsyncClient]:
    """A browser on the main platform."""
    async with visitor(app, BASE) as client:
        yield client


@pytest.fixture
def come(web: httpx.AsyncClient, signer: Signer, database: Database) -> Come:
    """Lets somebody new come in, by their name."""
    return lambda name: neighbour(web, signer, database, name)
