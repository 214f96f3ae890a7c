"""Visits, counted without cookies: a visitor is a hash with the day's salt, which is deleted afterwards."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import BigInteger, Date, LargeBinary, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class DailyVisits(TenantOwned, Base):
    """The number of different visitors of a guru's site on a day (UTC)."""

    __tablename__ = "daily_visits"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    visitors: Mapped[int] = mapped_column(BigInteger, server_default="0")


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
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
