-- plans

-- file: functions/angels_for.sql
-- Return one page of the active angels for a service, nearest first, then best rated, then Premium Angels, each with
-- the newest review that has words.
-- Pages continue after (after_miles, after_score, after_handle). The returned handle begins with 0 for a Premium Angel
-- and with 1 otherwise, so that it sorts like the list.
--
-- Called by: angels, for the page of a service.
-- SECURITY DEFINER: it reads the angels of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.angels_for(
  service text, in_city text, near_latitude double precision, near_longitude double precision,
  after_miles integer, after_score double precision, after_handle text, max_rows integer)
RETURNS TABLE (handle text, miles integer, score double precision, card jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.place, f.miles, f.score, jsonb_build_object(
           'handle', f.handle, 'name', f.display_name, 'photo_id', f.photo_id, 'photo_url', f.photo_url,
           'about', f.about, 'rate_cents', f.rate_cents, 'days', f.days, 'radius_miles', f.radius_miles,
           'city', f.city, 'region', f.region, 'jobs', f.jobs, 'ratings', f.ratings, 'rating_sum', f.rating_sum,
           'answer_minutes', app.angel_answer_minutes(f.user_id),
           'review', (SELECT app.review_card(n) FROM needs n
                       WHERE n.accepted_user_id = f.user_id AND n.service_id = service AND n.status = 'done'
                         AND n.rating IS NOT NULL AND n.review <> ''
                       ORDER BY n.updated_at DESC, n.id DESC LIMIT 1),
           'mine', f.user_id = app.user_id(), 'premium', f.premium)
    FROM (SELECT a.*, u.listed_plan = 'premium-angel' AS premium,
                 CASE WHEN u.listed_plan = 'premium-angel' THEN '0' ELSE '1' END || p.handle AS place,
                 p.handle, p.display_name, p.photo_id, p.photo_url,
                 app.angel_score(a.ratings, a.rating_sum) AS score,
                 CASE WHEN near_latitude IS NULL THEN 0
                      ELSE app.miles(near_latitude, near_longitude, a.latitude, a.longitude) END AS miles
            FROM angels a JOIN profiles p ON p.user_id = a.user_id JOIN users u ON u.user_id = a.user_id
           WHERE a.service_id = service AND a.active AND p.is_public AND u.status = 'active'
             AND (in_city = '' OR lower(a.city) = in_city)) f
   WHERE after_handle IS NULL OR (f.miles, -f.score, f.place) > (after_miles, -after_score, after_handle)
   ORDER BY f.miles, -f.score, f.place LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision, text,
    integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_for(text, text, double precision, double precision, integer, double precision,
    text, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/apply_plan_limits.sql
-- Let what others see of the current user follow the plan: offers, photos, the guru site, and the plan that lists show.
-- Also stores when the plan may change by itself. Nothing is deleted. The function restores the tenant that was set.
--
-- Called by: billing, in the jobs after a plan changed or ended.
CREATE OR REPLACE FUNCTION app.apply_plan_limits(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_plan text := app.lock_plan();
  own_guru_id uuid := (SELECT g.tenant_id FROM app.guru_of(app.user_id()) g);
BEGIN
  PERFORM app.limit_offers(limits);
  IF own_guru_id IS NOT NULL THEN
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    PERFORM app.limit_site(limits);
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  UPDATE users SET listed_plan = own_plan, plan_check_at = (SELECT min(r.until) FROM app.own_plan_rights() r)
   WHERE user_id = app.user_id();
END $$;

-- file: functions/due_plans.sql
-- Return the users whose plan may have ended: those whose time to check has come.
--
-- Called by: billing, in the job plans:apply_due_plans.
-- SECURITY DEFINER: it reads the accounts of all users.
CREATE OR REPLACE FUNCTION app.due_plans(max_users integer) RETURNS TABLE (user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.running_job('plans:apply_due_plans');
  RETURN QUERY SELECT u.user_id FROM users u WHERE u.plan_check_at <= now() ORDER BY u.plan_check_at LIMIT max_users;
END $$;
REVOKE ALL ON FUNCTION app.due_plans(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.due_plans(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/effective_plan.sql
-- Return the plan of the current user.
--
-- Called by: porchlight.plans and app.lock_plan.
-- SECURITY DEFINER: the app role may not call app.plan_of, whose user is an argument.
CREATE OR REPLACE FUNCTION app.effective_plan() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.plan_of(app.user_id())
$$;
REVOKE ALL ON FUNCTION app.effective_plan() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.effective_plan() TO porchlight_app, porchlight_overseer;

-- file: functions/find_domain.sql
-- Return the guru of a verified custom domain that the plan of its owner includes.
--
-- Called by: tenancy, for each new host name.
-- SECURITY DEFINER: no tenant is known yet, so row level security would hide the row.
CREATE OR REPLACE FUNCTION app.find_domain(wanted text) RETURNS TABLE (id uuid, label text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.id, g.label, g.status FROM domains d JOIN gurus g ON g.id = d.tenant_id
   WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND NOT d.over_limit
$$;
REVOKE ALL ON FUNCTION app.find_domain(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_domain(text) TO porchlight_app, porchlight_overseer;

-- file: functions/get_or_create_appointment.sql
-- Return the live session of a service at a start with `seats` free seats; create it if the guru is free then. The
-- exclusion constraint and the counter of seats decide. The caller holds the lock of the calendar.
--
-- `expected_rules` is the version of the rules for which the caller found the start to be legal, -1 if it is not.
-- Outcomes: found; stale (compute again: the rules changed, or holds expired); slot_gone, slot_taken, session_full.
--
-- Called by: app.hold_seat and app.move_booking.
CREATE OR REPLACE FUNCTION app.get_or_create_appointment(
  new_appointment_id uuid, wanted_service uuid, wanted_start timestamptz, seats integer, expected_rules bigint,
  OUT outcome text, OUT appointment_id uuid)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  calendar calendars;
  settings booking_settings;
  minutes integer;
  wanted_end timestamptz;
  appointment appointments;
BEGIN
  SELECT * INTO calendar FROM calendars c WHERE c.tenant_id = tenant;
  SELECT * INTO settings FROM booking_settings s WHERE s.tenant_id = tenant AND s.service_id = wanted_service AND s.open;
  SELECT s.duration_minutes INTO minutes FROM services s JOIN gurus g ON g.id = s.tenant_id AND g.status = 'active'
   WHERE s.tenant_id = tenant AND s.id = wanted_service AND NOT s.over_limit;
  IF calendar.tenant_id IS NULL OR settings.service_id IS NULL OR minutes IS NULL OR wanted_start <= now() THEN
    outcome := 'slot_gone';
    RETURN;
  ELSIF calendar.rules_version <> expected_rules THEN
    outcome := 'stale';
    RETURN;
  END IF;
  SELECT * INTO appointment FROM appointments a
   WHERE a.tenant_id = tenant AND a.live AND a.service_id = wanted_service AND a.starts_at = wanted_start;
  IF appointment.id IS NOT NULL THEN
    outcome := 'found';
    appointment_id := appointment.id;
    IF appointment.taken + seats > appointment.capacity OR appointment.waiting > 0 THEN
      outcome := 'session_full';
    END IF;
  ELSIF settings.starts = 'fixed' THEN
    outcome := 'slot_gone';
  ELSIF seats > settings.capacity THEN
    outcome := 'session_full';
  ELSIF calendar.day_max <= (
      SELECT count(*) FROM appointments a
       WHERE a.tenant_id = tenant AND a.live AND a.kind = 'session'
         AND a.starts_at >= date_trunc('day', wanted_start, calendar.zone)
         AND a.starts_at < (date_trunc('day', wanted_start AT TIME ZONE calendar.zone) + interval '1 day')
                           AT TIME ZONE calendar.zone) THEN
    outcome := 'slot_taken';
  ELSE
    wanted_end := wanted_start + make_interval(mins => minutes);
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity)
    VALUES (tenant, new_appointment_id, wanted_service, wanted_start, wanted_end, calendar.zone,
            tstzrange(wanted_start - make_interval(mins => settings.setup_minutes),
                      wanted_end + make_interval(mins => settings.cleanup_minutes)), settings.capacity);
    outcome := 'found';
    appointment_id := new_appointment_id;
  END IF;
EXCEPTION WHEN exclusion_violation THEN
  outcome := 'slot_taken';
END $$;

-- file: functions/limit_offers.sql
-- Mark the current user's offers and work photos that exceed the plan, the newest first: others do not see them until
-- they fit again. `limits` has the limits of each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans and app.apply_plan_limits.
CREATE OR REPLACE FUNCTION app.limit_offers(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.effective_plan();
BEGIN
  UPDATE skill_offers o SET over_limit = n.is_over, visible = n.is_public
    FROM (SELECT s.id, p.is_public AND p.shows_skills AND p.registered_at IS NOT NULL AS is_public,
                 row_number() OVER (PARTITION BY 'price' = ANY (s.terms) ORDER BY s.created_at, s.id)
                 > (own ->> CASE WHEN 'price' = ANY (s.terms) THEN 'priced_offers' ELSE 'exchange_offers' END)::integer
                 AS is_over
            FROM skill_offers s JOIN profiles p ON p.user_id = s.user_id WHERE s.user_id = app.user_id()) n
   WHERE o.user_id = app.user_id() AND o.id = n.id AND o.over_limit <> n.is_over;
  UPDATE listing_photos f SET over_limit = n.is_over
    FROM (SELECT l.offer_id, l.id,
                 row_number() OVER (ORDER BY l.created_at, l.id) > (own ->> 'work_photos')::integer AS is_over
            FROM listing_photos l WHERE l.user_id = app.user_id()) n
   WHERE f.user_id = app.user_id() AND f.offer_id = n.offer_id AND f.id = n.id AND f.over_limit <> n.is_over;
END $$;

-- file: functions/limit_site.sql
-- Mark the current site's priced services, listed categories and domains that exceed its owner's plan, the newest
-- first: visitors do not see them until they fit again. Domains that the operator vouches for stay. `limits` has the limits of
-- each plan. The caller holds the lock of the plan.
--
-- Called by: porchlight.plans, onboarding and app.apply_plan_limits.
CREATE OR REPLACE FUNCTION app.limit_site(limits jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  own jsonb := limits -> app.tenant_plan();
BEGIN
  UPDATE services s SET over_limit = n.is_over
    FROM (SELECT o.id, o.price_cents > 0
                 AND row_number() OVER (PARTITION BY o.price_cents > 0 ORDER BY o.created_at, o.position, o.id)
                     > (own ->> 'priced_services')::integer AS is_over
            FROM services o WHERE o.tenant_id = app.tenant_id()) n
   WHERE s.tenant_id = app.tenant_id() AND s.id = n.id AND s.over_limit <> n.is_over;
  UPDATE guru_categories c SET over_limit = n.is_over
    FROM (SELECT o.slug, o.listed
                 AND row_number() OVER (PARTITION BY o.listed ORDER BY o.created_at, o.position, o.slug)
                     > (own ->> 'listed_categories')::integer AS is_over
            FROM guru_categories o WHERE o.tenant_id = app.tenant_id()) n
   WHERE c.tenant_id = app.tenant_id() AND c.slug = n.slug AND c.over_limit <> n.is_over;
  UPDATE domains d SET over_limit = d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean
   WHERE d.tenant_id = app.tenant_id() AND d.over_limit <> (d.proof = 'dns' AND NOT (own ->> 'own_domain')::boolean);
END $$;

-- file: functions/listing_cards.sql
-- Return the text and the first photo of each visible listing among `wanted`.
--
-- Called by: listings, for search results and matches.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.listing_cards(wanted uuid[])
RETURNS TABLE (id uuid, title text, details text, photo_id uuid, alt text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.title, o.details, first.id, first.alt
    FROM unnest(wanted) asked (id) JOIN skill_offers o ON o.id = asked.id
    LEFT JOIN LATERAL (SELECT p.id, p.alt FROM listing_photos p
                        WHERE p.user_id = o.user_id AND p.offer_id = o.id AND NOT p.over_limit
                        ORDER BY p.position, p.id LIMIT 1) first ON true
   WHERE o.visible
$$;
REVOKE ALL ON FUNCTION app.listing_cards(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.listing_cards(uuid[]) TO porchlight_app, porchlight_overseer;

-- file: functions/listing_photo.sql
-- Return a listing's photo, or its thumbnail. `visible` is false when only the owner may see it.
--
-- Called by: listings, for each photo.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.listing_photo(wanted uuid, want_thumbnail boolean)
RETURNS TABLE (body bytea, visible boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN want_thumbnail THEN f.thumbnail ELSE f.body END, f.visible
    FROM (SELECT p.*, o.visible AND NOT p.over_limit AND u.status = 'active' AS visible FROM listing_photos p
            JOIN skill_offers o ON o.user_id = p.user_id AND o.id = p.offer_id
            JOIN users u ON u.user_id = p.user_id WHERE p.id = wanted) f
   WHERE f.visible OR f.user_id = app.user_id()
$$;
REVOKE ALL ON FUNCTION app.listing_photo(uuid, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.listing_photo(uuid, boolean) TO porchlight_app, porchlight_overseer;

-- file: functions/lock_plan.sql
-- Lock what the current user's plan limits until the end of the transaction, and return the plan.
--
-- Called by: porchlight.plans and app.apply_plan_limits.
CREATE OR REPLACE FUNCTION app.lock_plan() RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || app.user_id(), 0));
  RETURN app.effective_plan();
END $$;

-- file: functions/lock_tenant_plan.sql
-- Lock what the plan of the current site's owner limits until the end of the transaction, and return the plan. The lock
-- is the owner's (app.lock_plan), or the site's while it has no owner.
--
-- Called by: porchlight.plans.
-- SECURITY DEFINER: only the owner's own transactions see the owner's plan and membership.
CREATE OR REPLACE FUNCTION app.lock_tenant_plan() RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := (SELECT m.user_id FROM memberships m WHERE m.tenant_id = app.tenant_id());
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('plan ' || coalesce(owner_id, app.tenant_id()), 0));
  RETURN app.plan_of(owner_id);
END $$;
REVOKE ALL ON FUNCTION app.lock_tenant_plan() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.lock_tenant_plan() TO porchlight_app, porchlight_overseer;

-- file: functions/own_plan_rights.sql
-- Return the paid plans of the current user, the best first; see app.plan_rights.
--
-- Called by: billing and app.apply_plan_limits.
-- SECURITY DEFINER: the app role may not call app.plan_rights, whose user is an argument.
CREATE OR REPLACE FUNCTION app.own_plan_rights() RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM app.plan_rights(app.user_id()) r
$$;
REVOKE ALL ON FUNCTION app.own_plan_rights() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_plan_rights() TO porchlight_app, porchlight_overseer;

-- file: functions/plan_of.sql
-- Return a user's plan: the best paid one, or community.
--
-- Called by: app.effective_plan, app.tenant_plan and app.lock_tenant_plan.
-- SECURITY DEFINER: the app role may not call app.plan_rights.
CREATE OR REPLACE FUNCTION app.plan_of(wanted uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT r.plan FROM app.plan_rights(wanted) r LIMIT 1), 'community')
$$;
REVOKE ALL ON FUNCTION app.plan_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_of(uuid) TO porchlight_overseer;

-- file: functions/plan_rights.sql
-- Return the paid plans that a user has now, the best first, each until when and from where (grant or subscription).
-- `until` is NULL for a subscription that renews. A subscription keeps its plan for 14 days of grace: from the first
-- failed charge, or else from the end of the paid period after a cancellation.
--
-- Called by: app.plan_of and app.own_plan_rights.
-- SECURITY DEFINER: lists label the neighbors with a plan, and a site follows the plan of its owner.
CREATE OR REPLACE FUNCTION app.plan_rights(wanted uuid) RETURNS TABLE (plan text, until timestamptz, source text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.plan, r.until, r.source FROM (
    SELECT g.plan, g.until, 'grant' AS source FROM plan_grants g WHERE g.user_id = wanted
     UNION ALL
    SELECT s.plan, CASE s.state WHEN 'past_due' THEN s.past_due_since + interval '14 days'
                                WHEN 'canceled' THEN coalesce(s.past_due_since, s.period_end) + interval '14 days' END,
           'subscription'
      FROM subscriptions s WHERE s.user_id = wanted AND s.state IN ('active', 'past_due', 'canceled')
       AND (s.state <> 'canceled' OR coalesce(s.past_due_since, s.period_end) IS NOT NULL)) r
   WHERE r.until IS NULL OR r.until > now()
   ORDER BY r.plan = 'premium-angel' DESC, r.until DESC NULLS FIRST
$$;
REVOKE ALL ON FUNCTION app.plan_rights(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.plan_rights(uuid) TO porchlight_overseer;

-- file: functions/plan_usage.sql
-- Return how much of each counted feature the current user has, by the feature's name.
--
-- Called by: billing.
CREATE OR REPLACE FUNCTION app.plan_usage() RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  usage jsonb;
BEGIN
  PERFORM set_config('app.tenant_id', coalesce((SELECT g.tenant_id FROM app.guru_of(app.user_id()) g)::text, ''), true);
  usage := jsonb_build_object(
    'exchange_offers', (SELECT count(*) FROM skill_offers o
                         WHERE o.user_id = app.user_id() AND NOT 'price' = ANY (o.terms)),
    'priced_offers', (SELECT count(*) FROM skill_offers o
                       WHERE o.user_id = app.user_id() AND 'price' = ANY (o.terms)),
    'priced_services', (SELECT count(*) FROM services s WHERE s.tenant_id = app.tenant_id() AND s.price_cents > 0),
    'work_photos', (SELECT count(*) FROM listing_photos f WHERE f.user_id = app.user_id()),
    'listed_categories', (SELECT count(*) FROM guru_categories c
                           WHERE c.tenant_id = app.tenant_id() AND c.listed AND NOT c.over_limit));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN usage;
END $$;

-- file: functions/premium_among.sql
-- Return which of the gurus with these labels, and of the neighbors with these handles, are Premium Angels.
--
-- Called by: search and teachers, to label their results.
-- SECURITY DEFINER: the plans of other users are behind row level security. Their lists show this one to everyone.
CREATE OR REPLACE FUNCTION app.premium_among(labels text[], handles text[]) RETURNS TABLE (label text, handle text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT g.label, NULL::text FROM gurus g JOIN memberships m ON m.tenant_id = g.id JOIN users u ON u.user_id = m.user_id
   WHERE g.label = ANY (labels) AND u.listed_plan = 'premium-angel'
   UNION ALL
  SELECT NULL, p.handle FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.handle = ANY (handles) AND u.listed_plan = 'premium-angel'
$$;
REVOKE ALL ON FUNCTION app.premium_among(text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.premium_among(text[], text[]) TO porchlight_app, porchlight_overseer;

-- file: functions/search.sql
-- Return the best results for a search text among listings (kind offer), gurus, posts and angel services.
--
-- 1. Phrases with a similar spelling, from 0.7 on when the meaning of the text is known, otherwise from 0.45 on; below
--    that only phrases within a few typos. A swap of two letters counts as two edits.
-- 2. Phrases with a related meaning (phrase_relations), as soon as the embeddings job has read the text.
-- 3. Listings with these phrases: a bounded number per phrase, near tiles first, filtered before they are counted. A
--    tile is half a degree wide, so the tiles around the user reach at least 25 km; `within` adds rows of tiles of 55
-- km.
-- 4. Pages of gurus, posts and angel services with these phrases.
--
-- The score is the probability that the result fits, reduced by up to 15 percent with the distance (0 to 40 km). Of equal
-- results, those of Premium Angels come first.
--
-- Called by: search, for each search and each alert.
-- SECURITY DEFINER: it reads the public listings of all users, and tables that the app role cannot touch.
CREATE OR REPLACE FUNCTION app.search(query_phrase_id integer, search_text text, kinds text[], here_lat smallint,
                                      here_lon smallint, within real, max_price_cents bigint, format text,
                                      language text, weekday integer, since timestamptz, max_results integer)
RETURNS TABLE (kind text, item text, title text, summary text, label text, slug text, who text, handle text,
               photo_id uuid, photo_url text, price_cents bigint, terms text[], formats text[], city text,
               cell_lat smallint, cell_lon smallint, km real, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
  text_length integer := length(normalized);
  max_edits integer := CASE WHEN text_length < 4 THEN 0 WHEN text_length < 7 THEN 2
                            WHEN text_length < 10 THEN 3 ELSE 4 END;
  has_meaning boolean := EXISTS (SELECT FROM phrases p WHERE p.id = query_phrase_id AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN here_lat / 25 * 1000 + here_lon / 20 END;
  rows integer := CASE WHEN within IS NULL OR format = 'online' THEN 1000
                       WHEN within > 25 THEN ceil(within / 55)::integer ELSE 0 END;
  threshold real;
  spelled_ids integer[];
  spelling_score real[];
BEGIN
  FOREACH threshold IN ARRAY
    CASE WHEN has_meaning THEN '{0.7}' WHEN text_length <= 10 THEN '{0.2}' ELSE '{0.45,0.2}' END::real[]
  LOOP
    PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
    PERFORM set_config('pg_trgm.word_similarity_threshold', (threshold / 0.95)::text, true);
    SELECT array_agg(s.id), array_agg(s.spelling_score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, p.words, CASE WHEN p.words = normalized THEN 1.0
               ELSE greatest(similarity(p.words, normalized), 0.95 * word_similarity(normalized, p.words))
             END::real AS spelling_score
        FROM phrases p WHERE p.in_use AND (p.words % normalized OR normalized <% p.words) ORDER BY 3 DESC LIMIT 40) s
     WHERE s.spelling_score >= 0.45
        OR least(levenshtein_less_equal(normalized, s.words, max_edits),
                 levenshtein_less_equal(normalized, left(s.words, text_length), max_edits)) <= max_edits;
    EXIT WHEN spelled_ids IS NOT NULL;
  END LOOP;
  RETURN QUERY
  WITH related AS MATERIALIZED (
    SELECT n.other_id, max(n.probability)::real AS probability FROM (
      SELECT r.other_id, r.probability FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = query_phrase_id AND has_meaning
      UNION ALL
      SELECT s.id, CASE WHEN s.spelling_score = 1.0 THEN 0.97 WHEN has_meaning THEN 3.0 * (s.spelling_score - 0.7)
                        ELSE 0.9 * s.spelling_score END
        FROM unnest(spelled_ids, spelling_score) s (id, spelling_score)) n
     WHERE n.probability > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT 40
  ), likely AS (
    SELECT * FROM related m WHERE m.probability >= 0.35 * (SELECT max(best.probability) FROM related best)
     UNION (SELECT * FROM related m WHERE has_meaning ORDER BY m.probability DESC LIMIT 10)
  ), offers AS (
    SELECT o.*, m.probability AS phrase_probability FROM likely m CROSS JOIN LATERAL (
      (SELECT o.* FROM (SELECT tile + 1000 * a + b AS near_tile FROM generate_series(-1, 1) a, generate_series(-1, 1) b
                         WHERE tile IS NOT NULL ORDER BY abs(a) + abs(b)) t
         JOIN skill_offers o ON o.tile = t.near_tile
        WHERE o.phrase_id = m.other_id AND o.visible AND (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          AND (language IS NULL OR EXISTS (
                 SELECT FROM profiles p CROSS JOIN unnest(p.languages) l
                  WHERE p.user_id = o.user_id AND app.normalize_text(l) = app.normalize_text(language))) LIMIT 60)
      UNION ALL
      (SELECT o.* FROM (
         SELECT -2 AS above, 2147483647 AS below WHERE tile IS NULL
          UNION ALL SELECT g.above, g.below FROM (VALUES
            (tile - 999, tile - 1), (tile + 1, tile + 999), (tile + 1001, tile + 1000 * (rows + 1)),
            (tile - 1000 * (rows + 1), tile - 1001)
          ) g (above, below) WHERE tile IS NOT NULL AND rows > 0) gap
         CROSS JOIN LATERAL (SELECT o.* FROM skill_offers o
                              WHERE o.phrase_id = m.other_id AND o.visible AND o.tile > gap.above
                                AND o.tile < gap.below AND (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          AND (language IS NULL OR EXISTS (
                 SELECT FROM profiles p CROSS JOIN unnest(p.languages) l
                  WHERE p.user_id = o.user_id AND app.normalize_text(l) = app.normalize_text(language)))
                              LIMIT 40) o LIMIT 40)) o
     WHERE 'offer' = ANY (kinds)
  ), candidates AS (
    SELECT 'offer' AS kind, o.id::text AS item, o.title, o.details AS summary, '' AS label, '' AS slug,
           o.user_id, o.price_cents::bigint, o.terms, o.formats, NULL::text AS city, o.cell_lat, o.cell_lon,
           o.phrase_probability AS probability FROM offers o
    UNION ALL
    SELECT e.kind, e.item, e.title, e.summary, e.label, e.slug, NULL, e.price_cents, NULL, NULL, e.city,
           e.cell_lat, e.cell_lon, max(m.probability * s.weight)::real
      FROM likely m JOIN search_entry_phrases s ON s.phrase_id = m.other_id
      JOIN search_entries e ON e.kind = s.kind AND e.item = s.item
     WHERE e.kind = ANY (kinds) AND format IS NULL AND weekday IS NULL AND language IS NULL
       AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents) AND (since IS NULL OR e.indexed_at > since)
     GROUP BY e.kind, e.item
  ), with_distance AS (
    SELECT f.*, CASE WHEN f.cell_lat >= 0 AND here_lat >= 0
                     THEN app.cell_km(f.cell_lat, f.cell_lon, here_lat, here_lon) END AS km FROM candidates f
  ), in_reach AS (
    SELECT * FROM with_distance p
     WHERE within IS NULL OR p.km <= within OR (format = 'online' AND 'online' = ANY (p.formats))
     ORDER BY p.probability * (0.85 + 0.15 * greatest(0, 1 - coalesce(p.km, 40) / 40.0)) DESC, p.item
     LIMIT max_results * 2
  )
  SELECT n.kind, n.item, n.title, left(n.summary, 240), n.label, n.slug, coalesce(p.display_name, ''),
         coalesce(p.handle, ''), p.photo_id, coalesce(p.photo_url, ''), n.price_cents, n.terms, n.formats,
         coalesce(n.city, CASE WHEN p.shows_location THEN w.city END, ''), n.cell_lat, n.cell_lon, n.km::real,
         n.probability::real
    FROM in_reach n LEFT JOIN profiles p ON p.user_id = n.user_id LEFT JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id
   WHERE n.user_id IS NULL OR u.status = 'active'
   ORDER BY n.probability * (0.85 + 0.15 * greatest(0, 1 - coalesce(n.km, 40) / 40.0)) DESC,
         (u.listed_plan = 'premium-angel') IS TRUE DESC, n.item LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, bigint, text, text, integer,
    timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, bigint, text, text, integer,
    timestamptz, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/skill_listing.sql
-- Return a visible listing with its photos and the public fields of its owner.
--
-- Called by: listings, for the page of a listing.
-- SECURITY DEFINER: listings of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.skill_listing(wanted uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT jsonb_build_object(
           'id', o.id, 'title', o.title, 'level', o.level, 'details', o.details, 'formats', o.formats,
           'terms', o.terms, 'price_cents', o.price_cents, 'currency', o.currency, 'radius_km', o.radius_km,
           'days', o.days, 'handle', p.handle, 'name', p.display_name, 'photo_id', p.photo_id,
           'photo_url', p.photo_url, 'bio', p.bio, 'languages', p.languages,
           'city', CASE WHEN p.shows_location THEN w.city ELSE '' END,
           'photos', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'alt', f.alt, 'width', f.width,
                                                                   'height', f.height) ORDER BY f.position, f.id), '[]')
                        FROM listing_photos f
                       WHERE f.user_id = o.user_id AND f.offer_id = o.id AND NOT f.over_limit))
    FROM skill_offers o JOIN profiles p ON p.user_id = o.user_id JOIN users u ON u.user_id = o.user_id
    LEFT JOIN user_locations w ON w.user_id = o.user_id
   WHERE o.id = wanted AND o.visible AND u.status = 'active'
$$;
REVOKE ALL ON FUNCTION app.skill_listing(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.skill_listing(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_gurus.sql
-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the
-- one with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out. Premium Angels come first among those who fit equally.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT s.phrase_id, s.weight, e.owner_id
      FROM app.subject_phrases(subject) f
      JOIN search_entry_phrases s ON s.phrase_id = f.phrase_id AND s.kind = 'guru'
      JOIN search_entries e ON e.kind = s.kind AND e.item = s.item
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the tagline has less.
    (SELECT f.owner_id AS guru_id, NULL::text AS handle, sum(f.weight) AS fit FROM fitting f WHERE f.weight >= 0.8
      GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT max_results)
     UNION ALL
    SELECT g.id, NULL, 1 FROM gurus g WHERE g.label = guru_label
     UNION ALL
    SELECT m.tenant_id, p.handle, 1 FROM profiles p
      JOIN users u ON u.user_id = p.user_id JOIN memberships m ON m.user_id = p.user_id
     WHERE p.handle = ANY (angel_handles) AND p.is_public AND u.status = 'active'
       AND EXISTS (SELECT FROM angels a WHERE a.user_id = p.user_id AND a.active)
  )
  SELECT g.id, g.label, g.character, g.tagline, g.city, g.emoji, w.handle,
         ARRAY(SELECT k.skill FROM unnest(g.primary_skills) WITH ORDINALITY k (skill, place)
                 JOIN phrases p ON p.words = app.normalize_text(k.skill)
                 JOIN fitting f ON f.phrase_id = p.id AND f.owner_id = g.id ORDER BY k.place)
    FROM wanted w JOIN gurus g ON g.id = w.guru_id
   WHERE g.status = 'active' AND g.published
     AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = g.id AND m.user_id = app.user_id())
   ORDER BY w.fit DESC, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                 WHERE m.tenant_id = g.id AND u.listed_plan = 'premium-angel') DESC,
            g.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_neighbors.sql
-- Return neighbors who offer a subject (see app.subject_phrases) to the current user, each with one listing, the
-- nearest first, then Premium Angels. A bounded number of listings is read per phrase, those around the user first.
-- `guru_id` is the guru that the neighbor owns.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public listings of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.teaching_neighbors(subject text, max_results integer)
RETURNS TABLE (handle text, name text, photo_id uuid, photo_url text, city text, km real, listing_id uuid, title text,
               guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.tile, h.cell_lat, h.cell_lon FROM user_locations h WHERE h.user_id = app.user_id() AND h.tile >= 0
  ), offers AS (
    SELECT o.* FROM app.subject_phrases(subject) f CROSS JOIN LATERAL (
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM here h CROSS JOIN generate_series(-1, 1) a CROSS JOIN generate_series(-1, 1) b
         JOIN skill_offers o ON o.phrase_id = f.phrase_id AND o.tile = h.tile + 1000 * a + b
        WHERE o.visible ORDER BY abs(a) + abs(b) LIMIT 20)
       UNION ALL
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM skill_offers o WHERE o.phrase_id = f.phrase_id AND o.visible LIMIT 20)) o
  ), nearest AS (
    SELECT DISTINCT ON (o.user_id) o.user_id, o.id, o.title,
           CASE WHEN o.cell_lat >= 0 THEN app.cell_km(o.cell_lat, o.cell_lon, h.cell_lat, h.cell_lon) END AS km
      FROM offers o LEFT JOIN here h ON true
     WHERE o.user_id IS DISTINCT FROM app.user_id() ORDER BY o.user_id, o.title, o.id
  )
  SELECT p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END, n.km::real, n.id, n.title, m.tenant_id
    FROM nearest n JOIN profiles p ON p.user_id = n.user_id JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id LEFT JOIN memberships m ON m.user_id = n.user_id
   WHERE u.status = 'active' ORDER BY n.km NULLS LAST, u.listed_plan = 'premium-angel' DESC, n.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_neighbors(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_neighbors(text, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/tenant_plan.sql
-- Return the plan of the current guru site: that of its owner.
--
-- Called by: porchlight.plans and app.limit_site.
-- SECURITY DEFINER: only the owner's own transactions see the owner's plan and membership.
CREATE OR REPLACE FUNCTION app.tenant_plan() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT app.plan_of((SELECT m.user_id FROM memberships m WHERE m.tenant_id = app.tenant_id()))
$$;
REVOKE ALL ON FUNCTION app.tenant_plan() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.tenant_plan() TO porchlight_app, porchlight_overseer;

-- file: functions/update_listed_categories.sql
-- Update which categories the current user's site lists, from the user's documents. Returns false without a guru.
-- Also updates the guru's own category, unless the owner chose a word that is no category's name. The function restores
-- the tenant that was set before.
--
-- Called by: onboarding, when a guru publishes and in the job after a document changed.
CREATE OR REPLACE FUNCTION app.update_listed_categories() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  owner_id uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || owner_id, 0));
  SELECT g.tenant_id INTO own_guru_id FROM app.guru_of(owner_id) g;
  IF own_guru_id IS NULL THEN
    RETURN false;
  END IF;
  PERFORM set_config('app.tenant_id', own_guru_id::text, true);
  UPDATE guru_categories c
     SET name = s.name, position = s.place, needs_documents = s.needed, listed = s.approved, good_until = s.good_until,
         updated_at = now()
    FROM app.category_status(owner_id, ARRAY(SELECT o.slug FROM guru_categories o WHERE o.tenant_id = own_guru_id)) s
   WHERE c.tenant_id = own_guru_id AND c.slug = s.slug
     AND (c.name, c.position, c.needs_documents, c.listed, c.good_until)
         IS DISTINCT FROM (s.name, s.place, s.needed, s.approved, s.good_until);
  UPDATE guru_categories c SET listed = false, updated_at = now()
   WHERE c.tenant_id = own_guru_id AND c.listed
     AND NOT EXISTS (SELECT FROM skill_categories k WHERE k.slug = c.slug AND NOT k.coming_soon);
  UPDATE gurus g SET category = n.word
    FROM (SELECT coalesce((SELECT lower(c.name) FROM guru_categories c WHERE c.tenant_id = own_guru_id AND c.listed
                            ORDER BY c.created_at, c.position LIMIT 1), 'general') AS word) n
   WHERE g.id = own_guru_id AND g.category <> n.word
     AND (g.category = 'general' OR g.category IN (SELECT lower(k.name) FROM skill_categories k));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN true;
END $$;

-- file: triggers/keep_listing_hidden.sql
-- Keep a listing hidden that exceeds its owner's plan, or that staff hid, also when the user removes the skill and adds
-- it again.
-- SECURITY DEFINER: the app role cannot read hidden_listings.
--
-- Fires on: skill_offers.
CREATE OR REPLACE FUNCTION app.keep_listing_hidden() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.visible AND (NEW.over_limit OR EXISTS (
    SELECT FROM hidden_listings h WHERE h.owner_id = NEW.user_id AND h.phrase_id = NEW.phrase_id)) THEN
    NEW.visible := false;
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION app.keep_listing_hidden() FROM PUBLIC;

CREATE OR REPLACE TRIGGER keep_listing_hidden BEFORE INSERT OR UPDATE ON skill_offers
    FOR EACH ROW EXECUTE FUNCTION app.keep_listing_hidden();

-- file: triggers/notify_host_changed.sql
-- Notify every process that a host of a guru changed. The argument is the column that holds the host.
-- Payload on the channel porchlight_tenants: the tenant's id and the host. A check of a domain that changes nothing for
-- visitors sends no notification.
--
-- Fires on: domains, retired_labels.
CREATE OR REPLACE FUNCTION app.notify_host_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM pg_notify('porchlight_tenants', r.tenant_id || ' ' || (to_jsonb(r) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER notify_domain_changed
    AFTER INSERT OR UPDATE OF domain, verified_at, over_limit OR DELETE ON domains FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('domain');
CREATE OR REPLACE TRIGGER notify_retired_label_changed AFTER INSERT OR UPDATE OR DELETE ON retired_labels
    FOR EACH ROW EXECUTE FUNCTION app.notify_host_changed('label');

-- file: triggers/on_user_deleted.sql
-- Delete what belongs to an account when it is deleted: the onboarding draft, the guru, the documents, the payout
-- account and the granted plans. The guru's site goes offline at once; a job deletes everything of it. Open
-- bookings are canceled.
--
-- Postgres fires these triggers in the order of their names. The first two take the user's publish lock before any row
-- lock, as publishing does, so the two cannot wait for each other.
-- SECURITY DEFINER on the guru's and the plans' trigger: the app role can neither change whether a guru is published
-- nor write granted plans.
--
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_onboarding() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  DELETE FROM category_picks WHERE user_id = NEW.user_id;
  DELETE FROM onboardings WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_onboarding AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_onboarding();

CREATE OR REPLACE FUNCTION app.on_user_deleted_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  own_guru_id uuid;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('publish ' || NEW.user_id, 0));
  SELECT m.tenant_id INTO own_guru_id FROM memberships m WHERE m.user_id = NEW.user_id;
  IF own_guru_id IS NOT NULL THEN
    PERFORM app.enqueue('onboarding:delete_guru', jsonb_build_object('tenant_id', own_guru_id), NULL);
    PERFORM set_config('app.tenant_id', own_guru_id::text, true);
    UPDATE gurus SET published = false WHERE id = own_guru_id;
    PERFORM set_config('app.tenant_id', previous_tenant, true);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_owner AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_owner();

CREATE OR REPLACE FUNCTION app.on_user_deleted_verification() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM documents WHERE user_id = NEW.user_id;
  DELETE FROM document_files WHERE user_id = NEW.user_id;
  DELETE FROM payout_accounts WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_verification AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_verification();

CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru_id uuid;
BEGIN
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR guru_id IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = NEW.user_id
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = NEW.user_id ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    PERFORM app.erase_bookings();
  END LOOP;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_bookings AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_bookings();

CREATE OR REPLACE FUNCTION app.on_user_deleted_plans() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM plan_grants WHERE user_id = NEW.user_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.on_user_deleted_plans() FROM PUBLIC;

CREATE OR REPLACE TRIGGER on_user_deleted_plans AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_plans();

-- file: triggers/plan_changed.sql
-- Start the job that applies a user's plan after a grant or a subscription changed.
-- SECURITY DEFINER: only the service role may call app.enqueue.
--
-- Fires on: plan_grants, subscriptions.
CREATE OR REPLACE FUNCTION app.plan_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM app.enqueue('plans:apply_plan', jsonb_build_object('user_id', r.user_id),
                      'plans:apply_plan:' || r.user_id);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.plan_changed() FROM PUBLIC;

CREATE OR REPLACE TRIGGER plan_changed AFTER INSERT OR UPDATE OR DELETE ON plan_grants
    FOR EACH ROW EXECUTE FUNCTION app.plan_changed();
CREATE OR REPLACE TRIGGER plan_changed AFTER INSERT OR UPDATE OR DELETE ON subscriptions
    FOR EACH ROW EXECUTE FUNCTION app.plan_changed();
