"""Tables of flags that an operator set, globally and for single gurus."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class FlagSetting(Base):
    """The global value of a flag, instead of its default."""

    __tablename__ = "flag_settings"

    name: Mapped[str] = mapped_column(primary_key=True)
    enabled: Mapped[bool]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class GuruFlag(TenantOwned, Base):
    """The value of a flag for one guru. It takes precedence over the global value."""

    __tablename__ = "guru_flags"

    name: Mapped[str] = mapped_column(primary_key=True, sort_order=-1)
    enabled: Mapped[bool]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
