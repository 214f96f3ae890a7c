"""What a guru is about to change, kept for the minutes in which they look at it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base, GuruOwned


class SitePreview(GuruOwned, Base):
    """A page with unsaved changes. Who has the secret whose hash this is may see it, framed by `framed_by` alone."""

    __tablename__ = "site_previews"

    secret_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True, sort_order=-1)
    page: Mapped[str]
    changes: Mapped[dict[str, Any]] = mapped_column(JSONB)
    framed_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
