"""Operations of a guru's site: its pages, leads, bookings and links in emails."""

from __future__ import annotations

from typing import Any

from tests.fixtures import seeded
from tests.porchlight.authorization.row import CREATED, INVALID_BODY, NOT_OWN, OPEN, SIGNED_IN, UNKNOWN, Row, row
from tests.porchlight.path_values import SeededUser

# Who is signed in decides about the own site, so a suspended account gets 401.
OPEN_TO_ACTIVE, UNKNOWN_TO_ACTIVE = "200 200 200 200 200 401", "404 404 404 404 404 401"
MOVE = {"startsAt": "2030-12-23T18:00:00Z", "termsDigest": "old"}
NO_ANSWERS: dict[str, list[str]] = {"answers": []}
COMPANY = {"name": "Acme Inc.", "address": "1 Main St", "taxId": ""}
ADDRESS = {"address": "735 Quail Creek Lane"}
ANSWER = {"accept": True, "startsAt": "2030-12-23T18:00:00Z"}
WAITED = "guru=nosuchguru&serviceId=x&startsAt=2030-12-23T18:00:00Z"
HOURS = {"zone": "America/Denver", "digestAt": 480, "quietFrom": None, "quietUntil": None}
ONE_CLICK = ("application/x-www-form-urlencoded", b"List-Unsubscribe=One-Click")
TO_PAGE = "303 303 303 303 303 303"


def _lead(_user: SeededUser) -> dict[str, Any]:
    """Return a unique lead, because a repeated one is a resend."""
    return {"name": "Ada", "email": "ada@example.com", "message": seeded.text(), "consent": True}


