"""The mails about needs: to angels nearby, to who has the need, and to everybody who offered."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

import psycopg

from porchlight.notices import layout
from porchlight.notices.mail import Letter
from tenants.kit import money

Connection = psycopg.Connection[Any]

# Whom a need may be told: who helps with it that near, on one of its days, whose address is proven and who has not had
# as many mails since yesterday as they want in a day. Somebody who is asked by name hears of it however far.
_ANGELS = """
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
 LIMIT %(most)s"""
_TOLD = "SELECT count(*) FROM need_notices WHERE need_id = %s"
_NOTICE = """
INSERT INTO need_notices (user_id, need_id) VALUES (%s, %s) ON CONFLICT DO NOTHING RETURNING user_id"""
_FOR_ANGEL = """
SELECT u.email, p.display_name, n.title, n.description, n.city, n.wanted_from, n.wanted_until, n.time_note, n.hours,
       n.budget_cents, n.asked_user_id IS NOT NULL, s.title
  FROM needs n JOIN angel_services s ON s.id = n.service_id, users u JOIN profiles p ON p.user_id = u.user_id
 WHERE n.id = %s AND n.status = 'open' AND u.user_id = %s AND u.status = 'active'"""
_OFFER = """
SELECT u.email, n.id, n.title, o.price_cents, o.message, p.display_name, n.status, o.status
  FROM need_offers o JOIN needs n ON n.id = o.need_id JOIN users u ON u.user_id = n.user_id
  JOIN profiles p ON p.user_id = o.user_id
 WHERE o.id = %s AND u.status = 'active'"""
_OUTCOME = """
SELECT n.status, n.title, n.accepted_offer_id, n.user_id, u.email, p.display_name, u.status
  FROM needs n JOIN users u ON u.user_id = n.user_id JOIN profiles p ON p.user_id = n.user_id WHERE n.id = %s"""
_OFFERERS = """
SELECT o.id, u.user_id, u.email, p.display_name, o.price_cents
  FROM need_offers o JOIN users u ON u.user_id = o.user_id JOIN profiles p ON p.user_id = o.user_id
 WHERE o.need_id = %s AND o.status = 'open' AND u.status = 'active' AND u.email <> '' ORDER BY o.id"""

MOST_TOLD = 20  # angels who are mailed about one need
_ANGEL_FOOTER = (
    "You get this mail because you help with this on Angel's List. How many a day you want, you choose there."
)
_OWN_FOOTER = "You get this mail because you posted a need on Angel's List."
_OFFER_FOOTER = "You get this mail because you made an offer on Angel's List."


def _page(main_origin: str, need_id: UUID) -> str:
    return f"{main_origin}/needs/{need_id}"


def _letter(
    key: str, recipient: str, title: str, paragraphs: list[str], link: tuple[str, str], footer: str, reply_to: str = ""
) -> Letter:
    return Letter(
        key=key,
        recipient=recipient,
        reply_to=reply_to,
        subject=title,
        plain=layout.plain(paragraphs, link=link, footer=footer),
        html=layout.html(title, paragraphs, link=link, footer=footer),
    )


def _days(first: date, last: date) -> str:
    def day(moment: date) -> str:
        return f"{moment:%A, %B} {moment.day}"

    return day(first) if first == last else f"{day(first)} to {day(last)}"


def angels_to_tell(conn: Connection, need_id: UUID) -> list[UUID]:
    """Who should hear of a need and has not: the nearest, then the best rated; MOST_TOLD in all."""
    told = conn.execute(_TOLD, [need_id]).fetchone()
    left = MOST_TOLD - (told[0] if told else 0)
    if left <= 0:
        return []
    return [row[0] for row in conn.execute(_ANGELS, {"need": need_id, "most": left}).fetchall()]


def letter_to_angel(conn: Connection, need_id: UUID, angel: UUID, main_origin: str) -> Letter | None:
    """Tell an angel of a need and note it; None when they know of it or nothing is to be told any more."""
    row = conn.execute(_FOR_ANGEL, [need_id, angel]).fetchone()
    if row is None or conn.execute(_NOTICE, [angel, need_id]).fetchone() is None:
        return None
    recipient, name, title, description, city, first, last, note, hours, budget, asked, service = row
    opening = "A neighbor asks you for help" if asked else f"A neighbor in {city} needs a hand"
    facts = [f"When: {_days(first, last)}" + (f" ({note})" if note else ""), f"How long: about {hours:g} hours"]
    if budget is not None:
        facts.append(f"Budget: {money.shown(budget)}")
    paragraphs = [f"Hello {name},", f"{opening} ({service}):", title, description, "\n".join(facts)]
    return _letter(
        f"need-{need_id}-{angel}",
        recipient,
        f"{opening}: {title}",
        paragraphs,
        ("See it and make an offer", _page(main_origin, need_id)),
        _ANGEL_FOOTER,
    )


def letter_about_offer(conn: Connection, offer_id: UUID, main_origin: str) -> Letter | None:
    """Tell the need's owner of an offer; None when it is no longer there to be taken."""
    row = conn.execute(_OFFER, [offer_id]).fetchone()
    if row is None or not row[0] or (row[6], row[7]) != ("open", "open"):
        return None
    recipient, need_id, title, price, message, angel, _status, _own = row
    return _letter(
        f"offer-{offer_id}",
        recipient,
        f"{angel} offers to help: {title}",
        [f"{angel} would do this for {money.shown(price)}:", message],
        ("Look at the offer", _page(main_origin, need_id)),
        _OWN_FOOTER,
    )


