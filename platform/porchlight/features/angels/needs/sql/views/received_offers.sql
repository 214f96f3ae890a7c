-- The open offers on the needs of the current user, with the public fields of the angels who made them. After a block, only
-- the one that was accepted is shown.
--
-- Read by: angels, for the page of a need and when an offer is accepted.
-- As the owner: offers of other users are behind row level security.
CREATE OR REPLACE VIEW received_offers WITH (security_barrier) AS
  SELECT o.need_id, o.id, o.user_id, jsonb_build_object(
           'id', o.id, 'price_cents', o.price_cents, 'message', o.message, 'created_at', o.created_at,
           'accepted', o.id IS NOT DISTINCT FROM n.accepted_offer_id,
           'angel', (SELECT s.card FROM shown_people s WHERE s.user_id = o.user_id),
           'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                       FROM angels a WHERE a.user_id = o.user_id),
           'jobs', coalesce((SELECT sum(a.jobs) FROM angels a WHERE a.user_id = o.user_id), 0),
           'ratings', coalesce((SELECT sum(a.ratings) FROM angels a WHERE a.user_id = o.user_id), 0),
           'rating_sum', coalesce((SELECT sum(a.rating_sum) FROM angels a WHERE a.user_id = o.user_id), 0)) AS card
    FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
   WHERE n.user_id = app.user_id() AND o.status = 'open' AND u.status = 'active'
     AND (o.id = n.accepted_offer_id OR o.user_id NOT IN (SELECT h.user_id FROM hidden_people h));
GRANT SELECT ON received_offers TO porchlight_app, porchlight_overseer;
