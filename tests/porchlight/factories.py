"""Gurus with rows in every tenant table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb
from psycopg.types.range import Range

from sites.posts.markdown import excerpt, render, word_count
from tenants.kit import clock
from tenants.kit.ids import new_id
from tenants.kit.zones import local_time
from tenants.tenancy.lifecycle import NewGuru, create_guru, tenant_tables
from tests.fixtures import seeded
from tests.porchlight.app_client import BASE_HOST

FLEXIBLE_TERMS = {
    "policy": "flexible", "free_until_minutes": 1440, "late_percent": 0, "missed_percent": 50, "moves_max": 2,
    "move_until_minutes": 1440,
}  # fmt: skip


@dataclass
class SeededGuru:
    """A guru with rows in every tenant table. `mark` occurs in each of its texts, so that leaks are found."""

    id: UUID
    label: str
    mark: str
    posts: list[UUID] = field(default_factory=list)
    slugs: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    services: list[UUID] = field(default_factory=list)
    leads: list[UUID] = field(default_factory=list)
    domain: str = ""
    former: str = ""
    owner: UUID | None = None
    person: UUID | None = None
    booking: UUID | None = None

    @property
    def host(self) -> str:
        """Return the guru's host."""
        return f"{self.label}.{BASE_HOST}"


def seed_guru(
    conn: psycopg.Connection[Any], label: str, *, posts: int = 5, email: str = "", is_invoiced: bool = True
) -> SeededGuru:
    """Create a guru with rows in every tenant table; of `invoices`, which can't be deleted, only if `is_invoiced`."""
    with conn.pipeline():  # half of the CPU time of one statement after the other
        return _seed_guru(conn, label, posts, email, is_invoiced=is_invoiced)


def _seed_guru(conn: psycopg.Connection[Any], label: str, posts: int, email: str, *, is_invoiced: bool) -> SeededGuru:
    # Search, risk and languages read the mark: a random label would make it another word in each run.
    mark = f"mark{label if label.isalpha() else seeded.word()}"
    guru = SeededGuru(
        create_guru(conn, NewGuru(label, f"Guru {mark}", f"category {mark}", email or f"{mark}@mail.example")),
        label,
        mark,
    )
    conn.execute(
        "UPDATE gurus SET primary_skills = %s, tagline = %s, city = %s, about_markdown = %s, about_html = %s,"
        " seo_title = %s, seo_description = %s WHERE id = %s",
        [
            [f"skill {mark}"], f"tagline {mark}", f"city {mark}", f"about {mark}", f"<p>about {mark}</p>",
            f"title {mark}", f"description {mark}", guru.id,
        ],
    )  # fmt: skip
    guru.tags = [f"tag-{label}", f"other-{label}"]
    for number in range(posts):
        seed_post(conn, guru, f"post-{label}-{number}", days_ago=number + 1)
    for number in range(3):
        seed_service(conn, guru, f"service {number} {mark}")
    for number in range(2):
        seed_lead(conn, guru, f"lead-{number}")
    insert_row(
        conn, "lead_addresses", {"tenant_id": guru.id, "email": f"confirmed@{mark}.example", "state": "confirmed"}
    )
    day = clock.now().date()
    conn.execute("INSERT INTO daily_visits (tenant_id, day, visitors) VALUES (%s, %s, 7)", [guru.id, day])
    insert_row(conn, "guru_facts", {"tenant_id": guru.id, "sessions": 3})
    conn.execute(
        "INSERT INTO view_fingerprints (tenant_id, day, subject_id, visitor) VALUES (%s, %s, %s, %s)",
        [guru.id, day, guru.posts[0] if guru.posts else new_id(), b"visitor"],
    )
    guru.domain, guru.former = f"www.{label}-guru.example", f"former-{label}"
    conn.execute("INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'communityEvents', true)", [guru.id])
    insert_row(
        conn,
        "guru_categories",
        {
            "tenant_id": guru.id,
            "slug": f"category-{label}",
            "name": f"Category {mark}",
            "needs_documents": True,
            "listed": True,
        },
    )
    conn.execute(
        "INSERT INTO domains (tenant_id, domain, verified_at) VALUES (%s, %s, app.now())", [guru.id, guru.domain]
    )
    insert_row(conn, "domain_checks", {"tenant_id": guru.id, "id": new_id()})
    conn.execute("INSERT INTO retired_labels (tenant_id, label) VALUES (%s, %s)", [guru.id, guru.former])
    guru.owner = seed_owner(conn, guru)
    _seed_console_rows(conn, guru)
    seed_calendar(conn, guru)
    guru.person = seed_user(conn)
    booking = seed_booking(conn, guru, guru.person)
    for side in ("person", "guru"):
        seed_review(conn, guru, side=side, reveals_at=clock.now(), published_at=clock.now())
    totals = {"tenant_id": guru.id, "histogram": [0, 0, 0, 0, 1], "score": 4.1}
    insert_row(conn, "review_totals", totals | {"services": Jsonb({str(guru.services[0]): [0, 0, 0, 0, 1]})})
    seed_package(conn, guru, guru.person)
    payment = seed_payment(conn, guru, guru.person, booking)
    if is_invoiced:
        seed_invoice(conn, guru, guru.person, payment)
    insert_row(conn, "booking_agendas", {"tenant_id": guru.id, "day": date(2030, 12, 25)})
    _seed_busy_source(conn, guru)
    for version, body in enumerate((f"waiver text {mark}", ""), 1):  # the guru removed it
        insert_row(conn, "guru_waiver_texts", {"tenant_id": guru.id, "version": version, "body": body})
    return guru


