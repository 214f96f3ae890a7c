"""Flags an operator set, for everybody and for single gurus."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base, GuruOwned


class FlagSetting(Base):
    """A flag that differs from its default, for everybody."""

    __tablename__ = "flag_settings"

    name: Mapped[str] = mapped_column(primary_key=True)
    enabled: Mapped[bool]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())


class GuruFlag(GuruOwned, Base):
    """A flag as one guru has it, whatever holds for everybody else."""

    __tablename__ = "guru_flags"

    name: Mapped[str] = mapped_column(primary_key=True, sort_order=-1)
    enabled: Mapped[bool]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
