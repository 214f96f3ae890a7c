"""Commands for plans at the payment provider."""

from __future__ import annotations

import asyncio
import sys

import typer

from porchlight.cli.terminal import fail, service_db
from porchlight.settings.environment import Settings

billing_app = typer.Typer(help="Plans at Stripe.", no_args_is_help=True)


@billing_app.callback()  # without it, `sync` would not be a subcommand
def billing() -> None:
    """Keep the plans and their prices at Stripe as this release has them."""


@billing_app.command("sync")
def billing_sync() -> None:
    """Create the products and prices of the plans at Stripe, where they are missing. Safe to repeat."""
    from porchlight.adapters import stripe_api
    from porchlight.features.billing.catalog import CatalogEntry, save_catalog, sync_catalog
    from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal

    settings = Settings()

    async def sync() -> list[CatalogEntry]:
        stripe = stripe_api(settings)
        if stripe is None:
            raise fail("STRIPE_SECRET_KEY is not set.")
        try:
            return await sync_catalog(stripe)
        finally:
            await stripe.close()

    try:
        entries = asyncio.run(sync())
    except (PaymentsOutage, PaymentsRefusal) as error:
        raise fail(f"Stripe did not accept the request ({error}). Check STRIPE_SECRET_KEY and try again.") from error
    with service_db() as conn:
        save_catalog(conn, entries)
    for entry in entries:
        sys.stdout.write(f"{entry.key:24}{entry.object_id:32}{'created' if entry.is_new else 'exists'}\n")
