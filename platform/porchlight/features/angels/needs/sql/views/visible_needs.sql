-- The needs that the current user may see: their own, those addressed to them, those on which they made an offer, and the
-- open ones that are addressed to no one in particular. After a block, the open ones of the other person are hidden. `miles` is measured from the user's own place as an angel.
--
-- Read by: angels.
-- As the owner: needs, profiles, offers and photos of other users are behind row level security.
CREATE OR REPLACE VIEW visible_needs WITH (security_barrier) AS
  SELECT n.id, n.service_id, n.title, n.description, n.wanted_from, n.wanted_until, n.time_note, n.hours,
         n.budget_cents, n.low_cents, n.high_cents, n.city, n.region, n.status, n.expires_at, n.created_at, n.rating,
         n.review, n.accepted_offer_id,
         n.asked_user_id IS NOT DISTINCT FROM app.user_id() AS asks_me, n.user_id = app.user_id() AS mine,
         (SELECT s.card FROM shown_people s WHERE s.user_id = n.asked_user_id) AS asked,
         (SELECT s.card FROM shown_people s WHERE s.user_id = n.user_id) AS neighbor,
         (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
            FROM angels a WHERE a.user_id = app.user_id()) AS miles,
         (SELECT count(*) FROM need_offers o WHERE o.need_id = n.id AND o.status = 'open') AS offers,
         ARRAY(SELECT p.id FROM need_photos p WHERE p.user_id = n.user_id AND p.need_id = n.id ORDER BY p.position)
           AS photos
    FROM needs n
   WHERE app.user_id() IS NOT NULL AND (n.status <> 'open' OR n.user_id NOT IN (SELECT h.user_id FROM hidden_people h)) AND (
         n.user_id = app.user_id() OR n.asked_user_id = app.user_id()
         OR (n.status = 'open' AND n.expires_at > app.now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.user_id() AND o.need_id = n.id));
GRANT SELECT ON visible_needs TO porchlight_app, porchlight_overseer;
