"""Jobs of settlement, run by the worker as the service role: the only sender of writes, and the reader of events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from procrastinate import Blueprint, JobContext

from porchlight.payment_ports import (
    BadSignature,
    Later,
    PaymentsOutage,
    PaymentsRefusal,
    ProviderEvent,
    Refusal,
    Sent,
    StripeApi,
    Unclear,
)
from porchlight.settlement import inbox, outbox
from porchlight.settlement.reconcile.run import reconcile
from porchlight.settlement.rules import SettlementRules, Source
from porchlight.stripe.events import parse_event
from tenants.db.job_connections import job_connection
from tenants.db.rows import Connection, fetch_value
from tenants.kit import clock
from tenants.kit.logs import log

P = ParamSpec("P")
T = TypeVar("T")

NAMESPACE = "settlement"
MAX_CONCURRENT_WRITES = 8
UNDELIVERED_AGE = timedelta(days=3)  # as long as Stripe itself repeats a webhook


class Settlement:
    """The work of the jobs, on connections of the service role."""

    def __init__(self, service_dsn: str, api: StripeApi, rules: SettlementRules) -> None:
        self._dsn = service_dsn
        self._api = api
        self.rules = rules
        self._sending = False
        self._woken = asyncio.Event()

    async def run(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a thread, in a transaction of the service role."""

        def connected() -> T:
            with job_connection(self._dsn) as conn:
                return work(conn, *args, **kwargs)

        return await asyncio.to_thread(connected)

    async def send_due(self) -> None:
        """Send every write that is due, several at a time. One loop a process: a second call wakes the first."""
        self._woken.set()
        if self._sending:
            return
        self._sending = True
        running: set[asyncio.Task[None]] = set()
        try:
            while self._woken.is_set() or running:
                self._woken.clear()
                while len(running) < MAX_CONCURRENT_WRITES:
                    row = await self.run(outbox.claim, self._api.api_version)
                    if row is None:
                        break
                    running.add(asyncio.create_task(self.send_row(row)))
                if running:
                    wake = asyncio.create_task(self._woken.wait())
                    done, _ = await asyncio.wait({*running, wake}, return_when=asyncio.FIRST_COMPLETED)
                    wake.cancel()
                    if finished := done - {wake}:
                        self._woken.set()  # its account is free for the next write
                        running -= finished
        finally:
            await asyncio.gather(*running)
            self._sending = False

    async def send_row(self, row: outbox.ClaimedRow) -> None:
        """Send one claimed write and record its outcome."""
        outcome: Sent | Later | Refusal | Unclear | None
        try:
            outcome = await outbox.resolve(self._api, self.rules, row)
        except (PaymentsOutage, PaymentsRefusal) as error:  # of a search
            outcome = Unclear(f"lookup: {type(error).__name__}")
        try:
            await self.run(outbox.record, self.rules, row, outcome)
        except Exception as error:  # the lease ends, and the same request is repeated
            log.error("stripe_outcome_not_recorded", write=str(row.id), kind=row.kind, error=repr(error))

    async def process_event(self, event_id: str) -> None:
        """Fetch and apply the object of one event."""
        row = await self.run(inbox.due_event, event_id)
        if row is None:
            return
        try:
            work = await inbox.process(self._api, self.rules, row)
            if work is None:
                await self.run(inbox.mark_ignored, event_id)
            else:
                await self.run(inbox.apply_object, *work)
        except Exception as error:
            state = await self.run(inbox.mark_failed, row, error)
            log.error("stripe_event_not_processed", event_id=event_id, state=state, error=repr(error))

    async def fetch_open_objects(self) -> int:
        """Fetch the objects whose state can still change, in case an event was lost. Return their number."""
        fetched = 0
        for rule in self.rules.objects:
            open_objects = await self.run(lambda conn, rule=rule: list(  # type: ignore[misc]
                rule.open_objects(conn, inbox.due_before(clock.now()))
            ))  # fmt: skip
            for account, object_id in open_objects:
                source = Source(account, clock.now(), "", self._api.livemode)
                try:
                    current = await inbox.fetch_object(self._api, rule, object_id, account)
                    await self.run(inbox.apply_object, rule, object_id, current, source)
                except Exception as error:
                    log.error("stripe_object_not_refetched", object=object_id, error=repr(error))
                    if isinstance(error, PaymentsOutage):
                        return fetched
                fetched += 1
        return fetched

    async def receive_undelivered(self) -> int:
        """Store the events that Stripe could not deliver, on the platform and the connected accounts."""
        accounts = await self.run(lambda conn: list(self.rules.accounts(conn)))
        since = int((clock.now() - UNDELIVERED_AGE).timestamp())
        params: dict[str, Any] = {"delivery_success": False, "created": {"gte": since}}
        received = 0
        for account in ("", *accounts):
            try:
                events = [event async for event in self._listed(account, params)]
            except (PaymentsOutage, PaymentsRefusal, BadSignature) as error:
                log.error("undelivered_events_not_listed", account=account, error=repr(error))
                if isinstance(error, PaymentsOutage):
                    break  # it would hold this worker for a timeout of each account
            else:
                received += await self.run(self._store, events)
        return received

    async def receive_listed(self, conn: Connection, account: str, params: Mapping[str, Any]) -> int:
        """Store the events of an account that match `params`, in the caller's transaction. Return how many are new.

        Raises PaymentsOutage, PaymentsRefusal.
        """
        return self._store(conn, [event async for event in self._listed(account, params)])

    async def sweep(self) -> None:
        """Enqueue the events that are due, and send the writes that are."""
        await self.run(inbox.enqueue_due)
        await self.send_due()

    async def reconcile(self) -> None:
        """Compare the ledger with Stripe. A difference is a finding for staff."""
        accounts = await self.run(lambda conn: list(self.rules.accounts(conn)))
        report = await reconcile(self._dsn, self._api, accounts)
        if report.findings:
            log.error("money_off", findings=len(report.findings), cents=report.off_cents)

    async def _listed(self, account: str, params: Mapping[str, Any]) -> AsyncIterator[ProviderEvent]:
        async for listed in self._api.list_all("/v1/events", params, account):
            body = json.dumps(dict(listed, account=account or None)).encode()
            yield parse_event(body, "connect" if account else "platform")

    def _store(self, conn: Connection, events: Iterable[ProviderEvent]) -> int:
        received = 0
        for event in events:
            object_id = inbox.object_of(self.rules, event.body)
            if object_id is not None:
                values = inbox.receive_values(event, object_id, livemode=self._api.livemode)
                received += fetch_value(conn, bool, inbox.RECEIVE, values) or False
        return received


