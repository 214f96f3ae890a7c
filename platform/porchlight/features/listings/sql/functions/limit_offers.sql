-- Mark the current user's offers and work photos that exceed the plan, the newest first: others do not see them until
-- they fit again. `limits` has the limits of each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans.
CREATE OR REPLACE FUNCTION app.limit_offers(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.plan_of(app.user_id());
BEGIN
  UPDATE skill_offers o SET over_limit = n.is_over, visible = n.is_public
    FROM (SELECT s.id, p.is_public AND p.shows_skills AND p.registered_at IS NOT NULL AS is_public,
                 row_number() OVER (PARTITION BY 'price' = ANY (s.terms) ORDER BY s.created_at, s.id)
                 > (own ->> CASE WHEN 'price' = ANY (s.terms) THEN 'priced_offers' ELSE 'exchange_offers' END)::integer
                 AS is_over
            FROM skill_offers s JOIN profiles p ON p.user_id = s.user_id WHERE s.user_id = app.user_id()) n
   WHERE o.user_id = app.user_id() AND o.id = n.id AND o.over_limit <> n.is_over;
  UPDATE listing_photos f SET over_limit = n.is_over
    FROM (SELECT l.offer_id, l.id,
                 row_number() OVER (ORDER BY l.created_at, l.id) > (own ->> 'work_photos')::integer AS is_over
            FROM listing_photos l WHERE l.user_id = app.user_id()) n
   WHERE f.user_id = app.user_id() AND f.offer_id = n.offer_id AND f.id = n.id AND f.over_limit <> n.is_over;
END $$;
