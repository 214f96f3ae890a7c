-- around sessions

-- file: views/current_waiver_texts.sql
-- The text that each guru adds to the waiver now: the newest one. A guru who has none, or removed it, has no row.
--
-- Read by: waivers and bookings.
-- As the owner: a person's transaction without the guru's tenant must not read a text as missing.
CREATE OR REPLACE VIEW current_waiver_texts WITH (security_barrier) AS
  SELECT t.tenant_id, t.version, t.body FROM guru_waiver_texts t
   WHERE t.body <> '' AND NOT EXISTS (
           SELECT FROM guru_waiver_texts n WHERE n.tenant_id = t.tenant_id AND n.version > t.version);
GRANT SELECT ON current_waiver_texts TO porchlight_app, porchlight_overseer;

-- file: views/hidden_people.sql
-- The people whom the current user blocked, and those who blocked them. Neither sees the other anywhere.
--
-- Read by: other views, and functions that return other people.
-- As the owner: blocks of other users are behind row level security. No role may read it: who blocked whom stays unknown.
CREATE OR REPLACE VIEW hidden_people WITH (security_barrier) AS
  SELECT b.blocked_id AS user_id FROM blocks b WHERE b.user_id = app.user_id()
   UNION ALL
  SELECT b.user_id FROM blocks b WHERE b.blocked_id = app.user_id();

-- file: views/helper_cards.sql
-- What neighbors see of each angel and guru: the name and photo, the services on Angel's List, and the guru's site. Users
-- whom neighbors cannot find by either have no row.
--
-- Read by: porch_lights, app.porch_lights.
-- As the owner: profiles, services and memberships of other users are behind row level security.
CREATE OR REPLACE VIEW helper_cards WITH (security_barrier) AS
  SELECT u.user_id, jsonb_build_object(
           'handle', p.handle, 'name', coalesce(p.display_name, g.character), 'photo_id', p.photo_id,
           'photo_url', coalesce(p.photo_url, ''), 'services', coalesce(a.titles, '[]'), 'label', g.label,
           'character', g.character) AS card
    FROM users u
    LEFT JOIN profiles p ON p.user_id = u.user_id AND p.is_public AND p.registered_at IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(s.title ORDER BY s.position) AS titles
        FROM angels a JOIN angel_services s ON s.id = a.service_id
       WHERE a.user_id = u.user_id AND a.active AND p.user_id IS NOT NULL) a ON true
    LEFT JOIN memberships m ON m.user_id = u.user_id
    LEFT JOIN gurus g ON g.id = m.tenant_id AND g.status = 'active'
   WHERE u.status = 'active' AND (a.titles IS NOT NULL OR g.id IS NOT NULL);
GRANT SELECT ON helper_cards TO porchlight_app, porchlight_overseer;

-- file: views/neighbor_reviews.sql
-- What gurus wrote about the neighbors who ask the acting guru for a session or have booked one, revealed and counted.
--
-- Read by: reviews, for the guru who has to answer.
-- As the owner: reviews of other gurus are behind row level security.
CREATE OR REPLACE VIEW neighbor_reviews WITH (security_barrier) AS
  SELECT b.tenant_id, b.id AS booking_id, r.id, r.stars, r.body, r.reply, r.service_name, r.published_at,
         g.character AS guru_name
    FROM bookings b JOIN reviews r ON r.person_id = b.person_id JOIN gurus g ON g.id = r.tenant_id
   WHERE b.tenant_id = app.acting_tenant_id() AND b.status IN ('requested', 'confirmed')
     AND r.side = 'guru' AND r.published_at IS NOT NULL AND r.removed_at IS NULL;
GRANT SELECT ON neighbor_reviews TO porchlight_app, porchlight_overseer;

-- file: views/public_reviews.sql
-- The reviews of the transaction's guru as anybody may see them: revealed and counted, without the private note and the
-- account. A review that staff removed keeps its place, with the reason. The author is a first name, or '' without one.
--
-- Read by: reviews, and the pages of guru sites.
-- As the owner: reviews are for the two parties of a booking, and profiles of other users are behind row level security.
CREATE OR REPLACE VIEW public_reviews WITH (security_barrier) AS
  SELECT r.tenant_id, r.id, r.service_id, r.service_name, r.published_at,
         CASE WHEN r.removed_at IS NULL THEN r.stars END AS stars,
         CASE WHEN r.removed_at IS NULL THEN r.body ELSE '' END AS body,
         CASE WHEN r.removed_at IS NULL THEN r.reply ELSE '' END AS reply,
         CASE WHEN r.removed_at IS NULL THEN r.replied_at END AS replied_at,
         r.removed_why,
         CASE WHEN r.removed_at IS NULL
              THEN coalesce(CASE WHEN a.first_name <> '' OR NOT a.is_public THEN a.first_name
                                 ELSE split_part(a.display_name, ' ', 1) END, '') ELSE '' END AS author
    FROM reviews r JOIN gurus g ON g.id = r.tenant_id LEFT JOIN profiles a ON a.user_id = r.person_id
   WHERE r.tenant_id = app.tenant_id() AND r.side = 'person' AND r.published_at IS NOT NULL AND g.status = 'active';
GRANT SELECT ON public_reviews TO porchlight_app, porchlight_overseer;

-- file: views/visible_message_files.sql
-- The files that the current user uploaded, and those in their threads.
--
-- Read by: messages.
-- As the owner: files of other users are behind row level security.
CREATE OR REPLACE VIEW visible_message_files WITH (security_barrier) AS
  SELECT f.id, f.key, f.name, f.kind, f.size, f.thumbnail
    FROM message_files f
   WHERE f.stored_at IS NOT NULL
     AND (f.user_id = app.user_id()
          OR EXISTS (SELECT FROM threads t WHERE t.id = f.thread_id AND app.user_id() IN (t.person_a_id, t.person_b_id)));
GRANT SELECT ON visible_message_files TO porchlight_app, porchlight_overseer;

-- file: views/waitlist_positions.sql
-- The position of the current user among those who wait for each session, 1 for the first.
--
-- Read by: bookings.
-- As the owner: those who wait are other users. Only their number is shown.
CREATE OR REPLACE VIEW waitlist_positions WITH (security_barrier) AS
  SELECT own.tenant_id, own.appointment_id,
         (SELECT count(*) FROM waitlist w
           WHERE w.tenant_id = own.tenant_id AND w.appointment_id = own.appointment_id AND w.status = 'waiting'
             AND w.number <= own.number)::integer AS position
    FROM waitlist own
   WHERE own.person_id = app.user_id() AND own.status = 'waiting';
GRANT SELECT ON waitlist_positions TO porchlight_app, porchlight_overseer;

-- file: views/blocked_people.sql
-- The people whom the current user blocked, as their own list of blocks shows them.
--
-- Read by: messages.
-- As the owner: profiles of other users are behind row level security.
CREATE OR REPLACE VIEW blocked_people WITH (security_barrier) AS
  SELECT b.id, b.created_at, s.shown_name, s.photo_id, s.photo_url,
         u.user_id IS NULL OR u.status = 'erased' AS is_gone
    FROM blocks b LEFT JOIN users u ON u.user_id = b.blocked_id LEFT JOIN shown_people s ON s.user_id = b.blocked_id
   WHERE b.user_id = app.user_id();
GRANT SELECT ON blocked_people TO porchlight_app, porchlight_overseer;

-- file: views/thread_people.sql
-- The other side of each thread of the current user: the person, and the guru whom the thread is with.
--
-- `takes_messages` is false for someone whose account is not active, and for someone who blocked the user: the same answer.
--
-- Read by: messages.
-- As the owner: profiles, gurus and blocks of other users are behind row level security.
CREATE OR REPLACE VIEW thread_people WITH (security_barrier) AS
  SELECT t.id AS thread_id, o.user_id AS other_id, s.handle, s.shown_name, s.photo_id, s.photo_url,
         u.user_id IS NULL OR u.status = 'erased' AS is_gone, g.label, g.character AS guru_name,
         u.status IS NOT DISTINCT FROM 'active'
           AND NOT EXISTS (SELECT FROM blocks b WHERE b.user_id = o.user_id AND b.blocked_id = app.user_id())
           AS takes_messages,
         EXISTS (SELECT FROM blocks b WHERE b.user_id = app.user_id() AND b.blocked_id = o.user_id) AS is_blocked
    FROM threads t
   CROSS JOIN LATERAL (
     SELECT CASE WHEN t.person_a_id = app.user_id() THEN t.person_b_id ELSE t.person_a_id END AS user_id) o
    LEFT JOIN users u ON u.user_id = o.user_id
    LEFT JOIN shown_people s ON s.user_id = o.user_id
    LEFT JOIN gurus g ON g.id = t.guru_id
   WHERE app.user_id() IN (t.person_a_id, t.person_b_id);
GRANT SELECT ON thread_people TO porchlight_app, porchlight_overseer;

-- file: views/exchange_people.sql
-- The other side of each exchange of the current user, as both may see each other.
--
-- `is_hidden`: one of the two blocked the other, so that they arrange nothing new; `is_gone`: the account was deleted.
--
-- Read by: exchanges.
-- As the owner: profiles and blocks of other users are behind row level security.
CREATE OR REPLACE VIEW exchange_people WITH (security_barrier) AS
  SELECT e.id AS exchange_id, s.handle, s.shown_name, s.photo_id, s.photo_url,
         u.user_id IS NULL OR u.status = 'erased' AS is_gone,
         EXISTS (SELECT FROM hidden_people h WHERE h.user_id = o.user_id) AS is_hidden
    FROM exchanges e
   CROSS JOIN LATERAL (
     SELECT CASE WHEN e.person_a_id = app.user_id() THEN e.person_b_id ELSE e.person_a_id END AS user_id) o
    LEFT JOIN users u ON u.user_id = o.user_id
    LEFT JOIN shown_people s ON s.user_id = o.user_id
   WHERE app.user_id() IN (e.person_a_id, e.person_b_id);
GRANT SELECT ON exchange_people TO porchlight_app, porchlight_overseer;

-- file: views/own_swap_rings.sql
-- The open and agreed swap rings of the current user, with the three members.
--
-- Read by: matches.
-- As the owner: a ring belongs to three users, so the app role cannot touch the table.
CREATE OR REPLACE VIEW own_swap_rings WITH (security_barrier) AS
  SELECT r.id, r.state, r.availability_bits, r.created_at,
         (SELECT jsonb_agg(jsonb_build_object('handle', s.handle, 'name', coalesce(s.shown_name, 'A neighbor'),
                                              'teaches', o.teaches, 'answer', o.answer, 'you', o.user_id = m.user_id)
                           ORDER BY o.place)
            FROM swap_ring_members o LEFT JOIN shown_people s ON s.user_id = o.user_id WHERE o.ring_id = r.id) AS members
    FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id
   WHERE m.user_id = app.user_id() AND r.state IN ('proposed', 'agreed') AND m.answer IS DISTINCT FROM 'declined'
     AND (SELECT count(*) FROM swap_ring_members o WHERE o.ring_id = r.id
             AND o.user_id NOT IN (SELECT h.user_id FROM hidden_people h)) = 3;
GRANT SELECT ON own_swap_rings TO porchlight_app, porchlight_overseer;

-- file: views/public_listings.sql
-- The visible listings of active accounts, with the public fields of their owners.
--
-- Read by: listings and the sitemap of the main platform.
-- As the owner: listings of other users are behind row level security.
CREATE OR REPLACE VIEW public_listings WITH (security_barrier) AS
  SELECT o.id, o.title, o.level, o.details, o.formats, o.terms, o.price_cents, o.currency, o.radius_km, o.days,
         o.created_at, o.updated_at, p.handle, p.display_name AS name, p.photo_id, p.photo_url, p.bio, p.languages,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END AS city, o.user_id
    FROM skill_offers o JOIN users u ON u.user_id = o.user_id
    -- Each listing has a profile. A statement without its columns does not read it, because it is no condition.
    LEFT JOIN profiles p ON p.user_id = o.user_id LEFT JOIN user_locations w ON w.user_id = o.user_id
   WHERE o.visible AND u.status = 'active'
     AND o.user_id NOT IN (SELECT h.user_id FROM hidden_people h);
GRANT SELECT ON public_listings TO porchlight_app, porchlight_overseer;

-- file: views/public_profiles.sql
-- The public profiles of active accounts, without what their owners hide. After a block, neither of two people sees the
-- other's.
--
-- Read by: profiles, messages and angels.
-- As the owner: profiles of other users are behind row level security.
CREATE OR REPLACE VIEW public_profiles WITH (security_barrier) AS
  SELECT p.user_id, p.handle, p.display_name, p.bio, p.photo_id, p.photo_url, p.languages, p.created_at,
         CASE WHEN p.shows_location THEN p.location ELSE '' END AS location,
         CASE WHEN p.shows_skills THEN p.skills_offered ELSE '[]' END AS skills_offered,
         CASE WHEN p.shows_skills THEN p.skills_wanted ELSE '[]' END AS skills_wanted,
         CASE WHEN p.shows_availability THEN p.availability ELSE '' END AS availability
    FROM profiles p JOIN users u ON u.user_id = p.user_id
   WHERE p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
     AND p.user_id NOT IN (SELECT h.user_id FROM hidden_people h);
GRANT SELECT ON public_profiles TO porchlight_app, porchlight_overseer;

-- file: views/received_offers.sql
-- The open offers on the needs of the current user, with the public fields of the angels who made them. After a block, only
-- the one that was accepted is shown.
--
-- Read by: angels, for the page of a need and when an offer is accepted.
-- As the owner: offers of other users are behind row level security.
CREATE OR REPLACE VIEW received_offers WITH (security_barrier) AS
  SELECT o.need_id, o.id, o.user_id, jsonb_build_object(
           'id', o.id, 'price_cents', o.price_cents, 'message', o.message, 'created_at', o.created_at,
           'accepted', o.id IS NOT DISTINCT FROM n.accepted_offer_id,
           'angel', (SELECT s.card FROM shown_people s WHERE s.user_id = o.user_id),
           'miles', (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
                       FROM angels a WHERE a.user_id = o.user_id),
           'jobs', coalesce((SELECT sum(a.jobs) FROM angels a WHERE a.user_id = o.user_id), 0),
           'ratings', coalesce((SELECT sum(a.ratings) FROM angels a WHERE a.user_id = o.user_id), 0),
           'rating_sum', coalesce((SELECT sum(a.rating_sum) FROM angels a WHERE a.user_id = o.user_id), 0)) AS card
    FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
   WHERE n.user_id = app.user_id() AND o.status = 'open' AND u.status = 'active'
     AND (o.id = n.accepted_offer_id OR o.user_id NOT IN (SELECT h.user_id FROM hidden_people h));
GRANT SELECT ON received_offers TO porchlight_app, porchlight_overseer;

-- file: views/visible_needs.sql
-- The needs that the current user may see: their own, those addressed to them, those on which they made an offer, and the
-- open ones that are addressed to no one in particular. After a block, the open ones of the other person are hidden. `miles` is measured from the user's own place as an angel.
--
-- Read by: angels.
-- As the owner: needs, profiles, offers and photos of other users are behind row level security.
CREATE OR REPLACE VIEW visible_needs WITH (security_barrier) AS
  SELECT n.id, n.service_id, n.title, n.description, n.wanted_from, n.wanted_until, n.time_note, n.hours,
         n.budget_cents, n.low_cents, n.high_cents, n.city, n.region, n.status, n.expires_at, n.created_at, n.rating,
         n.review, n.accepted_offer_id,
         n.asked_user_id IS NOT DISTINCT FROM app.user_id() AS asks_me, n.user_id = app.user_id() AS mine,
         (SELECT s.card FROM shown_people s WHERE s.user_id = n.asked_user_id) AS asked,
         (SELECT s.card FROM shown_people s WHERE s.user_id = n.user_id) AS neighbor,
         (SELECT min(app.miles(a.latitude, a.longitude, n.latitude, n.longitude))
            FROM angels a WHERE a.user_id = app.user_id()) AS miles,
         (SELECT count(*) FROM need_offers o WHERE o.need_id = n.id AND o.status = 'open') AS offers,
         ARRAY(SELECT p.id FROM need_photos p WHERE p.user_id = n.user_id AND p.need_id = n.id ORDER BY p.position)
           AS photos
    FROM needs n
   WHERE app.user_id() IS NOT NULL AND (n.status <> 'open' OR n.user_id NOT IN (SELECT h.user_id FROM hidden_people h)) AND (
         n.user_id = app.user_id() OR n.asked_user_id = app.user_id()
         OR (n.status = 'open' AND n.expires_at > app.now() AND n.asked_user_id IS NULL)
         OR EXISTS (SELECT FROM need_offers o WHERE o.user_id = app.user_id() AND o.need_id = n.id));
GRANT SELECT ON visible_needs TO porchlight_app, porchlight_overseer;

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

-- file: functions/angels_to_notify.sql
-- Return the angels who should hear of the running job's need and have not: the nearest first, then the best rated. Those
-- who turned these emails off hear in the app only, so they leave the places of max_emails to others and have as many.
--
-- These are active angels of the service who live near enough, help on one of the need's days, have a verified address
-- and are under their limit of emails in `mail_period`. An angel who was asked by name is notified at any distance and on any day.
--
-- Called by: angels, in the job angels:notify_angels.
-- SECURITY DEFINER: angels and their notices are behind row level security. The need comes from the job and must be of
-- the job's user.
CREATE OR REPLACE FUNCTION app.angels_to_notify(max_emails integer, mail_period interval) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  args jsonb := app.running_job('angels:notify_angels');
  sent bigint;
  silent bigint;
BEGIN
  SELECT count(*) FILTER (WHERE e.user_id IS NULL), count(e.user_id) INTO sent, silent
    FROM need_notices t LEFT JOIN email_settings e ON e.user_id = t.user_id AND e.kind = 'needs' AND NOT e.is_on
   WHERE t.need_id = (args ->> 'need_id')::uuid;
  RETURN QUERY
  SELECT p.user_id FROM (
    SELECT c.*, row_number() OVER (PARTITION BY c.is_silent ORDER BY c.away, c.score DESC) AS place FROM (
      SELECT a.user_id, app.miles(a.latitude, a.longitude, n.latitude, n.longitude) AS away,
             app.angel_score(a.ratings, a.rating_sum) AS score,
             EXISTS (SELECT FROM email_settings e WHERE e.user_id = a.user_id AND e.kind = 'needs' AND NOT e.is_on)
               AS is_silent
        FROM needs n JOIN angels a ON a.service_id = n.service_id JOIN users u ON u.user_id = a.user_id
       WHERE n.user_id = (args ->> 'user_id')::uuid AND n.id = (args ->> 'need_id')::uuid
         AND n.status = 'open' AND n.expires_at > app.now() AND a.active AND a.user_id <> n.user_id
         AND u.status = 'active' AND u.email <> '' AND u.email_verified
         AND CASE WHEN n.asked_user_id IS NOT NULL THEN a.user_id = n.asked_user_id
                  ELSE app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles
                       AND EXISTS (SELECT FROM generate_series(0, n.wanted_until - n.wanted_from) later
                                    WHERE extract(isodow FROM n.wanted_from + later)::smallint = ANY (a.days))
                       AND (SELECT count(*) FROM need_notices t
                             WHERE t.user_id = a.user_id AND t.sent_at > app.now() - mail_period) < a.mails_a_day END
         AND NOT EXISTS (SELECT FROM blocks b
                          WHERE (b.user_id, b.blocked_id) IN ((a.user_id, n.user_id), (n.user_id, a.user_id)))
         AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = a.user_id AND t.need_id = n.id)
    ) c
  ) p WHERE p.place <= max_emails - CASE WHEN p.is_silent THEN silent ELSE sent END
   ORDER BY p.away, p.score DESC;
