"""`python -m porchlight_dev.stripe_fake`: run the fake Stripe until SIGTERM."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import uvicorn

from porchlight_dev.stripe_fake.protocol import CuttableProtocol
from porchlight_dev.stripe_fake.server import Keys, app
from porchlight_dev.stripe_fake.webhooks import Endpoints


def main() -> None:
    """Serve on 127.0.0.1. The secrets come from the environment, like those of the product."""
    parser = argparse.ArgumentParser(prog="porchlight_dev.stripe_fake")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--webhook-url", required=True)
    parser.add_argument("--webhook-host", required=True)
    options = parser.parse_args()
    platform_secret = os.environ["STRIPE_WEBHOOK_SECRET"]
    application = app(
        options.state,
        f"http://127.0.0.1:{options.port}",
        Keys(
            os.environ["STRIPE_SECRET_KEY"],
            os.environ.get("STRIPE_PUBLISHABLE_KEY", "pk_test_local"),
            os.environ.get("STRIPE_PRICING_TABLE_ID", "prctbl_local"),
        ),
        Endpoints(
            options.webhook_url,
            options.webhook_host,
            platform_secret,
            # Without a secret of its own the Connect endpoint uses that of the platform's.
            os.environ.get("STRIPE_CONNECT_WEBHOOK_SECRET") or platform_secret,
        ),
    )
    uvicorn.run(
        application,
        host="127.0.0.1",
        port=options.port,
        log_level="warning",
        access_log=False,
        http=CuttableProtocol,
        timeout_graceful_shutdown=2,
    )


if __name__ == "__main__":
    main()
