"""Neighbors whose changes of bookings send emails at once, without a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.bookings.emails.sending import send_booking_emails
from porchlight.ports import Mailer
from tenants.db.tasks import Job, TenantJob
from tests.fixtures.databases import Database
from tests.fixtures.jobs import create_job_dependencies, running_job
from tests.porchlight.bookings.booking_emails import NOW, START, change
from tests.porchlight.factories import SeededGuru, seed_booking, seed_user

UNTIL = {"expires_at": NOW + timedelta(hours=5)}


class Neighbor:
    """A verified user who books a guru's sessions. The job that sends the emails runs after each change."""

    def __init__(self, stack: ExitStack, database: Database, guru: SeededGuru, mailer: Mailer, name: str) -> None:
        self.guru, self.name, self.database = guru, name, database
        self.jobs = create_job_dependencies(database, mailer=mailer)
        self.conn = stack.enter_context(psycopg.connect(database.service_url, autocommit=True))
        self.id = seed_user(self.conn)
        # The job's booking decides who gets emails: this user, and the guru.
        (count,) = self.conn.execute("SELECT count(*) FROM bookings WHERE tenant_id = %s", [guru.id]).fetchone() or (0,)
        booking_id = str(self.hold(starts_at=START - timedelta(days=1 + count)))
        work = running_job(database, "bookings:send_emails", tenant_id=guru.id, booking_id=booking_id)
        self.job = stack.enter_context(work)

    def hold(self, **columns: Any) -> UUID:
        """Keep a time, which sends no email."""
        values: dict[str, Any] = {"status": "held", "starts_at": START, "person_name": self.name} | UNTIL | columns
        booking_id = seed_booking(self.conn, self.guru, self.id, **values)
        self.conn.execute("DELETE FROM booking_emails WHERE booking_id = %s AND status = 'sent'", [booking_id])
        return booking_id

    def change(self, booking_id: UUID, **columns: Any) -> None:
        """Change a booking, and send the emails."""
        change(self.database, booking_id, **columns)
        send_booking_emails(of_tenant(self.job, self.guru), booking_id, self.jobs)


NewNeighbor = Callable[..., Neighbor]


@pytest.fixture
def new_neighbor(database: Database) -> Iterator[NewNeighbor]:
    """A factory of neighbors of a guru; the emails go through `mailer`."""
    with ExitStack() as stack:

        def create(guru: SeededGuru, mailer: Mailer, name: str = "Ada Neighbor") -> Neighbor:
            return Neighbor(stack, database, guru, mailer, name)

        yield create


def of_tenant(job: Job, guru: SeededGuru) -> TenantJob:
    """Return a running job as one of a guru."""
    return TenantJob(id=job.id, app_dsn=job.app_dsn, tenant_id=guru.id)
