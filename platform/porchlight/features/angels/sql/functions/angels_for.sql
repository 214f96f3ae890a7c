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
  after_miles integer, after_score double precision, after_handle text, max_rows integer, answer_days integer,
  min_answers integer, open_after interval)
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
        AND l.angel_id NOT IN (SELECT h.user_id FROM hidden_people h)
        AND (after_handle IS NULL OR (l.rank, l.place) > (-after_score, after_handle))
      ORDER BY l.rank, l.place LIMIT max_rows)
     UNION ALL
    (SELECT l.angel_id, 0, l.rank, l.place FROM angel_listings l
      WHERE near_latitude IS NULL AND in_city <> '' AND l.service_id = service AND lower(l.city) = in_city
        AND l.angel_id NOT IN (SELECT h.user_id FROM hidden_people h)
        AND (after_handle IS NULL OR (l.rank, l.place) > (-after_score, after_handle))
      ORDER BY l.rank, l.place LIMIT max_rows)
     UNION ALL
    (SELECT n.angel_id, r.miles, n.rank, n.place FROM reached r CROSS JOIN LATERAL (
       SELECT l.angel_id, l.rank, l.place FROM angel_listings l
        WHERE l.service_id = service AND l.latitude = r.latitude AND l.longitude = r.longitude
          AND (in_city = '' OR lower(l.city) = in_city)
          AND l.angel_id NOT IN (SELECT h.user_id FROM hidden_people h)
          AND (after_handle IS NULL OR (r.miles, l.rank, l.place) > (after_miles, -after_score, after_handle))
        ORDER BY l.rank, l.place LIMIT max_rows) n
      ORDER BY r.miles, n.rank, n.place LIMIT max_rows)
  )
  SELECT f.place, f.miles, -f.rank, jsonb_build_object(
           'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id, 'photo_url', p.photo_url,
           'about', a.about, 'rate_cents', a.rate_cents, 'days', a.days, 'radius_miles', a.radius_miles,
           'city', a.city, 'region', a.region, 'jobs', a.jobs, 'ratings', a.ratings, 'rating_sum', a.rating_sum,
           'answer_minutes', app.angel_answer_minutes(a.user_id, answer_days, min_answers, open_after),
           'review', (SELECT jsonb_build_object('id', r.id, 'service', r.service, 'hours', r.hours, 'rating', r.rating,
                                                'words', r.words, 'author', r.author,
                                                'date', (r.reviewed_at AT TIME ZONE 'UTC')::date)
                        FROM angel_reviews r
                       WHERE r.angel_id = a.user_id AND r.service_id = a.service_id AND r.words <> ''
                       ORDER BY r.reviewed_at DESC, r.id DESC LIMIT 1),
           'mine', a.user_id = app.user_id(), 'premium', f.place < '1')
    FROM page f JOIN angels a ON a.user_id = f.angel_id AND a.service_id = service
    JOIN profiles p ON p.user_id = f.angel_id
   ORDER BY f.miles, f.rank, f.place LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision, text,
    integer, integer, integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision,
    text, integer, integer, integer, interval) TO porchlight_app, porchlight_overseer;
