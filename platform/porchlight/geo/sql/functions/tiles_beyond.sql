-- Return the tiles that app.tiles_around leaves out, as ranges: those between two numbers. `rows`: how many rows of tiles
-- to the north and to the south they reach; NULL for all, and none for 0. Without a tile, these are all tiles.
--
-- Called by: app.own_skill_matches and app.search.
CREATE OR REPLACE FUNCTION app.tiles_beyond(tile integer, rows integer) RETURNS TABLE (above integer, below integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT -2, 2147483647 WHERE tile IS NULL
   UNION ALL
  SELECT g.above, g.below FROM (VALUES
    (tile - 999, tile - 1), (tile + 1, tile + 999),
    (tile + 1001, coalesce(tile + 1000 * (rows + 1), 2147483647)),
    (coalesce(tile - 1000 * (rows + 1), -2), tile - 1001)
  ) g (above, below) WHERE tile IS NOT NULL AND rows IS DISTINCT FROM 0
$$;
