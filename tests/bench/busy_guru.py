"""A guru who has very much of everything, and signs in: the caller of the benchmark of operations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import psycopg

from porchlight.auth.cookies import create_secret, hash_secret
from porchlight.dependencies import SESSION_COOKIE
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.bench.population import FUNCTIONS
from tests.fixtures.databases import Database
from tests.porchlight.app_client import create_settings
from tests.porchlight.factories import append_waiver, insert_row, seed_guru
from tests.porchlight.path_values import PATH_VALUES, SeededUser

LEADS = 10_000
DENVER = "39.7392, -104.9847"
# Rows of the guru or its owner. Places of other people are those of `tests.bench.population`.
ROWS = f"""
INSERT INTO leads (tenant_id, id, name, email, message, status, address_hash, idempotency_key, digest, created_at)
SELECT %(tenant)s, pg_temp.id('busy lead', n), 'Visitor ' || n, 'visitor' || n || '@mail.example',
       'Can you teach me to bake?', CASE WHEN n %% 4 = 0 THEN 'new' ELSE 'answered' END, '', 'busy' || n, '',
       app.now() - n * interval '30 minutes'
  FROM generate_series(1, {LEADS}) n;
INSERT INTO posts (tenant_id, id, slug, title, tags, excerpt, content_markdown, content_html, words, status,
                   published_at)
SELECT %(tenant)s, pg_temp.id('busy post', n), 'busy-' || n, 'Bread for everyone', '{{home,bread}}', 'A short text.',
       repeat('Flour and water. ', 100), repeat('<p>Flour and water.</p>', 100), 300, 'published',
       app.now() - n * interval '1 day'
  FROM generate_series(1, 500) n;
INSERT INTO site_images (tenant_id, id, width, height, size, data)
SELECT %(tenant)s, pg_temp.id('busy image', n), 1, 1, 1, 'x' FROM generate_series(1, 100) n;
INSERT INTO daily_visits (tenant_id, day, visitors)
SELECT %(tenant)s, app.now()::date - n, n FROM generate_series(1, 365) n ON CONFLICT DO NOTHING;
INSERT INTO appointments (tenant_id, id, service_id, starts_at, ends_at, zone, blocked, capacity, taken)
SELECT %(tenant)s, pg_temp.id('busy appointment', n), %(service)s, t, t + interval '1 hour', 'America/Denver',
       tstzrange(t, t + interval '1 hour'), 1, 1
  FROM generate_series(1, 2000) n
 CROSS JOIN LATERAL (SELECT date_trunc('day', app.now()) + (n / 5 - 380) * interval '1 day'
                            + (15 + n %% 5) * interval '1 hour') times (t)
 WHERE NOT EXISTS (SELECT FROM appointments a
                    WHERE a.tenant_id = %(tenant)s AND a.blocked && tstzrange(t, t + interval '1 hour'));
INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, status, person_name, guru_label, guru_name,
                      service_name, starts_at, ends_at, zone, price_cents, currency, approval, place, terms,
                      terms_digest, confirmed_at)
SELECT a.tenant_id, pg_temp.id('busy booking', n), a.id, a.service_id, pg_temp.id('user', 1 + n %% 99),
       CASE WHEN a.starts_at < app.now() THEN 'completed' ELSE 'confirmed' END, 'Neighbor ' || n, 'busy', 'Busy guru',
       'Lesson', a.starts_at, a.ends_at, a.zone, 2500, 'USD', 'instant', 'agreed', b.terms, '', app.now()
  FROM generate_series(1, 2000) n
  JOIN appointments a ON a.tenant_id = %(tenant)s AND a.id = pg_temp.id('busy appointment', n)
 CROSS JOIN (SELECT terms FROM bookings LIMIT 1) b;
UPDATE bookings SET person_id = %(user)s WHERE tenant_id IN (
  SELECT pg_temp.id('guru', n) FROM generate_series(1, 90) n);
INSERT INTO user_locations (user_id, city, tile, cell_lat, cell_lon, availability_bits)
SELECT %(user)s, l.city, l.tile, l.cell_lat, l.cell_lon, 7
  FROM user_locations l
 WHERE l.tile = (SELECT tile FROM user_locations GROUP BY tile ORDER BY count(*) DESC, tile LIMIT 1)
 ORDER BY l.user_id LIMIT 1
ON CONFLICT (user_id) DO UPDATE SET tile = excluded.tile, cell_lat = excluded.cell_lat, cell_lon = excluded.cell_lon;
INSERT INTO angels (user_id, service_id, rate_cents, about, days, radius_miles, city, region, latitude, longitude)
SELECT %(user)s, id, 4000, 'Careful.', '{{1,2,3,4,5}}', 25, 'Denver', 'Colorado', {DENVER} FROM angel_services;
INSERT INTO needs (user_id, id, service_id, title, description, wanted_from, wanted_until, hours, city, region,
                   latitude, longitude, idempotency_key, expires_at)
