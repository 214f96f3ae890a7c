"""People who book over HTTP at a running server."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import UUID

import httpx

from tests.fixtures.identity import Signer, claims
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.server import ServerProcess

MAX_TRIES = 20  # of a request that the server asks to repeat


@asynccontextmanager
async def open_client(server: ServerProcess) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the main platform, with as many connections as it needs."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.port}", headers={"host": BASE_HOST}, limits=limits, timeout=60
    ) as client:
        yield client


async def sign_in(client: httpx.AsyncClient, signer: Signer, name: str) -> ApiUser:
    """Return a user with an account, whose first request creates it."""
    user = ApiUser(client, name, "", UUID(int=0), f"{name}@example.com", signer.token(claims(name)))
    while (await user.request("GET", "/api/bookings")).status_code != 200:
        await asyncio.sleep(0.1)
    return user


class Requests:
    """Sends requests, repeats them as `Retry-After` asks, and records each answer's status and milliseconds."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.milliseconds: list[float] = []

    async def send(self, request: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """Return the first answer that is no 503."""
        for _ in range(MAX_TRIES):
            began = time.perf_counter()
            response = await request()
            self.milliseconds.append(1000 * (time.perf_counter() - began))
            self.statuses[response.status_code] += 1
            if response.status_code != 503:
                break
            await asyncio.sleep(float(response.headers["retry-after"]))
        return response

    def percentile(self, percent: int) -> float:
        """Return the milliseconds that `percent` of the answers took at most."""
        return sorted(self.milliseconds)[max(len(self.milliseconds) * percent // 100 - 1, 0)]
