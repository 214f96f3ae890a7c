-- Return the state of a need for a user who wants to make an offer: open, asked (addressed to another angel), own,
-- closed, or NULL when there is no such need.
--
-- Called by: angels, before an offer is stored.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.need_status(need uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN n.user_id = app.user_id() THEN 'own'
              WHEN n.asked_user_id <> app.user_id() THEN 'asked'
              WHEN n.status = 'open' AND n.expires_at > app.now() THEN 'open'
              ELSE 'closed' END
    FROM needs n JOIN users u ON u.user_id = n.user_id WHERE n.id = need AND u.status = 'active'
     AND n.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
$$;
REVOKE ALL ON FUNCTION app.need_status(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_status(uuid) TO porchlight_app, porchlight_overseer;
