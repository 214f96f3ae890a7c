"""Every SQL statement of `sites` filters by tenant, independently of row-level security.

The two gurus here have posts, services and leads with the same ids, slugs, tags and keys. A statement without a tenant
predicate, in a join too, mixes them up.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg.types.range import Range

import sites
from sites.leads.schemas import LEAD_DETAILS
from sites.reviews import totals
from sites.stats.views import VISIT
from tenants.kit.ids import new_id
from tests.fixtures.clock import INSTANT
from tests.fixtures.databases import Database
from tests.porchlight.factories import (
    SeededGuru,
    insert_row,
    row_digests,
    seed_guru,
    seed_lead,
    seed_post,
    seed_service,
)

NOW = INSTANT
PREDICATE = re.compile(
    r"(?:\b\w+\.)?tenant_id = (?:%\(tenant\)s|\w+\.tenant_id|g\.id)|\bg\.id = %\(tenant\)s"
    r"|(?<=app\.flood_limit\('leads', )%\(tenant\)s"  # the function counts the rows of this tenant
)
# The salt is shared by all tenants; a report is created by a function; names of sites are looked up by functions.
WITHOUT_TENANT = {
    "sites.stats.views._SALT",
    "sites.reports.actions._CREATE",
    "sites.rendering.snapshots._SITES",
    "sites.leads.address_confirmation._ADD",  # an insert without a condition
    "sites.leads.digest._GROUP",  # of a job of one tenant; what it enqueues has another id each time
    # It does nothing for a guru with a calendar, as both have here. tests/sites/hours/test_proposal.py has two without.
    "sites.hours.proposal._PROPOSE",
    # A job of the service role goes through all tenants; it changes each row by tenant and id.
    "sites.hours.zone_changes._CURRENT",
    "sites.hours.zone_changes._MOVE_APPOINTMENT",
    "sites.hours.zone_changes._SET_LOCAL",
    "sites.hours.busy_sources._LOCK",  # the function locks the calendar of the transaction's tenant
    "sites.hours.busy_sources._DUE",  # a job of the service role finds the due sources of all tenants
    "sites.hours.busy_times._ADD",  # an insert without a condition
    # Parts of one statement of the transaction's tenant, which tests/porchlight/plans runs.
    "sites.categories.over_limit.LIMIT_CATEGORIES",
    "sites.services.over_limit.LIMIT_SERVICES",
    "sites.posts.moderation._HIDE",  # staff hide posts of any guru, as the service role
    "sites.posts.moderation._SHOW",  # staff hide posts of any guru, as the service role
    "sites.posts.moderation._EXISTS",  # staff hide posts of any guru, as the service role
    "sites.hours.first_starts._OPEN_TIMES",  # public times of several gurus, from a function
    "sites.stats.guru_facts._STORE",  # a job of the service role stores the facts of all tenants
    "sites.reviews.totals._STORE",  # the app role cannot write totals; see test_review_totals_are_stored_by_tenant
}


def _statements() -> dict[str, str]:
    """Return every complete statement that is a constant of a module of `sites`."""
    statements: dict[str, str] = {}
    for module in pkgutil.walk_packages(sites.__path__, "sites."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if (
                name.isupper()
                and isinstance(value, str)
                and re.match(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b", value)
            ):
                statements.setdefault(f"{module.name}.{name}", value)
    return {name: text for name, text in statements.items() if name not in WITHOUT_TENANT}


STATEMENTS = _statements()
# These return no text of the guru.
WITHOUT_TEXTS = (
    "_SERVICE_EXISTS",
    "images.actions._EXISTS",
    "_CREATE",
    "_COUNT",
    "_RULES",
    "leads.address_confirmation._BY_EMAIL",
    "leads.address_confirmation._SITE_OF",
    "leads.address_confirmation._UPDATE",
    "leads.actions._MARK_REPLY_SENT",
    "leads.digest._FINISH",
    "hours.own_hours._BOOKING_STATE",
    "hours.queries._OPEN_RULES",
    "hours.queries._TIMES",
    "hours.queries._TIMES_OF_DAYS",
    "hours.queries._START",
    "hours.busy_sources._UNCHANGED",
    "hours.busy_sources._READ",
    "hours.busy_sources._NOTIFIED",
    "hours.busy_sources._PAUSED",
    "hours.busy_sources._POSTPONE",
    "hours.busy_times._STORED",
    "hours.busy_times._REMOVE",
    "reviews.queries._HAS_REVIEWS",
    "posts.queries._ADDRESSES",
    "posts.queries._RENAMED",
)
# Their rows are seen only by transactions that act for the guru, as the job's do.
ACTING = "sites.hours.busy_sources."
# The view has the reviews of the transaction's tenant only, for every reader: these predicates are second ones.
# Both gurus have posts; tests/sites/test_home_queries.py has one without.
SECOND = re.compile(r"FROM public_reviews r\s+WHERE $|EXISTS \(SELECT FROM posts p\s+WHERE $")


class GuruPair:
    """Two gurus with the same ids, slugs, tags and keys, but different texts."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with psycopg.connect(database.service_url) as conn:
            self.own, self.other = seed_guru(conn, "alpha", posts=0), seed_guru(conn, "beta", posts=0)
            for guru in (self.own, self.other):
                conn.execute("DELETE FROM services WHERE tenant_id = %s", [guru.id])
                conn.execute("DELETE FROM leads WHERE tenant_id = %s", [guru.id])
            ids = [new_id() for _ in range(12)]
            extra = [new_id() for _ in range(12)]
            states = ("unconfirmed", "confirmed")
            for guru, more in ((self.own, []), (self.other, extra)):
                guru.tags = ["bread", "oven"]
                for number, row_id in enumerate([*ids, *more]):
                    day = NOW - timedelta(days=1 + number // 2)
                    seed_post(conn, guru, f"post-{number}", id=row_id, published_at=day)
                    seed_service(conn, guru, f"service {number} {guru.mark}", id=row_id, position=number)
                    seed_lead(
                        conn,
                        guru,
                        f"key-{number}",
                        id=row_id,
                        address_hash=b"same",
                        digest=b"d" + guru.mark.encode(),
                        service_id=row_id,
                    )
                    insert_row(conn, "daily_visits", {
                        "tenant_id": guru.id, "day": (NOW - timedelta(days=number + 1)).date(), "visitors": 3,
                    })  # fmt: skip
                seed_post(conn, guru, "to-come", published_at=NOW + timedelta(days=2 if guru is self.own else 1))
                size = len(guru.slugs)  # differs between the two
                image = {"id": ids[4], "width": 1, "height": 1, "size": size, "data": guru.mark.encode()}
                insert_row(conn, "site_images", {"tenant_id": guru.id} | image)
                shown = {"id": ids[4], "position": 0, "image_id": ids[4], "alt": guru.mark}
                insert_row(conn, "gallery_pictures", {"tenant_id": guru.id, "place": "hero"} | shown)
                of_service = {"id": ids[3], "place": "service", "service_id": ids[3]}
                insert_row(conn, "gallery_pictures", {"tenant_id": guru.id} | shown | of_service)
                conn.execute(
                    "UPDATE posts SET cover_id = %s WHERE tenant_id = %s AND id = ANY (%s)", [ids[4], guru.id, ids]
                )
                renamed = ids[3] if guru is self.own else ids[2]
                conn.execute(
                    "UPDATE posts SET old_slugs = '{post-4}' WHERE tenant_id = %s AND id = %s", [guru.id, renamed]
                )
                conn.execute("UPDATE guru_facts SET sessions = %s WHERE tenant_id = %s", [size, guru.id])
                conn.execute("UPDATE leads SET awaits_digest = true WHERE tenant_id = %s", [guru.id])
                reply = {"lead_id": ids[4], "body": guru.mark, "idempotency_key": "reply"}
                insert_row(conn, "lead_replies", {"tenant_id": guru.id, "id": ids[4]} | reply)
                address = {"email": "ada@example.com", "token": ids[4], "state": states[guru is self.own]}
                insert_row(conn, "lead_addresses", {"tenant_id": guru.id} | address)
                preview = {"secret_hash": b"same", "page": "/", "changes": f'"{guru.mark}"', "framed_by": "http://main"}
                insert_row(conn, "site_previews", {"tenant_id": guru.id} | preview)
                settings = {"service_id": ids[3], "open": True, "capacity": 4}
                insert_row(conn, "booking_settings", {"tenant_id": guru.id} | settings)
                if guru is self.other:
                    insert_row(conn, "booking_settings", {"tenant_id": guru.id} | settings | {"service_id": ids[2]})
                starts_at, ends_at = datetime(2030, 12, 24, 18, tzinfo=UTC), datetime(2030, 12, 24, 19, tzinfo=UTC)
                block = {"id": ids[4], "kind": "block", "starts_at": starts_at, "ends_at": ends_at, "zone": "UTC"}
                insert_row(conn, "appointments", {"tenant_id": guru.id, "blocked": Range(starts_at, ends_at)} | block)
                source = {"id": ids[4], "kind": "ics", "name": f"Work {guru.mark}", "host": "cal.example"}
                secret = {"secret": b"same", "idempotency_key": "source"}
                insert_row(conn, "busy_sources", {"tenant_id": guru.id} | source | secret)
                # The other guru is also busy an hour before.
                for start in [starts_at] if guru is self.own else [starts_at, starts_at - timedelta(hours=1)]:
                    during = Range(start, start + timedelta(minutes=30))
                    insert_row(conn, "busy_times", {"tenant_id": guru.id, "source_id": ids[4], "during": during})
        self.post = ids[4]
        self.params = {
            "tenant": self.own.id, "id": self.post, "slug": "post-4", "tags": ["bread"], "tag": "bread", "limit": 5,
            "content": True, "at": None, "before": NOW - timedelta(days=3), "before_id": ids[5], "service": ids[3],
            "name": "Ada", "email": "ada@example.com", "message": "Hi", "page": "", "consented": NOW,
            "address": b"same", "key": "new-key", "digest": b"new", "now": NOW, "network": b"same",
            "is_proven": True, "period": timedelta(hours=1), "per_address": 13, "per_network": 13,
            "flood_from": 14, "total": 14,
            "task": "leads:notify_guru", "receipt_task": "leads:send_receipt", "is_confirmed": True,
            "token": ids[4], "state": "blocked", "day": NOW.date(), "visit": VISIT,
            "starts_at": datetime(2030, 12, 24, 18, tzinfo=UTC),
            "first": date(2030, 12, 20), "last": date(2030, 12, 30), "days": [date(2030, 12, 24)],
            "without": [], "on": None,
            "source": ids[4], "secret": b"same", "all_day_blocks": True, "failure": "denied", "number": 1, "until": NOW,
            "periods": [Range(starts_at, starts_at + timedelta(minutes=30))], "most": 5,
            "leads": ids[:4], "subjects": [VISIT, ids[0], ids[1]], "visitors": [b"visitor"] * 3,
            "hash": b"same", "since": NOW - timedelta(minutes=1), **{f"detail_{name}": "" for name in LEAD_DETAILS},
        }  # fmt: skip

    def params_of(self, name: str) -> dict[str, Any]:
        """Return the parameters of a statement."""
        params = dict(self.params)
        if name.endswith("leads.actions._CREATE"):
            params["id"] = new_id()
        elif name.endswith("_DIGEST_BY_KEY"):
            params["key"] = "key-3"
        return params

    @contextmanager
    def as_service_role(self) -> Iterator[psycopg.Connection[Any]]:
        """Yield a connection without RLS. It is rolled back."""
        with psycopg.connect(self.database.service_url) as conn:
            conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(self.own.id)])
            yield conn
            conn.rollback()

    @contextmanager
    def as_app_role(self, guru: SeededGuru, name: str) -> Iterator[psycopg.Connection[Any]]:
        """Yield a connection in the app role with a guru as tenant, for a statement. It is rolled back."""
        with psycopg.connect(self.database.app_url) as conn:
            conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
            if name.startswith(ACTING):
                conn.execute("SELECT set_config('app.acting_tenant_id', %s, true)", [str(guru.id)])
            yield conn
            conn.rollback()


