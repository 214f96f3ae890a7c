"""More writes of gurus in their console: hours, calendar, domains, posts, notes and bookings of a service."""

from __future__ import annotations

import re

from playwright.async_api import Page

from tests.e2e.failing_writes.steps import Write, ask_api, fill, named, pick_first, press

_CONSOLE = "main-web/features/console"
_ALERT, _DIALOG = "[role=alertdialog]", "[role=dialog]"
_DOMAIN = "www.loaves-of-the-sweep.example"
_ADD_DOMAIN = ask_api("POST", "/guru/domains", f'{{"domain": "{_DOMAIN}"}}')
_OF_COOKING = "JOIN gurus g ON g.id = t.tenant_id WHERE g.label = 'cooking'"
_LEAD = f"SELECT t.id::text FROM leads t {_OF_COOKING} LIMIT 1"
_POST = f"SELECT t.id::text FROM posts t {_OF_COOKING} AND t.status = 'published' ORDER BY t.id LIMIT 1"
_CLASS = f"SELECT t.id::text FROM services t {_OF_COOKING} AND t.name = 'Group Workshop'"
_FIXED = (
    "SELECT t.id::text FROM services t JOIN gurus g ON g.id = t.tenant_id"
    " WHERE g.label = 'fitness' AND t.name = 'Group Workshop'"
)
# A date of the workshop that no booking has, at night, so that it overlaps with no other session.
_FIXED_DATE = """
INSERT INTO appointments (tenant_id, id, service_id, fixed, starts_at, ends_at, zone, blocked, capacity)
SELECT s.tenant_id, gen_random_uuid(), s.id, true, t.starts_at, t.starts_at + interval '1 hour', 'America/Denver',
       tstzrange(t.starts_at, t.starts_at + interval '1 hour'), 6
  FROM services s JOIN gurus g ON g.id = s.tenant_id,
       LATERAL (SELECT date_trunc('day', app.now()) + interval '40 days 9 hours' AS starts_at) t
 WHERE g.label = 'fitness' AND s.name = 'Group Workshop' RETURNING service_id::text"""
_BOOKING = (
    f"SELECT t.id::text FROM bookings t JOIN users u ON u.user_id = t.person_id {_OF_COOKING}"
    " AND t.status = 'confirmed' AND t.starts_at > app.now() AND u.email = "
)
_DAY_OF_CLASS = (
    "SELECT to_char(t.starts_at AT TIME ZONE 'America/Denver', 'YYYY-MM-DD')"
    f" FROM bookings t {_OF_COOKING} AND t.service_name = 'Group Workshop' AND t.starts_at > app.now() LIMIT 1"
)
# The attendance is recorded in the days after a session.
_JUST_OVER = """
UPDATE bookings SET starts_at = app.now() - interval '3 hours', ends_at = app.now() - interval '2 hours'
 WHERE id = (SELECT t.id FROM bookings t JOIN gurus g ON g.id = t.tenant_id
              WHERE g.label = 'cooking' AND t.status = 'completed' ORDER BY t.starts_at LIMIT 1) RETURNING id::text"""


async def _change_first_time(page: Page) -> None:
    await page.locator("main input[type=time]").first.fill("07:15")


