"""The deletion of an account with money: refused while any is open, and what stays for the books afterwards."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from typing import Any

import httpx
import psycopg

from porchlight.features.payouts.settlement.account import AccountRule
from porchlight.money.posting import Leg, get_or_create_account, post
from porchlight.settlement.reconcile.run import reconcile
from porchlight.worker.maintenance import purge_expired
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.documents.users import GuruUser, create_guru_user
from tests.porchlight.money.ledger import new_subject
from tests.porchlight.payouts.conftest import connect, connected
from tests.porchlight.settlement.both_sides import RULES, BothSides, ConnectedGuru, source

BALANCE = "You still have money in your balance. You can delete your account once it has been paid out."
DEBT = "A refund left your balance below zero. You can delete your account once that is settled."
PAYOUT = "A payout is still on its way to your bank. You can delete your account once it has arrived."

ACCOUNT = """
SELECT connected, charges_enabled, payouts_enabled, details_submitted, currently_due, destinations
  FROM payout_accounts WHERE user_id = %s"""


async def delete(user: GuruUser) -> tuple[int, str]:
    """Delete the account. Return the status and the words of the refusal."""
    response = await user.web.delete("/api/auth/account", headers=user.headers())
    error = response.json().get("error", {})
    assert error.get("code", "money_open") == "money_open"
    return response.status_code, error.get("message", "")


async def pay_out(user: GuruUser, sides: BothSides) -> str:
    """Pay everything out, until it is at the bank. Return the payout's id at Stripe."""
    account = connected_to(sides, user)
    code, payout_id, _ = sides.request(account)
    assert code == "created"
    sides.run("UPDATE payouts SET last4 = '6789' WHERE id = %s", payout_id)
    assert await delete(user) == (409, PAYOUT)
    await sides.settlement.send_due()
    assert sides.payout_state(payout_id) == ("sent", "")
    assert await delete(user) == (409, PAYOUT)
    sides.control("clock", advance_s=61)
    (payout,) = sides.objects("payout", account=account.account_id)
    with psycopg.connect(sides.database.service_url) as conn:
        found = RULES.object_rule({"type": "payout.paid", "account": account.account_id, "data": {"object": payout}})
        assert found is not None
        found[0].apply(conn, payout["id"], payout, source(account.account_id))
    assert sides.payout_state(payout_id) == ("paid", "")
    return str(payout["id"])


async def test_deletion_waits_until_money_is_paid_out(guru: GuruUser, sides: BothSides) -> None:
    assert await delete(guru) == (409, BALANCE)
    await pay_out(guru, sides)
    assert await delete(guru) == (200, "")


async def test_deletion_waits_for_held_money_and_debt(guru: GuruUser, sides: BothSides) -> None:
    await pay_out(guru, sides)
    with psycopg.connect(sides.database.service_url) as conn:
        card = get_or_create_account(conn, "card_network")
        held = get_or_create_account(conn, "guru_held", user_id=guru.user_id)
        payable = get_or_create_account(conn, "guru_payable", user_id=guru.user_id)
        post(conn, "paid", new_subject("payment"), [Leg(card, held, 500)])
        conn.commit()
        assert await delete(guru) == (409, BALANCE)
        post(conn, "refunded", new_subject("refund"), [Leg(held, card, 500)])
        conn.commit()
        post(conn, "refunded", new_subject("refund"), [Leg(payable, card, 700)])
        conn.commit()
        assert await delete(guru) == (409, DEBT)
        post(conn, "tip_paid", new_subject("payment"), [Leg(card, payable, 1_000)])
        conn.commit()
        assert await delete(guru) == (409, BALANCE)
        post(conn, "refunded", new_subject("refund"), [Leg(payable, card, 300)])
    assert await delete(guru) == (200, "")


