-- Return the distance in kilometers between the centers of two grid cells.
--
-- Called by: app.search, app.skill_matches and the search for swap rings.
CREATE OR REPLACE FUNCTION app.cell_km(a_lat smallint, a_lon smallint, b_lat smallint, b_lon smallint)
RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sqrt((2.224 * (a_lat - b_lat)) ^ 2 + (2.891 * cos(radians(a_lat * 0.02 - 90)) * (a_lon - b_lon)) ^ 2)
$$;
