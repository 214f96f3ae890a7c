-- Keep a listing hidden that exceeds its owner's plan, or that staff hid, also when the user removes the skill and adds
-- it again.
-- SECURITY DEFINER: the app role cannot read hidden_listings.
--
-- Fires on: skill_offers.
CREATE OR REPLACE FUNCTION app.keep_listing_hidden() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.visible AND (NEW.over_limit OR EXISTS (
    SELECT FROM hidden_listings h WHERE h.owner_id = NEW.user_id AND h.phrase_id = NEW.phrase_id)) THEN
    NEW.visible := false;
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION app.keep_listing_hidden() FROM PUBLIC;

CREATE OR REPLACE TRIGGER keep_listing_hidden BEFORE INSERT OR UPDATE ON skill_offers
    FOR EACH ROW EXECUTE FUNCTION app.keep_listing_hidden();
