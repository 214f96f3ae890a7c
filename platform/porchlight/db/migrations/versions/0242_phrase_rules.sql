-- phrase rules

-- file: functions/get_or_create_phrase.sql
-- Return the id of a phrase, and create it if it is new. `is_name` marks a phrase that is the name of a listing.
-- A new phrase is related to others by spelling until the embeddings job has computed its meaning. The numbers of that
-- are those of porchlight.embeddings.probability: a trigger calls this function, and has no parameters.
--
-- Called by: app.lookup_phrase, the profile trigger and the search indexer.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.get_or_create_phrase(phrase_text text, is_name boolean) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  normalized text := app.normalize_text(phrase_text);
  found_id integer;
  was_used boolean;
  same_words CONSTANT double precision := 0.97;
  spelling_weight CONSTANT double precision := 0.9;
  min_similarity CONSTANT double precision := 0.2;
  most CONSTANT integer := 40;
BEGIN
  -- The lock keeps app.delete_unused_phrases away until the caller has stored its row.
  SELECT p.id, p.in_use INTO found_id, was_used FROM phrases p WHERE p.words = normalized FOR KEY SHARE;
  IF FOUND AND (was_used OR NOT is_name) THEN
    RETURN found_id;
  END IF;
  IF found_id IS NULL THEN
    INSERT INTO phrases (words, in_use) VALUES (normalized, is_name)
    ON CONFLICT (words) DO UPDATE SET in_use = phrases.in_use OR excluded.in_use
    RETURNING id INTO found_id;
  ELSE
    UPDATE phrases SET in_use = true, related_by = NULL WHERE id = found_id;
  END IF;
  PERFORM set_config('pg_trgm.similarity_threshold', '0.4', true);
  WITH near AS (
    SELECT p.id, CASE WHEN p.id = found_id THEN same_words
                      ELSE spelling_weight * (similarity(p.words, normalized) - min_similarity) / (1 - min_similarity)
                 END AS probability
      FROM phrases p WHERE p.words % normalized AND (p.in_use OR p.id = found_id)
     ORDER BY similarity(p.words, normalized) DESC LIMIT most
  )
  INSERT INTO phrase_relations (phrase_id, other_id, probability)
  SELECT found_id, id, probability FROM near UNION SELECT id, found_id, probability FROM near WHERE is_name
  ON CONFLICT DO NOTHING;
  INSERT INTO phrase_relations (phrase_id, other_id, probability) VALUES (found_id, found_id, same_words)
  ON CONFLICT DO NOTHING;
  PERFORM app.enqueue('embeddings:relate_phrases', '{}'::jsonb, 'embeddings:relate_phrases');
  RETURN found_id;
