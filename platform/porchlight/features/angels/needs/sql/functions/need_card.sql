-- Return a need as the current user may see it. `miles` is measured from the user's own place as an angel.
--
-- Called by: app.visible_need and app.open_needs.
-- SECURITY INVOKER: these run as the owner, who sees the profiles, offers and photos of all users.
CREATE OR REPLACE FUNCTION app.need_card(n needs) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'id', n.id, 'service_id', n.service_id, 'title', n.title, 'description', n.description,
    'wanted_from', n.wanted_from, 'wanted_until', n.wanted_until, 'time_note', n.time_note, 'hours', n.hours,
    'budget_cents', n.budget_cents, 'low_cents', n.low_cents, 'high_cents', n.high_cents,
    'city', n.city, 'region', n.region, 'status', n.status, 'expires_at', n.expires_at, 'created_at', n.created_at,
    'rating', n.rating, 'review', n.review, 'accepted_offer_id', n.accepted_offer_id,
    'asked', CASE WHEN n.asked_user_id IS NOT NULL THEN app.public_user(n.asked_user_id) END,
    'asks_me', n.asked_user_id IS NOT DISTINCT FROM app.user_id() AND app.user_id() IS NOT NULL,
    'mine', n.user_id = app.user_id(), 'neighbor', app.public_user(n.user_id),
    'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                FROM angels a WHERE a.user_id = app.user_id()),
    'offers', (SELECT count(*) FROM need_offers o WHERE o.need_id = n.id AND o.status = 'open'),
    'photos', (SELECT coalesce(jsonb_agg(p.id ORDER BY p.position), '[]') FROM need_photos p
                WHERE p.user_id = n.user_id AND p.need_id = n.id))
$$;
REVOKE ALL ON FUNCTION app.need_card(needs) FROM PUBLIC;
