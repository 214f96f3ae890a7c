-- waivers

-- file: functions/append_waiver.sql
-- Store a waiver of the current user together with its signed link, and move the end of its chain. `waiver` and `link`
-- have the columns of their tables by name; `link_hash` is the hash of the link. Fails unless the link follows the end of
-- the chain, which app.lock_waiver_head locked in this transaction.
--
-- Called by: waivers.
-- SECURITY DEFINER: the app role can change neither waiver_links nor waiver_heads, and cannot insert waivers. The user is
-- that of the transaction.
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

-- file: functions/lock_waiver_head.sql
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

-- file: functions/waiver_exchange.sql
-- Return what a waiver is for: a listing, by its id, or a guru's service, by the guru's label and the service's id. NULL
-- if it does not exist or is hidden. The function restores the tenant that was set before.
--
-- Called by: waivers.
-- SECURITY DEFINER: listings of other users and services of a guru are behind row level security.
CREATE OR REPLACE FUNCTION app.waiver_exchange(guru_label text, wanted uuid) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru uuid := (SELECT g.id FROM gurus g WHERE g.label = guru_label AND g.status = 'active' AND g.published);
  found_exchange jsonb;
BEGIN
  IF guru_label IS NULL THEN
    RETURN (SELECT jsonb_build_object('teacher_id', o.user_id, 'title', o.title, 'details', o.details)
              FROM skill_offers o JOIN users u ON u.user_id = o.user_id
             WHERE o.id = wanted AND o.visible AND u.status = 'active');
  END IF;
  PERFORM set_config('app.tenant_id', guru::text, true);
  found_exchange := (SELECT jsonb_build_object('guru_id', guru, 'title', s.name, 'details', s.description)
                       FROM services s WHERE s.tenant_id = guru AND s.id = wanted);
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN found_exchange;
END $$;
REVOKE ALL ON FUNCTION app.waiver_exchange(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_exchange(text, uuid) TO porchlight_app;

-- file: functions/waiver_link.sql
-- Return the link of one of the current user's waivers, or no row.
--
-- Called by: waivers, for the receipt.
-- SECURITY DEFINER: the app role cannot read waiver_links.
CREATE OR REPLACE FUNCTION app.waiver_link(waiver uuid) RETURNS SETOF waiver_links
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.* FROM waivers w JOIN waiver_links l ON l.chain_id = w.chain_id AND l.number = w.number
   WHERE w.user_id = app.user_id() AND w.id = waiver
$$;
REVOKE ALL ON FUNCTION app.waiver_link(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.waiver_link(uuid) TO porchlight_app;

-- file: triggers/waivers.sql
-- Keep each waiver and its link together, and both unchanged. Only these changes are possible: a waiver ends, the data
-- that it can lose is erased, and an old waiver is deleted. Its link stays, so the chain can always be verified.
--
-- Fires on: waivers, waiver_links; users, when the status becomes erased.
-- SECURITY DEFINER on the comparison: the app role cannot read waiver_links.
CREATE OR REPLACE FUNCTION app.check_waiver_link() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM waivers w JOIN waiver_links l ON l.chain_id = w.chain_id AND l.number = w.number
                  WHERE w.user_id = app.user_id() AND w.chain_id = NEW.chain_id AND w.number = NEW.number
                    AND l.record_sha256 = w.sha256 AND l.pdf_sha256 = encode(sha256(w.pdf), 'hex')) THEN
    RAISE integrity_constraint_violation USING MESSAGE = 'a waiver and its link need each other';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS check_waiver_link ON waivers;
CREATE CONSTRAINT TRIGGER check_waiver_link AFTER INSERT ON waivers DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION app.check_waiver_link();
DROP TRIGGER IF EXISTS check_waiver_link ON waiver_links;
CREATE CONSTRAINT TRIGGER check_waiver_link AFTER INSERT ON waiver_links DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION app.check_waiver_link();

CREATE OR REPLACE FUNCTION app.forbid_waiver_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING MESSAGE = 'waivers and their links do not change';
END $$;

CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE ON waivers
    FOR EACH ROW WHEN (NOT NEW.erasable <@ OLD.erasable OR NEW.ended_at IS DISTINCT FROM OLD.ended_at
                       AND OLD.ended_at IS NOT NULL
                       OR to_jsonb(NEW) - 'erasable' - 'ended_at' <> to_jsonb(OLD) - 'erasable' - 'ended_at')
    EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE OR DELETE ON waiver_links
    FOR EACH ROW EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_truncate BEFORE TRUNCATE ON waiver_links
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_waiver_change();

CREATE OR REPLACE FUNCTION app.on_user_deleted_waivers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE waivers SET erasable = '{}' WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_waivers AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_waivers();
