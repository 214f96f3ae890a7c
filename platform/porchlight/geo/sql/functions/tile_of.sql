-- Return the tile of a cell of the grid, like porchlight.geo.grid.tile_of. The numbers of adjacent tiles differ by 1 or
-- 1000.
--
-- Called by: app.own_skill_matches and app.search.
CREATE OR REPLACE FUNCTION app.tile_of(cell_lat integer, cell_lon integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN cell_lat / 25 * 1000 + cell_lon / 20;
