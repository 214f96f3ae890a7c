-- neighbor sessions

-- file: functions/subject_phrases.sql
-- Return the phrases in use that fit a subject, shortest first, at most 100. A subject is a skill, whose words must all
-- be in the phrase, or a skill category by name or slug, which means all its skills.
--
-- Called by: app.teaching_gurus, app.teaching_neighbors.
CREATE OR REPLACE FUNCTION app.subject_phrases(subject text) RETURNS TABLE (phrase_id integer)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH terms AS (
    SELECT plainto_tsquery('english', app.normalize_text(subject)) AS term
     UNION
    SELECT phraseto_tsquery('english', app.normalize_text(n.name))
      FROM skill_categories c JOIN skill_search_terms n ON n.category_slug = c.slug
     WHERE app.normalize_text(subject) IN (c.slug, app.normalize_text(c.name))
  )
  SELECT p.id FROM phrases p
   WHERE p.in_use AND to_tsvector('english', p.words)
         @@ (SELECT string_agg(t.term::text, ' | ')::tsquery FROM terms t WHERE numnode(t.term) > 0)
   ORDER BY length(p.words), p.id LIMIT 100
$$;
REVOKE ALL ON FUNCTION app.subject_phrases(text) FROM PUBLIC;

-- file: functions/teaching_gurus.sql
-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the one
-- with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT s.phrase_id, s.weight, e.owner_id
      FROM app.subject_phrases(subject) f
      JOIN search_entry_phrases s ON s.phrase_id = f.phrase_id AND s.kind = 'guru'
      JOIN search_entries e ON e.kind = s.kind AND e.item = s.item
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the tagline has less.
    (SELECT f.owner_id AS guru_id, NULL::text AS handle, sum(f.weight) AS fit FROM fitting f WHERE f.weight >= 0.8
      GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT max_results)
     UNION ALL
    SELECT g.id, NULL, 1 FROM gurus g WHERE g.label = guru_label
     UNION ALL
    SELECT m.tenant_id, p.handle, 1 FROM profiles p
      JOIN users u ON u.user_id = p.user_id JOIN memberships m ON m.user_id = p.user_id
     WHERE p.handle = ANY (angel_handles) AND p.is_public AND u.status = 'active'
       AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
  )
  SELECT g.id, g.label, g.character, g.tagline, g.city, g.emoji, w.handle,
         ARRAY(SELECT k.skill FROM unnest(g.primary_skills) WITH ORDINALITY k (skill, place)
                 JOIN phrases p ON p.words = app.normalize_text(k.skill)
                 JOIN fitting f ON f.phrase_id = p.id AND f.owner_id = g.id ORDER BY k.place)
    FROM wanted w JOIN gurus g ON g.id = w.guru_id
   WHERE g.status = 'active' AND g.published
     AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = g.id AND m.user_id = app.user_id())
   ORDER BY w.fit DESC, g.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_neighbors.sql
-- Return neighbors who offer a subject (see app.subject_phrases) to the current user, each with one listing, the nearest
-- first. A bounded number of listings is read per phrase, those around the user first. `guru_id` is the guru that the
-- neighbor owns.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public listings of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.teaching_neighbors(subject text, max_results integer)
RETURNS TABLE (handle text, name text, photo_id uuid, photo_url text, city text, km real, listing_id uuid, title text,
               guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.tile, h.cell_lat, h.cell_lon FROM user_locations h WHERE h.user_id = app.user_id() AND h.tile >= 0
  ), offers AS (
    SELECT o.* FROM app.subject_phrases(subject) f CROSS JOIN LATERAL (
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM here h CROSS JOIN generate_series(-1, 1) a CROSS JOIN generate_series(-1, 1) b
         JOIN skill_offers o ON o.phrase_id = f.phrase_id AND o.tile = h.tile + 1000 * a + b
        WHERE o.visible ORDER BY abs(a) + abs(b) LIMIT 20)
       UNION ALL
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM skill_offers o WHERE o.phrase_id = f.phrase_id AND o.visible LIMIT 20)) o
  ), nearest AS (
    SELECT DISTINCT ON (o.user_id) o.user_id, o.id, o.title,
           CASE WHEN o.cell_lat >= 0 THEN app.cell_km(o.cell_lat, o.cell_lon, h.cell_lat, h.cell_lon) END AS km
      FROM offers o LEFT JOIN here h ON true
     WHERE o.user_id IS DISTINCT FROM app.user_id() ORDER BY o.user_id, o.title, o.id
  )
  SELECT p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END, n.km::real, n.id, n.title, m.tenant_id
    FROM nearest n JOIN profiles p ON p.user_id = n.user_id JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id LEFT JOIN memberships m ON m.user_id = n.user_id
   WHERE u.status = 'active' ORDER BY n.km NULLS LAST, n.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_neighbors(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_neighbors(text, integer) TO porchlight_app, porchlight_overseer;

-- file: triggers/booking_waivers.sql
-- Keep the waiver of a user's open bookings up to date when they accept or withdraw one for the service: of the waivers
-- that cover the booking's level, the one that is valid longest counts. The function restores the tenant that was set
-- before.
--
-- Fires on: waivers.
-- SECURITY DEFINER: the transaction is the user's, and the lock of the calendar needs the guru as tenant.
CREATE OR REPLACE FUNCTION app.update_booking_waivers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  levels text[] := '{low,medium,high,extreme}';
BEGIN
  PERFORM set_config('app.tenant_id', NEW.guru_id::text, true);
  PERFORM app.lock_calendar();
  UPDATE bookings b SET waiver_id = best.id, waiver_until = best.expires_at
    FROM bookings o LEFT JOIN LATERAL (
           SELECT w.id, w.expires_at FROM waivers w
            WHERE w.user_id = NEW.user_id AND w.guru_id = NEW.guru_id AND w.exchange_id LIKE '%/' || o.service_id
              AND w.ended_at IS NULL AND array_position(levels, w.level) >= array_position(levels, o.waiver_level)
            ORDER BY w.expires_at DESC LIMIT 1) best ON true
   WHERE o.tenant_id = NEW.guru_id AND o.person_id = NEW.user_id AND o.status IN ('requested', 'confirmed')
     AND o.waiver_level <> '' AND NEW.exchange_id LIKE '%/' || o.service_id
     AND b.tenant_id = o.tenant_id AND b.id = o.id;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_booking_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL) EXECUTE FUNCTION app.update_booking_waivers();
CREATE OR REPLACE TRIGGER update_booking_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NOT NULL) EXECUTE FUNCTION app.update_booking_waivers();