async def test_amounts_stay_without_personal_data(guru: GuruUser, sides: BothSides, database: Database) -> None:
    account = connected_to(sides, guru)
    po_id = await pay_out(guru, sides)
    before = sides.one("SELECT amount, fee, last4 FROM payouts WHERE po_id = %s", po_id)
    assert before[2] == "6789"
    entries = "SELECT count(*) FROM ledger_transactions WHERE stripe_object = %s"
    posted = sides.one(entries, po_id)
    assert await delete(guru) == (200, "")
    assert sides.one(ACCOUNT, guru.user_id) == (True, False, False, False, [], [])
    kept = sides.one("SELECT amount, fee, last4, destination FROM payouts WHERE po_id = %s", po_id)
    assert kept == (*before[:2], "", "")
    assert sides.one(entries, po_id) == posted
    # A later event about the account brings nothing back.
    fetched = sides.v1("GET", f"/v1/accounts/{account.account_id}")
    with psycopg.connect(database.service_url) as conn:
        AccountRule().apply(conn, account.account_id, fetched, source())
    assert sides.one(ACCOUNT, guru.user_id) == (True, False, False, False, [], [])
    with psycopg.connect(database.service_url) as conn:
        AccountRule().apply(conn, account.account_id, None, source())
    assert sides.one(ACCOUNT, guru.user_id)[0] is False
    # The books still know whose Stripe account it was, also when the user's row could be deleted.
    sides.run("UPDATE users SET updated_at = app.now() - interval '60 days' WHERE user_id = %s", guru.user_id)
    purge_expired(database.service_url)
    assert sides.one("SELECT email FROM users WHERE user_id = %s", guru.user_id) == ("",)
    report = await reconcile(database.service_url, sides.api, [account.account_id])
    assert [one for one in report.findings if one.account in (account.account_id, "?")] == []


async def test_unused_payout_account_is_deleted(
    web: httpx.AsyncClient, emulator: Emulator, service_db: psycopg.Connection[Any], sides: BothSides
) -> None:
    user = await create_guru_user(web, emulator, service_db, "Cleo Cole")
    await connect(user, sides)
    assert await delete(user) == (200, "")
    assert sides.one("SELECT count(*) FROM payout_accounts WHERE user_id = %s", user.user_id) == (0,)


async def test_export_with_open_money_is_complete(guru: GuruUser, sides: BothSides) -> None:
    await pay_out(guru, sides)
    sides.earn(connected_to(sides, guru), 1_000)
    assert await delete(guru) == (409, BALANCE)
    response = await guru.web.get("/api/auth/export", headers=guru.headers())
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    (account,) = json.loads(archive.read("payout_accounts.json"))
    assert account["account_id"] == connected_to(sides, guru).account_id
    (payout,) = json.loads(archive.read("payouts.json"))
    assert (payout["last4"], payout["state"]) == ("6789", "paid")
    readme = archive.read("README.txt").decode()
    assert all(name in readme for name in ("payout_accounts.json", "payouts.json", "plan_disputes.json"))


async def test_payout_during_deletion_is_refused(guru: GuruUser, sides: BothSides, database: Database) -> None:
    """A request that waits for the deletion finds no account."""
    await pay_out(guru, sides)
    account = connected_to(sides, guru)
    found: list[Any] = []
    with psycopg.connect(database.app_url) as deletion:
        deletion.execute("SELECT set_config('app.user_id', %s, true)", [str(guru.user_id)])
        assert deletion.execute("SELECT app.open_money()").fetchone() == (None,)
        sides.earn(account, 5_000)  # what arrives meanwhile cannot be paid out
        waiting = threading.Thread(target=lambda: found.append(sides.request(account)))
        waiting.start()
        blocked = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while sides.one(blocked) == (0,):
            assert waiting.is_alive()
        deletion.execute("UPDATE users SET status = 'erased', email = '' WHERE user_id = %s", [guru.user_id])
    waiting.join()
    assert [code for code, _, _ in found] == ["not_connected_yet"]


def connected_to(sides: BothSides, user: GuruUser) -> ConnectedGuru:
    """Return the user's account at the fake Stripe."""
    with psycopg.connect(sides.database.service_url) as conn:
        return connected(conn, user)
