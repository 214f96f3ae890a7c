-- Return a fair price range per hour for a service: what angels ask (app.fair_rates) and what was paid.
-- Paid prices count only from at least three angels and three customers, each angel once, and only as mean and spread,
-- in whole dollars. It reads the newest 2,000 jobs of the last year, and only those within 25 miles if they suffice.
--
-- Called by: angels, when a need is described.
-- SECURITY DEFINER: it reads the accepted offers of all users and returns only a range.
CREATE OR REPLACE FUNCTION app.fair_price(service text, near_latitude double precision, near_longitude double precision)
RETURNS TABLE (low integer, high integer, angels integer, nearby boolean, jobs integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT r.low, r.high, r.angels, r.nearby FROM app.fair_rates(service, near_latitude, near_longitude) r
  ), recent AS MATERIALIZED (
    SELECT n.user_id, n.accepted_user_id, n.accepted_offer_id, n.hours,
           coalesce(app.miles(near_latitude, near_longitude, n.latitude, n.longitude) <= 25, false) AS near
      FROM needs n
     WHERE n.service_id = service AND n.status IN ('accepted', 'done') AND n.created_at > app.now() - interval '1 year'
     ORDER BY n.id DESC LIMIT 2000
  ), paid AS MATERIALIZED (
    SELECT r.user_id, r.accepted_user_id, r.near, (o.price_cents / r.hours)::double precision AS rate
      FROM recent r JOIN need_offers o ON o.user_id = r.accepted_user_id AND o.id = r.accepted_offer_id
     WHERE o.price_cents / r.hours BETWEEN 100 AND 50000
  ), near_paid AS (
    SELECT p.* FROM paid p CROSS JOIN (
      SELECT count(DISTINCT accepted_user_id) >= 3 AND count(DISTINCT user_id) >= 3 AS enough FROM paid WHERE near) c
     WHERE p.near OR NOT c.enough
  ), paid_summary AS (
    SELECT avg(a.rate) AS mean, stddev_samp(a.rate) AS spread, count(*) AS angels, sum(a.jobs) AS jobs,
           bool_and(a.near) AS near
      FROM (SELECT accepted_user_id, avg(rate) AS rate, count(*) AS jobs, bool_and(near) AS near
              FROM near_paid GROUP BY accepted_user_id) a
    HAVING count(*) >= 3 AND (SELECT count(DISTINCT user_id) FROM near_paid) >= 3
  ), weighed AS (
    SELECT coalesce(a.angels, 0) AS asking, a.low AS asked_low, a.high AS asked_high, a.nearby AS asked_near, t.*,
           greatest(100, t.mean - 0.6745 * t.spread) AS paid_low, t.mean + 0.6745 * t.spread AS paid_high
      FROM asked a FULL JOIN paid_summary t ON true
  )
  SELECT CASE WHEN w.angels IS NULL THEN w.asked_low ELSE 100 * round(
           (coalesce(w.asking * w.asked_low, 0) + w.angels * w.paid_low) / (w.asking + w.angels) / 100)::integer END,
         CASE WHEN w.angels IS NULL THEN w.asked_high ELSE 100 * round(
           (coalesce(w.asking * w.asked_high, 0) + w.angels * w.paid_high) / (w.asking + w.angels) / 100)::integer END,
         w.asking, coalesce(w.asked_near, true) AND coalesce(w.near, true), coalesce(w.jobs, 0)::integer
    FROM weighed w
$$;
REVOKE ALL ON FUNCTION app.fair_price(text, double precision, double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.fair_price(text, double precision, double precision) TO porchlight_app,
    porchlight_overseer;
