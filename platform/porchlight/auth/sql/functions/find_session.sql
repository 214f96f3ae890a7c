-- Return the session behind a cookie, unless it expired, its account is inactive or all sessions were signed out.
-- `guru_id`, `guru_label` and `guru_status` are of the guru that the user owns, or NULL, so that a console call needs no
-- second round trip.
--
-- Called by: auth, for each request with a session cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_session(wanted bytea)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz, guru_id uuid, guru_label text,
               guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at,
         g.id, g.label, g.status
    FROM sessions s JOIN users u ON u.user_id = s.user_id
    LEFT JOIN memberships m ON m.user_id = s.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE s.secret_hash = wanted AND s.expires_at > app.now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_session(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_session(bytea) TO porchlight_app, porchlight_overseer;
