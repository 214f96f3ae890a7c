-- Return the guru that the current user owns.
--
-- Called by: onboarding and porchlight.plans.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.own_guru() RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = app.user_id()
$$;
REVOKE ALL ON FUNCTION app.own_guru() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_guru() TO porchlight_app, porchlight_overseer;
