-- Return the feed with the digest of a secret, its user, and for a guru's feed the guru; no row for an unknown one, and
-- none while the account is not active.
--
-- Called by: bookings, for a calendar program, which has the secret only. Everything else is read as the user.
-- SECURITY DEFINER: the user is not known before the feed is found.
CREATE OR REPLACE FUNCTION app.find_feed(secret bytea)
RETURNS TABLE (user_id uuid, id uuid, kind text, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.user_id, f.id, f.kind, m.tenant_id
    FROM calendar_feeds f JOIN users u ON u.user_id = f.user_id
    LEFT JOIN memberships m ON m.user_id = f.user_id AND f.kind = 'guru'
   WHERE f.secret_hash = find_feed.secret AND u.status = 'active' AND (f.kind = 'personal' OR m.tenant_id IS NOT NULL)
$$;
REVOKE ALL ON FUNCTION app.find_feed(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_feed(bytea) TO porchlight_app, porchlight_overseer;
