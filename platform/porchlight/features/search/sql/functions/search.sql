-- Return the best results for a search text among listings (kind offer), gurus, posts and angel services.
--
-- 1. Phrases with a similar spelling, from 0.7 on when the meaning of the text is known, otherwise from 0.45 on; below
--    that only phrases within a few typos. A swap of two letters counts as two edits.
--    And phrases that have all words of the text that are written without spaces, such as Japanese ones, inside.
-- 2. Phrases with a related meaning (phrase_relations), as soon as the embeddings job has read the text.
-- 3. Listings with these phrases: a bounded number per phrase, near tiles first, filtered before they are counted. A
--    tile is half a degree wide, so the tiles around the user reach at least 25 km; `within` adds rows of tiles of 55
-- km.
--    With a language, they are found in skill_offer_languages.
-- 4. Pages of gurus, posts and angel services with these phrases, by the same rule: a bounded number per phrase and kind.
--
-- The score is the probability that the result fits, reduced by up to 15 percent with the distance (0 to 40 km). Of equal
-- results, those of Premium Angels come first.
--
-- Called by: search, for each search and each alert.
-- SECURITY DEFINER: it reads the public listings of all users, and tables that the app role cannot touch.
CREATE OR REPLACE FUNCTION app.search(query_phrase_id integer, search_text text, kinds text[], here_lat smallint,
                                      here_lon smallint, within real, max_price_cents bigint, format text,
                                      language text, weekday integer, since timestamptz, max_results integer)
RETURNS TABLE (kind text, item text, title text, summary text, label text, slug text, who text, handle text,
               photo_id uuid, photo_url text, price_cents bigint, terms text[], formats text[], city text,
               cell_lat smallint, cell_lon smallint, km real, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
  normalized_language text := app.normalize_text(language);
  text_length integer := length(normalized);
  max_edits integer := CASE WHEN text_length < 4 THEN 0 WHEN text_length < 7 THEN 2
                            WHEN text_length < 10 THEN 3 ELSE 4 END;
  has_meaning boolean := EXISTS (SELECT FROM phrases p WHERE p.id = query_phrase_id AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN here_lat / 25 * 1000 + here_lon / 20 END;
  rows integer := CASE WHEN within IS NULL OR format = 'online' THEN 1000
                       WHEN within > 25 THEN ceil(within / 55)::integer ELSE 0 END;
  takes_all_pages boolean := max_price_cents IS NULL AND since IS NULL AND within IS NULL;
  threshold real;
  unspaced text[] := app.unspaced_grams(normalized);
  spelled_ids integer[];
  spelling_score real[];
BEGIN
  FOREACH threshold IN ARRAY
    CASE WHEN has_meaning THEN '{0.7}' WHEN text_length <= 10 THEN '{0.2}' ELSE '{0.45,0.2}' END::real[]
  LOOP
    PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
    PERFORM set_config('pg_trgm.word_similarity_threshold', (threshold / 0.95)::text, true);
    SELECT array_agg(s.id), array_agg(s.spelling_score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, p.words, CASE WHEN p.words = normalized THEN 1.0
               ELSE greatest(similarity(p.words, normalized), 0.95 * word_similarity(normalized, p.words))
             END::real AS spelling_score
        FROM phrases p WHERE p.in_use AND (p.words % normalized OR normalized <% p.words) ORDER BY 3 DESC LIMIT 40) s
     WHERE s.spelling_score >= 0.45
        OR least(levenshtein_less_equal(normalized, s.words, max_edits),
                 levenshtein_less_equal(normalized, left(s.words, text_length), max_edits)) <= max_edits;
    EXIT WHEN spelled_ids IS NOT NULL;
  END LOOP;
  IF unspaced IS NOT NULL THEN
    -- The shorter the phrase, the more of it is the word.
    SELECT spelled_ids || array_agg(s.id), spelling_score || array_agg(s.score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, (0.9 + 0.05 * text_length / greatest(length(p.words), text_length))::real AS score FROM phrases p
       WHERE app.unspaced_grams(p.words) @> unspaced AND p.in_use AND p.words <> normalized
       ORDER BY 2 DESC, 1 LIMIT 40) s;
  END IF;
  RETURN QUERY
  WITH related AS MATERIALIZED (
    SELECT n.other_id, max(n.probability)::real AS probability FROM (
      SELECT r.other_id, r.probability FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = query_phrase_id AND has_meaning
      UNION ALL
      SELECT s.id, CASE WHEN s.spelling_score = 1.0 THEN 0.97 WHEN has_meaning THEN 3.0 * (s.spelling_score - 0.7)
                        ELSE 0.9 * s.spelling_score END
        FROM unnest(spelled_ids, spelling_score) s (id, spelling_score)) n
     WHERE n.probability > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT 40
  ), likely AS (
    SELECT * FROM related m WHERE m.probability >= 0.35 * (SELECT max(best.probability) FROM related best)
     UNION (SELECT * FROM related m WHERE has_meaning ORDER BY m.probability DESC LIMIT 10)
  ), near_tiles AS MATERIALIZED (
    SELECT tile + 1000 * a + b AS near_tile FROM generate_series(-1, 1) a, generate_series(-1, 1) b
     WHERE tile IS NOT NULL ORDER BY abs(a) + abs(b)
  ), far_tiles AS MATERIALIZED (
    SELECT -2 AS above, 2147483647 AS below WHERE tile IS NULL
     UNION ALL SELECT g.above, g.below FROM (VALUES
       (tile - 999, tile - 1), (tile + 1, tile + 999), (tile + 1001, tile + 1000 * (rows + 1)),
       (tile - 1000 * (rows + 1), tile - 1001)
     ) g (above, below) WHERE tile IS NOT NULL AND rows > 0
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
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within)) LIMIT 60)
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
          LIMIT 40) o LIMIT 40)) o
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
    -- The distance takes 15 percent at most, so a page below that share of the last one in reach cannot come before it.
    SELECT p.* FROM pages p
     WHERE p.probability >= (CASE WHEN here_lat >= 0 THEN 0.849 ELSE 1 END) * coalesce((
             SELECT q.probability FROM pages q ORDER BY 1 DESC OFFSET max_results * 2 - 1 LIMIT 1), 0)
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
     ORDER BY p.probability * (0.85 + 0.15 * greatest(0, 1 - coalesce(p.km, 40) / 40.0)) DESC, p.item
     LIMIT max_results * 2
  )
  SELECT n.kind, n.item, n.title, left(n.summary, 240), n.label, n.slug, coalesce(p.display_name, ''),
         coalesce(p.handle, ''), p.photo_id, coalesce(p.photo_url, ''), n.price_cents, n.terms, n.formats,
         coalesce(n.city, CASE WHEN p.shows_location THEN w.city END, ''), n.cell_lat, n.cell_lon, n.km::real,
         n.probability::real
    FROM in_reach n LEFT JOIN profiles p ON p.user_id = n.user_id LEFT JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id
   WHERE n.user_id IS NULL OR u.status = 'active'
   ORDER BY n.probability * (0.85 + 0.15 * greatest(0, 1 - coalesce(n.km, 40) / 40.0)) DESC,
         (u.listed_plan = 'premium-angel') IS TRUE DESC, n.item LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, bigint, text, text, integer,
    timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, bigint, text, text, integer,
    timestamptz, integer) TO porchlight_app, porchlight_overseer;
