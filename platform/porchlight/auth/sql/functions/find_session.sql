-- Return the session behind a cookie, unless it expired, its account is inactive or all sessions were signed out. With
-- `at_domain`, the cookie is one of a custom domain; a session that was opened there under a previous guru of the domain
-- does not count.
-- `guru_id`, `guru_label` and `guru_status` are of the guru that the user owns, or NULL, so that a console call needs no
-- second round trip.
--
-- Called by: auth, for each request with a session cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_session(wanted bytea, at_domain text DEFAULT NULL)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz, guru_id uuid, guru_label text,
               guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at,
         g.id, g.label, g.status
    FROM (SELECT f.* FROM sessions f WHERE at_domain IS NULL AND f.secret_hash = wanted
           UNION ALL
          SELECT f.* FROM domain_sessions v
            JOIN sessions f ON f.user_id = v.user_id AND f.id = v.session_id
            JOIN domains d ON d.domain = v.domain
           WHERE v.secret_hash = wanted AND v.domain = at_domain AND d.verified_at <= v.created_at) s
    JOIN users u ON u.user_id = s.user_id
    LEFT JOIN memberships m ON m.user_id = s.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE s.expires_at > app.now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_session(bytea, text) TO porchlight_app, porchlight_overseer;
