"""A run of reconciliation: import the lines, fetch the balances, compare, store the findings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Concatenate, ParamSpec, TypeVar

import psycopg

from porchlight.payment_ports import StripeApi
from porchlight.settlement.reconcile.lines import KNOWN_TYPES, row_of, save_lines
from porchlight.settlement.reconcile.matching import Difference, differences, line_total, save_findings
from tenants.db.rows import Connection, fetch_value
from tenants.kit import clock
from tenants.kit.ids import new_id

P = ParamSpec("P")
T = TypeVar("T")

OVERLAP = timedelta(hours=48)
BATCH = 500
BALANCE_TRIES = 3
LINES = "/v1/balance_transactions"
FEE_TYPE = "application_fee"
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)

_LAST = "SELECT max(started_at) FROM reconciliations"
_SAVE_RUN = """
INSERT INTO reconciliations (id, started_at, lines, open_findings, off_cents, off_accounts)
VALUES (%s, %s, %s, %s, %s, %s)"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of a run: the number of new lines, and all open findings."""

    lines: int
    findings: Sequence[Difference]

    @property
    def off_cents(self) -> int:
        """Return the sum of the differences, each without its sign."""
        return sum(abs(one.cents) for one in self.findings)


async def reconcile(
    dsn: str,
    api: StripeApi,
    accounts: Sequence[str],
    *,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Comparison:
    """Compare Stripe's platform account and the connected `accounts` with the ledger, as the service role.

    `since`: by default two days before the last run, or the beginning. Raises PaymentsOutage, PaymentsRefusal.
    """
    conn = await asyncio.to_thread(_connect, dsn)
    try:
        return await _reconcile(conn, api, accounts, since, until)
    finally:
        await asyncio.to_thread(conn.close)


def _connect(dsn: str) -> Connection:
    """Open the connection of a run. With one for each batch, the server would plan every statement again."""
    return psycopg.connect(dsn, autocommit=True)


async def _reconcile(
    conn: Connection, api: StripeApi, accounts: Sequence[str], since: datetime | None, until: datetime | None
) -> Comparison:
    started = clock.now()
    until = until or started
    if since is None:
        last = await _in_transaction(conn, _last_start)
        since = last - OVERLAP if last else BEGINNING
    imported = 0
    balances: dict[str, int] = {}
    for account in ("", *accounts):
        for _ in range(BALANCE_TRIES):  # money may move between the two reads
            imported += await _import(conn, api, account, since)
            balance = await api.fetch("/v1/balance", account)
            if balance is None:
                break
            balances[account] = _cents(balance)
            if balances[account] == await _in_transaction(conn, line_total, account):
                break

    def compare(conn: Connection) -> Comparison:
        found = differences(conn, balances, KNOWN_TYPES, since=since, until=until)
        report = Comparison(imported, save_findings(conn, found, since=since))
        off = {one.account for one in report.findings if one.cents}
        conn.execute(_SAVE_RUN, [new_id(), started, imported, len(report.findings), report.off_cents, len(off)])
        return report

    return await _in_transaction(conn, compare)


def _last_start(conn: Connection) -> datetime | None:
    return fetch_value(conn, datetime, _LAST)


async def _import(conn: Connection, api: StripeApi, account: str, since: datetime) -> int:
    imported = 0
    batch: list[Mapping[str, Any]] = []
    async for line in _listed(api, account, since):
        batch.append(row_of(line))
        if len(batch) == BATCH:
            imported += await _in_transaction(conn, save_lines, account, batch)
            batch = []
    return imported + await _in_transaction(conn, save_lines, account, batch)


async def _listed(api: StripeApi, account: str, since: datetime) -> AsyncIterator[Mapping[str, Any]]:
    """Yield the lines of an account, with their sources only where the ledger posts another object than the source.

    Of the platform's lines these are the few fees of instant payouts. A source is ten times as long as its line.
    """
    params: dict[str, Any] = {"created": {"gte": int(since.timestamp())}}
    expanded = params | {"expand": ["data.source"]}
    if account:
        async for line in api.list_all(LINES, expanded, account):
            yield line
        return
    async for line in api.list_all(LINES, params):
        if line["type"] != FEE_TYPE:
            yield line
    async for line in api.list_all(LINES, expanded | {"type": FEE_TYPE}):
        yield line


def _cents(balance: Mapping[str, Any]) -> int:
    """Return available and pending cents in US dollars."""
    return sum(
        part["amount"] for name in ("available", "pending") for part in balance[name] if part["currency"] == "usd"
    )


async def _in_transaction(
    conn: Connection, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Run `work` in a thread, in a transaction of its own."""

    def run() -> T:
        with conn.transaction():
            return work(conn, *args, **kwargs)

    return await asyncio.to_thread(run)
