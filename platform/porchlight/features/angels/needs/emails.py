"""Emails about needs: for nearby angels, for the owner of the need, and for everyone who made an offer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from porchlight.emails.templates import EmailTemplates
from porchlight.ports import EmailMessage

Connection = psycopg.Connection[Any]

MAX_ANGELS_PER_NEED = 20  # angels who get an email about one need

_TEMPLATES = EmailTemplates("porchlight.features.angels.needs")

# Active angels of the service who live near enough, help on one of the need's days, have a verified address and are
# under their daily limit. An angel who was asked by name is notified at any distance and on any day.
_ANGELS_TO_NOTIFY = """
SELECT a.user_id FROM needs n JOIN angels a ON a.service_id = n.service_id JOIN users u ON u.user_id = a.user_id
 WHERE n.id = %(need)s AND n.status = 'open' AND n.expires_at > now() AND a.active AND a.user_id <> n.user_id
   AND u.status = 'active' AND u.email <> '' AND u.email_verified
   AND CASE WHEN n.asked_user_id IS NOT NULL THEN a.user_id = n.asked_user_id
            ELSE app.miles(a.latitude, a.longitude, n.latitude, n.longitude) <= a.radius_miles
                 AND EXISTS (SELECT FROM generate_series(n.wanted_from, least(n.wanted_until, n.wanted_from + 6),
                                                         interval '1 day') d
                              WHERE extract(isodow FROM d)::smallint = ANY (a.days))
                 AND (SELECT count(*) FROM need_notices t
                       WHERE t.user_id = a.user_id AND t.sent_at > now() - interval '1 day') < a.mails_a_day END
   AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = a.user_id AND t.need_id = n.id)
 ORDER BY app.miles(a.latitude, a.longitude, n.latitude, n.longitude), app.angel_score(a.ratings, a.rating_sum) DESC
 LIMIT %(limit)s"""
_NOTIFIED_COUNT = "SELECT count(*) FROM need_notices WHERE need_id = %s"
_NOTICE = """
INSERT INTO need_notices (user_id, need_id) VALUES (%s, %s) ON CONFLICT DO NOTHING RETURNING user_id"""
_NEED = """
SELECT u.email, p.display_name, n.title, n.description, n.city, n.wanted_from, n.wanted_until, n.time_note, n.hours,
       n.budget_cents, n.asked_user_id IS NOT NULL, s.title
  FROM needs n JOIN angel_services s ON s.id = n.service_id, users u JOIN profiles p ON p.user_id = u.user_id
 WHERE n.id = %s AND n.status = 'open' AND u.user_id = %s AND u.status = 'active'"""
_OFFER = """
SELECT u.email, n.id, n.title, o.price_cents, o.message, p.display_name, n.status, o.status
  FROM need_offers o JOIN needs n ON n.id = o.need_id JOIN users u ON u.user_id = n.user_id
  JOIN profiles p ON p.user_id = o.user_id
 WHERE o.id = %s AND u.status = 'active'"""
_RESULT = """
SELECT n.status, n.title, n.accepted_offer_id, p.display_name, u.email, u.email <> '' AND u.status = 'active'
  FROM needs n JOIN users u ON u.user_id = n.user_id JOIN profiles p ON p.user_id = n.user_id WHERE n.id = %s"""
_OPEN_OFFERS = """
SELECT o.id, u.email, p.display_name, o.price_cents
  FROM need_offers o JOIN users u ON u.user_id = o.user_id JOIN profiles p ON p.user_id = o.user_id
 WHERE o.need_id = %s AND o.status = 'open' AND u.status = 'active' AND u.email <> '' ORDER BY o.id"""


def _need_url(main_origin: str, need_id: UUID) -> str:
    return f"{main_origin}/needs/{need_id}"


def angels_to_notify(conn: Connection, need_id: UUID) -> list[UUID]:
    """Return the angels who should get an email about a need and have not: the nearest first, then the best rated.

    Counts every email about the need towards MAX_ANGELS_PER_NEED.
    """
    row = conn.execute(_NOTIFIED_COUNT, [need_id]).fetchone()
    limit = MAX_ANGELS_PER_NEED - (row[0] if row else 0)
    if limit <= 0:
        return []
    return [row[0] for row in conn.execute(_ANGELS_TO_NOTIFY, {"need": need_id, "limit": limit}).fetchall()]


def need_posted_email(conn: Connection, need_id: UUID, angel_id: UUID, main_origin: str) -> EmailMessage | None:
    """Record that an angel was notified of a need and return the email.

    Return None if the angel was notified before or the need is not open any more.
    """
    row = conn.execute(_NEED, [need_id, angel_id]).fetchone()
    if row is None or conn.execute(_NOTICE, [angel_id, need_id]).fetchone() is None:
        return None
    recipient, name, title, description, city, first, last, time_note, hours, budget_cents, requested, service = row
    return _TEMPLATES.create_message(
        "need_posted",
        key=f"need-{need_id}-{angel_id}",
        recipient=recipient,
        name=name,
        title=title,
        description=description,
        city=city,
        days=(first, last),
        time_note=time_note,
        hours=hours,
        budget_cents=budget_cents,
        requested=requested,
        service=service,
        action_url=_need_url(main_origin, need_id),
    )


def offer_received_email(conn: Connection, offer_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the email for the owner of the need, or None if the offer cannot be accepted any more."""
    row = conn.execute(_OFFER, [offer_id]).fetchone()
    if row is None or not row[0] or (row[6], row[7]) != ("open", "open"):
        return None
    recipient, need_id, title, price_cents, message, angel = row[:6]
    return _TEMPLATES.create_message(
        "offer_received",
        key=f"offer-{offer_id}",
        recipient=recipient,
        title=title,
        price_cents=price_cents,
        message=message,
        angel=angel,
        action_url=_need_url(main_origin, need_id),
    )


