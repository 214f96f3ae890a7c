"""Documented behaviors of money: charges, transfers, refunds, disputes, balances, payouts."""

from __future__ import annotations

from typing import Any

import stripe

from tests.dev.stripe_fake.behaviors import behavior, on, refused
from tests.dev.stripe_fake.stripe_server import StripeServer
from tests.porchlight.payouts.stripe_fake import Browser

DAY = 86_400
CHARGES = "connect/separate-charges-and-transfers"
INSTANT = "connect/instant-payouts"


def pay_out(server: StripeServer, account: str, amount: int, **more: Any) -> stripe.Payout:
    params: Any = {"amount": amount, "currency": "usd"} | more
    return server.client.v1.payouts.create(params, on(account))


def transfer(server: StripeServer, account: str, amount: int, **more: Any) -> stripe.Transfer:
    params: Any = {"amount": amount, "currency": "usd", "destination": account} | more
    return server.client.v1.transfers.create(params)


def available(server: StripeServer, account: str = "") -> tuple[int, int]:
    """Return available and pending cents."""
    balance = server.client.v1.balance.retrieve({}, on(account) if account else {})
    return balance.available[0].amount, balance.pending[0].amount


def lines(server: StripeServer, account: str = "", **filters: Any) -> list[tuple[str, int, int]]:
    """Return type, amount and fee of balance transactions, oldest first."""
    params: Any = {"limit": 100} | filters
    found = server.client.v1.balance_transactions.list(params, on(account) if account else {})
    return [(line.type, line.amount, line.fee) for line in found.data][::-1]


def charge(server: StripeServer, amount: int, **more: Any) -> str:
    return str(server.twin("charges", amount=amount, **more)["charge"]["id"])


@behavior("payments/balances")
def card_funds_are_pending_for_two_days(server: StripeServer) -> None:
    before = available(server)
    made = server.client.v1.charges.retrieve(charge(server, 10_000, pending=True), {"expand": ["balance_transaction"]})
    line = made.balance_transaction
    assert isinstance(line, stripe.BalanceTransaction)
    assert (line.amount, line.fee, line.net, line.status) == (10_000, 320, 9_680, "pending")
    assert available(server) == (before[0], before[1] + 9_680)
    server.advance(2 * DAY + 60)
    assert server.client.v1.balance_transactions.retrieve(line.id).status == "available"


@behavior(CHARGES)
def transfer_needs_available_funds(server: StripeServer) -> None:
    account = server.connected_account()
    refused("balance_insufficient", lambda: transfer(server, account, 99_999_999))


@behavior(CHARGES)
def transfer_of_a_charge_waits_for_its_funds(server: StripeServer) -> None:
    account, source = server.connected_account(), charge(server, 10_000, pending=True)
    made = transfer(server, account, 9_000, source_transaction=source, metadata={"outbox": "1"})
    assert made.metadata.to_dict() == {"outbox": "1"}
    assert available(server, account) == (0, 9_000)
    server.advance(2 * DAY + 60)
    assert (
        available(server, account)[0] + sum(amount for kind, amount, _ in lines(server, account) if kind == "payout")
        >= 0
    )
    assert ("payment", 9_000, 0) in lines(server, account)


@behavior(CHARGES)
def transfers_never_exceed_their_charge(server: StripeServer) -> None:
    account, source = server.connected_account(), charge(server, 10_000)
    transfer(server, account, 6_000, source_transaction=source)
    refused("balance_insufficient", lambda: transfer(server, account, 4_001, source_transaction=source))
    assert transfer(server, account, 4_000, source_transaction=source).amount == 4_000


@behavior(CHARGES)
def transfer_group_finds_transfers(server: StripeServer) -> None:
    account = server.connected_account()
    made = transfer(server, account, 100, source_transaction=charge(server, 1_000), transfer_group=f"booking_{account}")
    found = server.client.v1.transfers.list({"transfer_group": f"booking_{account}"}).data
    assert [one.id for one in found] == [made.id]
    assert isinstance(made.destination_payment, str)
    payment = server.client.v1.charges.retrieve(made.destination_payment, {}, on(account))
    assert (payment.id[:3], payment.amount) == ("py_", 100)


@behavior("error-codes#insufficient-capabilities-for-transfer")
def unfinished_account_receives_no_transfer(server: StripeServer) -> None:
    params: Any = {"contact_email": "a@example.com", "dashboard": "express", "identity": {"country": "us"}}
    account = server.client.v2.core.accounts.create(params).id
    source = charge(server, 1_000)
    refused("insufficient_capabilities_for_transfer", lambda: transfer(server, account, 100, source_transaction=source))


@behavior("api/transfer_reversals/create")
def reversals_add_up_to_the_transfer(server: StripeServer) -> None:
    account = server.connected_account()
    made = server.earn(account, 5_000)["transfer"]["id"]
    reverse = server.client.v1.transfers.reversals.create
    assert reverse(made, {"amount": 2_000}).amount == 2_000
    refused("amount_too_large", lambda: reverse(made, {"amount": 3_001}))
    assert reverse(made).amount == 3_000
    assert server.client.v1.transfers.retrieve(made).reversed
    assert available(server, account) == (0, 0)


