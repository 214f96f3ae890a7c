"""Users and their sessions. Row-level security isolates every table by `user_id` (docs/tenancy.md)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, declared_attr, mapped_column

from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base

# Described in db/schema.sql alone: only SQL reads and writes them.
TABLES = ("sign_in_codes",)

# Marks a column that the account export leaves out: a secret of the server, not the user's data.
PRIVATE = {"private": True}


class UserOwned:
    """Mixin for tables whose rows belong to a user: `user_id` is the first column of the primary key."""

    @declared_attr
    def user_id(cls) -> Mapped[UUID]:
        """The user that the row belongs to."""
        return mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True, sort_order=-2)


class User(Base):
    """An account. The identity provider stores the password; `firebase_uid` is its id there.

    `signed_out_at`: earlier sign-ins are no longer valid. `ended_sign_ins`: the times of single sign-ins that were
    ended; their tokens are no longer valid. `email_change_asked_at`: the last request for another email address, which
    the identity provider applies without notifying us. A deleted account keeps this row without personal data, so that
    an ID token that is still valid cannot create the account again.
    """

    __tablename__ = "users"
    __table_args__ = (
        Index(
            "ix_users_email_change_asked_at",
            "email_change_asked_at",
            postgresql_where=text("email_change_asked_at IS NOT NULL"),
        ),
        Index("ix_users_plan_check_at", "plan_check_at", postgresql_where=text("plan_check_at IS NOT NULL")),
        Index("ix_users_suspended", "user_id", postgresql_where=text("status = 'suspended'")),
        Index("ix_users_email_trgm", "email", postgresql_using="gin", postgresql_ops={"email": "gin_trgm_ops"}),
        Index("ix_users_email_start", text("lower(left(email, 2))")),
        CheckConstraint("status IN ('active', 'suspended', 'erased')", name="status"),
        CheckConstraint("status <> 'erased' OR email = ''", name="erased"),
    )

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    firebase_uid: Mapped[str] = mapped_column(unique=True)
    email: Mapped[str] = mapped_column(server_default="")
    email_verified: Mapped[bool] = mapped_column(server_default=text("false"))
    status: Mapped[str] = mapped_column(server_default="active")
    signed_out_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    email_change_asked_at: Mapped[datetime | None]
    ended_sign_ins: Mapped[list[datetime]] = mapped_column(ARRAY(DateTime(timezone=True)), server_default=text("'{}'"))
    # An admin suspends an account with a reason. `suspended_site`: the guru's site was suspended with the account, and
    # is restored with it.
    suspended_at: Mapped[datetime | None]
    suspended_reason: Mapped[str] = mapped_column(server_default="")
    suspended_site: Mapped[bool] = mapped_column(server_default=text("false"))
    # The plan that lists show and that listings were last limited to, and when it may end. It is a copy:
    # app.plan_of decides what a user may do.
    listed_plan: Mapped[str] = mapped_column(server_default="community")
    plan_check_at: Mapped[datetime | None]


class Session(UserOwned, Base):
    """A cookie session. The database has only the hash of the cookie."""

    __tablename__ = "sessions"

    id: Mapped[UUID] = mapped_column(primary_key=True, sort_order=-1)
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True, info=PRIVATE)
    authenticated_at: Mapped[datetime]
    token_issued_at: Mapped[datetime]
    user_agent: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    expires_at: Mapped[datetime]
    last_seen_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class DomainSession(Base):
    """A session on a custom domain: first a login handoff for one browser (`pass_hash`), then the session.

    It ends with the main session that it belongs to. The database has only hashes.
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
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class Block(UserOwned, Base):
    """A person whom the user blocked. It works both ways: neither sees the other.

    `id`: names the block, so that no list names the other account.
    """

    __tablename__ = "blocks"
    __table_args__ = (
        UniqueConstraint("user_id", "id"),
        CheckConstraint("user_id <> blocked_id", name="people"),
        Index("ix_blocks_blocked_id", "blocked_id"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    blocked_id: Mapped[UUID] = mapped_column(primary_key=True)
    id: Mapped[UUID] = mapped_column(server_default=func.gen_random_uuid())
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
