"""Factories of path parameters for the authorization matrix. Each creates a row of a user and returns its name."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb
from psycopg.types.range import Range

from porchlight.auth.cookies import hash_secret
from porchlight.features.bookings.feeds.secret import new_secret, secret_digest
from porchlight.features.bookings.tokens import new_token
from porchlight.features.waivers.link_receipts import receipt_text
from porchlight.money.adjustment_rules import Holder
from porchlight.money.adjustments import AdjustmentRequest, request_adjustment
from porchlight.money.posting import get_or_create_account
from porchlight.personal_links import CustomerLink, SigningLink
from sites.leads.address_confirmation import AddressToken
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures import seeded
from tests.porchlight.exchanges.test_exchange_rows import seed_exchange
from tests.porchlight.factories import (
    SeededGuru,
    append_waiver,
    insert_row,
    seed_booking,
    seed_invoice,
    seed_package,
    seed_package_purchase,
    seed_payment,
    seed_review,
    seed_thread,
    seed_user,
)


@dataclass(frozen=True)
class SeededUser:
    """A user with their guru; a neighbor, who owns none, has another user's guru here. `secret` is the app's."""

    user_id: UUID
    handle: str
    guru: SeededGuru
    secret: bytes = b""


Connection = psycopg.Connection[Any]
PathValueFactory = Callable[[Connection, SeededUser], str]


def _session(conn: Connection, user: SeededUser) -> str:
    row_id = new_id()
    now = clock.now()
    row = {
        "user_id": user.user_id, "id": row_id, "secret_hash": hash_secret(row_id.hex), "authenticated_at": now,
        "token_issued_at": now, "expires_at": now + timedelta(days=1),
    }  # fmt: skip
    insert_row(conn, "sessions", row)
    return str(row_id)


def _photo(conn: Connection, user: SeededUser) -> str:
    row_id = new_id()
    insert_row(conn, "profile_photos", {"user_id": user.user_id, "id": row_id, "body": b"webp"})
    return f"{row_id}.webp"


def _invoice(conn: Connection, user: SeededUser) -> str:
    """Create an invoice of the user's plan."""
    row_id, now = new_id(), clock.now()
    row = {
        "user_id": user.user_id, "id": row_id, "in_id": f"in_{row_id.hex}", "sub_id": "sub_1", "number": "1",
        "state": "paid", "total_cents": 900, "paid_cents": 900, "failed": False, "payment_intent": "pi_1",
        "payment_url": "", "issued_at": now, "checked_at": now,
    }  # fmt: skip
    insert_row(conn, "plan_invoices", row)
    return str(row_id)


def _thread(conn: Connection, user: SeededUser) -> str:
    """Create a thread with a message that the user sent another one, and return its id."""
    return str(seed_thread(conn, user.user_id, seed_user(conn)))


def _offer(conn: Connection, user: SeededUser) -> str:
    """Create a skill offer by adding a skill to the user's profile."""
    skill = {"name": seeded.skill_name(), "level": None}
    conn.execute("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", [Jsonb([skill]), user.user_id])
    row = conn.execute("SELECT id FROM skill_offers WHERE user_id = %s", [user.user_id]).fetchone()
    assert row is not None
    return str(row[0])


def _report(conn: Connection, user: SeededUser) -> str:
    """Create a report about the user's profile."""
    row_id = new_id()
    row = {
        "id": row_id, "subject_kind": "profile", "subject_id": user.user_id, "subject_name": user.handle,
        "subject_title": "Ada", "reason": "spam", "address_hash": b"", "idempotency_key": row_id.hex,
        "digest": b"",
    }  # fmt: skip
    insert_row(conn, "reports", row)
    return str(row_id)


def _want(conn: Connection, user: SeededUser) -> str:
    skill = {"name": seeded.skill_name(), "level": None}
    conn.execute("UPDATE profiles SET skills_wanted = %s WHERE user_id = %s", [Jsonb([skill]), user.user_id])
    row = conn.execute("SELECT id FROM skill_wants WHERE user_id = %s", [user.user_id]).fetchone()
    assert row is not None
    return str(row[0])


