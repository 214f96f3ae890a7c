"""The authorization matrix: a row for every operation of the OpenAPI document.

**To add a row** for a new operation, write a line into `ROWS` under its operation id:

    "get_lead": row("401 404 200 200 401 401", "401 404 404 404 401 401", body={...}, lead_id="lead"),

- The first six statuses are those of the six `CALLERS`, in their order, each on **their own** object. The neighbor owns
  no guru and gets another user's object where it belongs to a guru; anonymous callers and the admin get objects of a
  guru who is not a caller.
- The second six are those of the same callers on **another user's** object; omit them when neither the path nor the
  body names an object. Every error there is also compared with the response for an unknown object: they must be equal.
- Keyword arguments name the factory in `PATH_VALUES` (path_values.py) of each path parameter, unless it has that name.
- `body` is the JSON body, or a function that creates it for a user. A rejected one (422) also shows the authorization.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from tenants.kit.ids import new_id
from tests.fixtures import seeded
from tests.fixtures.clock import INSTANT
from tests.porchlight.path_values import SeededUser

CALLERS = ("anonymous", "neighbor", "guru", "other guru", "admin", "suspended")
KEY = "correct-horse-battery-staple-0123456789"


def _lead(_being: SeededUser) -> dict[str, Any]:
    """Return a unique lead, because a repeated one is a resend."""
    return {"name": "Ada", "email": "ada@example.com", "message": seeded.text(), "consent": True}


def _contact_message(_being: SeededUser) -> dict[str, Any]:
    return {"name": "Ada", "email": "ada@example.com", "subject": "Hi", "message": seeded.text()}


def _profile(_being: SeededUser) -> dict[str, Any]:
    return {"displayName": "Ada", "city": "Denver", "zip": "80202", "bio": "I bake."}


def _services(_being: SeededUser) -> dict[str, Any]:
    service = {"name": "Bread", "priceCents": 7500, "durationMinutes": 60}
    return {"services": [service, service, service]}


def _subdomain(_being: SeededUser) -> dict[str, Any]:
    return {"subdomain": f"moved-{new_id().hex[-12:]}"}


def _report(user: SeededUser) -> dict[str, Any]:
    return {"kind": "site", "name": user.guru.label, "reason": "spam", "details": seeded.text()}


Content = tuple[str, bytes] | None  # type and body


@dataclass(frozen=True)
class Row:
    """Expected statuses of an operation. `other` is empty when neither path nor body names an object."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    body: Any
    content: Content
    query: str
    names: Mapping[str, str]


def row(
    own: str, other: str = "", /, *, body: Any = None, content: Content = None, query: str = "", **names: str
) -> Row:
    """Create a row; see the docstring of this module."""
    own_statuses, other_statuses = (tuple(int(status) for status in text.split()) for text in (own, other))
    if len(own_statuses) != len(CALLERS) or len(other_statuses) not in (0, len(CALLERS)):
        raise ValueError(f"a row has {len(CALLERS)} statuses, one for each of: {', '.join(CALLERS)}")
    return Row(own_statuses, other_statuses, body, content, query, names)


OPEN = "200 200 200 200 200 200"
ADMIN = "401 401 401 401 200 401"
INVALID_BODY = "401 422 422 422 401 401"
GURU = "401 404 200 200 401 401"
GURU_INVALID_BODY = "401 404 422 422 401 401"
NOT_OWN = "401 404 404 404 401 401"
ADMIN_ANY = (ADMIN, ADMIN)
SIGNED_IN = "401 200 200 200 401 401"
UNKNOWN = "404 404 404 404 404 404"
CREATED = "201 201 201 201 201 201"
REASON = {"reason": "because"}
POST = {"title": "Bread", "content": "Flour and water"}
WAIVER = {
    "riskLevel": "low", "emergencyContact": None, "timestamp": "", "skillCategory": "Programming",
    "activityDescription": "Python", "exchangeId": "sample",
}  # fmt: skip
MOVE = {"startsAt": "2030-12-23T18:00:00Z", "termsDigest": "old"}
PROPOSAL = {"startsAt": "2030-12-23T18:00:00Z", "reason": "because"}
ANSWER = {"accept": True, "startsAt": "2030-12-23T18:00:00Z"}
SERVICE = {"name": "A lesson", "priceCents": 4000, "durationMinutes": 60}
WHY = f"at={INSTANT + timedelta(days=7):%Y-%m-%dT%H:00:00Z}"
WAITED = "guru=nosuchguru&serviceId=x&startsAt=2030-12-23T18:00:00Z"

