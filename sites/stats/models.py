"""Visits, counted without cookies: a day's salt makes a visitor a number that tomorrow nobody can make again."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import BigInteger, Date, LargeBinary, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base, GuruOwned


class DailyVisits(GuruOwned, Base):
    """How many different visitors a guru's site had on a day (UTC)."""

    __tablename__ = "daily_visits"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    visitors: Mapped[int] = mapped_column(BigInteger, server_default="0")


class ViewMark(GuruOwned, Base):
    """That somebody saw something on a day, so that a repeat is left out. Gone when the day is over."""

    __tablename__ = "view_marks"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    # The post, or the nil UUID for "was on the site at all".
    subject_id: Mapped[UUID] = mapped_column(primary_key=True)
    visitor: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)


class DailySalt(Base):
    """The random salt of a day, shared by all workers and thrown away with the day's marks."""

    __tablename__ = "daily_salts"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    salt: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