def _row_factory(table: str, **columns: Any) -> PathValueFactory:
    """Return a factory of the user's rows in a table. Columns may be functions of the user."""

    def make(conn: Connection, user: SeededUser) -> str:
        row_id = new_id()
        values = {name: value(user) if callable(value) else value for name, value in columns.items()}
        owner = {} if "tenant_id" in values else {"user_id": user.user_id}
        insert_row(conn, table, owner | {"id": row_id} | values)
        return str(row_id)

    return make


def _guru_id(user: SeededUser) -> UUID:
    return user.guru.id


def _unique_text(_user: SeededUser) -> str:
    return new_id().hex


_document = _row_factory(
    "documents", type="license", provider="The city", file_url="https://files.example/paper.pdf", status="pending"
)
_search = _row_factory("saved_searches", words=_unique_text)


def _lead_address(conn: Connection, user: SeededUser) -> str:
    """Create an address of a lead of the user's guru, and return the token of its link."""
    token = AddressToken(user.guru.id, new_id())
    row = {"tenant_id": user.guru.id, "email": f"{token.token.hex}@mail.example", "token": token.token}
    insert_row(conn, "lead_addresses", row)
    return token.text


def _email_link(conn: Connection, user: SeededUser) -> str:
    """Return the token of the link to all of the user's email settings."""
    token = new_id()
    conn.execute(
        "INSERT INTO email_settings (user_id, kind, token) VALUES (%s, 'all', %s)"
        " ON CONFLICT (user_id, kind) DO UPDATE SET token = excluded.token",
        [user.user_id, token],
    )
    return str(token)


def _email_link_of_kind(conn: Connection, user: SeededUser) -> str:
    """Return the token of the link to one of the user's email settings."""
    token = new_id()
    conn.execute(
        "INSERT INTO email_settings (user_id, kind, token) VALUES (%s, 'reminders', %s)"
        " ON CONFLICT (user_id, kind) DO UPDATE SET token = excluded.token",
        [user.user_id, token],
    )
    return str(token)


_notification = _row_factory(
    "notifications", key=_unique_text, kind="agreement", title="Ada booked Soup", url="/sessions", is_mailed=True
)
_push_device = _row_factory(
    "push_subscriptions",
    endpoint_hash=lambda _user: new_id().bytes, endpoint="https://push.example/x", public_key="k", auth_secret="a",
    device="Chrome on Android",
)  # fmt: skip


ANGEL_SERVICE = "handyman-services"  # of the catalog, which every database has


def _need(conn: Connection, user: SeededUser) -> str:
    """Create a need of the user for the next days."""
    today = clock.now().date()
    return _row_factory(
        "needs",
        service_id=ANGEL_SERVICE, title="Walk my dog", description="Twice a day", wanted_from=today,
        wanted_until=today + timedelta(days=3), hours=2, city="Denver", region="Colorado", latitude=39.7,
        longitude=-105.0, idempotency_key=new_id().hex, expires_at=clock.now() + timedelta(days=9),
    )(conn, user)  # fmt: skip


_image = _row_factory("site_images", tenant_id=_guru_id, width=1, height=1, size=4, data=b"webp")
_note = _row_factory("lead_notes", tenant_id=_guru_id, lead_id=lambda user: user.guru.leads[0], body="A note")


def _need_offer(conn: Connection, user: SeededUser) -> str:
    """Create an offer of the user on a need."""
    return _row_factory("need_offers", need_id=UUID(_need(conn, user)), price_cents=4000, message="I can")(conn, user)


def _need_photo(conn: Connection, user: SeededUser) -> str:
    row_id = _row_factory("need_photos", need_id=UUID(_need(conn, user)), position=0, body=b"webp")(conn, user)
    return f"{row_id}.webp"


def _listing_photo(conn: Connection, user: SeededUser) -> str:
    offer = UUID(_offer(conn, user))
    images = {"width": 1, "height": 1, "body": b"webp", "thumbnail": b"webp"}
    return f"{_row_factory('listing_photos', offer_id=offer, position=0, **images)(conn, user)}.webp"


