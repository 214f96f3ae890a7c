"""The tables of notifications: the notifications of a person, when they may disturb, and the devices that show them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, SmallInteger, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base


class NotificationRow(UserOwned, Base):
    """One thing that happened, for one person. `key` is that of its email: a job that runs again adds no second one.

    `is_mailed`: its email left by itself. `mail_at` and `push_at`: when the digest and the devices take it; null if
    they do not, or have. `digest_id`: the digest that is being sent with it.
    """

    __tablename__ = "notifications"
    __table_args__ = (
        UniqueConstraint("user_id", "key"),
        Index(
            "ix_notifications_user_id",
            "user_id",
            postgresql_where=text("mail_at IS NOT NULL OR push_at IS NOT NULL OR digest_id IS NOT NULL"),
        ),
        {"info": DELETED_WITH_ACCOUNT},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[str]
    kind: Mapped[str]
    title: Mapped[str]
    url: Mapped[str]
    is_urgent: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    seen_at: Mapped[datetime | None]
    read_at: Mapped[datetime | None]
    is_mailed: Mapped[bool]
    mail_at: Mapped[datetime | None]
    push_at: Mapped[datetime | None]
    digest_id: Mapped[UUID | None]


class NotificationHours(UserOwned, Base):
    """When a person's digest comes and when it is quiet, in minutes of their local day. `zone` is an IANA name.

    Without quiet hours both ends are null. They may span midnight.
    """

    __tablename__ = "notification_hours"
    __table_args__ = (
        CheckConstraint("(quiet_from IS NULL) = (quiet_until IS NULL)", name="quiet"),
        CheckConstraint("quiet_from <> quiet_until", name="quiet_length"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    zone: Mapped[str]
    quiet_from: Mapped[int | None] = mapped_column(SmallInteger)
    quiet_until: Mapped[int | None] = mapped_column(SmallInteger)
    digest_at: Mapped[int] = mapped_column(SmallInteger)
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class PushSubscriptionRow(UserOwned, Base):
    """A browser that shows a person's notifications: where they are sent, and the keys that only it can read with.

    `endpoint_hash` (SHA-256) identifies the browser. `created_at`: when it last subscribed; the latest person
    has it. `last_ok_at`: when its push service last took a note.
    """

    __tablename__ = "push_subscriptions"
    __table_args__ = (UniqueConstraint("user_id", "endpoint_hash"), {"info": DELETED_WITH_ACCOUNT})

    id: Mapped[UUID] = mapped_column(primary_key=True)
    endpoint_hash: Mapped[bytes] = mapped_column(info={"private": True})
    endpoint: Mapped[str] = mapped_column(info={"private": True})
    public_key: Mapped[str] = mapped_column(info={"private": True})
    auth_secret: Mapped[str] = mapped_column(info={"private": True})
    device: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    last_ok_at: Mapped[datetime | None]