END $$;
REVOKE ALL ON FUNCTION app.get_or_create_phrase(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.get_or_create_phrase(text, boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/lookup_phrase.sql
-- Return the phrase of a search text and what related it to other phrases.
-- Creates the phrase unless `max_waiting` phrases already wait for the embeddings job, or `max_searched` phrases of
-- searches are stored; then the search uses spelling alone. Maintenance deletes a phrase that was not searched for within a week.
--
-- Called by: search, for each search and each alert.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.lookup_phrase(search_text text, max_waiting integer, max_searched integer)
RETURNS TABLE (phrase_id integer, related_by text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
BEGIN
  RETURN QUERY SELECT p.id, p.related_by FROM phrases p WHERE p.words = normalized;
  IF FOUND THEN
    -- At most once a day, so that searches rarely write.
    UPDATE phrases p SET searched_on = app.now()::date
     WHERE p.words = normalized AND NOT p.in_use AND p.searched_on < app.now()::date;
  ELSIF (SELECT count(*) FROM (SELECT FROM phrases p WHERE p.related_by IS NULL LIMIT max_waiting) waiting) < max_waiting
     AND (SELECT count(*) FROM (SELECT FROM phrases p WHERE NOT p.in_use LIMIT max_searched) searched) < max_searched THEN
    RETURN QUERY SELECT app.get_or_create_phrase(search_text, false), NULL::text;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.lookup_phrase(text, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lookup_phrase(text, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/nearest_phrases.sql
-- Return the phrases in use that are nearest to a text: some by meaning and `most` by spelling, with the cosine of
-- the embeddings, the share of common trigrams (at least `min_spelling`), and the words. Without a vector, by spelling
-- only, and the cosine is NULL.
--
-- The vector is a literal of pgvector. A subquery casts it, so that this is done once and not per row.
--
-- By meaning, 40 are read: the index of vectors finds no more, and is only used with a limit that the planner knows.
--
-- Called by: app.similar_phrases and app.similar_to_search; the app role cannot.
CREATE OR REPLACE FUNCTION app.nearest_phrases(query_words text, query_vector text, most integer,
                                               min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', min_spelling::text, true);
  IF query_vector IS NULL THEN
    RETURN QUERY
    SELECT p.id, NULL::double precision, similarity(p.words, query_words), p.words FROM phrases p
     WHERE p.words % query_words AND p.in_use ORDER BY 3 DESC LIMIT most;
  ELSE
    RETURN QUERY
    SELECT n.phrase_id, 1 - n.distance, similarity(p.words, query_words), p.words
      FROM (SELECT v.phrase_id, v.embedding <=> (SELECT query_vector::vector) AS distance FROM phrase_vectors v
             ORDER BY distance LIMIT 40) n
      JOIN phrases p ON p.id = n.phrase_id
     UNION
    SELECT p.id, 1 - (v.embedding <=> (SELECT query_vector::vector)), similarity(p.words, query_words), p.words
      FROM (SELECT s.id, s.words FROM phrases s WHERE s.words % query_words AND s.in_use
             ORDER BY similarity(s.words, query_words) DESC LIMIT most) p
      JOIN phrase_vectors v ON v.phrase_id = p.id;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.nearest_phrases(text, text, integer, double precision) FROM PUBLIC;

-- file: functions/similar_phrases.sql
-- Return the phrases in use that are nearest to a text (app.nearest_phrases).
--
-- Called by: embeddings, in the job embeddings:relate_phrases.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.similar_phrases(query_words text, query_vector text, most integer,
                                               min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('embeddings:relate_phrases');
  RETURN QUERY SELECT * FROM app.nearest_phrases(query_words, query_vector, most, min_spelling);
END $$;
REVOKE ALL ON FUNCTION app.similar_phrases(text, text, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.similar_phrases(text, text, integer, double precision) TO porchlight_app, porchlight_overseer;

-- file: functions/similar_to_search.sql
-- Return the phrases in use that are nearest to the new phrase of a search (app.nearest_phrases); no row if the phrase is
-- not new, because the embeddings job or another request has related it.
--
-- Called by: embeddings, in the request of a search.
-- SECURITY DEFINER: phrases belong to no user, and the app role cannot touch the table.
CREATE OR REPLACE FUNCTION app.similar_to_search(phrase integer, query_vector text, most integer,
                                                 min_spelling double precision)
RETURNS TABLE (other_id integer, cosine double precision, spelling real, words text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  query_words text := (SELECT p.words FROM phrases p WHERE p.id = phrase AND p.related_by IS NULL AND NOT p.in_use);
BEGIN
  IF query_words IS NOT NULL THEN
    RETURN QUERY SELECT * FROM app.nearest_phrases(query_words, query_vector, most, min_spelling);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.similar_to_search(integer, text, integer, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.similar_to_search(integer, text, integer, double precision) TO porchlight_app, porchlight_overseer;

-- file: functions/subject_phrases.sql
-- Return the phrases in use that fit a subject, shortest first, at most `most`. A subject is a skill, whose words must all
-- be in the phrase, or a skill category by name or slug, which means all its skills and the phrase that is its name.
--
-- Called by: app.teaching_gurus, app.teaching_neighbors.
CREATE OR REPLACE FUNCTION app.subject_phrases(subject text, most integer) RETURNS TABLE (phrase_id integer)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH category AS (
    SELECT c.slug, app.normalize_text(c.name) AS name FROM skill_categories c
     WHERE app.normalize_text(subject) IN (c.slug, app.normalize_text(c.name))
  ), terms AS (
    SELECT phraseto_tsquery('english', app.normalize_text(n.name)) AS term
      FROM category c JOIN skill_search_terms n ON n.category_slug = c.slug AND app.normalize_text(n.name) <> c.name
     UNION
    -- A category's name would fit other skills by its stem: "Electrical" is no electric guitar.
    SELECT plainto_tsquery('english', app.normalize_text(subject)) WHERE NOT EXISTS (SELECT FROM category)
  )
  SELECT p.id FROM phrases p
   WHERE p.in_use AND (
           to_tsvector('english', p.words)
           @@ (SELECT string_agg(t.term::text, ' | ')::tsquery FROM terms t WHERE numnode(t.term) > 0)
           OR p.words = (SELECT c.name FROM category c))
   ORDER BY length(p.words), p.id LIMIT most
$$;
REVOKE ALL ON FUNCTION app.subject_phrases(text, integer) FROM PUBLIC;

-- file: functions/suggest_skills.sql
-- Return the skills that a user may mean who has typed `typed` so far: exact beginnings first, then similar spelling.
-- Each of the three conditions is a query of its own, so that each uses its index. The threshold is set in the body,
-- because a plain role could not restore a function with that setting from a dump.
--
-- A skill costs the typos in it (`edits_by_length`: how many are tolerated in a text of 1, 2, 3 … characters),
-- `beginning_cost` if only its beginning is typed, `part_cost` if only a beginning with typos is, and `alias_cost` if
-- another term for it is typed; common trigrams save up to `trigram_gain`. It may cost `spare_cost` more than the typos,
-- and `most_above_best` more than the best one. Texts from `min_length` on are compared by spelling, with terms of about
-- their length (`length_slack`) that are up to `max_length` long.
--
-- Called by: catalog, at each key stroke in a skill field.
CREATE OR REPLACE FUNCTION app.suggest_skills(
  typed text, max_results integer, edits_by_length integer[], min_length integer, length_slack integer,
  max_length integer, min_similarity double precision, beginning_cost double precision, part_cost double precision,
  alias_cost double precision, trigram_gain double precision, spare_cost double precision,
  most_above_best double precision)
RETURNS TABLE (name text, category text)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  typed_length integer := length(typed);
  max_edits integer := coalesce(edits_by_length[least(typed_length, cardinality(edits_by_length))], 0);
BEGIN
  PERFORM set_config('pg_trgm.word_similarity_threshold', min_similarity::text, true);
  RETURN QUERY
  WITH candidates AS (
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE n.term >= typed AND n.term < typed || chr(1114111)
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= min_length AND typed <% n.term
    UNION
    SELECT n.name, n.category_slug, n.popular, n.term FROM skill_search_terms n
     WHERE typed_length >= min_length
       AND n.term_length BETWEEN typed_length - length_slack AND least(typed_length + length_slack, max_length)
       AND least(levenshtein_less_equal(typed, n.term, max_edits),
                 levenshtein_less_equal(typed, left(n.term, typed_length), max_edits)) <= max_edits
  ), scored AS (
    SELECT n.name, n.category_slug, n.popular,
           CASE WHEN n.term = typed THEN 0
                WHEN n.term ^@ typed THEN beginning_cost
                ELSE least(1 + levenshtein_less_equal(typed, n.term, max_edits),
                           part_cost + levenshtein_less_equal(typed, left(n.term, typed_length), max_edits))
           END + CASE WHEN length(n.term) < length(n.name) THEN alias_cost ELSE 0 END
               - trigram_gain * similarity(typed, n.term) AS cost
      FROM candidates n
  ), best AS (
    SELECT n.name, n.category_slug, bool_or(n.popular) AS popular, min(n.cost) AS cost
      FROM scored n GROUP BY n.name, n.category_slug
  )
  SELECT b.name, c.name FROM best b JOIN skill_categories c ON c.slug = b.category_slug
   WHERE b.cost <= spare_cost + max_edits AND b.cost <= (SELECT min(likeliest.cost) FROM best likeliest) + most_above_best
   ORDER BY b.cost, b.popular DESC, length(b.name), b.name LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.suggest_skills(text, integer, integer[], integer, integer, integer, double precision, double precision,
    double precision, double precision, double precision, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.suggest_skills(text, integer, integer[], integer, integer, integer, double precision, double precision,
    double precision, double precision, double precision, double precision, double precision) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_gurus.sql
-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the
-- one with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out. Premium Angels come first among those who fit equally. Of a phrase that very many
-- gurus have, `max_per_phrase` are read; of a subject, `max_phrases` phrases.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer,
                                              max_phrases integer, max_per_phrase integer)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT f.phrase_id FROM app.subject_phrases(subject, max_phrases) f
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the other phrases have less. The index of gurus has
    -- the same number, so it is no parameter.
    (SELECT s.item::uuid AS guru_id, NULL::text AS handle, sum(s.weight) AS fit FROM fitting f CROSS JOIN LATERAL (
       SELECT s.item, s.weight FROM search_entry_phrases s
        WHERE s.phrase_id = f.phrase_id AND s.kind = 'guru' AND s.weight >= 0.8 ORDER BY s.item LIMIT max_per_phrase) s
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
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer) TO porchlight_app,
    porchlight_overseer;

-- file: functions/teaching_neighbors.sql
-- Return neighbors who offer a subject (see app.subject_phrases) to the current user, each with one listing, the
-- nearest first, then Premium Angels. `max_per_phrase` listings are read for each of
-- `max_phrases` phrases, those around the user first.
-- `guru_id` is the guru that the neighbor owns.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public listings of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.teaching_neighbors(subject text, max_results integer, max_phrases integer,
                                                  max_per_phrase integer)
RETURNS TABLE (handle text, name text, photo_id uuid, photo_url text, city text, km real, listing_id uuid, title text,
               guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.tile, h.cell_lat, h.cell_lon FROM user_locations h WHERE h.user_id = app.user_id() AND h.tile >= 0
  ), tiles AS MATERIALIZED (
    SELECT t.near_tile, t.steps FROM here h CROSS JOIN app.tiles_around(h.tile) t
  ), offers AS (
    -- Each tile is a probe of the index: a join would read all offers of the phrase.
    SELECT o.* FROM app.subject_phrases(subject, max_phrases) f CROSS JOIN LATERAL (
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM tiles t CROSS JOIN LATERAL (
           SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.phrase_id = f.phrase_id AND o.tile = t.near_tile AND o.visible LIMIT max_per_phrase) o
        ORDER BY t.steps LIMIT max_per_phrase)
       UNION ALL
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM skill_offers o WHERE o.phrase_id = f.phrase_id AND o.visible LIMIT max_per_phrase) LIMIT max_per_phrase) o
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
REVOKE ALL ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) TO porchlight_app, porchlight_overseer;

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
                 AND a.blocked && tstzrange(day.first::timestamp AT TIME ZONE 'UTC',
                                            (day.last + 1)::timestamp AT TIME ZONE 'UTC'))
        FROM calendars c JOIN booking_settings b ON b.tenant_id = c.tenant_id
        JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id
       CROSS JOIN LATERAL (SELECT (now_at AT TIME ZONE 'UTC')::date AS today) utc
       -- The zone's own day may be the one before or after.
       CROSS JOIN LATERAL (SELECT utc.today - 1 AS earliest, utc.today + 1 AS latest) own
       CROSS JOIN LATERAL (SELECT own.earliest - 1 AS first,
                                  own.latest + least(c.horizon_days + 1, max_days) AS last) day
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
