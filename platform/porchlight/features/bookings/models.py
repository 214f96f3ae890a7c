"""Bookings of people with gurus, and what belongs to them: rows that both parties see (`tenants.db.rls.PARTY_ROWS`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    ForeignKeyConstraint,
    Index,
    SmallInteger,
    UniqueConstraint,
    and_,
    false,
    func,
    literal_column,
    or_,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("booking_agendas",)

MAX_LINK_EMAILS = 8  # with the personal link of one participant, reminders included


class Booking(TenantOwned, Base):
    """A booking of a person with a guru, from the hold of its time on.

    Price, length, place, `bring` and terms are copies: later changes of the service do not touch them. `hold_hash` is
    the digest of the hold's token. `price_cents` is for the whole party, `owed_cents` what a late cancellation or a
    missed session costs. `person_address` is where to meet, for a session at their place, and `person_zone` the IANA
    zone in which the person saw the time, or "". `idempotency_key` is set once the person has confirmed the hold.
    `series_id` is the id of the first of several bookings that were made together. `proposed_start` is another time
    that the guru asks for, open until `proposed_until`; `proposals` counts all of them. A booking that has moved has
    left `left_appointment_id`. `late_since` is when the person first moved the session after free cancellation had
    ended.

    A customer for whom the guru booked has no account: `person_id` is an id of their own, `customer_token` that of the
    link to their booking, and `customer_email` the address that the guru entered, or "". Once an account has claimed
    the booking, it is that account's, and `claimed_token` is that of the former link. `client_id` joins the bookings of
    a customer who came again: that of the first one. It permits nothing.

    `package_grant_id` is the package that the booking uses or used: `package_sessions` of it, 0 once they were
    returned. Such a booking costs nothing more, so its price is 0.

    `questions` are those of the service as they were asked, `answers` what the person answered to some of them
    (`sites.hours.questions`).

    `checked_in_at` is when the guru saw that the people came, by the clock of the device `checked_in_by`.
    """

    __tablename__ = "bookings"
    __table_args__ = (
        UniqueConstraint("tenant_id", "hold_hash"),
        UniqueConstraint("tenant_id", "person_id", "idempotency_key"),
        ForeignKeyConstraint(
            ["tenant_id", "appointment_id"], ["appointments.tenant_id", "appointments.id"], ondelete="CASCADE"
        ),
        CheckConstraint(
            "status IN ('held', 'requested', 'confirmed', 'declined', 'canceled', 'expired', 'missed', 'completed')",
            name="status",
        ),
        CheckConstraint("(status IN ('held', 'requested')) = (expires_at IS NOT NULL)", name="expires"),
        CheckConstraint("status IN ('held', 'expired') OR person_id IS NOT NULL", name="person"),
        CheckConstraint("party BETWEEN 1 AND 10", name="party"),
        ForeignKeyConstraint(["tenant_id", "package_grant_id"], ["package_grants.tenant_id", "package_grants.id"]),
        CheckConstraint(
            "package_sessions = 0 OR package_sessions = party AND package_grant_id IS NOT NULL",
            name="package_sessions",
        ),
        CheckConstraint("ends_at > starts_at", name="times"),
        CheckConstraint("owed_cents BETWEEN 0 AND price_cents", name="owed"),
        CheckConstraint(
            "(proposed_start IS NULL) = (proposed_until IS NULL)"
            " AND (proposed_start IS NULL OR status IN ('requested', 'confirmed'))",
            name="proposal",
        ),
        CheckConstraint(
            "(checked_in_at IS NULL) = (checked_in_by = '')"
            " AND (checked_in_at IS NULL OR status IN ('confirmed', 'completed'))",
            name="check_in",
        ),
        CheckConstraint(
            "jsonb_typeof(questions) = 'array' AND jsonb_array_length(questions) <= 5"
            " AND length(questions::text) <= 10000",
            name="questions",
        ),
        CheckConstraint(
            "jsonb_typeof(answers) = 'array' AND jsonb_array_length(answers) <= 5 AND length(answers::text) <= 8000",
            name="answers",
        ),
        Index("ix_bookings_tenant_id_appointment_id", "tenant_id", "appointment_id"),
        Index("ix_bookings_tenant_id_starts_at", "tenant_id", "starts_at"),
        # A guru's next bookings, without reading those that ended or the other gurus'.
        Index(
            "ix_bookings_open",
            "tenant_id",
            "starts_at",
            "id",
            postgresql_where=text("status IN ('requested', 'confirmed')"),
        ),
        Index(
            "ix_bookings_person_id_starts_at", "person_id", "starts_at", postgresql_where=text("person_id IS NOT NULL")
        ),
        Index(
            "ix_bookings_tenant_id_address_hash",
            "tenant_id",
            "address_hash",
            "created_at",
            postgresql_where=text("address_hash IS NOT NULL"),
        ),
        Index(
            "ix_bookings_tenant_id_customer_token",
            "tenant_id",
            "customer_token",
            postgresql_where=text("customer_token IS NOT NULL"),
        ),
        Index(
            "ix_bookings_tenant_id_claimed_token",
            "tenant_id",
            "claimed_token",
            postgresql_where=text("claimed_token IS NOT NULL"),
        ),
        Index(
            "ix_bookings_tenant_id_client_id",
            "tenant_id",
            "client_id",
            postgresql_where=text("client_id IS NOT NULL"),
        ),
        Index(
            "ix_bookings_tenant_id_package_grant_id",
            "tenant_id",
            "package_grant_id",
            postgresql_where=text("package_grant_id IS NOT NULL"),
        ),
        # Staff list the sessions of all gurus, and find one by its id.
        Index(
            "ix_bookings_starts_at_id",
            "starts_at",
            "id",
            postgresql_where=text("status NOT IN ('held', 'expired')"),
        ),
        Index(
            "ix_bookings_names_trgm",
            "service_name",
            "guru_name",
            postgresql_using="gin",
            postgresql_ops={"service_name": "gin_trgm_ops", "guru_name": "gin_trgm_ops"},
            postgresql_where=text("status NOT IN ('held', 'expired')"),
        ),
        Index("ix_bookings_id", "id"),
        Index("ix_bookings_starts_at", "starts_at", postgresql_where=text("status = 'confirmed'")),
        Index("ix_bookings_expires_at", "expires_at", postgresql_where=text("expires_at IS NOT NULL")),
        Index("ix_bookings_proposed_until", "proposed_until", postgresql_where=text("proposed_until IS NOT NULL")),
        Index(
            "uq_bookings_active_person",
            "tenant_id",
            "appointment_id",
            "person_id",
            unique=True,
            postgresql_where=text("status IN ('held', 'requested', 'confirmed')"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    appointment_id: Mapped[UUID]
    left_appointment_id: Mapped[UUID | None]
    service_id: Mapped[UUID]
    person_id: Mapped[UUID | None]
    hold_hash: Mapped[bytes | None] = mapped_column(info={"private": True})
    address_hash: Mapped[bytes | None] = mapped_column(info={"private": True})
    status: Mapped[str]
    party: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    participants: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    person_name: Mapped[str] = mapped_column(server_default="")
    note: Mapped[str] = mapped_column(server_default="")
    guru_label: Mapped[str]
    guru_name: Mapped[str]
    service_name: Mapped[str]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    zone: Mapped[str]
    person_zone: Mapped[str] = mapped_column(server_default="")
    price_cents: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str]
    approval: Mapped[str]
    place: Mapped[str]
    place_text: Mapped[str] = mapped_column(server_default="")
    bring: Mapped[str] = mapped_column(server_default="")
    questions: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    answers: Mapped[list[dict[str, str]]] = mapped_column(JSONB, server_default=text("'[]'"))
    person_address: Mapped[str] = mapped_column(server_default="")
    terms: Mapped[dict[str, Any]] = mapped_column(JSONB)
    terms_digest: Mapped[bytes]
    waiver_level: Mapped[str] = mapped_column(server_default="")
    waiver_id: Mapped[UUID | None]
    waiver_until: Mapped[datetime | None]
    sequence: Mapped[int] = mapped_column(server_default="0")
    late_since: Mapped[datetime | None]
    moves: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    series_id: Mapped[UUID | None]
    proposed_start: Mapped[datetime | None]
    proposed_until: Mapped[datetime | None]
    proposed_reason: Mapped[str] = mapped_column(server_default="")
    proposals: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    expires_at: Mapped[datetime | None]
    confirmed_at: Mapped[datetime | None]
    ended_by: Mapped[str] = mapped_column(server_default="")
    ended_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(server_default="")
    owed_cents: Mapped[int] = mapped_column(BigInteger, server_default="0")
    idempotency_key: Mapped[str | None]
    digest: Mapped[bytes | None] = mapped_column(info={"private": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    customer_email: Mapped[str] = mapped_column(server_default="")
    customer_token: Mapped[UUID | None] = mapped_column(info={"private": True})
    checked_in_at: Mapped[datetime | None]
    checked_in_by: Mapped[str] = mapped_column(server_default="", info={"private": True})
    claimed_token: Mapped[UUID | None] = mapped_column(info={"private": True})
    package_grant_id: Mapped[UUID | None]
    package_sessions: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    package_name: Mapped[str] = mapped_column(server_default="")
    client_id: Mapped[UUID | None] = mapped_column(info={"private": True})


# The person has confirmed the hold: it is a booking or a request, or it was one.
WAS_SENT: ColumnElement[bool] = Booking.idempotency_key.is_not(None)
# What the guru sees: not what waits for its payment, nor what was never paid.
REACHED_GURU: ColumnElement[bool] = and_(
    WAS_SENT, Booking.status != "held", or_(Booking.status != "expired", Booking.approval == "request")
)
# Without parameters, so that each plan of a statement can use the index of open bookings.
IS_OPEN: ColumnElement[bool] = Booking.status.in_([literal_column("'requested'"), literal_column("'confirmed'")])


class Participant(TenantOwned, Base):
    """A person who takes part in a booking that needs a waiver, and the waiver that covers them.

    `signer`: the person who booked signs for themselves (`self`) or as the guardian of the minor `name` (`guardian`),
    or someone without an account signs with a personal link (`link`). `signer_id` is the account or the link that
    signs; a series has one per participant. `token` is in the link; another address replaces it. `email_due` is the
    time from which an email with the link is due, `emails` the number of those that were sent. `signed_by` is the typed
    name.
    """

    __tablename__ = "participants"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "booking_id"], ["bookings.tenant_id", "bookings.id"], ondelete="CASCADE"),
        CheckConstraint("number BETWEEN 1 AND 10", name="number"),
        CheckConstraint("signer IN ('self', 'guardian', 'link')", name="signer"),
        Index("ix_participants_person_id", "person_id"),
        Index("ix_participants_tenant_id_signer_id", "tenant_id", "signer_id"),
        Index("ix_participants_tenant_id_token", "tenant_id", "token"),
        Index("ix_participants_email_due", "email_due", postgresql_where=text("email_due IS NOT NULL")),
    )

    booking_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    person_id: Mapped[UUID]
    name: Mapped[str]
    signer: Mapped[str]
    signer_id: Mapped[UUID]
    waiver_id: Mapped[UUID | None]
    waiver_until: Mapped[datetime | None]
    signed_by: Mapped[str] = mapped_column(server_default="")
    email: Mapped[str] = mapped_column(server_default="")
    token: Mapped[UUID | None] = mapped_column(info={"private": True})
    email_due: Mapped[datetime | None]
    emailed_at: Mapped[datetime | None]
    emails: Mapped[int] = mapped_column(SmallInteger, server_default="0")


class BookingEvent(TenantOwned, Base):
    """One entry of a booking's history, which is append-only."""

    __tablename__ = "booking_events"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "booking_id"], ["bookings.tenant_id", "bookings.id"], ondelete="CASCADE"),
        CheckConstraint("actor IN ('person', 'guru', 'staff', 'system')", name="actor"),
        Index("ix_booking_events_person_id", "person_id", postgresql_where=text("person_id IS NOT NULL")),
    )

    booking_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[UUID | None]
    at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    actor: Mapped[str]
    event: Mapped[str]
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))


