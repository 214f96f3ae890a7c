-- Give each open exchange the learner's waiver that covers its level and is valid longest: when it is asked for, and when
-- the learner accepts a waiver for the listing or one ends. Once the waiver has ended, `waiver_until` is in the past.
--
-- SECURITY DEFINER: requests may not write exchanges, and the teacher cannot read the learner's waivers.
-- Fires on: exchanges, waivers.
CREATE OR REPLACE FUNCTION app.update_exchange_waivers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  learner uuid;
  listing text;
BEGIN
  IF TG_TABLE_NAME = 'exchanges' THEN
    learner := CASE WHEN NEW.teacher_id = NEW.person_a_id THEN NEW.person_b_id ELSE NEW.person_a_id END;
    listing := NEW.offer_id::text;
  ELSE
    learner := NEW.user_id;
    listing := NEW.exchange_id;
  END IF;
  PERFORM set_config('app.user_id', learner::text, true);
  UPDATE exchanges e SET waiver_until = coalesce(
           (SELECT max(w.expires_at) FROM waivers w
             WHERE w.user_id = learner AND w.guru_id IS NULL AND w.exchange_id = listing AND w.ended_at IS NULL
               AND array_position(levels, w.level) >= array_position(levels, e.risk)),
           CASE WHEN e.waiver_until IS NOT NULL THEN least(e.waiver_until, app.now()) END)
   WHERE learner IN (e.person_a_id, e.person_b_id) AND e.teacher_id <> learner AND e.offer_id::text = listing
     AND e.risk <> '' AND e.status IN ('asked', 'countered', 'confirmed');
  PERFORM set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_exchange_waivers AFTER INSERT ON exchanges
    FOR EACH ROW WHEN (NEW.risk <> '') EXECUTE FUNCTION app.update_exchange_waivers();
CREATE OR REPLACE TRIGGER update_exchange_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NULL) EXECUTE FUNCTION app.update_exchange_waivers();
CREATE OR REPLACE TRIGGER update_exchange_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION app.update_exchange_waivers();
