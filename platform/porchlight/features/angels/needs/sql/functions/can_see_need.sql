-- Return whether the current user may see a need: its owner, the angel it is addressed to, an angel who made an
-- offer, and every user while it is open and addressed to no one in particular.
--
-- Called by: app.visible_need and app.need_photo.
-- SECURITY INVOKER: these run as the owner, who sees the offers of all users.
CREATE OR REPLACE FUNCTION app.can_see_need(n needs) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT app.user_id() IS NOT NULL AND (
         n.user_id = app.user_id() OR n.asked_user_id = app.user_id()
         OR (n.status = 'open' AND n.expires_at > app.now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.user_id() AND o.need_id = n.id))
$$;
REVOKE ALL ON FUNCTION app.can_see_need(needs) FROM PUBLIC;