SELECT %(user)s, pg_temp.id('busy need', n), 'handyman-services', 'Help with something', 'Please.', app.now()::date,
       app.now()::date + 5, 2, 'Denver', 'Colorado', {DENVER}, 'busy' || n, app.now() + interval '9 days'
  FROM generate_series(1, 200) n;
INSERT INTO need_offers (user_id, id, need_id, price_cents, message)
SELECT pg_temp.id('user', k), pg_temp.id('busy need offer' || k, n), pg_temp.id('busy need', n), 4000, 'I can help.'
  FROM generate_series(1, 200) n CROSS JOIN generate_series(2, 6) k;
INSERT INTO need_offers (user_id, id, need_id, price_cents, message)
SELECT %(user)s, gen_random_uuid(), n.id, 4000, 'I can help.'
  FROM (SELECT id FROM needs WHERE user_id <> %(user)s ORDER BY id LIMIT 200) n;
INSERT INTO needs (user_id, id, service_id, title, description, wanted_from, wanted_until, hours, city, region,
                   latitude, longitude, status, accepted_offer_id, accepted_user_id, rating, review, idempotency_key,
                   expires_at)
SELECT pg_temp.id('user', 1 + n %% 99), pg_temp.id('helped', n), 'handyman-services', 'Help', 'Please.',
       app.now()::date, app.now()::date, 2, 'Denver', 'Colorado', {DENVER}, 'done',
       pg_temp.id('helped offer', n), %(user)s, 5, 'Very good work.', 'helped' || n, app.now()
  FROM generate_series(1, 300) n;
INSERT INTO threads (person_a_id, person_b_id, id, number, opened_by)
SELECT least(%(user)s, pg_temp.id('user', n)), greatest(%(user)s, pg_temp.id('user', n)),
       pg_temp.id('busy thread', n), 100, pg_temp.id('user', n)
  FROM generate_series(1, 99) n WHERE pg_temp.id('user', n) <> %(user)s;
INSERT INTO messages (person_a_id, person_b_id, thread_id, number, id, sender_id, body, change_a, change_b,
                      idempotency_key, digest)
SELECT t.person_a_id, t.person_b_id, t.id, n, pg_temp.id('busy message ' || t.id, n), t.opened_by,
       'Do you teach beginners?', row_number() OVER (), row_number() OVER (), n, ''
  FROM threads t CROSS JOIN generate_series(1, 100) n
 WHERE %(user)s IN (t.person_a_id, t.person_b_id) AND t.number = 100;
INSERT INTO inboxes (user_id, change, unread) VALUES (%(user)s, 9900, 9900)
  ON CONFLICT (user_id) DO UPDATE SET change = excluded.change, unread = excluded.unread;
INSERT INTO thread_members (user_id, thread_id, other_id, side, unread, change, last_at)
SELECT %(user)s, t.id, t.opened_by, 'person', 100, 100 * row_number() OVER (), app.now()
  FROM threads t WHERE %(user)s IN (t.person_a_id, t.person_b_id) AND t.number = 100;
INSERT INTO saved_searches (user_id, id, words)
SELECT %(user)s, pg_temp.id('busy search', n), 'bread ' || n FROM generate_series(1, 20) n;
INSERT INTO payouts (user_id, id, account_id, amount, method, automatic, state, po_id)
SELECT %(user)s, pg_temp.id('busy payout', n), 'acct_busy', 9000, 'standard', true, 'paid', 'po_busy_' || n
  FROM generate_series(1, 200) n;
INSERT INTO swap_rings (id, digest, availability_bits)
SELECT pg_temp.id('ring', n), sha256(n::text::bytea), 7 FROM generate_series(1, 5) n;
INSERT INTO swap_ring_members (user_id, ring_id, place, teaches)
SELECT CASE WHEN k = 0 THEN %(user)s ELSE pg_temp.id('user', 3 * n + k) END, pg_temp.id('ring', n), k, 'Bread'
  FROM generate_series(1, 5) n CROSS JOIN generate_series(0, 2) k;
INSERT INTO ledger_accounts (id, kind, unit, user_id)
SELECT pg_temp.id(k, 0), k, 'usd', CASE WHEN k LIKE 'guru%%' THEN %(user)s::uuid END
  FROM unnest('{{guru_held,guru_payable,guru_stripe,bank_payouts}}'::text[]) k ON CONFLICT DO NOTHING;
