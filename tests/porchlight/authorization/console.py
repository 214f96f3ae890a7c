"""Operations of gurus: becoming one, the console, documents and payouts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tenants.kit.ids import new_id
from tests.fixtures.clock import INSTANT
from tests.porchlight.authorization.row import (
    ADMIN,
    ADMIN_ANY,
    GURU,
    GURU_INVALID_BODY,
    INVALID_BODY,
    NOT_OWN,
    REASON,
    SIGNED_IN,
    Row,
    row,
)
from tests.porchlight.path_values import SeededUser

POST = {"title": "Bread", "content": "Flour and water"}
PROPOSAL = {"startsAt": "2030-12-23T18:00:00Z", "reason": "because"}
CHECK_IN = {"at": "2027-03-10T18:00:00Z", "device": "Front door"}
DETAILS = {"name": "Rosa Delgado", "address": "9 Elm St", "taxId": ""}
PACKAGE = {"name": "Four lessons", "sessions": 4, "days": 60}
DISPUTE_WORDS = {"words": "We met.", "customerWords": ""}
SERVICE = {"name": "A lesson", "priceCents": 4000, "durationMinutes": 60}
WHY = f"at={INSTANT + timedelta(days=7):%Y-%m-%dT%H:00:00Z}"


def _profile(_user: SeededUser) -> dict[str, Any]:
    return {"displayName": "Ada", "city": "Denver", "zip": "80202", "bio": "I bake."}


def _services(_user: SeededUser) -> dict[str, Any]:
    service = {"name": "Bread", "priceCents": 7500, "durationMinutes": 60}
    return {"services": [service, service, service]}


def _subdomain(_user: SeededUser) -> dict[str, Any]:
    return {"subdomain": f"moved-{new_id().hex[-12:]}"}


CONSOLE_ROWS: dict[str, Row] = {
    # Becoming a guru
    "get_onboarding_status": row(SIGNED_IN),
    "get_onboarding_profile": row(SIGNED_IN),
    "update_onboarding_profile": row(SIGNED_IN, body=_profile),
    "update_onboarding_photo": row("401 422 422 422 401 401", content=("image/png", b"none")),
    "update_onboarding_draft": row(SIGNED_IN, body={"city": "Den"}),
    "update_onboarding_categories": row(SIGNED_IN, body={"categories": ["creative"]}),
    "get_onboarding_requirements": row(SIGNED_IN),
    "get_onboarding_skill_proposals": row(SIGNED_IN),
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
    "get_gallery": row(GURU),
    "replace_gallery": row("401 404 409 409 401 401", body={"revision": "old", "pictures": []}),
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
    "update_block": row(GURU_INVALID_BODY, GURU_INVALID_BODY, block_id="block", body={}),
    "delete_block": row(GURU, NOT_OWN, block_id="block"),
    "get_service_booking": row(GURU, NOT_OWN, service_id="service"),
    "update_service_booking": row(GURU_INVALID_BODY, GURU_INVALID_BODY, service_id="service", body={}),
    "get_service_risk": row(GURU, NOT_OWN, service_id="service"),
    "request_service_review": row(GURU_INVALID_BODY, GURU_INVALID_BODY, service_id="service", body={}),
    "list_fixed_starts": row(GURU, NOT_OWN, service_id="service"),
    "create_fixed_start": row(GURU_INVALID_BODY, GURU_INVALID_BODY, service_id="service", body={}),
    "delete_fixed_start": row(GURU, NOT_OWN, service_id="service", start_id="fixed start"),
    "list_guru_bookings": row(GURU),
    "list_guru_reviews": row(GURU),
    "list_guru_due_reviews": row(GURU),
    "reply_to_review": row(GURU, NOT_OWN, review_id="review", body={"body": "Thanks!"}),
    "get_guru_session_reviews": row(GURU, NOT_OWN, booking_id="booking"),
    "write_guru_review": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body={"stars": 5}),
    "list_neighbor_reviews": row(GURU, NOT_OWN, booking_id="booking"),
    "get_guru_week": row(GURU),
    "get_bookings_overview": row(GURU),
    "get_booked_times": row(GURU_INVALID_BODY),
    "get_affected_bookings": row(GURU, query="minutes=45"),
    "get_guru_booking": row(GURU, NOT_OWN, booking_id="booking"),
    "answer_booking": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body={"accept": True}),
    "cancel_guru_booking": row(GURU, NOT_OWN, booking_id="booking", body=REASON),
    "propose_move": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body=PROPOSAL),
    "list_proposable_starts": row(GURU, NOT_OWN, booking_id="booking", query="from=2027-06-01"),
    "book_customer": row(GURU_INVALID_BODY, body={}),
    "create_device_link": row("401 404 200 200 401 401", NOT_OWN, booking_id="customer booking"),
    "list_clients": row(GURU),
    "get_client": row(GURU, NOT_OWN, client_id="client"),
    "list_client_bookings": row(GURU, NOT_OWN, client_id="client"),
    "save_client_note": row(GURU, NOT_OWN, client_id="client", body={"body": "Mornings.", "digest": ""}),
    "list_packages": row(GURU),
    "create_package": row(GURU_INVALID_BODY, body={}),
    "update_package": row(GURU, NOT_OWN, package_id="package", body=PACKAGE),
    "delete_package": row(GURU, NOT_OWN, package_id="package"),
    "list_package_people": row(GURU),
    "list_package_grants": row(GURU),
    "grant_package": row(GURU_INVALID_BODY, body={}),
    "get_card_payments": row(GURU),
    "get_refund_preview": row(GURU, NOT_OWN, booking_id="paid booking", query="amountCents=100"),
    "create_refund": row(GURU_INVALID_BODY, GURU_INVALID_BODY, booking_id="booking", body={}),
    "list_guru_disputes": row(GURU),
    "get_guru_dispute": row(GURU, NOT_OWN, dispute_id="dispute"),
    "save_dispute_draft": row("401 404 409 409 401 401", NOT_OWN, dispute_id="dispute", body=DISPUTE_WORDS),
    "send_dispute_answer": row("401 404 409 409 401 401", NOT_OWN, dispute_id="dispute", body=DISPUTE_WORDS),
    "get_package_grant": row(GURU, NOT_OWN, grant_id="package grant"),
    "extend_package": row(GURU, NOT_OWN, grant_id="package grant", body={"lastDay": "2028-06-01"}),
    "take_back_sessions": row(GURU, NOT_OWN, grant_id="package grant", body=REASON | {"sessions": 1, "left": 5}),
    "get_guru_following": row(GURU, NOT_OWN, booking_id="series"),
    "cancel_guru_following": row(GURU, NOT_OWN, booking_id="series", body=REASON),
    "propose_following": row(NOT_OWN, NOT_OWN, booking_id="series", body=PROPOSAL | {"bookings": ["x"]}),
    "withdraw_proposal": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking"),
    "remind_participant": row("401 404 409 409 401 401", NOT_OWN, booking_id="signing booking"),
    "get_roster": row(GURU),
    "check_in": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body=CHECK_IN),
    "undo_check_in": row(GURU, NOT_OWN, booking_id="booking", query=f"at={CHECK_IN['at']}"),
    "record_attendance": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking", body={"missed": True}),
    "cancel_session": row(GURU, NOT_OWN, appointment_id="fixed start", body=REASON),
    "change_session_place": row(GURU_INVALID_BODY, GURU_INVALID_BODY, appointment_id="fixed start", body={}),
    "get_own_waiver_text": row(GURU),
    "update_own_waiver_text": row("401 404 200 200 401 401", body={"revision": 2, "body": ""}),
    "get_emergency_contact": row("401 404 409 409 401 401", NOT_OWN, booking_id="booking"),
    "explain_start": row(GURU, NOT_OWN, service_id="service", query=WHY),
    "list_busy_sources": row(GURU),
    "create_busy_source": row(GURU_INVALID_BODY, body={}),
    "find_account_calendars": row(GURU_INVALID_BODY, body={}),
    "update_busy_source": row(GURU, NOT_OWN, source_id="busy source", body={"name": "Family"}),
    "read_busy_source": row("401 404 202 202 401 401", NOT_OWN, source_id="busy source"),
    "keep_busy_source": row(GURU, NOT_OWN, source_id="busy source"),
    "remove_busy_source": row(GURU, NOT_OWN, source_id="busy source"),
    "list_domains": row(GURU),
    "add_domain": row(GURU_INVALID_BODY, body={}),
    "check_domain": row(GURU, NOT_OWN, domain="domain"),
    "update_main_address": row(GURU, body={"domain": None}),
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
    "get_year_statement": row(GURU),
    "export_year_statement": row(GURU, query="year=2026"),
    "get_year_statement_pdf": row(GURU, query="year=2026"),
    "list_guru_invoices": row(GURU),
    "get_guru_invoice": row(GURU, NOT_OWN, invoice_id="order invoice"),
    "get_invoice_details": row(GURU),
    "update_invoice_details": row(GURU, body=DETAILS),
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
}  # fmt: skip
