"""Examples that the recorder prepares in the demo for the pages of the web's failure tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.e2e.screen_addresses import EXAMPLES as PAGES
from tests.porchlight.profiles.api_client import create_image

# The email addresses of the viewers; the first two have none.
VIEWERS = {
    "visitor": "",
    "staff": "",
    "guru": "rosa.delgado@example.com",
    "neighbor": "maya.lindqvist@example.com",
    "asker": "bea.thornton@example.com",
    "signer": "caleb.yazzie@example.com",
    "waiting": "sofia.marchetti@example.com",
    "offered": "dev.chaudhary@example.com",
    "trainer": "dana.kowalczyk@example.com",
}
# Parameters of addresses: a value, or a statement whose first column is one.
EXAMPLES: dict[str, str] = {
    **PAGES,
    "gateNeed": """
    SELECT id::text FROM needs WHERE title = 'The garden gate no longer closes' LIMIT 1
""",
    "lead": """
    SELECT t.id::text FROM leads t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking' LIMIT 1
""",
    "readLead": """
    SELECT t.id::text FROM leads t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking'
    AND t.status <> 'new' LIMIT 1
""",
    "publishedPost": """
    SELECT t.id::text FROM posts t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking'
    AND t.status = 'published' ORDER BY t.id LIMIT 1
""",
    "workshop": """
    SELECT t.id::text FROM services t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking'
    AND t.name = 'Group Workshop'
""",
    "fixedWorkshop": """
    SELECT t.id::text FROM services t JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'fitness'
    AND t.name = 'Group Workshop'
""",
    "fixedDate": """
    INSERT INTO appointments (tenant_id, id, service_id, fixed, starts_at, ends_at, zone, blocked, capacity)
    SELECT s.tenant_id, gen_random_uuid(), s.id, true, t.starts_at, t.starts_at + interval '1 hour', 'America/Denver',
    tstzrange(t.starts_at, t.starts_at + interval '1 hour'), 6
    FROM services s JOIN gurus g ON g.id = s.tenant_id,
    LATERAL (SELECT date_trunc('day', app.now()) + interval '40 days 9 hours' AS starts_at) t
    WHERE g.label = 'fitness' AND s.name = 'Group Workshop' RETURNING service_id::text
""",
    "dayOfClass": """
    SELECT to_char(t.starts_at AT TIME ZONE 'America/Denver', 'YYYY-MM-DD') FROM bookings t
    JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking' AND t.service_name = 'Group Workshop'
    AND t.starts_at > app.now() LIMIT 1
""",
    "bookingOfCaleb": """
    SELECT t.id::text FROM bookings t JOIN users u ON u.user_id = t.person_id JOIN gurus g ON g.id = t.tenant_id
    WHERE g.label = 'cooking' AND t.status = 'confirmed' AND t.starts_at > app.now()
    AND u.email = 'caleb.yazzie@example.com'
""",
    "proposedBooking": """
    SELECT t.id::text FROM bookings t JOIN users u ON u.user_id = t.person_id JOIN gurus g ON g.id = t.tenant_id
    WHERE g.label = 'cooking' AND t.status = 'confirmed' AND t.starts_at > app.now()
    AND u.email = 'maya.lindqvist@example.com' AND t.party = 1
""",
    "pastBooking": """
    UPDATE bookings SET starts_at = app.now() - interval '3 hours', ends_at = app.now() - interval '2 hours'
    WHERE id = (SELECT t.id FROM bookings t JOIN gurus g ON g.id = t.tenant_id
    WHERE g.label = 'cooking' AND t.status = 'completed' ORDER BY t.starts_at LIMIT 1) RETURNING id::text
""",
    "failedJob": """
    INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, status, deferred_at)
    VALUES ('default', 'listings:geocode_user', 'failed', app.now()) RETURNING id
""",
    "adjustment": """
    WITH key AS (
    INSERT INTO admin_keys (id, name, key_hash) VALUES (uuidv7(), 'Sweep', uuid_send(uuidv7())) RETURNING name)
    SELECT app.request_adjustment(uuidv7(), 'suspense_cleared', app.ledger_account('losses', 'usd', NULL, NULL, NULL),
    app.ledger_account('suspense', 'usd', NULL, NULL, NULL), 12345, 'Booked twice', key.name, false)
    FROM key
""",
    "finding": """
    INSERT INTO findings (id, kind, stripe_id, cents) VALUES (uuidv7(), 'unknown_line', 'txn_sweep', 31) RETURNING id
