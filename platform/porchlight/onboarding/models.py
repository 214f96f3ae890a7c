"""Who runs a guru's site, and the way there: the wizard's drafts."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tenants.models import Base, GuruOwned


class Membership(GuruOwned, Base):
    """The one who owns a guru. A person owns one at most."""

    __tablename__ = "memberships"
    __table_args__ = (CheckConstraint("role IN ('owner')", name="role"),)

    user_id: Mapped[UUID] = mapped_column(
        ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True, unique=True
    )
    role: Mapped[str] = mapped_column(server_default="owner")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Onboarding(Base):
    """What somebody told the wizard so far. Fenced by `user_id`.

    `complete`: the profile would be accepted as it stands. `published`: the texts the site was last published with, so
    that publishing again changes what changed here and leaves alone what the guru wrote in their console.
    """

    __tablename__ = "onboardings"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    display_name: Mapped[str] = mapped_column(server_default="")
    photo_url: Mapped[str] = mapped_column(server_default="")
    city: Mapped[str] = mapped_column(server_default="")
    zip: Mapped[str] = mapped_column(server_default="")
    bio: Mapped[str] = mapped_column(server_default="")
    complete: Mapped[bool] = mapped_column(server_default=text("false"))
    subdomain: Mapped[str] = mapped_column(server_default="")
    published: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    published_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class CategoryPick(Base):
    """A category somebody ticked in the wizard. Fenced by `user_id`."""

    __tablename__ = "category_picks"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True)
    category_slug: Mapped[str] = mapped_column(
        ForeignKey("skill_categories.slug", ondelete="CASCADE"), primary_key=True
    )
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
