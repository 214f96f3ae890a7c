-- The visible listings of active accounts, with the public fields of their owners.
--
-- Read by: listings and the sitemap of the main platform.
-- As the owner: listings of other users are behind row level security.
CREATE OR REPLACE VIEW public_listings WITH (security_barrier) AS
  SELECT o.id, o.title, o.level, o.details, o.formats, o.terms, o.price_cents, o.currency, o.radius_km, o.days,
         o.created_at, o.updated_at, p.handle, p.display_name AS name, p.photo_id, p.photo_url, p.bio, p.languages,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END AS city, o.user_id
    FROM skill_offers o JOIN users u ON u.user_id = o.user_id
    -- Each listing has a profile. A statement without its columns does not read it, because it is no condition.
    LEFT JOIN profiles p ON p.user_id = o.user_id LEFT JOIN user_locations w ON w.user_id = o.user_id
   WHERE o.visible AND u.status = 'active'
     AND o.user_id NOT IN (SELECT h.user_id FROM hidden_people h);
GRANT SELECT ON public_listings TO porchlight_app, porchlight_overseer;
