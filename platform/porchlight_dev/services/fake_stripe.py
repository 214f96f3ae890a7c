"""The fake Stripe as a service."""

from __future__ import annotations

import os
import sys

from porchlight_dev.environment import BASE_HOST, ROOT, DevEnvironment
from porchlight_dev.probes import http_probe
from porchlight_dev.processes import require_free_port
from porchlight_dev.supervisor import DevService
from tenants.kit.clock import OFFSET_VARIABLE

WEBHOOK_PATH = "/api/stripe/webhooks"


def stripe_settings(environment: DevEnvironment) -> dict[str, str]:
    """Return the Stripe settings of the API and the worker (docs/operations.md)."""
    url = f"http://127.0.0.1:{environment.stripe_port}"
    return {
        "STRIPE_SECRET_KEY": f"sk_test_{environment.state.secret('stripe_key')}",
        "STRIPE_WEBHOOK_SECRET": f"whsec_{environment.state.secret('webhook_secret')}",
        "STRIPE_CONNECT_WEBHOOK_SECRET": f"whsec_{environment.state.secret('connect_webhook_secret')}",
        "STRIPE_API_BASE": url,
        "STRIPE_PUBLISHABLE_KEY": "pk_test_local",
        "STRIPE_PRICING_TABLE_ID": "prctbl_local",
        "STRIPE_PRICING_TABLE_URL": f"{url}/pricing-table.js",
    }


def fake_stripe_service(environment: DevEnvironment) -> DevService:
    """Return the fake Stripe, which stores its accounts in the state folder."""
    environment.facts["stripe_url"] = f"http://127.0.0.1:{environment.stripe_port}"

    async def prepare() -> None:
        require_free_port(environment.stripe_port, "payments")

    argv = [
        sys.executable,
        "-m",
        "porchlight_dev.stripe_fake",
        f"--port={environment.stripe_port}",
        f"--state={environment.state.path / 'stripe'}",
        f"--webhook-url=http://127.0.0.1:{environment.port}{WEBHOOK_PATH}",
        f"--webhook-host={BASE_HOST}:{environment.port}",
    ]
    return DevService(
        name="stripe",
        argv=lambda: argv,
        env={"PATH": os.environ.get("PATH", os.defpath), OFFSET_VARIABLE: os.environ.get(OFFSET_VARIABLE, "")}
        | stripe_settings(environment),
        prepare=prepare,
        ready=http_probe(environment.stripe_port, "/"),
        cwd=ROOT,
    )
