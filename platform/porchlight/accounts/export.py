"""Everything we hold about a person, as one archive they can read."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any
from uuid import UUID

from sqlalchemy import Table, select
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.accounts.models import Photo
from tenants.models import Base

README = """This archive holds what Porchlight keeps about you, one file per kind, in JSON.

users.json      your account
profiles.json   your profile, with what you let others see
sessions.json   where you are signed in (the cookies themselves are kept by your browsers alone)
domain_sessions.json  gurus' own domains where you are signed in
skill_offers.json, skill_wants.json  what you teach and want to learn
whereabouts.json  roughly where you are and when you are free, as matches know it
swap_ring_members.json  swap rings you were asked about
saved_searches.json  searches you are mailed about
photo.webp      your photo, if you gave one

Messages you left on gurus' sites belong to those gurus' correspondence: ask them for a copy.
Your password is known to the identity service alone; we never see it.
"""


def own_tables() -> list[Table]:
    """Every table with rows of users: one that a later feature adds is in the archive by itself."""
    return [table for table in Base.metadata.sorted_tables if "user_id" in table.c and "tenant_id" not in table.c]


async def archive(session: AsyncSession, user_id: UUID) -> bytes:
    """A ZIP archive of everything of the user's; secrets of the server are left out."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr("README.txt", README)
        for table in own_tables():
            columns = [column for column in table.c if not column.info.get("private")]
            rows = (await session.execute(select(*columns).where(table.c.user_id == user_id))).mappings().all()
            files.writestr(f"{table.name}.json", _json([dict(row) for row in rows]))
        photo = await session.scalar(select(Photo.body).where(Photo.user_id == user_id))
        if photo is not None:
            files.writestr("photo.webp", photo)
    return made.getvalue()


def _json(rows: list[dict[str, Any]]) -> str:
    return json.dumps(rows, default=str, ensure_ascii=False, indent=2)
