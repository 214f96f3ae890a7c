-- Lock the end of a chain of waivers until the transaction ends, and return it. A new chain starts with number 0 and a
-- hash of zeros. The caller signs the next link and passes it to app.append_waiver.
--
-- Called by: waivers.
-- SECURITY DEFINER: the app role has no access to waiver_heads.
CREATE OR REPLACE FUNCTION app.lock_waiver_head(chain text, OUT number bigint, OUT hash text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF app.user_id() IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'only a signed-in user can accept a waiver';
  END IF;
  INSERT INTO waiver_heads (chain_id) VALUES (chain) ON CONFLICT DO NOTHING;
  SELECT h.number, h.hash INTO lock_waiver_head.number, lock_waiver_head.hash
    FROM waiver_heads h WHERE h.chain_id = chain FOR UPDATE;
END $$;
REVOKE ALL ON FUNCTION app.lock_waiver_head(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_waiver_head(text) TO porchlight_app, porchlight_overseer;
