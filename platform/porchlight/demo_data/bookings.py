"""Demo bookings: past and upcoming sessions, a class with a waitlist, a request, and a proposal of another time."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
from psycopg.types.json import Jsonb

from porchlight.demo_data.gurus import demo_id
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.bookings import commands, store
from tenants.db.rows import Connection, fetch_value
from tenants.kit import clock
from tenants.kit.zones import day_bounds

CONTENT_FILE = Path(__file__).parent / "bookings.toml"
ANSWER_HOURS = 24  # for a request
_SEARCH_DAYS = 14  # for a day with hours
_PACKAGE_DAYS = 90
_PACKAGE = (
    """
INSERT INTO packages (tenant_id, id, service_id, name, sessions, days, idempotency_key, digest)
SELECT b.tenant_id, %(package)s, b.service_id, %(name)s, %(sessions)s, %(days)s, 'demo-' || %(package)s::text, ''
  FROM bookings b WHERE b.tenant_id = %(tenant)s AND b.id = %(booking)s""",
    """
INSERT INTO package_grants (tenant_id, id, package_id, person_id, person_name, is_customer, guru_label, guru_name,
                            service_id, service_name, name, granted, left_over, expires_at, zone, idempotency_key,
                            digest)
SELECT b.tenant_id, %(grant)s, %(package)s, b.person_id, b.person_name, b.customer_token IS NOT NULL, b.guru_label,
       b.guru_name, b.service_id, b.service_name, %(name)s, %(sessions)s, %(sessions)s - b.party, %(expires_at)s,
       b.zone, 'demo-' || %(grant)s::text, ''
  FROM bookings b WHERE b.tenant_id = %(tenant)s AND b.id = %(booking)s""",
    """
INSERT INTO package_events (tenant_id, grant_id, number, person_id, event, details)
SELECT g.tenant_id, g.id, 1, g.person_id, 'granted', jsonb_build_object('sessions', g.granted, 'until', g.expires_at)
  FROM package_grants g WHERE g.tenant_id = %(tenant)s AND g.id = %(grant)s""",
    """
UPDATE bookings b
   SET package_grant_id = %(grant)s, package_name = %(name)s, package_sessions = b.party, price_cents = 0,
       owed_cents = 0
 WHERE b.tenant_id = %(tenant)s AND b.id = %(booking)s""",
)


@dataclass(frozen=True, slots=True)
class DemoSession:
    """A booking of the demo, as in bookings.toml. `class_number`: of the service's fixed starts.

    With `weeks`, it is booked in so many weeks; `series` is then the id of the first booking. With `proposed_days`, the
    guru asks to move it by so many days, for `proposed_reason`. `customer` is the name of someone without an account,
    for whom the guru booked; `person` is "" then, and `email` the address for the link, if they gave one. A customer on
    day 0 comes today, also outside the hours. `checked_in` is the device with which the guru checked people in.
    With `package_sessions`, the guru gave the person a package of so many sessions called `package_name`, and the
    booking uses one of them. `client_note` is what the guru noted about the person. A guru's customers with the same
    name are one client.
    """

    guru: str
    service: str
    person: str
    days: int = 0
    time: str = ""
    class_number: int | None = None
    status: str = "confirmed"
    party: int = 1
    participants: list[str] = field(default_factory=list)
    note: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    address: str = ""
    reason: str = ""
    owed_percent: int = 0
    waiting: list[str] = field(default_factory=list)
    waiver: bool = False
    signers: list[str] = field(default_factory=list)
    weeks: int = 1
    series: UUID | None = None
    proposed_days: int = 0
    proposed_reason: str = ""
    customer: str = ""
    email: str = ""
    checked_in: str = ""
    package_name: str = ""
    package_sessions: int = 0
    client_note: str = ""

    @property
    def tenant(self) -> UUID:
        """The guru's tenant id."""
        return demo_id(self.guru)

    @property
    def service_id(self) -> UUID:
        """The service's id."""
        return demo_id(self.guru, "service", self.service)

    @property
    def id(self) -> UUID:
        """The booking's stable id."""
        who = self.person or self.customer
        return demo_id("booking", self.guru, self.service, who, str(self.days), str(self.class_number))


def load_sessions() -> Iterator[DemoSession]:
    """Yield the sessions of bookings.toml, those of a series one by one."""
    for entry in tomllib.loads(CONTENT_FILE.read_text(encoding="utf-8"))["sessions"]:
        first = DemoSession(class_number=entry.pop("class", None), **entry)
        if first.weeks == 1:
            yield first
        for week in range(first.weeks if first.weeks > 1 else 0):
            yield replace(first, days=first.days + 7 * week, series=first.id)