def _seed_busy_source(conn: psycopg.Connection[Any], guru: SeededGuru) -> None:
    """Create a connected calendar with a busy time that is over, and which is read in years only."""
    source = {"tenant_id": guru.id, "id": new_id(), "kind": "ics", "name": "Work", "host": "cal.example"}
    never = datetime(2090, 1, 1, tzinfo=UTC)
    insert_row(conn, "busy_sources", source | {"secret": b"sealed", "idempotency_key": "w", "read_due_at": never})
    during = Range(datetime(2001, 1, 1, 9, tzinfo=UTC), datetime(2001, 1, 1, 10, tzinfo=UTC))
    insert_row(conn, "busy_times", {"tenant_id": guru.id, "source_id": source["id"], "during": during})


def seed_calendar(conn: psycopg.Connection[Any], guru: SeededGuru, **settings: Any) -> None:
    """Create the guru's calendar, open from 9 AM to 5 PM each weekday, in which every service can be booked.

    `settings` are columns of the services' booking settings.
    """
    insert_row(conn, "calendars", {"tenant_id": guru.id, "zone": "America/Denver"})
    for weekday in range(5):
        row = {"tenant_id": guru.id, "weekday": weekday, "during": Range(9 * 60, 17 * 60)}
        insert_row(conn, "weekly_hours", row)
    insert_row(conn, "date_hours", {"tenant_id": guru.id, "day": date(2030, 12, 25), "during": Range(empty=True)})
    for service in guru.services:
        row = {"tenant_id": guru.id, "service_id": service, "open": True} | settings
        insert_row(conn, "booking_settings", row)


def seed_package(conn: psycopg.Connection[Any], guru: SeededGuru, person: UUID) -> UUID:
    """Create a package of the guru's first service, which the person has. Return the id of what they have."""
    row_id, service = new_id(), guru.services[0]
    package = {
        "tenant_id": guru.id, "id": new_id(), "service_id": service, "name": "Five lessons", "sessions": 5, "days": 90,
        "idempotency_key": str(row_id), "digest": b"digest",
    }  # fmt: skip
    insert_row(conn, "packages", package)
    given = {
        "tenant_id": guru.id, "id": row_id, "package_id": package["id"], "person_id": person,
        "person_name": f"Ada {guru.mark}", "guru_label": guru.label, "guru_name": f"Guru {guru.mark}",
        "service_id": service, "service_name": "Lesson", "name": "Five lessons", "granted": 5, "left_over": 5,
        "expires_at": clock.now() + timedelta(days=90), "zone": "America/Denver", "idempotency_key": str(row_id),
        "digest": b"digest",
    }  # fmt: skip
    insert_row(conn, "package_grants", given)
    event = {"grant_id": row_id, "number": 1, "person_id": person, "event": "granted"}
    insert_row(conn, "package_events", {"tenant_id": guru.id} | event)
    return row_id


