"""Angel's List in the database."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import CheckConstraint, Index, Numeric
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base


class AngelService(Base):
    """A kind of local help (SPEC 2.9). `avg_price_cents` is per hour; `rating` is out of five."""

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