def load(conn: Connection, session: DemoSession) -> None:
    """Create a booking with its appointment and waitlist. Does nothing if it exists."""
    if conn.execute("SELECT 1 FROM bookings WHERE tenant_id = %s AND id = %s", [session.tenant, session.id]).fetchone():
        return
    appointment = _fixed_appointment(conn, session) if session.class_number is not None else _appointment(conn, session)
    now = clock.now()
    conn.execute(
        """
        INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, status, party, participants,
                              person_name, note, guru_label, guru_name, service_name, starts_at, ends_at, zone,
                              price_cents, currency, approval, place, place_text, bring, questions, answers,
                              person_address, terms, terms_digest, expires_at, confirmed_at, ended_by, ended_at,
                              reason, owed_cents, series_id, created_at, idempotency_key, digest, customer_token,
                              customer_email, checked_in_at, checked_in_by, client_id)
        SELECT a.tenant_id, %(id)s, a.id, a.service_id, %(person)s, %(status)s, %(party)s, %(participants)s,
               coalesce(p.display_name, %(customer)s), %(note)s, g.label, g.character, s.name, a.starts_at, a.ends_at,
               a.zone, s.price_cents * %(party)s, s.currency, b.approval, b.place, b.place_text, b.bring, b.questions,
               %(answers)s, %(address)s, app.booking_terms(b), sha256(app.booking_terms(b)::text::bytea),
               CASE WHEN %(status)s = 'requested' THEN %(answer_until)s::timestamptz END,
               CASE WHEN %(status)s <> 'requested' THEN least(%(now)s, a.starts_at - interval '5 days') END,
               CASE WHEN %(status)s = 'canceled' THEN 'person' ELSE '' END,
               CASE WHEN %(status)s IN ('canceled', 'completed', 'missed') THEN least(%(now)s, a.ends_at) END,
               %(reason)s, s.price_cents * %(owed_percent)s / 100, %(series)s,
               least(%(now)s, a.starts_at - interval '5 days'), 'demo-' || %(id)s::text, '', %(token)s, %(email)s,
               CASE WHEN %(checked_in)s <> '' THEN a.starts_at - interval '4 minutes' END, %(checked_in)s,
               %(client)s
          FROM appointments a
          JOIN gurus g ON g.id = a.tenant_id
          JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
          JOIN booking_settings b ON b.tenant_id = a.tenant_id AND b.service_id = a.service_id
          LEFT JOIN profiles p ON p.user_id = %(person)s
         WHERE a.tenant_id = %(tenant)s AND a.id = %(appointment)s
        """,
        {
            "tenant": session.tenant, "id": session.id, "appointment": appointment, "now": now,
            "customer": session.customer, "token": demo_id("customer", str(session.id)) if session.customer else None,
            "person": demo_id("person", str(session.id)) if session.customer else neighbor_id(session.person),
            "email": session.email, "status": session.status, "party": session.party,
            "participants": session.participants, "note": session.note, "address": session.address,
            "answers": Jsonb([{"question": label, "answer": text} for label, text in session.answers.items()]),
            "reason": session.reason, "owed_percent": session.owed_percent, "series": session.series,
            "checked_in": session.checked_in,
            "client": demo_id("client", session.guru, session.customer) if session.customer else None,
            "answer_until": now + timedelta(hours=ANSWER_HOURS),
        },
    )  # fmt: skip
    for number, email in enumerate(session.waiting, start=1):
        conn.execute(
            "INSERT INTO waitlist (tenant_id, appointment_id, number, person_id, guru_label, guru_name, service_id,"
            " service_name, starts_at, ends_at, zone) SELECT tenant_id, appointment_id, %s, %s, guru_label, guru_name,"
            " service_id, service_name, starts_at, ends_at, zone FROM bookings WHERE tenant_id = %s AND id = %s",
            [number, neighbor_id(email), session.tenant, session.id],
        )
    if session.package_sessions:
        _give_package(conn, session)
    if session.client_note:
        conn.execute(
            "INSERT INTO client_notes (tenant_id, booking_id, body) VALUES (%s, %s, %s)",
            [session.tenant, session.id, session.client_note],
        )
    if session.proposed_days:
        _propose_move(conn, session)