""",
    "failedEvent": """
    INSERT INTO stripe_inbox (id, endpoint, kind, object_id, created, state, tries, error)
    VALUES ('evt_sweep', 'platform', 'charge.updated', 'ch_sweep', app.now(), 'failed', 8, 'KeyError: amount')
    ON CONFLICT (id) DO UPDATE SET state = 'failed' RETURNING id
""",
    "classBooking": """
    SELECT b.id::text FROM bookings b JOIN users u ON u.user_id = b.person_id JOIN gurus g ON g.id = b.tenant_id
    WHERE u.email = 'maya.lindqvist@example.com' AND g.label = 'cooking' AND b.status = 'confirmed'
    AND b.starts_at > app.now() AND b.party =  2
""",
    "otherDevice": """
    INSERT INTO sessions (user_id, id, secret_hash, authenticated_at, token_issued_at, user_agent, expires_at)
    SELECT user_id, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), app.now(), app.now(), 'curl/8.5.0',
    app.now() + interval '1 day' FROM users WHERE email = 'maya.lindqvist@example.com' RETURNING id::text
""",
    "fullClass": """
    SELECT 'guru=cooking&service=' || s.id || '&party=1&start=' || to_char(a.starts_at AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    FROM appointments a JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
    JOIN gurus g ON g.id = a.tenant_id
    WHERE g.label = 'cooking' AND s.name = 'Group Workshop' AND a.starts_at > app.now() ORDER BY a.starts_at LIMIT 1
""",
    "waitedFor": """
    SELECT a.id::text FROM appointments a JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
    JOIN gurus g ON g.id = a.tenant_id
    WHERE g.label = 'cooking' AND s.name = 'Group Workshop' AND a.starts_at > app.now() ORDER BY a.starts_at LIMIT 1
""",
    "offeredNeed": """
    SELECT n.id::text FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id
    WHERE n.title = 'Leaves, a great many' AND u.email = 'caleb.yazzie@example.com'
""",
    "unratedNeed": """
    UPDATE needs SET rating = NULL, review = '' WHERE id = (
    SELECT n.id FROM needs n JOIN users u USING (user_id)
    WHERE u.email = 'bea.thornton@example.com' AND n.status = 'done' AND coalesce(n.rating, 0) < 5
    ORDER BY n.id LIMIT 1) RETURNING id::text
""",
    "offeredSpot": """
    WITH date AS (
    INSERT INTO appointments (tenant_id, id, service_id, fixed, starts_at, ends_at, zone, blocked, capacity, taken)
    SELECT s.tenant_id, gen_random_uuid(), s.id, true, t.starts_at, t.starts_at + interval '1 hour', 'America/Denver',
    tstzrange(t.starts_at, t.starts_at + interval '1 hour'), 6, 0
    FROM services s JOIN gurus g ON g.id = s.tenant_id,
    LATERAL (SELECT date_trunc('day', app.now()) + interval '41 days 9 hours' AS starts_at) t
    WHERE g.label = 'fitness' AND s.name = 'Group Workshop' RETURNING *
    ), class AS (
    SELECT a.*, g.label, g.character, s.name, s.price_cents, s.currency
    FROM date a JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
    JOIN gurus g ON g.id = a.tenant_id
    ), person AS (
    SELECT user_id FROM users WHERE email = 'dev.chaudhary@example.com'
    ), spot AS (
    INSERT INTO bookings (tenant_id, id, appointment_id, service_id, person_id, status, guru_label, guru_name,
    service_name, starts_at, ends_at, zone, price_cents, currency, approval, place, terms,
    terms_digest, expires_at)
    SELECT tenant_id, gen_random_uuid(), id, service_id, user_id, 'held', label, character, name, starts_at, ends_at,
    zone, price_cents, currency, 'instant', 'guru', '{}', '', app.now() + interval '2 hours' FROM class, person
    )
    INSERT INTO waitlist (tenant_id, appointment_id, number, person_id, status, guru_label, guru_name, service_id,
    service_name, starts_at, ends_at, zone)
    SELECT tenant_id, id, 1, user_id, 'offered', label, character, service_id, name, starts_at, ends_at, zone
    FROM class, person RETURNING appointment_id::text
""",
    "failingCalendar": """
    INSERT INTO busy_sources (tenant_id, id, kind, name, host, secret, read_due_at, failing_since, failure, notices,
    idempotency_key)
    SELECT id, gen_random_uuid(), 'ics', 'Club', 'calendar.example', '', app.now() + interval '9 days',
    app.now() - interval '15 days', 'unreachable', 2, 'club' FROM gurus WHERE label = 'cooking' RETURNING id::text
""",
    "calendarFeed": """
    INSERT INTO calendar_feeds (user_id, id, kind, name, secret_hash, idempotency_key)
    SELECT user_id, gen_random_uuid(), 'personal', 'My phone', sha256('phone'), 'phone' FROM users
    WHERE email = 'maya.lindqvist@example.com' RETURNING id::text
""",
    "pushDevice": """
    INSERT INTO push_subscriptions (user_id, id, endpoint_hash, endpoint, public_key, auth_secret, device)
    SELECT user_id, gen_random_uuid(), sha256('android'), 'https://push.example/android', '', '', 'Chrome on Android'
    FROM users WHERE email = 'rosa.delgado@example.com' RETURNING id::text
""",
    "customerLink": PAGES["/booked/:link"],
    "client": PAGES["/guru/clients/:id"],
    "exchangeToAnswer": """
    SELECT e.id::text FROM exchanges e JOIN users u ON u.user_id IN (e.person_a_id, e.person_b_id)
    WHERE u.email = 'maya.lindqvist@example.com' AND e.status IN ('asked', 'countered')
    AND (e.turn = 'teacher') = (e.teacher_id = u.user_id) ORDER BY e.id LIMIT 1
""",
    "exchangeToCancel": """
    SELECT e.id::text FROM exchanges e JOIN users u ON u.user_id IN (e.person_a_id, e.person_b_id)
    WHERE u.email = 'maya.lindqvist@example.com' AND e.status = 'confirmed' ORDER BY e.id LIMIT 1
""",
    "exchangeToConfirm": """
    SELECT e.id::text FROM exchanges e JOIN users u ON u.user_id IN (e.person_a_id, e.person_b_id)
    WHERE u.email = 'maya.lindqvist@example.com' AND e.record_state = 'recorded'
    AND (e.recorded_by = 'teacher') = (e.teacher_id <> u.user_id) ORDER BY e.id LIMIT 1
""",
    "exchangeToReverse": """
    SELECT e.id::text FROM exchanges e JOIN users u ON u.user_id IN (e.person_a_id, e.person_b_id)
    WHERE u.email = 'maya.lindqvist@example.com' AND e.record_state = 'settled'
    AND e.settled_at > app.now() - interval '29 days' ORDER BY e.id LIMIT 1
""",
    "offerToAskFor": """
    SELECT o.id::text FROM skill_offers o JOIN users u USING (user_id)
    WHERE u.email = 'luis.herrera@example.com' AND o.visible ORDER BY o.id LIMIT 1
""",
    "ring": """
    WITH ring AS (
    INSERT INTO swap_rings (id, digest, availability_bits)
    VALUES (gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 1) RETURNING id
    ), members AS (
    INSERT INTO swap_ring_members (user_id, ring_id, place, teaches)
    SELECT u.user_id, ring.id, m.place, m.teaches
    FROM ring, users u JOIN (VALUES ('maya.lindqvist', 0, 'Sourdough baking'), ('theo.barnes', 1, 'Bicycle repair'),
    ('grace.tanaka', 2, 'Sewing')) m (name, place, teaches)
    ON u.email = m.name || '@example.com')
    SELECT id::text FROM ring
""",
    "connectedTrainer": """
    INSERT INTO payout_accounts (user_id, account_id, charges_enabled, payouts_enabled, details_submitted, checked_at)
    SELECT user_id, 'acct_of_dana', true, true, true, app.now() FROM users WHERE email = 'dana.kowalczyk@example.com'
    ON CONFLICT (user_id) DO UPDATE SET updated_at = app.now() RETURNING account_id
""",
    "trainerWithAllSteps": """
    WITH payout AS (
    INSERT INTO payout_accounts (user_id, account_id, charges_enabled, payouts_enabled, details_submitted, checked_at)
    SELECT user_id, 'acct_of_dana', true, true, true, app.now() FROM users WHERE email = 'dana.kowalczyk@example.com'
    ON CONFLICT (user_id) DO UPDATE SET updated_at = app.now() RETURNING account_id), guru AS (SELECT user_id FROM users
    WHERE email = 'dana.kowalczyk@example.com'
    ), profile AS (
    INSERT INTO onboardings (user_id, display_name, city, zip, bio, complete)
    SELECT user_id, 'Dana Kowalczyk', 'Denver', '80202', 'I run ten miles a day.', true FROM guru
    ON CONFLICT (user_id) DO NOTHING
    ), category AS (
    INSERT INTO category_picks (user_id, category_slug) SELECT user_id, 'creative' FROM guru ON CONFLICT DO NOTHING
    )
    SELECT account_id FROM payout
""",
}
Callers = dict[str, Any]


def _add_domain(callers: Callers, _: dict[str, str]) -> str:
    callers["guru"].call("POST", "/guru/domains", {"domain": "www.loaves-of-the-sweep.example"})
    return "www.loaves-of-the-sweep.example"


def _add_busy_time(callers: Callers, _: dict[str, str]) -> str:
    body = {"startsAt": "2027-05-03T15:00:00Z", "endsAt": "2027-05-03T18:00:00Z"}
    callers["guru"].call("POST", "/guru/blocks", body)
    return "2027-05-03"


def _close_date(callers: Callers, _: dict[str, str]) -> str:
    callers["guru"].call("PUT", "/guru/hours/dates/2027-05-04", {"ranges": []})
    return "2027-05-04"


def _add_note(callers: Callers, examples: dict[str, str]) -> str:
    callers["guru"].call("POST", f"/guru/leads/{examples['lead']}/notes", {"body": "Likes rye bread."})
    return "note"


def _save_search(callers: Callers, _: dict[str, str]) -> str:
    callers["neighbor"].call("POST", "/search/saved", {"q": "rollerblades"})
    return "rollerblades"


def _add_photo(callers: Callers, examples: dict[str, str]) -> str:
    callers["asker"].upload(f"/needs/{examples['gateNeed']}/photos", create_image("PNG"))
    return "photo"


def _ask_for_risk(callers: Callers, _: dict[str, str]) -> str:
    body = {"skillCategory": "", "activityDescription": "blorfing of newts"}
    callers["neighbor"].call("POST", "/liability/risk", body)
    return "blorfing of newts"


def _free_time(callers: Callers) -> tuple[str, str]:
    # The last one: the first ones are for others.
    neighbor = callers["neighbor"]
    services = neighbor.call("GET", "/gurus/spanish/services")["services"]
    service = next(service["id"] for service in services if service["bookable"])
    slots = neighbor.call("GET", f"/gurus/spanish/services/{service}/slots?days=31")
    return service, slots["starts"][-1]["startsAt"]


def _choose_time(callers: Callers, _: dict[str, str]) -> str:
    service, start = _free_time(callers)
    return f"guru=spanish&service={service}&party=1&start={start}"


def _hold_time(callers: Callers, _: dict[str, str]) -> str:
    service, start = _free_time(callers)
    body = {"serviceId": service, "startsAt": start, "party": 1}
    token: str = callers["neighbor"].call("POST", "/gurus/spanish/holds", body)["data"]["token"]
    return token


def _add_package(callers: Callers, _: dict[str, str]) -> str:
    guru = callers["guru"]
    services = guru.call("GET", "/gurus/cooking/services")["services"]
    service = next(service["id"] for service in services if service["bookable"])
    body = {"serviceId": service, "name": "Four evenings", "sessions": 4, "days": 90}
    guru.call("POST", "/guru/packages", body, {"idempotency-key": "recorded-package"})
    return "Four evenings"


def _choose_picture(callers: Callers, _: dict[str, str]) -> str:
    guru = callers["guru"]
    guru.upload("/guru/images", create_image("PNG"))
    image = guru.call("GET", "/guru/images")["data"]["images"][0]["id"]
    picture = {"place": "gallery", "imageId": image, "alt": "A loaf of bread", "focusX": 40, "focusY": 60}
    revision = guru.call("GET", "/guru/gallery")["data"]["revision"]
    guru.call("PUT", "/guru/gallery", {"revision": revision, "pictures": [picture]})
    return str(image)


# What the API prepares, in this order.
PREPARED: dict[str, Callable[[Callers, dict[str, str]], str]] = {
    "domain": _add_domain,
    "busyTime": _add_busy_time,
    "closedDate": _close_date,
    "note": _add_note,
    "savedSearch": _save_search,
    "needPhoto": _add_photo,
    "risk": _ask_for_risk,
    "freeTime": _choose_time,
    "hold": _hold_time,
    "package": _add_package,
    "picture": _choose_picture,
}
