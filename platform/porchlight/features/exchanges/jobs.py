"""Jobs of exchanges: ending what is due, and the emails to the two people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from porchlight.features.exchanges.actions import settlement_columns
from porchlight.features.exchanges.agreement import Agreement, Email, ExchangeFacts, Record, RecordState, Side, Status
from porchlight.features.exchanges.emails import exchange_email
from porchlight.features.exchanges.hours_rules import Mode
from porchlight.features.exchanges.reminders import due_reminders, next_reminder
from porchlight.features.exchanges.rules import COMPLETED_AFTER, EndDue, ExchangeChange, decide
from porchlight.features.exchanges.settlement_rules import SettleDue, SettlementChange, decide_settlement
from porchlight.job_dependencies import JobDependencies
from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_all, fetch_values
from tenants.db.tasks import ServiceJob, Tasks, UserJob
from tenants.kit import clock
from tenants.kit.logs import log

TASKS = Tasks("exchanges")

SEND_EMAIL_TASK = "exchanges:send_email"
BATCH = 200
_COLUMNS = """
SELECT e.person_a_id, e.person_b_id, e.id, e.teacher_id, e.status, e.turn, e.round, e.proposals, e.minutes, e.sequence,
       e.starts_at, e.ends_at, e.expires_at, e.risk, e.waiver_until, e.remind_at, e.mode, e.record_state,
       e.recorded_minutes, e.recorded_by, e.record_round, e.settle_by, e.settled_at, e.reversal_by
  FROM exchanges e"""
# Someone who takes a step right now has the lock: that step decides, and what is left is due again in a minute.
_DUE = f"""{_COLUMNS}
 WHERE e.expires_at <= %(now)s OR (e.status = 'confirmed' AND e.ends_at <= %(completed)s)
 ORDER BY e.person_a_id, e.id LIMIT %(batch)s FOR UPDATE SKIP LOCKED"""
_END = """
UPDATE exchanges e SET status = %(status)s, turn = '', expires_at = NULL, remind_at = NULL, sequence = e.sequence + 1,
       changed_at = %(now)s
 WHERE e.person_a_id = %(person)s AND e.id = %(id)s"""
_DUE_SETTLEMENTS = (
    "SELECT e.id FROM exchanges e WHERE e.settle_by <= %(now)s ORDER BY e.settle_by, e.id LIMIT %(batch)s"
)
_ONE_DUE = f"{_COLUMNS} WHERE e.id = %(id)s AND e.settle_by <= %(now)s FOR UPDATE SKIP LOCKED"
_SETTLE = """
UPDATE exchanges e
   SET status = %(status)s, remind_at = %(remind_at)s, record_state = %(record_state)s, settle_by = %(settle_by)s,
       settled_at = %(settled_at)s, sequence = e.sequence + 1, changed_at = %(now)s
 WHERE e.person_a_id = %(person)s AND e.id = %(id)s"""
_ENTER = "SELECT app.enter_exchange(%(id)s)"
_DUE_REMINDERS = f"""{_COLUMNS}
 WHERE e.remind_at <= %(now)s ORDER BY e.remind_at, e.id LIMIT %(batch)s FOR UPDATE SKIP LOCKED"""
_SET_REMINDER = "UPDATE exchanges SET remind_at = %(at)s WHERE person_a_id = %(person)s AND id = %(id)s"


@dataclass(frozen=True, slots=True)
class _DueExchange:
    person_a_id: UUID
    person_b_id: UUID
    id: UUID
    teacher_id: UUID
    status: Status
    turn: Any
    round: int
    proposals: list[datetime]
    minutes: int
    sequence: int
    starts_at: datetime | None
    ends_at: datetime | None
    expires_at: datetime | None
    risk: str
    waiver_until: datetime | None
    remind_at: datetime | None
    mode: Mode
    record_state: RecordState
    recorded_minutes: int | None
    recorded_by: Side | Literal[""]
    record_round: int
    settle_by: datetime | None
    settled_at: datetime | None
    reversal_by: Side | Literal[""]

    @property
    def agreement(self) -> Agreement:
        """Return the state that decides."""
        return Agreement(
            self.status, self.turn, self.round, tuple(self.proposals), self.minutes, self.sequence, self.starts_at,
            self.ends_at, self.expires_at, self.risk, self.waiver_until, self.mode,
            Record(
                self.record_state, self.recorded_minutes, self.recorded_by, self.record_round, self.settle_by,
                self.settled_at, self.reversal_by,
            ),
        )  # fmt: skip


@TASKS.service_task("exchanges:process_due", cron="* * * * *")
def process_due(job: ServiceJob) -> None:
    """End requests without an answer in time, complete and settle sessions, and queue what reminds."""
    with job.transaction() as conn:
        ended = end_due(conn)
    with job.transaction() as conn:
        due = fetch_values(conn, UUID, _DUE_SETTLEMENTS, {"now": clock.now(), "batch": BATCH})
    for exchange_id in due:
        # Each in its own transaction: together they would lock accounts in an order that others don't keep.
        with job.transaction() as conn:
            settle_due(conn, exchange_id)
    with job.transaction() as conn:
        reminded = queue_reminders(conn)
    if ended or reminded or due:
        log.info("exchanges_processed", ended=ended, settled=len(due), reminded=reminded)


def end_due(conn: Connection) -> int:
    """End the exchanges that are due, and queue the emails about them. Return how many ended."""
    now, ended = clock.now(), 0
    for row in fetch_all(conn, _DueExchange, _DUE, {"now": now, "completed": now - COMPLETED_AFTER, "batch": BATCH}):
        decision = decide(EndDue(), ExchangeFacts(now=now, agreement=row.agreement))
        if not isinstance(decision, ExchangeChange):
            continue
        conn.execute(_END, {"status": decision.status, "now": now, "person": row.person_a_id, "id": row.id})
        ended += 1
        _enqueue_emails(conn, row, decision.emails, row.sequence + 1)
    return ended


def settle_due(conn: Connection, exchange_id: UUID) -> None:
    """Settle a session by its recorded time, or end it without one, if that is due. A second run changes nothing."""
    now = clock.now()
    for row in fetch_all(conn, _DueExchange, _ONE_DUE, {"id": exchange_id, "now": now}):
        decision = decide_settlement(SettleDue(), ExchangeFacts(now=now, agreement=row.agreement))
        if not isinstance(decision, SettlementChange):
            continue
        conn.execute(_SETTLE, settlement_columns(decision) | {"now": now, "person": row.person_a_id, "id": row.id})
        conn.execute(_ENTER, {"id": row.id})
        _enqueue_emails(conn, row, decision.emails, row.sequence + 1)


def queue_reminders(conn: Connection) -> int:
    """Queue the reminders that are due, and store when the next ones are. Return of how many exchanges."""
    now, reminded = clock.now(), 0
    for row in fetch_all(conn, _DueExchange, _DUE_REMINDERS, {"now": now, "batch": BATCH}):
        if row.starts_at is None or row.remind_at is None:
            continue
        later = next_reminder(row.starts_at, now + timedelta(microseconds=1))
        conn.execute(_SET_REMINDER, {"at": later, "person": row.person_a_id, "id": row.id})
        emails = due_reminders(row.agreement, row.remind_at, now)
        _enqueue_emails(conn, row, emails, row.sequence)
        reminded += bool(emails)
    return reminded


def _enqueue_emails(conn: Connection, row: _DueExchange, emails: Iterable[Email], sequence: int) -> None:
    learner = row.person_b_id if row.teacher_id == row.person_a_id else row.person_a_id
    for email in emails:
        person = row.teacher_id if email.side == "teacher" else learner
        enqueue_as_service(
            conn, SEND_EMAIL_TASK, user_id=str(person), exchange_id=str(row.id), kind=email.kind, sequence=sequence
        )


@TASKS.user_task(SEND_EMAIL_TASK)
def send_email(job: UserJob, jobs: JobDependencies, exchange_id: UUID, kind: str, sequence: int) -> None:
    """Tell one of the two about a step, unless another one followed meanwhile, which has its own email."""
    with job.transaction() as conn:
        message = exchange_email(conn, job.user_id, exchange_id, kind, sequence, jobs)
    if message is not None:
        jobs.mailer.send(message)
