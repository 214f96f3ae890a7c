-- Store a waiver of the current user together with its signed link, and move the end of its chain. `waiver` and `link`
-- have the columns of their tables by name; `link_hash` is the hash of the link. Fails unless the link follows the end
-- of the chain, which app.lock_waiver_head locked in this transaction.
--
-- Called by: waivers.
-- SECURITY DEFINER: the app role can change neither waiver_links nor waiver_heads, and cannot insert waivers. The user
-- is that of the transaction.
CREATE OR REPLACE FUNCTION app.append_waiver(waiver jsonb, link jsonb, link_hash text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  new_waiver waivers := jsonb_populate_record(NULL::waivers, waiver);
  new_link waiver_links := jsonb_populate_record(NULL::waiver_links, link);
BEGIN
  new_waiver.user_id := app.user_id();
  new_waiver.chain_id := new_link.chain_id;
  new_waiver.number := new_link.number;
  UPDATE waiver_heads h SET number = new_link.number, hash = link_hash
   WHERE h.chain_id = new_link.chain_id AND h.number = new_link.number - 1 AND h.hash = new_link.previous;
  IF NOT FOUND THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'the link does not follow the end of its chain';
  END IF;
  INSERT INTO waiver_links SELECT new_link.*;
  INSERT INTO waivers SELECT new_waiver.*;
END $$;
REVOKE ALL ON FUNCTION app.append_waiver(jsonb, jsonb, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.append_waiver(jsonb, jsonb, text) TO porchlight_app, porchlight_overseer;
