-- Return the version of a guru's own waiver text that people accept now: the newest, or 0 if the guru has none or
-- removed it.
--
-- Called by: waivers and bookings, to find out whether a waiver covers the text; app.waiver_exchange.
-- SECURITY DEFINER: a person's transaction without the guru's tenant must not read the text as missing.
CREATE OR REPLACE FUNCTION app.waiver_text_version(guru uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT CASE WHEN t.body = '' THEN 0 ELSE t.version END FROM guru_waiver_texts t
                    WHERE t.tenant_id = guru ORDER BY t.version DESC LIMIT 1), 0)
$$;
REVOKE ALL ON FUNCTION app.waiver_text_version(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_text_version(uuid) TO porchlight_app;