@behavior("api/transfer_reversals/create")
def reversal_needs_funds_of_the_account(server: StripeServer) -> None:
    account = server.connected_account()
    made = server.earn(account, 5_000)["transfer"]["id"]
    pay_out(server, account, 5_000)
    refused("balance_insufficient", lambda: server.client.v1.transfers.reversals.create(made))


@behavior("refunds")
def refunds_never_exceed_their_charge(server: StripeServer) -> None:
    source = charge(server, 3_000)
    refund = server.client.v1.refunds.create
    assert refund({"charge": source, "amount": 1_000}).status == "succeeded"
    refused("amount_too_large", lambda: refund({"charge": source, "amount": 2_001}))
    assert refund({"charge": source}).amount == 2_000
    refused("charge_already_refunded", lambda: refund({"charge": source}))
    assert server.client.v1.charges.retrieve(source).refunded
    assert ("refund", -2_000, 0) in lines(server)


@behavior("refunds#failed-refunds")
def failed_refund_returns_to_the_balance(server: StripeServer) -> None:
    made = server.client.v1.refunds.create({"charge": charge(server, 3_000)})
    before = sum(available(server))
    server.twin(f"refunds/{made.id}/fail")
    assert sum(available(server)) == before + 3_000
    failed = server.client.v1.refunds.retrieve(made.id)
    assert (failed.status, failed.failure_reason) == ("failed", "lost_or_stolen_card")


@behavior("disputes/how-disputes-work")
def dispute_withdraws_amount_and_fee(server: StripeServer) -> None:
    source = charge(server, 4_000)
    before = sum(available(server))
    dispute = server.twin("disputes", charge=source)
    assert sum(available(server)) == before - 4_000 - 1_500
    refused("charge_disputed", lambda: server.client.v1.refunds.create({"charge": source}))
    server.twin("disputes", dispute=dispute["id"], status="won")
    assert sum(available(server)) == before - 1_500
    assert server.client.v1.disputes.retrieve(dispute["id"]).status == "won"


@behavior("testing#disputes")
def winning_evidence_wins_a_dispute(server: StripeServer) -> None:
    source = charge(server, 4_000, card="pm_card_createDispute")
    dispute = server.client.v1.disputes.list({"charge": source}).data[0]
    assert (dispute.status, dispute.reason) == ("needs_response", "fraudulent")
    decided = server.client.v1.disputes.update(dispute.id, {"evidence": {"uncategorized_text": "winning_evidence"}})
    assert decided.status == "won"


@behavior(INSTANT)
def card_funds_are_instantly_available(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 20_000, pending=True)
    expand: Any = {"expand": ["instant_available.net_available"]}
    balance = server.client.v1.balance.retrieve(expand, on(account))
    assert balance.available[0].amount == 0
    assert balance.instant_available is not None
    instant = balance.instant_available[0]
    assert instant.net_available is not None
    assert (instant.amount, instant.net_available[0].amount) == (20_000, 19_704)
    payout = pay_out(server, account, 19_704, method="instant")
    assert payout.application_fee_amount == 296
    assert lines(server, account)[-3:] == [
        ("advance", 20_000, 0), ("advance_funding", -20_000, 0), ("payout", -19_704, 296),
    ]  # fmt: skip
    assert available(server, account) == (0, 0)


@behavior(INSTANT)
def net_available_appears_only_when_expanded(server: StripeServer) -> None:
    account = server.connected_account()
    balance = server.client.v1.balance.retrieve({}, on(account)).to_dict()
    assert "net_available" not in balance["instant_available"][0]


@behavior(f"{INSTANT}#monetization-and-fees")
def instant_payout_pays_the_platform_fee(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 20_000)
    payout = pay_out(server, account, 10_000, method="instant")
    assert isinstance(payout.application_fee, str)
    fee = server.client.v1.application_fees.retrieve(payout.application_fee)
    assert (fee.amount, fee.account) == (150, account)
    assert fee.fee_source is not None
    assert (fee.fee_source.type, fee.fee_source.payout) == ("payout", payout.id)
    assert lines(server, account)[-1] == ("payout", -10_000, 150)
    assert available(server, account) == (9_850, 0)
    assert ("application_fee", 150, 0) in lines(server)


@behavior(f"{INSTANT}#external-account-eligibility")
def instant_payout_needs_an_eligible_account(server: StripeServer) -> None:
    account = server.connected_account(external_account="000555555559")
    server.earn(account, 5_000)
    refused("instant_payouts_unsupported", lambda: pay_out(server, account, 1_000, method="instant"))
    dashboard = Browser()
    dashboard.open(server.client.v1.accounts.login_links.create(account).url)
    dashboard._client.post(f"{dashboard.response.url}/cards", data={"number": "4000 0566 5566 5556"})
    listed = server.client.v1.accounts.external_accounts.list(account, {"object": "card"}).data
    assert [card.available_payout_methods for card in listed] == [["standard", "instant"]]
    assert pay_out(server, account, 1_000, method="instant").type == "card"


