-- Return a fair price range per hour for a service: what angels ask and what was paid. What angels within `near_miles`
-- ask is the range from `low_quartile` to `high_quartile`, or that of all angels when fewer than `min_near` are near.
-- Paid prices count only from at least three angels and three customers, each angel once, and only as mean and spread
-- (`quartile_deviations` of it to each side), in whole dollars. That keeps what one of them paid private, so it is no
-- parameter. It reads the newest `max_jobs` of the last `years` with a rate between `min_rate` and `max_rate`, and only
-- those within `near_miles` if they suffice.
--
-- Called by: angels, when a need is described.
-- SECURITY DEFINER: it reads the accepted offers of all users and returns only a range.
CREATE OR REPLACE FUNCTION app.fair_price(
  service text, near_latitude double precision, near_longitude double precision, near_miles integer, min_near integer,
  low_quartile double precision, high_quartile double precision, quartile_deviations double precision, years integer,
  max_jobs integer, min_rate integer, max_rate integer)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean, jobs integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH privacy AS (
    SELECT 3 AS min_people
  ), offered AS (
    SELECT a.rate_cents, app.miles(near_latitude, near_longitude, a.latitude, a.longitude) <= near_miles AS near
      FROM angels a JOIN users u ON u.user_id = a.user_id
     WHERE a.service_id = service AND a.active AND u.status = 'active'
  ), asked AS (
    SELECT percentile_disc(low_quartile) WITHIN GROUP (ORDER BY o.rate_cents) AS low,
           percentile_disc(high_quartile) WITHIN GROUP (ORDER BY o.rate_cents) AS high,
           count(*)::integer AS angels, coalesce(bool_and(o.near), false) AS nearby
      FROM offered o WHERE o.near OR (SELECT count(*) FROM offered WHERE near) < min_near HAVING count(*) > 0
  ), recent AS MATERIALIZED (
    SELECT n.user_id, n.accepted_user_id, n.accepted_offer_id, n.hours,
           coalesce(app.miles(near_latitude, near_longitude, n.latitude, n.longitude) <= near_miles, false) AS near
      FROM needs n
     WHERE n.service_id = service AND n.status IN ('accepted', 'done') AND n.created_at > app.now() - years * interval '1 year'
     ORDER BY n.id DESC LIMIT max_jobs
  ), paid AS MATERIALIZED (
    SELECT r.user_id, r.accepted_user_id, r.near, (o.price_cents / r.hours)::double precision AS rate
      FROM recent r JOIN need_offers o ON o.user_id = r.accepted_user_id AND o.id = r.accepted_offer_id
     WHERE o.price_cents / r.hours BETWEEN min_rate AND max_rate
  ), near_paid AS (
    SELECT p.* FROM paid p CROSS JOIN (
      SELECT least(count(DISTINCT accepted_user_id), count(DISTINCT user_id)) >= (SELECT min_people FROM privacy) AS enough
        FROM paid WHERE near) c
     WHERE p.near OR NOT c.enough
  ), paid_summary AS (
    SELECT avg(a.rate) AS mean, stddev_samp(a.rate) AS spread, count(*) AS angels, sum(a.jobs) AS jobs,
           bool_and(a.near) AS near
      FROM (SELECT accepted_user_id, avg(rate) AS rate, count(*) AS jobs, bool_and(near) AS near
              FROM near_paid GROUP BY accepted_user_id) a
    HAVING least(count(*), (SELECT count(DISTINCT user_id) FROM near_paid)) >= (SELECT min_people FROM privacy)
  ), weighed AS (
    SELECT coalesce(a.angels, 0) AS asking, a.low AS asked_low, a.high AS asked_high, a.nearby AS asked_near, t.*,
           greatest(min_rate, t.mean - quartile_deviations * t.spread) AS paid_low,
           t.mean + quartile_deviations * t.spread AS paid_high
      FROM asked a FULL JOIN paid_summary t ON true
  )
  SELECT CASE WHEN w.angels IS NULL THEN w.asked_low ELSE 100 * round(
           (coalesce(w.asking * w.asked_low, 0) + w.angels * w.paid_low) / (w.asking + w.angels) / 100)::integer END,
         CASE WHEN w.angels IS NULL THEN w.asked_high ELSE 100 * round(
           (coalesce(w.asking * w.asked_high, 0) + w.angels * w.paid_high) / (w.asking + w.angels) / 100)::integer END,
         w.asking, coalesce(w.asked_near, true) AND coalesce(w.near, true), coalesce(w.jobs, 0)::integer
    FROM weighed w
$$;
REVOKE ALL ON FUNCTION app.fair_price(text, double precision, double precision, integer, integer, double precision, double precision,
  double precision, integer, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.fair_price(text, double precision, double precision, integer, integer, double precision, double precision,
  double precision, integer, integer, integer, integer) TO porchlight_app, porchlight_overseer;