def settlement_blueprint(service_dsn: str, api: StripeApi | None, rules: SettlementRules) -> Blueprint:
    """Return the tasks of `settlement`. Without the provider's key they leave everything as it is."""
    blueprint = Blueprint()
    settlement = Settlement(service_dsn, api, rules) if api is not None else None

    async def act(work: Callable[[Settlement], Awaitable[object]]) -> None:
        if settlement is not None:
            await work(settlement)

    @blueprint.task(name="send", pass_context=True)
    async def send(_context: JobContext, /, **_owner: Any) -> None:
        await act(Settlement.send_due)

    @blueprint.task(name="process", pass_context=True)
    async def process(_context: JobContext, /, event_id: str, **_owner: Any) -> None:
        await act(lambda settlement: settlement.process_event(event_id))

    for cron, work in (
        ("* * * * *", Settlement.sweep),
        ("*/15 * * * *", Settlement.receive_undelivered),
        ("41 * * * *", Settlement.fetch_open_objects),
        ("23 * * * *", Settlement.reconcile),
    ):
        _add_periodic(blueprint, cron, work.__name__, partial(act, work))
    return blueprint


def _add_periodic(blueprint: Blueprint, cron: str, name: str, act: Callable[[], Awaitable[None]]) -> None:
    @blueprint.periodic(cron=cron)
    @blueprint.task(name=name, pass_context=True, queueing_lock=f"{NAMESPACE}:{name}")
    async def run(_context: JobContext, timestamp: int) -> None:
        await act()
