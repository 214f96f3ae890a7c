-- angel reviews

-- file: functions/angel_work_of.sql
-- Return the services that a user with a public profile helps with, with the price, the jobs done and the ratings. NULL
-- for an unknown or hidden profile.
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: angels and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_work_of(wanted text) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'id', s.id, 'title', s.title, 'rate_cents', a.rate_cents, 'jobs', a.jobs, 'ratings', a.ratings,
                   'rating_sum', a.rating_sum) ORDER BY a.jobs DESC, s.position, s.id), '[]')
            FROM angels a JOIN angel_services s ON s.id = a.service_id WHERE a.user_id = p.user_id AND a.active)
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.angel_work_of(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_work_of(text) TO porchlight_app, porchlight_overseer;

-- file: functions/angels_for.sql
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

-- file: functions/review_card.sql
-- Return the review of a completed need as anybody may see it: its service and length represent the job, because the
-- need's own texts are for angels only. The author is a first name, or '' without one.
--
-- Called by: app.angels_for and app.reviews_of.
-- SECURITY DEFINER: profiles are behind row level security.
CREATE OR REPLACE FUNCTION app.review_card(n needs) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
    'id', n.id, 'service', (SELECT s.title FROM angel_services s WHERE s.id = n.service_id), 'hours', n.hours,
    'rating', n.rating, 'words', n.review, 'date', (n.updated_at AT TIME ZONE 'UTC')::date,
    'author', coalesce((SELECT CASE WHEN p.first_name <> '' OR NOT p.is_public THEN p.first_name
                                    ELSE split_part(p.display_name, ' ', 1) END
                          FROM profiles p WHERE p.user_id = n.user_id), ''))
$$;
REVOKE ALL ON FUNCTION app.review_card(needs) FROM PUBLIC;

-- file: functions/reviews_of.sql
-- Return one page of the reviews of an angel with a public profile, the newest first. Pages continue after
-- (after_at, after_id).
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: needs and profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.reviews_of(
  wanted text, after_at timestamptz, after_id uuid, max_rows integer)
RETURNS TABLE (reviewed_at timestamptz, need_id uuid, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.updated_at, n.id, app.review_card(n)
    FROM profiles p JOIN users u ON u.user_id = p.user_id JOIN needs n ON n.accepted_user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND n.status = 'done' AND n.rating IS NOT NULL
     AND (after_at IS NULL OR (n.updated_at, n.id) < (after_at, after_id))
   ORDER BY n.updated_at DESC, n.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.reviews_of(text, timestamptz, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.reviews_of(text, timestamptz, uuid, integer) TO porchlight_app, porchlight_overseer;
