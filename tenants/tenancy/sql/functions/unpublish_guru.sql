-- Take the current user's site offline; publishing brings it back. Returns false when the user has no guru.
--
-- Called by: onboarding.
-- SECURITY DEFINER: the app role cannot change whether a guru is published.
CREATE OR REPLACE FUNCTION app.unpublish_guru() RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT m.tenant_id INTO own_guru_id FROM memberships m WHERE m.user_id = owner_id;
  PERFORM set_config('app.tenant_id', coalesce(own_guru_id::text, ''), true);
  UPDATE gurus SET published = false WHERE id = own_guru_id AND published;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN own_guru_id IS NOT NULL;
END $$;
REVOKE ALL ON FUNCTION app.unpublish_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.unpublish_guru() TO porchlight_app;
