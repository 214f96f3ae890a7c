-- Return the number of angels, their rates and their ratings per service and city, for the service cards: at most
-- `most`, those with most angels first.
--
-- Called by: angels, for the list of services.
-- SECURITY DEFINER: it reads the angels of all users and returns only sums.
CREATE OR REPLACE FUNCTION app.angel_stats(most integer)
RETURNS TABLE (service_id text, city text, angels integer, rate_sum bigint, ratings bigint, rating_sum bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.service_id, c.city, sum(c.angels)::integer, sum(c.rate_sum)::bigint, sum(c.ratings)::bigint,
         sum(c.rating_sum)::bigint
    FROM angel_cells c GROUP BY c.service_id, c.city ORDER BY sum(c.angels) DESC, c.city LIMIT most
$$;
REVOKE ALL ON FUNCTION app.angel_stats(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_stats(integer) TO porchlight_app, porchlight_overseer;
