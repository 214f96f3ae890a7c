-- Return the characters of a text in scripts that are written without spaces, such as Chinese, Japanese and Thai, alone
-- and in pairs; NULL for a text without any. They find a word inside of others. Hangul is among them, because Korean
-- endings follow a word without a space.
--
-- Called by: app.search and the index of phrases. Immutable: a change needs a new index.
CREATE OR REPLACE FUNCTION app.unspaced_grams(words text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT array_agg(DISTINCT substr(m.run[1], n, length))
    FROM regexp_matches(words, '[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3040-\u30ff\u3130-\u318f'
                               || '\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+', 'g')
         AS m (run),
         generate_series(1, length(m.run[1])) n, generate_series(1, 2) length
$$;
REVOKE ALL ON FUNCTION app.unspaced_grams(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.unspaced_grams(text) TO porchlight_app, porchlight_overseer;
