-- Let the job that finds swap rings check the users who offer or want these phrases: new relations can complete a ring.
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: offers, wants and locations of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.request_ring_checks(phrase_ids integer[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  PERFORM app.set_ring_check_due(ARRAY(
    SELECT l.user_id FROM user_locations l WHERE NOT l.ring_check_due AND l.user_id IN (
      SELECT o.user_id FROM skill_offers o WHERE o.phrase_id = ANY (phrase_ids)
       UNION SELECT w.user_id FROM skill_wants w WHERE w.phrase_id = ANY (phrase_ids))
     ORDER BY l.user_id), true);
END $$;
REVOKE ALL ON FUNCTION app.request_ring_checks(integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.request_ring_checks(integer[]) TO porchlight_app, porchlight_overseer;
