-- Return a text in the form in which phrases are compared: lowercase, without accents, single spaces, 120 characters.
--
-- Called by: app.get_or_create_phrase, app.lookup_phrase, app.search, listings and admin.
CREATE OR REPLACE FUNCTION app.normalize_text(input text) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT left(btrim(regexp_replace(lower(unaccent(input)), '[[:space:]]+', ' ', 'g')), 120)
$$;
