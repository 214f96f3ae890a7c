"""Reading and changing email settings: by the signed-in person, or by the token in the links of an email."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.emails.kinds import CHOICES, MailKind
from porchlight.features.email_settings.models import EmailSetting
from porchlight.features.email_settings.schemas import EmailSettingItem, EmailSettingsData
from tenants.db.pool import Database
from tenants.kit.errors import NotFound

_OF_LINK = "SELECT kind, kinds_off, is_guru FROM app.email_settings_of(%(token)s)"
_UPDATE = "SELECT app.update_email_setting(%(token)s, %(kind)s, %(is_on)s)"
# A link of one kind turns off that kind, and the one of the page nothing.
_UNSUBSCRIBE = """
SELECT app.update_email_setting(%(token)s, s.kind, false)
  FROM app.email_settings_of(%(token)s) s WHERE s.kind <> 'all'"""


class _Link(NamedTuple):
    kind: str
    kinds_off: list[str]
    is_guru: bool


async def own_settings(session: AsyncSession, user_id: UUID, *, is_guru: bool) -> EmailSettingsData:
    """Return all settings of the signed-in person."""
    query = select(EmailSetting.kind).where(EmailSetting.user_id == user_id, EmailSetting.is_on.is_(False))
    return _data(CHOICES, set(await session.scalars(query)), is_guru=is_guru, complete=True)


async def update_own_setting(session: AsyncSession, user_id: UUID, kind: str, *, is_on: bool) -> None:
    """Turn a kind of email on or off for the signed-in person."""
    values = {"is_on": is_on, "changed_at": func.app.now()}
    await session.execute(
        insert(EmailSetting)
        .values(user_id=user_id, kind=kind, **values)
        .on_conflict_do_update(index_elements=[EmailSetting.user_id, EmailSetting.kind], set_=values)
    )


async def settings_of_link(db: Database, token: UUID) -> EmailSettingsData:
    """Return what the link of an email is for: all settings, or one. Raise NotFound."""
    rows = await db.read(None, _OF_LINK, {"token": token}, row=_Link)
    if not rows:
        raise NotFound
    (link,) = rows
    is_of_all = link.kind == "all"
    kinds = CHOICES if is_of_all else [MailKind(link.kind)]
    return _data(kinds, link.kinds_off, is_guru=link.is_guru or not is_of_all, complete=is_of_all)


async def update_setting_of_link(db: Database, token: UUID, kind: str, *, is_on: bool) -> None:
    """Turn a kind of email on or off. Raise NotFound for an unknown token and for the link of another kind."""
    if not await db.write_value(bool, None, _UPDATE, {"token": token, "kind": kind, "is_on": is_on}):
        raise NotFound


async def unsubscribe(db: Database, token: UUID) -> None:
    """Turn off the kind of email that the token is for. Raise NotFound."""
    if not await db.write(None, _UNSUBSCRIBE, {"token": token}):
        raise NotFound


def _data(
    kinds: Collection[MailKind], kinds_off: Collection[str], *, is_guru: bool, complete: bool
) -> EmailSettingsData:
    return EmailSettingsData(
        settings=[
            EmailSettingItem(
                kind=kind,
                title=CHOICES[kind].title,
                description=CHOICES[kind].description,
                is_on=kind not in kinds_off,
            )
            for kind in kinds
            if is_guru or not CHOICES[kind].guru_only
        ],
        complete=complete,
    )
