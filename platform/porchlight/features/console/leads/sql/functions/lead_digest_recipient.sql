-- Return the contact address of the running job's guru, and whether it is verified, as app.lead_recipient does.
--
-- Called by: leads, in the job leads:send_digest.
-- SECURITY DEFINER: accounts are behind row level security.
CREATE OR REPLACE FUNCTION app.lead_digest_recipient(OUT email text, OUT email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:send_digest');
BEGIN
  SELECT g.contact_email, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                   WHERE m.tenant_id = g.id AND u.status = 'active' AND u.email_verified
                                     AND lower(u.email) = lower(g.contact_email))
    INTO email, email_verified FROM gurus g WHERE g.id = (args ->> 'tenant_id')::uuid;
END $$;
REVOKE ALL ON FUNCTION app.lead_digest_recipient() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lead_digest_recipient() TO porchlight_app, porchlight_overseer;
