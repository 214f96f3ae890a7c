-- angel listings

-- file: functions/angel_stats.sql
-- Return the number of angels, their rates and their ratings per service and city, for the service cards.
--
-- Called by: angels, for the list of services.
-- SECURITY DEFINER: it reads the angels of all users and returns only sums.
CREATE OR REPLACE FUNCTION app.angel_stats()
RETURNS TABLE (service_id text, city text, angels integer, rate_sum bigint, ratings bigint, rating_sum bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.service_id, c.city, sum(c.angels)::integer, sum(c.rate_sum)::bigint, sum(c.ratings)::bigint,
         sum(c.rating_sum)::bigint
    FROM angel_cells c GROUP BY c.service_id, c.city ORDER BY sum(c.angels) DESC, c.city LIMIT 1000
$$;
REVOKE ALL ON FUNCTION app.angel_stats() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_stats() TO porchlight_app, porchlight_overseer;

-- file: functions/angels_for.sql
-- Return one page of the active angels for a service, nearest first, then best rated, then Premium Angels, each with
-- the newest review that has words.
-- Pages continue after (after_miles, after_score, after_handle). The returned handle begins with 0 for a Premium Angel
-- and with 1 otherwise, so that it sorts like the list.
--
-- Without a location, the list is in the order of an index. Near a location, angel_cells says how far the page reaches,
-- and the best of each cell within are read.
--
-- Called by: angels, for the page of a service.
-- SECURITY DEFINER: it reads the angels of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.angels_for(
  service text, in_city text, near_latitude double precision, near_longitude double precision,
  after_miles integer, after_score double precision, after_handle text, max_rows integer)
RETURNS TABLE (handle text, miles integer, score double precision, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH cells AS (
    SELECT c.latitude, c.longitude, c.miles, c.angels FROM (
      SELECT n.latitude, n.longitude, app.miles(near_latitude, near_longitude, n.latitude, n.longitude) AS miles,
             n.angels
        FROM angel_cells n WHERE near_latitude IS NOT NULL AND n.service_id = service
         AND (in_city = '' OR lower(n.city) = in_city)) c
     WHERE after_handle IS NULL OR c.miles >= after_miles
  ), reached AS MATERIALIZED (
    SELECT DISTINCT r.latitude, r.longitude, r.miles FROM (
      SELECT c.*, sum(c.angels) FILTER (WHERE after_handle IS NULL OR c.miles > after_miles)
                    OVER (ORDER BY c.miles RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS nearer
        FROM cells c) r
     WHERE coalesce(r.nearer, 0) < max_rows
  ), page AS MATERIALIZED (
    (SELECT l.angel_id, 0 AS miles, l.rank, l.place FROM angel_listings l
      WHERE near_latitude IS NULL AND in_city = '' AND l.service_id = service
        AND (after_handle IS NULL OR (l.rank, l.place) > (-after_score, after_handle))
      ORDER BY l.rank, l.place LIMIT max_rows)
     UNION ALL
    (SELECT l.angel_id, 0, l.rank, l.place FROM angel_listings l
      WHERE near_latitude IS NULL AND in_city <> '' AND l.service_id = service AND lower(l.city) = in_city
        AND (after_handle IS NULL OR (l.rank, l.place) > (-after_score, after_handle))
      ORDER BY l.rank, l.place LIMIT max_rows)
     UNION ALL
    (SELECT n.angel_id, r.miles, n.rank, n.place FROM reached r CROSS JOIN LATERAL (
       SELECT l.angel_id, l.rank, l.place FROM angel_listings l
        WHERE l.service_id = service AND l.latitude = r.latitude AND l.longitude = r.longitude
          AND (in_city = '' OR lower(l.city) = in_city)
          AND (after_handle IS NULL OR (r.miles, l.rank, l.place) > (after_miles, -after_score, after_handle))
        ORDER BY l.rank, l.place LIMIT max_rows) n
      ORDER BY r.miles, n.rank, n.place LIMIT max_rows)
  )
  SELECT f.place, f.miles, -f.rank, jsonb_build_object(
           'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id, 'photo_url', p.photo_url,
           'about', a.about, 'rate_cents', a.rate_cents, 'days', a.days, 'radius_miles', a.radius_miles,
           'city', a.city, 'region', a.region, 'jobs', a.jobs, 'ratings', a.ratings, 'rating_sum', a.rating_sum,
           'answer_minutes', app.angel_answer_minutes(a.user_id),
           'review', (SELECT app.review_card(n) FROM needs n
                       WHERE n.accepted_user_id = a.user_id AND n.service_id = service AND n.status = 'done'
                         AND n.rating IS NOT NULL AND n.review <> ''
                       ORDER BY n.updated_at DESC, n.id DESC LIMIT 1),
           'mine', a.user_id = app.user_id(), 'premium', f.place < '1')
    FROM page f JOIN angels a ON a.user_id = f.angel_id AND a.service_id = service
    JOIN profiles p ON p.user_id = f.angel_id
   ORDER BY f.miles, f.rank, f.place LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision, text,
    integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision,
    text, integer) TO porchlight_app, porchlight_overseer;

-- file: triggers/angel_listings.sql
-- Keep the public list of angels (angel_listings), and the numbers of angels per service and place (angel_cells), in
-- line with the angels, their profiles and their accounts. Both are read for each page of Angel's List, where sorting
-- and counting the angels of all users costs more than 50 ms from 100,000 on.
-- SECURITY DEFINER: requests may not touch the two tables.
--
-- Fires on: angels, profiles, users, angel_listings. Deleted angels take their listings along (foreign key).
CREATE OR REPLACE FUNCTION app.refresh_angel_listings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  angel uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
BEGIN
  -- One after the other: a profile that turns private and a service that is offered at the same time. 1,024 locks are
  -- enough, and a transaction that changes very many angels does not run out of them.
  PERFORM pg_advisory_xact_lock(hashtext('angel_listings'), hashtext(angel::text) & 1023);
  IF TG_TABLE_NAME <> 'angels' AND NOT EXISTS (SELECT FROM angels a WHERE a.user_id = angel) THEN
    RETURN NULL;
  END IF;
  DELETE FROM angel_listings l WHERE l.angel_id = angel AND NOT EXISTS (
    SELECT FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
     WHERE a.user_id = l.angel_id AND a.service_id = l.service_id AND a.active AND p.is_public AND u.status = 'active');
  INSERT INTO angel_listings AS l (service_id, angel_id, city, latitude, longitude, rank, place, rate_cents, ratings,
                                   rating_sum)
  SELECT a.service_id, a.user_id, a.city, a.latitude, a.longitude, -app.angel_score(a.ratings, a.rating_sum),
         CASE WHEN u.listed_plan = 'premium-angel' THEN '0' ELSE '1' END || p.handle, a.rate_cents, a.ratings,
         a.rating_sum
    FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
   WHERE a.user_id = angel AND a.active AND p.is_public AND u.status = 'active' ORDER BY a.service_id
  ON CONFLICT (service_id, angel_id) DO UPDATE
     SET city = excluded.city, latitude = excluded.latitude, longitude = excluded.longitude, rank = excluded.rank,
         place = excluded.place, rate_cents = excluded.rate_cents, ratings = excluded.ratings,
         rating_sum = excluded.rating_sum
   WHERE (l.*) IS DISTINCT FROM (excluded.*);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.refresh_angel_listings() FROM PUBLIC;

CREATE OR REPLACE TRIGGER refresh_angel_listings AFTER INSERT OR UPDATE ON angels
    FOR EACH ROW EXECUTE FUNCTION app.refresh_angel_listings();
CREATE OR REPLACE TRIGGER refresh_angel_listings AFTER INSERT OR DELETE OR UPDATE OF is_public, handle ON profiles
    FOR EACH ROW EXECUTE FUNCTION app.refresh_angel_listings();
CREATE OR REPLACE TRIGGER refresh_angel_listings AFTER UPDATE OF status, listed_plan ON users
    FOR EACH ROW EXECUTE FUNCTION app.refresh_angel_listings();

-- Statement triggers, so that a statement changes each cell once, and cells always in the same order.
CREATE OR REPLACE FUNCTION app.count_angel_cells() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  changes angel_cells[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN
    changes := ARRAY(SELECT (o.service_id, o.city, o.latitude, o.longitude, -1, -o.rate_cents, -o.ratings,
                             -o.rating_sum)::angel_cells FROM old_rows o);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    changes := changes || ARRAY(SELECT (n.service_id, n.city, n.latitude, n.longitude, 1, n.rate_cents, n.ratings,
                                        n.rating_sum)::angel_cells FROM new_rows n);
  END IF;
  INSERT INTO angel_cells AS c (service_id, city, latitude, longitude, angels, rate_sum, ratings, rating_sum)
  SELECT x.service_id, x.city, x.latitude, x.longitude, sum(x.angels), sum(x.rate_sum), sum(x.ratings),
         sum(x.rating_sum)
    FROM unnest(changes) x GROUP BY 1, 2, 3, 4
  HAVING (sum(x.angels), sum(x.rate_sum), sum(x.ratings), sum(x.rating_sum)) <> (0, 0, 0, 0) ORDER BY 1, 2, 3, 4
  ON CONFLICT (service_id, city, latitude, longitude) DO UPDATE
     SET angels = c.angels + excluded.angels, rate_sum = c.rate_sum + excluded.rate_sum,
         ratings = c.ratings + excluded.ratings, rating_sum = c.rating_sum + excluded.rating_sum;
  DELETE FROM angel_cells c USING unnest(changes) x
   WHERE (c.service_id, c.city, c.latitude, c.longitude) = (x.service_id, x.city, x.latitude, x.longitude)
     AND x.angels < 0 AND c.angels = 0;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.count_angel_cells() FROM PUBLIC;

CREATE OR REPLACE TRIGGER count_on_insert AFTER INSERT ON angel_listings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_angel_cells();
CREATE OR REPLACE TRIGGER count_on_update AFTER UPDATE ON angel_listings
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_angel_cells();
CREATE OR REPLACE TRIGGER count_on_delete AFTER DELETE ON angel_listings
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_angel_cells();