ONE_CLICK, TO_PAGE = ("application/x-www-form-urlencoded", b"List-Unsubscribe=One-Click"), "303 303 303 303 303 303"
ROWS: dict[str, Row] = {
    # A guru's site
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
    "update_email_setting": row(SIGNED_IN, body={"kind": "reminders", "isOn": False}),
    "get_email_settings_of_link": row(OPEN, OPEN, token="email link"),
    "update_email_setting_of_link": row(OPEN, OPEN, token="email link", body={"kind": "needs", "isOn": False}),
    "create_unsubscription": row(OPEN, OPEN, token="email link of a kind", content=ONE_CLICK),
    "get_unsubscription": row(TO_PAGE, TO_PAGE, token="email link of a kind"),
    "create_hold": row("422 422 422 422 422 401", "422 422 422 422 422 401", body={}),
    "get_hold": row("404 200 200 200 404 401", "404 404 404 404 404 401", token="hold"),
    "release_hold": row("200 200 200 200 200 401", "200 200 200 200 200 401", token="hold"),
    "create_booking": row(INVALID_BODY, body={}),
    "list_bookings": row(SIGNED_IN),
    "get_booking": row(SIGNED_IN, NOT_OWN, booking_id="booking"),
    "get_session_file": row(SIGNED_IN, NOT_OWN, booking_id="booking"),
    "cancel_booking": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body={}),
    "move_booking": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body=MOVE),
    "send_participant_link": row(SIGNED_IN, NOT_OWN, booking_id="signing booking", body={}),
    "create_series": row(INVALID_BODY, body={}),
    "get_series": row(SIGNED_IN, NOT_OWN, series_id="series"),
    "answer_proposal": row("401 409 409 409 401 401", NOT_OWN, booking_id="booking", body=ANSWER),
    "list_teachers": row(SIGNED_IN, query="category=Creative"),
    "join_waitlist": row(INVALID_BODY, body={}),
    "list_waitlist": row(SIGNED_IN),
    "find_waitlist_session": row("401 404 404 404 401 401", query=WAITED),
    "get_waitlist_session": row(SIGNED_IN, NOT_OWN, session_id="waited session"),
    "leave_waitlist": row(SIGNED_IN, NOT_OWN, session_id="waited session"),
    "open_waitlist_offer": row("401 409 409 409 401 401", NOT_OWN, session_id="waited session"),
    # The main platform
    "list_feature_flags": row(OPEN),
    "get_config": row(OPEN),
    "get_front_page": row(OPEN),
    "list_plans": row(OPEN),
    "get_billing": row(SIGNED_IN),
    "create_plan_checkout": row("401 503 409 409 401 401", body={"plan": "skill-sharer", "interval": "month"}),
    "create_billing_portal_link": row("401 409 409 409 401 401", body={}),
    "create_pricing_table_session": row("401 503 409 409 401 401"),
    "get_invoice_file": row("401 503 503 503 401 401", NOT_OWN, invoice_id="invoice"),
    "preview_plan_change": row("401 409 409 409 401 401", query="plan=skill-sharer&interval=month"),
    "change_plan": row("401 409 409 409 401 401", body={"plan": "community", "interval": "month"}),
    "reverse_geocode": row(OPEN, query="latitude=39.7&longitude=-105"),
    "search_places": row(OPEN, query="q=Denver"),
    "match_place": row(OPEN, query="q=Denver"),
    "create_contact_message": row(CREATED, body=_contact_message),
    "list_skills": row(OPEN),
    "list_skill_categories": row(OPEN),
    "list_skill_suggestions": row(OPEN, query="q=gu"),
    "assess_risk": row(OPEN, body={"skillCategory": "cooking", "activityDescription": "Bread"}),
    "create_waiver": row("401 201 201 201 401 401", body=WAIVER),
    "get_waiver_text": row(OPEN, OPEN, level="risk level"),
    "list_waivers": row(SIGNED_IN),
    "get_waiver_receipt": row(SIGNED_IN, NOT_OWN, waiver_id="waiver"),
    "withdraw_waiver": row(SIGNED_IN, NOT_OWN, waiver_id="waiver"),
    "list_waiver_keys": row(OPEN),
    "get_signing": row(OPEN, OPEN, link="signing link"),
    "sign_with_link": row(UNKNOWN, UNKNOWN, link="signing link", body=WAIVER),
    "get_link_receipt": row(UNKNOWN, UNKNOWN),
    "get_own_waiver_text": row(GURU),
    "update_own_waiver_text": row("401 404 200 200 401 401", body={"revision": 2, "body": ""}),
    "get_emergency_contact": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking"),
    "list_angel_services": row(OPEN),
    # Accounts
    "get_current_session": row("200 200 200 200 200 401"),
    "create_session": row("422 422 422 422 422 422", body={}),
    "delete_current_session": row(OPEN),
    "list_sessions": row(SIGNED_IN),
    "delete_all_sessions": row(SIGNED_IN),
    "delete_session": row(SIGNED_IN, "401 404 404 404 401 401", session_id="session"),
    "register": row(SIGNED_IN, body={}),
    "get_profile": row(SIGNED_IN),
    "update_profile": row(SIGNED_IN, body={"bio": "Hello"}),
    "update_profile_photo": row("401 422 422 422 401 401", content=("image/png", b"none")),
    "delete_profile_photo": row(SIGNED_IN),
    "export_account": row(SIGNED_IN),
    "create_email_change": row("401 202 202 202 401 401", body={"email": "new@example.com"}),
    "delete_account": row(SIGNED_IN),
    "get_public_profile": row("200 200 200 200 200 404", OPEN),
    "ask_neighbor": row(INVALID_BODY, INVALID_BODY, body={}),
    "get_question": row(SIGNED_IN, NOT_OWN, question_id="question"),
    "list_porch_lights": row(OPEN),
    "get_porch_light": row(SIGNED_IN),
    "turn_on_porch_light": row("401 409 200 200 401 401", body={"zone": "America/Denver"}),
    "turn_off_porch_light": row(SIGNED_IN),
    "list_reviews": row("200 200 200 200 200 404", OPEN),
    "get_profile_photo": row("200 200 200 200 200 401", "200 200 200 200 200 401", name="photo"),
    # Becoming a guru
    "get_onboarding_status": row(SIGNED_IN),
    "get_onboarding_profile": row(SIGNED_IN),
    "update_onboarding_profile": row(SIGNED_IN, body=_profile),
    "update_onboarding_photo": row("401 422 422 422 401 401", content=("image/png", b"none")),
    "update_onboarding_draft": row(SIGNED_IN, body={"city": "Den"}),
    "update_onboarding_categories": row(SIGNED_IN, body={"categories": ["creative"]}),
    "get_onboarding_requirements": row(SIGNED_IN),
    "confirm_onboarding_skills": row(SIGNED_IN, body={"skills": ["Bread", "Pasta", "Soup"]}),
    "confirm_onboarding_services": row(SIGNED_IN, body=_services),
    "check_subdomain": row(SIGNED_IN, query="name=ada-bakes"),
    "publish_site": row("401 409 409 409 401 401", body={}),
    "unpublish_site": row("401 404 200 200 401 401"),
    "update_subdomain": row("401 404 200 200 401 401", body=_subdomain),
    # A guru's console
    "get_my_guru": row(SIGNED_IN),
    "get_site_overview": row(GURU),
    "get_site_visits_file": row(GURU),
    "get_site_qr_code": row(GURU),
    "get_site_flyer": row(GURU),
    "get_site_profile": row(GURU),
    "update_site_profile": row("401 404 409 409 401 401", body={"revision": "old", "tagline": "Hello"}),
    "create_site_preview": row("401 404 201 201 401 401", body={"page": "/"}),
    "list_console_posts": row(GURU),
    "create_post": row("401 404 201 201 401 401", body=POST),
    "get_console_post": row(GURU, NOT_OWN, post_id="post"),
    "update_post": row(GURU, NOT_OWN, post_id="post", body=POST | {"revision": 1, "status": "draft"}),
    "delete_post": row(GURU, NOT_OWN, post_id="post"),
    "unpublish_post": row(GURU, NOT_OWN, post_id="post"),
    "autosave_post": row(GURU, NOT_OWN, post_id="post", body=POST | {"revision": 1}),
    "discard_working_copy": row(GURU, NOT_OWN, post_id="post", query="revision=1"),
    "list_console_images": row(GURU),
    "upload_image": row(GURU_INVALID_BODY, content=("image/png", b"none")),
    "delete_image": row(GURU, NOT_OWN, image_id="image"),
    "list_console_services": row(GURU),
    "create_service": row("401 404 201 201 401 401", body=SERVICE),
    "update_service": row(GURU, NOT_OWN, service_id="service", body=SERVICE),
    "delete_service": row(GURU, NOT_OWN, service_id="service"),
    "reorder_services": row(GURU_INVALID_BODY, body={}),
    "get_calendar": row(GURU),
    "update_calendar": row("401 404 409 409 401 401", body={"revision": 0}),
    "update_weekly_hours": row("401 404 409 409 401 401", body={"revision": 0, "week": []}),
    "update_date_hours": row(GURU, GURU, body={"ranges": []}),
    "delete_date_hours": row(GURU, NOT_OWN),
    "list_blocks": row(GURU),
    "create_block": row(GURU_INVALID_BODY, body={}),
    "delete_block": row(GURU, NOT_OWN, block_id="block"),
    "get_service_booking": row(GURU, NOT_OWN, service_id="service"),
    "update_service_booking": row(GURU_INVALID_BODY, GURU_INVALID_BODY, service_id="service", body={}),
    "list_fixed_starts": row(GURU, NOT_OWN, service_id="service"),
    "create_fixed_start": row(GURU_INVALID_BODY, GURU_INVALID_BODY, service_id="service", body={}),
    "delete_fixed_start": row(GURU, NOT_OWN, service_id="service", start_id="fixed start"),
    "list_guru_bookings": row(GURU),
    "get_guru_week": row(GURU),
    "get_bookings_overview": row(GURU),
    "get_booked_times": row(GURU_INVALID_BODY),
    "get_guru_booking": row(GURU, NOT_OWN, booking_id="booking"),
    "answer_booking": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body={"accept": True}),
    "cancel_guru_booking": row(GURU, NOT_OWN, booking_id="booking", body=REASON),
    "propose_move": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body=PROPOSAL),
    "withdraw_proposal": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking"),
    "remind_participant": row("401 404 409 409 401 401", NOT_OWN, booking_id="signing booking"),
    "record_attendance": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body={"missed": True}),
    "cancel_session": row(GURU, NOT_OWN, appointment_id="fixed start", body=REASON),
    "change_session_place": row(GURU_INVALID_BODY, GURU_INVALID_BODY, appointment_id="fixed start", body={}),
    "explain_start": row(GURU, NOT_OWN, service_id="service", query=WHY),
    "list_domains": row(GURU),
    "add_domain": row(GURU_INVALID_BODY, body={}),
    "check_domain": row(GURU, NOT_OWN, domain="domain"),
    "remove_domain": row(GURU, NOT_OWN, domain="domain"),
    "list_console_leads": row(GURU),
    "export_leads": row(GURU),
    "get_console_lead": row(GURU, NOT_OWN, lead_id="lead"),
    "update_lead_status": row(GURU, NOT_OWN, lead_id="lead", body={"status": "archived"}),
    "reply_to_lead": row("401 404 201 201 401 401", NOT_OWN, lead_id="lead", body={"body": "Hello"}),
    "create_lead_note": row("401 404 201 201 401 401", NOT_OWN, lead_id="lead", body={"body": "Hello"}),
    "delete_lead_note": row(GURU, NOT_OWN, lead_id="lead", note_id="note"),
    "get_guru_statement": row(GURU),
    "export_guru_statement": row(GURU),
    "get_guru_fee": row(GURU),
    # Documents and payouts
    "list_my_documents": row(SIGNED_IN),
    "submit_document": row(INVALID_BODY, body={}),
    "upload_document_file": row(INVALID_BODY, content=("application/pdf", b"none"), query="name=a.pdf"),
    "list_pending_documents": row(ADMIN),
    "get_document_file": row("410 410 410 410 410 410", "410 410 410 410 410 410"),
    "list_user_documents": row(*ADMIN_ANY, uid="user"),
    "review_document": row(*ADMIN_ANY, uid="user", id="document", body={"status": "rejected", "reason": "Blurred"}),
    "record_document_access": row(*ADMIN_ANY, uid="user", id="document"),
    "get_payout_connection": row(SIGNED_IN),
    "create_payout_onboarding_link": row("401 503 503 503 401 401"),
    "create_payout_dashboard_link": row("401 409 409 409 401 401"),
    "get_payout_balance": row(SIGNED_IN),
    "get_payout_quote": row("404 404 404 404 404 404"),  # its flag is off
    "create_instant_payout": row("404 404 404 404 404 404", body={}),  # its flag is off
    "list_payouts": row(SIGNED_IN),
    "get_payout_schedule": row("401 409 409 409 401 401"),
    "update_payout_schedule": row("401 409 409 409 401 401", body={"interval": "daily"}),
    "receive_stripe_event": row("400 400 400 400 400 400", body={}),
    # Skills, matches and search
    "get_own_skills": row(SIGNED_IN),
    "create_skill_offer": row(INVALID_BODY, body={}),
    "update_skill_offer": row(SIGNED_IN, NOT_OWN, offer_id="offer", body={}),
    "delete_skill_offer": row(SIGNED_IN, NOT_OWN, offer_id="offer"),
    "create_listing_photo": row(INVALID_BODY, NOT_OWN, offer_id="offer", content=("image/png", b"none")),
    "update_listing_photos": row(SIGNED_IN, NOT_OWN, offer_id="offer", body={"photos": []}),
    "delete_listing_photo": row(NOT_OWN, NOT_OWN, offer_id="offer", photo_id="offer"),
    "get_listing_photo": row("200 200 200 200 200 401", "200 200 200 200 200 401", name="listing photo"),
    "preview_risk": row(SIGNED_IN, body={"title": "Bread"}),
    "create_skill_want": row(INVALID_BODY, body={}),
    "delete_skill_want": row(SIGNED_IN, NOT_OWN, want_id="want"),
    "update_area": row(SIGNED_IN, body={"latitude": 39.7, "longitude": -105.0}),
    "delete_area": row(SIGNED_IN),
    "get_skill_listing": row("200 200 200 200 200 404", OPEN, listing_id="offer"),
    "list_matches": row(SIGNED_IN, NOT_OWN, user_id="user"),
    "list_suggested_skills": row(SIGNED_IN),
    "list_swap_rings": row(SIGNED_IN),
    "respond_to_ring": row(NOT_OWN, NOT_OWN, ring_id="ring", body={"answer": "accepted"}),
    "search": row(OPEN, query="q=guitar"),
    "list_saved_searches": row(SIGNED_IN),
    "create_saved_search": row("401 201 201 201 401 401", body={"q": "guitar"}),
    "delete_saved_search": row(SIGNED_IN, NOT_OWN, search_id="search"),
    # Angel's List
    "list_angels": row("200 200 200 200 200 401", "200 200 200 200 200 401", service_id="angel service"),
    "list_own_angel_services": row(SIGNED_IN),
    "set_angel_service": row(INVALID_BODY, INVALID_BODY, service_id="angel service", body={}),
    "delete_angel_service": row(NOT_OWN, NOT_OWN, service_id="angel service"),
    "preview_need": row(SIGNED_IN, body={}),
    "create_need": row(INVALID_BODY, body={}),
    "list_open_needs": row(SIGNED_IN),
    "list_own_needs": row(SIGNED_IN),
    "get_need": row(SIGNED_IN, SIGNED_IN, need_id="need"),
    "create_need_photo": row(INVALID_BODY, NOT_OWN, need_id="need", content=("image/png", b"none")),
    "delete_need_photo": row(NOT_OWN, NOT_OWN, need_id="need", photo_id="need"),
    "withdraw_need": row(SIGNED_IN, NOT_OWN, need_id="need"),
    "accept_need_offer": row(NOT_OWN, NOT_OWN, need_id="need", body={"offerId": str(new_id())}),
    "complete_need": row("401 409 409 409 401 401", NOT_OWN, need_id="need", body={"rating": 5}),
    "get_need_photo": row(SIGNED_IN, SIGNED_IN, name="need photo"),
    "create_need_offer": row(
        "401 409 409 409 401 401", "401 201 201 201 401 401",
        need_id="need", body={"priceCents": 4000, "message": "I can"}
    ),
    "list_own_need_offers": row(SIGNED_IN),
    "delete_need_offer": row("401 409 409 409 401 401", NOT_OWN, offer_id="need offer"),
    # Gurus' own domains
    "create_login_handoff": row("303 303 303 303 303 401"),
    "redeem_login_handoff": row("404 404 404 404 404 404"),
    # Reports
    "create_report": row("201 201 201 201 201 401", "201 201 201 201 201 401", body=_report),
    # Staff
    "create_admin_session": row(OPEN, body={"key": KEY}),
    "check_admin_session": row(ADMIN),
    "delete_admin_session": row(ADMIN),
    "get_dashboard": row(ADMIN),
    "get_admin_overview": row(ADMIN),
    "list_failed_jobs": row(ADMIN),
    "retry_failed_jobs": row("401 401 401 401 404 401", "401 401 401 401 404 401", task="task"),
    "get_money_summary": row(ADMIN),
    "list_disputes": row(ADMIN),
    "list_money_findings": row(ADMIN),
    "explain_money_finding": row(*ADMIN_ANY, finding_id="finding", body={"note": "rounding"}),
    "list_stripe_writes": row(ADMIN),
    "list_stripe_events": row(ADMIN),
    "retry_stripe_event": row(*ADMIN_ANY, event_id="stripe event"),
    "list_reconciliations": row(ADMIN),
    "list_adjustments": row(ADMIN),
    "create_adjustment": row("401 401 401 401 422 401", body={}),
    "decide_adjustment": row(*ADMIN_ANY, adjustment_id="adjustment", body={"approve": False}),
    "list_admin_sites": row(ADMIN),
    "get_admin_site": row(*ADMIN_ANY, label="subdomain"),
    "suspend_site": row(*ADMIN_ANY, label="subdomain", body=REASON),
    "restore_site": row(*ADMIN_ANY, label="subdomain"),
    "export_site": row(*ADMIN_ANY, label="subdomain"),
    "list_audit_events": row(ADMIN),
    "get_audit_state": row(ADMIN),
    "list_admin_feature_flags": row(ADMIN),
    "list_admin_users": row(ADMIN),
    "get_admin_user": row(*ADMIN_ANY, user_id="user"),
    "suspend_user": row(*ADMIN_ANY, user_id="user", body=REASON),
    "restore_user": row(*ADMIN_ANY, user_id="user"),
    "list_booked_sessions": row(ADMIN),
    "get_booked_session": row(*ADMIN_ANY, booking_id="booking"),
    "get_waiver_state": row(ADMIN),
    "acknowledge_waiver_texts": row(ADMIN),
    "cancel_booked_session": row(*ADMIN_ANY, booking_id="booking", body=REASON),
    "list_admin_listings": row(ADMIN),
    "get_admin_listing": row(*ADMIN_ANY, listing_id="offer"),
    "get_admin_listing_photo": row(*ADMIN_ANY, name="listing photo"),
    "hide_listing": row(*ADMIN_ANY, listing_id="offer", body=REASON),
    "show_listing": row(*ADMIN_ANY, listing_id="offer"),
    "list_risk_reviews": row(ADMIN),
    "get_risk_review": row(*ADMIN_ANY, review_id="risk review"),
    "decide_risk": row(*ADMIN_ANY, review_id="risk review", body={"level": "low", "replaces": None}),
    "create_impersonation": row(*ADMIN_ANY, label="subdomain", body=REASON),
    "get_impersonation": row(ADMIN),
    "allow_impersonated_writes": row("401 401 401 401 404 401", body=REASON),
    "delete_impersonation": row(ADMIN),
    "list_admin_reports": row(ADMIN),
    "get_admin_report": row(*ADMIN_ANY, report_id="report"),
    "resolve_report": row(*ADMIN_ANY, report_id="report", body={"outcome": "dismissed"}),
}  # fmt: skip
