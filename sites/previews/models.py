"""Unsaved changes of a guru's page, stored for their preview."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class SitePreview(TenantOwned, Base):
    """A page with unsaved changes. The holder of the hashed secret can see it, framed by `framed_by` only."""

    __tablename__ = "site_previews"

    secret_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True, sort_order=-1)
    page: Mapped[str]
    changes: Mapped[dict[str, Any]] = mapped_column(JSONB)
    framed_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
