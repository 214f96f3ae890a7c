-- Return the address for answers to the running job's reply: the guru's contact address, or else the address of the
-- account that owns the guru.
--
-- Called by: leads, in the job leads:send_reply.
-- SECURITY DEFINER: accounts are behind row level security.
CREATE OR REPLACE FUNCTION app.lead_reply_address() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('leads:send_reply');
BEGIN
  RETURN (SELECT coalesce(nullif(g.contact_email, ''),
                          (SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
                            WHERE m.tenant_id = g.id AND u.status = 'active' LIMIT 1), '')
            FROM gurus g WHERE g.id = (args ->> 'tenant_id')::uuid);
END $$;
REVOKE ALL ON FUNCTION app.lead_reply_address() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lead_reply_address() TO porchlight_app, porchlight_overseer;
