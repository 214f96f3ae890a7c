-- Return a tile and the eight around it, each with the number of steps to it: 2 for those at the corners.
--
-- Called by: app.search, the functions of matches, and app.teaching_neighbors.
CREATE OR REPLACE FUNCTION app.tiles_around(tile integer) RETURNS TABLE (near_tile integer, steps integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT tile + 1000 * a + b, abs(a) + abs(b) FROM generate_series(-1, 1) a, generate_series(-1, 1) b
$$;