def _give_package(conn: Connection, session: DemoSession) -> None:
    """Give the person of a booking a package, of which the booking uses a session."""
    package, grant, now = demo_id("package", str(session.id)), demo_id("package grant", str(session.id)), clock.now()
    values = {
        "tenant": session.tenant, "booking": session.id, "package": package, "grant": grant,
        "name": session.package_name, "sessions": session.package_sessions, "now": now,
        "expires_at": day_bounds(ZoneInfo("America/Denver"), now.date(), _PACKAGE_DAYS)[1],
        "days": _PACKAGE_DAYS,
    }  # fmt: skip
    for statement in _PACKAGE:
        conn.execute(statement.encode(), values)


def _propose_move(conn: Connection, session: DemoSession) -> None:
    """Ask for another time as the guru, so that the history names them. The person gets the email."""
    starts_at, *_ = _free_start(conn, replace(session, days=session.days + session.proposed_days))
    conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(session.tenant)])
    needs = store.FactsQuery(ids=[session.id])
    (booking,) = (one for one in store.read_facts_on(conn, needs).bookings if one.id == session.id)
    store.run_on(conn, needs, commands.Propose(starts=[(booking, starts_at)], reason=session.proposed_reason))
    conn.execute("SELECT set_config('app.tenant_id', '', true)")


def _fixed_appointment(conn: Connection, session: DemoSession) -> UUID:
    appointment = fetch_value(
        conn,
        UUID,
        "SELECT id FROM appointments WHERE tenant_id = %s AND service_id = %s AND fixed ORDER BY starts_at"
        " LIMIT 1 OFFSET %s",
        [session.tenant, session.service_id, session.class_number],
    )
    if appointment is None:
        raise LookupError(f"{session.service} of {session.guru} has no fixed start {session.class_number}")
    return appointment


def _appointment(conn: Connection, session: DemoSession) -> UUID:
    starts_at, zone, minutes, capacity = _free_start(conn, session)
    ends_at = starts_at + timedelta(minutes=minutes)
    found = fetch_value(
        conn,
        UUID,
        "SELECT id FROM appointments WHERE tenant_id = %s AND service_id = %s AND starts_at = %s AND live",
        [session.tenant, session.service_id, starts_at],
    )
    appointment = found or demo_id(str(session.id), "appointment")
    if found is None:
        conn.execute(
            "INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity)"
            " VALUES (%s, %s, %s, %s, %s, %s, tstzrange(%s, %s), %s)",
            [
                session.tenant, appointment, session.service_id, starts_at, ends_at, zone, starts_at, ends_at, capacity,
            ],
        )  # fmt: skip
    return appointment


def _free_start(conn: Connection, session: DemoSession) -> tuple[datetime, str, int, int]:
    """Return start, zone, minutes and capacity: the first day with hours for the whole session, or today."""
    row = conn.execute(
        "SELECT c.zone, s.duration_minutes, b.capacity FROM calendars c"
        " JOIN services s ON s.tenant_id = c.tenant_id AND s.id = %s"
        " JOIN booking_settings b ON b.tenant_id = c.tenant_id AND b.service_id = s.id WHERE c.tenant_id = %s",
        [session.service_id, session.tenant],
    ).fetchone()
    if row is None:
        raise LookupError(f"{session.service} of {session.guru} cannot be booked")
    zone, minutes, capacity = row
    wall = time.fromisoformat(session.time)
    minute = 60 * wall.hour + wall.minute
    step = 1 if session.days >= 0 else -1
    first = clock.now().astimezone(ZoneInfo(zone)).date() + timedelta(days=session.days)
    if session.customer and session.days == 0:
        return datetime.combine(first, wall, ZoneInfo(zone)).astimezone(UTC), zone, minutes, capacity
    for offset in range(_SEARCH_DAYS):
        day = first + timedelta(days=step * offset)
        is_open = conn.execute(
            "SELECT 1 FROM weekly_hours WHERE tenant_id = %s AND weekday = %s AND during @> int4range(%s, %s)",
            [session.tenant, day.weekday(), minute, minute + minutes],
        ).fetchone()
        if is_open:
            return datetime.combine(day, wall, ZoneInfo(zone)).astimezone(UTC), zone, minutes, capacity
    raise LookupError(f"{session.guru} has no hours at {session.time} for {minutes} minutes")


def load_all(service_dsn: str) -> int:
    """Load all sessions in one transaction. Return their number."""
    with psycopg.connect(service_dsn) as conn:
        sessions = list(load_sessions())
        for session in sessions:
            load(conn, session)
    return len(sessions)
