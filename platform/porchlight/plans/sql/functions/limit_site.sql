-- Hide from visitors the current site's priced services, listed categories and domains that exceed its owner's plan,
-- until they fit again: the newest ones first, and of the categories those that were hidden before. Domains that the
-- operator connected stay. `limits` has the limits of each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans and onboarding.
CREATE OR REPLACE FUNCTION app.limit_site(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.tenant_plan(false);
BEGIN
  UPDATE services s SET over_limit = n.is_over
    FROM (SELECT o.id, o.price_cents > 0
                 AND row_number() OVER (PARTITION BY o.price_cents > 0 ORDER BY o.created_at, o.position, o.id)
                     > (own ->> 'priced_services')::integer AS is_over
            FROM services o WHERE o.tenant_id = app.tenant_id()) n
   WHERE s.tenant_id = app.tenant_id() AND s.id = n.id AND s.over_limit <> n.is_over;
  UPDATE guru_categories c SET over_limit = n.is_over
    FROM (SELECT o.slug, o.listed
                 AND row_number() OVER (PARTITION BY o.listed ORDER BY o.over_limit, o.created_at, o.position, o.slug)
                     > (own ->> 'listed_categories')::integer AS is_over
            FROM guru_categories o WHERE o.tenant_id = app.tenant_id()) n
   WHERE c.tenant_id = app.tenant_id() AND c.slug = n.slug AND c.over_limit <> n.is_over;
  UPDATE domains d SET over_limit = d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean
   WHERE d.tenant_id = app.tenant_id() AND d.over_limit <> (d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean);
END $$;
