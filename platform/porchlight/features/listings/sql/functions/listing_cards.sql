-- Return the text and the first photo of each visible listing among `wanted`.
--
-- Called by: listings, for search results and matches.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.listing_cards(wanted uuid[])
RETURNS TABLE (id uuid, title text, details text, photo_id uuid, alt text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.title, o.details, first.id, first.alt
    FROM unnest(wanted) asked (id) JOIN skill_offers o ON o.id = asked.id
    LEFT JOIN LATERAL (SELECT p.id, p.alt FROM listing_photos p
                        WHERE p.user_id = o.user_id AND p.offer_id = o.id AND NOT p.over_limit
                        ORDER BY p.position, p.id LIMIT 1) first ON true
   WHERE o.visible
$$;
REVOKE ALL ON FUNCTION app.listing_cards(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.listing_cards(uuid[]) TO porchlight_app, porchlight_overseer;
