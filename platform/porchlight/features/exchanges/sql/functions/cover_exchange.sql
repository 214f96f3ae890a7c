-- Give an open exchange the learner's waiver that covers its level and is valid longest. Once the waiver has ended,
-- `waiver_until` is in the past. The function restores the user that was set before.
--
-- Called by: app.apply_exchange and the trigger update_exchange_waivers, both as the owner.
-- SECURITY INVOKER: the teacher cannot read the learner's waivers, so these functions run it.
CREATE OR REPLACE FUNCTION app.cover_exchange(person uuid, covered uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  agreed exchanges;
  learner uuid;
BEGIN
  SELECT * INTO agreed FROM exchanges e
   WHERE e.person_a_id = person AND e.id = covered AND e.risk <> '' AND e.status IN ('asked', 'countered', 'confirmed');
  IF NOT FOUND THEN
    RETURN;
  END IF;
  learner := CASE WHEN agreed.teacher_id = agreed.person_a_id THEN agreed.person_b_id ELSE agreed.person_a_id END;
  PERFORM set_config('app.user_id', learner::text, true);
  UPDATE exchanges e SET waiver_until = coalesce(
           (SELECT max(w.expires_at) FROM waivers w
             WHERE w.user_id = learner AND w.guru_id IS NULL AND w.exchange_id = e.offer_id::text AND w.ended_at IS NULL
               AND array_position(levels, w.level) >= array_position(levels, e.risk)),
           CASE WHEN e.waiver_until IS NOT NULL THEN least(e.waiver_until, app.now()) END)
   WHERE e.person_a_id = agreed.person_a_id AND e.id = agreed.id;
  PERFORM set_config('app.user_id', previous_user, true);
END $$;
REVOKE ALL ON FUNCTION app.cover_exchange(uuid, uuid) FROM PUBLIC;
