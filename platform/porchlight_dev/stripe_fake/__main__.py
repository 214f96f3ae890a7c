"""`python -m porchlight_dev.stripe_fake`: run the fake Stripe until SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from porchlight_dev.stripe_fake.api import Api
from porchlight_dev.stripe_fake.pages import Pages
from porchlight_dev.stripe_fake.store import Store
from porchlight_dev.stripe_fake.webhooks import deliver


def app(
    state: Path, public_url: str, secret_key: str, webhook_url: str, webhook_host: str, webhook_secret: str
) -> Starlette:
    """Return the API, the hosted pages and the webhook delivery, with their data in the folder `state`."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = Store(state / "stripe.sqlite3")

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        delivery = asyncio.create_task(deliver(store, webhook_url, webhook_host, webhook_secret))
        try:
            yield
        finally:
            delivery.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await delivery
            store.close()

    return Starlette(routes=[*Api(store, secret_key, public_url).routes(), *Pages(store).routes()], lifespan=lifespan)


def main() -> None:
    """Serve on 127.0.0.1. The secrets come from the environment, like those of the product."""
    parser = argparse.ArgumentParser(prog="porchlight_dev.stripe_fake")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--webhook-url", required=True)
    parser.add_argument("--webhook-host", required=True)
    options = parser.parse_args()
    application = app(
        options.state,
        f"http://127.0.0.1:{options.port}",
        os.environ["STRIPE_SECRET_KEY"],
        options.webhook_url,
        options.webhook_host,
        os.environ["STRIPE_WEBHOOK_SECRET"],
    )
    uvicorn.run(application, host="127.0.0.1", port=options.port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