def _risk_review(conn: Connection, _user: SeededUser) -> str:
    """Create a risk review, which belongs to no user and which only admins see."""
    row_id = new_id()
    conn.execute("SELECT app.request_risk_review(%s, '', %s, %s, 10000, 9)", [row_id, row_id.hex, row_id.bytes])
    return str(row_id)


_days_ahead = itertools.count(400)  # each booking has a time of its own


def _booking(conn: Connection, user: SeededUser) -> str:
    """Create a confirmed booking of the user."""
    return str(seed_booking(conn, user.guru, user.user_id, days_ahead=next(_days_ahead)))


def _reviewed_booking(conn: Connection, user: SeededUser) -> str:
    """Create a booking of the user in the past with the guru's review of them, which is out."""
    booking = seed_booking(conn, user.guru, user.user_id, days_ahead=-next(_days_ahead), status="completed")
    out = {"reveals_at": clock.now(), "published_at": clock.now()}
    seed_review(conn, user.guru, booking, side="guru", person_id=user.user_id, **out)
    return str(booking)


def _review(conn: Connection, user: SeededUser) -> str:
    """Create a review of the user's guru, which is out."""
    booking = seed_booking(conn, user.guru, user.user_id, days_ahead=-next(_days_ahead), status="completed")
    out = {"reveals_at": clock.now(), "published_at": clock.now()}
    return str(seed_review(conn, user.guru, booking, side="person", person_id=user.user_id, **out))


def _signing_booking(conn: Connection, user: SeededUser) -> str:
    """Create a booking of the user, whose only participant signs with a link, and return its id."""
    booking = seed_booking(conn, user.guru, user.user_id, days_ahead=next(_days_ahead), waiver_level="low")
    conn.execute("UPDATE participants SET signer = 'link' WHERE booking_id = %s", [booking])
    return str(booking)


def _signing_link(conn: Connection, user: SeededUser) -> str:
    """Create a booking of the user with someone who signs with a link, and return the link."""
    query = "SELECT token FROM participants WHERE booking_id = %s"
    ((token,),) = conn.execute(query, [_signing_booking(conn, user)]).fetchall()
    return SigningLink(user.guru.id, token).text


def _series(conn: Connection, user: SeededUser) -> str:
    """Create a series of the user with one booking, and return its id."""
    booking = _booking(conn, user)
    conn.execute("UPDATE bookings SET series_id = id WHERE id = %s", [booking])
    return booking


def _customer_booking(conn: Connection, user: SeededUser) -> str:
    """Create a booking of the user's guru for a customer whose only participant signs with a link."""
    booking = _signing_booking(conn, user)
    conn.execute("UPDATE bookings SET customer_token = %s WHERE id = %s", [new_id(), booking])
    return booking


def _customer_link(conn: Connection, user: SeededUser) -> str:
    """Create a booking of the user's guru for a customer, and return the customer's link."""
    query = "SELECT customer_token FROM bookings WHERE id = %s"
    ((token,),) = conn.execute(query, [_customer_booking(conn, user)]).fetchall()
    return CustomerLink(user.guru.id, token).text


def _client(conn: Connection, user: SeededUser) -> str:
    """Create a customer of the user's guru about whom nothing is noted, and return the client's id."""
    booking = _customer_booking(conn, user)
    conn.execute("DELETE FROM client_notes WHERE booking_id = %s", [booking])
    ((person,),) = conn.execute(
        "UPDATE bookings SET person_id = gen_random_uuid() WHERE id = %s RETURNING person_id", [booking]
    ).fetchall()
    return str(person)


def _package(conn: Connection, user: SeededUser) -> str:
    """Create a package of the user's guru, and return its id."""
    query = "SELECT package_id FROM package_grants WHERE id = %s"
    ((package,),) = conn.execute(query, [UUID(_package_grant(conn, user))]).fetchall()
    return str(package)


def _package_grant(conn: Connection, user: SeededUser) -> str:
    """Create a package of the user's guru that the user has, and return its id."""
    return str(seed_package(conn, user.guru, user.user_id))


def _package_purchase(conn: Connection, user: SeededUser) -> str:
    """Create a package of the user's guru that the user bought, and return the payment's id."""
    return str(seed_package_purchase(conn, user.guru, user.user_id))