def seed_package_purchase(conn: psycopg.Connection[Any], guru: SeededGuru, person: UUID) -> UUID:
    """Create a package that a person bought, all of which is the guru's by now. Return the payment's id."""
    grant, payment = seed_package(conn, guru, person), new_id()
    terms = {
        "package_id": str(new_id()), "service_id": str(guru.services[0]), "service_name": "Lesson",
        "guru_label": guru.label, "guru_name": f"Guru {guru.mark}", "person_name": f"Ada {guru.mark}",
        "name": "Five lessons", "sessions": 5, "days": 90, "fee_cents": 2000,
    }  # fmt: skip
    paid = {
        "tenant_id": guru.id, "id": payment, "person_id": person, "owner_id": guru.owner, "group_id": payment,
        "purpose": "package", "number": 1, "amount_cents": 20000, "currency": "USD", "fee_cents": 0, "fee_bps": 1000,
        "fee_minimum_cents": 50, "state": "paid", "paid_at": clock.now(), "expires_at": clock.now(),
        "intent_id": f"pi_{payment.hex}", "charge_id": f"ch_{payment.hex}", "package": Jsonb(terms),
        "used_cents": 20000, "delivered_at": clock.now(), "idempotency_key": str(payment),
    }  # fmt: skip
    insert_row(conn, "payments", paid)
    conn.execute(
        "UPDATE package_grants SET payment_id = %s, settled = 5, left_over = 0 WHERE id = %s", [payment, grant]
    )
    return payment


def seed_payment(conn: psycopg.Connection[Any], guru: SeededGuru, person: UUID, booking: UUID, **columns: Any) -> UUID:
    """Create the payment of a booking, half of which was refunded, with a dispute. Return the payment's id."""
    row_id = new_id()
    paid = {
        "tenant_id": guru.id, "id": row_id, "booking_id": booking, "person_id": person, "owner_id": guru.owner,
        "group_id": row_id, "number": 1, "amount_cents": 7500, "currency": "USD", "fee_cents": 750, "fee_bps": 1000,
        "fee_minimum_cents": 50, "state": "paid", "paid_at": clock.now(), "expires_at": clock.now(),
        "refunded_cents": 3750, "fee_returned_cents": 375, "intent_id": f"pi_{row_id.hex}",
        "charge_id": f"ch_{row_id.hex}",
    } | columns  # fmt: skip
    insert_row(conn, "payments", paid)
    refund = {
        "tenant_id": guru.id, "id": new_id(), "payment_id": row_id, "person_id": person, "amount_cents": 3750,
        "fee_cents": 375, "reason": "canceled", "actor": "person", "after_delivery": False, "state": "done",
    }  # fmt: skip
    insert_row(conn, "refunds", refund)
    lost = {
        "tenant_id": guru.id, "id": new_id(), "group_id": row_id, "dp_id": f"du_{row_id.hex}", "amount_cents": 1000,
        "reason": "fraudulent", "state": "lost", "due_by": clock.now(), "opened_at": clock.now(),
        "answer_state": "sent", "checked_at": clock.now(),
    }  # fmt: skip
    insert_row(conn, "session_disputes", lost)
    return row_id


def seed_invoice(conn: psycopg.Connection[Any], guru: SeededGuru, person: UUID, payment: UUID, **columns: Any) -> UUID:
    """Create an invoice of a payment, as if it was issued in 2019. Return its id."""
    row_id, day = new_id(), date(2019, 12, 31)
    taken = conn.execute("SELECT count(*) FROM invoices WHERE tenant_id = %s AND year = 2019", [guru.id]).fetchone()
    row = {
        "tenant_id": guru.id, "id": row_id, "payment_id": payment, "person_id": person, "year": 2019,
        "number": 1 + (taken[0] if taken else 0), "kind": "invoice", "issued_on": day, "paid_on": day,
        "session_on": day, "seller_name": f"Guru {guru.mark}", "seller_address": "9 Elm St", "seller_tax_id": "",
        "buyer_name": "Acme Inc.",
        "buyer_address": "1 Main St", "buyer_tax_id": "", "service_name": "Lesson", "amount_cents": 7500,
        "currency": "USD",
    } | columns  # fmt: skip
    insert_row(conn, "invoices", row)
    return row_id


