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
