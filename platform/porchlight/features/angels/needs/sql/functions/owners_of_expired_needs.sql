-- Return the users with an open need whose last day is over.
--
-- Called by: angels, in the job angels:expire_needs.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.owners_of_expired_needs() RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('angels:expire_needs');
  RETURN QUERY SELECT DISTINCT n.user_id FROM needs n WHERE n.status = 'open' AND n.expires_at <= app.now();
END $$;
REVOKE ALL ON FUNCTION app.owners_of_expired_needs() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.owners_of_expired_needs() TO porchlight_app, porchlight_overseer;
