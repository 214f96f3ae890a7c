"""Gurus and people in proportion, with everything that belongs to them, made by one SQL statement per table.

Person `n` owns guru `n`. Choices are uneven, as in life: a few skills and one service have very many people, most of
whom live in one city. Triggers are off while the rows are made, so the statements also fill what triggers derive.
"""

from __future__ import annotations

from typing import Any

import psycopg

from porchlight.geo.grid import cell_center, cell_of, tile_of
from tests.fixtures.databases import Database
from tests.porchlight.matches.bulk_data import TOWNS, phrases

COMMON_WORD = "bread"
BUSY_SERVICE = "handyman-services"  # half of all angels offer it
CITY = "Denver"
PLACES_PER_SHARE = 11
SPREAD_DEGREES = 0.06
RELATIONS_EACH_SIDE = 12
RARE = 150  # one of so many is suspended or hidden: more than a page of a list among 10,000

# `pg_temp.id` returns UUIDs of version 7 that sort by `n`, `pg_temp.pick` an even choice below `below`, and
# `pg_temp.skewed` one whose small numbers are frequent: the first of 560 is chosen 12 times in 100.
FUNCTIONS = """
CREATE FUNCTION pg_temp.id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(kind || n), 1, 3)
          || '8' || substr(md5(kind || n), 5, 15))::uuid $$;
CREATE FUNCTION pg_temp.pick(kind text, n bigint, below bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT ((hashtextextended(kind, n) & 1073741823) % below)::integer $$;
CREATE FUNCTION pg_temp.skewed(kind text, n bigint, below bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(below * power(pg_temp.pick(kind, n, 1000000) / 1000000.0, 3))::integer $$;
"""
CHOICES = """
CREATE TEMP TABLE places (place integer PRIMARY KEY, latitude double precision, longitude double precision,
                          tile integer, cell_lat smallint, cell_lon smallint);
CREATE TEMP TABLE words (rank integer PRIMARY KEY, phrase_id integer, words text);
"""
PHRASES = f"""
INSERT INTO words SELECT row_number() OVER (ORDER BY min(p.n)) - 1, p.id, min(p.words)
  FROM (SELECT app.get_or_create_phrase(w.words, true) AS id, w.words, w.n
          FROM unnest(%s::text[]) WITH ORDINALITY w (words, n)) p GROUP BY p.id;
UPDATE phrases SET related_by = 'bench+';
INSERT INTO phrase_relations (phrase_id, other_id, probability)
SELECT a.phrase_id, b.phrase_id, greatest(0.3, 0.95 - 0.06 * abs(a.rank - b.rank))
  FROM words a JOIN words b ON b.rank BETWEEN a.rank - {RELATIONS_EACH_SIDE} AND a.rank + {RELATIONS_EACH_SIDE}
ON CONFLICT DO NOTHING;
"""
COUNTS = {
    "users": "SELECT count(*) FROM users WHERE status <> 'erased'",
    "gurus": "SELECT count(*) FROM gurus",
    "reports": "SELECT count(*) FROM reports",
    "listings": "SELECT count(*) FROM skill_offers",
    "sessions": "SELECT count(*) FROM bookings WHERE status IN ('confirmed', 'missed', 'completed')",
}
ROWS = """
INSERT INTO users (user_id, firebase_uid, email, email_verified, created_at)
SELECT pg_temp.id('user', n), 'uid-' || n, 'neighbor' || n || '@mail' || n % 97 || '.example', true,
       app.now() - n % 700 * interval '1 day'
  FROM generate_series(1, {count}) n;
INSERT INTO profiles (user_id, handle, first_name, display_name, bio, location, languages, registered_at)
SELECT pg_temp.id('user', n), 'neighbor-' || n, 'Neighbor', 'Neighbor ' || n, 'I teach and learn.', 'Denver, Colorado',
       CASE WHEN n % 9 = 0 THEN '{{English,Spanish}}'::text[] ELSE '{{English}}' END, app.now()
  FROM generate_series(1, {count}) n;
INSERT INTO user_locations (user_id, city, tile, cell_lat, cell_lon, availability_bits)
SELECT pg_temp.id('user', n), 'Denver, Colorado', p.tile, p.cell_lat, p.cell_lon, 7
  FROM generate_series(1, {count}) n JOIN places p ON p.place = pg_temp.pick('place', n, {places});
INSERT INTO sessions (user_id, id, secret_hash, authenticated_at, token_issued_at, expires_at)
SELECT pg_temp.id('user', n), pg_temp.id('session', n), sha256(('session' || n)::bytea), app.now(), app.now(),
       app.now() + interval '9 days'
  FROM generate_series(1, {count}) n;
INSERT INTO skill_offers (user_id, id, phrase_id, title, details, formats, visible, tile, cell_lat, cell_lon)
SELECT pg_temp.id('user', n), pg_temp.id('offer' || k, n), w.phrase_id, w.words, 'In my kitchen or yours.',
       CASE WHEN n % 4 = 0 THEN '{{in_person,online}}'::text[] ELSE '{{in_person}}' END, true, p.tile, p.cell_lat,
       p.cell_lon
  FROM generate_series(1, {count}) n JOIN places p ON p.place = pg_temp.pick('place', n, {places})
 CROSS JOIN generate_series(1, 3) k JOIN words w ON w.rank = pg_temp.skewed('offer' || k, n, {words})
ON CONFLICT DO NOTHING;
INSERT INTO skill_offer_languages (offer_id, language, phrase_id, tile)
SELECT o.id, lower(l), o.phrase_id, o.tile FROM skill_offers o JOIN profiles p USING (user_id), unnest(p.languages) l;
INSERT INTO skill_wants (user_id, id, phrase_id, title, visible, tile, cell_lat, cell_lon)
SELECT pg_temp.id('user', n), pg_temp.id('want' || k, n), w.phrase_id, w.words, true, p.tile, p.cell_lat, p.cell_lon
  FROM generate_series(1, {count}) n JOIN places p ON p.place = pg_temp.pick('place', n, {places})
 CROSS JOIN generate_series(1, 2) k JOIN words w ON w.rank = pg_temp.skewed('want' || k, n, {words})
ON CONFLICT DO NOTHING;
INSERT INTO angels (user_id, service_id, rate_cents, about, days, radius_miles, city, region, latitude, longitude, jobs,
                    ratings, rating_sum)
SELECT pg_temp.id('user', n),
       CASE WHEN n % 4 = 0 THEN '{service}' ELSE (SELECT array_agg(id ORDER BY position) FROM angel_services)[
            1 + pg_temp.pick('service', n, (SELECT count(*) FROM angel_services))] END,
       2000 + n % 50 * 100, 'Careful and on time.', '{{1,2,3,4,5}}', 5 + n % 40, '{city}', 'Colorado', p.latitude,
       p.longitude, n % 30, n % 20, n % 20 * 4
  FROM generate_series(2, {count}, 2) n JOIN places p ON p.place = pg_temp.pick('place', n, {places});
INSERT INTO needs (user_id, id, service_id, title, description, wanted_from, wanted_until, hours, city, region,
                   latitude, longitude, status, accepted_offer_id, accepted_user_id, rating, review, idempotency_key,
                   expires_at, created_at)
SELECT pg_temp.id('user', n), pg_temp.id('need', n),
       CASE WHEN n % 4 = 0 THEN '{service}' ELSE (SELECT array_agg(id ORDER BY position) FROM angel_services)[
            1 + pg_temp.pick('need service', n, (SELECT count(*) FROM angel_services))] END,
       'Help with something', 'A few hours of help, please.', app.now()::date, app.now()::date + 5, 2,
       '{city}', 'Colorado',
       p.latitude, p.longitude, CASE WHEN n % 3 = 0 THEN 'done' ELSE 'open' END,
       CASE WHEN n % 3 = 0 THEN pg_temp.id('need offer1', n) END,
       CASE WHEN n % 3 = 0 THEN pg_temp.id('user', 2 + n % {count} / 2 * 2) END,
       CASE WHEN n % 3 = 0 THEN 3 + n % 3 END, CASE WHEN n % 6 = 0 THEN 'Very good work.' ELSE '' END, n,
       app.now() + interval '9 days', app.now() - n % 60 * interval '1 day'
  FROM generate_series(1, {count}, 2) n JOIN places p ON p.place = pg_temp.pick('need place', n, {places});
INSERT INTO need_offers (user_id, id, need_id, price_cents, message)
SELECT pg_temp.id('user', 2 + (n + k - 1) % {count} / 2 * 2), pg_temp.id('need offer' || k, n), pg_temp.id('need', n),
       4000, 'I can help.'
  FROM generate_series(1, {count}, 2) n CROSS JOIN generate_series(1, 2) k
ON CONFLICT DO NOTHING;
INSERT INTO gurus (id, label, character, category, primary_skills, tagline, city, about_markdown, about_html,
                   contact_email, created_at)
SELECT pg_temp.id('guru', n), 'guru-' || lpad(n::text, 6, '0'), 'Guru ' || n, 'Creative',
       '{{teaching,mentoring,listening}}', 'One of very many neighbors.', 'Denver, Colorado', 'About me.',
       '<p>About me.</p>', 'neighbor' || n || '@mail' || n % 97 || '.example', app.now() - n % 700 * interval '1 day'
  FROM generate_series(1, {count}) n;
INSERT INTO memberships (tenant_id, user_id)
SELECT pg_temp.id('guru', n), pg_temp.id('user', n) FROM generate_series(1, {count}) n;
INSERT INTO guru_categories (tenant_id, slug, name, needs_documents, listed)
SELECT pg_temp.id('guru', n), c.slug, c.name, false, true
  FROM (SELECT slug, name FROM skill_categories ORDER BY (name = 'Creative') DESC LIMIT 1) c,
       generate_series(1, {count}) n;
INSERT INTO guru_facts (tenant_id, answer_minutes, sessions)
SELECT pg_temp.id('guru', n), 1 + n % 600, n % 90 FROM generate_series(1, {count}) n;
INSERT INTO daily_visits (tenant_id, day, visitors)
SELECT pg_temp.id('guru', n), app.now()::date - 1, n % 90 FROM generate_series(1, {count}) n;
INSERT INTO services (tenant_id, id, name, price_cents, duration_minutes, features, position)
SELECT pg_temp.id('guru', n), pg_temp.id('service' || k, n), 'Lesson ' || k, 2500 * k, 60, '{{Notes}}', k
  FROM generate_series(1, {count}) n CROSS JOIN generate_series(1, 3) k;
INSERT INTO calendars (tenant_id, zone)
SELECT pg_temp.id('guru', n), 'America/Denver' FROM generate_series(1, {count}) n;
INSERT INTO weekly_hours (tenant_id, weekday, during)
SELECT pg_temp.id('guru', n), k, '[540,1020)' FROM generate_series(1, {count}) n CROSS JOIN generate_series(0, 1) k;
INSERT INTO booking_settings (tenant_id, service_id, open)
SELECT pg_temp.id('guru', n), pg_temp.id('service1', n), true FROM generate_series(1, {count}) n;
INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity, taken)
SELECT pg_temp.id('guru', n), pg_temp.id('appointment' || k, n), pg_temp.id('service1', n), t, t + interval '1 hour',
       'America/Denver', tstzrange(t, t + interval '1 hour'), 1, 1
  FROM generate_series(1, {count}) n CROSS JOIN generate_series(0, 1) k
 CROSS JOIN LATERAL (SELECT date_trunc('hour', app.now()) + (k * 60 - 30 + n % 20) * interval '1 day') times (t);
INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, status, person_name, guru_label, guru_name,
                      service_name, starts_at, ends_at, zone, price_cents, currency, approval, place, terms,
                      terms_digest, confirmed_at, created_at)
SELECT a.tenant_id, pg_temp.id('booking' || k, n), a.id, a.service_id, pg_temp.id('user', 1 + n % {count}),
       CASE WHEN k = 0 THEN 'completed' ELSE 'confirmed' END, 'Neighbor ' || n, 'guru-' || lpad(n::text, 6, '0'),
       'Guru ' || n, 'Lesson 1', a.starts_at, a.ends_at, a.zone, 2500, 'USD', 'instant', 'agreed',
       '{{"policy": "flexible", "free_until_minutes": 1440, "late_percent": 0, "missed_percent": 50, "moves_max": 2,
          "move_until_minutes": 1440}}', '', app.now(), a.created_at
  FROM generate_series(1, {count}) n CROSS JOIN generate_series(0, 1) k
  JOIN appointments a ON a.tenant_id = pg_temp.id('guru', n) AND a.id = pg_temp.id('appointment' || k, n);
INSERT INTO booking_events (tenant_id, booking_id, number, person_id, actor, event)
SELECT tenant_id, id, 1, person_id, 'person', 'confirmed' FROM bookings;
INSERT INTO posts (tenant_id, id, slug, title, tags, excerpt, content_markdown, content_html, words, status,
                   published_at)
SELECT pg_temp.id('guru', n), pg_temp.id('post' || k, n), 'post-' || k, w.words || ' for everyone', '{{teaching,home}}',
       'A short text.', repeat('Flour and water. ', 30), repeat('<p>Flour and water.</p>', 30), 90, 'published',
       app.now() - (n + k) % 700 * interval '1 day'
  FROM generate_series(1, {count}) n CROSS JOIN generate_series(1, 2) k
  JOIN words w ON w.rank = pg_temp.skewed('post' || k, n, {words});
INSERT INTO post_views (tenant_id, post_id, views) SELECT tenant_id, id, length(title) FROM posts;
INSERT INTO leads (tenant_id, id, name, email, message, status, address_hash, idempotency_key, digest, created_at)
SELECT pg_temp.id('guru', n), pg_temp.id('lead' || k, n), 'Visitor ' || n, 'visitor' || n || '@mail.example',
       'Can you teach me to bake?', CASE k WHEN 1 THEN 'new' ELSE 'answered' END, '', k, '',
       app.now() - (n + 30 * k) % 300 * interval '1 day'
  FROM generate_series(1, {count}) n CROSS JOIN generate_series(1, 3) k;
INSERT INTO search_entries (kind, item, owner_id, version, title, summary, label, slug, price_cents, city, tile,
                            cell_lat, cell_lon)
SELECT 'guru', pg_temp.id('guru', n)::text, pg_temp.id('guru', n), 1, 'Guru ' || n, 'One of very many neighbors.',
       'guru-' || lpad(n::text, 6, '0'), '', 2500, 'Denver, Colorado', p.tile, p.cell_lat, p.cell_lon
  FROM generate_series(1, {count}) n JOIN places p ON p.place = pg_temp.pick('place', n, {places})
UNION ALL
SELECT 'post', p.id::text, p.tenant_id, 1, p.title, p.excerpt, '', p.slug, NULL, '', -1, -1, -1 FROM posts p
UNION ALL
SELECT 'angel', s.id, NULL, 1, s.title, s.description, '', '', NULL, '', -1, -1, -1 FROM angel_services s;
INSERT INTO search_entry_phrases (phrase_id, kind, item, weight)
SELECT w.phrase_id, e.kind, e.item, 1.0 / k FROM search_entries e CROSS JOIN generate_series(1, 2) k
  JOIN words w ON w.rank = pg_temp.skewed(e.item, k, {words})
ON CONFLICT DO NOTHING;
INSERT INTO documents (user_id, id, type, category, provider, file_url, status)
SELECT pg_temp.id('user', n), pg_temp.id('document', n), 'license', 'Electrical', 'The city',
       'https://files.example/license.pdf', CASE WHEN n % 20 = 0 THEN 'pending' ELSE 'approved' END
  FROM generate_series(1, {count}, 10) n;
INSERT INTO reports (id, subject_kind, subject_id, subject_name, subject_title, guru_id, reason, address_hash,
                     idempotency_key, digest)
SELECT pg_temp.id('report', n), 'site', pg_temp.id('guru', n), 'guru-' || lpad(n::text, 6, '0'), 'Guru ' || n,
       pg_temp.id('guru', n), 'spam', '', 'bench-' || n, ''
  FROM generate_series(1, {count}, 5) n;
INSERT INTO risk_reviews (id, category, activity, digest, occurrences, level, decided_at)
SELECT pg_temp.id('risk review', n), 'Creative', 'Activity ' || n, sha256(n::text::bytea), 1 + n % 40,
       CASE WHEN n % 3 = 0 THEN 'low' END, CASE WHEN n % 3 = 0 THEN app.now() END
  FROM generate_series(1, {count}, 10) n;
INSERT INTO threads (person_a_id, person_b_id, id, number, opened_by)
SELECT least(a, b), greatest(a, b), pg_temp.id('thread', n), 1, a
  FROM generate_series(1, {count} - 1, 5) n,
       LATERAL (SELECT pg_temp.id('user', n) AS a, pg_temp.id('user', n + 1) AS b) p;
INSERT INTO messages (person_a_id, person_b_id, thread_id, number, id, sender_id, body, change_a, change_b,
                      idempotency_key, digest)
SELECT t.person_a_id, t.person_b_id, t.id, 1, t.id, t.opened_by, 'Do you teach beginners?', 1, 1, '1', ''
  FROM threads t;
INSERT INTO inboxes (user_id, change, unread)
SELECT p.id, 1, 0 FROM threads t CROSS JOIN LATERAL (VALUES (t.person_a_id), (t.person_b_id)) p (id);
INSERT INTO thread_members (user_id, thread_id, other_id, side, read_number, change, last_at)
SELECT p.id, t.id, p.other, 'person', 1, 1, app.now()
  FROM threads t
 CROSS JOIN LATERAL (VALUES (t.person_a_id, t.person_b_id), (t.person_b_id, t.person_a_id)) p (id, other);
INSERT INTO saved_searches (user_id, id, words)
SELECT pg_temp.id('user', n), pg_temp.id('search', n), 'bread ' || n FROM generate_series(1, {count}, 5) n;
INSERT INTO porch_lights (user_id, expires_at, city, latitude, longitude)
SELECT pg_temp.id('user', n), app.now() + interval '9 hours', '{city}', p.latitude, p.longitude
  FROM generate_series(1, {count}, 50) n JOIN places p ON p.place = pg_temp.pick('place', n, {places});
INSERT INTO notifications (user_id, id, key, kind, title, url, is_mailed)
SELECT pg_temp.id('user', n), pg_temp.id('notification ' || m, n), m::text, 'leads', 'A message', '/guru/leads', true
  FROM generate_series(1, {count}, 5) n CROSS JOIN generate_series(1, 40) m;
INSERT INTO stripe_inbox (id, endpoint, kind, livemode, created, received_at, body, state)
SELECT 'evt_' || n, 'platform', 'payout.paid', false, app.now(), app.now() - n * interval '1 minute', '{{}}',
       CASE WHEN n % 5000 = 1 THEN 'failed' ELSE 'done' END
  FROM generate_series(1, {count}, 2) n;
INSERT INTO findings (id, kind, stripe_id, cents, state)
SELECT pg_temp.id('finding', n), 'missing_here', 'txn_' || n, 1, CASE WHEN n % 3 = 0 THEN 'open' ELSE 'explained' END
  FROM generate_series(1, {count}, 50) n;
INSERT INTO payouts (user_id, id, account_id, amount, method, automatic, state, po_id)
SELECT pg_temp.id('user', n), pg_temp.id('payout', n), 'acct_' || n, 9000, 'standard', true, 'paid', 'po_' || n
  FROM generate_series(1, {count}, 2) n;
INSERT INTO stripe_outbox (id, kind, subject_id, attempt, lane, method, path, params, state)
SELECT pg_temp.id('outbox', n), 'payout', pg_temp.id('payout', n), 1, 'lane-' || n, 'POST', '/v1/payouts', '{{}}',
       'done'
  FROM generate_series(1, {count}, 5) n;
INSERT INTO plan_disputes (user_id, id, dp_id, charge_id, amount, fee, reason, state, opened_at, checked_at)
SELECT pg_temp.id('user', n), pg_temp.id('dispute', n), 'dp_' || n, 'ch_' || n, 900, 1500, 'fraudulent',
       CASE WHEN n % 3 = 0 THEN 'open' ELSE 'won' END, app.now(), app.now()
  FROM generate_series(1, {count}, 50) n;
INSERT INTO reconciliations (id, started_at, lines, open_findings, off_cents, off_accounts)
SELECT pg_temp.id('reconciliation', n), app.now() - n * interval '1 day', 500, 0, 0, 0 FROM generate_series(1, 400) n;
INSERT INTO audit_log (id, actor, action, subject_kind, subject_id, previous, hash)
SELECT n, 'Ada', 'user.suspended', 'user', pg_temp.id('user', n)::text, sha256((n - 1)::text::bytea),
       sha256(n::text::bytea)
  FROM generate_series(1, {count} / 5) n;
UPDATE audit_head SET id = {count} / 5, hash = sha256(({count} / 5)::text::bytea);
UPDATE users SET status = 'suspended', suspended_at = app.now()
 WHERE user_id IN (SELECT pg_temp.id('user', n) FROM generate_series(99, {count}, {rare}) n);
UPDATE gurus SET status = 'suspended', suspended_at = app.now()
 WHERE id IN (SELECT pg_temp.id('guru', n) FROM generate_series(99, {count}, {rare}) n);
INSERT INTO hidden_listings (owner_id, phrase_id, reason, hidden_at)
SELECT user_id, phrase_id, 'spam', app.now() - phrase_id * interval '1 hour' FROM skill_offers
 WHERE id IN (SELECT pg_temp.id('offer1', n) FROM generate_series(98, {count}, {rare}) n);
UPDATE skill_offers SET visible = false
 WHERE id IN (SELECT pg_temp.id('offer1', n) FROM generate_series(98, {count}, {rare}) n);
"""