def seed_booking(
    conn: psycopg.Connection[Any], guru: SeededGuru, person: UUID, *, days_ahead: int = 7, **columns: Any
) -> UUID:
    """Create a confirmed booking of the guru's first service, with its appointment, history and a left waitlist entry.

    It lasts an hour from `starts_at` on, by default `days_ahead` days after this hour.
    """
    this_hour = clock.now().replace(minute=0, second=0, microsecond=0)
    starts_at = columns.get("starts_at", this_hour + timedelta(days=days_ahead))
    ends_at = starts_at + timedelta(hours=1)
    zone = columns.get("zone", "America/Denver")
    times = {"starts_at": starts_at, "ends_at": ends_at, "zone": zone}
    appointment = {
        "tenant_id": guru.id, "id": new_id(), "service_id": guru.services[0], "blocked": Range(starts_at, ends_at),
        "capacity": columns.get("party", 1), "local_start": local_time(starts_at, zone),
    } | times  # fmt: skip
    insert_row(conn, "appointments", appointment)
    row_id: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": row_id, "appointment_id": appointment["id"], "service_id": guru.services[0],
        "person_id": person, "hold_hash": row_id.bytes, "status": "confirmed", "person_name": f"Ada {guru.mark}",
        "note": f"Note {guru.mark}", "guru_label": guru.label, "guru_name": f"Guru {guru.mark}",
        "service_name": "Lesson", "price_cents": 7500, "currency": "USD", "approval": "instant", "place": "agreed",
        "terms": Jsonb(FLEXIBLE_TERMS), "terms_digest": b"digest", "idempotency_key": str(row_id),
    } | times | columns  # fmt: skip
    insert_row(conn, "bookings", row)
    waiting = {
        "tenant_id": guru.id, "appointment_id": appointment["id"], "number": 1, "person_id": seed_user(conn),
        "guru_label": guru.label, "guru_name": f"Guru {guru.mark}", "service_id": guru.services[0],
        "service_name": "Lesson", "status": "left",
    } | times  # fmt: skip
    insert_row(conn, "waitlist", waiting)
    if person_id := row["person_id"]:
        view = {"id": new_id(), "booking_id": row_id, "person_id": person_id, "viewed_by": new_id()}
        insert_row(conn, "contact_views", {"tenant_id": guru.id} | view)
        who = {"number": 1, "name": f"Ada {guru.mark}", "signer": "self", "signer_id": person_id, "token": uuid4()}
        insert_row(conn, "participants", {"tenant_id": guru.id, "booking_id": row_id, "person_id": person_id} | who)
        insert_row(conn, "client_notes", {"tenant_id": guru.id, "booking_id": row_id, "body": f"About {guru.mark}"})
    sent = {"kind": "booked", "side": "person", "sequence": 0, "status": "sent", "due_at": clock.now()}
    insert_row(conn, "booking_emails", {"tenant_id": guru.id, "booking_id": row_id, "person_id": person} | sent)
    guru.booking = row_id
    return row_id


def seed_review(
    conn: psycopg.Connection[Any], guru: SeededGuru, booking: UUID | None = None, *, side: str, **columns: Any
) -> UUID:
    """Create a side's review of a booking, of the guru's last one by default. It is hidden for two weeks."""
    row_id: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": row_id, "booking_id": booking or guru.booking, "person_id": guru.person,
        "side": side, "service_id": guru.services[0], "service_name": "Lesson", "stars": 5,
        "body": f"Review {guru.mark}", "reveals_at": clock.now() + timedelta(days=14),
    } | columns  # fmt: skip
    insert_row(conn, "reviews", row)
    return row_id


