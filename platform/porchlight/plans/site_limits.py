"""The limits of a guru's site by the plan of its owner: visitors do not see what exceeds them until it fits again."""

from __future__ import annotations

# The newest priced services exceed it first, and of the listed categories those that were hidden before. Domains that
# the operator connected stay. In psycopg's form; `limits` has the limits of each plan.
LIMIT_SITE = """
WITH plan AS MATERIALIZED (
  SELECT (own ->> 'priced_services')::integer AS services, (own ->> 'listed_categories')::integer AS categories,
         (own ->> 'own_domain')::boolean AS domain
    FROM (SELECT %(limits)s::jsonb -> app.tenant_plan(false) AS own) p
), limited_services AS (
  UPDATE services s SET over_limit = n.is_over
    FROM (SELECT o.id, o.price_cents > 0
                 AND row_number() OVER (PARTITION BY o.price_cents > 0 ORDER BY o.created_at, o.position, o.id)
                     > p.services AS is_over
            FROM services o CROSS JOIN plan p WHERE o.tenant_id = app.tenant_id()) n
   WHERE s.tenant_id = app.tenant_id() AND s.id = n.id AND s.over_limit <> n.is_over
), limited_categories AS (
  UPDATE guru_categories c SET over_limit = n.is_over
    FROM (SELECT o.slug, o.listed
                 AND row_number() OVER (PARTITION BY o.listed ORDER BY o.over_limit, o.created_at, o.position, o.slug)
                     > p.categories AS is_over
            FROM guru_categories o CROSS JOIN plan p WHERE o.tenant_id = app.tenant_id()) n
   WHERE c.tenant_id = app.tenant_id() AND c.slug = n.slug AND c.over_limit <> n.is_over
)
UPDATE domains d SET over_limit = d.proof = 'dns' AND NOT p.domain FROM plan p
 WHERE d.tenant_id = app.tenant_id() AND d.over_limit <> (d.proof = 'dns' AND NOT p.domain)"""