CONSOLE = (
    Write(
        f"{_CONSOLE}/domains/api/check-domain",
        "POST",
        "/guru/domains/[^/]+/checks",
        "guru",
        "/guru/domains",
        named(re.compile("^Check now")),
        (_ADD_DOMAIN,),
    ),
    Write(
        f"{_CONSOLE}/domains/api/remove-domain",
        "DELETE",
        "/guru/domains/[^/]+",
        "guru",
        "/guru/domains",
        named("Remove domain", inside=_ALERT),
        (_ADD_DOMAIN, press(f"Remove {_DOMAIN}")),
    ),
    Write(
        f"{_CONSOLE}/hours/api/update-weekly-hours",
        "PUT",
        "/guru/hours",
        "guru",
        "/guru/hours",
        named("Save hours"),
        (_change_first_time,),
    ),
    Write(
        f"{_CONSOLE}/hours/api/delete-block",
        "DELETE",
        "/guru/blocks/[^/]+",
        "guru",
        "/guru/hours",
        named(re.compile("^Remove "), inside="ul[aria-label='Busy times']"),
        (ask_api("POST", "/guru/blocks", '{"startsAt": "2027-05-03T15:00:00Z", "endsAt": "2027-05-03T18:00:00Z"}'),),
    ),
    Write(
        f"{_CONSOLE}/hours/api/delete-date-hours",
        "DELETE",
        "/guru/hours/dates/[^/]+",
        "guru",
        "/guru/hours",
        named(re.compile("^Remove "), inside="ul[aria-label='Dates']"),
        (ask_api("PUT", "/guru/hours/dates/2027-05-04", '{"ranges": []}'),),
    ),
    Write(
        f"{_CONSOLE}/leads/api/delete-lead-note",
        "DELETE",
        "/guru/leads/[^/]+/notes/[^/]+",
        "guru",
        "/guru/leads/{}",
        named(re.compile("^Delete note from ")),
        (fill("Add a note", "Likes rye bread."), press("Save note")),
        example=_LEAD,
    ),
    Write(
        f"{_CONSOLE}/posts/api/update-post",
        "PUT",
        "/guru/posts/[^/]+",
        "guru",
        "/guru/posts/{}",
        named("Update post"),
        (fill("Title", "A title that is kept"),),
        example=_POST,
    ),
    Write(
        f"{_CONSOLE}/posts/api/delete-working-copy",
        "DELETE",
        "/guru/posts/[^/]+/working-copy",
        "guru",
        "/guru/posts/{}",
        named("Discard changes"),
        (fill("Title", "A title that is kept, too"),),
        example=_POST,
    ),
    Write(
        f"{_CONSOLE}/services/api/update-service-booking",
        "PUT",
        "/guru/services/[^/]+/booking",
        "guru",
        "/guru/services/{}/booking",
        named("Save booking settings"),
        (fill("Minutes free before", "25"),),
        example=_CLASS,
    ),
    Write(
        f"{_CONSOLE}/services/api/update-waiver-text",
        "PUT",
        "/guru/waiver-text",
        "guru",
        "/guru/services/{}/booking",
        named("Save waiver text"),
        (fill(re.compile("^What neighbors should know"), "The oven is hot, and so are the trays."),),
        example=_CLASS,
    ),
    Write(
        f"{_CONSOLE}/services/api/create-fixed-start",
        "POST",
        "/guru/services/[^/]+/starts",
        "trainer",
        "/guru/services/{}/booking",
        named("Add date"),
        (fill("Date", "2027-05-08"),),
        example=_FIXED,
    ),
    Write(
        f"{_CONSOLE}/services/api/delete-fixed-start",
        "DELETE",
        "/guru/services/[^/]+/starts/[^/]+",
        "trainer",
        "/guru/services/{}/booking",
        named(re.compile("^Remove "), inside="ul[aria-label='Dates and times']"),
        example=_FIXED_DATE,
    ),
    Write(
        f"{_CONSOLE}/calendar/api/cancel-session",
        "POST",
        "/guru/sessions/[^/]+/cancellation",
        "guru",
        "/guru/calendar?from={}",
        named("Cancel for everyone", inside=_ALERT),
        (press(re.compile("^Cancel (for|this|session)")), fill(re.compile("^Reason"), "My oven is being repaired.")),
        example=_DAY_OF_CLASS,
    ),
    Write(
        f"{_CONSOLE}/calendar/api/propose-move",
        "POST",
        "/guru/bookings/[^/]+/move",
        "guru",
        "/guru/calendar?booking={}",
        named("Ask to move"),
        (
            press("Propose another time"),
            pick_first("radio", _DIALOG),
            fill("Reason", "My knives are being sharpened."),
        ),
        example=f"{_BOOKING}'caleb.yazzie@example.com'",
    ),
    Write(
        f"{_CONSOLE}/calendar/api/withdraw-proposal",
        "DELETE",
        "/guru/bookings/[^/]+/move",
        "guru",
        "/guru/calendar?booking={}",
        named("Withdraw", inside=_DIALOG),
        example=f"{_BOOKING}'maya.lindqvist@example.com' AND t.party = 1",
    ),
    Write(
        f"{_CONSOLE}/calendar/api/record-attendance",
        "POST",
        "/guru/bookings/[^/]+/attendance",
        "guru",
        "/guru/calendar?tab=past&booking={}",
        named("Did not come", inside=_DIALOG),
        example=_JUST_OVER,
    ),
)
