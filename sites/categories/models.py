"""Categories of a guru."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import Integer, func, text
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class GuruCategory(TenantOwned, Base):
    """A published category of a guru. Visitors see it while it is `listed` and not `over_limit` (of the owner's plan).

    A category that `needs_documents` is listed while all of them are approved, at most until the end of `good_until`.
    """

    __tablename__ = "guru_categories"

    slug: Mapped[str] = mapped_column(primary_key=True, sort_order=-1)
    name: Mapped[str]
    position: Mapped[int] = mapped_column(Integer, server_default="0")
    needs_documents: Mapped[bool]
    listed: Mapped[bool] = mapped_column(server_default=text("false"))
    over_limit: Mapped[bool] = mapped_column(server_default=text("false"))
    good_until: Mapped[date | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
