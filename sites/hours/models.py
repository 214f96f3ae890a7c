"""The hours of a guru, how services are booked, and the times at which a guru is busy.

They hold no personal data, except for the encrypted secrets of busy sources.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import INT4RANGE, JSONB, TSTZRANGE, ExcludeConstraint, Range
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class Calendar(TenantOwned, Base):
    """The calendar of a guru. `confirmed_at` is None while its hours are only proposed.

    Triggers increment `rules_version` with everything that decides which times are offered, and `version` also with
    every appointment.
    """

    __tablename__ = "calendars"
    __table_args__ = (
        CheckConstraint("step_minutes IN (5, 10, 15, 20, 30, 60)", name="step"),
        CheckConstraint("notice_minutes BETWEEN 0 AND 43200", name="notice"),
        CheckConstraint("horizon_days BETWEEN 1 AND 365", name="horizon"),
        CheckConstraint("day_max BETWEEN 1 AND 100", name="day_max"),
    )

    zone: Mapped[str]
    step_minutes: Mapped[int] = mapped_column(SmallInteger, server_default="30")
    notice_minutes: Mapped[int] = mapped_column(server_default="720")
    horizon_days: Mapped[int] = mapped_column(SmallInteger, server_default="60")
    day_max: Mapped[int | None] = mapped_column(SmallInteger)
    paused_until: Mapped[datetime | None]
    confirmed_at: Mapped[datetime | None]
    rules_version: Mapped[int] = mapped_column(BigInteger, server_default="1")
    version: Mapped[int] = mapped_column(BigInteger, server_default="1")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class CalendarOwned:
    """The mixin of tables whose rows belong to a guru's calendar."""

    @declared_attr
    def tenant_id(cls) -> Mapped[UUID]:
        """The guru this row belongs to."""
        return mapped_column(ForeignKey("calendars.tenant_id", ondelete="CASCADE"), primary_key=True, sort_order=-2)


class WeeklyHours(CalendarOwned, Base):
    """A range of a weekday (Monday is 0), in minutes of wall time after midnight."""

    __tablename__ = "weekly_hours"
    __table_args__ = (
        CheckConstraint("weekday BETWEEN 0 AND 6", name="weekday"),
        CheckConstraint("during <@ int4range(0, 1440) AND NOT isempty(during)", name="during"),
        ExcludeConstraint(("tenant_id", "="), ("weekday", "="), ("during", "&&"), name="ex_weekly_hours_during"),
    )

    weekday: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    during: Mapped[Range[int]] = mapped_column(INT4RANGE, primary_key=True)


class DateHours(CalendarOwned, Base):
    """A range of one date, which replaces the hours of its weekday. An empty range means closed."""

    __tablename__ = "date_hours"
    __table_args__ = (
        CheckConstraint("during <@ int4range(0, 1440)", name="during"),
        ExcludeConstraint(("tenant_id", "="), ("day", "="), ("during", "&&"), name="ex_date_hours_during"),
    )

    day: Mapped[date] = mapped_column(primary_key=True)
    during: Mapped[Range[int]] = mapped_column(INT4RANGE, primary_key=True)


class BookingSettings(CalendarOwned, Base):
    """How a service is booked: who decides, where it takes place, for how many, and on which terms.

    `bring` is what people bring, `questions` what the guru asks who books (`sites.hours.questions`). `risk` overrides
    the level that the category gives. `policy` names a standard set of terms, or `own`. `payment` is in person, or by
    card when a session is booked: in full, `deposit_percent` of the price (`deposit`), or nothing (`hold`): the card is
    kept and charged what a late cancellation or a missed session costs.
    """

    __tablename__ = "booking_settings"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="CASCADE"),
        CheckConstraint("capacity BETWEEN 1 AND 100", name="capacity"),
        CheckConstraint("party_max BETWEEN 1 AND least(10, capacity)", name="party"),
        CheckConstraint("setup_minutes BETWEEN 0 AND 240 AND cleanup_minutes BETWEEN 0 AND 240", name="buffers"),
        CheckConstraint("starts IN ('hours', 'fixed')", name="starts"),
        CheckConstraint("approval IN ('instant', 'request')", name="approval"),
        CheckConstraint("place IN ('guru', 'person', 'online', 'agreed')", name="place"),
        CheckConstraint("waiver IN ('risk', 'always', 'signed')", name="waiver"),
        CheckConstraint("risk IN ('', 'low', 'medium', 'high', 'extreme')", name="risk"),
        CheckConstraint("policy IN ('flexible', 'moderate', 'strict', 'own')", name="policy"),
        CheckConstraint("payment IN ('in_person', 'full', 'deposit', 'hold')", name="payment"),
        CheckConstraint("deposit_percent BETWEEN 5 AND 95", name="deposit_percent"),
        CheckConstraint(
            "free_until_minutes BETWEEN 0 AND 43200 AND move_until_minutes BETWEEN 0 AND 43200"
            " AND late_percent BETWEEN 0 AND 100 AND missed_percent BETWEEN 0 AND 100 AND moves_max BETWEEN 0 AND 10",
            name="terms",
        ),
        CheckConstraint(
            "jsonb_typeof(questions) = 'array' AND jsonb_array_length(questions) <= 5"
            " AND length(questions::text) <= 10000",
            name="questions",
        ),
    )

    service_id: Mapped[UUID] = mapped_column(primary_key=True)
    open: Mapped[bool] = mapped_column(server_default=text("false"))
    capacity: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    party_max: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    setup_minutes: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    cleanup_minutes: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    starts: Mapped[str] = mapped_column(server_default="hours")
    approval: Mapped[str] = mapped_column(server_default="instant")
    place: Mapped[str] = mapped_column(server_default="guru")
    place_text: Mapped[str] = mapped_column(server_default="")
    bring: Mapped[str] = mapped_column(server_default="")
    questions: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    waiver: Mapped[str] = mapped_column(server_default="risk")
    risk: Mapped[str] = mapped_column(server_default="")
    policy: Mapped[str] = mapped_column(server_default="flexible")
    free_until_minutes: Mapped[int] = mapped_column(server_default="1440")
    late_percent: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    missed_percent: Mapped[int] = mapped_column(SmallInteger, server_default="50")
    moves_max: Mapped[int] = mapped_column(SmallInteger, server_default="2")
    move_until_minutes: Mapped[int] = mapped_column(server_default="1440")
    payment: Mapped[str] = mapped_column(server_default="in_person")
    deposit_percent: Mapped[int] = mapped_column(SmallInteger, server_default="20")


