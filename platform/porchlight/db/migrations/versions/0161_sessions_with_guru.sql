-- sessions with guru

-- file: functions/find_domain_session.sql
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
     AND s.expires_at > now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_domain_session(bytea, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_domain_session(bytea, text) TO porchlight_app, porchlight_overseer;

-- file: functions/find_session.sql
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
   WHERE s.secret_hash = wanted AND s.expires_at > now() AND u.status = 'active'
     AND (u.signed_out_at IS NULL OR s.authenticated_at >= u.signed_out_at)
$$;
REVOKE ALL ON FUNCTION app.find_session(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_session(bytea) TO porchlight_app, porchlight_overseer;

-- file: functions/find_user.sql
-- Return the account of an identity provider's user id.
-- The guru is the one that the user owns, as in app.find_session.
--
-- Called by: auth, for each request with an ID token.
-- SECURITY DEFINER: no user is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_user(wanted text)
RETURNS TABLE (user_id uuid, status text, signed_out_at timestamptz, email text, email_verified boolean,
               ended_sign_ins timestamptz[], guru_id uuid, guru_label text, guru_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.user_id, u.status, u.signed_out_at, u.email, u.email_verified, u.ended_sign_ins,
         g.id, g.label, g.status
    FROM users u LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN gurus g ON g.id = m.tenant_id
   WHERE u.firebase_uid = wanted
$$;
REVOKE ALL ON FUNCTION app.find_user(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_user(text) TO porchlight_app, porchlight_overseer;
