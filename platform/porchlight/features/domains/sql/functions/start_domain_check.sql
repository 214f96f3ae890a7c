-- Record that a guru checks a domain now. Return whether that is allowed: fewer than `most` checks within
-- the last `period`.
--
-- Called by: the console.
-- SECURITY INVOKER: the caller needs the right to write the tenant's checks.
CREATE OR REPLACE FUNCTION app.start_domain_check(tenant uuid, most integer, period interval) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('domains ' || tenant, 0));
  IF (SELECT count(*) FROM domain_checks c
       WHERE c.tenant_id = tenant AND c.created_at > app.now() - period) >= most THEN
    RETURN false;
  END IF;
  INSERT INTO domain_checks (tenant_id, id) VALUES (tenant, gen_random_uuid());
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION app.start_domain_check(uuid, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.start_domain_check(uuid, integer, interval) TO porchlight_app, porchlight_overseer;
