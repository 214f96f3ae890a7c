"""The tables of Angel's List: services, and the angels who offer them. Needs are in `needs/models.py`."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    Double,
    ForeignKey,
    Index,
    Numeric,
    SmallInteger,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("angel_cells", "angel_listings")


class AngelService(Base):
    """A service of local help (SPEC 2.9), from `services.toml`. `avg_price_cents` is per hour; `rating` is 0 to 5.

    `providers` and `rating` are sample data. The API counts the real angels; only the price of a service without angels
    comes from here.
    """

    __tablename__ = "angel_services"
    __table_args__ = (
        CheckConstraint("avg_price_cents >= 0", name="avg_price"),
        CheckConstraint("providers >= 0", name="providers"),
        CheckConstraint("rating BETWEEN 0 AND 5", name="rating"),
        Index("ix_angel_services_position", "position"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str]
    description: Mapped[str]
    avg_price_cents: Mapped[int]
    providers: Mapped[int]
    rating: Mapped[Decimal] = mapped_column(Numeric(2, 1))
    city: Mapped[str]
    category: Mapped[str]
    position: Mapped[int]
    keywords: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))


class Angel(Base):
    """A user's offer to help with one service.

    `rate_cents` is per hour, `days` are ISO weekdays, `mails_a_day` limits the emails about new needs. The location is
    the center of a cell. The worker counts `jobs`, `ratings` and `rating_sum` from the completed needs.
    """

    __tablename__ = "angels"
    __table_args__ = (
        CheckConstraint("rate_cents BETWEEN 100 AND 50000", name="rate"),
        CheckConstraint("cardinality(days) BETWEEN 1 AND 7 AND days <@ '{1,2,3,4,5,6,7}'", name="days"),
        CheckConstraint("radius_miles BETWEEN 1 AND 50", name="radius"),
        CheckConstraint("mails_a_day BETWEEN 0 AND 20", name="mails"),
        CheckConstraint("ratings >= 0 AND rating_sum BETWEEN ratings AND 5 * ratings", name="ratings"),
        Index("ix_angels_service_id_latitude", "service_id", "latitude", postgresql_where=text("active")),
        {"info": DELETED_WITH_ACCOUNT},
    )

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    service_id: Mapped[str] = mapped_column(ForeignKey("angel_services.id", ondelete="CASCADE"), primary_key=True)
    rate_cents: Mapped[int]
    about: Mapped[str] = mapped_column(server_default="")
    days: Mapped[list[int]] = mapped_column(ARRAY(SmallInteger))
    radius_miles: Mapped[int] = mapped_column(SmallInteger)
    mails_a_day: Mapped[int] = mapped_column(SmallInteger, server_default=text("5"))
    city: Mapped[str]
    region: Mapped[str]
    latitude: Mapped[float] = mapped_column(Double)
    longitude: Mapped[float] = mapped_column(Double)
    active: Mapped[bool] = mapped_column(server_default=text("true"))
    jobs: Mapped[int] = mapped_column(server_default=text("0"))
    ratings: Mapped[int] = mapped_column(server_default=text("0"))
    rating_sum: Mapped[int] = mapped_column(server_default=text("0"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
