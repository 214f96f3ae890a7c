"""Commands of money: compare the ledger with Stripe."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from porchlight.cli.terminal import console, fail, require_setting, service_db
from porchlight.settings.environment import Settings

if TYPE_CHECKING:
    from porchlight.settlement.reconcile.run import Comparison
    from porchlight.settlement.restore import Recovery

money_app = typer.Typer(help="Money: the ledger and Stripe.", no_args_is_help=True)


@money_app.callback()
def money() -> None:
    """Money: the ledger and Stripe."""


@money_app.command()
def reconcile(
    since: Annotated[datetime | None, typer.Option("--from", help="UTC; default: two days before the last.")] = None,
    until: Annotated[datetime | None, typer.Option(help="UTC; default: now.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the findings as JSON.")] = False,
) -> None:
    """Compare the ledger with Stripe to the cent. Exits with 1 if they differ. Changes only the findings."""
    from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal

    settings = Settings()
    dsn = require_setting(settings.overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    require_setting(settings.stripe_secret_key, "STRIPE_SECRET_KEY")
    times = [time and time.replace(tzinfo=UTC) for time in (since, until)]
    try:
        report = asyncio.run(_reconcile(settings, dsn, *times))
    except (PaymentsOutage, PaymentsRefusal) as error:
        raise fail(f"Stripe does not answer: {error}") from error
    if as_json:
        found = [asdict(one) for one in report.findings]
        values: dict[str, Any] = {"lines": report.lines, "off_cents": report.off_cents, "findings": found}
        sys.stdout.write(json.dumps(values, indent=2, default=str) + "\n")
    else:
        for one in report.findings:
            place = one.account or "platform"
            sys.stdout.write(f"{one.kind:18}{place:24}{one.stripe_id:32}{one.cents / 100:>14,.2f}\n")
        console.print(f"{report.lines} new lines. {_verdict(report)}", highlight=False)
    if report.findings:
        raise typer.Exit(1)


def _verdict(report: Comparison) -> str:
    if not report.findings:
        return "The ledger matches Stripe to the cent."
    accounts = len({one.account for one in report.findings})
    return f"Off by ${report.off_cents / 100:,.2f} in {accounts} account{'s' if accounts > 1 else ''}."


async def _reconcile(settings: Settings, dsn: str, since: datetime | None, until: datetime | None) -> Comparison:
    import psycopg

    from porchlight.adapters import stripe_api
    from porchlight.registry import FEATURES
    from porchlight.settlement.reconcile.run import reconcile as run
    from porchlight.settlement.rules import load_rules

    api = stripe_api(settings)
    assert api is not None  # noqa: S101 - the key is set
    try:
        with psycopg.connect(dsn) as conn:
            accounts = list(load_rules(FEATURES).accounts(conn))
        return await run(dsn, api, accounts, since=since, until=until)
    finally:
        await api.close()


@money_app.command("restored")
def money_restored() -> None:
    """After a backup was restored, and before API and worker start: learn what Stripe did since, and repeat nothing."""
    from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal
    from porchlight.settlement.outbox import mark_restored

    settings = Settings()
    if not settings.stripe_secret_key:
        with service_db() as conn:
            marked = mark_restored(conn)
        console.print(f"{marked} writes to Stripe have an unknown outcome now. STRIPE_SECRET_KEY is not set.")
        return
    dsn = require_setting(settings.overseer_database_url, "PORCHLIGHT_OVERSEER_DATABASE_URL")
    try:
        found = asyncio.run(_recover(settings, dsn))
    except (PaymentsOutage, PaymentsRefusal) as error:
        raise fail(f"Stripe does not answer: {error}. Run this again before you start the API.") from error
    console.print(f"{found.writes} writes to Stripe have an unknown outcome now. The worker looks each of them up.")
    console.print(f"{found.events} events of Stripe were missing.", highlight=False)
    if found.failed:
        raise fail(f"{found.failed} objects of Stripe are not applied. Run this again before you start the API.")


async def _recover(settings: Settings, dsn: str) -> Recovery:
    from porchlight.adapters import stripe_api
    from porchlight.registry import FEATURES
    from porchlight.settlement.jobs import Settlement
    from porchlight.settlement.restore import recover
    from porchlight.settlement.rules import load_rules

    api = stripe_api(settings)
    assert api is not None  # noqa: S101 - the key is set
    try:
        return await recover(dsn, Settlement(dsn, api, load_rules(FEATURES)))
    finally:
        await api.close()
