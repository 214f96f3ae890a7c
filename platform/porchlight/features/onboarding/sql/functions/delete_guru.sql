-- Delete the guru of the running job with all its data, if its owner deleted their account. Safe to repeat.
--
-- Called by: onboarding, in the job onboarding:delete_guru.
-- SECURITY DEFINER: the app role cannot delete gurus, jobs and emails. The tenant comes from the job.
CREATE OR REPLACE FUNCTION app.delete_guru() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('onboarding:delete_guru');
  guru_id uuid := (args ->> 'tenant_id')::uuid;
BEGIN
  IF EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
              WHERE m.tenant_id = guru_id AND u.status <> 'erased') THEN
    RETURN false;
  END IF;
  RETURN app.delete_guru_data(guru_id);
END $$;
REVOKE ALL ON FUNCTION app.delete_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delete_guru() TO porchlight_app, porchlight_overseer;
