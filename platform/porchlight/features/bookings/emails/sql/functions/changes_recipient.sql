-- Return the recipient of the running job's email about several bookings: the account that owns the guru, or the person
-- of the job, who needs a booking with the guru. For a person, also the owner's verified address, for replies. NULL for
-- an account that was deleted or suspended.
--
-- Called by: bookings, in the job bookings:send_changes.
-- SECURITY DEFINER: accounts of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.changes_recipient(OUT email text, OUT is_verified boolean, OUT other_address text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('bookings:send_changes');
  tenant uuid := (args ->> 'tenant_id')::uuid;
  person uuid := nullif(args ->> 'person_id', '')::uuid;
BEGIN
  SELECT u.email, u.email_verified INTO email, is_verified
    FROM memberships m JOIN users u ON u.user_id = m.user_id
   WHERE m.tenant_id = tenant AND u.status = 'active' LIMIT 1;
  IF args ->> 'side' = 'person' THEN
    other_address := CASE WHEN is_verified THEN email END;
    email := NULL;
    is_verified := NULL;
    SELECT u.email, u.email_verified INTO email, is_verified FROM users u
     WHERE u.user_id = person AND u.status = 'active'
       AND EXISTS (SELECT FROM bookings b WHERE b.tenant_id = tenant AND b.person_id = person);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.changes_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.changes_recipient() TO porchlight_app, porchlight_overseer;
