"""Visits, counted without cookies: a visitor is a hash with the day's salt, which is deleted afterwards.

And the facts about a guru that the worker counts from rows that visitors cannot read.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Date, Integer, LargeBinary, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class DailyVisits(TenantOwned, Base):
    """The number of different visitors of a guru's site on a day (UTC)."""

    __tablename__ = "daily_visits"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    visitors: Mapped[int] = mapped_column(BigInteger, server_default="0")


class GuruFacts(TenantOwned, Base):
    """Facts that visitors weigh before they ask a guru. The worker counts them (`porchlight/worker/guru_facts.py`).

    `answer_minutes` is the median time to the first answer; None with too few answers. `review` has the keys of
    OwnerReview.
    """

    __tablename__ = "guru_facts"
    __table_args__ = (
        CheckConstraint("answer_minutes > 0", name="answer_minutes"),
        CheckConstraint("sessions >= 0", name="sessions"),
    )

    answer_minutes: Mapped[int | None] = mapped_column(Integer)
    sessions: Mapped[int] = mapped_column(Integer, server_default="0")
    counted_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    review: Mapped[dict[str, Any] | None] = mapped_column(JSONB)


class ViewFingerprint(TenantOwned, Base):
    """A view of a subject by a visitor on a day, stored so that repeats are not counted. Deleted after the day."""

    __tablename__ = "view_fingerprints"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    # The post, or the nil UUID for a visit of the site.
    subject_id: Mapped[UUID] = mapped_column(primary_key=True)
    visitor: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)


class DailySalt(Base):
    """The random salt of a day, shared by all workers and deleted with the day's fingerprints."""

    __tablename__ = "daily_salts"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    salt: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
