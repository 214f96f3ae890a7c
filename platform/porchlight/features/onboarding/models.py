"""Tables of the onboarding wizard's answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, LargeBinary, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import Base


class Onboarding(Base):
    """A user's answers in the wizard. Isolated by `user_id`.

    `complete`: the profile step is valid. `published`: the texts that the site was last published with. Publishing
    again updates only the texts that differ from them and keeps changes that the guru made in the console.
    `skills`: what the new site's home page lists, once the user has confirmed it.
    `services`: name, price and length of the default services, once the user has confirmed them. `place` and
    `place_text`: where they take place, as in the booking settings of a service; "" until then.
    """

    __tablename__ = "onboardings"
    __table_args__ = (CheckConstraint("place IN ('', 'guru', 'person', 'online', 'agreed')", name="place"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    display_name: Mapped[str] = mapped_column(server_default="")
    photo_url: Mapped[str] = mapped_column(server_default="")
    city: Mapped[str] = mapped_column(server_default="")
    zip: Mapped[str] = mapped_column(server_default="")
    bio: Mapped[str] = mapped_column(server_default="")
    complete: Mapped[bool] = mapped_column(server_default=text("false"))
    subdomain: Mapped[str] = mapped_column(server_default="")
    skills: Mapped[list[str] | None]
    services: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB)
    place: Mapped[str] = mapped_column(server_default="")
    place_text: Mapped[str] = mapped_column(server_default="")
    published: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    published_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class CategoryPick(Base):
    """A category that a user chose in the wizard. Isolated by `user_id`."""

    __tablename__ = "category_picks"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    category_slug: Mapped[str] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class OnboardingPhoto(UserOwned, Base):
    """A photo that was uploaded in the wizard: a square WebP without metadata. The site shows it by its id."""

    __tablename__ = "onboarding_photos"
    __table_args__ = ({"info": {"deleted_with_account": True}},)

    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True, sort_order=-1)
    body: Mapped[bytes] = mapped_column(LargeBinary, info={"private": True, "picture": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
