-- Return the guru that a user owns.
--
-- Called by: app.own_guru. No request names a user.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.guru_of(owner uuid) RETURNS TABLE (tenant_id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM memberships m JOIN gurus g ON g.id = m.tenant_id WHERE m.user_id = owner
$$;
REVOKE ALL ON FUNCTION app.guru_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.guru_of(uuid) TO porchlight_overseer;