@pytest.fixture(scope="module")
def pair(database: Database) -> GuruPair:
    return GuruPair(database)


def _rows(cursor: psycopg.Cursor[Any]) -> list[Any]:
    """Return the rows of a result, or the number of changed rows as the only one if there are any."""
    if cursor.description is not None:
        return cursor.fetchall()
    return [(cursor.rowcount,)] if cursor.rowcount else []


def _run(
    conn: psycopg.Connection[Any], name: str, text: str, params: dict[str, Any], guru: SeededGuru
) -> tuple[Any, ...]:
    """Return a statement's rows and the resulting checksum of the guru's tables."""
    rows = _rows(conn.execute(text.encode(), params))
    if name.endswith("leads.actions._CREATE"):
        rows = [row[:2] for row in rows]
    return rows, row_digests(conn, guru, ("posts", "post_views", "services", "leads", "daily_visits"))


def _isolation_errors(pair: GuruPair, name: str, text: str, unlisted: SeededGuru | None = None) -> list[str]:
    """Return how a statement without RLS mixes up the gurus. The categories of `unlisted` are not listed."""
    params = pair.params_of(name)
    unlist = "UPDATE guru_categories SET listed = false WHERE tenant_id = %s"
    with pair.as_app_role(pair.own, name) as isolated:
        if unlisted is not None:
            isolated.execute(unlist, [unlisted.id])
        expected = _run(isolated, name, text, params, pair.own)
    errors = []
    with pair.as_service_role() as conn:
        if unlisted is not None:
            conn.execute(unlist, [unlisted.id])
        before = row_digests(conn, pair.other)
        try:
            actual = _run(conn, name, text, params, pair.own)
        except psycopg.Error as error:
            return [type(error).__name__]
        if pair.other.mark in repr(actual[0]):
            errors.append("it returns the other guru's text")
        if actual != expected:
            errors.append("it counts the other guru's rows")
        if row_digests(conn, pair.other) != before:
            errors.append("it changes the other guru's rows")
    return errors


