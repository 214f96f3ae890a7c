-- Return the number of angels, their rates and their ratings per service and city, for the service cards.
--
-- Called by: angels, for the list of services.
-- SECURITY DEFINER: it reads the angels of all users and returns only sums.
CREATE OR REPLACE FUNCTION app.angel_stats()
RETURNS TABLE (service_id text, city text, angels integer, rate_sum bigint, ratings bigint, rating_sum bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.service_id, a.city, count(*)::integer, sum(a.rate_cents), sum(a.ratings), sum(a.rating_sum)
    FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
   WHERE a.active AND p.is_public AND u.status = 'active'
   GROUP BY a.service_id, a.city ORDER BY count(*) DESC, a.city LIMIT 1000
$$;
REVOKE ALL ON FUNCTION app.angel_stats() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_stats() TO porchlight_app, porchlight_overseer;
