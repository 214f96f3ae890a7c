-- Keep the audit log a chain of hashes to which rows can only be added.
--
-- Each entry gets the next number without a gap, the time of the statement, and a hash that covers the previous entry: changing,
-- inserting or removing an old entry breaks the chain from there on. The lock on audit_head serializes entries.
-- SECURITY DEFINER: every role that writes the log must move audit_head, and no role may write that table.
--
-- Fires on: audit_log, audit_seals.
CREATE OR REPLACE FUNCTION app.audit_append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  head audit_head;
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  NEW.id := head.id + 1;
  NEW.at := clock_timestamp() + (app.now() - now());
  NEW.previous := head.hash;
  NEW.hash := app.audit_hash(NEW);
  UPDATE audit_head SET id = NEW.id, hash = NEW.hash;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER audit_append BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION app.audit_append();

-- The chain starts with this row.
INSERT INTO audit_head (id, hash) VALUES (0, '') ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION app.audit_forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log only grows';
END $$;

CREATE OR REPLACE TRIGGER audit_forbid_change BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_truncate BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_change BEFORE UPDATE OR DELETE ON audit_seals
    FOR EACH ROW EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_truncate BEFORE TRUNCATE ON audit_seals
    FOR EACH STATEMENT EXECUTE FUNCTION app.audit_forbid_change();
