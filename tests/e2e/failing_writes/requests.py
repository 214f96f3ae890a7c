"""The writes by which neighbors keep and book times, wait for a spot, accept a waiver and answer offers and rings."""

from __future__ import annotations

import re

from playwright.async_api import Page

from tests.e2e.browser_session import CALL_API
from tests.e2e.failing_writes.steps import Write, choose, fill, go_to, named, pick_first, press

_BOOKINGS = "main-web/features/bookings/api"
_NEEDS = "main-web/features/angels/needs/api"
_ALERT, _DIALOG = "[role=alertdialog]", "[role=dialog]"
_WAIVER_FAILED = "Failed to submit liability waiver. Please try again."
# The last free time of a guru without risky services, so that others can have the first ones.
_FREE_TIME = f"""{CALL_API}
  const {{ services }} = await call("/gurus/spanish/services");
  const {{ id: serviceId }} = services.find(({{ bookable }}) => bookable);
  const {{ starts }} = await call(`/gurus/spanish/services/${{serviceId}}/slots?days=31`);
  const {{ startsAt }} = starts.at(-1);
"""
_CHOOSE = f"""async () => {{{_FREE_TIME}
  const wanted = new URLSearchParams({{ guru: "spanish", service: serviceId, start: startsAt, party: "1" }});
  return `${{location.origin}}/book?${{wanted}}`;
}}"""
_HOLD = f"""async () => {{{_FREE_TIME}
  const {{ data }} = await call("/gurus/spanish/holds", {{ serviceId, startsAt, party: 1 }});
  return `${{location.origin}}/book/${{data.token}}`;
}}"""
_FULL_CLASS = """
SELECT 'guru=cooking&service=' || s.id || '&party=1&start=' || to_char(a.starts_at AT TIME ZONE 'UTC',
       'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  FROM appointments a JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
  JOIN gurus g ON g.id = a.tenant_id
 WHERE g.label = 'cooking' AND s.name = 'Group Workshop' AND a.starts_at > app.now() ORDER BY a.starts_at LIMIT 1"""
_WAITED_FOR = """
SELECT a.id::text FROM appointments a JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id
  JOIN gurus g ON g.id = a.tenant_id
 WHERE g.label = 'cooking' AND s.name = 'Group Workshop' AND a.starts_at > app.now() ORDER BY a.starts_at LIMIT 1"""
_NEED = "SELECT id::text FROM needs WHERE title = 'The garden gate no longer closes' LIMIT 1"
# A rating under five stars, so that no review in words is missing for others.
_UNRATED = """
UPDATE needs SET rating = NULL, review = '' WHERE id = (
  SELECT n.id FROM needs n JOIN users u USING (user_id)
   WHERE u.email = 'bea.thornton@example.com' AND n.status = 'done' AND coalesce(n.rating, 0) < 5
   ORDER BY n.id LIMIT 1) RETURNING id::text"""
_OFFERED_TO = (
    "SELECT n.id::text FROM needs n JOIN need_offers o ON o.need_id = n.id JOIN users u ON u.user_id = o.user_id"
    " WHERE n.title = 'Leaves, a great many' AND u.email = 'caleb.yazzie@example.com'"
)
_RING = """
WITH ring AS (
  INSERT INTO swap_rings (id, digest, availability_bits)
  VALUES (gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 1) RETURNING id
), members AS (
  INSERT INTO swap_ring_members (user_id, ring_id, place, teaches)
  SELECT u.user_id, ring.id, m.place, m.teaches
    FROM ring, users u JOIN (VALUES ('maya.lindqvist', 0, 'Sourdough baking'), ('theo.barnes', 1, 'Bicycle repair'),
                                    ('grace.tanaka', 2, 'Sewing')) m (name, place, teaches)
      ON u.email = m.name || '@example.com')
SELECT id::text FROM ring"""
# A free spot of a class without other people.
_OFFERED_SPOT = """
WITH date AS (
  INSERT INTO appointments (tenant_id, id, service_id, fixed, starts_at, ends_at, zone, blocked, capacity, taken)
  SELECT s.tenant_id, gen_random_uuid(), s.id, true, t.starts_at, t.starts_at + interval '1 hour', 'America/Denver',
         tstzrange(t.starts_at, t.starts_at + interval '1 hour'), 6, 0
    FROM services s JOIN gurus g ON g.id = s.tenant_id,
         LATERAL (SELECT date_trunc('day', app.now()) + interval '41 days 9 hours' AS starts_at) t
   WHERE g.label = 'fitness' AND s.name = 'Group Workshop' RETURNING *
), class AS (
  SELECT a.*, g.label, g.character, s.name, s.price_cents, s.currency
    FROM date a JOIN services s ON s.tenant_id = a.tenant_id AND s.id = a.service_id JOIN gurus g ON g.id = a.tenant_id
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
  FROM class, person RETURNING appointment_id::text"""


