"""Pictures that a guru's site shows: a hero picture, a gallery, and pictures of services."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, Integer, SmallInteger, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base, TenantOwned

Place = Literal["hero", "gallery", "service"]


class GalleryPicture(TenantOwned, Base):
    """An image at a place of the site. `focus_x`, `focus_y`: the point that every crop keeps, in percent.

    `service_id` is set for the place "service" alone. `position` orders the pictures of a place, from 0.
    """

    __tablename__ = "gallery_pictures"
    __table_args__ = (
        UniqueConstraint(
            "tenant_id", "place", "service_id", "position", postgresql_nulls_not_distinct=True,
            name="uq_gallery_pictures_tenant_id_place_service_id_position",
        ),
        ForeignKeyConstraint(
            ["tenant_id", "image_id"], ["site_images.tenant_id", "site_images.id"], ondelete="CASCADE"
        ),
        ForeignKeyConstraint(
            ["tenant_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="CASCADE"
        ),
        CheckConstraint("place IN ('hero', 'gallery', 'service')", name="place"),
        CheckConstraint("(place = 'service') = (service_id IS NOT NULL)", name="service_id"),
        CheckConstraint("focus_x BETWEEN 0 AND 100 AND focus_y BETWEEN 0 AND 100", name="focus"),
        Index("ix_gallery_pictures_tenant_id_image_id", "tenant_id", "image_id"),
        Index("ix_gallery_pictures_tenant_id_service_id", "tenant_id", "service_id"),
    )  # fmt: skip

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    place: Mapped[str]
    service_id: Mapped[UUID | None]
    position: Mapped[int] = mapped_column(Integer)
    image_id: Mapped[UUID]
    alt: Mapped[str]
    focus_x: Mapped[int] = mapped_column(SmallInteger, server_default="50")
    focus_y: Mapped[int] = mapped_column(SmallInteger, server_default="50")