class Appointment(CalendarOwned, Base):
    """A time at which a guru is busy: a session of a service, a block, or an exchange with a neighbor under its own id.

    `local_start`, and of a block `local_end`, are what the clocks of `zone` show then: what was agreed on, which stays
    when the rules of the zone change. Null in rows from before they were stored.

    `blocked` is the time with setup and cleanup; no two live appointments of a guru overlap. A trigger keeps `taken`,
    the number of occupied seats, and ends a session without bookings unless its start is `fixed`. Another keeps
    `waiting`, the number of entries on its waitlist; while it is not 0, free seats are only for those who wait. A third
    increases `sequence`, the SEQUENCE of the guru's calendar event, when confirmed bookings change.

    `place` and `place_text` are null unless the guru gave this session another place than its service has.
    """

    __tablename__ = "appointments"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="SET NULL (service_id)"
        ),
        CheckConstraint("kind IN ('session', 'block', 'exchange')", name="kind"),
        CheckConstraint("ends_at > starts_at AND blocked @> tstzrange(starts_at, ends_at)", name="times"),
        CheckConstraint("taken BETWEEN 0 AND capacity", name="taken"),
        CheckConstraint(
            "place IN ('guru', 'person', 'online', 'agreed') AND (place IS NULL) = (place_text IS NULL)", name="place"
        ),
        ExcludeConstraint(("tenant_id", "="), ("blocked", "&&"), where=text("live"), name="ex_appointments_blocked"),
        Index("ix_appointments_tenant_id_starts_at", "tenant_id", "starts_at", postgresql_where=text("live")),
        Index("ix_appointments_tenant_id_waiting", "tenant_id", postgresql_where=text("live AND waiting > 0")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    service_id: Mapped[UUID | None]
    kind: Mapped[str] = mapped_column(server_default="session")
    fixed: Mapped[bool] = mapped_column(server_default=text("false"))
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    zone: Mapped[str]
    local_start: Mapped[datetime | None] = mapped_column(DateTime())
    local_end: Mapped[datetime | None] = mapped_column(DateTime())
    blocked: Mapped[Range[datetime]] = mapped_column(TSTZRANGE)
    capacity: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    taken: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    waiting: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    live: Mapped[bool] = mapped_column(server_default=text("true"))
    sequence: Mapped[int] = mapped_column(server_default="0")
    place: Mapped[str | None]
    place_text: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class BusySource(CalendarOwned, Base):
    """A calendar outside of the product whose busy times the guru's free times leave out.

    `secret` is its address with its user and password, encrypted; `host` is the part that the guru is shown. With
    `all_day_blocks`, an event without times makes its whole days busy. `last_good_at` is when its times were read last.
    Since `failing_since` they could not be read, because of `failure`. `is_paused`: the plan does not include it.
    `notices` counts the emails about the present failure; from the second on, the guru decides whether to keep it.
    `kept_at` is when they did.
    """

    __tablename__ = "busy_sources"
    __table_args__ = (
        CheckConstraint("kind IN ('ics', 'caldav')", name="kind"),
        CheckConstraint("length(name) BETWEEN 1 AND 60", name="name"),
        UniqueConstraint("tenant_id", "idempotency_key"),
        Index("ix_busy_sources_read_due_at", "read_due_at"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    name: Mapped[str]
    host: Mapped[str]
    secret: Mapped[bytes]
    all_day_blocks: Mapped[bool] = mapped_column(server_default=text("true"))
    read_due_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    last_good_at: Mapped[datetime | None]
    failing_since: Mapped[datetime | None]
    failure: Mapped[str] = mapped_column(server_default="")
    is_paused: Mapped[bool] = mapped_column(server_default=text("false"))
    notices: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    kept_at: Mapped[datetime | None]
    idempotency_key: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class BusyTime(CalendarOwned, Base):
    """A time at which the guru is busy, from a busy source. Times of one source do not touch each other."""

    __tablename__ = "busy_times"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "source_id"], ["busy_sources.tenant_id", "busy_sources.id"], ondelete="CASCADE"
        ),
        CheckConstraint("NOT isempty(during) AND NOT lower_inf(during) AND NOT upper_inf(during)", name="during"),
        Index("ix_busy_times_tenant_id_during", "tenant_id", "during", postgresql_using="gist"),
    )

    source_id: Mapped[UUID] = mapped_column(primary_key=True)
    during: Mapped[Range[datetime]] = mapped_column(TSTZRANGE, primary_key=True)
