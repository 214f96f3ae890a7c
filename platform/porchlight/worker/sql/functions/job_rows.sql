-- Return the rows of other users, or of no user, that the running job works on, at most `max_rows`. The caller names the
-- columns, which are those of the job's branch. A job whose arguments name a row gets only that one. `due_on`: the day by
-- which a document expires.
--
-- Called by: the jobs named here, each as their first step; what they then change, they change in the isolation of the
-- user. Any other job gets an error.
-- SECURITY DEFINER: rows of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.job_rows(max_rows integer, due_on date DEFAULT NULL) RETURNS SETOF record
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  job record := app.running_task();
BEGIN
  CASE job.task
    WHEN 'angels:expire_needs' THEN  -- whose owners' needs have passed their last day
      RETURN QUERY SELECT DISTINCT n.user_id FROM needs n
                    WHERE n.status = 'open' AND n.expires_at <= app.now() LIMIT max_rows;
    WHEN 'auth:sync_emails' THEN  -- who asked to change their email address, and since when
      RETURN QUERY SELECT u.user_id, u.firebase_uid, u.email_change_asked_at FROM users u
                    WHERE u.email_change_asked_at IS NOT NULL AND u.status = 'active' LIMIT max_rows;
    WHEN 'billing:send_reminders' THEN  -- subscriptions with a failed payment, and the day of the last reminder of it
      RETURN QUERY SELECT s.user_id, s.id, s.past_due_since,
                          (SELECT max(n.day)::integer FROM plan_notices n WHERE n.user_id = s.user_id
                              AND n.subscription_id = s.id AND n.past_due_since = s.past_due_since)
                     FROM subscriptions s WHERE s.state = 'past_due' LIMIT max_rows;
    WHEN 'documents:process_expiry' THEN
      -- Approved documents that expire by `due_on`, with the last reminder of it, and whether the owner sent a later one of
      -- the same type and category.
      RETURN QUERY SELECT d.user_id, d.id, d.expires_on,
                          (SELECT min(r.days)::integer FROM document_reminders r
                            WHERE r.user_id = d.user_id AND r.document_id = d.id),
                          EXISTS (SELECT FROM documents o
                                   WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type
                                     AND o.category = d.category AND o.status IN ('approved', 'pending')
                                     AND (o.expires_on IS NULL OR o.expires_on > d.expires_on))
                     FROM documents d WHERE d.status = 'approved' AND d.expires_on <= due_on
                    ORDER BY d.user_id LIMIT max_rows;
    WHEN 'listings:sync_profiles' THEN  -- users without a location
      RETURN QUERY SELECT p.user_id FROM profiles p LEFT JOIN user_locations l ON l.user_id = p.user_id
                    WHERE l.user_id IS NULL OR l.tile < 0 LIMIT max_rows;
    WHEN 'plans:apply_due_plans' THEN  -- users whose plan may have ended
      RETURN QUERY SELECT u.user_id FROM users u WHERE u.plan_check_at <= app.now()
                    ORDER BY u.plan_check_at LIMIT max_rows;
    WHEN 'search:send_alerts' THEN
      -- Saved searches of active users with a verified address, those checked longest ago first, with what an email about
      -- new results needs. None while the flag "skillListing" is off: its results would lead to pages that are off.
      RETURN QUERY SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle
                     FROM saved_searches s
                     JOIN users u ON u.user_id = s.user_id AND u.status = 'active' AND u.email_verified
                     JOIN profiles p ON p.user_id = s.user_id
                    WHERE coalesce((SELECT f.enabled FROM flag_settings f WHERE f.name = 'skillListing'), true)
                    ORDER BY s.seen_at LIMIT max_rows;
    ELSE
      RAISE insufficient_privilege USING MESSAGE = format('the job %s has no rows of others', job.task);
  END CASE;
END $$;
REVOKE ALL ON FUNCTION app.job_rows(integer, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_rows(integer, date) TO porchlight_app, porchlight_overseer;
