-- Return what angels within `near_miles` ask per hour, from `low_quartile` to `high_quartile`, or all angels when fewer
-- than `min_near` are near.
--
-- Called by: app.fair_price and the demo data.
-- SECURITY DEFINER: it reads the angels of all users and returns only quartiles.
CREATE OR REPLACE FUNCTION app.fair_rates(service text, near_latitude double precision, near_longitude double precision,
                                          near_miles integer, min_near integer, low_quartile double precision,
                                          high_quartile double precision)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT a.rate_cents, app.miles(near_latitude, near_longitude, a.latitude, a.longitude) <= near_miles AS near
      FROM angels a JOIN users u ON u.user_id = a.user_id
     WHERE a.service_id = service AND a.active AND u.status = 'active'
  ), chosen AS (
    SELECT rate_cents, near FROM asked WHERE near OR (SELECT count(*) FROM asked WHERE near) < min_near
  )
  SELECT percentile_disc(low_quartile) WITHIN GROUP (ORDER BY rate_cents),
         percentile_disc(high_quartile) WITHIN GROUP (ORDER BY rate_cents),
         count(*)::integer, coalesce(bool_and(near), false)
    FROM chosen HAVING count(*) > 0
$$;
REVOKE ALL ON FUNCTION app.fair_rates(text, double precision, double precision, integer, integer, double precision,
  double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.fair_rates(text, double precision, double precision, integer, integer, double precision,
  double precision) TO porchlight_app, porchlight_overseer;
