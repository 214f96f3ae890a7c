"""The money pages of staff: the state of the books, findings, queues and adjustments, all audited."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.contracts import Staff
from porchlight.features.admin.named_keys import add_key
from porchlight.features.money import admin_actions
from porchlight.features.money.admin_schemas import MAX_CENTS, AdjustmentPayload
from porchlight.money.posting import balance, get_or_create_account
from tenants.kit import clock
from tenants.kit.errors import AlreadyDecided
from tenants.kit.ids import new_id
from tests.fixtures import seeded
from tests.fixtures.refusals import NOT_A_CHOICE, NOT_WHOLE, REQUIRED, UNRECOGNIZED
from tests.porchlight.admin.api_client import sign_in_admin
from tests.porchlight.admin.area import AdminArea
from tests.porchlight.factories import insert_row, seed_guru, seed_user

MONEY = "/api/admin/money"
NO_PERSON = "No one on Porchlight has this email address."


async def _get(area: AdminArea, path: str = "", **params: Any) -> Any:
    response = await area.web.get(MONEY + path, params=params, headers=area.staff)
    assert response.status_code == 200, response.text
    assert response.headers["cache-control"] == "no-store"
    return response.json()["data"]


async def _send(
    area: AdminArea, method: str, path: str, body: Any = None, *, staff: dict[str, str] | None = None, expect: int = 200
) -> Any:
    options = {} if body is None else {"json": body}
    response = await area.web.request(method, MONEY + path, headers=staff or area.staff, **options)
    assert response.status_code == expect, response.text
    return response.json()["data" if response.is_success else "error"]


async def _holder(area: AdminArea, name: str) -> dict[str, str]:
    """Create a named admin key and sign in with it. Return the headers."""
    with psycopg.connect(area.database.service_url) as conn:
        key = add_key(conn, name)
    return await sign_in_admin(area.web, key)


def _insert(area: AdminArea, table: str, row: dict[str, Any]) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        insert_row(conn, table, row)


def _find(area: AdminArea, **changes: Any) -> str:
    """Add a finding. Return its id."""
    row_id = new_id()
    row = {"id": row_id, "kind": "amount_differs", "account": "acct_1", "stripe_id": f"txn_{row_id.hex}", "cents": -1}
    _insert(area, "findings", row | changes)
    return str(row_id)


def _fail_event(area: AdminArea, **changes: Any) -> str:
    """Add an event of Stripe whose processing failed. Return its id."""
    event_id = f"evt_{new_id().hex}"
    row = {"id": event_id, "endpoint": "connect", "kind": "payout.paid", "created": clock.now(), "object_id": "po_1"}
    row |= {"state": "failed", "livemode": False, "body": b"{}", "tries": 8, "error": "KeyError: 'x'"}
    _insert(area, "stripe_inbox", row | changes)
    return event_id


def _reconcile(area: AdminArea, **changes: Any) -> str:
    row = {"id": new_id(), "started_at": clock.now(), "lines": 7, "open_findings": 0, "off_cents": 0, "off_accounts": 0}
    row |= changes
    _insert(area, "reconciliations", row)
    return str(row["id"])


async def test_summary_tells_the_last_reconciliation(area: AdminArea) -> None:
    _reconcile(area, off_cents=500, off_accounts=3)
    last = _reconcile(area, off_cents=1, off_accounts=1, open_findings=1)
    summary = await _get(area)
    assert (summary["centsOff"], summary["accountsOff"]) == (1, 1)
    assert summary["reconciledAt"][:10] == clock.now().date().isoformat()
    (newest, *_) = (await _get(area, "/reconciliations"))["items"]
    assert (newest["id"], newest["lines"], newest["openFindings"], newest["centsOff"]) == (last, 7, 1, 1)


async def test_summary_counts_what_waits_in_both_overviews(area: AdminArea) -> None:
    before = await _get(area)
    _find(area)
    _find(area, state="gone")
    _fail_event(area)
    _fail_event(area, state="done")
    write = {
        "kind": "payout",
        "subject_id": new_id(),
        "attempt": 1,
        "method": "POST",
        "path": "/v1/payouts",
        "lane": "x",
    }
    _insert(area, "stripe_outbox", write | {"id": new_id(), "params": "{}"})
    after = await _get(area)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"openFindings", "failedEvents", "openWrites"}
    assert all(after[name] == before[name] + 1 for name in changed)
    overview = await area.web.get("/api/admin/overview", headers=area.staff)
    assert overview.json()["data"]["money"] == after


async def test_finding_is_explained_once_and_audited(area: AdminArea) -> None:
    finding_id = _find(area, cents=-42)
    (found,) = [item for item in (await _get(area, "/findings"))["items"] if item["id"] == finding_id]
    assert (found["kind"], found["cents"], found["account"]) == ("amount_differs", -42, "acct_1")
    maya = await _holder(area, "Maya Explains")
    path = f"/findings/{finding_id}/explanation"
    error = await _send(area, "PUT", path, {"note": "  "}, staff=maya, expect=422)
    assert error["fields"] == {"note": REQUIRED}
    explained = await _send(area, "PUT", path, {"note": "A rounded fee"}, staff=maya)
    assert (explained["state"], explained["note"], explained["explainedBy"]) == (
        "explained", "A rounded fee", "Maya Explains",
    )  # fmt: skip
    assert (await _send(area, "PUT", path, {"note": "Again"}, expect=409))["code"] == "already_explained"
    assert finding_id in [item["id"] for item in (await _get(area, "/findings", state="explained"))["items"]]
    ((actor, details),) = area.rows("SELECT actor, details FROM audit_log WHERE subject_id = %s", finding_id)
    assert (actor, details) == ("Maya Explains", {"kind": "amount_differs", "cents": -42, "note": "A rounded fee"})


async def test_failed_event_runs_again_and_is_audited(area: AdminArea) -> None:
    event_id = _fail_event(area)
    _find(area, kind="failed_event", account="", stripe_id=event_id, cents=0)
    (event,) = [item for item in (await _get(area, "/events"))["items"] if item["id"] == event_id]
    assert (event["tries"], event["error"]) == (8, "KeyError: 'x'")
    again = await _send(area, "POST", f"/events/{event_id}/retries")
    assert (again["state"], again["tries"], again["error"]) == ("new", 0, "")
    job = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE args->>'event_id' = %s AND status = 'todo'"
    assert area.rows(job, event_id) == [(1,)]
    assert await area.audit_actions(event_id) == ["money.run_event_again"]
    assert area.rows("SELECT state FROM findings WHERE stripe_id = %s", event_id) == [("gone",)]
    for unknown in (event_id, "evt_unknown", "evt%00"):
        await _send(area, "POST", f"/events/{unknown}/retries", expect=404)
    assert await area.audit_actions(event_id) == ["money.run_event_again"]


async def test_events_list_pages_by_time(area: AdminArea) -> None:
    ids = [_fail_event(area, state="ignored") for _ in range(52)]
    first = await _get(area, "/events", state="ignored")
    rest = await _get(area, "/events", state="ignored", cursor=first["nextCursor"])
    listed = [item["id"] for page in (first, rest) for item in page["items"]]
    assert (len(first["items"]), listed) == (50, ids[::-1])
    assert (await _get(area, "/events", state="ignored", cursor="evt_unknown"))["items"] == []


async def test_writes_list_shows_those_without_outcome(area: AdminArea) -> None:
    row = {"kind": "payout", "method": "POST", "path": "/v1/payouts", "params": "{}", "account": "acct_2", "lane": "x"}
    ids = {}
    for state in ("unknown", "refused", "done"):
        ids[state] = new_id()
        _insert(area, "stripe_outbox", row | {"id": ids[state], "subject_id": new_id(), "attempt": 1, "state": state})
    opened = {item["id"]: item for item in (await _get(area, "/outbox"))["items"]}
    assert str(ids["unknown"]) in opened
    assert opened[str(ids["unknown"])]["dueAt"] is not None
    assert not {str(ids["refused"]), str(ids["done"])} & set(opened)
    (refused,) = (await _get(area, "/outbox", state="refused"))["items"]
    assert (refused["id"], refused["dueAt"]) == (str(ids["refused"]), None)


def _guru_email(area: AdminArea, label: str) -> tuple[UUID, str]:
    """Create a guru. Return the owner's id and email address."""
    with psycopg.connect(area.database.service_url) as conn:
        guru = seed_guru(conn, label)
    ((email,),) = area.rows("SELECT email FROM users WHERE user_id = %s", guru.owner)
    assert guru.owner is not None
    return guru.owner, email