def test_statements_are_discovered() -> None:
    assert len(STATEMENTS) >= 13
    for name in ("home.queries._HOME", "posts.queries._LIST", "leads.actions._CREATE", "stats.views._COUNT"):
        assert f"sites.{name}" in STATEMENTS


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement_without_rls_reads_own_tenant_only(pair: GuruPair, name: str) -> None:
    text = STATEMENTS[name]
    assert PREDICATE.search(text), "no tenant predicate"
    for unlisted in (None, pair.own, pair.other):
        assert _isolation_errors(pair, name, text, unlisted) == []
    with pair.as_app_role(pair.own, name) as conn:
        rows, _ = _run(conn, name, text, pair.params_of(name), pair.own)
    assert rows
    assert name.endswith(WITHOUT_TEXTS) or re.search("markalpha|bread", repr(rows)), rows


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement_without_predicate_is_detected(pair: GuruPair, name: str) -> None:
    """The test above fails for each tenant predicate that is removed from a statement."""
    text = STATEMENTS[name]
    for match in PREDICATE.finditer(text):
        if SECOND.search(text[: match.start()]):
            continue
        mutated = text[: match.start()] + ("NULL" if match[0] == "%(tenant)s" else "true") + text[match.end() :]
        if "%(tenant)s" not in mutated:
            mutated = mutated.replace("true", "(true OR %(tenant)s::text = '')", 1)
        variants = (None, pair.own, pair.other)  # listing matters for some statements only
        assert any(_isolation_errors(pair, name, mutated, unlisted) for unlisted in variants), (
            f"{name}: {match[0]} at {match.start()}"
        )


