"""The job that makes paid sessions the guru's a day after their end, and sends what they earned to their account.

It also lets go of the cards that were kept for sessions, once nothing can be owed of them.
"""

from __future__ import annotations

import asyncio

import psycopg
from procrastinate import Blueprint, JobContext

from porchlight.features.bookings.payments.settlement.cards import release
from porchlight.features.bookings.payments.settlement.packages import earn
from porchlight.features.bookings.payments.settlement.transfers import deliver, transfer

NAMESPACE = "payments"
DELIVER_TASK = "payments:deliver"


def payments_blueprint(service_dsn: str) -> Blueprint:
    """Return the task payments:deliver, as the service role: it looks at the payments of all tenants."""
    blueprint = Blueprint()

    @blueprint.periodic(cron="*/5 * * * *")
    @blueprint.task(name="deliver", pass_context=True, queueing_lock=DELIVER_TASK)
    async def deliver_due(_context: JobContext, timestamp: int) -> None:
        await asyncio.to_thread(deliver_payments, service_dsn)

    return blueprint


def deliver_payments(service_dsn: str) -> None:
    """Deliver and transfer what is due, and release cards, each in a transaction of its own."""
    with psycopg.connect(service_dsn) as conn:
        deliver(conn)
        conn.commit()
        earn(conn)
        transfer(conn)
        conn.commit()
        release(conn)