INSERT INTO ledger_balances (account_id, kind, unit, credits, seq)
SELECT id, kind, unit, 5000000, 5000 FROM ledger_accounts WHERE user_id = %(user)s;
INSERT INTO ledger_transactions (id, event, subject_kind, subject_id, digest)
SELECT pg_temp.id('transaction' || a.kind, n), 'bench', 'booking', a.kind || n, ''
  FROM ledger_accounts a CROSS JOIN generate_series(1, 5000) n WHERE a.user_id = %(user)s;
INSERT INTO ledger_transfers (transaction_id, n, event, unit, amount, debit_account, debit_kind, debit_seq,
                              debit_balance_after, credit_account, credit_kind, credit_seq, credit_balance_after)
SELECT pg_temp.id('transaction' || a.kind, n), 1, 'bench', 'usd', 1000, pg_temp.id('bank_payouts', 0), 'bank_payouts',
       n + 5000 * length(a.kind), 0, a.id, a.kind, n, 1000 * n
  FROM ledger_accounts a CROSS JOIN generate_series(1, 5000) n WHERE a.user_id = %(user)s;
"""
SKILLS = """
UPDATE profiles SET skills_offered = skills_offered || (
         SELECT jsonb_agg(jsonb_build_object('name', title, 'level', null)) FROM (
           SELECT DISTINCT ON (phrase_id) title FROM skill_offers WHERE user_id <> %(user)s LIMIT 20) o),
       skills_wanted = skills_wanted || (
         SELECT jsonb_agg(jsonb_build_object('name', title, 'level', null)) FROM (
           SELECT DISTINCT ON (phrase_id) title FROM skill_wants WHERE user_id <> %(user)s ORDER BY phrase_id DESC
            LIMIT 20) w)
 WHERE user_id = %(user)s;
"""


@dataclass(frozen=True, slots=True)
class BusyGuru:
    """The values of path parameters by their kind in `PATH_VALUES`, and of queries; and the cookie of the owner."""

    values: dict[str, str]
    cookie: str


def create_busy_guru(database: Database, kinds: set[str]) -> BusyGuru:
    """Create the guru in a populated database. `kinds` are the kinds of path parameters that need a value."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        guru = seed_guru(conn, "busy", posts=1)
        grant = {"user_id": guru.owner, "plan": "premium-angel", "until": "2100-01-01", "reason": "test"}
        insert_row(conn, "plan_grants", grant)
        profile = conn.execute(
            "UPDATE profiles SET display_name = 'Busy', location = 'Denver, Colorado', registered_at = app.now()"
            " WHERE user_id = %s RETURNING handle",
            [guru.owner],
        ).fetchone()
        assert profile is not None
        assert guru.owner is not None
        user = SeededUser(guru.owner, profile[0], guru, create_settings(database).address_secret)
        values = _path_values(conn, user, kinds)
        names = {"user": user.user_id, "tenant": guru.id, "service": guru.services[0]}
        with psycopg.connect(database.superuser_url) as loader:
            loader.execute("SET session_replication_role = replica")  # no triggers
            loader.execute(FUNCTIONS)
            for statement in ROWS.split(";\n")[:-1]:
                loader.execute(statement.encode(), names)
        conn.execute(SKILLS.encode(), names)
        for _ in range(10):
            with conn.transaction():
                conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user.user_id)])
                append_waiver(conn, "platform")
        return BusyGuru(values, f"{SESSION_COOKIE}={_create_session(conn, user)}")


def _path_values(conn: psycopg.Connection[Any], user: SeededUser, kinds: set[str]) -> dict[str, str]:
    """Create an object of each kind, and return their names."""
    values = {kind: PATH_VALUES[kind](conn, user) for kind in sorted(kinds - {"offer", "visible offer"})}
    # A new skill replaces those before it, so the listing is the one with the photo.
    offer = conn.execute("SELECT id FROM skill_offers WHERE user_id = %s", [user.user_id]).fetchone()
    assert offer is not None
    now = clock.now()
    times = {"today": f"{now:%Y-%m-%d}", "at": f"{now + timedelta(days=7):%Y-%m-%dT%H:00:00Z}"}
    return values | {"offer": str(offer[0]), "visible offer": str(offer[0])} | times


def _create_session(conn: psycopg.Connection[Any], user: SeededUser) -> str:
    """Create a session of the user, and return the secret of its cookie."""
    secret, now = create_secret(), clock.now()
    times = {"authenticated_at": now, "token_issued_at": now, "expires_at": now + timedelta(days=1)}
    session = {"user_id": user.user_id, "id": new_id(), "secret_hash": hash_secret(secret)}
    insert_row(conn, "sessions", session | times)
    return secret
