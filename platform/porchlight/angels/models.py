"""Angel's List in the database: kinds of help, and who helps. Needs and offers are in need_models.py."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, Double, ForeignKey, Index, Numeric, SmallInteger, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import GOES_WITH_ACCOUNT, Base


class AngelService(Base):
    """A kind of local help (SPEC 2.9), from `services.toml`. Cents are per hour; `rating` is out of five.

    `providers` and `rating` are the sample data's: what is shown is counted from the angels there are, and only the
    price stands in where there are none.
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
    """A neighbour who helps with one kind of thing.

    `rate_cents` an hour, `days` of the week from 1 (Monday), `mails_a_day` about new needs at most. The place is the
    middle of a coarse cell. `jobs`, `ratings` and `rating_sum` are counted by the worker from what was done.
    """

    __tablename__ = "angels"
    __table_args__ = (
        CheckConstraint("rate_cents BETWEEN 100 AND 50000", name="rate"),
        CheckConstraint("cardinality(days) BETWEEN 1 AND 7 AND days <@ '{1,2,3,4,5,6,7}'", name="days"),
        CheckConstraint("radius_miles BETWEEN 1 AND 50", name="radius"),
        CheckConstraint("mails_a_day BETWEEN 0 AND 20", name="mails"),
        CheckConstraint("ratings >= 0 AND rating_sum BETWEEN ratings AND 5 * ratings", name="ratings"),
        Index("ix_angels_service_id_latitude", "service_id", "latitude", postgresql_where=text("active")),
        {"info": GOES_WITH_ACCOUNT},
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
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
