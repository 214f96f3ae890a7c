-- Set whether the job that finds swap rings checks users. The running job that relates phrases asks for a check of those who
-- offer or want `phrase_ids`, because new relations can complete a ring; the one that finds rings ends the check of
-- `user_ids`. The function restores the user that was set before.
--
-- Called by: embeddings, in the job embeddings:relate_phrases, and matches, in the job matches:find_swap_rings.
-- SECURITY DEFINER: offers, wants and locations of other users are behind row level security. The owner role may write
-- only the row of the user that is set.
CREATE OR REPLACE FUNCTION app.set_ring_check_due(user_ids uuid[], phrase_ids integer[]) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  task text := (SELECT r.task FROM app.running_task() r);
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  is_due boolean := task = 'embeddings:relate_phrases';
  changed uuid[];
  owner_id uuid;
BEGIN
  IF is_due THEN
    changed := ARRAY(
      SELECT l.user_id FROM user_locations l WHERE NOT l.ring_check_due AND l.user_id IN (
        SELECT o.user_id FROM skill_offers o WHERE o.phrase_id = ANY (phrase_ids)
         UNION SELECT w.user_id FROM skill_wants w WHERE w.phrase_id = ANY (phrase_ids))
       ORDER BY l.user_id);
  ELSIF task = 'matches:find_swap_rings' THEN
    changed := ARRAY(SELECT u.id FROM unnest(user_ids) u (id) ORDER BY u.id);
  ELSE
    RAISE insufficient_privilege USING MESSAGE = format('the job %s has no ring checks', task);
  END IF;
  FOREACH owner_id IN ARRAY changed LOOP
    PERFORM set_config('app.user_id', owner_id::text, true);
    UPDATE user_locations SET ring_check_due = is_due WHERE user_id = owner_id AND ring_check_due <> is_due;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.set_ring_check_due(uuid[], integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.set_ring_check_due(uuid[], integer[]) TO porchlight_app, porchlight_overseer;