def build(database: Database, count: int) -> None:
    """Add `count` gurus and as many people to an empty database, and vacuum it."""
    words = sorted(phrases(), key=lambda phrase: COMMON_WORD not in phrase.lower())
    places = _places()
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute("SET session_replication_role = replica")  # no triggers
        conn.execute(FUNCTIONS + CHOICES)
        with conn.cursor() as cursor, cursor.copy("COPY places FROM STDIN") as copy:
            for row in places:
                copy.write_row(row)
        for statement in PHRASES.split(";\n")[:-1]:
            conn.execute(statement.encode(), [words] if "%s" in statement else None)
        conn.execute("ANALYZE places, words")
        word_count = conn.execute("SELECT count(*) FROM words").fetchone()
        assert word_count is not None
        text = ROWS.format(
            count=count, places=len(places), words=word_count[0], service=BUSY_SERVICE, city=CITY, rare=RARE
        )
        conn.execute(text.encode())
        update_counters(conn)
    vacuum(database)


def update_counters(conn: psycopg.Connection[Any]) -> None:
    """Count what the triggers of the counted tables would have counted."""
    conn.execute("DELETE FROM counters")
    for name, query in COUNTS.items():
        conn.execute(f"INSERT INTO counters (name, slot, value) VALUES (%s, 0, ({query}))".encode(), [name])


def vacuum(database: Database) -> None:
    """Do what autovacuum does after a while."""
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("SET client_min_messages = error")
        conn.execute("VACUUM ANALYZE")


def _places() -> list[tuple[float, ...]]:
    """Return places around the towns, as many of each as its share of the people."""
    places: list[tuple[float, ...]] = []
    for (latitude, longitude), share in TOWNS.items():
        for number in range(share * PLACES_PER_SHARE):
            north = SPREAD_DEGREES * (2 * (number * 0.618034 % 1) - 1)
            east = SPREAD_DEGREES * (2 * (number * 0.754878 % 1) - 1)
            cell = cell_of(latitude + north, longitude + east)
            places.append((len(places), *cell_center(*cell), tile_of(*cell), *cell))
    return places
