-- Return the best results for a search text among listings (kind offer), gurus, posts and angel services.
--
-- 1. Phrases with a similar spelling, from `alike_spelling` on when the meaning of the text is known, otherwise from
--    `min_spelling` on; below that, down to `typo_spelling`, only phrases within a few typos (`edits_by_length`: how many
--    for a text of 1, 2, 3 … characters). A swap of two letters counts as two edits. A text of at most `short_length`
--    characters is compared with all of these at once. The text as a part of a longer phrase counts `part_weight`.
--    And phrases that have all words of the text that are written without spaces, such as Japanese ones, inside.
-- 2. Phrases with a related meaning (phrase_relations), as soon as the embeddings job has read the text.
--    Of all phrases, the `max_phrases` most likely count: those with at least `min_share` of the best one's probability,
--    and `min_phrases` anyway if the meaning is known.
-- 3. Listings with these phrases: a bounded number per phrase (`max_near`, `max_far`), near tiles first, filtered before
--    they are counted. `within` is in kilometers, and `far_tile_rows` is the number of rows of tiles beyond the near ones
--    that it reaches, NULL for all. With a language, they are found in skill_offer_languages.
-- 4. Pages of gurus, posts and angel services with these phrases, by the same rule: a bounded number per phrase and kind.
--
-- The score is the probability that the result fits, reduced by up to `distance_weight` with the distance (0 to
-- `far_km`). Of equal results, those of Premium Angels come first. `max_ranked` results are ranked before accounts are
-- read; a page below `last_share` of the last of them cannot come before it.
--
-- Called by: search, for each search and each alert, with the numbers of its rules.
-- SECURITY DEFINER: it reads the public listings of all users, and tables that the app role cannot touch.
CREATE OR REPLACE FUNCTION app.search(
  query_phrase_id integer, search_text text, kinds text[], here_lat smallint, here_lon smallint, within real,
  far_tile_rows integer, max_price_cents bigint, format text, language text, weekday integer, since timestamptz,
  max_results integer, max_ranked integer, max_near integer, max_far integer, max_phrases integer, min_phrases integer,
  min_share double precision, edits_by_length integer[], short_length integer, typo_spelling double precision,
  min_spelling double precision, alike_spelling double precision, part_weight double precision,
  inside_weight double precision, inside_bonus double precision, spelling_weight double precision,
  same_probability double precision, distance_weight double precision, far_km double precision,
  last_share double precision, max_summary integer)
