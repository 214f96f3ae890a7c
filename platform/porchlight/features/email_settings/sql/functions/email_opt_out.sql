-- Return whether a person wants a kind of email from the running job, with the tokens for its links: of this kind, and
-- of the page with all their settings. Without `person`, it is the owner of the job's guru; no row without one.
--
-- Called by: emails, in jobs.
-- SECURITY DEFINER: settings of other users are behind row level security. Requests run no job, so they get no token.
CREATE OR REPLACE FUNCTION app.email_opt_out(wanted text, person uuid)
RETURNS TABLE (is_on boolean, token uuid, page_token uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  args jsonb := (SELECT r.args FROM app.running_task() r);
  caller text := current_setting('app.user_id', true);
  subscriber uuid := coalesce(person, (SELECT m.user_id FROM memberships m
                                        WHERE m.tenant_id = (args ->> 'tenant_id')::uuid LIMIT 1));
BEGIN
  PERFORM set_config('app.user_id', subscriber::text, true);
  INSERT INTO email_settings (user_id, kind)
  SELECT u.user_id, k.kind FROM users u, (VALUES ('all'), (wanted)) k (kind)
   WHERE u.user_id = subscriber AND u.status <> 'erased' ON CONFLICT DO NOTHING;
  PERFORM set_config('app.user_id', caller, true);
  RETURN QUERY SELECT s.is_on, s.token, p.token FROM email_settings s JOIN email_settings p USING (user_id)
                WHERE s.user_id = subscriber AND s.kind = wanted AND p.kind = 'all';
END $$;
REVOKE ALL ON FUNCTION app.email_opt_out(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_opt_out(text, uuid) TO porchlight_app, porchlight_overseer;
