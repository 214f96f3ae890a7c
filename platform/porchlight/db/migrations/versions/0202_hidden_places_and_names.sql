-- hidden places and names

-- file: functions/offer_to_notify.sql
-- Return the running job's offer, with the email address of the need's owner, while it can be accepted.
--
-- Called by: angels, in the job angels:notify_owner.
-- SECURITY DEFINER: the need and its owner are behind row level security. The offer comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.offer_to_notify()
RETURNS TABLE (email text, need_id uuid, title text, price_cents integer, message text, angel text,
               email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_owner');
BEGIN
  RETURN QUERY
  SELECT u.email, n.id, n.title, o.price_cents, o.message, app.shown_name(o.user_id),
         u.email_verified
    FROM need_offers o JOIN needs n ON n.id = o.need_id JOIN users u ON u.user_id = n.user_id
   WHERE o.user_id = (args ->> 'user_id')::uuid AND o.id = (args ->> 'offer_id')::uuid
     AND o.status = 'open' AND n.status = 'open' AND u.status = 'active' AND u.email <> '';
END $$;
REVOKE ALL ON FUNCTION app.offer_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.offer_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/porch_lights.sql
-- Return the porch lights that are on, the newest first: of neighbors by handle and gurus by label (both empty: of all),
-- and in a box of south, west, north and east in degrees (NULL: everywhere). A place that its owner hides is in no box.
--
-- Called by: porch_lights.
-- SECURITY DEFINER: it reads the lights of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.porch_lights(
  handles text[], labels text[], box double precision[], max_rows integer)
RETURNS TABLE (expires_at timestamptz, city text, latitude double precision, longitude double precision, card jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF handles || labels = '{}' THEN
    -- In the order of ix_porch_lights_turned_on_at: no more cards are made than lights are returned.
    RETURN QUERY
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM porch_lights l CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT app.helper_card(l.user_id) AS card OFFSET 0) c
       WHERE l.expires_at > app.now() AND c.card IS NOT NULL
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  ELSE
    RETURN QUERY
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM (SELECT p.user_id FROM profiles p WHERE p.handle = ANY (handles) AND p.is_public
               UNION
              SELECT m.user_id FROM gurus g JOIN memberships m ON m.tenant_id = g.id WHERE g.label = ANY (labels)) w
        JOIN porch_lights l ON l.user_id = w.user_id
       CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT app.helper_card(l.user_id) AS card OFFSET 0) c
       WHERE l.expires_at > app.now() AND c.card IS NOT NULL
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) TO porchlight_app,
    porchlight_overseer;

-- file: functions/question_to_notify.sql
-- Return the running job's question with the addresses of both neighbors, while both accounts are active and the asker's
-- address is verified.
--
-- Called by: questions, in the job questions:notify_recipient.
-- SECURITY DEFINER: accounts of other users are behind row level security. The question comes from the job and must be
-- of the job's user.
CREATE OR REPLACE FUNCTION app.question_to_notify()
RETURNS TABLE (id uuid, body text, asker text, reply_to text, name text, email text, email_verified boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('questions:notify_recipient');
BEGIN
  RETURN QUERY
  SELECT q.id, q.body, app.shown_name(q.user_id), s.email, p.display_name, u.email, u.email_verified
    FROM questions q JOIN users s ON s.user_id = q.user_id
    JOIN users u ON u.user_id = q.recipient_id JOIN profiles p ON p.user_id = q.recipient_id
   WHERE q.user_id = (args ->> 'user_id')::uuid AND q.id = (args ->> 'question_id')::uuid
     AND s.status = 'active' AND s.email_verified AND u.status = 'active' AND u.email <> '';
END $$;
REVOKE ALL ON FUNCTION app.question_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.question_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/shown_name.sql
-- Return the name by which other users know a user: of a public profile the full name, of a private one the first name.
-- Never empty, for sentences.
--
-- Called by: the functions that name a user in an email or a list of another user.
-- SECURITY DEFINER: profiles of other users are behind row level security. No role may call it: the functions that do
-- have decided whom the caller may know.
CREATE OR REPLACE FUNCTION app.shown_name(wanted uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(nullif(app.public_user(wanted) ->> 'name', ''), 'A neighbor')
$$;
REVOKE ALL ON FUNCTION app.shown_name(uuid) FROM PUBLIC;

-- file: functions/shows_light_place.sql
-- Return whether others may see the place of a porch light: while its owner's profile is public, and shows its location
-- or the place is that of a service on Angel's List, where the owner publishes it.
--
-- Called by: app.porch_lights.
CREATE OR REPLACE FUNCTION app.shows_light_place(l porch_lights) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM profiles p
     WHERE p.user_id = l.user_id AND p.is_public AND p.registered_at IS NOT NULL
       AND (p.shows_location OR EXISTS (
              SELECT FROM angels a WHERE a.user_id = l.user_id AND a.active
                 AND (a.city, a.latitude, a.longitude) = (l.city, l.latitude, l.longitude))))
$$;
REVOKE ALL ON FUNCTION app.shows_light_place(porch_lights) FROM PUBLIC;

-- file: functions/swap_ring_to_notify.sql
-- Return the members of the swap ring that the running job informs, in their order, without deleted and
-- suspended users. The address is empty until it is verified.
--
-- Called by: matches, in the job matches:notify_members.
-- SECURITY DEFINER: a ring belongs to three users. The ring's id comes from the job.
CREATE OR REPLACE FUNCTION app.swap_ring_to_notify()
RETURNS TABLE (ring_id uuid, state text, user_id uuid, email text, name text, teaches text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('matches:notify_members');
BEGIN
  RETURN QUERY SELECT r.id, r.state, m.user_id,
                      CASE WHEN u.email_verified THEN u.email ELSE '' END, app.shown_name(m.user_id), m.teaches
                 FROM swap_rings r
                 JOIN swap_ring_members m ON m.ring_id = r.id JOIN users u ON u.user_id = m.user_id
                WHERE r.id = (args ->> 'ring_id')::uuid AND u.status = 'active' ORDER BY m.place;
END $$;
REVOKE ALL ON FUNCTION app.swap_ring_to_notify() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_ring_to_notify() TO porchlight_app, porchlight_overseer;

-- file: functions/swap_rings_of.sql
-- Return the open and agreed swap rings of the user `me`, with the other two members.
--
-- Called by: app.own_swap_rings. No request names a user.
-- SECURITY DEFINER: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.swap_rings_of(me uuid)
RETURNS TABLE (id uuid, state text, availability_bits integer, created_at timestamptz,
                                                           members jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.id, r.state, r.availability_bits, r.created_at,
         (SELECT jsonb_agg(jsonb_build_object('handle', app.public_user(o.user_id) ->> 'handle',
                                              'name', app.shown_name(o.user_id), 'teaches', o.teaches,
                                              'answer', o.answer, 'you', o.user_id = me) ORDER BY o.place)
            FROM swap_ring_members o WHERE o.ring_id = r.id)
    FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id
   WHERE m.user_id = me AND r.state IN ('proposed', 'agreed') AND m.answer IS DISTINCT FROM 'declined'
     AND (SELECT count(*) FROM swap_ring_members o WHERE o.ring_id = r.id) = 3
   ORDER BY r.created_at DESC LIMIT 20
$$;
REVOKE ALL ON FUNCTION app.swap_rings_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.swap_rings_of(uuid) TO porchlight_overseer;

-- file: triggers/profile_skills.sql
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