def need_result_emails(conn: Connection, need_id: UUID, main_origin: str) -> list[EmailMessage]:
    """Return the emails about an accepted, withdrawn or expired need, for its owner and everyone who made an offer."""
    row = conn.execute(_RESULT, [need_id]).fetchone()
    if row is None or row[0] not in ("accepted", "withdrawn", "expired"):
        return []
    status, title, accepted_id, owner, owner_email, owner_reachable = row
    offers = conn.execute(_OPEN_OFFERS, [need_id]).fetchall()
    need_url = _need_url(main_origin, need_id)
    messages: list[EmailMessage] = []
    for offer_id, email, angel, price_cents in offers:
        key = f"outcome-{status}-{offer_id}"
        if status != "accepted" or offer_id != accepted_id:
            messages.append(
                _TEMPLATES.create_message(
                    "offer_declined",
                    key=key,
                    recipient=email,
                    name=angel,
                    title=title,
                    result=status,
                    action_url=f"{main_origin}/needs",
                )
            )
            continue
        messages.append(
            _TEMPLATES.create_message(
                "offer_accepted",
                key=key,
                recipient=email,
                reply_to=owner_email,
                name=angel,
                owner=owner,
                title=title,
                price_cents=price_cents,
                action_url=need_url,
            )
        )
        if owner_reachable:
            messages.append(
                _TEMPLATES.create_message(
                    "offer_confirmed",
                    key=f"taken-{offer_id}",
                    recipient=owner_email,
                    reply_to=email,
                    name=owner,
                    angel=angel,
                    title=title,
                    price_cents=price_cents,
                    action_url=need_url,
                )
            )
    if status == "expired" and owner_reachable:
        messages.append(
            _TEMPLATES.create_message(
                "need_expired",
                key=f"expired-{need_id}",
                recipient=owner_email,
                name=owner,
                title=title,
                offers=len(offers),
                action_url=need_url,
            )
        )
    return messages
