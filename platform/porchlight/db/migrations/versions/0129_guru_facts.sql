-- guru facts

-- file: functions/angel_answer_minutes.sql
-- Return the minutes in which an angel usually makes an offer: the median over the last 90 days, from the email about the
-- need to the first offer. NULL for fewer than 5 answers, or if the angel left more needs without an answer, that were
-- addressed to them by name and are older than a day, than they answered.
--
-- Called by: app.angels_for and app.angel_answer_time. The same numbers are in porchlight/worker/guru_facts.py.
-- SECURITY DEFINER: needs, notices and offers of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_answer_minutes(angel_id uuid) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN count(*) >= 5 AND count(*) >= (
                SELECT count(*) FROM needs n
                 WHERE n.asked_user_id = angel_id AND n.status IN ('open', 'expired')
                   AND n.created_at BETWEEN now() - interval '90 days' AND now() - interval '1 day'
                   AND NOT EXISTS (SELECT FROM need_offers o WHERE o.user_id = angel_id AND o.need_id = n.id))
              THEN greatest(1, ceil(percentile_cont(0.5) WITHIN GROUP (
                     ORDER BY extract(epoch FROM o.created_at - t.sent_at)) / 60))::integer END
    FROM need_offers o JOIN need_notices t ON t.user_id = o.user_id AND t.need_id = o.need_id
   WHERE o.user_id = angel_id AND o.created_at > now() - interval '90 days'
$$;
REVOKE ALL ON FUNCTION app.angel_answer_minutes(uuid) FROM PUBLIC;

-- file: functions/angel_answer_time.sql
-- Return the minutes in which a user with a public profile usually answers as an angel. NULL if it is not known.
--
-- Called by: angels, for the public profile.
-- SECURITY DEFINER: profiles of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.angel_answer_time(wanted text) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.angel_answer_minutes(p.user_id) FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = wanted AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
$$;
REVOKE ALL ON FUNCTION app.angel_answer_time(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angel_answer_time(text) TO porchlight_app, porchlight_overseer;

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

-- file: triggers/site_changed.sql
-- Give a guru's site a new content version when anything changes that its pages show.
--
-- Fires on: posts, post_views, services, guru_categories, booking_settings, guru_facts. Once per statement, in the same
-- transaction.
CREATE OR REPLACE FUNCTION app.site_changed_insert() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM new_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON posts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON post_views
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON services
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON guru_categories
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON booking_settings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();
CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON guru_facts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_insert();

CREATE OR REPLACE FUNCTION app.site_changed_update() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1
   WHERE id IN (SELECT tenant_id FROM new_rows UNION SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON posts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON post_views
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON services
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON guru_categories
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON booking_settings
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON guru_facts
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();

CREATE OR REPLACE FUNCTION app.site_changed_delete() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1 WHERE id IN (SELECT tenant_id FROM old_rows);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON posts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON post_views
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON services
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON guru_categories
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON booking_settings
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON guru_facts
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();
