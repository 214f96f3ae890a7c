-- Return a visible listing with its photos and the public fields of its owner.
--
-- Called by: listings, for the page of a listing.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.skill_listing(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', o.id, 'title', o.title, 'level', o.level, 'details', o.details, 'formats', o.formats,
           'terms', o.terms, 'price_cents', o.price_cents, 'currency', o.currency, 'radius_km', o.radius_km,
           'days', o.days, 'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
           'photo_url', p.photo_url, 'bio', p.bio, 'languages', p.languages,
           'city', CASE WHEN p.shows_location THEN w.city ELSE '' END,
           'photos', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'alt', f.alt, 'width', f.width,
                                                                   'height', f.height) ORDER BY f.position, f.id), '[]')
                        FROM listing_photos f
                       WHERE f.user_id = o.user_id AND f.offer_id = o.id AND NOT f.over_limit))
    FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id JOIN users u ON u.user_id = o.user_id
    LEFT JOIN user_locations w ON w.user_id = o.user_id
   WHERE o.id = wanted AND o.visible AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.skill_listing(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_listing(uuid) TO porchlight_app, porchlight_overseer;