def _seed_console_rows(conn: psycopg.Connection[Any], guru: SeededGuru) -> None:
    """Create the rows that a guru creates in the console."""
    if guru.posts:
        insert_row(conn, "post_edits", {"tenant_id": guru.id, "post_id": guru.posts[0]})
    picture = {"id": new_id(), "width": 1, "height": 1, "size": 1, "data": b"x"}
    insert_row(conn, "site_images", {"tenant_id": guru.id} | picture)
    shown = {"id": new_id(), "place": "gallery", "position": 0, "image_id": picture["id"], "alt": f"Seen {guru.mark}"}
    insert_row(conn, "gallery_pictures", {"tenant_id": guru.id} | shown)
    secret = sha256(guru.mark.encode()).digest()
    preview = {"secret_hash": secret, "page": "/", "changes": "{}", "framed_by": f"http://{BASE_HOST}"}
    insert_row(conn, "site_previews", {"tenant_id": guru.id} | preview)
    details = {"name": f"Legal {guru.mark}", "address": f"9 {guru.mark} St", "tax_id": guru.mark[:40]}
    insert_row(conn, "invoice_details", {"tenant_id": guru.id} | details)
    about = {"tenant_id": guru.id, "lead_id": guru.leads[0], "body": f"About {guru.mark}"}
    insert_row(conn, "lead_notes", about | {"id": new_id()})
    insert_row(conn, "lead_replies", about | {"id": new_id(), "idempotency_key": "first"})


def seed_owner(conn: psycopg.Connection[Any], guru: SeededGuru) -> UUID:
    """Create the owner's account, whose Firebase uid is `uid-<hex of its id>`.

    It does not contain the mark, because the user remains when the guru is deleted.
    """
    row_id = seed_user(conn)
    insert_row(conn, "profiles", {"user_id": row_id, "handle": f"owner-{row_id.hex[-12:]}"})
    insert_row(conn, "memberships", {"tenant_id": guru.id, "user_id": row_id})
    return row_id


def seed_user(conn: psycopg.Connection[Any]) -> UUID:
    """Create an account with a verified address, without a profile. Its Firebase uid is `uid-<hex of its id>`."""
    row_id = new_id()
    address = {"email": f"{row_id.hex}@mail.example", "email_verified": True}
    insert_row(conn, "users", {"user_id": row_id, "firebase_uid": f"uid-{row_id.hex}"} | address)
    return row_id


def verify_contact_address(conn: psycopg.Connection[Any], guru: SeededGuru) -> None:
    """Make the guru's contact address the verified address of the owner's account."""
    conn.execute(
        "UPDATE users SET email = g.contact_email, email_verified = true FROM gurus g"
        " WHERE users.user_id = %s AND g.id = %s",
        [guru.owner, guru.id],
    )


def append_waiver(
    conn: psycopg.Connection[Any], chain: str, *, accepted_at: datetime | None = None, **changes: Any
) -> UUID:
    """Append a waiver of the transaction's user to a chain. `changes` are columns of the link."""
    head = conn.execute("SELECT number, hash FROM app.lock_waiver_head(%s)", [chain]).fetchone()
    assert head is not None
    row_id, record, pdf = new_id(), json.dumps({"exchange": {"title": "Python"}}), b"pdf"
    at = clock.to_iso8601(accepted_at) if accepted_at else "2026-11-23T15:30:00Z"
    waiver = {
        "id": str(row_id), "exchange_id": "sample", "level": "low", "text_version": 1, "record": record,
        "sha256": sha256(record.encode()).hexdigest(), "erasable": {"userAgent": {"salt": "s", "value": "v"}},
        "signed": False, "accepted_at": at, "expires_at": "2126-11-23T15:30:00Z",
        "pdf": f"\\x{pdf.hex()}", "digest": "\\x00",
    }  # fmt: skip
    link = {
        "chain_id": chain, "number": head[0] + 1, "previous": head[1], "record_sha256": waiver["sha256"],
        "pdf_sha256": sha256(pdf).hexdigest(), "at": waiver["accepted_at"], "key_id": "development",
        "signature": "\\x00",
    }  # fmt: skip
    conn.execute("SELECT app.append_waiver(%s, %s, %s)", [Jsonb(waiver), Jsonb(link | changes), "f" * 64])
    return row_id


