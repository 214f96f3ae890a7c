-- Keep the offers and wants of a user (skill_offers, skill_wants) in line with the skills named in the profile.
-- A listing keeps its details as long as the profile names its skill, and has the user's cell only while the profile
-- shows the location (the tile, a region, is for searches near it and is shown to no one). Another trigger
-- starts the job that finds the user's place; SECURITY DEFINER, because the app role may not call app.enqueue.
--
-- Fires on: profiles.
CREATE OR REPLACE FUNCTION app.sync_profile_skills() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  is_visible boolean := NEW.is_public AND NEW.shows_skills AND NEW.registered_at IS NOT NULL;
  skill record;
  place user_locations;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.skills_offered, OLD.skills_wanted, OLD.location, OLD.availability, OLD.shows_location,
                           OLD.is_public AND OLD.shows_skills AND OLD.registered_at IS NOT NULL)
     IS NOT DISTINCT FROM (NEW.skills_offered, NEW.skills_wanted, NEW.location, NEW.availability, NEW.shows_location,
                           is_visible) AND EXISTS (SELECT FROM user_locations w WHERE w.user_id = NEW.user_id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO user_locations (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  SELECT * INTO place FROM user_locations WHERE user_id = NEW.user_id;
  IF NOT NEW.shows_location THEN
    place.cell_lat := -1;
    place.cell_lon := -1;
    UPDATE skill_offers o SET cell_lat = -1, cell_lon = -1 WHERE o.user_id = NEW.user_id AND o.cell_lat <> -1;
    UPDATE skill_wants w SET cell_lat = -1, cell_lon = -1 WHERE w.user_id = NEW.user_id AND w.cell_lat <> -1;
  END IF;
  DELETE FROM skill_offers o WHERE o.user_id = NEW.user_id AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(NEW.skills_offered) s WHERE s ->> 'name' = o.title);
  DELETE FROM skill_wants w WHERE w.user_id = NEW.user_id AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(NEW.skills_wanted) s WHERE s ->> 'name' = w.title);
  FOR skill IN SELECT s ->> 'name' AS name, s ->> 'level' AS level FROM jsonb_array_elements(NEW.skills_offered) s LOOP
    INSERT INTO skill_offers AS o (user_id, id, phrase_id, title, level, visible, tile, cell_lat, cell_lon)
    VALUES (NEW.user_id, gen_random_uuid(), app.get_or_create_phrase(skill.name, true), skill.name, skill.level,
            is_visible, place.tile, place.cell_lat, place.cell_lon)
    ON CONFLICT (user_id, phrase_id) DO UPDATE
       SET title = excluded.title, level = excluded.level, visible = excluded.visible
     WHERE (o.title, o.level, o.visible) IS DISTINCT FROM (excluded.title, excluded.level, excluded.visible);
  END LOOP;
  FOR skill IN SELECT s ->> 'name' AS name, s ->> 'level' AS level FROM jsonb_array_elements(NEW.skills_wanted) s LOOP
    INSERT INTO skill_wants AS w (user_id, id, phrase_id, title, level, visible, tile, cell_lat, cell_lon)
    VALUES (NEW.user_id, gen_random_uuid(), app.get_or_create_phrase(skill.name, true), skill.name, skill.level,
            is_visible, place.tile, place.cell_lat, place.cell_lon)
    ON CONFLICT (user_id, phrase_id) DO UPDATE
       SET title = excluded.title, level = excluded.level, visible = excluded.visible
     WHERE (w.title, w.level, w.visible) IS DISTINCT FROM (excluded.title, excluded.level, excluded.visible);
  END LOOP;
  UPDATE user_locations SET ring_check_due = true WHERE user_id = NEW.user_id AND NOT ring_check_due;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sync_profile_skills AFTER INSERT OR UPDATE OF skills_offered, skills_wanted, location,
        availability, is_public, shows_skills, shows_location, registered_at ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.sync_profile_skills();

CREATE OR REPLACE FUNCTION app.geocode_profile() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tile integer := coalesce((SELECT w.tile FROM user_locations w WHERE w.user_id = NEW.user_id), -1);
BEGIN
  IF (NEW.location <> '' OR NEW.availability <> '' OR TG_OP = 'UPDATE') AND (TG_OP = 'INSERT' OR (
       OLD.location, OLD.availability, OLD.shows_location) IS DISTINCT FROM (
       NEW.location, NEW.availability, NEW.shows_location) OR tile < 0 AND NEW.location <> '') THEN
    PERFORM app.enqueue('listings:geocode_user', jsonb_build_object('user_id', NEW.user_id),
                        'listings:geocode_user:' || NEW.user_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER geocode_profile AFTER INSERT OR UPDATE OF skills_offered, skills_wanted, location,
        availability, is_public, shows_skills, shows_location, registered_at ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.geocode_profile();

CREATE OR REPLACE FUNCTION app.delete_profile_skills() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM skill_offers WHERE user_id = OLD.user_id;
  DELETE FROM skill_wants WHERE user_id = OLD.user_id;
  DELETE FROM swap_ring_members WHERE user_id = OLD.user_id;
  DELETE FROM user_locations WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER delete_profile_skills AFTER DELETE ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.delete_profile_skills();
