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
