-- The text that each guru adds to the waiver now: the newest one. A guru who has none, or removed it, has no row.
--
-- Read by: waivers and bookings.
-- As the owner: a person's transaction without the guru's tenant must not read a text as missing.
CREATE OR REPLACE VIEW current_waiver_texts WITH (security_barrier) AS
  SELECT t.tenant_id, t.version, t.body FROM guru_waiver_texts t
   WHERE t.body <> '' AND NOT EXISTS (
           SELECT FROM guru_waiver_texts n WHERE n.tenant_id = t.tenant_id AND n.version > t.version);
GRANT SELECT ON current_waiver_texts TO porchlight_app, porchlight_overseer;
