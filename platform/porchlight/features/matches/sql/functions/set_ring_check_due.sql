-- Set whether the job that finds swap rings checks users: those named, and those who offer or want one of `phrase_ids`,
-- because new relations of a phrase can complete a ring.
--
-- Called by: embeddings, when phrases were related, and matches, when users were checked.
-- SECURITY INVOKER: only the service role may call it, which may write the mark of every user.
CREATE OR REPLACE FUNCTION app.set_ring_check_due(is_due boolean, user_ids uuid[], phrase_ids integer[]) RETURNS void
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  WITH changed AS (
    -- In the order of their ids, so that two jobs lock the rows in the same order.
    SELECT l.user_id FROM user_locations l
     WHERE l.ring_check_due <> is_due AND l.user_id IN (
             SELECT unnest(user_ids)
              UNION SELECT o.user_id FROM skill_offers o WHERE o.phrase_id = ANY (phrase_ids)
              UNION SELECT w.user_id FROM skill_wants w WHERE w.phrase_id = ANY (phrase_ids))
     ORDER BY l.user_id FOR NO KEY UPDATE
  )
  UPDATE user_locations l SET ring_check_due = is_due FROM changed c WHERE l.user_id = c.user_id
$$;
REVOKE ALL ON FUNCTION app.set_ring_check_due(boolean, uuid[], integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.set_ring_check_due(boolean, uuid[], integer[]) TO porchlight_overseer;
