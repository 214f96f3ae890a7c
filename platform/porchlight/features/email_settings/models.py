"""The table of email settings."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import func, text
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.auth.models import UserOwned
from tenants.tenancy.models import DELETED_WITH_ACCOUNT, Base


class EmailSetting(UserOwned, Base):
    """Whether a person wants a kind of email; without a row they do. The kind `all` is the page with all settings.

    `is_daily`: these emails wait for the daily digest. `push`: whether devices show the kind, null for its default.
    `token` is in the links of emails: it works for this person and kind without signing in.
    """

    __tablename__ = "email_settings"
    __table_args__ = ({"info": DELETED_WITH_ACCOUNT},)

    kind: Mapped[str] = mapped_column(primary_key=True)
    token: Mapped[UUID] = mapped_column(unique=True, server_default=func.gen_random_uuid())
    is_daily: Mapped[bool] = mapped_column(server_default=text("false"))
    push: Mapped[bool | None]
    is_on: Mapped[bool] = mapped_column(server_default=text("true"))
    changed_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
