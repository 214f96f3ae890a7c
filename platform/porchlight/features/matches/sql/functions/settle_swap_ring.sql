-- Set the state of a swap ring of the current user from the answers of its members and start the job that informs them.
-- One refusal declines the ring; three acceptances agree on it.
--
-- Called by: matches, after an answer.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.settle_swap_ring(wanted uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_state text;
BEGIN
  IF NOT EXISTS (SELECT FROM swap_ring_members m WHERE m.ring_id = wanted AND m.user_id = app.user_id()) THEN
    RETURN NULL;
  END IF;
  SELECT CASE WHEN bool_or(m.answer = 'declined') THEN 'declined'
              WHEN count(*) FILTER (WHERE m.answer = 'accepted') = 3 THEN 'agreed' ELSE 'proposed' END
    INTO now_state FROM swap_ring_members m WHERE m.ring_id = wanted;
  UPDATE swap_rings SET state = now_state WHERE id = wanted AND state = 'proposed' AND state <> now_state;
  IF FOUND THEN
    PERFORM app.enqueue('matches:notify_members', jsonb_build_object('ring_id', wanted), NULL);
  END IF;
  RETURN now_state;
END $$;
REVOKE ALL ON FUNCTION app.settle_swap_ring(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.settle_swap_ring(uuid) TO porchlight_app, porchlight_overseer;
