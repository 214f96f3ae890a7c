"""Operations of visitors and neighbors: the main platform, accounts, skills, Angel's List and reports."""

from __future__ import annotations

from typing import Any

from tenants.kit.ids import new_id
from tests.fixtures import seeded
from tests.porchlight.authorization.row import CREATED, INVALID_BODY, NOT_OWN, OPEN, SIGNED_IN, UNKNOWN, Row, row
from tests.porchlight.path_values import SeededUser

WAIVER = {
    "riskLevel": "low", "emergencyContact": None, "timestamp": "", "skillCategory": "Programming",
    "activityDescription": "Python", "exchangeId": "sample",
}  # fmt: skip

DECLINED = {"answer": "decline", "sequence": 0}


def _contact_message(_user: SeededUser) -> dict[str, Any]:
    return {"name": "Ada", "email": "ada@example.com", "subject": "Hi", "message": seeded.text()}


def _report(user: SeededUser) -> dict[str, Any]:
    return {"kind": "site", "name": user.guru.label, "reason": "spam", "details": seeded.text()}


GONE = "409 409 409 409 409 409"

PEOPLE_ROWS: dict[str, Row] = {
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
    "create_sign_in_code": row("202 202 202 202 202 202", body={"email": "ada@example.com"}),
    "use_sign_in_code": row(GONE, GONE, code_id="sign-in code", body={"code": "123456"}),
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
    "get_link_receipt": row(OPEN, OPEN),
    "list_angel_services": row(OPEN),
    # Messages and blocks
    "list_threads": row(SIGNED_IN),
    "get_thread": row(SIGNED_IN, NOT_OWN, thread_id="thread"),
    "list_messages": row(SIGNED_IN, NOT_OWN, thread_id="thread"),
    "get_recipient": row(NOT_OWN, query="kind=profile&id=nobody-here"),
    "create_thread": row(NOT_OWN, body={"to": {"kind": "profile", "id": "nobody-here"}, "body": "Hi"}),
    "create_message": row(INVALID_BODY, INVALID_BODY, thread_id="thread", body={"body": "Hi", "fileIds": ["1"]}),
    "delete_message": row(SIGNED_IN, NOT_OWN, thread_id="thread", number="number"),
    "mark_thread_read": row(SIGNED_IN, NOT_OWN, thread_id="thread", body={"number": 1}),
    "update_thread_settings": row(SIGNED_IN, NOT_OWN, thread_id="thread", body={"muted": True, "archived": False}),
    "accept_thread": row(SIGNED_IN, NOT_OWN, thread_id="thread"),
    "report_thread": row("401 201 201 201 401 401", NOT_OWN, thread_id="thread", body={"reason": "spam"}),
    "block_thread": row(SIGNED_IN, NOT_OWN, thread_id="thread"),
    "unblock_thread": row(SIGNED_IN, NOT_OWN, thread_id="thread"),
    "list_message_changes": row(SIGNED_IN, query="after=0"),
    "stream_message_changes": row(UNKNOWN),  # the flag realTimeChat is off
    "upload_message_file": row(INVALID_BODY, content=("application/octet-stream", b"MZ\x90\x00"), query="name=a.pdf"),
    "get_message_file": row(NOT_OWN, NOT_OWN, file_id="thread"),
    "list_blocks_of_people": row(SIGNED_IN),
    "delete_block_of_person": row(SIGNED_IN, SIGNED_IN, block_id="thread"),
    "block_user": row("401 422 422 422 401 401", SIGNED_IN),
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
    "list_porch_lights": row(OPEN),
    "get_porch_light": row(SIGNED_IN),
    "turn_on_porch_light": row("401 409 200 200 401 401", body={"zone": "America/Denver"}),
    "turn_off_porch_light": row(SIGNED_IN),
    "list_reviews": row("200 200 200 200 200 404", OPEN),
    "get_profile_photo": row("200 200 200 200 200 401", "200 200 200 200 200 401", name="photo"),
    # Exchanges
    "list_exchanges": row(SIGNED_IN),
    "count_exchanges": row(SIGNED_IN),
    "list_exchange_offers": row("401 404 404 404 401 401", query="handle=nobody"),
    "get_exchange_offer": row(SIGNED_IN, SIGNED_IN, offer_id="visible offer"),
    "create_exchange": row(INVALID_BODY, body={}),
    "get_exchange": row(SIGNED_IN, NOT_OWN, exchange_id="exchange"),
    "answer_exchange": row("401 200 200 200 401 401", NOT_OWN, exchange_id="exchange", body=DECLINED),
    "cancel_exchange": row(SIGNED_IN, NOT_OWN, exchange_id="exchange", body={}),
    "get_exchange_file": row(SIGNED_IN, NOT_OWN, exchange_id="agreed exchange"),
    "record_exchange_time": row(SIGNED_IN, NOT_OWN, exchange_id="exchange to record", body={"minutes": 60, "round": 0}),
    "confirm_exchange_time": row(SIGNED_IN, NOT_OWN, exchange_id="recorded exchange", body={"round": 2}),
    "reverse_exchange_time": row(SIGNED_IN, NOT_OWN, exchange_id="settled exchange", body={"wanted": True}),
    "get_own_hours": row(SIGNED_IN),
    "get_hours_statement": row(SIGNED_IN),
    "export_hours_statement": row(SIGNED_IN),
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
    "list_new_results": row(SIGNED_IN),
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
}  # fmt: skip
