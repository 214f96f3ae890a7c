"""`python -m porchlight.local.stripe`: the local Stripe, until SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from porchlight.local.stripe.api import Api
from porchlight.local.stripe.pages import Pages
from porchlight.local.stripe.store import Store
from porchlight.local.stripe.webhooks import deliver


def app(
    state: Path, public_url: str, secret_key: str, webhook_url: str, webhook_host: str, webhook_secret: str
) -> Starlette:
    """The API, the hosted pages and the deliverer of events, on the file in the folder `state`."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = Store(state / "stripe.sqlite3")

    @contextlib.asynccontextmanager
    async def beside(_app: Starlette) -> AsyncIterator[None]:
        delivering = asyncio.create_task(deliver(store, webhook_url, webhook_host, webhook_secret))
        try:
            yield
        finally:
            delivering.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await delivering
            store.close()

    return Starlette(routes=[*Api(store, secret_key, public_url).routes(), *Pages(store).routes()], lifespan=beside)


def main() -> None:
    """Serve on 127.0.0.1. The secrets come by environment, as the product's own do."""
    reader = argparse.ArgumentParser(prog="porchlight.local.stripe")
    reader.add_argument("--port", type=int, required=True)
    reader.add_argument("--state", type=Path, required=True)
    reader.add_argument("--webhook-url", required=True)
    reader.add_argument("--webhook-host", required=True)
    given = reader.parse_args()
    served = app(
        given.state,
        f"http://127.0.0.1:{given.port}",
        os.environ["STRIPE_SECRET_KEY"],
        given.webhook_url,
        given.webhook_host,
        os.environ["STRIPE_WEBHOOK_SECRET"],
    )
    uvicorn.run(served, host="127.0.0.1", port=given.port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
