-- Keep the languages of public listings (skill_offer_languages) in line with the listings and the profiles of their
-- owners. A search for a language reads as few rows as without one, also if hardly anyone speaks it.
-- SECURITY DEFINER: requests may not touch the table.
--
-- Fires on: skill_offers, profiles. Deleted listings take their languages along (foreign key).
CREATE OR REPLACE FUNCTION app.list_offer_languages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid[];
BEGIN
  -- One after the other: a profile with a new language and a listing with a new place at the same time.
  PERFORM pg_advisory_xact_lock(hashtext('skill_offer_languages'), hashtext(NEW.user_id::text) & 1023);
  changed := CASE WHEN TG_TABLE_NAME = 'profiles'
                  THEN ARRAY(SELECT o.id FROM skill_offers o WHERE o.user_id = NEW.user_id)
                  ELSE ARRAY[(to_jsonb(NEW) ->> 'id')::uuid] END;
  DELETE FROM skill_offer_languages s WHERE s.offer_id = ANY (changed);
  INSERT INTO skill_offer_languages (offer_id, language, phrase_id, tile)
  SELECT DISTINCT o.id, app.normalize_text(l), o.phrase_id, o.tile
    FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id CROSS JOIN unnest(p.languages) l
   WHERE o.id = ANY (changed) AND o.visible;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.list_offer_languages() FROM PUBLIC;

CREATE OR REPLACE TRIGGER list_offer_languages AFTER INSERT OR UPDATE OF phrase_id, visible, tile ON skill_offers
    FOR EACH ROW EXECUTE FUNCTION app.list_offer_languages();
CREATE OR REPLACE TRIGGER list_changed_languages AFTER UPDATE OF languages ON profiles
    FOR EACH ROW WHEN (OLD.languages IS DISTINCT FROM NEW.languages) EXECUTE FUNCTION app.list_offer_languages();
