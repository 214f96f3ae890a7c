"""Reading and changing email settings: by the signed-in person, or by the token in the links of an email."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.emails.kinds import CHOICES, TOPICS, Choice, MailKind
from porchlight.features.email_settings.models import EmailSetting
from porchlight.features.email_settings.schemas import (
    EmailSettingItem,
    EmailSettingsData,
    TopicPayload,
    mail_options,
)
from tenants.db.pool import Database
from tenants.kit.errors import NotFound

_OF_LINK = "SELECT kind, kinds_off, is_guru FROM app.email_settings_of(%(token)s, NULL, NULL)"
_UPDATE = "SELECT true FROM app.email_settings_of(%(token)s, %(kind)s, %(is_on)s)"
# A link of one kind turns off that kind, and the one of the page nothing.
_UNSUBSCRIBE = """
SELECT u.kind FROM app.email_settings_of(%(token)s, NULL, NULL) s
 CROSS JOIN LATERAL app.email_settings_of(%(token)s, s.kind, false) u WHERE s.kind <> 'all'"""


class _Link(NamedTuple):
    kind: str
    kinds_off: list[str]
    is_guru: bool


class _Setting(NamedTuple):
    is_on: bool = True
    is_daily: bool = False
    push: bool | None = None


async def own_settings(session: AsyncSession, user_id: UUID, *, is_guru: bool) -> EmailSettingsData:
    """Return all settings of the signed-in person."""
    columns = (EmailSetting.kind, EmailSetting.is_on, EmailSetting.is_daily, EmailSetting.push)
    rows = (await session.execute(select(*columns).where(EmailSetting.user_id == user_id))).all()
    found = {kind: _Setting(is_on, is_daily, push) for kind, is_on, is_daily, push in rows}
    return _data([*TOPICS, MailKind.DIGEST], found, is_guru=is_guru, complete=True)


async def update_own_setting(session: AsyncSession, user_id: UUID, payload: TopicPayload) -> None:
    """Change how a kind reaches the signed-in person."""
    values: dict[str, object] = {"changed_at": func.app.now()}
    if payload.mail is not None:
        values |= {"is_on": payload.mail != "never", "is_daily": payload.mail == "daily"}
    if payload.push is not None:
        values["push"] = payload.push
    await session.execute(
        insert(EmailSetting)
        .values(user_id=user_id, kind=payload.kind, **values)
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
    off = {kind: _Setting(is_on=False) for kind in link.kinds_off}
    return _data(kinds, off, is_guru=link.is_guru or not is_of_all, complete=is_of_all)


async def update_setting_of_link(db: Database, token: UUID, kind: str, *, is_on: bool) -> None:
    """Turn a kind of email on or off. Raise NotFound for an unknown token and for the link of another kind."""
    if not await db.write_value(bool, None, _UPDATE, {"token": token, "kind": kind, "is_on": is_on}):
        raise NotFound


async def unsubscribe(db: Database, token: UUID) -> None:
    """Turn off the kind of email that the token is for. Raise NotFound."""
    if not await db.write(None, _UNSUBSCRIBE, {"token": token}):
        raise NotFound


def _data(
    kinds: Collection[MailKind], found: Mapping[str, _Setting], *, is_guru: bool, complete: bool
) -> EmailSettingsData:
    known = {**TOPICS, **CHOICES}
    return EmailSettingsData(
        settings=[
            _item(kind, known[kind], found.get(kind, _Setting()))
            for kind in kinds
            if is_guru or not known[kind].guru_only
        ],
        complete=complete,
    )


def _item(kind: MailKind, choice: Choice, setting: _Setting) -> EmailSettingItem:
    options = mail_options(kind)
    wanted: Literal["now", "daily", "never"] = "never" if not setting.is_on else "daily" if setting.is_daily else "now"
    return EmailSettingItem(
        kind=kind,
        title=choice.title,
        description=choice.description,
        is_on=setting.is_on,
        mail=wanted if wanted in options else "now",
        mail_options=options,
        push=choice.pushes if setting.push is None or choice.pushes is None else setting.push,
    )