RETURNS TABLE (kind text, item text, title text, summary text, label text, slug text, who text, handle text,
               photo_id uuid, photo_url text, price_cents bigint, terms text[], formats text[], city text,
               cell_lat smallint, cell_lon smallint, km real, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
  normalized_language text := app.normalize_text(language);
  text_length integer := length(normalized);
  max_edits integer := coalesce(edits_by_length[least(text_length, cardinality(edits_by_length))], 0);
  has_meaning boolean := EXISTS (SELECT FROM phrases p WHERE p.id = query_phrase_id AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN app.tile_of(here_lat, here_lon) END;
  takes_all_pages boolean := max_price_cents IS NULL AND since IS NULL AND within IS NULL;
  threshold real;
  unspaced text[] := app.unspaced_grams(normalized);
  spelled_ids integer[];
  spelling_score real[];
  plan_mode text := current_setting('plan_cache_mode');
BEGIN
  FOREACH threshold IN ARRAY
    CASE WHEN has_meaning THEN ARRAY[alike_spelling] WHEN text_length <= short_length THEN ARRAY[typo_spelling]
         ELSE ARRAY[min_spelling, typo_spelling] END::real[]
  LOOP
    PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
    PERFORM set_config('pg_trgm.word_similarity_threshold', (threshold / part_weight)::text, true);
    SELECT array_agg(s.id), array_agg(s.spelling_score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, p.words, CASE WHEN p.words = normalized THEN 1
               ELSE greatest(similarity(p.words, normalized), part_weight * word_similarity(normalized, p.words))
             END::real AS spelling_score
        FROM phrases p WHERE p.in_use AND (p.words % normalized OR normalized <% p.words)
       ORDER BY 3 DESC LIMIT max_phrases) s
     WHERE s.spelling_score >= min_spelling
        OR least(levenshtein_less_equal(normalized, s.words, max_edits),
                 levenshtein_less_equal(normalized, left(s.words, text_length), max_edits)) <= max_edits;
    EXIT WHEN spelled_ids IS NOT NULL;
  END LOOP;
  IF unspaced IS NOT NULL THEN
    -- The shorter the phrase, the more of it is the word.
    SELECT spelled_ids || array_agg(s.id), spelling_score || array_agg(s.score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, (inside_weight + inside_bonus * text_length / greatest(length(p.words), text_length))::real AS score
        FROM phrases p
       WHERE app.unspaced_grams(p.words) @> unspaced AND p.in_use AND p.words <> normalized
       ORDER BY 2 DESC, 1 LIMIT max_phrases) s;
  END IF;
  -- Planned for its parameters each time: a plan for any format does not use the index of listings online. Only this
  -- statement, because planning those above takes longer than running them.
  PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
  RETURN QUERY
  WITH related AS MATERIALIZED (
    SELECT n.other_id, max(n.probability)::real AS probability FROM (
      SELECT r.other_id, r.probability FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = query_phrase_id AND has_meaning
      UNION ALL
      SELECT s.id, CASE WHEN s.spelling_score = 1 THEN same_probability
                        WHEN has_meaning
                          THEN spelling_weight * (s.spelling_score - alike_spelling) / (1 - alike_spelling)
                        ELSE spelling_weight * s.spelling_score END
        FROM unnest(spelled_ids, spelling_score) s (id, spelling_score)) n
     WHERE n.probability > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT max_phrases
  ), likely AS (
    SELECT * FROM related m WHERE m.probability >= min_share * (SELECT max(best.probability) FROM related best)
     UNION (SELECT * FROM related m WHERE has_meaning ORDER BY m.probability DESC LIMIT min_phrases)
  ), near_tiles AS MATERIALIZED (
    SELECT t.near_tile FROM app.tiles_around(tile) t WHERE tile IS NOT NULL ORDER BY t.steps
  ), far_tiles AS MATERIALIZED (
    SELECT g.above, g.below FROM app.tiles_beyond(tile, far_tile_rows) g
  ), offers AS (
    SELECT o.*, m.probability AS phrase_probability FROM likely m CROSS JOIN LATERAL (
      (SELECT o.* FROM near_tiles t CROSS JOIN LATERAL (
         SELECT o.* FROM skill_offers o
          WHERE language IS NULL AND o.phrase_id = m.other_id AND o.visible AND o.tile = t.near_tile
         UNION ALL
         SELECT o.* FROM skill_offer_languages s JOIN skill_offers o ON o.id = s.offer_id
          WHERE s.phrase_id = m.other_id AND s.language = normalized_language AND s.tile = t.near_tile) o
        WHERE (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within)) LIMIT max_near)
      UNION ALL
      (SELECT o.* FROM far_tiles gap CROSS JOIN LATERAL (
         SELECT o.* FROM (
           SELECT o.* FROM skill_offers o
            WHERE language IS NULL AND o.phrase_id = m.other_id AND o.visible AND o.tile > gap.above
              AND o.tile < gap.below
           UNION ALL
           SELECT o.* FROM skill_offer_languages s JOIN skill_offers o ON o.id = s.offer_id
            WHERE s.phrase_id = m.other_id AND s.language = normalized_language AND s.tile > gap.above
              AND s.tile < gap.below) o
          WHERE (format IS NULL OR format = ANY (o.formats))
            AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
            AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
            AND (since IS NULL OR o.created_at > since)
            AND (within IS NULL OR format = 'online'
                 OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          LIMIT max_far) o LIMIT max_far)) o
     WHERE 'offer' = ANY (kinds)
  ), entries AS (
    SELECT s.kind, s.item, m.probability * s.weight AS probability
      FROM likely m CROSS JOIN unnest(kinds) wanted (kind) CROSS JOIN LATERAL (
      -- Each tile is a probe of the index: a join would read all pages of the phrase.
      (SELECT s.* FROM near_tiles t CROSS JOIN LATERAL (
         SELECT s.* FROM search_entry_phrases s
          WHERE s.tile = t.near_tile AND s.phrase_id = m.other_id AND s.kind = wanted.kind
            AND (takes_all_pages OR EXISTS (
                   SELECT FROM search_entries e WHERE e.kind = s.kind AND e.item = s.item
                      AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents)
                      AND (since IS NULL OR e.indexed_at > since)
                      AND (within IS NULL OR (e.cell_lat >= 0
                           AND app.cell_km(e.cell_lat, e.cell_lon, here_lat, here_lon) <= within))))
          LIMIT max_results) s LIMIT max_results)
      UNION ALL
      (SELECT s.* FROM far_tiles gap CROSS JOIN LATERAL (
         SELECT s.* FROM search_entry_phrases s
          WHERE s.tile > gap.above AND s.tile < gap.below AND s.phrase_id = m.other_id AND s.kind = wanted.kind
            AND (takes_all_pages OR EXISTS (
                   SELECT FROM search_entries e WHERE e.kind = s.kind AND e.item = s.item
                      AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents)
                      AND (since IS NULL OR e.indexed_at > since)
                      AND (within IS NULL OR (e.cell_lat >= 0
                           AND app.cell_km(e.cell_lat, e.cell_lon, here_lat, here_lon) <= within))))
          LIMIT max_results) s
        LIMIT max_results)) s
     WHERE wanted.kind <> 'offer' AND format IS NULL AND weekday IS NULL AND language IS NULL
       AND (max_price_cents IS NULL OR wanted.kind <> 'post')  -- a post has no price
  ), pages AS MATERIALIZED (
    SELECT n.kind, n.item, max(n.probability)::real AS probability FROM entries n GROUP BY 1, 2
  ), best_pages AS (
    SELECT p.* FROM pages p
     WHERE p.probability >= (CASE WHEN here_lat >= 0 THEN last_share ELSE 1 END) * coalesce((
             SELECT q.probability FROM pages q ORDER BY 1 DESC OFFSET max_ranked - 1 LIMIT 1), 0)
  ), candidates AS (
    SELECT 'offer' AS kind, o.id::text AS item, o.title, o.details AS summary, '' AS label, '' AS slug,
           o.user_id, o.price_cents::bigint, o.terms, o.formats, NULL::text AS city, o.cell_lat, o.cell_lon,
           o.phrase_probability AS probability FROM offers o
    UNION ALL
    SELECT e.kind, e.item, e.title, e.summary, e.label, e.slug, NULL, e.price_cents, NULL, NULL, e.city,
           e.cell_lat, e.cell_lon, best.probability
      FROM best_pages best JOIN search_entries e ON e.kind = best.kind AND e.item = best.item
  ), with_distance AS (
    SELECT f.*, CASE WHEN f.cell_lat >= 0 AND here_lat >= 0
                     THEN app.cell_km(f.cell_lat, f.cell_lon, here_lat, here_lon) END AS km FROM candidates f
  ), in_reach AS (
    SELECT * FROM with_distance p
     WHERE within IS NULL OR p.km <= within OR (format = 'online' AND 'online' = ANY (p.formats))
     ORDER BY p.probability * (1 - distance_weight * least(1, coalesce(p.km / far_km, 1))) DESC, p.item
     LIMIT max_ranked
  )
  SELECT n.kind, n.item, n.title, left(n.summary, max_summary), n.label, n.slug, coalesce(p.display_name, ''),
         coalesce(p.handle, ''), p.photo_id, coalesce(p.photo_url, ''), n.price_cents, n.terms, n.formats,
         coalesce(n.city, CASE WHEN p.shows_location THEN w.city END, ''), n.cell_lat, n.cell_lon, n.km::real,
         n.probability::real
    FROM in_reach n LEFT JOIN profiles p ON p.user_id = n.user_id LEFT JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id
   WHERE n.user_id IS NULL OR (u.status = 'active' AND n.user_id NOT IN (SELECT h.user_id FROM hidden_people h))
   ORDER BY n.probability * (1 - distance_weight * least(1, coalesce(n.km / far_km, 1))) DESC,
         (u.listed_plan = 'premium-angel') IS TRUE DESC, n.item LIMIT max_results;
  PERFORM set_config('plan_cache_mode', plan_mode, true);
END $$;
REVOKE ALL ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, integer, bigint, text, text, integer, timestamptz,
    integer, integer, integer, integer, integer, integer, double precision, integer[], integer, double precision,
    double precision, double precision, double precision, double precision, double precision, double precision,
    double precision, double precision, double precision, double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, integer, bigint, text, text, integer, timestamptz,
    integer, integer, integer, integer, integer, integer, double precision, integer[], integer, double precision,
    double precision, double precision, double precision, double precision, double precision, double precision,
    double precision, double precision, double precision, double precision, integer) TO porchlight_app, porchlight_overseer;
