-- Return the minutes in which an angel usually makes an offer: the median over the last `days`, from the email about the
-- need to the first offer. NULL for fewer than `min_answers`, or if the angel left more needs without an answer, that were
-- addressed to them by name and are older than `open_after`, than they answered.
--
-- Called by: app.angels_for and app.angel_work_of.
-- SECURITY INVOKER: these run as the owner, who sees the needs, notices and offers of all users.
CREATE OR REPLACE FUNCTION app.angel_answer_minutes(
  angel_id uuid, days integer, min_answers integer, open_after interval) RETURNS integer
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN count(*) >= min_answers AND count(*) >= (
                SELECT count(*) FROM needs n
                 WHERE n.asked_user_id = angel_id AND n.status IN ('open', 'expired')
                   AND n.created_at BETWEEN app.now() - days * interval '1 day' AND app.now() - open_after
                   AND NOT EXISTS (SELECT FROM need_offers o WHERE o.user_id = angel_id AND o.need_id = n.id))
              THEN greatest(1, ceil(percentile_cont(0.5) WITHIN GROUP (
                     ORDER BY extract(epoch FROM o.created_at - t.sent_at)) / 60))::integer END
    FROM need_offers o JOIN need_notices t ON t.user_id = o.user_id AND t.need_id = o.need_id
   WHERE o.user_id = angel_id AND o.created_at > app.now() - days * interval '1 day'
$$;
REVOKE ALL ON FUNCTION app.angel_answer_minutes(uuid, integer, integer, interval) FROM PUBLIC;
