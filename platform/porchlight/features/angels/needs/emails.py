"""Emails about needs: for nearby angels, for the owner of the need, and for everyone who made an offer."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from porchlight.emails.kinds import MailKind, find_opt_out
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.features.angels.rules import MAIL_PERIOD
from porchlight.ports import EmailMessage
from tenants.db.rows import Connection, fetch_one, fetch_values

MAX_ANGELS_PER_NEED = 20  # angels who get an email about one need

TEMPLATES = EmailTemplates(
    "porchlight.features.angels.needs",
    {
        "need_posted": MailKind.NEEDS,
        "need_expired": MailKind.EXPIRED_NEEDS,
        "offer_received": MailKind.AGREEMENT,
        "offer_accepted": MailKind.AGREEMENT,
        "offer_confirmed": MailKind.AGREEMENT,
        "offer_declined": MailKind.AGREEMENT,
    },
)

_WHY_ASKED = "You're receiving this because you asked for help on Angel's List."
_WHY_OFFERED = "You're receiving this because you made an offer on Angel's List."

_ANGELS_TO_NOTIFY = "SELECT app.angels_to_notify(%s, %s)"
_OPEN_NEED = """
SELECT n.id, n.title, n.description, n.city, n.wanted_from, n.wanted_until, n.time_note, n.hours, n.budget_cents,
       n.asked_user_id IS NOT NULL AS is_requested, s.title AS service
  FROM needs n JOIN angel_services s ON s.id = n.service_id WHERE n.user_id = %s AND n.id = %s AND n.status = 'open'"""
_ANGEL = """
SELECT u.email, u.email_verified, p.display_name FROM users u JOIN profiles p ON p.user_id = u.user_id
 WHERE u.user_id = %(angel)s AND u.status = 'active' AND app.need_status(%(need)s) = 'open'
   AND NOT EXISTS (SELECT FROM need_notices t WHERE t.user_id = %(angel)s AND t.need_id = %(need)s)"""
_NOTICE = "INSERT INTO need_notices (user_id, need_id) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_OFFER = """
WITH contact AS MATERIALIZED (SELECT * FROM app.job_contacts())
SELECT c.email, c.email_verified, o.need_id, c.details ->> 'title', o.price_cents, o.message,
       coalesce(a.shown_name, 'A neighbor'), c.user_id
  FROM need_offers o JOIN contact c ON c.part = 'owner' AND c.email <> ''
  LEFT JOIN contact a ON a.part = 'angel'
 WHERE o.user_id = %s AND o.id = %s"""
_RESULT = """
SELECT n.status, n.title, n.accepted_offer_id, p.display_name, u.email, u.email_verified,
       u.email <> '' AND u.status = 'active'
  FROM needs n JOIN users u ON u.user_id = n.user_id JOIN profiles p ON p.user_id = n.user_id
 WHERE n.user_id = %s AND n.id = %s"""
_OPEN_OFFERS = """
SELECT (c.details ->> 'offer_id')::uuid, c.email, c.email_verified, c.name, (c.details ->> 'price_cents')::integer,
       c.user_id
  FROM app.job_contacts() c WHERE c.email <> '' AND c.name IS NOT NULL"""


class OpenNeed(NamedTuple):
    """The need of an email to angels."""

    id: UUID
    title: str
    description: str
    city: str
    wanted_from: date
    wanted_until: date
    time_note: str
    hours: Decimal
    budget_cents: int | None
    is_requested: bool  # one angel was asked by name
    service: str


def _need_url(main_origin: str, need_id: UUID) -> str:
    return f"{main_origin}/needs/{need_id}"


def find_open_need(conn: Connection, user_id: UUID, need_id: UUID) -> OpenNeed | None:
    """Return the user's need, or None if it is not open."""
    return fetch_one(conn, OpenNeed, _OPEN_NEED, [user_id, need_id])


def angels_to_notify(conn: Connection) -> list[UUID]:
    """Return the angels who should get an email about the job's need and have not, at most MAX_ANGELS_PER_NEED.

    In a transaction of the job angels:notify_angels only.
    """
    return fetch_values(conn, UUID, _ANGELS_TO_NOTIFY, [MAX_ANGELS_PER_NEED, MAIL_PERIOD])