def _order(conn: Connection, user: SeededUser) -> str:
    """Create a session that the user paid by card, and return the payment's id."""
    booking = seed_booking(conn, user.guru, user.user_id, days_ahead=next(_days_ahead))
    return str(seed_payment(conn, user.guru, user.user_id, booking))


def _paid_booking(conn: Connection, user: SeededUser) -> str:
    """Create a session that the user paid by card, and return its id."""
    booking = seed_booking(conn, user.guru, user.user_id, days_ahead=next(_days_ahead))
    conn.execute('UPDATE bookings SET terms = terms || \'{"payment": "full"}\' WHERE id = %s', [booking])
    seed_payment(conn, user.guru, user.user_id, booking)
    return str(booking)


def _order_invoice(conn: Connection, user: SeededUser) -> str:
    """Create an invoice, in the name of the user's guru, of a session that the user paid. Return its id."""
    payment = UUID(_order(conn, user))
    details = {"name": "Acme Inc.", "address": "1 Main St", "tax_id": ""}
    known = conn.execute("SELECT FROM company_details WHERE user_id = %s", [user.user_id]).fetchone()
    if known is None:
        insert_row(conn, "company_details", {"user_id": user.user_id} | details)
    return str(seed_invoice(conn, user.guru, user.user_id, payment))


def _refund(conn: Connection, user: SeededUser) -> str:
    """Create a refund of a payment of the user, and return its id."""
    ((refund,),) = conn.execute("SELECT id FROM refunds WHERE payment_id = %s", [UUID(_order(conn, user))]).fetchall()
    return str(refund)


def _dispute(conn: Connection, user: SeededUser) -> str:
    """Create a dispute of a payment to the user's guru, and return its id."""
    query = "SELECT id FROM session_disputes WHERE group_id = %s"
    ((dispute,),) = conn.execute(query, [UUID(_order(conn, user))]).fetchall()
    return str(dispute)


def _waited_session(conn: Connection, user: SeededUser) -> str:
    """Create a session for which the user waits, and return its id."""
    booking = seed_booking(conn, user.guru, user.user_id, days_ahead=next(_days_ahead), party=2)
    row = conn.execute(
        "UPDATE waitlist w SET person_id = %s, status = 'waiting' FROM bookings b"
        " WHERE b.id = %s AND b.tenant_id = w.tenant_id"
        " AND w.appointment_id = b.appointment_id RETURNING w.appointment_id",
        [user.user_id, booking],
    ).fetchone()
    assert row is not None
    return str(row[0])


def _exchange(conn: Connection, user: SeededUser, **columns: Any) -> str:
    """Create an exchange that waits for the user's answer."""
    return str(seed_exchange(conn, user.user_id, seed_user(conn), **columns))


def _agreed_exchange(conn: Connection, user: SeededUser) -> str:
    """Create an exchange of the user with a time of its own."""
    start = clock.now() + timedelta(days=next(_days_ahead))
    times = {"starts_at": start, "ends_at": start + timedelta(hours=1)}
    return _exchange(conn, user, status="confirmed", turn="", expires_at=None, **times)


def _ended_exchange(conn: Connection, user: SeededUser, **columns: Any) -> str:
    """Create a swap that took place, with the user as the teacher."""
    start = clock.now() - timedelta(days=next(_days_ahead) % 6, hours=2)
    times = {"starts_at": start, "ends_at": start + timedelta(hours=1), "settle_by": start + timedelta(days=7)}
    return _exchange(
        conn, user, **({"status": "completed", "turn": "", "expires_at": None, "mode": "swap"} | times | columns)
    )


def _recorded_exchange(conn: Connection, user: SeededUser) -> str:
    """Create a session whose learner named other minutes than the user."""
    recorded = {"record_state": "recorded", "recorded_minutes": 45, "recorded_by": "learner", "record_round": 2}
    return _ended_exchange(conn, user, **recorded)


def _settled_exchange(conn: Connection, user: SeededUser) -> str:
    """Create a session whose time is settled."""
    settled: dict[str, Any] = {
        "record_state": "settled", "recorded_minutes": 45, "recorded_by": "teacher", "record_round": 1,
        "settle_by": None, "settled_at": clock.now(),
    }  # fmt: skip
    return _ended_exchange(conn, user, **settled)


