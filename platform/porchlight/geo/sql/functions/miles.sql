-- Return the distance between two coordinates in whole miles, at least 1.
--
-- Called by: the functions about angels and needs, and their emails.
CREATE OR REPLACE FUNCTION app.miles(a double precision, b double precision, c double precision, d double precision)
RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN greatest(1, round(7917.5 * asin(least(1, sqrt(
  sin(radians(c - a) / 2) ^ 2 + cos(radians(a)) * cos(radians(c)) * sin(radians(d - b) / 2) ^ 2))))::integer);
