"""Users, their profiles, photos and sessions. Every table is fenced by `user_id` (DESIGN 4)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from tenants.models import Base

# Marks a column that an export of one's own data leaves out: it is a secret of the server, not data of the person.
PRIVATE = {"private": True}


class UserOwned:
    """Mixin of tables whose rows belong to a user: `user_id` leads the primary key."""

    @declared_attr
    def user_id(cls) -> Mapped[UUID]:
        """The user this row belongs to."""
        return mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True, sort_order=-2)


class User(Base):
    """An account. The identity service knows the password; we know the uid it gave.

    `signed_out_at`: sign-ins before it count for nothing. `email_change_asked_at`: when another address was last asked
    for, to which the identity service then changes behind our back. `ended_sign_ins`: moments of sign-ins that were
    ended one by one; tokens that still come of them count for nothing. An erased account stays as a mark without
    personal data, so that an ID token that is still valid cannot bring it back.
    """

    __tablename__ = "users"
    __table_args__ = (
        Index(
            "ix_users_email_change_asked_at",
            "email_change_asked_at",
            postgresql_where=text("email_change_asked_at IS NOT NULL"),
        ),
        Index("ix_users_suspended", "user_id", postgresql_where=text("status = 'suspended'")),
        Index("ix_users_email_trgm", "email", postgresql_using="gin", postgresql_ops={"email": "gin_trgm_ops"}),
        CheckConstraint("status IN ('active', 'suspended', 'erased')", name="status"),
        CheckConstraint("status <> 'erased' OR email = ''", name="erased"),
    )

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    firebase_uid: Mapped[str] = mapped_column(unique=True)
    email: Mapped[str] = mapped_column(server_default="")
    email_verified: Mapped[bool] = mapped_column(server_default=text("false"))
    status: Mapped[str] = mapped_column(server_default="active")
    signed_out_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
    email_change_asked_at: Mapped[datetime | None]
    ended_sign_ins: Mapped[list[datetime]] = mapped_column(ARRAY(DateTime(timezone=True)), server_default=text("'{}'"))
    # Staff suspend an account with a reason. `suspended_site`: its site was taken down with it, and returns with it.
    suspended_at: Mapped[datetime | None]
    suspended_reason: Mapped[str] = mapped_column(server_default="")
    suspended_site: Mapped[bool] = mapped_column(server_default=text("false"))


class Profile(UserOwned, Base):
    """What a neighbour says of themselves, and how much of it others see.

    `photo_url` is a picture at another service (Google's); our own photo wins over it. `registered_at` is set by the
    first registration, which alone may fill the profile in.
    """

    __tablename__ = "profiles"
    __table_args__ = (
        CheckConstraint("handle ~ '^[a-z0-9](-?[a-z0-9]){2,39}$'", name="handle"),
        *(
            Index(f"ix_profiles_{name}_trgm", name, postgresql_using="gin", postgresql_ops={name: "gin_trgm_ops"})
            for name in ("display_name", "handle")
        ),
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
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Photo(UserOwned, Base):
    """A profile photo, drawn anew by us: WebP, square, without metadata. In the database it goes with its account."""

    __tablename__ = "photos"

    id: Mapped[UUID] = mapped_column(primary_key=True, unique=True, sort_order=-1)
    body: Mapped[bytes] = mapped_column(LargeBinary, info={"private": True, "picture": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Session(UserOwned, Base):
    """A cookie session. Only the hash of the cookie is kept."""

    __tablename__ = "sessions"

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True, info=PRIVATE)
    authenticated_at: Mapped[datetime]
    token_issued_at: Mapped[datetime]
    user_agent: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    expires_at: Mapped[datetime]
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DomainSession(Base):
    """Signed in on a guru's own domain. First a pass, good once, for one browser, for a minute; then a session.

    It ends with the session it came of. Only hashes are kept.
    """

    __tablename__ = "domain_sessions"
    __table_args__ = (
        ForeignKeyConstraint(["user_id", "session_id"], ["sessions.user_id", "sessions.id"], ondelete="CASCADE"),
        CheckConstraint("(pass_hash IS NULL) <> (secret_hash IS NULL)", name="used"),
        Index(None, "user_id", "session_id"),
    )

    user_id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-2)
    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    session_id: Mapped[UUID]
    domain: Mapped[str]
    pass_hash: Mapped[bytes | None] = mapped_column(LargeBinary, unique=True, info=PRIVATE)
    browser_hash: Mapped[bytes] = mapped_column(LargeBinary, info=PRIVATE)
    secret_hash: Mapped[bytes | None] = mapped_column(LargeBinary, unique=True, info=PRIVATE)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Farewell(Base):
    """The last mail of an erased account, and all that is left of its address until it was sent."""

    __tablename__ = "farewells"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    recipient: Mapped[str]
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