def need_posted_email(conn: Connection, need: OpenNeed, angel_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the email about a need to an angel, whose transaction this is.

    Return None if the angel was notified before, or the need is not open any more.
    """
    row = conn.execute(_ANGEL, {"angel": angel_id, "need": need.id}).fetchone()
    if row is None:
        return None
    recipient, is_verified, name = row
    return TEMPLATES.create_message(
        "need_posted",
        key=f"need-{need.id}-{angel_id}",
        to=Recipient(recipient, is_verified, person=angel_id),
        name=name,
        why="You're receiving this because you offer help on Angel's List, where you can change your daily limit.",
        action=Action("View details and make an offer", _need_url(main_origin, need.id)),
        notice="A neighbor asked for help",
        opt_out=find_opt_out(conn, MailKind.NEEDS, angel_id, main_origin),
        words={"title": need.title, "city": need.city, "time_note": need.time_note},
        verbatim={"description": need.description},
        facts={
            "days": (need.wanted_from, need.wanted_until),
            "hours": need.hours,
            "budget_cents": need.budget_cents,
            "requested": need.is_requested,
            "service": need.service,
        },
    )


def record_notice(conn: Connection, angel_id: UUID, need_id: UUID) -> None:
    """Record that an angel got an email about a need, for the daily limit."""
    conn.execute(_NOTICE, [angel_id, need_id])


def offer_received_email(conn: Connection, user_id: UUID, offer_id: UUID, main_origin: str) -> EmailMessage | None:
    """Return the email for the owner of the need, or None if the offer cannot be accepted any more.

    In a transaction of the job angels:notify_owner only.
    """
    row = conn.execute(_OFFER, [user_id, offer_id]).fetchone()
    if row is None:
        return None
    recipient, is_verified, need_id, title, price_cents, message, angel, owner_id = row
    return TEMPLATES.create_message(
        "offer_received",
        key=f"offer-{offer_id}",
        to=Recipient(recipient, is_verified, person=owner_id),
        why=_WHY_ASKED,
        action=Action("View the offer", _need_url(main_origin, need_id)),
        notice="You have an offer on your request",
        words={"title": title, "angel": angel},
        verbatim={"message": message},
        facts={"price_cents": price_cents},
    )


def need_result_emails(conn: Connection, user_id: UUID, need_id: UUID, main_origin: str) -> list[EmailMessage]:
    """Return the emails about the user's accepted, withdrawn or expired need, for the user and the authors of offers.

    In a transaction of the job angels:notify_result only.
    """
    row = conn.execute(_RESULT, [user_id, need_id]).fetchone()
    if row is None:
        return []
    status, title, accepted_id, owner, owner_email, owner_verified, owner_reachable = row
    if status not in ("accepted", "withdrawn", "expired"):
        return []
    offers = conn.execute(_OPEN_OFFERS).fetchall()
    need_url, to_owner = _need_url(main_origin, need_id), Recipient(owner_email, owner_verified, person=user_id)
    messages: list[EmailMessage] = []
    for offer_id, email, is_verified, angel, price_cents, angel_id in offers:
        key = f"outcome-{status}-{offer_id}"
        if status != "accepted" or offer_id != accepted_id:
            messages.append(
                TEMPLATES.create_message(
                    "offer_declined",
                    key=key,
                    to=Recipient(email, is_verified, person=angel_id),
                    name=angel,
                    why=_WHY_OFFERED,
                    action=Action("See other requests", f"{main_origin}/needs"),
                    notice="A request you offered to help with is closed",
                    words={"title": title},
                    facts={"result": status},
                )
            )
            continue
        messages.append(
            TEMPLATES.create_message(
                "offer_accepted",
                key=key,
                to=Recipient(email, is_verified, person=angel_id),
                reply_to=owner_email,
                name=angel,
                why=_WHY_OFFERED,
                action=Action("View the details", need_url),
                notice="Your offer was accepted",
                words={"owner": owner, "title": title},
                facts={"price_cents": price_cents},
            )
        )
        if owner_reachable:
            messages.append(
                TEMPLATES.create_message(
                    "offer_confirmed",
                    key=f"taken-{offer_id}",
                    to=to_owner,
                    reply_to=email,
                    name=owner,
                    why=_WHY_ASKED,
                    action=Action("View the details", need_url),
                    notice="You accepted an offer",
                    words={"angel": angel, "title": title},
                    facts={"price_cents": price_cents},
                )
            )
    if status == "expired" and owner_reachable:
        messages.append(
            TEMPLATES.create_message(
                "need_expired",
                key=f"expired-{need_id}",
                to=to_owner,
                name=owner,
                why=_WHY_ASKED,
                action=Action("View your request", need_url),
                notice="Your request has expired",
                opt_out=find_opt_out(conn, MailKind.EXPIRED_NEEDS, user_id, main_origin),
                words={"title": title},
                facts={"offers": len(offers)},
            )
        )
    return messages
