"""Which listed categories exceed the plan of the guru's owner: visitors do not see them until they fit again."""

from __future__ import annotations

# Those that were hidden before exceed the limit first. A part of a statement in psycopg's form, in which `plan` has the
# limits of the tenant's plan (porchlight.plans.site_limits).
LIMIT_CATEGORIES = """
UPDATE guru_categories c SET over_limit = n.is_over
  FROM (SELECT o.slug, o.listed
               AND row_number() OVER (PARTITION BY o.listed ORDER BY o.over_limit, o.created_at, o.position, o.slug)
                   > p.categories AS is_over
          FROM guru_categories o CROSS JOIN plan p WHERE o.tenant_id = app.tenant_id()) n
 WHERE c.tenant_id = app.tenant_id() AND c.slug = n.slug AND c.over_limit <> n.is_over"""