END $$;
REVOKE ALL ON FUNCTION app.angels_to_notify(integer, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.angels_to_notify(integer, interval) TO porchlight_app, porchlight_overseer;

-- file: functions/apply_bookings.sql
-- Write a change of bookings that was decided on app.booking_facts, all or nothing, in the same transaction: sessions,
-- bookings with their history and their emails, and the waitlist. Return the booking `changes.returned`, if it is named.
-- The form of `changes` is that of `porchlight.features.bookings.changes`.
--
-- With `changes.version`, the facts were read without the lock of the calendar. If the calendar has another version now,
-- nothing is written, and a row without an id is returned. Each change gives the calendar a new version.
--
-- The function decides nothing, and refuses what no decision may do: to change a booking of which the caller is no
-- party and that is not due to end, to act for the other side, to check oneself in, to offer a seat to someone who does
-- not wait for it, to change the waitlist of a session in which nothing changes, and to send an email without a change.
-- A new hold has the name, price, place, `bring` and terms of its service, or of the hold `like` of the same person.
--
-- A booking passes from a customer without an account to the user who claims it: to the bearer of the customer's link
-- (`changes.claimed`), with all that the guru booked for the same customer, or to the account whose verified address the
-- guru entered. What belongs to it passes too, and the link stays known (`bookings.claimed_token`).
--
-- `packages` are those that the guru gives, extends or takes back.
--
-- Called by: bookings. The transaction holds the lock of the calendar, or gets it here.
-- SECURITY DEFINER: the app role may not write bookings, their history, emails and the waitlist itself.
CREATE OR REPLACE FUNCTION app.apply_bookings(changes jsonb) RETURNS SETOF bookings
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  is_guru boolean := coalesce(app.acting_tenant_id() = tenant, false);
  is_service boolean := pg_has_role(session_user, 'porchlight_overseer', 'MEMBER');
  moment timestamptz := app.now();
  one jsonb;
  before bookings;
  wanted bookings;
  is_claim boolean;
  package package_grants;
  event_number integer;
  claimed uuid := (SELECT b.person_id FROM bookings b
                    WHERE b.tenant_id = tenant AND b.customer_token = (changes ->> 'claimed')::uuid);
  address text := (SELECT lower(u.email) FROM users u WHERE u.user_id = person AND u.email_verified);
  touched uuid[] := ARRAY(SELECT x::uuid FROM jsonb_array_elements_text(changes -> 'ended') x);
BEGIN
  IF NOT app.next_calendar_version((changes ->> 'version')::bigint) AND changes ? 'version' THEN
    RETURN NEXT NULL::bookings;
    RETURN;
  END IF;
  IF changes ? 'ended' THEN
    UPDATE appointments a SET live = false
     WHERE a.tenant_id = tenant AND a.id = ANY (touched);
  END IF;
  IF changes ? 'sessions' THEN
    INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, local_start, blocked, capacity)
    SELECT tenant, x.id, x.service_id, x.starts_at, x.ends_at, x.zone, x.local_start,
           tstzrange(x.blocked_from, x.blocked_until), x.capacity
      FROM jsonb_to_recordset(changes -> 'sessions') AS x (
             id uuid, service_id uuid, starts_at timestamptz, ends_at timestamptz, zone text, local_start timestamp,
             blocked_from timestamptz, blocked_until timestamptz, capacity smallint);
  END IF;
  IF changes ? 'capacities' THEN
    UPDATE appointments a SET capacity = x.capacity
      FROM jsonb_to_recordset(changes -> 'capacities') AS x (id uuid, capacity smallint)
     WHERE a.tenant_id = tenant AND a.id = x.id;
  END IF;
  IF changes ? 'joined' THEN
    INSERT INTO waitlist (tenant_id, appointment_id, number, person_id, party, guru_label, guru_name, service_id,
                          service_name, starts_at, ends_at, zone)
    SELECT tenant, a.id, x.number, person, x.party, g.label, g.character, s.id, s.name, a.starts_at, a.ends_at, c.zone
      FROM jsonb_to_recordset(changes -> 'joined') AS x (appointment_id uuid, number integer, party smallint)
      JOIN appointments a ON a.tenant_id = tenant AND a.id = x.appointment_id
      JOIN gurus g ON g.id = tenant
      JOIN services s ON s.tenant_id = tenant AND s.id = a.service_id
      JOIN calendars c ON c.tenant_id = tenant;
  END IF;
  FOR one IN SELECT x FROM jsonb_array_elements(changes -> 'bookings') x LOOP
    IF one ? 'hold' THEN
      SELECT * INTO wanted FROM jsonb_populate_record(NULL::bookings, one -> 'hold');
      IF (wanted.person_id IS NULL OR wanted.person_id = person OR is_service
              OR is_guru AND wanted.customer_token IS NOT NULL
              OR EXISTS (SELECT FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = wanted.appointment_id
                                                  AND w.person_id = wanted.person_id AND w.status = 'waiting'))
         IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'a seat is offered only to a person who waits for it';
      END IF;
      INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, hold_hash, address_hash, status, party,
                            guru_label, guru_name, service_name, starts_at, ends_at, zone, price_cents, currency,
                            approval, place, place_text, bring, terms, terms_digest, expires_at, customer_token)
      SELECT tenant, wanted.id, a.id, a.service_id, wanted.person_id, wanted.hold_hash, wanted.address_hash, 'held',
             wanted.party, g.label, g.character, coalesce(l.service_name, s.name), a.starts_at, a.ends_at, c.zone,
             coalesce(l.price_cents, s.price_cents * wanted.party), coalesce(l.currency, s.currency),
             coalesce(l.approval, CASE WHEN wanted.customer_token IS NOT NULL THEN 'instant' END, t.approval),
             coalesce(l.place, a.place, t.place),
             coalesce(l.place_text, a.place_text, t.place_text), coalesce(l.bring, t.bring),
             coalesce(l.terms, app.booking_terms(t)),
             coalesce(l.terms_digest, sha256(app.booking_terms(t)::text::bytea)), wanted.expires_at,
             wanted.customer_token
        FROM appointments a
        JOIN calendars c ON c.tenant_id = tenant
        JOIN gurus g ON g.id = tenant
        JOIN services s ON s.tenant_id = tenant AND s.id = a.service_id
        JOIN booking_settings t ON t.tenant_id = tenant AND t.service_id = a.service_id
        LEFT JOIN bookings l ON l.tenant_id = tenant AND l.id = (one ->> 'like')::uuid AND l.service_id = a.service_id
                            AND l.person_id = wanted.person_id AND l.party = wanted.party
       WHERE a.tenant_id = tenant AND a.id = wanted.appointment_id
      RETURNING * INTO STRICT wanted;
    ELSE
      SELECT * INTO STRICT before FROM bookings b WHERE b.tenant_id = tenant AND b.id = (one ->> 'id')::uuid;
      SELECT * INTO wanted FROM jsonb_populate_record(before, one -> 'values');
      is_claim := coalesce(before.customer_token IS NOT NULL AND wanted.customer_token IS NULL
                           AND wanted.person_id = person AND wanted.status = before.status
                           AND (before.person_id = claimed OR lower(before.customer_email) = address), false);
      IF before.status IS DISTINCT FROM one ->> 'was' THEN
        RAISE serialization_failure USING MESSAGE = 'the booking was changed since the decision';
      ELSIF (is_guru OR is_service OR before.person_id = person OR is_claim
                 OR before.person_id IS NULL AND before.hold_hash = decode(changes ->> 'token', 'hex')
                    AND (wanted.person_id IS NULL OR wanted.person_id = person)
                 OR before.status = 'held' AND before.address_hash = decode(changes ->> 'address', 'hex')
                    AND wanted.status = 'expired'
                 OR before.expires_at <= moment AND wanted.status = 'expired'
                 OR before.proposed_until <= moment AND wanted.proposed_start IS NULL
                    AND wanted.status = before.status AND wanted.starts_at = before.starts_at) IS NOT TRUE THEN
        RAISE insufficient_privilege USING MESSAGE = 'a booking is changed by its parties only';
      ELSIF wanted.checked_in_at IS NOT NULL AND wanted.checked_in_at IS DISTINCT FROM before.checked_in_at
            AND NOT (is_guru OR is_service) THEN
        RAISE insufficient_privilege USING MESSAGE = 'only the guru checks people in';
      END IF;
      UPDATE bookings b
         SET (appointment_id, person_id, hold_hash, status, party, participants, person_name, note, starts_at, ends_at,
              place, place_text, person_address, person_zone, waiver_level, waiver_id, waiver_until, sequence, moves,
              late_since, series_id, proposed_start, proposed_until, proposed_reason, proposals, expires_at,
              confirmed_at, ended_by, ended_at, reason, owed_cents, idempotency_key, digest, customer_email, customer_token,
              claimed_token, price_cents, package_grant_id, package_sessions, package_name, checked_in_at, checked_in_by) =
             (wanted.appointment_id,
              CASE WHEN is_claim THEN person ELSE coalesce(before.person_id, wanted.person_id) END, wanted.hold_hash, wanted.status,
              wanted.party, wanted.participants, wanted.person_name, wanted.note, wanted.starts_at, wanted.ends_at,
              wanted.place, wanted.place_text, wanted.person_address, wanted.person_zone, wanted.waiver_level,
              wanted.waiver_id, wanted.waiver_until, wanted.sequence, wanted.moves, wanted.late_since,
              wanted.series_id, wanted.proposed_start, wanted.proposed_until, wanted.proposed_reason,
              wanted.proposals, wanted.expires_at, wanted.confirmed_at, wanted.ended_by, wanted.ended_at,
              wanted.reason, wanted.owed_cents, wanted.idempotency_key, wanted.digest, wanted.customer_email,
              CASE WHEN NOT is_claim THEN before.customer_token END,
              CASE WHEN is_claim THEN before.customer_token ELSE before.claimed_token END,
              wanted.price_cents, wanted.package_grant_id, wanted.package_sessions, wanted.package_name,
              wanted.checked_in_at, wanted.checked_in_by)
       WHERE b.tenant_id = tenant AND b.id = before.id;
      -- What is left of a package follows what its bookings use. Its constraint rejects one session too many.
      IF (before.package_grant_id, before.package_sessions)
         IS DISTINCT FROM (wanted.package_grant_id, wanted.package_sessions) THEN
        UPDATE package_grants p SET left_over = p.left_over + before.package_sessions
         WHERE p.tenant_id = tenant AND p.id = before.package_grant_id;
        UPDATE package_grants p SET left_over = p.left_over - wanted.package_sessions
         WHERE p.tenant_id = tenant AND p.id = wanted.package_grant_id;
      END IF;
      IF is_claim OR before.person_id IS NULL AND wanted.person_id IS NOT NULL THEN
        UPDATE booking_events e SET person_id = wanted.person_id
         WHERE e.tenant_id = tenant AND e.booking_id = before.id;
      END IF;
      IF is_claim THEN
        UPDATE booking_emails e SET person_id = person WHERE e.tenant_id = tenant AND e.booking_id = before.id;
        UPDATE participants p SET person_id = person WHERE p.tenant_id = tenant AND p.booking_id = before.id;
        UPDATE reviews r SET person_id = person WHERE r.tenant_id = tenant AND r.booking_id = before.id;
        UPDATE package_grants g SET person_id = person, is_customer = false
         WHERE g.tenant_id = tenant AND g.person_id = before.person_id;
        UPDATE package_events e SET person_id = person WHERE e.tenant_id = tenant AND e.person_id = before.person_id;
      END IF;
    END IF;
    touched := touched || wanted.appointment_id || before.appointment_id;
    -- In parentheses, because PL/pgSQL reads a condition up to the first THEN.
    IF (one ? 'event' AND CASE one ->> 'actor'
                            WHEN 'guru' THEN is_guru OR is_service
                            WHEN 'staff' THEN is_service
                            WHEN 'person' THEN is_service OR wanted.person_id IS NULL OR wanted.person_id = person
                            ELSE true END IS NOT TRUE) THEN
      RAISE insufficient_privilege USING MESSAGE = 'the history names who acts';
    END IF;
    IF one ? 'event' THEN
      INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event, details)
      SELECT tenant, wanted.id, count(*) + 1, wanted.person_id, one ->> 'actor', one ->> 'event', one -> 'details'
        FROM booking_events e WHERE e.tenant_id = tenant AND e.booking_id = wanted.id;
      -- The event stands between the messages of the two, if they write to each other.
      IF EXISTS (SELECT FROM threads t
                  WHERE t.guru_id = tenant AND wanted.person_id IN (t.person_a_id, t.person_b_id)) THEN
        PERFORM app.enqueue('messages:announce_event',
                            jsonb_build_object('guru_id', tenant, 'person_id', wanted.person_id), NULL);
      END IF;
    END IF;
    IF one ? 'email' AND wanted.person_id IS NOT NULL THEN
      -- The job below sends them at once. If it is lost, another one is queued at `due_at`.
      INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
      SELECT tenant, wanted.id, one #>> '{email,kind}', x, (one #>> '{email,sequence}')::integer, wanted.person_id,
             (changes ->> 'emails_due_at')::timestamptz
        FROM jsonb_array_elements_text(one #> '{email,sides}') x ON CONFLICT DO NOTHING;
      PERFORM app.enqueue('bookings:send_emails',
                          jsonb_build_object('tenant_id', tenant, 'booking_id', wanted.id), NULL);
    END IF;
  END LOOP;
  IF changes ? 'waitlist' THEN
    UPDATE waitlist w SET status = x.status
      FROM jsonb_to_recordset(changes -> 'waitlist') AS x (appointment_id uuid, number integer, status text)
     WHERE w.tenant_id = tenant AND w.appointment_id = x.appointment_id AND w.number = x.number
       AND (is_service OR w.person_id = person OR x.status <> 'left' AND w.appointment_id = ANY (touched));
    PERFORM app.enqueue('bookings:send_waitlist_canceled',
                        jsonb_build_object('tenant_id', tenant, 'appointment_id', x.appointment_id, 'number', x.number),
                        NULL)
       FROM jsonb_to_recordset(changes -> 'waitlist') AS x (appointment_id uuid, number integer, is_notified boolean)
      WHERE x.is_notified;
  END IF;
  IF changes ? 'packages' AND NOT (is_guru OR is_service) THEN
    RAISE insufficient_privilege USING MESSAGE = 'packages are given and changed by their guru';
  END IF;
  FOR one IN SELECT x FROM jsonb_array_elements(changes -> 'packages') x LOOP
    IF one ? 'grant' THEN
      INSERT INTO package_grants (tenant_id, id, package_id, person_id, person_name, is_customer, guru_label, guru_name,
                                  service_id, service_name, name, granted, left_over, expires_at, zone,
                                  idempotency_key, digest)
      SELECT tenant, x.id, p.id, b.person_id, b.person_name, b.customer_token IS NOT NULL, g.label, g.character,
             s.id, s.name, p.name, x.granted, x.granted, x.expires_at, c.zone, x.idempotency_key, x.digest
        FROM jsonb_to_record(one -> 'grant') AS x (id uuid, package_id uuid, booking_id uuid, granted smallint,
                                                   expires_at timestamptz, idempotency_key text, digest bytea)
        JOIN packages p ON p.tenant_id = tenant AND p.id = x.package_id
        JOIN bookings b ON b.tenant_id = tenant AND b.id = x.booking_id AND b.person_id IS NOT NULL
        JOIN gurus g ON g.id = tenant
        JOIN services s ON s.tenant_id = tenant AND s.id = p.service_id
        JOIN calendars c ON c.tenant_id = tenant
      RETURNING * INTO STRICT package;
    ELSE
      SELECT * INTO STRICT package FROM package_grants p WHERE p.tenant_id = tenant AND p.id = (one ->> 'id')::uuid;
      SELECT * INTO package FROM jsonb_populate_record(package, one -> 'values');
      UPDATE package_grants p
         SET (left_over, taken_back, expires_at) = (package.left_over, package.taken_back, package.expires_at)
       WHERE p.tenant_id = tenant AND p.id = package.id;
    END IF;
    INSERT INTO package_events (tenant_id, grant_id, number, person_id, event, details)
    SELECT tenant, package.id, count(*) + 1, package.person_id, one ->> 'event', one -> 'details'
      FROM package_events e WHERE e.tenant_id = tenant AND e.grant_id = package.id
    RETURNING number INTO event_number;
    PERFORM app.enqueue('bookings:send_package_email',
                        jsonb_build_object('tenant_id', tenant, 'grant_id', package.id, 'number', event_number), NULL);
  END LOOP;
  IF changes ? 'returned' THEN
    RETURN QUERY SELECT b.* FROM bookings b WHERE b.tenant_id = tenant AND b.id = (changes ->> 'returned')::uuid;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.apply_bookings(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.apply_bookings(jsonb) TO porchlight_app, porchlight_overseer;

-- file: functions/apply_exchange.sql
-- Write a change of an exchange that was decided on: `changed` has columns of the table by name. A confirmed session also
-- takes its time in the calendar of the teacher's site, if there is one (`block`: the local times there), and gives it
-- back when it is canceled. `emails`: kind and side of each email about the change.
--
-- It decides nothing. Its caller is one of the two people, and only what an agreement may change is written: not the
-- people, the listing and who teaches. Two constraints refuse a time that the teacher has given away meanwhile:
-- ex_exchanges_teacher and ex_appointments_blocked. The function restores the tenant that was set before.
--
-- Called by: exchanges, after app.exchange_facts in the same transaction.
-- SECURITY DEFINER: requests may not write exchanges, and the calendar of the teacher is behind row level security.
CREATE OR REPLACE FUNCTION app.apply_exchange(changed jsonb, block jsonb, emails jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  me uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  before exchanges;
  after exchanges;
  guru uuid;
  email jsonb;
BEGIN
  SELECT * INTO before FROM exchanges e
   WHERE e.person_a_id = (changed ->> 'person_a_id')::uuid AND e.id = (changed ->> 'id')::uuid;
  after := jsonb_populate_record(before, changed);
  IF before.id IS NOT NULL THEN
    after.person_b_id := before.person_b_id;
    after.teacher_id := before.teacher_id;
  END IF;
  IF me IS NULL OR me NOT IN (after.person_a_id, after.person_b_id) THEN
    RAISE insufficient_privilege USING MESSAGE = 'only the two people change an exchange';
  END IF;
  IF before.id IS NULL THEN
    after.created_at := app.now();
    after.changed_at := app.now();
    after.sequence := 0;
    INSERT INTO exchanges SELECT after.*;
  ELSE
    IF after.status = 'confirmed' AND before.status <> 'confirmed' THEN
      SELECT m.tenant_id INTO guru FROM memberships m WHERE m.user_id = before.teacher_id;
      PERFORM set_config('app.tenant_id', guru::text, true);
      IF app.reserve_time(before.id, after.starts_at, after.ends_at, block ->> 'zone',
                          (block ->> 'local_start')::timestamp, (block ->> 'local_end')::timestamp) THEN
        after.guru_id := guru;
      END IF;
    ELSIF before.status = 'confirmed' AND after.status = 'canceled' THEN
      PERFORM set_config('app.tenant_id', before.guru_id::text, true);
      PERFORM app.reserve_time(before.id, NULL, NULL, NULL, NULL, NULL);
    END IF;
    UPDATE exchanges e
       SET status = after.status, turn = after.turn, round = after.round, proposals = after.proposals,
           reply = after.reply, reply_by = after.reply_by, teacher_zone = after.teacher_zone,
           learner_zone = after.learner_zone, starts_at = after.starts_at, ends_at = after.ends_at,
           expires_at = after.expires_at, ended_by = after.ended_by, guru_id = after.guru_id,
           remind_at = after.remind_at, sequence = e.sequence + 1, changed_at = app.now()
     WHERE e.person_a_id = before.person_a_id AND e.id = before.id;
  END IF;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  FOR email IN SELECT jsonb_array_elements(emails) LOOP
    PERFORM app.enqueue('exchanges:send_email', jsonb_build_object(
      'user_id', CASE WHEN (email ->> 'side' = 'teacher') = (after.teacher_id = after.person_a_id)
                      THEN after.person_a_id ELSE after.person_b_id END,
      'exchange_id', after.id, 'kind', email ->> 'kind',
      'sequence', CASE WHEN before.id IS NULL THEN 0 ELSE before.sequence + 1 END), NULL);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION app.apply_exchange(jsonb, jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.apply_exchange(jsonb, jsonb, jsonb) TO porchlight_app, porchlight_overseer;

-- file: functions/booking_facts.sql
-- Return the facts on which a change of bookings is decided, of one moment (`porchlight.features.bookings.facts`). Times
-- are ISO 8601; ids and names of people are not decided on, so no name, note or address is among the facts.
--
-- The bookings: those of `ids`; the hold with the token digest `token`; the user's booking under the idempotency key
-- `key`, or that of the customer's link `customer`; with `series`, the others of the same person's series; the open
-- ones of the session `appointment` and, with `all_open`, all that the user has; and those whose time has passed,
-- because they end first. The sessions: those of the bookings and of `appointment`, those with seats to offer, and
-- those that decide whether the service is free at `starts`: within its time, or near a start if the guru limits their
-- days. `busy`: the times of busy sources within the service's time. If they are `counted`, also the holds of the user
-- and of visitors: those of now, of the time `recent`, those of the network address, and all of visitors near the first
-- start. `near` is longer than any local day.
--
-- The packages (`grants`): those of `ids`, those that the bookings use or used, and the user's own ones that have
-- sessions left. `uses` has the package of each booking that has one.
--
-- Nothing is locked. Either the transaction has locked the calendar before (app.lock_calendar), or app.apply_bookings
-- compares the version of the calendar with that of the facts.
--
-- Called by: bookings.
-- SECURITY DEFINER: the user is no party of the bookings whose time has passed, nor of those who wait. The tenant and
-- the user are those of the transaction.
CREATE OR REPLACE FUNCTION app.booking_facts(
  ids uuid[] DEFAULT '{}', token bytea DEFAULT NULL, key text DEFAULT NULL, series boolean DEFAULT false,
  appointment uuid DEFAULT NULL, all_open boolean DEFAULT false, service uuid DEFAULT NULL,
  starts timestamptz[] DEFAULT '{}', near interval DEFAULT NULL, customer uuid DEFAULT NULL,
  counted boolean DEFAULT false, address bytea DEFAULT NULL, recent interval DEFAULT NULL, waiver uuid DEFAULT NULL)
RETURNS json LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  person uuid := app.user_id();
  moment timestamptz := app.now();
  chosen uuid[] := ids;
  concerned uuid[] := '{}';
  offered uuid[] := '{}';
  has_day_max boolean;
  calendar json;
  found_bookings json;
  found_sessions json;
  found_busy json;
  found_services json;
  found_waiver json;
  found_grants json;
  found_uses json;
  visitors json;
  usage json;
BEGIN
  SELECT row_to_json(x), x.day_max IS NOT NULL INTO calendar, has_day_max FROM (
    SELECT c.version, c.rules_version, c.zone, c.notice_minutes, c.day_max, g.status = 'active' AS is_active,
           coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'),
                    (SELECT f.enabled FROM flag_settings f WHERE f.name = 'booking'), true) AS takes_bookings,
           EXISTS (SELECT FROM memberships m JOIN hidden_people h ON h.user_id = m.user_id WHERE m.tenant_id = tenant)
             AS is_blocked
      FROM calendars c JOIN gurus g ON g.id = c.tenant_id WHERE c.tenant_id = tenant) x;
  chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                             WHERE b.tenant_id = tenant AND (b.expires_at <= moment OR b.proposed_until <= moment));
  IF token IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b WHERE b.tenant_id = tenant AND b.hold_hash = token);
  END IF;
  IF key IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.person_id = person AND b.idempotency_key = key);
  END IF;
  IF customer IS NOT NULL THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b WHERE b.tenant_id = tenant AND b.customer_token = customer);
  END IF;
  IF appointment IS NOT NULL THEN
    concerned := ARRAY[appointment];
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.appointment_id = appointment
                                 AND b.status IN ('held', 'requested', 'confirmed'));
  END IF;
  IF all_open THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings b
                               WHERE b.tenant_id = tenant AND b.person_id = person
                                 AND b.status IN ('held', 'requested', 'confirmed'));
  END IF;
  IF series THEN
    chosen := chosen || ARRAY(SELECT b.id FROM bookings n
                                JOIN bookings b ON b.tenant_id = tenant AND b.person_id = n.person_id
                                 AND b.series_id = n.series_id AND b.status IN ('held', 'requested', 'confirmed')
                               WHERE n.tenant_id = tenant AND n.id = ANY (chosen));
  END IF;
  IF counted THEN
    IF cardinality(starts) > 0 THEN
      SELECT json_agg(x), chosen || array_agg(x.id) FILTER (WHERE x.is_address) INTO visitors, chosen FROM (
        SELECT b.id, b.starts_at, b.address_hash IS NOT DISTINCT FROM booking_facts.address AS is_address
          FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
         WHERE b.tenant_id = tenant AND b.status = 'held' AND u.email_verified IS NOT TRUE AND b.expires_at > moment
           AND b.starts_at BETWEEN starts[1] - near AND starts[1] + near
         ORDER BY b.id DESC) x;
    END IF;
    SELECT json_build_object('is_verified', EXISTS (SELECT FROM users u WHERE u.user_id = person AND u.email_verified),
                             'own', own, 'of_address', of_address, 'visitors', visitors) INTO usage
      FROM (SELECT count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment AND b.address_hash IS NOT NULL)
                     AS held,
                   count(*) FILTER (WHERE b.status = 'requested' AND b.expires_at > moment) AS requested,
                   count(DISTINCT coalesce(b.series_id, b.id)) FILTER (
                     WHERE b.address_hash IS NOT NULL AND b.created_at > moment - recent) AS recent
              FROM bookings b
             WHERE b.person_id = person AND b.tenant_id = tenant
               AND (b.expires_at IS NOT NULL OR b.created_at > moment - recent)) own,
           (SELECT count(*) AS recent, count(*) FILTER (WHERE b.status = 'held' AND b.expires_at > moment) AS held
              FROM bookings b LEFT JOIN users u ON u.user_id = b.person_id
             WHERE b.tenant_id = tenant AND b.address_hash = booking_facts.address AND b.created_at > moment - recent
               AND u.email_verified IS NOT TRUE) of_address;
  END IF;
  IF cardinality(chosen) > 0 THEN
    SELECT json_agg(x), concerned || array_agg(x.appointment_id) INTO found_bookings, concerned FROM (
      SELECT b.id, b.appointment_id, b.service_id, b.person_id, b.status, b.party, b.starts_at, b.ends_at, b.zone,
             b.price_cents, b.approval, b.place, b.place_text, b.person_address, b.terms,
             encode(b.terms_digest, 'hex') AS terms_digest, b.waiver_level, b.waiver_until, b.sequence, b.moves,
             b.late_since, b.series_id, b.proposed_start, b.proposed_until, b.proposals, b.expires_at, b.ended_by,
             b.checked_in_at, b.checked_in_by,
             b.customer_token IS NOT NULL AS is_customer, b.address_hash IS NULL AS is_offer,
             b.hold_hash = token AS is_token,
             b.idempotency_key = key AND b.person_id = person OR b.customer_token = customer AS is_key,
             encode(b.digest, 'hex') AS digest
        FROM bookings b WHERE b.tenant_id = tenant AND b.id = ANY (chosen)
       ORDER BY b.starts_at, b.id) x;
  END IF;
  concerned := concerned || ARRAY(SELECT a.id FROM appointments a
                                   WHERE a.tenant_id = tenant AND a.live AND a.waiting > 0 AND a.taken < a.capacity);
  IF cardinality(starts) > 0 THEN
    concerned := concerned || ARRAY(
      SELECT a.id
        FROM booking_settings t
        JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
       CROSS JOIN unnest(booking_facts.starts) AS wanted (start)
        JOIN appointments a ON a.tenant_id = tenant AND a.live
         AND a.blocked && CASE WHEN has_day_max THEN tstzrange(start - near, start + near)
                               ELSE tstzrange(start - make_interval(mins => t.setup_minutes),
                                              start + make_interval(mins => s.duration_minutes + t.cleanup_minutes)) END
       WHERE t.tenant_id = tenant AND t.service_id = service);
    SELECT json_agg(json_build_array(lower(u.during), upper(u.during))) INTO found_busy
      FROM booking_settings t
      JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
     CROSS JOIN unnest(booking_facts.starts) AS wanted (start)
      JOIN busy_times u ON u.tenant_id = tenant
       AND u.during && tstzrange(start - make_interval(mins => t.setup_minutes),
                                 start + make_interval(mins => s.duration_minutes + t.cleanup_minutes))
     WHERE t.tenant_id = tenant AND t.service_id = service;
  END IF;
  IF cardinality(concerned) > 0 THEN
    SELECT json_agg(x), array_agg(x.service_id) INTO found_sessions, offered FROM (
      SELECT a.id, a.kind, a.service_id, a.starts_at, a.ends_at, a.zone, lower(a.blocked) AS blocked_from,
             upper(a.blocked) AS blocked_until, a.capacity, a.taken, a.fixed, a.live, a.place, a.place_text,
             (SELECT json_agg(w) FROM (
                SELECT w.number, w.person_id, w.party, w.status FROM waitlist w
                 WHERE w.tenant_id = tenant AND w.appointment_id = a.id AND w.status IN ('waiting', 'offered')
                 ORDER BY w.number) w) AS waitlist,
             (SELECT max(w.number) FROM waitlist w WHERE w.tenant_id = tenant AND w.appointment_id = a.id)
               AS last_number,
             (SELECT json_agg(b.person_id) FROM bookings b
               WHERE b.tenant_id = tenant AND b.appointment_id = a.id
                 AND b.status IN ('held', 'requested', 'confirmed')
                 AND (b.person_id = person
                      OR b.person_id IN (SELECT w.person_id FROM waitlist w WHERE a.waiting > 0
                                            AND w.tenant_id = tenant AND w.appointment_id = a.id
                                            AND w.status = 'waiting'))) AS seated
        FROM appointments a WHERE a.tenant_id = tenant AND a.id = ANY (concerned)
       ORDER BY a.starts_at, a.id) x;
  END IF;
  SELECT json_agg(x) INTO found_services FROM (
    SELECT s.id, s.duration_minutes AS minutes, s.over_limit, t.open, t.approval, t.capacity, t.party_max, t.starts,
           t.place, t.place_text, t.setup_minutes, t.cleanup_minutes
      FROM booking_settings t JOIN services s ON s.tenant_id = tenant AND s.id = t.service_id
     WHERE t.tenant_id = tenant AND t.service_id = ANY (offered || service)) x;
  IF waiver IS NOT NULL THEN
    SELECT row_to_json(x) INTO found_waiver FROM (
      SELECT w.id, w.level, w.expires_at FROM waivers w
       WHERE w.user_id = person AND w.id = waiver AND w.ended_at IS NULL) x;
  END IF;
  SELECT json_agg(x) INTO found_uses FROM (
    SELECT b.id, b.package_grant_id AS grant_id, b.package_sessions FROM bookings b
     WHERE b.tenant_id = tenant AND b.id = ANY (chosen) AND b.package_grant_id IS NOT NULL) x;
  IF person IS NOT NULL OR cardinality(ids) > 0 OR found_uses IS NOT NULL THEN
    SELECT json_agg(x) INTO found_grants FROM (
      SELECT g.id, g.service_id, g.person_id, g.name, g.granted, g.left_over, g.taken_back, g.expires_at,
             g.is_customer
        FROM package_grants g
       WHERE g.tenant_id = tenant
         AND (g.id = ANY (ids) OR g.person_id = person AND g.left_over > 0
              OR g.id IN (SELECT b.package_grant_id FROM bookings b
                           WHERE b.tenant_id = tenant AND b.id = ANY (chosen)))
       ORDER BY g.expires_at, g.id) x;
  END IF;
  RETURN json_build_object(
    'now', moment, 'user_id', person, 'is_acting', app.acting_tenant_id() = tenant, 'calendar', calendar,
    'bookings', found_bookings, 'sessions', found_sessions, 'busy', found_busy, 'services', found_services,
    'waiver', found_waiver, 'usage', usage, 'grants', found_grants, 'uses', found_uses);
