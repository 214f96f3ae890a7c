-- Let the audit log lose the words of people.

-- file: functions/details_without_words.sql
-- Return the details of an audit log entry without the words and the email address of other people that older releases
-- wrote into it: the name of a reported person, the title of a listing, an activity, the address of an adjustment's
-- person, whom the ledger names.
--
-- Called by: app.erase_audit_words and the trigger audit_forbid_change.
CREATE OR REPLACE FUNCTION app.details_without_words(e audit_log) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT CASE
           WHEN e.action = 'report.resolve' THEN e.details - 'name'
           WHEN e.action = 'risk.decide' THEN e.details - 'activity'
           WHEN e.action IN ('listing.hide', 'listing.show') THEN e.details - 'title'
           WHEN e.action = 'money.adjustment_request' AND e.details ->> 'person' LIKE '%@%' THEN e.details - 'person'
           ELSE e.details END
$$;

-- file: functions/erase_audit_words.sql
-- Remove the words of people from up to 1,000 audit log entries of older releases. Return the hash of the new content of
-- each by its id, which the caller records in the log, or NULL if there are none. Their own hashes stay, so that the chain
-- and the signatures stay valid. An entry that was changed in another way stays, for verification to find.
--
-- Called by: audit, in a maintenance job.
-- SECURITY DEFINER: no role may change the log, and the trigger audit_forbid_change allows its owner this change only.
CREATE OR REPLACE FUNCTION app.erase_audit_words() RETURNS jsonb
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH written AS (
    SELECT e.id FROM audit_log e
     WHERE e.action IN ('report.resolve', 'risk.decide', 'listing.hide', 'listing.show', 'money.adjustment_request')
       AND e.details <> app.details_without_words(e)
       AND e.hash = app.audit_hash(e)
     ORDER BY e.id LIMIT 1000
  ), erased AS (
    UPDATE audit_log e SET details = app.details_without_words(e) FROM written WHERE e.id = written.id
    RETURNING e.id, encode(app.audit_hash(e), 'hex') AS hash
  )
  SELECT jsonb_object_agg(erased.id, erased.hash) FROM erased
$$;
REVOKE ALL ON FUNCTION app.erase_audit_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_audit_words() TO porchlight_overseer;

-- file: triggers/audit.sql
-- Keep the audit log a chain of hashes to which rows can only be added.
--
-- Each entry gets the next number without a gap, the time of the statement, and a hash that covers the previous entry: changing,
-- inserting or removing an old entry breaks the chain from there on. The lock on audit_head serializes entries.
-- An entry can only lose the words of people that older releases wrote (app.erase_audit_words).
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

CREATE OR REPLACE FUNCTION app.audit_forbid_edit() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.details = app.details_without_words(OLD)
     AND to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log only grows';
END $$;

CREATE OR REPLACE TRIGGER audit_forbid_change BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION app.audit_forbid_edit();
CREATE OR REPLACE TRIGGER audit_forbid_truncate BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_change BEFORE UPDATE OR DELETE ON audit_seals
    FOR EACH ROW EXECUTE FUNCTION app.audit_forbid_change();
CREATE OR REPLACE TRIGGER audit_forbid_truncate BEFORE TRUNCATE ON audit_seals
    FOR EACH STATEMENT EXECUTE FUNCTION app.audit_forbid_change();