SITE_ROWS: dict[str, Row] = {
    "guru_home": row(OPEN, OPEN),
    "guru_posts": row(OPEN, OPEN),
    "guru_post": row(OPEN, OPEN),
    "guru_services": row(OPEN, OPEN),
    "service_slots": row(OPEN, OPEN, service_id="service"),
    "next_starts": row(OPEN, OPEN),
    "create_lead": row(CREATED, CREATED, body=_lead),
    "get_lead_address": row(OPEN, OPEN, token="lead address"),
    "update_lead_address": row(OPEN, OPEN, token="lead address", body={"state": "blocked"}),
    "create_lead_address_unsubscription": row(OPEN, OPEN, token="lead address", content=ONE_CLICK),
    "get_lead_address_unsubscription": row(TO_PAGE, TO_PAGE, token="lead address"),
    "list_email_settings": row(SIGNED_IN),
    "update_email_setting": row(SIGNED_IN, body={"kind": "reminders", "mail": "never", "push": False}),
    "get_email_settings_of_link": row(OPEN, OPEN, token="email link"),
    "update_email_setting_of_link": row(OPEN, OPEN, token="email link", body={"kind": "needs", "isOn": False}),
    "create_unsubscription": row(OPEN, OPEN, token="email link of a kind", content=ONE_CLICK),
    "get_unsubscription": row(TO_PAGE, TO_PAGE, token="email link of a kind"),
    "get_notification_count": row(SIGNED_IN),
    "list_notifications": row(SIGNED_IN),
    "update_notifications": row(SIGNED_IN, body={"state": "seen"}),
    "update_notification": row(SIGNED_IN, NOT_OWN, notification_id="notification", body={"isRead": True}),
    "get_notification_hours": row(SIGNED_IN),
    "update_notification_hours": row(SIGNED_IN, body=HOURS),
    "list_push_devices": row(SIGNED_IN),
    "update_push_device": row(INVALID_BODY, body={}),
    "delete_push_device": row(SIGNED_IN, NOT_OWN, device_id="push device"),
    "update_push_test": row(SIGNED_IN, NOT_OWN, device_id="push device"),
    "create_hold": row("422 422 422 422 422 401", "422 422 422 422 422 401", body={}),
    "get_hold": row("404 200 200 200 404 401", "404 404 404 404 404 401", token="hold"),
    "release_hold": row("200 200 200 200 200 401", "200 200 200 200 200 401", token="hold"),
    "create_booking": row(INVALID_BODY, body={}),
    "list_bookings": row(SIGNED_IN),
    "list_site_reviews": row(OPEN, OPEN),
    "list_due_reviews": row(SIGNED_IN),
    "get_session_reviews": row(SIGNED_IN, NOT_OWN, booking_id="booking"),
    "write_review": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body={"stars": 5}),
    "reply_to_guru": row(SIGNED_IN, NOT_OWN, booking_id="reviewed booking", body={"body": "Thanks!"}),
    "get_booking": row(SIGNED_IN, NOT_OWN, booking_id="booking"),
    "get_pass": row(SIGNED_IN, NOT_OWN, booking_id="booking"),
    "get_session_file": row(SIGNED_IN, NOT_OWN, booking_id="booking"),
    "pay_again": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking"),
    "give_up_payment": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking"),
    "list_tips": row(SIGNED_IN, NOT_OWN, booking_id="booking"),
    "create_tip": row(INVALID_BODY, INVALID_BODY, booking_id="booking", body={}),
    "list_orders": row(SIGNED_IN),
    "get_receipt": row(SIGNED_IN, NOT_OWN, order_id="order"),
    "list_order_invoices": row(SIGNED_IN, NOT_OWN, order_id="order"),
    "create_order_invoice": row("401 201 201 201 401 401", NOT_OWN, order_id="order", body=COMPANY),
    "get_invoice": row(SIGNED_IN, NOT_OWN, invoice_id="order invoice"),
    "cancel_booking": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body={}),
    "update_booking_address": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body=ADDRESS),
    "update_question_answers": row("401 200 200 200 401 401", NOT_OWN, booking_id="booking", body=NO_ANSWERS),
    "move_booking": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body=MOVE),
    "send_participant_link": row(SIGNED_IN, NOT_OWN, booking_id="signing booking", body={}),
    "create_series": row(INVALID_BODY, body={}),
    "get_series": row(SIGNED_IN, NOT_OWN, series_id="series"),
    "get_following": row(SIGNED_IN, NOT_OWN, booking_id="series"),
    "cancel_following": row("401 409 409 409 401 401", NOT_OWN, booking_id="series", body={"termsDigest": "old"}),
    "move_following": row("401 409 409 409 401 401", NOT_OWN, booking_id="series", body=MOVE | {"bookings": ["x"]}),
    "get_customer_booking": row(OPEN, OPEN, link="customer link"),
    "get_customer_pass": row(OPEN, OPEN, link="customer link"),
    "get_customer_file": row(OPEN, OPEN, link="customer link"),
    "cancel_customer_booking": row(UNKNOWN, UNKNOWN, link="unknown link", body={}),
    "update_customer_answers": row(UNKNOWN, UNKNOWN, link="unknown link", body=NO_ANSWERS),
    "move_customer_booking": row(UNKNOWN, UNKNOWN, link="unknown link", body=MOVE),
    "get_customer_reviews": row(OPEN_TO_ACTIVE, OPEN_TO_ACTIVE, link="customer link"),
    "write_customer_review": row(UNKNOWN_TO_ACTIVE, UNKNOWN_TO_ACTIVE, link="unknown link", body={"stars": 5}),
    "reply_as_customer": row(UNKNOWN_TO_ACTIVE, UNKNOWN_TO_ACTIVE, link="unknown link", body={"body": "Thanks!"}),
    "get_claim": row("401 200 200 200 401 401", "401 200 200 200 401 401", link="customer link"),
    "claim_bookings": row(NOT_OWN, NOT_OWN, link="unknown link", body={}),
    "list_own_packages": row(SIGNED_IN),
    "get_own_package": row(SIGNED_IN, NOT_OWN, grant_id="package grant"),
    "list_sold_packages": row(OPEN, OPEN),
    "buy_package": row(INVALID_BODY, INVALID_BODY, package_id="package", body={}),
    "get_package_purchase": row(SIGNED_IN, NOT_OWN, payment_id="package purchase"),
    "answer_proposal": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body=ANSWER),
    "list_teachers": row(SIGNED_IN, query="category=Creative"),
    "list_calendar_feeds": row(SIGNED_IN),
    "create_calendar_feed": row(INVALID_BODY, body={}),
    "revoke_calendar_feed": row(SIGNED_IN, NOT_OWN, feed_id="feed"),
    "read_calendar_feed": row("200 200 200 200 200 404", OPEN, secret="feed secret"),  # by the secret alone
    "join_waitlist": row(INVALID_BODY, body={}),
    "list_waitlist": row(SIGNED_IN),
    "find_waitlist_session": row("401 404 404 404 401 401", query=WAITED),
    "get_waitlist_session": row(SIGNED_IN, NOT_OWN, session_id="waited session"),
    "leave_waitlist": row(SIGNED_IN, NOT_OWN, session_id="waited session"),
    "open_waitlist_offer": row("401 409 409 409 401 401", NOT_OWN, session_id="waited session"),
}  # fmt: skip