class BookingEmail(TenantOwned, Base):
    """An email about a booking to one side. The key makes each email unique, so that it is sent once.

    One of a burst is `collected`: another email with others of its recipient has what it says.

    `due_at` is the time from which a job is queued for it, if it has not been sent by then. An email is void when what
    it says does not hold any more.
    """

    __tablename__ = "booking_emails"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "booking_id"], ["bookings.tenant_id", "bookings.id"], ondelete="CASCADE"),
        CheckConstraint(
            "kind IN ('requested', 'booked', 'accepted', 'declined', 'expired', 'withdrawn', 'canceled', 'moved',"
            " 'clocks_changed', 'place_changed', 'address_changed', 'proposed', 'proposal_withdrawn',"
            " 'proposal_expired', 'proposal_lapsed', 'move_accepted', 'move_declined', 'spot_free', 'day_before',"
            " 'soon', 'waiver_week', 'waiver_days', 'review_open', 'review_last', 'review_waiting', 'review_out',"
            " 'person_said_no', 'guru_said_no', 'claimed', 'charged', 'charge_failed')",
            name="kind",
        ),
        CheckConstraint("side IN ('person', 'guru')", name="side"),
        CheckConstraint("status IN ('due', 'sent', 'void', 'failed')", name="status"),
        Index("ix_booking_emails_person_id", "person_id"),
        Index("ix_booking_emails_tenant_id_side_created_at", "tenant_id", "side", "created_at"),
        Index("ix_booking_emails_due_at", "due_at", postgresql_where=text("status = 'due'")),
        Index("ix_booking_emails_failed", "due_at", postgresql_where=text("status = 'failed'")),
    )

    booking_id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    side: Mapped[str] = mapped_column(primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[UUID]
    status: Mapped[str] = mapped_column(server_default="due")
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    due_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    collected: Mapped[bool] = mapped_column(server_default=false())
    sent_at: Mapped[datetime | None]


class WaitlistEntry(TenantOwned, Base):
    """A person who waits for seats in a full session. The lowest `number` is first. Names and times are copies."""

    __tablename__ = "waitlist"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "appointment_id"], ["appointments.tenant_id", "appointments.id"], ondelete="CASCADE"
        ),
        CheckConstraint("status IN ('waiting', 'offered', 'taken', 'lapsed', 'left')", name="status"),
        CheckConstraint("party BETWEEN 1 AND 10", name="party"),
        Index("ix_waitlist_person_id", "person_id"),
        Index(
            "uq_waitlist_active_person",
            "tenant_id",
            "appointment_id",
            "person_id",
            unique=True,
            postgresql_where=text("status IN ('waiting', 'offered')"),
        ),
    )

    appointment_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[UUID]
    party: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    status: Mapped[str] = mapped_column(server_default="waiting")
    guru_label: Mapped[str]
    guru_name: Mapped[str]
    service_id: Mapped[UUID]
    service_name: Mapped[str]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    zone: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