@behavior("error-codes#instant-payouts-limit-exceeded")
def platform_has_a_daily_volume_limit(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 50_000)
    server.twin("pricing", instant_daily_limit=1)
    refused("instant_payouts_limit_exceeded", lambda: pay_out(server, account, 10_000, method="instant"))
    server.twin("pricing", instant_daily_limit=0)
    assert pay_out(server, account, 10_000, method="instant").id


@behavior("error-codes#balance-insufficient")
def payout_needs_available_funds(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 5_000, pending=True)
    refused("balance_insufficient", lambda: pay_out(server, account, 5_000))


@behavior("error-codes#payouts-not-allowed")
def account_with_open_requirements_is_not_paid(server: StripeServer) -> None:
    account = server.connected_account(external_account="000111111113")
    refused("payouts_not_allowed", lambda: pay_out(server, account, 100))


@behavior("api/payouts/object")
def payout_is_pending_then_in_transit_then_paid(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 5_000)
    payout = pay_out(server, account, 1_000, method="instant", metadata={"outbox": "1"})
    states = [payout.status]
    for seconds in (6, 60):
        server.advance(seconds)
        states.append(server.client.v1.payouts.retrieve(payout.id, {}, on(account)).status)
    assert states == ["pending", "in_transit", "paid"]
    events = server.client.v1.events.list({"types": ["payout.*"]}, on(account)).data
    assert [event.type for event in events] == ["payout.paid", "payout.updated", "payout.created"]
    assert all(event.account == account for event in events)


@behavior("connect/testing#account-numbers")
def payout_to_unknown_bank_account_fails(server: StripeServer) -> None:
    account = server.connected_account(external_account="000111111116")
    server.earn(account, 5_000)
    payout = pay_out(server, account, 5_000)
    assert available(server, account) == (0, 0)
    server.advance(2 * DAY + 60)
    failed = server.client.v1.payouts.retrieve(payout.id, {}, on(account))
    assert (failed.status, failed.failure_code) == ("failed", "no_account")
    assert ("payout_failure", 5_000, 0) in lines(server, account)
    assert available(server, account) == (5_000, 0)


@behavior("api/payouts/object#payout_object-status")
def paid_payout_can_still_fail(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 5_000)
    payout = pay_out(server, account, 5_000, method="standard")
    server.advance(2 * DAY + 60)
    assert server.client.v1.payouts.retrieve(payout.id, {}, on(account)).status == "paid"
    server.twin(f"payouts/{payout.id}/fail")
    assert server.client.v1.payouts.retrieve(payout.id, {}, on(account)).failure_code == "account_closed"


@behavior("api/payouts/cancel")
def only_pending_payouts_can_be_canceled(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 5_000)
    first, second = (pay_out(server, account, 1_000, method="instant") for _ in range(2))
    assert server.client.v1.payouts.cancel(first.id, {}, on(account)).status == "canceled"
    server.advance(10)
    refused("payout_not_pending", lambda: server.client.v1.payouts.cancel(second.id, {}, on(account)))


@behavior("payouts/reconciliation")
def daily_schedule_pays_out_and_lists_its_lines(server: StripeServer) -> None:
    account = server.connected_account()
    server.earn(account, 5_000)
    server.advance(DAY + 60)
    payout = server.client.v1.payouts.list({}, on(account)).data[0]
    assert (payout.automatic, payout.amount) == (True, 5_000)
    assert lines(server, account, payout=payout.id) == [("payment", 5_000, 0), ("payout", -5_000, 0)]


@behavior("api/balance-settings")
def manual_schedule_keeps_the_balance(server: StripeServer) -> None:
    account = server.connected_account()
    settings = server.client.v1.balance_settings
    found = settings.retrieve({}, on(account))
    assert found.payments.payouts is not None
    assert found.payments.payouts.schedule is not None
    assert found.payments.payouts.schedule.interval == "daily"
    settings.update({"payments": {"payouts": {"schedule": {"interval": "manual"}}}}, on(account))
    server.earn(account, 5_000)
    server.advance(3 * DAY)
    assert available(server, account) == (5_000, 0)
    assert server.client.v1.payouts.list({}, on(account)).data == []


@behavior("api/balance-settings/update")
def weekly_schedule_needs_days(server: StripeServer) -> None:
    account = server.connected_account()
    update = server.client.v1.balance_settings.update
    weekly: Any = {"payments": {"payouts": {"schedule": {"interval": "weekly"}}}}
    refused("", lambda: update(weekly, on(account)), "weekly_payout_days")
    weekly["payments"]["payouts"]["schedule"]["weekly_payout_days"] = ["monday"]
    changed = update(weekly, on(account)).payments.payouts
    assert changed is not None
    assert changed.schedule is not None
    assert changed.schedule.weekly_payout_days == ["monday"]
    server.earn(account, 5_000)
    server.advance(8 * DAY)
    assert len(server.client.v1.payouts.list({}, on(account)).data) == 1
