-- Return the user who made an open offer on the current user's own need.
--
-- Called by: angels, when an offer is accepted.
-- SECURITY DEFINER: offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.need_offer_owner(need uuid, offer uuid) RETURNS uuid
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.user_id FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
   WHERE n.id = need AND n.user_id = app.user_id() AND o.id = offer AND o.status = 'open' AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.need_offer_owner(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_offer_owner(uuid, uuid) TO porchlight_app, porchlight_overseer;
