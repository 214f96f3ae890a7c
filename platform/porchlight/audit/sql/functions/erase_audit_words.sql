-- Remove the words of people from up to `max_entries` audit log entries of older releases. Return the hash of the new content of
-- each by its id, which the caller records in the log, or NULL if there are none. Their own hashes stay, so that the chain
-- and the signatures stay valid. An entry that was changed in another way stays, for verification to find.
--
-- Called by: audit, in a maintenance job.
-- SECURITY DEFINER: no role may change the log, and the trigger audit_forbid_change allows its owner this change only.
CREATE OR REPLACE FUNCTION app.erase_audit_words(max_entries integer) RETURNS jsonb
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH written AS (
    SELECT e.id FROM audit_log e
     WHERE e.action IN ('report.resolve', 'risk.decide', 'listing.hide', 'listing.show', 'money.adjustment_request')
       AND e.details <> app.details_without_words(e)
       AND e.hash = app.audit_hash(e)
     ORDER BY e.id LIMIT max_entries
  ), erased AS (
    UPDATE audit_log e SET details = app.details_without_words(e) FROM written WHERE e.id = written.id
    RETURNING e.id, encode(app.audit_hash(e), 'hex') AS hash
  )
  SELECT jsonb_object_agg(erased.id, erased.hash) FROM erased
$$;
REVOKE ALL ON FUNCTION app.erase_audit_words(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_audit_words(integer) TO porchlight_overseer;
