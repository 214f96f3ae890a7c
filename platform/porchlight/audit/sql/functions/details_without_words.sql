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
