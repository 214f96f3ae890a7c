-- Return the reminders of failed payments that are due: on each of `notice_days` after the failure, until
-- `grace_days` have passed. Of several that were missed, only the last one is due.
--
-- Called by: billing, in the job billing:send_reminders.
-- SECURITY DEFINER: it reads the subscriptions of all users.
CREATE OR REPLACE FUNCTION app.due_plan_notices(notice_days integer[], grace_days integer)
RETURNS TABLE (user_id uuid, subscription_id uuid, past_due_since timestamptz, day integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM app.running_job('billing:send_reminders');
  RETURN QUERY
  SELECT s.user_id, s.id, s.past_due_since, max(d.day)
    FROM subscriptions s CROSS JOIN unnest(notice_days) d (day)
   WHERE s.state = 'past_due' AND s.past_due_since + make_interval(days => d.day) <= app.now()
     AND s.past_due_since + grace_days * interval '1 day' > app.now()
   GROUP BY s.user_id, s.id, s.past_due_since
  HAVING NOT EXISTS (SELECT FROM plan_notices n WHERE n.user_id = s.user_id AND n.subscription_id = s.id
                       AND n.past_due_since = s.past_due_since AND n.day >= max(d.day));
END $$;
REVOKE ALL ON FUNCTION app.due_plan_notices(integer[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_plan_notices(integer[], integer) TO porchlight_app, porchlight_overseer;