END $$;
REVOKE ALL ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.booking_facts(uuid[], bytea, text, boolean, uuid, boolean, uuid, timestamptz[], interval, uuid,
  boolean, bytea, interval, uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/count_session.sql
-- Add to the counters of a session: occupied seats, people who wait, and changes that its calendar event shows. Return
-- whether it exists. The constraint on the seats rejects one too many. A session without bookings ends, and its time is
-- free again, unless its start is fixed.
--
-- Called by: the triggers of bookings and waitlists. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_session(
  tenant uuid, session uuid, seats integer, people_waiting integer, changes integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE appointments a
     SET taken = a.taken + seats, waiting = a.waiting + people_waiting, sequence = a.sequence + changes,
         live = CASE WHEN seats > 0 THEN true
                     WHEN seats < 0 THEN a.live AND (a.fixed OR a.taken + seats > 0 OR a.kind = 'block')
                     ELSE a.live END
   WHERE a.tenant_id = tenant AND a.id = session;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.count_session(uuid, uuid, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.count_session(uuid, uuid, integer, integer, integer) TO porchlight_overseer;

-- file: functions/create_report.sql
-- Store a report about a site, post, profile or listing, within the shares of the sender's address and network in a
-- `period`, and in a flood with a proof of work. Outcomes: created; same (sent before with this key); other (the key was used for another
-- report); unproven and limited (see app.flood_limit); unknown (the subject does not exist, is hidden or is not
-- published).
--
-- `reporter`: the current user, or NULL for a visitor. Without `flood_from` only the address has a limit; without
-- `max_per_address` there is none.
--
-- A subject is public: a site, a post (label/slug), a profile (handle), a listing (id) or a review of a guru (id); or it is
-- a guru's review (id) of the current user, or a thread (id), which only its two people can report, with `evidence`: its
-- last messages.
--
-- Called by: reports.
-- SECURITY DEFINER: the app role may add to reports through this function and read nothing, and the subject is a row of any
-- tenant or user.
CREATE OR REPLACE FUNCTION app.create_report(
  new_id uuid, kind text, name text, reason text, details text, reporter uuid, address bytea,
  network bytea, key text, new_digest bytea, is_proven boolean, max_per_address integer, max_per_network integer,
  flood_from integer, max_in_total integer, period interval, max_title integer, evidence jsonb
) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  earlier_digest bytea;
  subject record;
  allowed text;
BEGIN
  SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  IF NOT FOUND THEN
    SELECT s.* INTO subject FROM (
      SELECT g.id, g.label, g.character, g.id FROM gurus g
       WHERE kind = 'site' AND g.label = name AND g.status = 'active'
      UNION ALL
      SELECT p.id, g.label || '/' || p.slug, p.title, g.id FROM gurus g JOIN posts p ON p.tenant_id = g.id
       WHERE kind = 'post' AND g.label = split_part(name, '/', 1) AND p.slug = split_part(name, '/', 2)
         AND g.status = 'active' AND p.status = 'published' AND p.published_at <= app.now()
      UNION ALL
      SELECT p.user_id, p.handle, p.display_name, NULL FROM profiles p JOIN users u ON u.user_id = p.user_id
       WHERE kind = 'profile' AND p.handle = name AND p.is_public AND p.registered_at IS NOT NULL AND u.status = 'active'
      UNION ALL
      SELECT o.id, o.id::text, o.title, NULL FROM skill_offers o JOIN users u ON u.user_id = o.user_id
       WHERE kind = 'listing' AND u.status = 'active' AND o.visible
         AND o.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
      UNION ALL
      SELECT r.id, r.id::text, left(r.service_name || ': ' || r.body, max_title), r.tenant_id
        FROM reviews r JOIN gurus g ON g.id = r.tenant_id
       WHERE kind = 'review' AND g.status = 'active' AND r.published_at IS NOT NULL AND r.removed_at IS NULL
         AND (r.side = 'person' OR r.person_id = app.user_id())
         AND r.id = CASE WHEN name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN name::uuid END
      UNION ALL
      SELECT t.thread_id, t.thread_id::text, left('Messages with ' || coalesce(t.shown_name, 'a neighbor'), max_title), NULL
        FROM thread_people t
       WHERE kind = 'thread' AND evidence IS NOT NULL
         AND t.thread_id = CASE WHEN create_report.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                                THEN create_report.name::uuid END
    ) s (subject_id, subject_name, subject_title, guru_id);
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'unknown';
      RETURN;
    END IF;
    IF flood_from IS NOT NULL THEN
      allowed := app.flood_limit('reports', NULL, address, network, app.now() - period, is_proven, max_per_address,
                                 max_per_network, flood_from, max_in_total);
    ELSIF max_per_address <= (
      SELECT count(*) FROM (SELECT FROM reports r WHERE r.address_hash = address AND r.created_at > app.now() - period
                             LIMIT max_per_address) earlier
    ) THEN
      allowed := 'limited';
    END IF;
    IF allowed <> 'open' THEN
      RETURN QUERY SELECT allowed;
      RETURN;
    END IF;
    INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, details,
                         reporter_id, address_hash, network_hash, idempotency_key, digest, evidence)
    VALUES (new_id, kind, subject.subject_id, subject.subject_name, subject.subject_title, subject.guru_id, reason,
            details, CASE WHEN reporter = app.user_id() THEN reporter END, address, network, key, new_digest,
            CASE WHEN kind = 'thread' THEN create_report.evidence END)
    ON CONFLICT (idempotency_key) DO NOTHING;
    IF FOUND THEN
      RETURN QUERY SELECT 'created';
      RETURN;
    END IF;
    SELECT r.digest INTO earlier_digest FROM reports r WHERE r.idempotency_key = key;
  END IF;
  RETURN QUERY SELECT CASE WHEN earlier_digest = new_digest THEN 'same' ELSE 'other' END;
END $$;
REVOKE ALL ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, interval, integer, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.create_report(uuid, text, text, text, text, uuid, bytea, bytea, text, bytea, boolean,
    integer, integer, integer, integer, interval, integer, jsonb) TO porchlight_app, porchlight_overseer;

-- file: functions/deliver_message.sql
-- Write a message that was decided on: number it, give both inboxes their next change number, count it as unread for the
-- other person, and read what came before for its sender. A thread that is missing is created.
--
-- app.delivery_facts has locked both inboxes until the transaction ends. So the order of the change numbers of a person is
-- the order of the commits, and a reader who asks for what is after a number skips nothing.
--
-- Called by: messages, with what `decide_delivery` decided on these facts.
-- SECURITY DEFINER: the other person's inbox is behind row level security. That neither blocked the other, and that the
-- files are the sender's, is checked again: a wrong decision cannot reach someone who does not want it.
CREATE OR REPLACE FUNCTION app.deliver_message(
  new_thread uuid, other uuid, guru uuid, guru_person uuid, new_id uuid, body text, file_ids uuid[], key text,
  new_digest bytea, is_request boolean, hold_until timestamptz, mail_at timestamptz,
  mail_check text)
RETURNS TABLE (thread_id uuid, number integer, change bigint, unread integer, other_change bigint, other_unread integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
  a uuid := least(me, other);
  b uuid := greatest(me, other);
  thread threads;
  own thread_members;
  theirs thread_members;
  my_inbox inboxes;
  their_inbox inboxes;
  attached jsonb := '[]';
BEGIN
  IF me IS NULL OR other = me OR NOT EXISTS (SELECT FROM users u WHERE u.user_id = other AND u.status <> 'erased')
     OR EXISTS (SELECT FROM blocks x WHERE (x.user_id, x.blocked_id) IN ((me, other), (other, me)))
     OR coalesce(guru_person, me) NOT IN (me, other) THEN
    RAISE insufficient_privilege USING MESSAGE = 'these two do not exchange messages';
  END IF;
  SELECT t.* INTO thread FROM threads t
   WHERE t.person_a_id = a AND t.person_b_id = b AND t.guru_id IS NOT DISTINCT FROM guru;
  IF NOT FOUND THEN
    INSERT INTO threads (person_a_id, person_b_id, id, guru_id, opened_by)
    VALUES (a, b, new_thread, guru, me) RETURNING * INTO thread;
  END IF;
  UPDATE threads t SET number = t.number + 1 WHERE t.person_a_id = a AND t.id = thread.id RETURNING t.number INTO thread.number;
  IF cardinality(file_ids) > 0 THEN
    UPDATE message_files f SET thread_id = thread.id, number = thread.number
     WHERE f.user_id = me AND f.id = ANY (file_ids) AND f.thread_id IS NULL AND f.stored_at IS NOT NULL;
    SELECT jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'bytes', f.size, 'type', f.kind,
                                        'width', f.width, 'height', f.height) ORDER BY array_position(file_ids, f.id))
      INTO attached FROM message_files f WHERE f.user_id = me AND f.thread_id = thread.id AND f.number = thread.number;
    IF coalesce(jsonb_array_length(attached), 0) <> cardinality(file_ids) THEN
      RAISE insufficient_privilege USING MESSAGE = 'a file is not the sender''s';
    END IF;
  END IF;
  -- The sender has read the thread, takes part in it, and finds it in the inbox.
  SELECT m.* INTO own FROM thread_members m WHERE m.user_id = me AND m.thread_id = thread.id;
  UPDATE inboxes i SET change = i.change + 1,
         unread = i.unread - CASE WHEN own.held_until IS NULL THEN coalesce(own.unread, 0) ELSE 0 END
   WHERE i.user_id = me RETURNING i.* INTO my_inbox;
  INSERT INTO thread_members AS m (user_id, thread_id, other_id, side, read_number, change, last_at)
  VALUES (me, thread.id, other, CASE WHEN guru_person = me THEN 'guru' ELSE 'person' END, thread.number, my_inbox.change,
          app.now())
  ON CONFLICT (user_id, thread_id) DO UPDATE
     SET read_number = thread.number, unread = 0, change = my_inbox.change, archived = false, request = false,
         held_until = NULL, mail_due_at = NULL, last_at = app.now();
  PERFORM set_config('app.user_id', other::text, true);
  SELECT m.* INTO theirs FROM thread_members m WHERE m.user_id = other AND m.thread_id = thread.id;
  UPDATE inboxes i SET change = i.change + 1,
         unread = i.unread + CASE WHEN theirs.held_until IS NULL AND hold_until IS NULL THEN 1 ELSE 0 END
   WHERE i.user_id = other RETURNING i.* INTO their_inbox;
  INSERT INTO thread_members AS m (user_id, thread_id, other_id, side, unread, change, request, held_until, mail_due_at, last_at)
  VALUES (other, thread.id, me, CASE WHEN guru_person = other THEN 'guru' ELSE 'person' END, 1, their_inbox.change,
          is_request, hold_until, mail_at, app.now())
  ON CONFLICT (user_id, thread_id) DO UPDATE
     SET unread = m.unread + 1, change = their_inbox.change, archived = false, last_at = app.now(),
         held_until = coalesce(m.held_until, hold_until),
         mail_due_at = CASE WHEN NOT m.muted THEN coalesce(m.mail_due_at, mail_at) END;
  PERFORM set_config('app.user_id', me::text, true);
  INSERT INTO messages (person_a_id, person_b_id, thread_id, number, id, sender_id, body, files, change_a, change_b,
                        idempotency_key, digest, mail_check)
  VALUES (a, b, thread.id, thread.number, new_id, me, body, attached,
          CASE WHEN a = me THEN my_inbox.change ELSE their_inbox.change END,
          CASE WHEN b = me THEN my_inbox.change ELSE their_inbox.change END, key, new_digest, mail_check);
  RETURN QUERY SELECT thread.id, thread.number, my_inbox.change, my_inbox.unread, their_inbox.change, their_inbox.unread;
END $$;
REVOKE ALL ON FUNCTION app.deliver_message(uuid, uuid, uuid, uuid, uuid, text, uuid[], text, bytea, boolean, timestamptz,
  timestamptz, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.deliver_message(uuid, uuid, uuid, uuid, uuid, text, uuid[], text, bytea, boolean, timestamptz,
  timestamptz, text) TO porchlight_app, porchlight_overseer;

-- file: functions/delivery_facts.sql
-- Lock the inboxes of the current user and of `other`, or of the other person of `thread`, and return what a delivery
-- between the two depends on, as plain values of one moment; NULL if there is no such thread of the user. `messages_since`
-- and `threads_since`: the times from which messages and new threads count. Counts end at `most`.
--
-- The inboxes are locked in the order of their ids until the transaction ends; one that is missing is created. What is
-- read is of the time after the locks.
--
-- Called by: messages, first in the transaction of each delivery and removal.
-- SECURITY DEFINER: the other person's inbox, account, blocks and state of the thread are behind row level security. What
-- is returned of them is not shown to anyone.
CREATE OR REPLACE FUNCTION app.delivery_facts(
  thread uuid, other uuid, guru uuid, key text, files uuid[], messages_since timestamptz, threads_since timestamptz, most integer)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  me uuid := app.user_id();
  person uuid := other;
  one uuid;
BEGIN
  IF thread IS NOT NULL THEN
    SELECT CASE WHEN t.person_a_id = me THEN t.person_b_id ELSE t.person_a_id END INTO person
      FROM threads t WHERE t.id = thread AND me IN (t.person_a_id, t.person_b_id);
  END IF;
  IF me IS NULL OR person IS NULL OR person = me THEN
    RETURN NULL;
  END IF;
  FOR one IN
    SELECT u.user_id FROM users u WHERE u.user_id IN (me, person) AND u.status <> 'erased' ORDER BY 1
  LOOP
    PERFORM set_config('app.user_id', one::text, true);
    PERFORM FROM inboxes i WHERE i.user_id = one FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO inboxes (user_id) VALUES (one) ON CONFLICT DO NOTHING;
      PERFORM FROM inboxes i WHERE i.user_id = one FOR UPDATE;
    END IF;
  END LOOP;
  PERFORM set_config('app.user_id', me::text, true);
  RETURN (
    WITH pair AS MATERIALIZED (
      SELECT t.* FROM threads t
       WHERE t.person_a_id = least(me, person) AND t.person_b_id = greatest(me, person)
         AND CASE WHEN thread IS NOT NULL THEN t.id = thread ELSE t.guru_id IS NOT DISTINCT FROM guru END
    ), theirs AS MATERIALIZED (
      SELECT m.* FROM pair p JOIN thread_members m ON m.thread_id = p.id AND m.user_id = person
    )
    SELECT jsonb_build_object(
      'now', app.now(),
      'other_id', person,
      'thread', (SELECT jsonb_build_object('id', p.id, 'guru_id', p.guru_id, 'number', p.number) FROM pair p),
      'is_request', coalesce((SELECT m.request FROM theirs m), false),
      'is_muted', coalesce((SELECT m.muted FROM theirs m), false),
      'is_held', coalesce((SELECT m.held_until IS NOT NULL FROM theirs m), false),
      'unread', coalesce((SELECT m.unread FROM theirs m), 0),
      'mailed_at', (SELECT m.mailed_at FROM theirs m),
      'other_status', (SELECT u.status FROM users u WHERE u.user_id = person),
      'blocks', EXISTS (SELECT FROM blocks b WHERE b.user_id = me AND b.blocked_id = person),
      'is_blocked', EXISTS (SELECT FROM blocks b WHERE b.user_id = person AND b.blocked_id = me),
      'earlier', (SELECT jsonb_build_object('number', g.number, 'digest', encode(g.digest, 'hex'))
                    FROM pair p JOIN messages g ON g.person_a_id = p.person_a_id AND g.thread_id = p.id
                     AND g.sender_id = me AND g.idempotency_key = key),
      'messages', (SELECT count(*) FROM (SELECT FROM messages g WHERE g.sender_id = me AND g.created_at > messages_since
                                          LIMIT most) c),
      'threads', (SELECT count(*) FROM (SELECT FROM threads t WHERE t.opened_by = me AND t.created_at > threads_since
                                         LIMIT most) c),
      'files', (SELECT count(*) FROM message_files f WHERE f.user_id = me AND f.id = ANY (files)
                   AND f.thread_id IS NULL AND f.stored_at IS NOT NULL)));
END $$;
REVOKE ALL ON FUNCTION app.delivery_facts(uuid, uuid, uuid, text, uuid[], timestamptz, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.delivery_facts(uuid, uuid, uuid, text, uuid[], timestamptz, timestamptz, integer)
  TO porchlight_app, porchlight_overseer;

-- file: functions/email_settings_of.sql
-- Return the email settings that a link's token is for: the kind, or 'all'; the kinds that are off; and whether the person
-- has a guru's site. With `changed`, a kind is first turned on or off. No row for an unknown token, and for a kind that is
-- not the link's: a link of one kind changes that kind only.
--
-- Called by: email_settings.
-- SECURITY DEFINER: anyone with the link reads and changes them without signing in.
CREATE OR REPLACE FUNCTION app.email_settings_of(link uuid, changed text, wanted boolean)
RETURNS TABLE (kind text, kinds_off text[], is_guru boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  caller text := current_setting('app.user_id', true);
  found_link email_settings;
BEGIN
  SELECT s.* INTO found_link FROM email_settings s
   WHERE s.token = link AND (changed IS NULL OR s.kind IN ('all', changed) AND changed <> 'all');
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF changed IS NOT NULL THEN
    PERFORM set_config('app.user_id', found_link.user_id::text, true);
    INSERT INTO email_settings (user_id, kind, is_on) VALUES (found_link.user_id, changed, wanted)
    ON CONFLICT (user_id, kind) DO UPDATE SET is_on = excluded.is_on, changed_at = excluded.changed_at;
    PERFORM set_config('app.user_id', caller, true);
  END IF;
  RETURN QUERY
    SELECT found_link.kind, ARRAY(SELECT s.kind FROM email_settings s WHERE s.user_id = found_link.user_id AND NOT s.is_on),
           EXISTS (SELECT FROM memberships m WHERE m.user_id = found_link.user_id);
END $$;
REVOKE ALL ON FUNCTION app.email_settings_of(uuid, text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.email_settings_of(uuid, text, boolean) TO porchlight_app;

-- file: functions/enqueue_task.sql
-- Add a job of the transaction's tenant or user to the queue and return its id. The arguments cannot name another one.
-- With `once`, of the jobs that wait for the same tenant or user there is at most one of this task and `start_at`; then it
-- may return NULL. Any other task, and a transaction without the tenant or user that the task needs, is an error.
--
-- Called by: `enqueue()` in Python, in the transaction of a request or a job. Some tasks only start from the job that
-- decides on them.
-- SECURITY DEFINER: the app role may not call app.enqueue.
CREATE OR REPLACE FUNCTION app.enqueue_task(task text, args jsonb, once boolean, start_at timestamptz DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = app, pg_temp AS $$
DECLARE
  subject_id uuid := CASE
    WHEN task IN ('leads:notify_guru', 'leads:send_receipt', 'leads:send_reply') THEN app.tenant_id()
    WHEN task = 'busy_sources:read' THEN app.acting_tenant_id()  -- not for visitors of the site
    WHEN task IN ('angels:notify_angels', 'angels:notify_owner', 'angels:notify_result', 'angels:update_counters',
                  'auth:delete_identity', 'auth:revoke_tokens', 'listings:geocode_user', 'notifications:deliver',
                  'notifications:release_device', 'notifications:send_test', 'profiles:send_welcome', 'waivers:send_receipt')
      THEN app.user_id()
    WHEN task IN ('documents:notify_expired', 'documents:send_expiry_reminder')
      THEN (SELECT app.user_id() FROM app.running_task() r WHERE r.task = 'documents:process_expiry')
    WHEN task = 'leads:send_digest'
      THEN (SELECT app.tenant_id() FROM app.running_task() r
             WHERE r.task = 'leads:notify_guru' AND r.args ->> 'tenant_id' = app.tenant_id()::text)
  END;
BEGIN
  IF subject_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = format('this transaction may not enqueue %s', task);
  END IF;
  RETURN app.enqueue(task, args - ARRAY['tenant_id', 'user_id'],
                     CASE WHEN once THEN concat_ws(':', task, subject_id, extract(epoch FROM start_at)::bigint) END,
                     NULL, start_at);
END $$;
REVOKE ALL ON FUNCTION app.enqueue_task(text, jsonb, boolean, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.enqueue_task(text, jsonb, boolean, timestamptz) TO porchlight_app, porchlight_overseer;

-- file: functions/erase_words.sql
-- Erase the current user's words where rows have no owner: names of their skills, activities they asked about, and
-- reports by or about them. Reports stay, without the words and the reporter, as the record of what staff decided.
--
-- `max_activity`: the length of an activity in the reviews of risk.
--
-- Events of the payment provider lose their text if it names the user's customer or account there.
--
-- Called by: account, when it is deleted, before the rows of the features are.
-- SECURITY DEFINER: the app role cannot touch phrases, risk_reviews and reports.
CREATE OR REPLACE FUNCTION app.erase_words(max_activity integer) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  erased uuid := app.user_id();
  phrase_ids integer[];
  titles text[];
  with_details text[];
BEGIN
  UPDATE reports r SET evidence = NULL, subject_title = ''
   WHERE r.subject_kind = 'thread'
     AND r.subject_id IN (SELECT t.id FROM threads t WHERE erased IN (t.person_a_id, t.person_b_id));
  UPDATE reports SET reporter_id = NULL, details = '' WHERE reporter_id = erased;
  UPDATE reports r SET subject_name = '', subject_title = ''
   WHERE (r.subject_kind = 'profile' AND r.subject_id = erased)
      OR (r.subject_kind = 'listing'
          AND r.subject_id IN (SELECT o.id FROM skill_offers o WHERE o.user_id = erased))
      OR (r.subject_kind = 'review'
          AND r.subject_id IN (SELECT w.id FROM reviews w WHERE w.person_id = erased))
      OR r.guru_id IN (SELECT m.tenant_id FROM memberships m WHERE m.user_id = erased);
  SELECT array_agg(o.phrase_id), array_agg(left(app.normalize_text(o.title), max_activity)) INTO phrase_ids, titles
    FROM skill_offers o WHERE o.user_id = erased;
  with_details := ARRAY(SELECT left(app.normalize_text(o.title || '. ' || o.details), max_activity)
                          FROM skill_offers o WHERE o.user_id = erased AND o.details <> '');
  phrase_ids := phrase_ids || ARRAY(SELECT w.phrase_id FROM skill_wants w WHERE w.user_id = erased)
                           || ARRAY(SELECT h.phrase_id FROM hidden_listings h WHERE h.owner_id = erased);
  DELETE FROM skill_offers o WHERE o.user_id = erased;
  DELETE FROM skill_wants w WHERE w.user_id = erased;
  DELETE FROM hidden_listings h WHERE h.owner_id = erased;
  DELETE FROM risk_reviews r
   WHERE r.asked_by = erased
      OR (r.category = '' AND r.activity = ANY (with_details))
      OR (r.category = '' AND r.activity = ANY (titles)
          AND NOT EXISTS (SELECT FROM skill_offers o JOIN phrases p ON p.id = o.phrase_id
                           WHERE left(p.words, max_activity) = r.activity));
  PERFORM app.delete_unused_phrases(phrase_ids);
  -- Only events that failed or wait have a text. One that waits is processed within minutes, and then has none.
  UPDATE stripe_inbox i SET body = NULL, error = ''
   WHERE i.body IS NOT NULL AND i.state <> 'new'
     AND (i.account <> '' AND i.account IN (SELECT a.account_id FROM payout_accounts a WHERE a.user_id = erased)
          OR EXISTS (SELECT FROM billing_customers b
                      WHERE b.user_id = erased AND position(convert_to(b.customer_id, 'UTF8') IN i.body) > 0));
END $$;
REVOKE ALL ON FUNCTION app.erase_words(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.erase_words(integer) TO porchlight_app, porchlight_overseer;

-- file: functions/exchange_facts.sql
-- Return what a change of an exchange depends on, as plain values of one moment, or NULL if it does not exist for the
-- current user: their exchange by `wanted`, or a new one about the visible listing `offer`. `starts` and `length`, in
-- minutes: the times of which it returns what the teacher has agreed on then. Counts end at `most`.
--
-- The calendar of the teacher's site is locked first, then the teacher, then the exchange: two changes of the same teacher
-- wait for each other, and for bookings. A new exchange locks both people instead, in the order of their ids, so that its
-- limits hold. The locks last until the transaction ends. The function restores the tenant that was set before.
--
-- Called by: exchanges.
-- SECURITY DEFINER: listings, accounts, blocks, other exchanges and the calendar of the teacher are behind row level
-- security. What is returned of them is not shown to anyone.
CREATE OR REPLACE FUNCTION app.exchange_facts(
  wanted uuid, offer uuid, key text, asked_since timestamptz, starts timestamptz[], length integer, most integer)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  me uuid := app.user_id();
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  agreed exchanges;
  teacher uuid;
  other uuid;
  guru uuid;
  calendar_zone text;
  result jsonb;
BEGIN
  SELECT * INTO agreed FROM exchanges e WHERE e.id = wanted AND me IN (e.person_a_id, e.person_b_id);
  teacher := CASE WHEN wanted IS NOT NULL THEN agreed.teacher_id
                  ELSE (SELECT o.user_id FROM skill_offers o WHERE o.id = offer AND o.visible) END;
  IF me IS NULL OR teacher IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT m.tenant_id INTO guru FROM memberships m WHERE m.user_id = teacher;
  PERFORM set_config('app.tenant_id', guru::text, true);
  IF wanted IS NULL THEN
    other := teacher;
    PERFORM pg_advisory_xact_lock(hashtextextended('exchanges ' || p.id, 0))
       FROM (SELECT unnest(ARRAY[least(me, other), greatest(me, other)]) AS id OFFSET 0) p;
  ELSE
    other := CASE WHEN agreed.person_a_id = me THEN agreed.person_b_id ELSE agreed.person_a_id END;
    PERFORM app.lock_calendar();
    PERFORM pg_advisory_xact_lock(hashtextextended('exchanges ' || teacher, 0));
    SELECT * INTO agreed FROM exchanges e WHERE e.person_a_id = agreed.person_a_id AND e.id = wanted FOR UPDATE;
  END IF;
  SELECT c.zone INTO calendar_zone FROM calendars c WHERE c.tenant_id = guru;
  result := jsonb_build_object(
    'now', app.now(),
    'exchange', to_jsonb(agreed),
    'teacher_id', teacher,
    'calendar_zone', calendar_zone,
    'teacher_cell', (SELECT jsonb_build_array(l.cell_lat, l.cell_lon) FROM user_locations l JOIN profiles p USING (user_id)
                      WHERE l.user_id = teacher AND l.tile >= 0 AND p.shows_location),
    'is_active', EXISTS (SELECT FROM users u WHERE u.user_id = other AND u.status = 'active'),
    'is_hidden', EXISTS (SELECT FROM hidden_people h WHERE h.user_id = other),
    'earlier', (SELECT jsonb_build_object('id', e.id, 'digest', encode(e.digest, 'hex')) FROM exchanges e
                 WHERE me IN (e.person_a_id, e.person_b_id) AND e.teacher_id <> me AND e.idempotency_key = key LIMIT 1),
    'asked', (SELECT count(*) FROM (SELECT FROM exchanges e WHERE me IN (e.person_a_id, e.person_b_id) AND e.teacher_id <> me
                                       AND e.created_at > asked_since LIMIT most) c),
    'open', (SELECT count(*) FROM (SELECT FROM exchanges e WHERE e.person_a_id = least(me, other)
                                      AND e.person_b_id = greatest(me, other)
                                      AND e.status IN ('asked', 'countered') AND e.expires_at > app.now() LIMIT most) c),
    'taken', coalesce((SELECT jsonb_agg(s.at) FROM unnest(starts) s (at)
                         WHERE EXISTS (SELECT FROM exchanges e
                                        WHERE e.teacher_id = teacher AND e.status = 'confirmed'
                                          AND e.id IS DISTINCT FROM wanted
                                          AND tstzrange(e.starts_at, e.ends_at)
                                              && tstzrange(s.at, s.at + make_interval(mins => length)))), '[]'),
    'blocked', coalesce((SELECT jsonb_agg(s.at) FROM unnest(starts) s (at)
                          WHERE EXISTS (SELECT FROM appointments a
                                         WHERE a.tenant_id = guru AND a.live
                                           AND a.blocked && tstzrange(s.at, s.at + make_interval(mins => length)))), '[]'));
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN result;
END $$;
REVOKE ALL ON FUNCTION app.exchange_facts(uuid, uuid, text, timestamptz, timestamptz[], integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.exchange_facts(uuid, uuid, text, timestamptz, timestamptz[], integer, integer)
  TO porchlight_app, porchlight_overseer;

-- file: functions/find_claimable.sql
-- Return the booking of a customer's link (`is_named`), and those with the same guru that pass to the current user with
-- it: all for the same customer, and, if the guru entered the user's verified address, all with that address (`matches`).
-- `person_id` is the id that takes the place of the customer's account, or the account that has claimed the booking. No
-- row for an unknown link.
--
-- Called by: bookings, for someone who opens a customer's link.
-- SECURITY DEFINER: a customer is no user, and a user is no party of the bookings yet. The token is the permission; the
-- tenant comes from it.
CREATE OR REPLACE FUNCTION app.find_claimable(link_token uuid, max_rows integer)
RETURNS TABLE (booking_id uuid, person_id uuid, is_named boolean, is_claimed boolean, matches boolean, service_name text,
               starts_at timestamptz, ends_at timestamptz, zone text, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.person_id, o.id = b.id, o.customer_token IS NULL,
         coalesce(lower(b.customer_email) = u.address, false), o.service_name, o.starts_at, o.ends_at, o.zone, o.status
    FROM bookings b
    LEFT JOIN (SELECT lower(a.email) AS address FROM users a
                WHERE a.user_id = app.user_id() AND a.email_verified) u ON true
    JOIN bookings o ON o.tenant_id = b.tenant_id
     AND (o.id = b.id
          OR b.customer_token IS NOT NULL AND o.customer_token IS NOT NULL
             AND (o.person_id = b.person_id
                  OR lower(b.customer_email) = u.address AND lower(o.customer_email) = u.address))
   WHERE b.tenant_id = app.tenant_id() AND (b.customer_token = link_token OR b.claimed_token = link_token)
   ORDER BY o.id = b.id DESC, o.starts_at DESC, o.id LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.find_claimable(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_claimable(uuid, integer) TO porchlight_app;

-- file: functions/find_feed.sql
-- Return the feed with the digest of a secret, its user, and for a guru's feed the guru; no row for an unknown one, and
-- none while the account is not active.
--
-- Called by: bookings, for a calendar program, which has the secret only. Everything else is read as the user.
-- SECURITY DEFINER: the user is not known before the feed is found.
CREATE OR REPLACE FUNCTION app.find_feed(secret bytea)
RETURNS TABLE (user_id uuid, id uuid, kind text, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.user_id, f.id, f.kind, m.tenant_id
    FROM calendar_feeds f JOIN users u ON u.user_id = f.user_id
    LEFT JOIN memberships m ON m.user_id = f.user_id AND f.kind = 'guru'
   WHERE f.secret_hash = find_feed.secret AND u.status = 'active' AND (f.kind = 'personal' OR m.tenant_id IS NOT NULL)
$$;
REVOKE ALL ON FUNCTION app.find_feed(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_feed(bytea) TO porchlight_app, porchlight_overseer;

-- file: functions/find_invited.sql
-- Return the confirmed booking of the transaction's tenant whose invitation has this event id and went to this address, and
-- which side of it the address is of: the person's, whose event is the booking, or that of the guru's owner, whose event
-- is the booking or the session of a class.
--
-- Called by: bookings, for the answer of a calendar program, which arrives by email.
-- SECURITY DEFINER: no one is signed in. The id is in the invitation only, and the address is compared.
CREATE OR REPLACE FUNCTION app.find_invited(event_id uuid, address text)
RETURNS TABLE (booking_id uuid, person_id uuid, side text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.id, b.person_id, 'person' FROM bookings b
    LEFT JOIN users u ON u.user_id = b.person_id AND u.status = 'active'
   WHERE b.tenant_id = app.tenant_id() AND b.id = event_id AND b.status = 'confirmed' AND lower(coalesce(u.email, b.customer_email)) = address
   UNION ALL
  SELECT b.id, b.person_id, 'guru' FROM bookings b
    JOIN memberships m ON m.tenant_id = b.tenant_id
    JOIN users u ON u.user_id = m.user_id AND u.status = 'active'
   WHERE b.tenant_id = app.tenant_id() AND event_id IN (b.id, b.appointment_id) AND b.status = 'confirmed'
     AND lower(u.email) = address
   LIMIT 1
$$;
REVOKE ALL ON FUNCTION app.find_invited(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_invited(uuid, text) TO porchlight_app;

-- file: functions/find_reply_address.sql
-- Return the side of a thread that a token of a reply address names, with the verified address of its person; no row for
-- an unknown token, and for an account that is not active or has no verified address.
--
-- Called by: messages, for an answer by email.
-- SECURITY DEFINER: no one is signed in. The token is in the emails to that person only.
CREATE OR REPLACE FUNCTION app.find_reply_address(token uuid)
RETURNS TABLE (user_id uuid, thread_id uuid, email text, side text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.user_id, m.thread_id, lower(u.email), m.side FROM thread_members m JOIN users u ON u.user_id = m.user_id
   WHERE m.reply_token = token AND u.status = 'active' AND u.email_verified AND u.email <> ''
$$;
REVOKE ALL ON FUNCTION app.find_reply_address(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.find_reply_address(uuid) TO porchlight_app;

-- file: functions/job_contacts.sql
-- Return the people whom the running job emails or names, while their accounts are active: those of the row that its
-- arguments name, which must be of the job's tenant or user. `part` says what they are to the row, and `details` what the
-- job may know of the row. `name` is the name in an email to them, `shown_name` the one that others see. The address of a
-- swap ring's member is empty until it is verified.
--
-- Called by: leads, angels, matches, bookings and busy sources, in the jobs named here. Any other job gets an error.
-- SECURITY DEFINER: accounts and rows of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.job_contacts()
RETURNS TABLE (part text, user_id uuid, email text, email_verified boolean, name text, shown_name text, details jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  job record := app.running_task();
  tenant uuid := (job.args ->> 'tenant_id')::uuid;
  author uuid := (job.args ->> 'user_id')::uuid;
BEGIN
  IF job.task NOT IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply', 'angels:notify_owner',
                      'angels:notify_result', 'matches:notify_members', 'bookings:send_emails',
                      'bookings:send_changes', 'bookings:send_agenda', 'bookings:send_waitlist_canceled',
                      'bookings:send_package_email', 'busy_sources:read') THEN
    RAISE insufficient_privilege USING MESSAGE = format('the job %s has no contacts', job.task);
  END IF;
  RETURN QUERY
  SELECT c.part, u.user_id, CASE WHEN u.email_verified OR c.part <> 'member' THEN u.email ELSE '' END, u.email_verified, p.display_name,
         (SELECT s.shown_name FROM shown_people s WHERE s.user_id = u.user_id), c.details
    FROM (
      -- The owner of the job's guru.
      SELECT 'owner' AS part, m.user_id, '{}'::jsonb AS details, 0 AS place, NULL::uuid AS row_id
        FROM memberships m
       WHERE m.tenant_id = tenant AND job.task IN ('leads:notify_guru', 'leads:send_digest', 'leads:send_reply',
                                                   'bookings:send_emails', 'bookings:send_changes',
                                                   'bookings:send_agenda', 'busy_sources:read')
       UNION ALL
      -- The person of the job's booking; or of several ones with the guru, if the job writes to that person.
      SELECT 'person', b.person_id, '{}', 1, b.id FROM bookings b
       WHERE b.tenant_id = tenant AND b.id = (job.args ->> 'booking_id')::uuid AND job.task = 'bookings:send_emails'
       UNION ALL
      (SELECT 'person', b.person_id, '{}', 1, b.person_id FROM bookings b
        WHERE b.tenant_id = tenant AND b.person_id = nullif(job.args ->> 'person_id', '')::uuid
          AND job.task = 'bookings:send_changes' AND job.args ->> 'side' = 'person' LIMIT 1)
       UNION ALL
      -- The person of the job's place on a waitlist.
      SELECT 'person', w.person_id, '{}', 1, w.person_id FROM waitlist w
       WHERE w.tenant_id = tenant AND w.appointment_id = (job.args ->> 'appointment_id')::uuid
         AND w.number = (job.args ->> 'number')::integer AND job.task = 'bookings:send_waitlist_canceled'
       UNION ALL
      -- The person who has the job's package.
      SELECT 'person', p.person_id, '{}', 1, p.id FROM package_grants p
       WHERE p.tenant_id = tenant AND p.id = (job.args ->> 'grant_id')::uuid AND job.task = 'bookings:send_package_email'
       UNION ALL
      -- Who made the job's offer, and who needs help, while the offer can be accepted.
      SELECT a.part, a.user_id, jsonb_build_object('title', n.title), 0, o.id
        FROM need_offers o JOIN needs n ON n.id = o.need_id
       CROSS JOIN LATERAL (VALUES ('angel', o.user_id), ('owner', n.user_id)) a (part, user_id)
       WHERE o.user_id = author AND o.id = (job.args ->> 'offer_id')::uuid AND job.task = 'angels:notify_owner'
         AND o.status = 'open' AND n.status = 'open'
       UNION ALL
      -- Who made an open offer on the job's need.
      SELECT 'angel', o.user_id, jsonb_build_object('offer_id', o.id, 'price_cents', o.price_cents), 0, o.id
        FROM needs n JOIN need_offers o ON o.need_id = n.id
       WHERE n.user_id = author AND n.id = (job.args ->> 'need_id')::uuid AND job.task = 'angels:notify_result'
         AND o.status = 'open'
       UNION ALL
      -- The members of the job's swap ring, in their order.
      SELECT 'member', m.user_id, jsonb_build_object('state', r.state, 'teaches', m.teaches), m.place, r.id
        FROM swap_rings r JOIN swap_ring_members m ON m.ring_id = r.id
       WHERE r.id = (job.args ->> 'ring_id')::uuid AND job.task = 'matches:notify_members'
    ) c JOIN users u ON u.user_id = c.user_id LEFT JOIN profiles p ON p.user_id = u.user_id
   WHERE u.status = 'active'
   ORDER BY c.place, c.row_id;
END $$;
REVOKE ALL ON FUNCTION app.job_contacts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_contacts() TO porchlight_app, porchlight_overseer;

-- file: functions/job_rows.sql
-- Return the rows of other users, or of no user, that the running job works on, at most `max_rows`. The caller names the
-- columns, which are those of the job's branch. A job whose arguments name a row gets only that one. `due_on`: the day by
-- which a document expires.
--
-- Called by: the jobs named here, each as their first step; what they then change, they change in the isolation of the
-- user. Any other job gets an error.
-- SECURITY DEFINER: rows of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.job_rows(max_rows integer, due_on date DEFAULT NULL) RETURNS SETOF record
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  job record := app.running_task();
BEGIN
  CASE job.task
    WHEN 'angels:expire_needs' THEN  -- whose owners' needs have passed their last day
      RETURN QUERY SELECT DISTINCT n.user_id FROM needs n
                    WHERE n.status = 'open' AND n.expires_at <= app.now() LIMIT max_rows;
    WHEN 'auth:sync_emails' THEN  -- who asked to change their email address, and since when
      RETURN QUERY SELECT u.user_id, u.firebase_uid, u.email_change_asked_at FROM users u
                    WHERE u.email_change_asked_at IS NOT NULL AND u.status = 'active' LIMIT max_rows;
    WHEN 'billing:send_reminders' THEN  -- subscriptions with a failed payment, and the day of the last reminder of it
      RETURN QUERY SELECT s.user_id, s.id, s.past_due_since,
                          (SELECT max(n.day)::integer FROM plan_notices n WHERE n.user_id = s.user_id
                              AND n.subscription_id = s.id AND n.past_due_since = s.past_due_since)
                     FROM subscriptions s WHERE s.state = 'past_due' LIMIT max_rows;
    WHEN 'documents:process_expiry' THEN
      -- Approved documents that expire by `due_on`, with the last reminder of it, and whether the owner sent a later one of
      -- the same type and category.
      RETURN QUERY SELECT d.user_id, d.id, d.expires_on,
                          (SELECT min(r.days)::integer FROM document_reminders r
                            WHERE r.user_id = d.user_id AND r.document_id = d.id),
                          EXISTS (SELECT FROM documents o
                                   WHERE o.user_id = d.user_id AND o.id <> d.id AND o.type = d.type
                                     AND o.category = d.category AND o.status IN ('approved', 'pending')
                                     AND (o.expires_on IS NULL OR o.expires_on > d.expires_on))
                     FROM documents d WHERE d.status = 'approved' AND d.expires_on <= due_on
                    ORDER BY d.user_id LIMIT max_rows;
    WHEN 'listings:sync_profiles' THEN  -- users without a location
      RETURN QUERY SELECT p.user_id FROM profiles p LEFT JOIN user_locations l ON l.user_id = p.user_id
                    WHERE l.user_id IS NULL OR l.tile < 0 LIMIT max_rows;
    WHEN 'plans:apply_due_plans' THEN  -- users whose plan may have ended
      RETURN QUERY SELECT u.user_id FROM users u WHERE u.plan_check_at <= app.now()
                    ORDER BY u.plan_check_at LIMIT max_rows;
    WHEN 'search:send_alerts' THEN
      -- Saved searches of active users with a verified address, those checked longest ago first, with what an email about
      -- new results needs. None while the flag "skillListing" is off: its results would lead to pages that are off.
      RETURN QUERY SELECT s.user_id, s.id, s.words, s.filters, s.seen_at, u.email, p.display_name, p.handle
                     FROM saved_searches s
                     JOIN users u ON u.user_id = s.user_id AND u.status = 'active' AND u.email_verified
                     JOIN profiles p ON p.user_id = s.user_id
                    WHERE coalesce((SELECT f.enabled FROM flag_settings f WHERE f.name = 'skillListing'), true)
                    ORDER BY s.seen_at LIMIT max_rows;
    ELSE
      RAISE insufficient_privilege USING MESSAGE = format('the job %s has no rows of others', job.task);
  END CASE;
END $$;
REVOKE ALL ON FUNCTION app.job_rows(integer, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.job_rows(integer, date) TO porchlight_app, porchlight_overseer;

-- file: functions/message_recipient.sql
-- Return whom the current user can write to about something, or no row if it is unknown, hidden or not theirs:
-- `person_id`, `guru_id` of a thread with a guru's site and `guru_person_id`, its owner; what it is about; and whether the
-- two know each other, so that a first message is no request. And what the user may see of them, as in a thread.
--
-- `part`: the handle of a profile or match, the label of a guru, else an id. Of a swap ring: its id, and the place of the
-- member behind a slash.
--
-- Called by: messages.
-- SECURITY DEFINER: accounts, listings, bookings, needs, rings and gurus of others are behind row level security.
CREATE OR REPLACE FUNCTION app.message_recipient(kind text, part text)
RETURNS TABLE (person_id uuid, guru_id uuid, guru_person_id uuid,
               about text, starts_at timestamptz, zone text, knows boolean,
               handle text, shown_name text, photo_id uuid, photo_url text, label text, guru_name text,
               takes_messages boolean, is_blocked boolean, thread_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH me AS (SELECT app.user_id() AS id),
  wanted AS (SELECT CASE WHEN split_part(part, '/', 1) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                         THEN split_part(part, '/', 1)::uuid END AS id)
  SELECT r.*, s.handle, s.shown_name, s.photo_id, s.photo_url, g.label, g.character,
         NOT EXISTS (SELECT FROM blocks b WHERE b.user_id = r.person_id AND b.blocked_id = me.id),
         EXISTS (SELECT FROM blocks b WHERE b.user_id = me.id AND b.blocked_id = r.person_id),
         (SELECT t.id FROM threads t
           WHERE t.person_a_id = least(me.id, r.person_id) AND t.person_b_id = greatest(me.id, r.person_id)
             AND t.guru_id IS NOT DISTINCT FROM r.guru_id)
    FROM (
    SELECT p.user_id, NULL::uuid, NULL::uuid, '', NULL::timestamptz, '', false
      FROM profiles p WHERE kind = 'profile' AND p.handle = part AND p.is_public AND p.registered_at IS NOT NULL
     UNION ALL
    SELECT p.user_id, NULL, NULL, '', NULL, '', false
      FROM profiles p WHERE kind = 'match' AND p.handle = part
       AND (EXISTS (SELECT FROM skill_offers o WHERE o.user_id = p.user_id AND o.visible)
            OR EXISTS (SELECT FROM skill_wants w WHERE w.user_id = p.user_id AND w.visible))
     UNION ALL
    SELECT o.user_id, NULL, NULL, o.title, NULL, '', false
      FROM skill_offers o, wanted WHERE kind = 'listing' AND o.id = wanted.id AND o.visible
     UNION ALL
    SELECT m.user_id, g.id, m.user_id, '', NULL, '', true
      FROM gurus g JOIN memberships m ON m.tenant_id = g.id
     WHERE kind = 'guru' AND g.label = part AND g.status = 'active'
     UNION ALL
    SELECT CASE WHEN b.person_id = me.id THEN m.user_id ELSE b.person_id END, b.tenant_id, m.user_id, b.service_name,
           b.starts_at, b.zone, true
      FROM bookings b JOIN memberships m ON m.tenant_id = b.tenant_id, me, wanted
     WHERE kind = 'booking' AND b.id = wanted.id AND b.status <> 'held' AND me.id IN (b.person_id, m.user_id)
     UNION ALL
    SELECT CASE WHEN o.user_id = me.id THEN n.user_id ELSE o.user_id END, NULL, NULL, n.title, NULL, '', true
      FROM need_offers o JOIN needs n ON n.id = o.need_id, me, wanted
     WHERE kind = 'need_offer' AND o.id = wanted.id AND me.id IN (o.user_id, n.user_id)
     UNION ALL
    SELECT o.user_id, NULL, NULL, o.teaches, NULL, '', true
      FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id JOIN swap_ring_members o ON o.ring_id = r.id, me, wanted
     WHERE kind = 'ring_member' AND r.id = wanted.id AND m.user_id = me.id AND r.state IN ('proposed', 'agreed')
       AND o.place::text = split_part(part, '/', 2)
     UNION ALL
    SELECT u.user_id, l.tenant_id, m.user_id, '', NULL, '', true
      FROM leads l JOIN memberships m ON m.tenant_id = l.tenant_id
      JOIN lead_addresses a ON a.tenant_id = l.tenant_id AND a.email = lower(l.email) AND a.state = 'confirmed'
      JOIN users u ON u.email = a.email AND u.email_verified, me, wanted
     WHERE kind = 'lead' AND l.id = wanted.id AND m.user_id = me.id
  ) r (person_id, guru_id, guru_person_id, about, starts_at, zone, knows)
    JOIN users u ON u.user_id = r.person_id AND u.status = 'active'
    LEFT JOIN shown_people s ON s.user_id = r.person_id LEFT JOIN gurus g ON g.id = r.guru_id CROSS JOIN me
   WHERE me.id IS NOT NULL
     AND (r.knows OR r.person_id NOT IN (SELECT b.user_id FROM blocks b WHERE b.blocked_id = me.id))
   LIMIT 1
$$;
REVOKE ALL ON FUNCTION app.message_recipient(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.message_recipient(text, text) TO porchlight_app, porchlight_overseer;

-- file: functions/need_status.sql
-- Return the state of a need for a user who wants to make an offer: open, asked (addressed to another angel), own,
-- closed, or NULL when there is no such need.
--
-- Called by: angels, before an offer is stored.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.need_status(need uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN n.user_id = app.user_id() THEN 'own'
              WHEN n.asked_user_id <> app.user_id() THEN 'asked'
              WHEN n.status = 'open' AND n.expires_at > app.now() THEN 'open'
              ELSE 'closed' END
    FROM needs n JOIN users u ON u.user_id = n.user_id WHERE n.id = need AND u.status = 'active'
     AND n.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
$$;
REVOKE ALL ON FUNCTION app.need_status(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.need_status(uuid) TO porchlight_app, porchlight_overseer;

-- file: functions/open_needs.sql
-- Return one page of the open needs of others that the current user may see, newest first. `only_matching` keeps those
-- that match the user's own angel services.
--
-- Called by: angels, for the list of needs. A view reads all needs before it sorts them; this reads one page.
-- SECURITY DEFINER: needs of other users are behind row level security.
CREATE OR REPLACE FUNCTION app.open_needs(service text, only_matching boolean, before uuid, max_rows integer)
RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.id FROM needs n
    LEFT JOIN angels a ON a.user_id = app.user_id() AND a.service_id = n.service_id AND a.active
   WHERE n.status = 'open' AND n.expires_at > app.now() AND n.user_id <> app.user_id()
     AND n.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
     AND (n.asked_user_id IS NULL OR n.asked_user_id = app.user_id())
     AND (service = '' OR n.service_id = service) AND (before IS NULL OR n.id < before)
     AND (NOT only_matching OR n.asked_user_id = app.user_id()
          OR app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles)
   ORDER BY n.id DESC LIMIT max_rows
$$;
REVOKE ALL ON FUNCTION app.open_needs(text, boolean, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.open_needs(text, boolean, uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/own_skill_matches.sql
-- Return the best matches of the current user: people who teach what the user wants, or want what the user teaches.
--
-- The score is 0 to 100. The best skill is worth `best_weight` of it and all others together the rest, which they fill
-- by `others_rate`; a skill that they want counts `learner_weight` beside one that they teach. Distance reduces the
-- score by up to `distance_weight`, which is reached at `far_km`.
--
-- Candidates are read in blocks (one phrase in one ring of grid cells), in the order of the best possible score, until
-- `max_candidates` (`max_per_block` in each); then the most likely people are scored in full, `spare_likely` and then
-- `spare_ranked` more than are returned. A ring reaches `ring_cells` cells, and NULL the end of the near tiles; its
-- `ring_nearness` is the best of its cells. From outside the near tiles it takes `max_online` people per skill who teach
-- online.
--
-- `teaches` and `learns` are the reasons: for each skill of the user, their skill that fits it best, from `min_reason`
-- on. A similar skill beside it (crochet, for someone who wants to knit) is no reason.
--
-- Called by: matches, with the numbers of its rules.
-- SECURITY DEFINER: it reads the listings and wishes of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.own_skill_matches(
  max_results integer, min_score real, best_weight double precision, others_rate double precision,
  learner_weight double precision, distance_weight double precision, far_km double precision, ring_cells integer[],
  ring_nearness double precision[], max_per_block integer, max_online integer, max_candidates integer,
  spare_likely integer, spare_ranked integer, min_reason double precision)
RETURNS TABLE (user_id uuid, handle text, name text, photo_id uuid, photo_url text, city text, km real, score real,
               teaches jsonb, learns jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
  here record;
  tiles integer[];
BEGIN
  SELECT h.tile, h.cell_lat::integer AS lat, h.cell_lon::integer AS lon INTO here FROM user_locations h
   WHERE h.user_id = me;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  tiles := ARRAY(SELECT t.near_tile FROM app.tiles_around(here.tile) t WHERE here.tile >= 0 ORDER BY t.steps);
  RETURN QUERY
  WITH wanted_phrases AS MATERIALIZED (
    SELECT r.other_id AS phrase_id, max(r.probability) AS probability
      FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id WHERE w.user_id = me GROUP BY 1
  ), offered_phrases AS MATERIALIZED (
    SELECT r.phrase_id, max(r.probability) AS probability
      FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id WHERE o.user_id = me GROUP BY 1
  ), own_phrases AS (
    SELECT true AS taught, a.phrase_id, a.probability AS value FROM wanted_phrases a
     UNION ALL SELECT false, g.phrase_id, learner_weight * g.probability FROM offered_phrases g
  ), rings AS (
    SELECT x.inner_cells, x.nearness,
           CASE WHEN x.cells IS NULL THEN tiles ELSE ARRAY(
             SELECT DISTINCT app.tile_of(a, b) FROM unnest(ARRAY[here.lat - x.cells, here.lat + x.cells]) a,
                    unnest(ARRAY[here.lon - x.cells, here.lon + x.cells]) b) END AS ring_tiles,
           coalesce(here.lat - x.cells, -1) AS south, coalesce(here.lat + x.cells, 32767) AS north,
           coalesce(here.lon - x.cells, -1) AS west, coalesce(here.lon + x.cells, 32767) AS east
      FROM (SELECT r.cells, r.nearness, lag(r.cells, 1, -1) OVER (ORDER BY r.place) AS inner_cells
              FROM unnest(ring_cells, ring_nearness) WITH ORDINALITY r (cells, nearness, place)) x
     WHERE here.tile >= 0
  ), blocks AS MATERIALIZED (
    SELECT s.*, r.*, false AS far, s.value * (1 - distance_weight * (1 - r.nearness)) AS bound FROM own_phrases s, rings r
     UNION ALL
    SELECT s.*, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, s.value * (1 - distance_weight)
      FROM own_phrases s WHERE s.taught
     ORDER BY bound DESC, taught DESC, phrase_id
  ), candidates AS MATERIALIZED (
    SELECT f.user_id, f.cell_lat, f.cell_lon, b.value FROM blocks b CROSS JOIN LATERAL (
      (SELECT o.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
          WHERE o.visible AND o.phrase_id = b.phrase_id AND o.tile = t.tile
            AND o.cell_lat BETWEEN b.south AND b.north AND o.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(o.cell_lat - here.lat), abs(o.cell_lon - here.lon)) > b.inner_cells
          LIMIT max_per_block) o
        WHERE b.taught AND NOT b.far LIMIT max_per_block)
      UNION ALL
      (SELECT w.* FROM unnest(b.ring_tiles) t (tile) CROSS JOIN LATERAL (
         SELECT w.user_id, w.cell_lat, w.cell_lon FROM skill_wants w
          WHERE w.visible AND w.phrase_id = b.phrase_id AND w.tile = t.tile
            AND w.cell_lat BETWEEN b.south AND b.north AND w.cell_lon BETWEEN b.west AND b.east
            AND greatest(abs(w.cell_lat - here.lat), abs(w.cell_lon - here.lon)) > b.inner_cells
          LIMIT max_per_block) w
        WHERE NOT b.taught LIMIT max_per_block)
      UNION ALL
      (SELECT o.* FROM app.tiles_beyond(here.tile, NULL) gap CROSS JOIN LATERAL (
           SELECT o.user_id, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.visible AND 'online' = ANY (o.formats) AND o.phrase_id = b.phrase_id
              AND o.tile > gap.above AND o.tile < gap.below LIMIT max_online) o
        WHERE b.far LIMIT max_online)) f
     LIMIT max_candidates
  ), likely AS MATERIALIZED (
    SELECT k.user_id, k.km, k.best, k.total FROM (
      SELECT h.user_id, max(h.value) AS best, sum(h.value) AS total,
             CASE WHEN min(h.cell_lat) >= 0 AND here.lat >= 0
                  THEN app.cell_km(min(h.cell_lat), min(h.cell_lon), here.lat::smallint, here.lon::smallint) END AS km
        FROM candidates h WHERE h.user_id <> me GROUP BY 1) k
     ORDER BY (best_weight * k.best + (1 - best_weight) * (1 - exp(-others_rate * (k.total - k.best))))
              * (1 - distance_weight * least(1, coalesce(k.km / far_km, 1))) DESC, k.user_id
     LIMIT max_results + spare_likely
  ), ranked AS (
    SELECT k.user_id, k.km,
           100 * (best_weight * k.best + (1 - best_weight) * (1 - exp(-others_rate * (k.total - k.best))))
               * (1 - distance_weight * least(1, coalesce(k.km / far_km, 1))) AS score
      FROM (SELECT l.user_id, l.km, max(v.value) AS best, sum(v.value) AS total FROM likely l CROSS JOIN LATERAL (
              SELECT a.probability AS value FROM skill_offers o JOIN wanted_phrases a ON a.phrase_id = o.phrase_id
               WHERE o.user_id = l.user_id AND o.visible AND (o.tile = ANY (tiles) OR 'online' = ANY (o.formats))
               UNION ALL
              SELECT learner_weight * g.probability
                FROM skill_wants w JOIN offered_phrases g ON g.phrase_id = w.phrase_id
               WHERE w.user_id = l.user_id AND w.visible AND w.tile = ANY (tiles)) v GROUP BY 1, 2) k
     ORDER BY 3 DESC, 1 LIMIT max_results + spare_ranked
  )
  SELECT r.user_id, p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN v.city ELSE '' END, r.km::real, round(r.score::numeric, 1)::real,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (w.id) o.title, n.probability AS fit
                      FROM skill_wants w
                      JOIN phrase_relations n ON n.phrase_id = w.phrase_id AND n.probability >= min_reason
                      JOIN skill_offers o ON o.phrase_id = n.other_id AND o.user_id = r.user_id AND o.visible
                     WHERE w.user_id = me ORDER BY w.id, n.probability DESC, o.title) best GROUP BY 1) t),
         (SELECT coalesce(jsonb_agg(jsonb_build_object('skill', t.title, 'fit', t.fit) ORDER BY t.fit DESC, t.title), '[]')
            FROM (SELECT best.title, max(best.fit) AS fit FROM (
                    SELECT DISTINCT ON (o.id) w.title, n.probability AS fit
                      FROM skill_offers o
                      JOIN phrase_relations n ON n.other_id = o.phrase_id AND n.probability >= min_reason
                      JOIN skill_wants w ON w.phrase_id = n.phrase_id AND w.user_id = r.user_id AND w.visible
                     WHERE o.user_id = me ORDER BY o.id, n.probability DESC, w.title) best GROUP BY 1) t)
    FROM ranked r JOIN profiles p ON p.user_id = r.user_id JOIN users u ON u.user_id = r.user_id
    LEFT JOIN user_locations v ON v.user_id = r.user_id
   WHERE u.status = 'active' AND r.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
     AND round(r.score::numeric, 1) >= round(min_score::numeric, 1)
   ORDER BY r.score DESC, r.user_id LIMIT max_results;
END $$;
REVOKE ALL ON FUNCTION app.own_skill_matches(integer, real, double precision, double precision, double precision,
  double precision, double precision, integer[], double precision[], integer, integer, integer, integer, integer,
  double precision) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.own_skill_matches(integer, real, double precision, double precision, double precision,
  double precision, double precision, integer[], double precision[], integer, integer, integer, integer, integer,
  double precision) TO porchlight_app;

-- file: functions/porch_lights.sql
-- Return the porch lights that are on, the newest first: of neighbors by handle and gurus by label (both empty: of all),
-- and in a box of south, west, north and east in degrees (NULL: everywhere). A place that its owner hides is in no box.
--
-- Called by: porch_lights.
-- SECURITY DEFINER: it reads the lights of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.porch_lights(
  handles text[], labels text[], box double precision[], max_rows integer)
RETURNS TABLE (expires_at timestamptz, city text, latitude double precision, longitude double precision, card jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF handles || labels = '{}' THEN
    -- In the order of ix_porch_lights_turned_on_at: no more cards are made than lights are returned.
    RETURN QUERY
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM porch_lights l CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT h.card FROM helper_cards h WHERE h.user_id = l.user_id OFFSET 0) c
       WHERE l.expires_at > app.now()
         AND l.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  ELSE
    RETURN QUERY
      SELECT l.expires_at, CASE WHEN s.place THEN l.city ELSE '' END, CASE WHEN s.place THEN l.latitude END,
             CASE WHEN s.place THEN l.longitude END, c.card
        FROM (SELECT p.user_id FROM profiles p WHERE p.handle = ANY (handles) AND p.is_public
               UNION
              SELECT m.user_id FROM gurus g JOIN memberships m ON m.tenant_id = g.id WHERE g.label = ANY (labels)) w
        JOIN porch_lights l ON l.user_id = w.user_id
       CROSS JOIN LATERAL (SELECT app.shows_light_place(l) AS place OFFSET 0) s
       CROSS JOIN LATERAL (SELECT h.card FROM helper_cards h WHERE h.user_id = l.user_id OFFSET 0) c
       WHERE l.expires_at > app.now()
         AND l.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
         AND (box IS NULL OR l.latitude BETWEEN box[1] AND box[3] AND l.longitude BETWEEN box[2] AND box[4] AND s.place)
       ORDER BY l.turned_on_at DESC, l.user_id LIMIT max_rows;
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.porch_lights(text[], text[], double precision[], integer) TO porchlight_app,
    porchlight_overseer;

-- file: functions/queue_review_email.sql
-- Queue an email about the reviews of a session to one side: that it can write one, that one waits, or that one is out.
-- Emails that ask a side which has written by then are void. Nothing is queued if that side got an email of this kind
-- from the guru within `quiet`. The guru's emails count together, because they are about many neighbors.
--
-- Called by: reviews, as the owner or the service role.
CREATE OR REPLACE FUNCTION app.queue_review_email(tenant uuid, booking uuid, kind text, reader text, quiet interval)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
#variable_conflict use_variable
BEGIN
  UPDATE booking_emails e SET status = 'void'
   WHERE e.tenant_id = tenant AND e.booking_id = booking AND e.status = 'due'
     AND e.kind IN ('review_open', 'review_last', 'review_waiting') AND (e.side <> reader OR kind = 'review_out');
  INSERT INTO booking_emails (tenant_id, booking_id, kind, side, sequence, person_id, due_at)
  SELECT b.tenant_id, b.id, kind, reader, b.sequence, b.person_id, app.now() FROM bookings b
   WHERE b.tenant_id = tenant AND b.id = booking AND NOT EXISTS (
           SELECT FROM booking_emails e
            WHERE e.tenant_id = tenant AND e.side = reader AND e.kind = queue_review_email.kind
              AND (reader = 'guru' OR e.person_id = b.person_id) AND e.created_at > app.now() - quiet)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM app.enqueue('bookings:send_emails', jsonb_build_object('tenant_id', tenant, 'booking_id', booking), NULL);
  END IF;
END $$;
REVOKE ALL ON FUNCTION app.queue_review_email(uuid, uuid, text, text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.queue_review_email(uuid, uuid, text, text, interval) TO porchlight_overseer;

-- file: functions/remove_message.sql
-- Remove a message of the current user: its words and files go, and its number stays. Both people get it as a change.
-- Return their new change numbers; no row for an unknown message, someone else's, or one that was removed before.
--
-- Called by: messages, after app.delivery_facts, which locks both inboxes, in the same transaction.
-- SECURITY DEFINER: the app role may not change messages, and the other person's inbox is behind row level security.
CREATE OR REPLACE FUNCTION app.remove_message(thread uuid, message integer)
RETURNS TABLE (other_id uuid, change bigint, unread integer, other_change bigint, other_unread integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me uuid := app.user_id();
  other uuid := (SELECT m.other_id FROM thread_members m WHERE m.user_id = me AND m.thread_id = thread);
  mine inboxes;
  theirs inboxes;
BEGIN
  UPDATE messages g SET body = '', files = '[]', removed_at = app.now()
   WHERE g.person_a_id = least(me, other) AND g.thread_id = thread AND g.number = message AND g.sender_id = me
     AND g.removed_at IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  DELETE FROM message_files f WHERE f.user_id = me AND f.thread_id = thread AND f.number = message;
  UPDATE inboxes i SET change = i.change + 1 WHERE i.user_id = me RETURNING i.* INTO mine;
  PERFORM set_config('app.user_id', other::text, true);
  UPDATE inboxes i SET change = i.change + 1 WHERE i.user_id = other RETURNING i.* INTO theirs;
  PERFORM set_config('app.user_id', me::text, true);
  UPDATE messages g SET change_a = coalesce(CASE WHEN g.person_a_id = me THEN mine.change ELSE theirs.change END, g.change_a),
                        change_b = coalesce(CASE WHEN g.person_b_id = me THEN mine.change ELSE theirs.change END, g.change_b)
   WHERE g.person_a_id = least(me, other) AND g.thread_id = thread AND g.number = message;
  RETURN QUERY SELECT other, mine.change, mine.unread, theirs.change, theirs.unread;
END $$;
REVOKE ALL ON FUNCTION app.remove_message(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.remove_message(uuid, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/reserve_time.sql
-- Take a time in the calendar of the transaction's tenant for something outside of it, under the id of that, or with null
-- times give the time back. Return whether the tenant has a calendar. A constraint refuses a time that is taken.
--
-- Called by: app.apply_exchange and the deletion of an account, both as the owner.
-- SECURITY INVOKER: the person who agrees on a time with a guru has no rights in the calendar, so these functions run it.
CREATE OR REPLACE FUNCTION app.reserve_time(
  reserved uuid, starts timestamptz, ends timestamptz, time_zone text, starts_local timestamp, ends_local timestamp)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  IF starts IS NULL THEN
    DELETE FROM appointments a WHERE a.tenant_id = app.tenant_id() AND a.id = reserved AND a.kind = 'exchange';
    RETURN FOUND;
  END IF;
  INSERT INTO appointments (tenant_id, id, kind, starts_at, ends_at, zone, local_start, local_end, blocked)
  SELECT c.tenant_id, reserved, 'exchange', starts, ends, time_zone, starts_local, ends_local, tstzrange(starts, ends)
    FROM calendars c WHERE c.tenant_id = app.tenant_id();
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION app.reserve_time(uuid, timestamptz, timestamptz, text, timestamp, timestamp) FROM PUBLIC;

-- file: functions/search.sql
-- Return the best results for a search text among listings (kind offer), gurus, posts and angel services.
--
-- 1. Phrases with a similar spelling, from `alike_spelling` on when the meaning of the text is known, otherwise from
--    `min_spelling` on; below that, down to `typo_spelling`, only phrases within a few typos (`edits_by_length`: how many
--    for a text of 1, 2, 3 … characters). A swap of two letters counts as two edits. A text of at most `short_length`
--    characters is compared with all of these at once. The text as a part of a longer phrase counts `part_weight`.
--    And phrases that have all words of the text that are written without spaces, such as Japanese ones, inside.
-- 2. Phrases with a related meaning (phrase_relations), as soon as the embeddings job has read the text.
--    Of all phrases, the `max_phrases` most likely count: those with at least `min_share` of the best one's probability,
--    and `min_phrases` anyway if the meaning is known.
-- 3. Listings with these phrases: a bounded number per phrase (`max_near`, `max_far`), near tiles first, filtered before
--    they are counted. `within` is in kilometers, and `far_tile_rows` is the number of rows of tiles beyond the near ones
--    that it reaches, NULL for all. With a language, they are found in skill_offer_languages.
-- 4. Pages of gurus, posts and angel services with these phrases, by the same rule: a bounded number per phrase and kind.
--
-- The score is the probability that the result fits, reduced by up to `distance_weight` with the distance (0 to
-- `far_km`). Of equal results, those of Premium Angels come first. `max_ranked` results are ranked before accounts are
-- read; a page below `last_share` of the last of them cannot come before it.
--
-- Called by: search, for each search and each alert, with the numbers of its rules.
-- SECURITY DEFINER: it reads the public listings of all users, and tables that the app role cannot touch.
CREATE OR REPLACE FUNCTION app.search(
  query_phrase_id integer, search_text text, kinds text[], here_lat smallint, here_lon smallint, within real,
  far_tile_rows integer, max_price_cents bigint, format text, language text, weekday integer, since timestamptz,
  max_results integer, max_ranked integer, max_near integer, max_far integer, max_phrases integer, min_phrases integer,
  min_share double precision, edits_by_length integer[], short_length integer, typo_spelling double precision,
  min_spelling double precision, alike_spelling double precision, part_weight double precision,
  inside_weight double precision, inside_bonus double precision, spelling_weight double precision,
  same_probability double precision, distance_weight double precision, far_km double precision,
  last_share double precision, max_summary integer)
RETURNS TABLE (kind text, item text, title text, summary text, label text, slug text, who text, handle text,
               photo_id uuid, photo_url text, price_cents bigint, terms text[], formats text[], city text,
               cell_lat smallint, cell_lon smallint, km real, probability real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  normalized text := app.normalize_text(search_text);
  normalized_language text := app.normalize_text(language);
  text_length integer := length(normalized);
  max_edits integer := coalesce(edits_by_length[least(text_length, cardinality(edits_by_length))], 0);
  has_meaning boolean := EXISTS (SELECT FROM phrases p WHERE p.id = query_phrase_id AND p.related_by LIKE '%+%');
  tile integer := CASE WHEN here_lat >= 0 THEN app.tile_of(here_lat, here_lon) END;
  takes_all_pages boolean := max_price_cents IS NULL AND since IS NULL AND within IS NULL;
  threshold real;
  unspaced text[] := app.unspaced_grams(normalized);
  spelled_ids integer[];
  spelling_score real[];
  plan_mode text := current_setting('plan_cache_mode');
BEGIN
  FOREACH threshold IN ARRAY
    CASE WHEN has_meaning THEN ARRAY[alike_spelling] WHEN text_length <= short_length THEN ARRAY[typo_spelling]
         ELSE ARRAY[min_spelling, typo_spelling] END::real[]
  LOOP
    PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
    PERFORM set_config('pg_trgm.word_similarity_threshold', (threshold / part_weight)::text, true);
    SELECT array_agg(s.id), array_agg(s.spelling_score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, p.words, CASE WHEN p.words = normalized THEN 1
               ELSE greatest(similarity(p.words, normalized), part_weight * word_similarity(normalized, p.words))
             END::real AS spelling_score
        FROM phrases p WHERE p.in_use AND (p.words % normalized OR normalized <% p.words)
       ORDER BY 3 DESC LIMIT max_phrases) s
     WHERE s.spelling_score >= min_spelling
        OR least(levenshtein_less_equal(normalized, s.words, max_edits),
                 levenshtein_less_equal(normalized, left(s.words, text_length), max_edits)) <= max_edits;
    EXIT WHEN spelled_ids IS NOT NULL;
  END LOOP;
  IF unspaced IS NOT NULL THEN
    -- The shorter the phrase, the more of it is the word.
    SELECT spelled_ids || array_agg(s.id), spelling_score || array_agg(s.score) INTO spelled_ids, spelling_score FROM (
      SELECT p.id, (inside_weight + inside_bonus * text_length / greatest(length(p.words), text_length))::real AS score
        FROM phrases p
       WHERE app.unspaced_grams(p.words) @> unspaced AND p.in_use AND p.words <> normalized
       ORDER BY 2 DESC, 1 LIMIT max_phrases) s;
  END IF;
  -- Planned for its parameters each time: a plan for any format does not use the index of listings online. Only this
  -- statement, because planning those above takes longer than running them.
  PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
  RETURN QUERY
  WITH related AS MATERIALIZED (
    SELECT n.other_id, max(n.probability)::real AS probability FROM (
      SELECT r.other_id, r.probability FROM phrase_relations r JOIN phrases p ON p.id = r.other_id AND p.in_use
       WHERE r.phrase_id = query_phrase_id AND has_meaning
      UNION ALL
      SELECT s.id, CASE WHEN s.spelling_score = 1 THEN same_probability
                        WHEN has_meaning
                          THEN spelling_weight * (s.spelling_score - alike_spelling) / (1 - alike_spelling)
                        ELSE spelling_weight * s.spelling_score END
        FROM unnest(spelled_ids, spelling_score) s (id, spelling_score)) n
     WHERE n.probability > 0 GROUP BY 1 ORDER BY 2 DESC LIMIT max_phrases
  ), likely AS (
    SELECT * FROM related m WHERE m.probability >= min_share * (SELECT max(best.probability) FROM related best)
     UNION (SELECT * FROM related m WHERE has_meaning ORDER BY m.probability DESC LIMIT min_phrases)
  ), near_tiles AS MATERIALIZED (
    SELECT t.near_tile FROM app.tiles_around(tile) t WHERE tile IS NOT NULL ORDER BY t.steps
  ), far_tiles AS MATERIALIZED (
    SELECT g.above, g.below FROM app.tiles_beyond(tile, far_tile_rows) g
  ), offers AS (
    SELECT o.*, m.probability AS phrase_probability FROM likely m CROSS JOIN LATERAL (
      (SELECT o.* FROM near_tiles t CROSS JOIN LATERAL (
         SELECT o.* FROM skill_offers o
          WHERE language IS NULL AND o.phrase_id = m.other_id AND o.visible AND o.tile = t.near_tile
         UNION ALL
         SELECT o.* FROM skill_offer_languages s JOIN skill_offers o ON o.id = s.offer_id
          WHERE s.phrase_id = m.other_id AND s.language = normalized_language AND s.tile = t.near_tile) o
        WHERE (format IS NULL OR format = ANY (o.formats))
          AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
          AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
          AND (since IS NULL OR o.created_at > since)
          AND (within IS NULL OR format = 'online'
               OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within)) LIMIT max_near)
      UNION ALL
      (SELECT o.* FROM far_tiles gap CROSS JOIN LATERAL (
         SELECT o.* FROM (
           SELECT o.* FROM skill_offers o
            WHERE language IS NULL AND o.phrase_id = m.other_id AND o.visible AND o.tile > gap.above
              AND o.tile < gap.below
           UNION ALL
           SELECT o.* FROM skill_offer_languages s JOIN skill_offers o ON o.id = s.offer_id
            WHERE s.phrase_id = m.other_id AND s.language = normalized_language AND s.tile > gap.above
              AND s.tile < gap.below) o
          WHERE (format IS NULL OR format = ANY (o.formats))
            AND (weekday IS NULL OR o.days >> weekday & 1 = 1)
            AND (max_price_cents IS NULL OR o.price_cents IS NULL OR o.price_cents <= max_price_cents)
            AND (since IS NULL OR o.created_at > since)
            AND (within IS NULL OR format = 'online'
                 OR (o.cell_lat >= 0 AND app.cell_km(o.cell_lat, o.cell_lon, here_lat, here_lon) <= within))
          LIMIT max_far) o LIMIT max_far)) o
     WHERE 'offer' = ANY (kinds)
  ), entries AS (
    SELECT s.kind, s.item, m.probability * s.weight AS probability
      FROM likely m CROSS JOIN unnest(kinds) wanted (kind) CROSS JOIN LATERAL (
      -- Each tile is a probe of the index: a join would read all pages of the phrase.
      (SELECT s.* FROM near_tiles t CROSS JOIN LATERAL (
         SELECT s.* FROM search_entry_phrases s
          WHERE s.tile = t.near_tile AND s.phrase_id = m.other_id AND s.kind = wanted.kind
            AND (takes_all_pages OR EXISTS (
                   SELECT FROM search_entries e WHERE e.kind = s.kind AND e.item = s.item
                      AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents)
                      AND (since IS NULL OR e.indexed_at > since)
                      AND (within IS NULL OR (e.cell_lat >= 0
                           AND app.cell_km(e.cell_lat, e.cell_lon, here_lat, here_lon) <= within))))
          LIMIT max_results) s LIMIT max_results)
      UNION ALL
      (SELECT s.* FROM far_tiles gap CROSS JOIN LATERAL (
         SELECT s.* FROM search_entry_phrases s
          WHERE s.tile > gap.above AND s.tile < gap.below AND s.phrase_id = m.other_id AND s.kind = wanted.kind
            AND (takes_all_pages OR EXISTS (
                   SELECT FROM search_entries e WHERE e.kind = s.kind AND e.item = s.item
                      AND (max_price_cents IS NULL OR e.price_cents <= max_price_cents)
                      AND (since IS NULL OR e.indexed_at > since)
                      AND (within IS NULL OR (e.cell_lat >= 0
                           AND app.cell_km(e.cell_lat, e.cell_lon, here_lat, here_lon) <= within))))
          LIMIT max_results) s
        LIMIT max_results)) s
     WHERE wanted.kind <> 'offer' AND format IS NULL AND weekday IS NULL AND language IS NULL
       AND (max_price_cents IS NULL OR wanted.kind <> 'post')  -- a post has no price
  ), pages AS MATERIALIZED (
    SELECT n.kind, n.item, max(n.probability)::real AS probability FROM entries n GROUP BY 1, 2
  ), best_pages AS (
    SELECT p.* FROM pages p
     WHERE p.probability >= (CASE WHEN here_lat >= 0 THEN last_share ELSE 1 END) * coalesce((
             SELECT q.probability FROM pages q ORDER BY 1 DESC OFFSET max_ranked - 1 LIMIT 1), 0)
  ), candidates AS (
    SELECT 'offer' AS kind, o.id::text AS item, o.title, o.details AS summary, '' AS label, '' AS slug,
           o.user_id, o.price_cents::bigint, o.terms, o.formats, NULL::text AS city, o.cell_lat, o.cell_lon,
           o.phrase_probability AS probability FROM offers o
    UNION ALL
    SELECT e.kind, e.item, e.title, e.summary, e.label, e.slug, NULL, e.price_cents, NULL, NULL, e.city,
           e.cell_lat, e.cell_lon, best.probability
      FROM best_pages best JOIN search_entries e ON e.kind = best.kind AND e.item = best.item
  ), with_distance AS (
    SELECT f.*, CASE WHEN f.cell_lat >= 0 AND here_lat >= 0
                     THEN app.cell_km(f.cell_lat, f.cell_lon, here_lat, here_lon) END AS km FROM candidates f
  ), in_reach AS (
    SELECT * FROM with_distance p
     WHERE within IS NULL OR p.km <= within OR (format = 'online' AND 'online' = ANY (p.formats))
     ORDER BY p.probability * (1 - distance_weight * least(1, coalesce(p.km / far_km, 1))) DESC, p.item
     LIMIT max_ranked
  )
  SELECT n.kind, n.item, n.title, left(n.summary, max_summary), n.label, n.slug, coalesce(p.display_name, ''),
         coalesce(p.handle, ''), p.photo_id, coalesce(p.photo_url, ''), n.price_cents, n.terms, n.formats,
         coalesce(n.city, CASE WHEN p.shows_location THEN w.city END, ''), n.cell_lat, n.cell_lon, n.km::real,
         n.probability::real
    FROM in_reach n LEFT JOIN profiles p ON p.user_id = n.user_id LEFT JOIN users u ON u.user_id = n.user_id
    LEFT JOIN user_locations w ON w.user_id = n.user_id
   WHERE n.user_id IS NULL OR (u.status = 'active' AND n.user_id NOT IN (SELECT h.user_id FROM hidden_people h))
   ORDER BY n.probability * (1 - distance_weight * least(1, coalesce(n.km / far_km, 1))) DESC,
         (u.listed_plan = 'premium-angel') IS TRUE DESC, n.item LIMIT max_results;
  PERFORM set_config('plan_cache_mode', plan_mode, true);
END $$;
REVOKE ALL ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, integer, bigint, text, text, integer, timestamptz,
    integer, integer, integer, integer, integer, integer, double precision, integer[], integer, double precision,
    double precision, double precision, double precision, double precision, double precision, double precision,
    double precision, double precision, double precision, double precision, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.search(integer, text, text[], smallint, smallint, real, integer, bigint, text, text, integer, timestamptz,
    integer, integer, integer, integer, integer, integer, double precision, integer[], integer, double precision,
    double precision, double precision, double precision, double precision, double precision, double precision,
    double precision, double precision, double precision, double precision, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/submit_review.sql
-- Write the review of one side of a booking, or change it while it is hidden. The second one reveals both at once.
-- Return its state: hidden, revealed, or closed if it was revealed before and stays as it is.
--
-- `reveals_at` is when a review of one side alone is revealed. The other side hears by email that a review waits, once
-- within `quiet`. Who has written gets no more reminders. The function decides nothing else: the caller holds the lock
-- of the booking, and has decided on it (`porchlight.features.reviews.rules`).
--
-- Called by: reviews. The transaction's user is the person of the booking, or it acts for the tenant.
-- SECURITY DEFINER: who writes the second review cannot see the first one, nor that there is one.
CREATE OR REPLACE FUNCTION app.submit_review(
  new_id uuid, booking uuid, written_by text, given_stars smallint, words text, note text, address bytea,
  alone_until timestamptz, quiet interval
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := app.tenant_id();
  moment timestamptz := app.now();
  other text := CASE written_by WHEN 'person' THEN 'guru' ELSE 'person' END;
  reviewed bookings;
BEGIN
  SELECT * INTO reviewed FROM bookings b WHERE b.tenant_id = tenant AND b.id = booking FOR NO KEY UPDATE;
  IF (CASE written_by WHEN 'person' THEN reviewed.person_id = app.user_id()
                      WHEN 'guru' THEN app.acting_tenant_id() = tenant END IS NOT TRUE) THEN
    RAISE insufficient_privilege USING MESSAGE = 'a review is written by its side of the booking only';
  END IF;
  INSERT INTO reviews AS r (tenant_id, id, booking_id, person_id, side, service_id, service_name, stars, body,
                            private_note, address_hash, reveals_at)
  VALUES (tenant, new_id, booking, reviewed.person_id, written_by, reviewed.service_id, reviewed.service_name,
          given_stars, words, note, address, alone_until)
  ON CONFLICT (tenant_id, booking_id, side) DO UPDATE
     SET stars = excluded.stars, body = excluded.body, private_note = excluded.private_note,
         address_hash = excluded.address_hash, updated_at = moment
   WHERE r.reveals_at > moment;
  IF NOT FOUND THEN
    RETURN 'closed';
  END IF;
  UPDATE reviews r SET reveals_at = moment
   WHERE r.tenant_id = tenant AND r.booking_id = booking AND r.reveals_at > moment
     AND EXISTS (SELECT FROM reviews o WHERE o.tenant_id = tenant AND o.booking_id = booking AND o.side = other);
  IF FOUND THEN
    -- Numbers, pages and emails follow at once.
    PERFORM app.enqueue('reviews:publish', '{}', 'reviews:publish', NULL, NULL);
    RETURN 'revealed';
  END IF;
  IF reviewed.status <> 'missed' THEN
    PERFORM app.queue_review_email(tenant, booking, 'review_waiting', other, quiet);
  END IF;
  RETURN 'hidden';
END $$;
REVOKE ALL ON FUNCTION app.submit_review(uuid, uuid, text, smallint, text, text, bytea, timestamptz, interval)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.submit_review(uuid, uuid, text, smallint, text, text, bytea, timestamptz, interval)
    TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_gurus.sql
-- Return active gurus: those who teach a subject (see app.subject_phrases), best first, with the skills that fit; the
-- one with a label; and those who belong to angels with public profiles, by handle. A blank subject fits no guru. The
-- current user's own guru is left out. Among those who fit equally, Premium Angels come first, then those with the better
-- score of reviews; a guru without reviews has the score `unrated`. Of a phrase that very many gurus have,
-- `max_per_phrase` are read; of a subject, `max_phrases` phrases. `histogram` counts the reviews with 1 to 5 stars.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public texts of gurus across tenants, and which guru an angel owns.
CREATE OR REPLACE FUNCTION app.teaching_gurus(subject text, guru_label text, angel_handles text[], max_results integer,
                                              max_phrases integer, max_per_phrase integer, unrated double precision)
RETURNS TABLE (id uuid, label text, name text, tagline text, city text, emoji text, handle text, skills text[],
               histogram integer[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH fitting AS MATERIALIZED (
    SELECT f.phrase_id FROM app.subject_phrases(subject, max_phrases) f
  ), wanted AS MATERIALIZED (
    -- The category and the skills have a weight of 0.8 and more, the other phrases have less. The index of gurus has
    -- the same number, so it is no parameter.
    (SELECT s.item::uuid AS guru_id, NULL::text AS handle, sum(s.weight) AS fit FROM fitting f CROSS JOIN LATERAL (
       SELECT s.item, s.weight FROM search_entry_phrases s
        WHERE s.phrase_id = f.phrase_id AND s.kind = 'guru' AND s.weight >= 0.8 ORDER BY s.item LIMIT max_per_phrase) s
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
                 JOIN search_entry_phrases s ON s.phrase_id = p.id AND s.kind = 'guru' AND s.item = g.id::text
                WHERE p.id IN (SELECT f.phrase_id FROM fitting f) ORDER BY k.place),
         t.histogram
    FROM wanted w JOIN gurus g ON g.id = w.guru_id LEFT JOIN review_totals t ON t.tenant_id = g.id
   WHERE g.status = 'active' AND g.published
     AND NOT EXISTS (SELECT FROM memberships m WHERE m.tenant_id = g.id
                        AND (m.user_id = app.user_id() OR m.user_id IN (SELECT h.user_id FROM hidden_people h)))
   ORDER BY w.fit DESC, EXISTS (SELECT FROM memberships m JOIN users u ON u.user_id = m.user_id
                                 WHERE m.tenant_id = g.id AND u.listed_plan = 'premium-angel') DESC,
            coalesce(t.score, unrated) DESC, g.id LIMIT max_results
$$;
REVOKE ALL ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer, double precision)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_gurus(text, text, text[], integer, integer, integer, double precision)
    TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_neighbors.sql
-- Return neighbors who offer a subject (see app.subject_phrases) to the current user, each with one listing, the
-- nearest first, then Premium Angels. `max_per_phrase` listings are read for each of
-- `max_phrases` phrases, those around the user first.
-- `guru_id` is the guru that the neighbor owns.
--
-- Called by: teachers.
-- SECURITY DEFINER: it reads the public listings of all users and returns only public fields.
CREATE OR REPLACE FUNCTION app.teaching_neighbors(subject text, max_results integer, max_phrases integer,
                                                  max_per_phrase integer)
RETURNS TABLE (handle text, name text, photo_id uuid, photo_url text, city text, km real, listing_id uuid, title text,
               guru_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH here AS MATERIALIZED (
    SELECT h.tile, h.cell_lat, h.cell_lon FROM user_locations h WHERE h.user_id = app.user_id() AND h.tile >= 0
  ), tiles AS MATERIALIZED (
    SELECT t.near_tile, t.steps FROM here h CROSS JOIN app.tiles_around(h.tile) t
  ), offers AS (
    -- Each tile is a probe of the index: a join would read all offers of the phrase.
    SELECT o.* FROM app.subject_phrases(subject, max_phrases) f CROSS JOIN LATERAL (
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM tiles t CROSS JOIN LATERAL (
           SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon FROM skill_offers o
            WHERE o.phrase_id = f.phrase_id AND o.tile = t.near_tile AND o.visible LIMIT max_per_phrase) o
        ORDER BY t.steps LIMIT max_per_phrase)
       UNION ALL
      (SELECT o.user_id, o.id, o.title, o.cell_lat, o.cell_lon
         FROM skill_offers o WHERE o.phrase_id = f.phrase_id AND o.visible LIMIT max_per_phrase) LIMIT max_per_phrase) o
  ), nearest AS (
    SELECT DISTINCT ON (o.user_id) o.user_id, o.id, o.title,
           CASE WHEN o.cell_lat >= 0 THEN app.cell_km(o.cell_lat, o.cell_lon, h.cell_lat, h.cell_lon) END AS km
      FROM offers o LEFT JOIN here h ON true
     WHERE o.user_id IS DISTINCT FROM app.user_id() AND o.user_id NOT IN (SELECT h.user_id FROM hidden_people h)
     ORDER BY o.user_id, o.title, o.id
  ), chosen AS MATERIALIZED (
    SELECT n.user_id, n.id, n.title, n.km, u.listed_plan = 'premium-angel' AS premium
      FROM nearest n JOIN users u ON u.user_id = n.user_id
     WHERE u.status = 'active' ORDER BY n.km NULLS LAST, 5 DESC, n.id LIMIT max_results
  )
  SELECT p.handle, p.display_name, p.photo_id, p.photo_url,
         CASE WHEN p.shows_location THEN coalesce(w.city, '') ELSE '' END, c.km::real, c.id, c.title, m.tenant_id
    FROM chosen c JOIN profiles p ON p.user_id = c.user_id
    LEFT JOIN user_locations w ON w.user_id = c.user_id LEFT JOIN memberships m ON m.user_id = c.user_id
   ORDER BY c.km NULLS LAST, c.premium DESC, c.id
$$;
REVOKE ALL ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_neighbors(text, integer, integer, integer) TO porchlight_app, porchlight_overseer;

-- file: functions/teaching_times.sql
-- Return the first of these gurus, in their order, who take bookings: each with one service that can be booked (the one
-- that is wanted, or the guru's main one), its rules, and the hours, live appointments and busy times from the day before `now_at` to
-- the day after the last of the days. A guru whose flag "booking" is off is left out. The columns from `version` on have
-- the form of those in sites.hours.queries.
--
-- Called by: sites.hours.first_starts, for teachers.
-- Each guru is read in its own tenant's isolation, with the rights of the caller. The setting is the caller's again at
-- the end; the outer statement must not read tables of tenants itself.
CREATE OR REPLACE FUNCTION app.teaching_times(guru_ids uuid[], wanted_service uuid, now_at timestamptz,
                                              max_days integer, max_results integer)
RETURNS TABLE (guru_id uuid, name text, price_cents bigint, currency text, version bigint, rules_version bigint,
               zone text, step_minutes smallint, notice_minutes integer, horizon_days smallint, day_max smallint,
               paused_until timestamptz, service_id uuid, duration_minutes integer, setup_minutes smallint,
               cleanup_minutes smallint, capacity smallint, starts text, party_max smallint, approval text, place text,
               free_until_minutes integer, late_percent smallint, weekly json, dates json, appointments json,
               busy json)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  before text := coalesce(current_setting('app.tenant_id', true), '');
  tenant uuid;
  found_gurus integer := 0;
BEGIN
  FOREACH tenant IN ARRAY guru_ids LOOP
    EXIT WHEN found_gurus >= max_results;
    PERFORM set_config('app.tenant_id', tenant::text, true);
    RETURN QUERY
      SELECT c.tenant_id, s.name, s.price_cents, s.currency, c.version, c.rules_version, c.zone, c.step_minutes,
             c.notice_minutes, c.horizon_days, c.day_max, c.paused_until, s.id, s.duration_minutes, b.setup_minutes,
             b.cleanup_minutes, b.capacity, b.starts, b.party_max, b.approval, b.place, b.free_until_minutes,
             b.late_percent,
             (SELECT coalesce(json_agg(json_build_array(h.weekday, lower(h.during), upper(h.during))), '[]')
                FROM weekly_hours h WHERE h.tenant_id = tenant),
             (SELECT coalesce(json_agg(json_build_array(d.day, lower(d.during), upper(d.during))), '[]')
                FROM date_hours d WHERE d.tenant_id = tenant AND d.day BETWEEN day.first AND day.last),
             (SELECT coalesce(json_agg(json_build_array(a.service_id, extract(epoch FROM a.starts_at),
                       extract(epoch FROM a.ends_at), extract(epoch FROM lower(a.blocked)),
                       extract(epoch FROM upper(a.blocked)), a.capacity,
                       CASE WHEN a.waiting > 0 THEN a.capacity ELSE a.taken END, a.fixed)), '[]')
                FROM appointments a WHERE a.tenant_id = tenant AND a.live
                 AND a.blocked && tstzrange(day.first::timestamp AT TIME ZONE 'UTC',
                                            (day.last + 1)::timestamp AT TIME ZONE 'UTC')),
             (SELECT coalesce(json_agg(json_build_array(extract(epoch FROM lower(r)), extract(epoch FROM upper(r)))), '[]')
                FROM (SELECT unnest(range_agg(t.during)) AS r FROM busy_times t
                       WHERE t.tenant_id = tenant
                         AND t.during && tstzrange(day.first::timestamp AT TIME ZONE 'UTC',
                                                   (day.last + 1)::timestamp AT TIME ZONE 'UTC')) x)
        FROM calendars c JOIN booking_settings b ON b.tenant_id = c.tenant_id
        JOIN services s ON s.tenant_id = b.tenant_id AND s.id = b.service_id
       CROSS JOIN LATERAL (SELECT (now_at AT TIME ZONE 'UTC')::date AS today) utc
       -- The zone's own day may be the one before or after.
       CROSS JOIN LATERAL (SELECT utc.today - 1 AS earliest, utc.today + 1 AS latest) own
       CROSS JOIN LATERAL (SELECT own.earliest - 1 AS first,
                                  own.latest + least(c.horizon_days + 1, max_days) AS last) day
       WHERE c.tenant_id = tenant AND b.open AND NOT s.over_limit AND s.duration_minutes IS NOT NULL
         AND s.id = coalesce(wanted_service, s.id)
         AND coalesce((SELECT bool_or(k.listed) FROM guru_categories k WHERE k.tenant_id = tenant), true)
         AND coalesce((SELECT f.enabled FROM guru_flags f WHERE f.tenant_id = tenant AND f.name = 'booking'), true)
       ORDER BY s.popular DESC, s.position, s.id LIMIT 1;
    IF FOUND THEN
      found_gurus := found_gurus + 1;
    END IF;
  END LOOP;
  PERFORM set_config('app.tenant_id', before, true);
END $$;
REVOKE ALL ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.teaching_times(uuid[], uuid, timestamptz, integer, integer)
  TO porchlight_app, porchlight_overseer;

-- file: triggers/booking_seats.sql
-- Keep the number of occupied seats of each appointment equal to the parties of its bookings (app.count_session).
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_seats() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND app.occupies_seats(OLD.status) THEN
    PERFORM app.count_session(OLD.tenant_id, OLD.appointment_id, -OLD.party, 0, 0);
  END IF;
  IF TG_OP <> 'DELETE' AND app.occupies_seats(NEW.status)
     AND NOT app.count_session(NEW.tenant_id, NEW.appointment_id, NEW.party, 0, 0) THEN
    RAISE foreign_key_violation USING MESSAGE = 'the appointment of the booking is missing';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_seats AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_seats();
CREATE OR REPLACE TRIGGER count_seats_update AFTER UPDATE OF status, party, appointment_id ON bookings
    FOR EACH ROW WHEN ((app.occupies_seats(OLD.status), OLD.party, OLD.appointment_id)
                       IS DISTINCT FROM (app.occupies_seats(NEW.status), NEW.party, NEW.appointment_id))
    EXECUTE FUNCTION app.count_seats();

-- file: triggers/calendar_changed.sql
-- Give a guru's calendar a new version when its free times may have changed. With the argument `rules`, also a new
-- version of the rules, which decide what is offered at all. One new version for a transaction is enough, because
-- others see all its changes at once.
--
-- Fires on: weekly_hours, date_hours, booking_settings, services (rules); appointments, busy_times. Once per statement, in the same
-- transaction.
CREATE OR REPLACE FUNCTION app.calendar_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE calendars SET version = version + 1, rules_version = rules_version + (TG_ARGV[0] = 'rules')::integer
   WHERE tenant_id IN (SELECT tenant_id FROM changed)
     AND (TG_ARGV[0] = 'rules' OR xmin <> pg_current_xact_id()::xid);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON weekly_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON weekly_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON date_hours
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON date_hours
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON booking_settings
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON booking_settings
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON services
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON services
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('rules');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_update AFTER UPDATE ON appointments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON appointments
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_insert AFTER INSERT ON busy_times
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');
CREATE OR REPLACE TRIGGER calendar_changed_delete AFTER DELETE ON busy_times
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.calendar_changed('times');

CREATE OR REPLACE FUNCTION app.calendar_rules_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := greatest(NEW.version, OLD.version + 1);
  NEW.rules_version := greatest(NEW.rules_version, OLD.rules_version + 1);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER calendar_rules_changed BEFORE UPDATE OF zone, step_minutes, notice_minutes, horizon_days,
        day_max, paused_until ON calendars
    FOR EACH ROW EXECUTE FUNCTION app.calendar_rules_changed();

-- file: triggers/counters.sql
-- Keep the counters of the admin overview: users, gurus, reports, listings, sessions. Deleted accounts do not count as
-- users, and bookings and exchanges that were not confirmed or were canceled do not count as sessions.
-- Counting 50,000 rows for each page view costs more. A bulk load counts once, by triggers of the statement. Each counter
-- has 16 rows, so that concurrent transactions seldom wait for each other.
-- SECURITY DEFINER: no role may write the table.
--
-- Fires on: users, gurus, reports, skill_offers, bookings, exchanges. The first argument is the counter's name, the second one the
-- statuses that count.
CREATE OR REPLACE FUNCTION app.count_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  added bigint;
BEGIN
  IF TG_LEVEL = 'ROW' THEN
    added := (TG_OP <> 'DELETE' AND NEW.status = ANY (TG_ARGV[1]::text[]))::integer
             - (TG_OP <> 'INSERT' AND OLD.status = ANY (TG_ARGV[1]::text[]))::integer;
  ELSIF TG_OP = 'DELETE' AND TG_NARGS > 1 THEN
    added := -(SELECT count(*) FROM old_rows r WHERE r.status = ANY (TG_ARGV[1]::text[]));
  ELSIF TG_OP = 'DELETE' THEN
    added := -(SELECT count(*) FROM old_rows);
  ELSIF TG_NARGS > 1 THEN
    added := (SELECT count(*) FROM new_rows r WHERE r.status = ANY (TG_ARGV[1]::text[]));
  ELSE
    added := (SELECT count(*) FROM new_rows);
  END IF;
  IF added <> 0 THEN
    INSERT INTO counters AS t (name, slot, value) VALUES (TG_ARGV[0], mod(pg_backend_pid(), 16), added)
    ON CONFLICT (name, slot) DO UPDATE SET value = t.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION app.count_rows() FROM PUBLIC;

CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON gurus
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('gurus');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON gurus
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('gurus');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON reports
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('reports');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON reports
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('reports');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON skill_offers
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('listings');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON skill_offers
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('listings');
CREATE OR REPLACE TRIGGER counter_on_insert AFTER INSERT ON users
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
CREATE OR REPLACE TRIGGER counter_on_delete AFTER DELETE ON users
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN ((OLD.status = 'erased') <> (NEW.status = 'erased'))
    EXECUTE FUNCTION app.count_rows('users', '{active,suspended}');
-- A new booking is only held.
CREATE OR REPLACE TRIGGER counter_on_insert_or_delete AFTER INSERT OR DELETE ON bookings
    FOR EACH ROW EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,missed,completed}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON bookings
    FOR EACH ROW WHEN ((OLD.status IN ('confirmed', 'missed', 'completed'))
                       <> (NEW.status IN ('confirmed', 'missed', 'completed')))
    EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,missed,completed}');
-- Sessions of two neighbors.
CREATE OR REPLACE TRIGGER counter_on_insert_or_delete AFTER INSERT OR DELETE ON exchanges
    FOR EACH ROW EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,completed}');
CREATE OR REPLACE TRIGGER counter_on_update AFTER UPDATE OF status ON exchanges
    FOR EACH ROW WHEN ((OLD.status IN ('confirmed', 'completed')) <> (NEW.status IN ('confirmed', 'completed')))
    EXECUTE FUNCTION app.count_rows('sessions', '{confirmed,completed}');

-- file: triggers/exchange_waivers.sql
-- Give each open exchange the learner's waiver that covers its level and is valid longest: when it is asked for, and when
-- the learner accepts a waiver for the listing or one ends. Once the waiver has ended, `waiver_until` is in the past.
--
-- SECURITY DEFINER: requests may not write exchanges, and the teacher cannot read the learner's waivers.
-- Fires on: exchanges, waivers.
CREATE OR REPLACE FUNCTION app.update_exchange_waivers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  levels text[] := ARRAY['low', 'medium', 'high', 'extreme'];
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  learner uuid;
  listing text;
BEGIN
  IF TG_TABLE_NAME = 'exchanges' THEN
    learner := CASE WHEN NEW.teacher_id = NEW.person_a_id THEN NEW.person_b_id ELSE NEW.person_a_id END;
    listing := NEW.offer_id::text;
  ELSE
    learner := NEW.user_id;
    listing := NEW.exchange_id;
  END IF;
  PERFORM set_config('app.user_id', learner::text, true);
  UPDATE exchanges e SET waiver_until = coalesce(
           (SELECT max(w.expires_at) FROM waivers w
             WHERE w.user_id = learner AND w.guru_id IS NULL AND w.exchange_id = listing AND w.ended_at IS NULL
               AND array_position(levels, w.level) >= array_position(levels, e.risk)),
           CASE WHEN e.waiver_until IS NOT NULL THEN least(e.waiver_until, app.now()) END)
   WHERE learner IN (e.person_a_id, e.person_b_id) AND e.teacher_id <> learner AND e.offer_id::text = listing
     AND e.risk <> '' AND e.status IN ('asked', 'countered', 'confirmed');
  PERFORM set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER update_exchange_waivers AFTER INSERT ON exchanges
    FOR EACH ROW WHEN (NEW.risk <> '') EXECUTE FUNCTION app.update_exchange_waivers();
CREATE OR REPLACE TRIGGER update_exchange_waivers_insert AFTER INSERT ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NULL) EXECUTE FUNCTION app.update_exchange_waivers();
CREATE OR REPLACE TRIGGER update_exchange_waivers_update AFTER UPDATE OF ended_at ON waivers
    FOR EACH ROW WHEN (NEW.guru_id IS NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION app.update_exchange_waivers();

-- file: triggers/on_message_file_deleted.sql
-- Start the job that deletes a message's file from the file store. Only the deleted row knew its key.
--
-- SECURITY DEFINER: the app role may not call app.enqueue.
-- Fires on: message_files.
CREATE OR REPLACE FUNCTION app.on_message_file_deleted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.enqueue('messages:delete_file', jsonb_build_object('key', OLD.key), NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_message_file_deleted AFTER DELETE ON message_files
    FOR EACH ROW EXECUTE FUNCTION app.on_message_file_deleted();

-- file: triggers/on_user_deleted_bookings.sql
-- Erase the personal data of a deleted account from its bookings, with the names of the people who came along. Bookings
-- and packages stay, without names and texts, as the gurus' records; what is left of a package ends. What was open has
-- been canceled.
--
-- SECURITY DEFINER: the app role cannot change the history of bookings and the waitlist.
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_bookings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  person uuid := NEW.user_id;
  tenant uuid;
BEGIN
  PERFORM set_config('app.user_id', person::text, true);
  -- In the order of the ids, so that two deletions lock calendars in the same order.
  FOR tenant IN
    SELECT b.tenant_id FROM bookings b WHERE b.person_id = person
     UNION SELECT w.tenant_id FROM waitlist w WHERE w.person_id = person
     UNION SELECT p.tenant_id FROM package_grants p WHERE p.person_id = person ORDER BY 1
  LOOP
    PERFORM set_config('app.tenant_id', tenant::text, true);
    PERFORM app.lock_calendar();
    UPDATE bookings b
       SET person_name = '', participants = '{}', note = '', person_address = '', person_zone = '', customer_email = '',
           address_hash = NULL, reason = CASE WHEN b.ended_by = 'person' THEN '' ELSE b.reason END
     WHERE b.tenant_id = tenant AND b.person_id = person;
    UPDATE participants p SET name = '', email = '', signed_by = '', token = NULL, email_due = NULL
     WHERE p.tenant_id = tenant AND p.person_id = person;
    UPDATE booking_events e SET details = e.details - 'reason'
     WHERE e.tenant_id = tenant AND e.person_id = person AND e.actor = 'person';
    UPDATE package_grants g SET person_name = '', taken_back = g.taken_back + g.left_over, left_over = 0
     WHERE g.tenant_id = tenant AND g.person_id = person;
    UPDATE package_events e SET details = e.details - 'reason' WHERE e.tenant_id = tenant AND e.person_id = person;
    DELETE FROM waitlist w WHERE w.tenant_id = tenant AND w.person_id = person;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true), set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_bookings AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_bookings();

-- file: triggers/on_user_deleted_exchanges.sql
-- Cancel the open exchanges of a deleted account, free the times in the calendar of a site, and blank what the person
-- wrote, the listing's title included. The other people get an email, and keep the exchanges without words.
--
-- SECURITY DEFINER: requests may not write exchanges, and the calendar of the other one is behind row level security.
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_exchanges() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  erased uuid := NEW.user_id;
  own exchanges;
  side text;
BEGIN
  PERFORM set_config('app.user_id', erased::text, true);
  -- In the order of the calendars and teachers, so that two deletions lock them in the same order.
  FOR own IN
    SELECT e.* FROM exchanges e WHERE erased IN (e.person_a_id, e.person_b_id)
     ORDER BY e.guru_id NULLS LAST, e.teacher_id, e.id
  LOOP
    side := CASE WHEN own.teacher_id = erased THEN 'teacher' ELSE 'learner' END;
    IF own.status IN ('asked', 'countered', 'confirmed') THEN
      PERFORM set_config('app.tenant_id', own.guru_id::text, true);
      PERFORM app.lock_calendar();
      PERFORM pg_advisory_xact_lock(hashtextextended('exchanges ' || own.teacher_id, 0));
      SELECT e.* INTO own FROM exchanges e WHERE e.person_a_id = own.person_a_id AND e.id = own.id FOR UPDATE;
      IF own.status IN ('asked', 'countered', 'confirmed') THEN
        -- A time may have been taken since the loop began, by an answer that was under way: then it names the calendar.
        PERFORM set_config('app.tenant_id', own.guru_id::text, true);
        PERFORM app.reserve_time(own.id, NULL, NULL, NULL, NULL, NULL);
        UPDATE exchanges e
           SET status = 'canceled', turn = '', expires_at = NULL, ended_by = side, remind_at = NULL,
               sequence = e.sequence + 1, changed_at = app.now()
         WHERE e.person_a_id = own.person_a_id AND e.id = own.id;
        PERFORM app.enqueue('exchanges:send_email', jsonb_build_object(
          'user_id', CASE WHEN own.person_a_id = erased THEN own.person_b_id ELSE own.person_a_id END,
          'exchange_id', own.id, 'kind', CASE WHEN own.status = 'confirmed' THEN 'canceled' ELSE 'withdrawn' END,
          'sequence', own.sequence + 1), NULL);
      END IF;
    END IF;
    UPDATE exchanges e
       SET note = CASE WHEN side = 'learner' THEN '' ELSE e.note END,
           skill = CASE WHEN side = 'teacher' THEN '' ELSE e.skill END,
           reply = CASE WHEN e.reply_by = side THEN '' ELSE e.reply END
     WHERE e.person_a_id = own.person_a_id AND e.id = own.id;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true), set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_exchanges AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_exchanges();

-- file: triggers/on_user_deleted_messages.sql
-- Remove the words and files of a deleted account from its messages. The other people keep the threads, and their clients
-- learn of each by a change.
--
-- SECURITY DEFINER: the app role may not change messages, and inboxes of others are behind row level security.
-- Fires on: users, when the status becomes erased.
CREATE OR REPLACE FUNCTION app.on_user_deleted_messages() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_user text := coalesce(current_setting('app.user_id', true), '');
  erased uuid := NEW.user_id;
  thread record;
BEGIN
  PERFORM set_config('app.user_id', erased::text, true);
  UPDATE messages g SET body = '', files = '[]', removed_at = coalesce(g.removed_at, app.now())
   WHERE (g.person_a_id = erased OR g.person_b_id = erased) AND g.sender_id = erased;
  DELETE FROM message_files f WHERE f.user_id = erased;
  -- In the order of the people, so that two deletions lock inboxes in the same order.
  FOR thread IN
    SELECT t.id, CASE WHEN t.person_a_id = erased THEN t.person_b_id ELSE t.person_a_id END AS other_id
      FROM threads t WHERE erased IN (t.person_a_id, t.person_b_id) ORDER BY 2, 1
  LOOP
    PERFORM set_config('app.user_id', thread.other_id::text, true);
    WITH changed AS (UPDATE inboxes i SET change = i.change + 1 WHERE i.user_id = thread.other_id RETURNING i.change)
    UPDATE thread_members m SET change = c.change FROM changed c
     WHERE m.user_id = thread.other_id AND m.thread_id = thread.id;
  END LOOP;
  PERFORM set_config('app.user_id', previous_user, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_messages AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_messages();

-- file: triggers/on_user_deleted_reviews.sql
-- Erase the person of a deleted account from all reviews. The stars they gave stay, without words and name; what gurus
-- wrote about them goes.
--
-- Fires on: users, when the status becomes erased.
-- SECURITY DEFINER: the app role cannot change what a review says, and does not see the hidden ones of gurus.
CREATE OR REPLACE FUNCTION app.on_user_deleted_reviews() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  previous_tenant text := coalesce(current_setting('app.tenant_id', true), '');
  guru_id uuid;
BEGIN
  -- In the order of the ids, so that two deletions lock rows in the same order.
  FOR guru_id IN SELECT DISTINCT r.tenant_id FROM reviews r WHERE r.person_id = NEW.user_id ORDER BY 1 LOOP
    PERFORM set_config('app.tenant_id', guru_id::text, true);
    UPDATE reviews r SET body = '', private_note = '', address_hash = NULL
     WHERE r.tenant_id = guru_id AND r.person_id = NEW.user_id AND r.side = 'person';
    DELETE FROM reviews r WHERE r.tenant_id = guru_id AND r.person_id = NEW.user_id AND r.side = 'guru';
  END LOOP;
  PERFORM set_config('app.tenant_id', previous_tenant, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER on_user_deleted_reviews AFTER UPDATE OF status ON users
    FOR EACH ROW WHEN (NEW.status = 'erased' AND OLD.status <> 'erased')
    EXECUTE FUNCTION app.on_user_deleted_reviews();

-- file: triggers/session_changes.sql
-- Increase the number of a session with each change of its confirmed bookings: a class is one event in the guru's
-- calendar, and calendars apply an update only if its number is higher. A booking that moves stores the session that it
-- left, because that event changes too.
--
-- Fires on: bookings. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.number_session_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM app.count_session(NEW.tenant_id, NEW.appointment_id, 0, 0, 1);
  IF NEW.appointment_id <> OLD.appointment_id THEN
    PERFORM app.count_session(OLD.tenant_id, OLD.appointment_id, 0, 0, 1);
    NEW.left_appointment_id := OLD.appointment_id;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER number_session_change BEFORE UPDATE OF status, sequence, appointment_id, party ON bookings
    FOR EACH ROW WHEN ((OLD.status = 'confirmed' OR NEW.status = 'confirmed')
                       AND (OLD.status, OLD.sequence, OLD.appointment_id, OLD.party)
                       IS DISTINCT FROM (NEW.status, NEW.sequence, NEW.appointment_id, NEW.party))
    EXECUTE FUNCTION app.number_session_change();

-- file: triggers/site_changed.sql
-- Give a guru's site a new content version when anything changes that its pages show.
--
-- Fires on: posts, post_views, services, guru_categories, booking_settings, guru_facts, review_totals, published reviews,
-- deletions of site_images. Once per statement, in the same transaction.
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

CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON review_totals
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

CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON review_totals
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION
    app.site_changed_update();

-- A hidden review gives no new version: nothing outside may tell that there is one.
CREATE OR REPLACE FUNCTION app.site_changed_reviews() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE gurus SET content_version = content_version + 1
   WHERE id IN (SELECT tenant_id FROM new_rows WHERE side = 'person' AND published_at IS NOT NULL);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER site_changed_insert AFTER INSERT ON reviews
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_reviews();
CREATE OR REPLACE TRIGGER site_changed_update AFTER UPDATE ON reviews
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_reviews();

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
CREATE OR REPLACE TRIGGER site_changed_delete AFTER DELETE ON site_images
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION app.site_changed_delete();

-- file: triggers/waiting_people.sql
-- Keep the number of those who wait for each session. Other visitors see such a session as full.
--
-- Fires on: waitlist. The transaction holds the lock of the calendar.
CREATE OR REPLACE FUNCTION app.count_waiting() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status = 'waiting' THEN
    PERFORM app.count_session(OLD.tenant_id, OLD.appointment_id, 0, -1, 0);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status = 'waiting' THEN
    PERFORM app.count_session(NEW.tenant_id, NEW.appointment_id, 0, 1, 0);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_waiting AFTER INSERT OR DELETE OR UPDATE OF status ON waitlist
    FOR EACH ROW EXECUTE FUNCTION app.count_waiting();
