"""The page of a hold, as browsers without scripts get it: what is held until when, and a way to ask for it."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

from porchlight.emails.session_times import format_clock, format_moment
from porchlight.features.bookings.find_hold import find_hold
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.tokens import parse_token_or_404
from porchlight.web.page_meta import NOINDEX, Head
from tenants.db.pool import Database
from tenants.kit import clock
from tenants.kit.errors import NotFound

PREFIX = "/book/"
_RELOAD = "<p>To book it here yourself, turn on JavaScript and load this page again.</p>"
_ENDED = (
    "<h2>Your hold has ended</h2>"
    "<p>If you booked the time, it's in your sessions. Otherwise, please pick a time on the guru's site again.</p>"
    "<p>To see your sessions, turn on JavaScript and load this page again.</p>"
)


async def hold_head(db: Database, path: str, origin: str) -> Head:
    """Return the head of a hold's page and its text without scripts. The token is the permission. Raise Unavailable."""
    hold = None
    try:
        token = parse_token_or_404(path.removeprefix(PREFIX).rstrip("/"))
        hold = await find_hold(db, token, None)
    except NotFound:
        pass
    if hold is None or hold.is_booked:
        return Head(
            "Book a session · Porchlight", "Book a session with a guru on Porchlight.", NOINDEX, no_script=_ENDED
        )
    booking = hold.booking
    title = f"Book {booking.service_name} · Porchlight"
    description = f"Book {booking.service_name} with {booking.guru_name}."
    return Head(title, description, NOINDEX, no_script=_no_script(booking, origin))


def _no_script(booking: Booking, origin: str) -> str:
    """Return what is held, until when, and the link to the guru's form with the service and the time filled in."""
    zone = ZoneInfo(booking.zone)
    guru, time = escape(booking.guru_name), format_moment(booking.starts_at.astimezone(zone))
    main = urlsplit(origin)
    query = urlencode({"service": str(booking.service_id), "time": time.replace("\u00a0", " ")})
    ask = escape(f"{main.scheme}://{booking.guru_label}.{main.netloc}/contact?{query}")
    is_held = booking.status == "held" and booking.expires_at is not None and booking.expires_at > clock.now()
    if is_held and booking.expires_at is not None:
        held = f"We're holding this time for you until {format_clock(booking.expires_at.astimezone(zone))}."
    else:
        held = "Your hold has ended. The time may still be free."
    return (
        f"<h2>{escape(booking.service_name)} with {guru}</h2>"
        f"<p><strong>{time}</strong></p>"
        f"<p>{held} Your browser runs no JavaScript, so send {guru} a message instead: it needs no account.</p>"
        f'<p><a class="splash-link" href="{ask}">Ask for this time</a></p>{_RELOAD}'
    )
