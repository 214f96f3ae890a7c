-- Return saved searches of active users with a verified address, those checked longest ago first, with what an email
-- about new results needs. None while the flag "skillListing" is off: its results would lead to pages that are off.
--
-- Called by: search, in the job search:send_alerts.
-- SECURITY DEFINER: saved searches of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.saved_searches_to_check(max_searches integer)
RETURNS TABLE (user_id uuid, id uuid, words text, filters jsonb, seen_at timestamptz,
               email text, name text, handle text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('search:send_alerts');
  RETURN QUERY SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle
                 FROM saved_searches s JOIN users u ON u.user_id = s.user_id AND u.status = 'active' AND u.email_verified
                 JOIN profiles p ON p.user_id = s.user_id
                WHERE coalesce((SELECT f.enabled FROM flag_settings f WHERE f.name = 'skillListing'), true)
                ORDER BY s.seen_at LIMIT max_searches;
END $$;
REVOKE ALL ON FUNCTION app.saved_searches_to_check(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.saved_searches_to_check(integer) TO porchlight_app, porchlight_overseer;