def _visible_offer(conn: Connection, user: SeededUser) -> str:
    """Create a visible skill offer of the user."""
    offer = _offer(conn, user)
    conn.execute("UPDATE skill_offers SET visible = true WHERE id = %s", [offer])
    return offer


def _hold(conn: Connection, user: SeededUser) -> str:
    """Create a hold of the user, and return its token."""
    token = new_token(user.guru.id)
    columns = {"hold_hash": token.digest, "status": "held", "expires_at": clock.now() + timedelta(minutes=10)}
    seed_booking(conn, user.guru, user.user_id, days_ahead=next(_days_ahead), **columns)
    return token.text


def _waiver(conn: Connection, user: SeededUser) -> str:
    with conn.transaction():
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user.user_id)])
        return str(append_waiver(conn, "platform"))


def _receipt(conn: Connection, user: SeededUser) -> str:
    """Create a waiver that the user has just signed, and return the last part of its receipt's path."""
    with conn.transaction():
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(user.user_id)])
        waiver_id = append_waiver(conn, "platform", accepted_at=clock.now())
    return receipt_text(user.secret, user.user_id, waiver_id)


def _appointment(conn: Connection, user: SeededUser, **columns: Any) -> str:
    """Create an appointment of the user's guru in 40 days or later, with no overlap."""
    row = conn.execute("SELECT count(*) FROM appointments WHERE tenant_id = %s", [user.guru.id]).fetchone()
    assert row is not None
    start = clock.now() + timedelta(days=40 + row[0])
    end = start + timedelta(hours=1)
    times = {"starts_at": start, "ends_at": end, "zone": "America/Denver", "blocked": Range(start, end)}
    return _row_factory("appointments", tenant_id=_guru_id, **times, **columns)(conn, user)


def _block(conn: Connection, user: SeededUser) -> str:
    return _appointment(conn, user, kind="block")


def _fixed_start(conn: Connection, user: SeededUser) -> str:
    return _appointment(conn, user, service_id=user.guru.services[0], fixed=True, capacity=8)


def _day(conn: Connection, user: SeededUser) -> str:
    """Create hours of a date of the user's guru: closed."""
    day = clock.now().date() + timedelta(days=40)
    row = {"tenant_id": user.guru.id, "day": day, "during": Range(empty=True)}
    conn.execute("DELETE FROM date_hours WHERE tenant_id = %s AND day = %s", [user.guru.id, day])
    insert_row(conn, "date_hours", row)
    return day.isoformat()


def _domain(conn: Connection, user: SeededUser) -> str:
    domain = f"{new_id().hex}.example"
    insert_row(conn, "domains", {"tenant_id": user.guru.id, "domain": domain})
    return domain


def _busy_source(conn: Connection, user: SeededUser) -> str:
    """Create a connected calendar of the user's guru. It replaces the others, of which there may be five."""
    row_id = new_id()
    conn.execute("DELETE FROM busy_sources WHERE tenant_id = %s", [user.guru.id])
    row = {
        "tenant_id": user.guru.id, "id": row_id, "kind": "ics", "name": "Work", "host": "cal.example",
        "secret": b"sealed", "idempotency_key": str(row_id),
    }  # fmt: skip
    insert_row(conn, "busy_sources", row)
    return str(row_id)


def _feed_secret(conn: Connection, user: SeededUser) -> str:
    """Create a calendar feed of the user, whose plan includes it, and return its secret."""
    secret = new_secret()
    plan = "INSERT INTO plan_grants (user_id, plan, until, reason) VALUES (%s, 'premium-angel', %s, 'test')"
    conn.execute(plan, [user.user_id, clock.now() + timedelta(days=1)])
    _insert_feed(conn, user, secret)
    return secret


def _feed(conn: Connection, user: SeededUser) -> str:
    return _insert_feed(conn, user, new_secret())


