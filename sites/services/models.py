"""Services of a guru, with their prices."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Index, Integer, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class Service(TenantOwned, Base):
    """A service. `duration_minutes` is None for a service without bookable slots ("Monthly").

    `over_limit`: it exceeds the owner's plan (plans.site_limits); visitors neither see nor book it.
    """

    __tablename__ = "services"
    __table_args__ = (
        CheckConstraint("price_cents >= 0", name="price"),
        CheckConstraint("currency = upper(currency) AND length(currency) = 3", name="currency"),
        CheckConstraint("duration_minutes IS NULL OR duration_minutes BETWEEN 5 AND 1440", name="duration"),
        CheckConstraint("duration_minutes IS NOT NULL OR duration_label <> ''", name="duration_known"),
        Index("ix_services_tenant_id_position", "tenant_id", "position"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    name: Mapped[str]
    description: Mapped[str] = mapped_column(server_default="")
    price_cents: Mapped[int] = mapped_column(BigInteger)
    currency: Mapped[str] = mapped_column(server_default="USD")
    duration_minutes: Mapped[int | None] = mapped_column(Integer)
    duration_label: Mapped[str] = mapped_column(server_default="")
    popular: Mapped[bool] = mapped_column(server_default=text("false"))
    features: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    position: Mapped[int] = mapped_column(Integer, server_default="0")
    over_limit: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