def letters_of_outcome(conn: Connection, need_id: UUID, main_origin: str) -> list[Letter]:
    """What is to be told once a need is decided, withdrawn or expired: to its owner and to everybody who offered."""
    row = conn.execute(_OUTCOME, [need_id]).fetchone()
    if row is None or row[0] not in ("accepted", "withdrawn", "expired"):
        return []
    status, title, taken, _owner, owner_email, owner, owner_status = row
    page = _page(main_origin, need_id)
    letters: list[Letter] = []
    offers = conn.execute(_OFFERERS, [need_id]).fetchall()
    for offer_id, _angel, email, name, price in offers:
        key, link = f"outcome-{status}-{offer_id}", ("See the need", page)
        if status == "accepted" and offer_id == taken:
            words = [
                f"Hello {name},",
                f"{owner} accepted your offer of {money.shown(price)} for “{title}”.",
                f"Reply to this mail to write to {owner} and settle the time.",
            ]
            letters.append(
                _letter(key, email, f"Your offer was accepted: {title}", words, link, _OFFER_FOOTER, owner_email)
            )
            if owner_email and owner_status == "active":
                words = [
                    f"Hello {owner},",
                    f"You accepted the offer of {name} for {money.shown(price)}: “{title}”.",
                    f"Reply to this mail to write to {name} and settle the time. When it is done, say so on the page "
                    "of your need: your rating helps the next neighbor.",
                ]
                letters.append(
                    _letter(
                        f"taken-{offer_id}", owner_email, f"{name} will help: {title}", words, link, _OWN_FOOTER, email
                    )
                )
            continue
        why = {
            "accepted": "was given to somebody else this time",
            "withdrawn": "is no longer needed",
            "expired": "was not decided in time",
        }[status]
        words = [f"Hello {name},", f"“{title}” {why}. Thank you for offering your help."]
        other = ("See what else neighbors need", f"{main_origin}/needs")
        letters.append(_letter(key, email, f"Not this time: {title}", words, other, _OFFER_FOOTER))
    if status == "expired" and owner_email and owner_status == "active":
        count = len(offers)
        had = "Nobody offered to help in time." if not count else f"You had {count} offer{'s' if count > 1 else ''}."
        words = [
            f"Hello {owner},",
            f"The last day for “{title}” is over. {had}",
            "You can post it again with other days.",
        ]
        letters.append(
            _letter(
                f"expired-{need_id}", owner_email, f"No longer open: {title}", words, ("Look at it", page), _OWN_FOOTER
            )
        )
    return letters
