"""Profiles and their photos."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, LargeBinary, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base


class Profile(UserOwned, Base):
    """A neighbor's profile and its privacy settings.

    `photo_url` is a photo at another service (Google); a photo in `profile_photos` takes precedence. `registered_at` is
    the time of the first registration; only that one fills in the profile.
    """

    __tablename__ = "profiles"
    __table_args__ = (
        CheckConstraint("handle ~ '^[a-z0-9](-?[a-z0-9]){2,39}$'", name="handle"),
        *(
            Index(f"ix_profiles_{name}_trgm", name, postgresql_using="gin", postgresql_ops={name: "gin_trgm_ops"})
            for name in ("display_name", "handle")
        ),
        *(Index(f"ix_profiles_{name}_start", text(f"lower(left({name}, 2))")) for name in ("display_name", "handle")),
        {"info": DELETED_WITH_ACCOUNT},
    )

    handle: Mapped[str] = mapped_column(unique=True)
    first_name: Mapped[str] = mapped_column(server_default="")
    last_name: Mapped[str] = mapped_column(server_default="")
    display_name: Mapped[str] = mapped_column(server_default="")
    bio: Mapped[str] = mapped_column(server_default="")
    location: Mapped[str] = mapped_column(server_default="")
    photo_id: Mapped[UUID | None]
    photo_url: Mapped[str] = mapped_column(server_default="")
    skills_offered: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    skills_wanted: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    languages: Mapped[list[str]] = mapped_column(server_default=text("'{}'"))
    availability: Mapped[str] = mapped_column(server_default="")
    is_public: Mapped[bool] = mapped_column(server_default=text("true"))
    shows_location: Mapped[bool] = mapped_column(server_default=text("true"))
    shows_skills: Mapped[bool] = mapped_column(server_default=text("true"))
    shows_availability: Mapped[bool] = mapped_column(server_default=text("true"))
    registered_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class ProfilePhoto(UserOwned, Base):
    """A profile photo: a square WebP without metadata. In the database, it is deleted with its account."""

    __tablename__ = "profile_photos"
    __table_args__ = ({"info": DELETED_WITH_ACCOUNT},)

    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True, sort_order=-1)
    body: Mapped[bytes] = mapped_column(LargeBinary, info={"private": True, "picture": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
