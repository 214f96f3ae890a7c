-- Add an activity that the risk engine does not know to the queue of staff reviews, or count it once more.
-- The review belongs to the signed-in user until another user asks about the same activity. A request without a user,
-- such as a view of the listing, leaves it as it is.
-- The queue holds at most `max_open` activities; beyond that the call changes nothing. It counts up to `max_count`.
--
-- Called by: risk, when an assessment finds no rule.
-- SECURITY DEFINER: the app role may add to risk_reviews through this function and read nothing.
CREATE OR REPLACE FUNCTION app.request_risk_review(new_id uuid, of_category text, of_activity text, of_digest bytea,
                                                   max_open integer, max_count integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE risk_reviews r
     SET occurrences = least(r.occurrences + 1, max_count), last_seen_at = app.now(),
         asked_by = CASE WHEN r.asked_by = coalesce(app.user_id(), r.asked_by) THEN r.asked_by END
   WHERE r.digest = of_digest;
  IF NOT FOUND AND (SELECT count(*) FROM (SELECT FROM risk_reviews WHERE level IS NULL LIMIT max_open) open) < max_open THEN
    INSERT INTO risk_reviews (id, category, activity, digest, asked_by)
    VALUES (new_id, of_category, of_activity, of_digest, app.user_id()) ON CONFLICT (digest) DO NOTHING;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.request_risk_review(uuid, text, text, bytea, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_risk_review(uuid, text, text, bytea, integer, integer) TO porchlight_app, porchlight_overseer;
