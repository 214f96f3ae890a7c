"""The local Stripe as a part of the product on one machine."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from porchlight.local.processes import refuse_taken_port
from porchlight.local.supervisor import Part

if TYPE_CHECKING:
    from porchlight.local.parts import World

WEBHOOK_PATH = "/api/stripe/webhooks"


def payments_environment(world: World) -> dict[str, str]:
    """What the API and the worker need to know of the local Stripe (DESIGN 9)."""
    return {
        "STRIPE_SECRET_KEY": f"sk_test_{world.state.secret('stripe_key')}",
        "STRIPE_WEBHOOK_SECRET": f"whsec_{world.state.secret('webhook_secret')}",
        "STRIPE_API_BASE": f"http://127.0.0.1:{world.stripe_port}",
    }


def payments_part(world: World) -> Part:
    """The local Stripe, with what it knows in the state folder."""
    from porchlight.local.parts import BASE_HOST, ROOT, answers_http

    world.facts["stripe_url"] = f"http://127.0.0.1:{world.stripe_port}"

    async def prepare() -> None:
        refuse_taken_port(world.stripe_port, "payments")

    argv = [
        sys.executable,
        "-m",
        "porchlight.local.stripe",
        f"--port={world.stripe_port}",
        f"--state={world.state.path / 'stripe'}",
        f"--webhook-url=http://127.0.0.1:{world.port}{WEBHOOK_PATH}",
        f"--webhook-host={BASE_HOST}:{world.port}",
    ]
    return Part(
        name="stripe",
        argv=lambda: argv,
        env={"PATH": os.environ.get("PATH", os.defpath)} | payments_environment(world),
        prepare=prepare,
        ready=answers_http(world.stripe_port, "/"),
        cwd=ROOT,
    )
