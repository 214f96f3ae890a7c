"""Every function that bypasses row level security: what it reads, and whose rows its arguments can name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg

from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.porchlight.factories import insert_row, seed_user

LISTING = Path(__file__).parents[1] / "data" / "definer-functions.txt"
_FUNCTIONS = """
SELECT p.proname, pg_get_function_identity_arguments(p.oid), p.prosrc,
       has_function_privilege('porchlight_app', p.oid, 'EXECUTE')
  FROM pg_proc p WHERE p.pronamespace = 'app'::regnamespace AND p.prosecdef AND p.prorettype <> 'trigger'::regtype
 ORDER BY 1, 2"""
_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')"
_VIEWS = """
SELECT c.relname, (SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attnum > 0), pg_get_viewdef(c.oid)
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v'
   AND NOT coalesce(c.reloptions::text[] && ARRAY['security_invoker=true', 'security_invoker=on'], false) ORDER BY 1"""

PUBLIC = "only what every visitor may see of the object"
PARTY = "only for a user who may see the object; else as for an unknown id"
OWN = "only rows of the current user"
TENANT = "only rows of the current tenant"
JOB = "only in its running job"
NEW = "the ids of rows that it creates, for the current tenant or user"
CURRENT = "the user must be the current one; else as for an unknown id"
LINK = "the random token of a link in the person's own emails"
SIGN = "the random token of a participant's link; the tenant is in the link, too"
# Why the ids that a request passes do not give it the rows of someone else.
ID_REASONS = {
    "add_contact_message": NEW,
    "add_sign_in_code": "the id of the code that it creates, for someone who is not signed in yet",
    "answer_dispute": f"the dispute: {TENANT}, which the transaction acts for",
    "add_participants": f"{NEW}; the bookings: {TENANT}, of the current user",
    "exchange_facts": "an exchange only for its two people, else a visible listing; whether its times are free",
    "booking_facts": f"the bookings and the session: {TENANT}; no name, word or address of a person",
    "create_report": f"{NEW}; a reporter who is not the current user is left out",
    "submit_review": f"{NEW}; the booking: {TENANT}, and of the side that the transaction acts for",
    "deliver_message": "the sender is the current user; the other must exist, and neither blocked the other",
    "delivery_facts": "the thread must be of the current user; else only whether an account is active and not blocked",
    "email_opt_out": JOB,
    "email_settings_of": LINK,
    "emergency_contacts": f"{TENANT}, for which the transaction acts; each view is logged",
    "find_claimable": "the random token of a customer's link; the tenant is in the link, too",
    "find_invited": f"{TENANT}, and only with the address that the invitation went to",
    "find_reply_address": "the random token of an address in the person's own emails",
    "find_signing": SIGN,
    "lock_swap_ring": CURRENT,
    "need_status": "one word about a need, which the page of the needs shows as well",
    "open_needs": "a position in a list",
    "photo": PUBLIC,
    "publish_guru": NEW,
    "queue_account_deleted_email": NEW,
    "remove_message": "only a message of the current user",
    "request_risk_review": NEW,
    "settle_swap_ring": "only a ring of the current user",
    "use_sign_in_code": "the random id of a code, which only who asked for it has, and its digits",
}


def requests_with_ids(conn: psycopg.Connection[Any]) -> set[str]:
    """Return the functions that a request may call with an id."""
    return {
        name
        for name, arguments, _source, may_call in conn.execute(_FUNCTIONS)
        if may_call and re.search(r"\buuid\b", re.sub(r"\bOUT \w+ \w+", "", arguments))
    }


def listing(conn: psycopg.Connection[Any]) -> list[str]:
    """Return a line per function: who calls it, its arguments, and the tables that its text names.

    And one per view of the owner, with its columns.
    """
    tables = {name for (name,) in conn.execute(_TABLES)}
    lines = []
    for name, arguments, source, may_call in conn.execute(_FUNCTIONS).fetchall():
        code = re.sub(r"--[^\n]*|'[^']*'", " ", source)
        named = sorted(tables & set(re.findall(r"\w+", code)))
        calls = sorted(set(re.findall(r"app\.(\w+)\(", code)) - {name, "now", "tenant_id", "user_id"})
        who = "requests" if may_call else "inside"
        lines.append(f"{who}: {name}({arguments}) reads {' '.join(named) or '-'}; calls {' '.join(calls) or '-'}")
    for name, columns, source in conn.execute(_VIEWS):
        named = sorted(tables & set(re.findall(r"\w+", source)))
        lines.append(f"view: {name}({columns}) reads {' '.join(named)}")
    return lines


def test_ids_of_definer_functions_have_a_reason(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        assert requests_with_ids(conn) == ID_REASONS.keys()


def test_definer_functions_read_listed_tables(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        found = listing(conn)
    text = "\n".join(found)
    assert found == LISTING.read_text().splitlines(), f"check each change, then write {LISTING}:\n{text}"


def test_swap_rings_are_only_of_current_user(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        users, ring_id = [seed_user(conn) for _ in range(4)], new_id()
        insert_row(conn, "swap_rings", {"id": ring_id, "digest": ring_id.bytes, "availability_bits": 1})
        for place, user_id in enumerate(users[:3]):
            row = {"user_id": user_id, "ring_id": ring_id, "place": place, "teaches": "Bread", "answer": "accepted"}
            insert_row(conn, "swap_ring_members", row)
    for setting, is_member in ((str(users[3]), False), ("", False), (str(users[0]), True)):
        with psycopg.connect(database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [setting])
            assert conn.execute("SELECT id FROM own_swap_rings").fetchall() == [(ring_id,)][: int(is_member)]
            # Naming a member does not help someone else.
            locked = conn.execute("SELECT app.lock_swap_ring(%s, %s)", [users[0], ring_id]).fetchone()
            assert locked == ("proposed" if is_member else None,)
            settled = conn.execute("SELECT app.settle_swap_ring(%s)", [ring_id]).fetchone()
            assert settled == ("agreed" if is_member else None,)


def test_category_status_is_only_of_current_user(database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        owner, other = seed_user(conn), seed_user(conn)
        conn.execute(
            "INSERT INTO documents (user_id, id, type, category, file_url)"
            " VALUES (%s, %s, 'license', 'electrical', 'https://x')",
            [owner, new_id()],
        )
    query = "SELECT documents ->> 'license' FROM app.category_status(%s, '{electrical}')"
    for setting, state in ((str(owner), "pending"), (str(other), "missing"), ("", "missing")):
        with psycopg.connect(database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [setting])
            assert conn.execute(query, [owner]).fetchone() == (state,)
