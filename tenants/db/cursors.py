"""The end of a list's page in the statement of its next page."""

from __future__ import annotations

from sqlalchemy import DateTime, Uuid, bindparam, tuple_

# The parameters are those of a decoded cursor (tenants.kit.pagination.parse_cursor).
LAST_ROW = tuple_(bindparam("last_at", type_=DateTime(timezone=True)), bindparam("last_id", type_=Uuid()))