@pytest.mark.parametrize("name", STATEMENTS)
def test_rls_holds_for_statement_with_other_tenant(pair: GuruPair, name: str) -> None:
    with psycopg.connect(pair.database.superuser_url) as superuser:
        before = row_digests(superuser, pair.own)
        superuser.rollback()
        with pair.as_app_role(pair.other, name) as conn:
            try:
                rows = _rows(conn.execute(STATEMENTS[name].encode(), pair.params_of(name)))
            except psycopg.errors.InsufficientPrivilege:
                rows = []
            conn.commit()
        assert pair.own.mark not in repr(rows)
        assert "post-" not in repr(rows)
        assert row_digests(superuser, pair.own) == before


@pytest.mark.parametrize("is_mutated", [False, True])
def test_review_totals_are_stored_by_tenant(pair: GuruPair, is_mutated: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Totals without a review create no row, though the other guru has one, and other totals change the own row."""
    if is_mutated:
        (predicate,) = re.findall(r"o\.tenant_id = %\(tenant\)s", totals._STORE)
        monkeypatch.setattr(totals, "_STORE", totals._STORE.replace(predicate, "true"))
    stored = "SELECT histogram FROM review_totals WHERE tenant_id = %s"
    with pair.as_service_role() as conn:
        before = row_digests(conn, pair.other)
        conn.execute("DELETE FROM review_totals WHERE tenant_id = %s", [pair.own.id])
        totals.store_totals(conn, pair.own.id, [0] * 5, {}, 0)
        assert (conn.execute(stored, [pair.own.id]).fetchone() is not None) == is_mutated
        for count in (1, 2, 0):
            totals.store_totals(conn, pair.own.id, [0, 0, 0, 0, count], {}, 4.5)
            assert conn.execute(stored, [pair.own.id]).fetchall() == [([0, 0, 0, 0, count],)]
        assert row_digests(conn, pair.other) == before
