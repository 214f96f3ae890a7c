"""Store the numbers of a guru's reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg.types.json import Jsonb

from tenants.db.rows import Connection

# Without a review there is no row, and a site without reviews does not change.
_STORE = """
INSERT INTO review_totals AS t (tenant_id, histogram, services, score)
SELECT %(tenant)s, %(histogram)s, %(services)s, %(score)s
 WHERE 0 < ANY (%(histogram)s::integer[]) OR EXISTS (SELECT FROM review_totals o WHERE o.tenant_id = %(tenant)s)
ON CONFLICT (tenant_id) DO UPDATE
   SET histogram = excluded.histogram, services = excluded.services, score = excluded.score, counted_at = app.now()
 WHERE (t.histogram, t.services, t.score) IS DISTINCT FROM (excluded.histogram, excluded.services, excluded.score)"""


def store_totals(
    conn: Connection,
    tenant_id: UUID,
    histogram: Sequence[int],
    services: Mapping[str, Sequence[int]],
    score: float,
) -> None:
    """Store the histograms of a guru and of each service, and the score. The site changes if one of them does."""
    values = {"tenant": tenant_id, "histogram": list(histogram), "services": Jsonb(dict(services)), "score": score}
    conn.execute(_STORE, values)
