-- The photos of visible listings that the plan of the owner allows.
--
-- Read by: listings.
-- As the owner: listings of other users are behind row level security.
CREATE OR REPLACE VIEW public_listing_photos WITH (security_barrier) AS
  SELECT f.id, f.offer_id, f.alt, f.width, f.height, f.position, f.body, f.thumbnail
    FROM listing_photos f JOIN skill_offers o ON o.user_id = f.user_id AND o.id = f.offer_id
    JOIN users u ON u.user_id = f.user_id
   WHERE o.visible AND NOT f.over_limit AND u.status = 'active';
GRANT SELECT ON public_listing_photos TO porchlight_app, porchlight_overseer;
