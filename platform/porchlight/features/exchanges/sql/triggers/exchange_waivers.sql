-- Keep the waivers of open exchanges up to date, when a learner accepts a waiver for the listing or one ends.
--
-- SECURITY DEFINER: requests may not write exchanges.
-- Fires on: waivers.
CREATE OR REPLACE FUNCTION app.update_exchange_waivers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
BEGIN
  PERFORM set_config('app.user_id', NEW.user_id::text, true);
  PERFORM app.cover_exchange(e.person_a_id, e.id) FROM exchanges e
    WHERE NEW.user_id IN (e.person_a_id, e.person_b_id) AND e.teacher_id <> NEW.user_id
      AND e.offer_id::text = NEW.exchange_id AND e.status IN ('asked', 'countered', 'confirmed');
  PERFORM set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_exchange_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NULL) EXECUTE FUNCTION app.update_exchange_waivers();
CREATE OR REPLACE TRIGGER update_exchange_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION app.update_exchange_waivers();
