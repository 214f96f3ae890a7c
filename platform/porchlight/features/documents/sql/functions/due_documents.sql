-- Return the approved documents of all users that have expired by `today`, or whose owners get a reminder, on each of
-- `reminder_days` before. `days` is the reminder's number, or 0 for a document that has expired.
-- A document with a successor of the same type and category needs no reminder. After an outage only the latest due
-- reminder is returned, so that no email says "30 days" about
-- tomorrow.
--
-- Called by: documents, in the job documents:process_expiry.
-- SECURITY DEFINER: documents of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.due_documents(today date, reminder_days integer[])
RETURNS TABLE (user_id uuid, document_id uuid, days integer, has_successor boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('documents:process_expiry');
  RETURN QUERY
  SELECT d.user_id, d.id, n.days, s.has_successor
    FROM documents d
   CROSS JOIN LATERAL (
     SELECT CASE WHEN d.expires_on < today THEN 0
                 ELSE (SELECT min(r.day) FROM unnest(reminder_days) r (day) WHERE d.expires_on - today <= r.day)
            END AS days) n
   CROSS JOIN LATERAL (
     SELECT EXISTS (SELECT FROM documents o
                     WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type AND o.category = d.category
                       AND o.status IN ('approved', 'pending')
                       AND (o.expires_on IS NULL OR o.expires_on > d.expires_on)) AS has_successor) s
   WHERE d.status = 'approved' AND d.expires_on <= today + (SELECT max(r.day) FROM unnest(reminder_days) r (day))
     AND (n.days = 0 OR NOT s.has_successor
          AND NOT EXISTS (SELECT FROM document_reminders r
                           WHERE r.user_id = d.user_id AND r.document_id = d.id AND r.days <= n.days))
   ORDER BY d.user_id;
END $$;
REVOKE ALL ON FUNCTION app.due_documents(date, integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_documents(date, integer[]) TO porchlight_app, porchlight_overseer;
