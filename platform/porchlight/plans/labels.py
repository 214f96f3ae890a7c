"""The label "Premium" in lists: whom among results of other users it belongs to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from tenants.db.pool import Database

# In two parts, so that each is a lookup by its index.
_PREMIUM = """
SELECT label, handle FROM premium_names WHERE label = ANY (%s)
 UNION ALL SELECT label, handle FROM premium_names WHERE handle = ANY (%s)"""


class _PremiumName(NamedTuple):
    label: str | None
    handle: str | None


@dataclass(frozen=True, slots=True)
class Premium:
    """The Premium Angels among some gurus, by label, and neighbors, by handle."""

    labels: frozenset[str]
    handles: frozenset[str]


NO_PREMIUM = Premium(frozenset(), frozenset())


async def premium_among(db: Database, labels: Collection[str], handles: Collection[str]) -> Premium:
    """Return who of these is a Premium Angel. Empty names are left out."""
    wanted = [sorted({name for name in names if name}) for names in (labels, handles)]
    rows = await db.read(None, _PREMIUM, wanted, row=_PremiumName) if any(wanted) else []
    return Premium(
        frozenset(row.label for row in rows if row.label), frozenset(row.handle for row in rows if row.handle)
    )
