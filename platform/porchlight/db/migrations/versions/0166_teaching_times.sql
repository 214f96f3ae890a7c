-- teaching times

-- file: functions/teaching_gurus.sql
-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the
-- one with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out. Premium Angels come first among those who fit equally. Of a phrase that very many
-- gurus have, 200 are read.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT f.phrase_id FROM app.subject_phrases(subject) f
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the other phrases have less.
    (SELECT s.item::uuid AS guru_id, NULL::text AS handle, sum(s.weight) AS fit FROM fitting f CROSS JOIN LATERAL (
       SELECT s.item, s.weight FROM search_entry_phrases s
        WHERE s.phrase_id = f.phrase_id AND s.kind = 'guru' AND s.weight >= 0.8 ORDER BY s.item LIMIT 200) s
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
                 JOIN search_entry_phrases s ON s.phrase_id = p.id AND s.kind = 'guru' AND s.item = g.id::text
                WHERE p.id IN (SELECT f.phrase_id FROM fitting f) ORDER BY k.place)
    FROM wanted w JOIN gurus g ON g.id = w.guru_id
   WHERE g.status = 'active' AND g.published
     AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = g.id AND m.user_id = app.user_id())
   ORDER BY w.fit DESC, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                 WHERE m.tenant_id = g.id AND u.listed_plan = 'premium-angel') DESC,
            g.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_neighbors.sql
-- Return neighbors who offer a subject (see app.subject_phrases) to the current user, each with one listing, the
-- nearest first, then Premium Angels. A bounded number of listings is read per phrase, those around the user first.
-- `guru_id` is the guru that the neighbor owns.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public listings of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.teaching_neighbors(subject text, max_results integer)
RETURNS TABLE (handle text, name text, photo_id uuid, photo_url text, city text, km real, listing_id uuid, title text,
               guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.tile, h.cell_lat, h.cell_lon FROM user_locations h WHERE h.user_id = app.user_id() AND h.tile >= 0
  ), tiles AS MATERIALIZED (
    SELECT h.tile + 1000 * a + b AS tile, abs(a) + abs(b) AS distance
      FROM here h CROSS JOIN generate_series(-1, 1) a CROSS JOIN generate_series(-1, 1) b
  ), offers AS (
    -- Each tile is a probe of the index: a join would read all offers of the phrase.
    SELECT o.* FROM app.subject_phrases(subject) f CROSS JOIN LATERAL (
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM tiles t CROSS JOIN LATERAL (
           SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.phrase_id = f.phrase_id AND o.tile = t.tile AND o.visible LIMIT 20) o
        ORDER BY t.distance LIMIT 20)
       UNION ALL
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM skill_offers o WHERE o.phrase_id = f.phrase_id AND o.visible LIMIT 20)) o
  ), nearest AS (
    SELECT DISTINCT ON (o.user_id) o.user_id, o.id, o.title,
           CASE WHEN o.cell_lat >= 0 THEN app.cell_km(o.cell_lat, o.cell_lon, h.cell_lat, h.cell_lon) END AS km
      FROM offers o LEFT JOIN here h ON true
     WHERE o.user_id IS DISTINCT FROM app.user_id() ORDER BY o.user_id, o.title, o.id
  ), chosen AS MATERIALIZED (
    SELECT n.user_id, n.id, n.title, n.km, u.listed_plan = 'premium-angel' AS premium
      FROM nearest n JOIN users u ON u.user_id = n.user_id
     WHERE u.status = 'active' ORDER BY n.km NULLS LAST, 5 DESC, n.id LIMIT max_results
  )
  SELECT p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END, c.km::real, c.id, c.title, m.tenant_id
    FROM chosen c JOIN profiles p ON p.user_id = c.user_id
    LEFT JOIN user_locations w ON w.user_id = c.user_id LEFT JOIN memberships m ON m.user_id = c.user_id
   ORDER BY c.km NULLS LAST, c.premium DESC, c.id
