"""The emails to customers without an account, about the session that a guru booked for them.

The guru typed the address, so an email has none of the guru's or the customer's words (`Recipient.is_verified`): it
names the site's label and the time, and the page behind the link shows the rest.
"""

from __future__ import annotations

from uuid import UUID
from zoneinfo import ZoneInfo

from porchlight.contracts import REVIEW_PERIOD
from porchlight.emails.session_times import format_day, format_moment, format_period
from porchlight.emails.templates import Action, Recipient
from porchlight.features.bookings.calendar_events import person_event
from porchlight.features.bookings.emails.facts import BookingFacts, QueuedEmail
from porchlight.features.bookings.emails.links import event_origin
from porchlight.features.bookings.emails.messages import CALENDAR_KINDS, MOVES, TEMPLATES
from porchlight.job_dependencies import JobDependencies
from porchlight.personal_links import CustomerLink
from porchlight.ports import EmailMessage

# By kind: the subject, and what happened.
_TEXTS = {
    "booked": ("Your session on {day} is booked", "{site} booked a session for you."),
    "moved": ("New time for your session: {day}", "Your session with {site} has a new time."),
    "canceled": ("Your session on {day} is canceled", "Your session with {site} is canceled."),
    "person_said_no": (
        "Your session on {day} is still booked",
        "You answered “No” in your calendar. Your session with {site} is still booked. To cancel it, open your link.",
    ),
    "place_changed": ("New place for your session on {day}", "{site} changed where you meet. The time stays the same."),
    "clocks_changed": (
        "Same time, new clock rules: your session on {day}",
        "The rules of the clocks have changed. Your session with {site} stays at its local time.",
    ),
}
# About reviews: also what to do, and the button. Nothing that a review says.
_REVIEW_TEXTS = {
    "review_open": (
        "How was your session on {day}?",
        "You had a session with {site}. A few words help others choose, and you don't need an account.",
        "Your review stays hidden until both of you have written one, or until {review_until}. We ask only once.",
        "Write a review",
    ),
    "review_waiting": (
        "A review of your session on {day} waits for yours",
        "{site} reviewed your session.",
        "You can read it once you have written your review, or on {review_until}. You don't need an account.",
        "Write a review",
    ),
    "review_out": (
        "You can read the review of your session on {day}",
        "{site} reviewed your session.",
        "You can read it and reply. It isn't public. You don't need an account.",
        "Read the review",
    ),
}


def customer_email(
    jobs: JobDependencies, tenant_id: UUID, booking: BookingFacts, queued: QueuedEmail
) -> EmailMessage | None:
    """Return the email to a customer, or None without an address, or for a change that they are not told about."""
    is_review = queued.kind in _REVIEW_TEXTS
    texts = _REVIEW_TEXTS.get(queued.kind) or _TEXTS.get(queued.kind)
    if texts is None or not booking.customer_email or booking.customer_token is None:
        return None
    zone = ZoneInfo(booking.zone)
    starts_at, ends_at = booking.starts_at.astimezone(zone), booking.ends_at.astimezone(zone)
    site = f"{booking.guru_label} on Porchlight"  # not a host, which mail programs turn into a link
    review_until = format_moment((booking.ends_at + REVIEW_PERIOD).astimezone(zone))
    values = {"day": format_day(starts_at.date()), "site": site, "review_until": review_until}
    subject, line, *more = (one.format_map(values) for one in texts)
    hint, button = more or ("", "See your session")
    url = CustomerLink(tenant_id, booking.customer_token).url(jobs.main_origin)
    was = booking.moved_from.astimezone(zone) if queued.kind in MOVES and booking.moved_from else None
    origin = event_origin(jobs)
    has_file = queued.kind in CALENDAR_KINDS
    return TEMPLATES.create_message(
        "customer",
        key=f"booking-{queued.booking_id}-{queued.kind}-{queued.side}-{queued.sequence}",
        tenant_id=tenant_id,
        to=Recipient(booking.customer_email, is_verified=False, person=None),
        why=f"You're receiving this because {site} entered this address for you when they booked a session.",
        action=Action(button, f"{url}#reviews" if is_review else url),
        invitation=person_event(booking, origin, booking.customer_email, queued.created_at) if has_file else None,
        facts={
            "subject_text": subject,
            "line": line,
            "hint": hint,
            "when": format_period(starts_at, ends_at),
            "was": format_moment(was) if was else "",
            "is_open": booking.status == "confirmed" and not is_review,
        },
    )
