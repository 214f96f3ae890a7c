"""The table of calendar feeds."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, SmallInteger, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import PRIVATE, UserOwned
from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base


class CalendarFeed(UserOwned, Base):
    """An address with the sessions of a user: those they booked (`personal`), or those of their own site (`guru`).

    The database has the digest of the secret in the address only. `reads` counts those since `reads_since`.
    """

    __tablename__ = "calendar_feeds"
    __table_args__ = (
        UniqueConstraint("secret_hash"),
        UniqueConstraint("user_id", "idempotency_key"),
        CheckConstraint("kind IN ('personal', 'guru')", name="kind"),
        CheckConstraint("length(name) BETWEEN 1 AND 60", name="name"),
        {"info": DELETED_WITH_ACCOUNT},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    name: Mapped[str]
    secret_hash: Mapped[bytes] = mapped_column(info=PRIVATE)
    read_at: Mapped[datetime | None]
    reads_since: Mapped[datetime | None] = mapped_column(info=PRIVATE)
    reads: Mapped[int] = mapped_column(SmallInteger, server_default="0", info=PRIVATE)
    idempotency_key: Mapped[str] = mapped_column(info=PRIVATE)
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