def _total(area: AdminArea, kind: str, user_id: UUID) -> int:
    with psycopg.connect(area.database.service_url) as conn:
        return balance(conn, get_or_create_account(conn, kind, user_id=user_id)).total


@pytest.mark.parametrize(("kind", "account"), [("write_off", "guru_payable"), ("goodwill_credit", "customer_credit")])
async def test_small_adjustment_is_posted_at_once(area: AdminArea, kind: str, account: str) -> None:
    user_id, email = _guru_email(area, f"small-{kind.replace('_', '-')}")
    body = {"kind": kind, "email": email.upper(), "cents": 10_000, "reason": "A flood"}
    staff = await _holder(area, f"Posts {kind}")
    adjustment = await _send(area, "POST", "/adjustments", body, staff=staff, expect=201)
    assert (adjustment["state"], adjustment["person"], adjustment["kind"]) == ("posted", email, kind)
    assert _total(area, account, user_id) == 10_000
    assert await area.audit_actions(adjustment["id"]) == ["money.adjustment_request"]


async def test_large_adjustment_needs_second_named_holder(area: AdminArea) -> None:
    user_id, email = _guru_email(area, "large")
    body = {"kind": "write_off", "email": email, "cents": 10_001, "reason": "A flood"}
    for cents in (1, 10_001):  # who used a shared key is not known
        error = await _send(area, "POST", "/adjustments", body | {"cents": cents}, expect=409)
        assert error["code"] == "named_key_required"
    nora, omar = await _holder(area, "Nora Asks"), await _holder(area, "Omar Approves")
    adjustment = await _send(area, "POST", "/adjustments", body, staff=nora, expect=201)
    assert (adjustment["state"], adjustment["requestedBy"]) == ("requested", "Nora Asks")
    path = f"/adjustments/{adjustment['id']}/decision"
    for staff in (nora, area.staff):
        error = await _send(area, "PUT", path, {"approve": True}, staff=staff, expect=409)
        assert error["code"] == "approval_required"
    assert _total(area, "guru_payable", user_id) == 0
    assert adjustment["id"] in [item["id"] for item in (await _get(area, "/adjustments"))["items"]]
    decided = await _send(area, "PUT", path, {"approve": True}, staff=omar)
    assert (decided["state"], decided["decidedBy"]) == ("posted", "Omar Approves")
    assert _total(area, "guru_payable", user_id) == 10_001
    for approve in (True, False):
        error = await _send(area, "PUT", path, {"approve": approve}, staff=omar, expect=409)
        assert error["code"] == "already_decided"
    audited = area.rows("SELECT actor, action FROM audit_log WHERE subject_id = %s ORDER BY id", adjustment["id"])
    assert audited == [("Nora Asks", "money.adjustment_request"), ("Omar Approves", "money.adjustment_approve")]