def _insert_feed(conn: Connection, user: SeededUser, secret: str) -> str:
    row_id = new_id()
    row = {
        "user_id": user.user_id, "id": row_id, "kind": "personal", "name": "Phone",
        "secret_hash": secret_digest(secret), "idempotency_key": str(row_id),
    }  # fmt: skip
    insert_row(conn, "calendar_feeds", row)
    return str(row_id)


# By the kind of object that a path parameter names.
def _finding(conn: Connection, _user: SeededUser) -> str:
    row_id = new_id()
    insert_row(conn, "findings", {"id": row_id, "kind": "missing_here", "stripe_id": f"txn_{row_id.hex}", "cents": 1})
    return str(row_id)


def _stripe_event(conn: Connection, _user: SeededUser) -> str:
    """Create an event whose processing failed."""
    event_id = f"evt_{new_id().hex}"
    row = {"id": event_id, "endpoint": "platform", "kind": "payout.paid", "created": clock.now()}
    insert_row(conn, "stripe_inbox", row | {"state": "failed", "livemode": False, "body": b"{}"})
    return event_id


def _adjustment(conn: Connection, _user: SeededUser) -> str:
    """Create an adjustment that waits for its approval."""
    holder = Holder(seeded.person_name(), is_shared=False)
    losses, suspense = (get_or_create_account(conn, kind) for kind in ("losses", "suspense"))
    request = AdjustmentRequest("suspense_cleared", losses, suspense, 10_001, "Bank error")
    return str(request_adjustment(conn, request, holder=holder)[0])


PATH_VALUES: dict[str, PathValueFactory] = {
    "subdomain": lambda _conn, user: user.guru.label,
    "slug": lambda _conn, user: user.guru.slugs[0],
    "handle": lambda _conn, user: user.handle,
    "thread": _thread,
    "invoice": _invoice,
    "user": lambda _conn, user: str(user.user_id),
    "task": lambda _conn, _user: "leads:notify_guru",
    "domain": _domain,
    "busy source": _busy_source,
    "feed": _feed,
    "feed secret": _feed_secret,
    "lead address": _lead_address,
    "email link": _email_link,
    "email link of a kind": _email_link_of_kind,
    "lead": lambda _conn, user: str(user.guru.leads[0]),
    "post": lambda _conn, user: str(user.guru.posts[0]),
    "service": lambda _conn, user: str(user.guru.services[0]),
    "session": _session,
    "booking": _booking,
    "exchange": _exchange,
    "agreed exchange": _agreed_exchange,
    "exchange to record": _ended_exchange,
    "recorded exchange": _recorded_exchange,
    "settled exchange": _settled_exchange,
    "visible offer": _visible_offer,
    "hold": _hold,
    "signing booking": _signing_booking,
    "reviewed booking": _reviewed_booking,
    "review": _review,
    "signing link": _signing_link,
    "number": lambda _conn, _user: "1",
    "receipt": _receipt,
    "sign-in code": lambda _conn, _user: str(new_id()),  # an unknown one
    "unknown link": lambda _conn, _user: "unknown",  # with terms of another session, a known one says 409
    "customer booking": _customer_booking,
    "customer link": _customer_link,
    "package": _package,
    "client": _client,
    "package grant": _package_grant,
    "package purchase": _package_purchase,
    "order": _order,
    "paid booking": _paid_booking,
    "order invoice": _order_invoice,
    "refund": _refund,
    "dispute": _dispute,
    "series": _series,
    "waited session": _waited_session,
    "photo": _photo,
    "report": _report,
    "offer": _offer,
    "want": _want,
    "document": _document,
    "search": _search,
    "notification": _notification,
    "push device": _push_device,
    "need": _need,
    "need offer": _need_offer,
    "need photo": _need_photo,
    "listing photo": _listing_photo,
    "risk review": _risk_review,
    "finding": _finding,
    "stripe event": _stripe_event,
    "adjustment": _adjustment,
    "risk level": lambda _conn, _user: "high",
    "waiver": _waiver,
    "image": _image,
    "block": _block,
    "fixed start": _fixed_start,
    "day": _day,
    "note": _note,
    "ring": lambda _conn, _user: str(new_id()),
    "angel service": lambda _conn, _user: ANGEL_SERVICE,
    "token": lambda _conn, _user: new_id().hex,
}
