-- Return one page of the active angels for a service, nearest first, then best rated, each with the newest review that
-- has words.
-- Pages continue after (after_miles, after_score, after_handle).
--
-- Called by: angels, for the page of a service.
-- SECURITY DEFINER: it reads the angels of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.angels_for(
  service text, in_city text, near_latitude double precision, near_longitude double precision,
  after_miles integer, after_score double precision, after_handle text, max_rows integer)
RETURNS TABLE (handle text, miles integer, score double precision, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.handle, f.miles, f.score, jsonb_build_object(
           'handle', f.handle, 'name', f.display_name, 'photo_id', f.photo_id, 'photo_url', f.photo_url,
           'about', f.about, 'rate_cents', f.rate_cents, 'days', f.days, 'radius_miles', f.radius_miles,
           'city', f.city, 'region', f.region, 'jobs', f.jobs, 'ratings', f.ratings, 'rating_sum', f.rating_sum,
           'answer_minutes', app.angel_answer_minutes(f.user_id),
           'review', (SELECT app.review_card(n) FROM needs n
                       WHERE n.accepted_user_id = f.user_id AND n.service_id = service AND n.status = 'done'
                         AND n.rating IS NOT NULL AND n.review <> ''
                       ORDER BY n.updated_at DESC, n.id DESC LIMIT 1),
           'mine', f.user_id = app.user_id())
    FROM (SELECT a.*, p.handle, p.display_name, p.photo_id, p.photo_url,
                 app.angel_score(a.ratings, a.rating_sum) AS score,
                 CASE WHEN near_latitude IS NULL THEN 0
                      ELSE app.miles(near_latitude, near_longitude, a.latitude, a.longitude) END AS miles
            FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
           WHERE a.service_id = service AND a.active AND p.is_public AND u.status = 'active'
             AND (in_city = '' OR lower(a.city) = in_city)) f
   WHERE after_handle IS NULL OR (f.miles, -f.score, f.handle) > (after_miles, -after_score, after_handle)
   ORDER BY f.miles, -f.score, f.handle LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision, text,
    integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision,
    text, integer) TO porchlight_app, porchlight_overseer;
