-- Return the contact address of the running job's guru, and whether it is the verified address of the account that owns
-- the guru. Any other contact address was only typed.
--
-- Called by: leads, in the job leads:notify_guru.
-- SECURITY DEFINER: accounts are behind row level security.
CREATE OR REPLACE FUNCTION app.lead_recipient(OUT email text, OUT email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:notify_guru');
BEGIN
  SELECT g.contact_email, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                   WHERE m.tenant_id = g.id AND u.status = 'active' AND u.email_verified
                                     AND lower(u.email) = lower(g.contact_email))
    INTO email, email_verified FROM gurus g WHERE g.id = (args ->> 'tenant_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.lead_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lead_recipient() TO porchlight_app, porchlight_overseer;
