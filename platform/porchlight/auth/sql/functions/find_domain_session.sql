-- Return the session behind a cookie of a custom domain.
-- A session that was opened under a previous guru of the domain does not count.
-- The columns are those of app.find_session.
--
-- Called by: auth, for each request with such a cookie.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_domain_session(wanted bytea, at_domain text)
RETURNS TABLE (user_id uuid, id uuid, firebase_uid text, email text, email_verified boolean,
               authenticated_at timestamptz, token_issued_at timestamptz, guru_id uuid, guru_label text,
               guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.user_id, s.id, u.firebase_uid, u.email, u.email_verified, s.authenticated_at, s.token_issued_at,
         g.id, g.label, g.status
    FROM domain_sessions v
    JOIN sessions s ON s.user_id = v.user_id AND s.id = v.session_id
    JOIN users u ON u.user_id = v.user_id
    JOIN domains d ON d.domain = v.domain
    LEFT JOIN memberships m ON m.user_id = s.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE v.secret_hash = wanted AND v.domain = at_domain AND d.verified_at <= v.created_at
     AND s.expires_at > app.now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_domain_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_domain_session(bytea, text) TO porchlight_app, porchlight_overseer;