async def test_rejected_adjustment_posts_nothing(area: AdminArea) -> None:
    user_id, email = _guru_email(area, "rejected")
    body = {"kind": "write_off", "email": email, "cents": 20_000, "reason": "A flood"}
    asks = await _holder(area, "Pia Asks")
    adjustment = await _send(area, "POST", "/adjustments", body, staff=asks, expect=201)
    path = f"/adjustments/{adjustment['id']}/decision"
    assert (await _send(area, "PUT", path, {"approve": False}))["state"] == "rejected"
    assert _total(area, "guru_payable", user_id) == 0
    assert (await area.audit_actions(adjustment["id"]))[0] == "money.adjustment_reject"


async def test_suspense_adjustments_name_their_direction(area: AdminArea) -> None:
    staff = await _holder(area, "Sue Spense")
    for kind in ("suspense_to_losses", "losses_to_suspense"):
        body = {"kind": kind, "cents": 3, "reason": "An unknown line"}
        assert (await _send(area, "POST", "/adjustments", body, staff=staff, expect=201))["kind"] == kind


@pytest.mark.parametrize("approve", [True, False])
def test_simultaneous_decisions_record_who_decided(area: AdminArea, approve: bool) -> None:
    """The second one waits for the first one's transaction, and once was recorded as if it had decided."""
    names = [f"{name} {approve}" for name in ("Ann", "Bob", "Cy")]
    first, second, asks = (Staff(new_id(), name, is_shared=False) for name in names)
    with psycopg.connect(area.database.service_url) as conn:
        email = f"{seed_user(conn).hex}@mail.example"
        payload = AdjustmentPayload(kind="write_off", email=email, cents=20_000, reason="Both decide")
        adjustment_id = admin_actions.create_adjustment(conn, asks, payload)
    waiting = "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'"
    with (
        psycopg.connect(area.database.service_url) as ahead,
        psycopg.connect(area.database.service_url) as behind,
        ThreadPoolExecutor(1) as pool,
    ):
        admin_actions.decide_adjustment(ahead, first, adjustment_id, approve=approve)
        late = pool.submit(admin_actions.decide_adjustment, behind, second, adjustment_id, approve=approve)
        while not area.rows(waiting, behind.info.backend_pid) and not late.done():
            pass
        ahead.commit()
        with pytest.raises(AlreadyDecided):
            late.result()
        behind.commit()
    query = "SELECT actor FROM audit_log WHERE subject_id = %s ORDER BY id"
    assert area.rows(query, str(adjustment_id)) == [(asks.key_name,), (first.key_name,)]


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"email": "unknown@mail.example"}, "email", NO_PERSON),
        ({"email": ""}, "email", NO_PERSON),
        ({"email": "a\0b"}, "email", NO_PERSON),
        ({"email": "a" * 321}, "email", "Use 320 characters or fewer."),
        ({"cents": 0}, "cents", "Use more than $0."),
        ({"cents": -5}, "cents", "Use more than $0."),
        ({"cents": MAX_CENTS + 1}, "cents", "Use $1,000,000 or less."),
        ({"cents": 1.5}, "cents", NOT_WHOLE),
        ({"reason": "   "}, "reason", REQUIRED),
        ({"kind": "paid"}, "kind", NOT_A_CHOICE),
        ({"extra": 1}, "extra", UNRECOGNIZED),
    ],
)
async def test_invalid_adjustment_is_refused(
    area: AdminArea, changes: dict[str, Any], field: str, message: str
) -> None:
    with psycopg.connect(area.database.service_url) as conn:
        person = seed_user(conn)
        conn.execute("UPDATE users SET email = '' WHERE user_id = %s", [seed_user(conn)])  # a person without an address
    body = {"kind": "write_off", "email": f"{person.hex}@mail.example", "cents": 5, "reason": "Because"} | changes
    # A named holder may ask for any amount, so that only the changed field is wrong.
    staff = await _holder(area, f"Asks {seeded.person_name()}")
    error = await _send(area, "POST", "/adjustments", body, staff=staff, expect=422)
    assert (error["code"], error["fields"]) == ("validation_failed", {field: message})
    assert area.rows("SELECT FROM adjustments WHERE reason = 'Because'") == []
