"""Images of a guru's site, re-encoded."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import Integer, LargeBinary, func
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned


class SiteImage(TenantOwned, Base):
    """An image as WebP. A row never changes, so browsers can cache it forever.

    `preview`: its colors (tenants.kit.images.preview_of), or "" for an image with transparency.
    """

    __tablename__ = "site_images"

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    size: Mapped[int] = mapped_column(Integer)
    data: Mapped[bytes] = mapped_column(LargeBinary, deferred=True, deferred_raiseload=True)
    preview: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
