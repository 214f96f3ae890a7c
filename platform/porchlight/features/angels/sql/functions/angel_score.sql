-- Return the average rating of an angel, pulled toward 4.5 by three imaginary ratings.
--
-- Called by: app.angels_for and the emails about new needs.
CREATE OR REPLACE FUNCTION app.angel_score(ratings integer, rating_sum integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (rating_sum + 3 * 4.5) / (ratings + 3);
