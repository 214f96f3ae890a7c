-- Keep each waiver and its link together, and both unchanged. Only these changes are possible: a waiver ends, with who
-- ended it, the data that it can lose is erased, and an old waiver is deleted. Its link stays, so the chain can always
-- be verified. A PDF that shows a drawn signature is erased with the drawing: it becomes empty.
--
-- Fires on: waivers, waiver_links, guru_waiver_texts; users, when the status becomes erased.
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
  RAISE integrity_constraint_violation USING MESSAGE = 'waivers, their links and their texts do not change';
END $$;

CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE ON waivers
    FOR EACH ROW WHEN (NOT NEW.erasable <@ OLD.erasable
                       OR (NEW.ended_at, NEW.withdrawn_at) IS DISTINCT FROM (OLD.ended_at, OLD.withdrawn_at)
                       AND OLD.ended_at IS NOT NULL
                       OR NEW.pdf <> OLD.pdf AND (NEW.pdf <> '' OR NOT jsonb_exists(OLD.erasable, 'drawnSignature')
                                                  OR jsonb_exists(NEW.erasable, 'drawnSignature'))
                       OR to_jsonb(NEW) - '{erasable,ended_at,withdrawn_at,pdf}'::text[]
                          <> to_jsonb(OLD) - '{erasable,ended_at,withdrawn_at,pdf}'::text[])
    EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE OR DELETE ON waiver_links
    FOR EACH ROW EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_change BEFORE UPDATE ON guru_waiver_texts
    FOR EACH ROW EXECUTE FUNCTION app.forbid_waiver_change();
CREATE OR REPLACE TRIGGER forbid_waiver_truncate BEFORE TRUNCATE ON waiver_links
    FOR EACH STATEMENT EXECUTE FUNCTION app.forbid_waiver_change();

CREATE OR REPLACE FUNCTION app.on_user_deleted_waivers() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE waivers SET erasable = '{}', pdf = CASE WHEN jsonb_exists(erasable, 'drawnSignature') THEN '' ELSE pdf END
   WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_waivers AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_waivers();