def seed_post(
    conn: psycopg.Connection[Any], guru: SeededGuru, slug: str, *, days_ago: float = 1.0, **columns: Any
) -> UUID:
    """Create a published post with views; `columns` replace its values."""
    body = f"# Heading\n\nWords of {guru.mark} for **everybody**.\n"
    published_at = clock.now() - timedelta(days=days_ago)
    row_id: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": row_id, "slug": slug, "title": f"Title {guru.mark}", "tags": guru.tags,
        "excerpt": excerpt(body), "content_markdown": body, "content_html": render(body), "words": word_count(body),
        "status": "published", "published_at": published_at, "created_at": published_at, "updated_at": published_at,
    } | columns  # fmt: skip
    insert_row(conn, "posts", row)
    insert_row(conn, "post_views", {"tenant_id": guru.id, "post_id": row_id, "views": 11})
    guru.posts.append(row_id)
    guru.slugs.append(slug)
    return row_id


def seed_service(conn: psycopg.Connection[Any], guru: SeededGuru, name: str, **columns: Any) -> UUID:
    """Create a service."""
    row_id: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": row_id, "name": name, "description": "A lesson.", "price_cents": 7500,
        "duration_minutes": 60, "features": [f"feature {guru.mark}"], "position": len(guru.services),
    } | columns  # fmt: skip
    insert_row(conn, "services", row)
    guru.services.append(row_id)
    return row_id


def seed_lead(conn: psycopg.Connection[Any], guru: SeededGuru, key: str, **columns: Any) -> UUID:
    """Create a lead."""
    row_id: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": row_id, "name": f"Ada {guru.mark}", "email": f"ada@{guru.mark}.example",
        "message": f"Message {guru.mark}", "address_hash": b"", "idempotency_key": key, "digest": b"",
    } | columns  # fmt: skip
    insert_row(conn, "leads", row)
    guru.leads.append(row_id)
    return row_id


def seed_thread(conn: psycopg.Connection[Any], sender: UUID, other: UUID, *, body: str = "Hello!") -> UUID:
    """Create a thread of two people with one message, a file and a block, and return its id."""
    a, b, thread_id, now = min(sender, other), max(sender, other), new_id(), clock.now()
    pair = {"person_a_id": a, "person_b_id": b}
    insert_row(conn, "threads", pair | {"id": thread_id, "number": 1, "opened_by": sender})
    message = {
        "thread_id": thread_id, "number": 1, "id": new_id(), "sender_id": sender, "body": body, "change_a": 1,
        "change_b": 1, "idempotency_key": "k", "digest": b"",
    }  # fmt: skip
    insert_row(conn, "messages", pair | message)
    for user_id, other_id, unread in ((sender, other, 0), (other, sender, 1)):
        conn.execute(
            "INSERT INTO inboxes (user_id, change, unread) VALUES (%s, 1, %s) ON CONFLICT (user_id)"
            " DO UPDATE SET change = inboxes.change + 1, unread = inboxes.unread + excluded.unread",
            [user_id, unread],
        )
        member = {"user_id": user_id, "thread_id": thread_id, "other_id": other_id, "side": "person", "unread": unread}
        insert_row(conn, "thread_members", member | {"change": 1, "last_at": now})
    file = {"user_id": sender, "id": new_id(), "key": new_id().hex, "name": "a.txt", "kind": "text/plain"}
    insert_row(conn, "message_files", file)
    return thread_id


def insert_row(conn: psycopg.Connection[Any], table: str, row: dict[str, Any]) -> None:
    """Insert a row."""
    conn.execute(_insert_statement(table, tuple(row)), list(row.values()))


@cache
def _insert_statement(table: str, columns: tuple[str, ...]) -> bytes:
    names, values = map(sql.Identifier, columns), sql.SQL(", ").join(sql.Placeholder() * len(columns))
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})")
    return statement.format(sql.Identifier(table), sql.SQL(", ").join(names), values).as_bytes()


def row_digests(conn: psycopg.Connection[Any], guru: SeededGuru, tables: Sequence[str] | None = None) -> dict[str, str]:
    """Return a digest of a guru's rows by table, of all tables by default."""
    digests = {}
    for table in ["gurus", *tenant_tables(conn)] if tables is None else tables:
        key = "id" if table == "gurus" else "tenant_id"
        query = sql.SQL("SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM {} t WHERE {} = %s")
        row = conn.execute(query.format(sql.Identifier(table), sql.Identifier(key)), [guru.id]).fetchone()
        digests[table] = row[0] if row else ""
    return digests