async def _confirm_all(page: Page) -> None:
    boxes = page.locator(_DIALOG).get_by_role("checkbox", name=re.compile("^I "))
    for number in range(await boxes.count()):
        await boxes.nth(number).check()


REQUESTS = (
    Write(
        "main-web/components/waivers/accept-waiver",
        "POST",
        "/liability/waiver",
        "neighbor",
        "/liability-demo",
        named(re.compile("^Accept"), inside=_DIALOG),
        (press(re.compile("^Join Exchange"), inside="li:has-text('Programming')"), _confirm_all),
        on_server_error=_WAIVER_FAILED,
        on_network_error=_WAIVER_FAILED,
    ),
    Write(
        f"{_BOOKINGS}/create-hold",
        "POST",
        "/gurus/[^/]+/holds",
        "neighbor",
        "/sessions",
        named(re.compile("^Keep ")),
        (go_to(_CHOOSE),),
    ),
    Write(
        f"{_BOOKINGS}/create-booking",
        "POST",
        "/bookings",
        "neighbor",
        "/sessions",
        named(re.compile("^(Book for|Ask for)")),
        (go_to(_HOLD), fill("Your name", "Maya Lindqvist"), fill(re.compile("^Note for"), "I know a few words.")),
    ),
    Write(
        f"{_BOOKINGS}/create-series",
        "POST",
        "/bookings/series",
        "neighbor",
        "/sessions",
        named(re.compile("^(Book|Ask for) ")),
        (go_to(_HOLD), fill("Your name", "Maya Lindqvist"), choose("How often", value="1")),
    ),
    Write(
        f"{_BOOKINGS}/join-waitlist",
        "POST",
        "/waitlist",
        "asker",
        "/sessions/waitlist?{}",
        named(re.compile("^Join the waitlist")),
        example=_FULL_CLASS,
    ),
    Write(
        f"{_BOOKINGS}/leave-waitlist",
        "DELETE",
        "/waitlist/[^/]+",
        "waiting",
        "/sessions/waitlist/{}",
        named("Leave the waitlist", inside=_ALERT),
        (press("Leave the waitlist"),),
        example=_WAITED_FOR,
    ),
    Write(
        f"{_NEEDS}/accept-offer",
        "POST",
        "/needs/[^/]+/acceptance",
        "asker",
        "/needs/{}",
        named("Accept offer", inside=_ALERT),
        (press(re.compile("^Accept .+ offer$")),),
        example=_NEED,
    ),
    Write(
        f"{_NEEDS}/delete-offer",
        "DELETE",
        "/need-offers/[^/]+",
        "signer",
        "/needs/{}",
        named("Withdraw my offer"),
        example=_OFFERED_TO,
    ),
    Write(
        f"{_NEEDS}/complete-need",
        "POST",
        "/needs/[^/]+/completion",
        "asker",
        "/needs/{}",
        named("Post review"),
        (pick_first("radio", "[aria-labelledby=completion]"), fill(re.compile("^Your review"), "On time, and kind.")),
        example=_UNRATED,
    ),
    Write(
        f"{_BOOKINGS}/open-offer",
        "POST",
        "/waitlist/[^/]+/hold",
        "offered",
        "/sessions/waitlist/{}",
        named("Take the spot"),
        example=_OFFERED_SPOT,
    ),
    Write(
        "main-web/features/skills/api/respond-to-ring",
        "POST",
        "/skills/rings/[^/]+",
        "neighbor",
        "/skills?tab=ai-coach",
        named("Decline", inside="section[aria-labelledby=swap-rings]"),
        example=_RING,
    ),
)
