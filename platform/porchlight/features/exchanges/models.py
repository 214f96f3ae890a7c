"""The table of exchanges: sessions that two neighbors agree on."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    DateTime,
    Index,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, ExcludeConstraint
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import PRIVATE
from tenants.tenancy.models import Base


class NeighborExchange(Base):
    """A session about a listing that its learner asked for. It belongs to two people, `person_a_id < person_b_id`.

    There is no foreign key to them or to the listing: the one who stays keeps it. `skill`: the listing's title when the
    learner asked. `turn`: the side that has to answer, "" once no one does. `round`: how many times times were
    proposed; `proposals`: the last ones. `reply`: the last words of the side `reply_by`. `risk`: the level that a
    waiver has to cover, "" if none is needed; `waiver_until`: of the learner's waiver. `guru_id`: the teacher's site,
    in whose calendar the session takes its time under its own id. `remind_at`: when the next reminders are due.

    `mode`: what the session is given for; direct: the two settle it with each other. `recorded_minutes`: what the side
    `recorded_by` recorded last, in round `record_round`. `settle_by`: until when the time can be recorded, then until
    when the other side can object. `reversal_by`: the side that wants what was settled taken back.
    """

    __tablename__ = "exchanges"
    __table_args__ = (
        UniqueConstraint("person_a_id", "person_b_id", "teacher_id", "idempotency_key"),
        CheckConstraint("person_a_id < person_b_id", name="people"),
        CheckConstraint("teacher_id IN (person_a_id, person_b_id)", name="teacher"),
        CheckConstraint(
            "status IN ('asked', 'countered', 'confirmed', 'declined', 'canceled', 'expired', 'completed')",
            name="status",
        ),
        CheckConstraint("turn IN ('', 'teacher', 'learner')", name="turn"),
        CheckConstraint("(status IN ('asked', 'countered')) = (expires_at IS NOT NULL AND turn <> '')", name="open"),
        CheckConstraint(
            "(starts_at IS NULL) = (ends_at IS NULL) AND ends_at > starts_at"
            " AND (starts_at IS NOT NULL OR status NOT IN ('confirmed', 'completed'))",
            name="times",
        ),
        CheckConstraint("cardinality(proposals) BETWEEN 1 AND 3", name="proposals"),
        CheckConstraint("minutes BETWEEN 30 AND 240", name="minutes"),
        CheckConstraint("round BETWEEN 1 AND 3", name="round"),
        CheckConstraint("place IN ('teacher', 'learner', 'online', 'agreed')", name="place"),
        CheckConstraint("risk IN ('', 'low', 'medium', 'high', 'extreme')", name="risk"),
        CheckConstraint("ended_by IN ('', 'teacher', 'learner')", name="ended_by"),
        CheckConstraint("reply_by IN ('', 'teacher', 'learner')", name="reply_by"),
        CheckConstraint("mode IN ('hours', 'swap', 'free', 'direct')", name="mode"),
        CheckConstraint("record_state IN ('', 'recorded', 'settled', 'unsettled', 'reversed')", name="record_state"),
        CheckConstraint("recorded_minutes BETWEEN 0 AND 480 AND recorded_minutes % 15 = 0", name="recorded_minutes"),
        CheckConstraint("recorded_by IN ('', 'teacher', 'learner')", name="recorded_by"),
        CheckConstraint(
            "record_round BETWEEN 0 AND 3 AND (record_round > 0) = (recorded_minutes IS NOT NULL AND recorded_by <> '')"
            " AND (record_round > 0 OR record_state IN ('', 'unsettled'))",
            name="record",
        ),
        CheckConstraint("record_state = '' OR status = 'completed' AND mode <> 'direct'", name="settlement"),
        CheckConstraint("settle_by IS NULL OR record_state IN ('', 'recorded')", name="settle_by"),
        CheckConstraint("(record_state IN ('settled', 'reversed')) = (settled_at IS NOT NULL)", name="settled_at"),
        CheckConstraint("reversal_by IN ('', 'teacher', 'learner')", name="reversal_by"),
        ExcludeConstraint(
            ("teacher_id", "="),
            (func.tstzrange(text("starts_at"), text("ends_at")), "&&"),
            where=text("status = 'confirmed'"),
            name="ex_exchanges_teacher",
        ),
        Index("ix_exchanges_person_b_id", "person_b_id"),
        Index("ix_exchanges_id", "id", unique=True),
        Index("ix_exchanges_expires_at", "expires_at", postgresql_where=text("expires_at IS NOT NULL")),
        Index("ix_exchanges_remind_at", "remind_at", postgresql_where=text("remind_at IS NOT NULL")),
        Index("ix_exchanges_settle_by", "settle_by", postgresql_where=text("settle_by IS NOT NULL")),
        Index("ix_exchanges_ends_at", "ends_at", postgresql_where=text("status = 'confirmed'")),
    )

    person_a_id: Mapped[UUID] = mapped_column(primary_key=True)
    person_b_id: Mapped[UUID]
    id: Mapped[UUID] = mapped_column(primary_key=True)
    teacher_id: Mapped[UUID]
    offer_id: Mapped[UUID]
    skill: Mapped[str]
    status: Mapped[str]
    turn: Mapped[str] = mapped_column(server_default="")
    round: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    proposals: Mapped[list[datetime]] = mapped_column(ARRAY(DateTime(timezone=True)))
    minutes: Mapped[int] = mapped_column(SmallInteger)
    place: Mapped[str]
    note: Mapped[str] = mapped_column(server_default="")
    reply: Mapped[str] = mapped_column(server_default="")
    reply_by: Mapped[str] = mapped_column(server_default="")
    teacher_zone: Mapped[str] = mapped_column(server_default="")
    learner_zone: Mapped[str] = mapped_column(server_default="")
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    ended_by: Mapped[str] = mapped_column(server_default="")
    sequence: Mapped[int] = mapped_column(server_default="0")
    risk: Mapped[str] = mapped_column(server_default="")
    waiver_until: Mapped[datetime | None]
    guru_id: Mapped[UUID | None]
    remind_at: Mapped[datetime | None] = mapped_column(info=PRIVATE)
    mode: Mapped[str] = mapped_column(server_default="direct")
    record_state: Mapped[str] = mapped_column(server_default="")
    recorded_minutes: Mapped[int | None] = mapped_column(SmallInteger)
    recorded_by: Mapped[str] = mapped_column(server_default="")
    record_round: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    settle_by: Mapped[datetime | None]
    settled_at: Mapped[datetime | None]
    reversal_by: Mapped[str] = mapped_column(server_default="")
    idempotency_key: Mapped[str] = mapped_column(info=PRIVATE)
    digest: Mapped[bytes] = mapped_column(LargeBinary, info=PRIVATE)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
