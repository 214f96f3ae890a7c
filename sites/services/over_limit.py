"""Which services exceed the plan of the guru's owner: visitors do not see them until they fit again."""

from __future__ import annotations

# The newest priced services exceed the limit first. A part of a statement in psycopg's form, in which `plan` has the
# limits of the tenant's plan (porchlight.plans.site_limits).
LIMIT_SERVICES = """
UPDATE services s SET over_limit = n.is_over
  FROM (SELECT o.id, o.price_cents > 0
               AND row_number() OVER (PARTITION BY o.price_cents > 0 ORDER BY o.created_at, o.position, o.id)
                   > p.services AS is_over
          FROM services o CROSS JOIN plan p WHERE o.tenant_id = app.tenant_id()) n
 WHERE s.tenant_id = app.tenant_id() AND s.id = n.id AND s.over_limit <> n.is_over"""