$$;
REVOKE ALL ON FUNCTION app.teaching_neighbors(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_neighbors(text, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_times.sql
-- Return the first of these gurus, in their order, who take bookings: each with one service that can be booked (the one
-- that is wanted, or the guru's main one), its rules, and the hours and live appointments from the day before `now_at` to
-- the day after the last of the days. A guru whose flag "booking" is off is left out. The columns from `version` on have
-- the form of those in sites.hours.queries.
--
-- Called by: sites.hours.first_starts, for teachers.
-- Each guru is read in its own tenant's isolation, with the rights of the caller. The setting is the caller's again at
-- the end; the outer statement must not read tables of tenants itself.
CREATE OR REPLACE FUNCTION app.teaching_times(guru_ids uuid[], wanted_service uuid, now_at timestamptz,
                                              max_days integer, max_results integer)
RETURNS TABLE (guru_id uuid, name text, price_cents bigint, currency text, version bigint, rules_version bigint,
               zone text, step_minutes smallint, notice_minutes integer, horizon_days smallint, day_max smallint,
               paused_until timestamptz, service_id uuid, duration_minutes integer, setup_minutes smallint,
               cleanup_minutes smallint, capacity smallint, starts text, party_max smallint, approval text, place text,
               free_until_minutes integer, late_percent smallint, weekly json, dates json, appointments json)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  before text := coalesce(current_setting('app.tenant_id', true), '');
  tenant uuid;
  found_gurus integer := 0;
BEGIN
  FOREACH tenant IN ARRAY guru_ids LOOP
    EXIT WHEN found_gurus >= max_results;
    PERFORM set_config('app.tenant_id', tenant::text, true);
    RETURN QUERY
      SELECT c.tenant_id, s.name, s.price_cents, s.currency, c.version, c.rules_version, c.zone, c.step_minutes,
             c.notice_minutes, c.horizon_days, c.day_max, c.paused_until, s.id, s.duration_minutes, b.setup_minutes,
             b.cleanup_minutes, b.capacity, b.starts, b.party_max, b.approval, b.place, b.free_until_minutes,
             b.late_percent,
             (SELECT coalesce(json_agg(json_build_array(h.weekday, lower(h.during), upper(h.during))), '[]')
                FROM weekly_hours h WHERE h.tenant_id = tenant),
             (SELECT coalesce(json_agg(json_build_array(d.day, lower(d.during), upper(d.during))), '[]')
                FROM date_hours d WHERE d.tenant_id = tenant AND d.day BETWEEN day.first AND day.last),
             (SELECT coalesce(json_agg(json_build_array(a.service_id, extract(epoch FROM a.starts_at),
                       extract(epoch FROM a.ends_at), extract(epoch FROM lower(a.blocked)),
                       extract(epoch FROM upper(a.blocked)), a.capacity,
                       CASE WHEN a.waiting > 0 THEN a.capacity ELSE a.taken END, a.fixed)), '[]')
                FROM appointments a WHERE a.tenant_id = tenant AND a.live
                 AND a.blocked && tstzrange(day.first::timestamp AT TIME ZONE c.zone,
                                            (day.last + 1)::timestamp AT TIME ZONE c.zone))
        FROM calendars c JOIN booking_settings b ON b.tenant_id = c.tenant_id
        JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id
       CROSS JOIN LATERAL (SELECT (now_at AT TIME ZONE c.zone)::date AS today) local
       CROSS JOIN LATERAL (SELECT local.today - 1 AS first,
                                  local.today + least(c.horizon_days + 1, max_days) AS last) day
       WHERE c.tenant_id = tenant AND b.open AND NOT s.over_limit AND s.duration_minutes IS NOT NULL
         AND s.id = coalesce(wanted_service, s.id)
         AND coalesce((SELECT bool_or(k.listed) FROM guru_categories k WHERE k.tenant_id = tenant), true)
         AND coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'), true)
       ORDER BY s.popular DESC, s.position, s.id LIMIT 1;
    IF FOUND THEN
      found_gurus := found_gurus + 1;
    END IF;
  END LOOP;
  PERFORM set_config('app.tenant_id', before, true);
END $$;
REVOKE ALL ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer)
  TO porchlight_app, porchlight_overseer;
