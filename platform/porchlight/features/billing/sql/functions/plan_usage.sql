-- Return how much of each counted feature the current user has, by the feature's name.
--
-- Called by: billing.
CREATE OR REPLACE FUNCTION app.plan_usage() RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  usage jsonb;
BEGIN
  PERFORM set_config('app.tenant_id', coalesce((SELECT g.tenant_id FROM app.own_guru() g)::text, ''), true);
  usage := jsonb_build_object(
    'exchange_offers', (SELECT count(*) FROM skill_offers o
                         WHERE o.user_id = app.user_id() AND NOT 'price' = ANY (o.terms)),
    'priced_offers', (SELECT count(*) FROM skill_offers o
                       WHERE o.user_id = app.user_id() AND 'price' = ANY (o.terms)),
    'priced_services', (SELECT count(*) FROM services s WHERE s.tenant_id = app.tenant_id() AND s.price_cents > 0),
    'work_photos', (SELECT count(*) FROM listing_photos f WHERE f.user_id = app.user_id()),
    'listed_categories', (SELECT count(*) FROM guru_categories c
                           WHERE c.tenant_id = app.tenant_id() AND c.listed AND NOT c.over_limit));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN usage;
END $$;
