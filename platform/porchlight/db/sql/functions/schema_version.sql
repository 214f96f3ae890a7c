-- Return the newest migration of this database.
--
-- Called by: /readyz and `porchlight doctor`.
-- SECURITY DEFINER: the app role cannot read alembic_version.
CREATE OR REPLACE FUNCTION app.schema_version() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT max(version_num) FROM alembic_version
$$;
REVOKE ALL ON FUNCTION app.schema_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.schema_version() TO porchlight_app, porchlight_overseer;
