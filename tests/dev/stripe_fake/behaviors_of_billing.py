"""Documented behaviors of billing: prices, Checkout, subscriptions, invoices, dunning, schedules."""

from __future__ import annotations

import datetime
from typing import Any

import httpx
import stripe

from tests.dev.stripe_fake.behaviors import behavior, refused
from tests.dev.stripe_fake.shop import (
    buy,
    buyer,
    change_to,
    checkout,
    current,
    invoice_of,
    item_of,
    plans,
    subscribe,
)
from tests.dev.stripe_fake.stripe_server import RETURN_URL, StripeServer

DAY = 86_400
STATUSES = "billing/subscriptions/overview#subscription-statuses"
PENDING = "billing/subscriptions/pending-updates"
PRORATIONS = "billing/subscriptions/prorations"


@behavior("products-prices/manage-prices#lookup-keys", sandbox=True)
def lookup_key_belongs_to_one_price(server: StripeServer) -> None:
    made = plans(server)
    product = server.client.v1.prices.retrieve(made.month).product
    price: Any = {"product": product, "currency": "usd", "unit_amount": 1_000, "recurring": {"interval": "month"}}
    price["lookup_key"] = f"{made.key}-month"
    refused("resource_already_exists", lambda: server.client.v1.prices.create(price), "already uses that lookup key")
    newer = server.client.v1.prices.create(price | {"transfer_lookup_key": True})
    found = server.client.v1.prices.list({"lookup_keys": [f"{made.key}-month", f"{made.key}-year"]}).data
    assert {one.id for one in found} == {newer.id, made.year}


@behavior("payments/checkout/build-subscriptions")
def checkout_sells_a_subscription(server: StripeServer) -> None:
    made = plans(server)
    session = checkout(server, made.month, client_reference_id="user-1", subscription_data={"metadata": {"user": "1"}})
    url, _browser = buy(session.url, email="ada@example.com")
    assert url == f"{RETURN_URL}?session={session.id}"
    expand: Any = {"expand": ["subscription", "invoice.payments", "customer"]}
    done = server.client.v1.checkout.sessions.retrieve(session.id, expand)
    assert (done.status, done.payment_status, done.client_reference_id) == ("complete", "paid", "user-1")
    assert isinstance(done.subscription, stripe.Subscription)
    assert (done.subscription.status, done.subscription.metadata.to_dict()) == ("active", {"user": "1"})
    assert isinstance(done.invoice, stripe.Invoice)
    assert (done.invoice.status, done.invoice.amount_paid, done.invoice.billing_reason) == (
        "paid", 900, "subscription_create",
    )  # fmt: skip
    assert done.invoice.payments is not None
    assert [payment.status for payment in done.invoice.payments.data] == ["paid"]
    assert isinstance(done.customer, stripe.Customer)
    assert done.customer.email == "ada@example.com"


@behavior("testing#declined-payments")
def declined_card_leaves_checkout_open(server: StripeServer) -> None:
    session = checkout(server, plans(server).month, customer=buyer(server))
    for number, words in (
        ("4000 0000 0000 0002", "Your card was declined."),
        ("4000 0000 0000 9995", "Your card has insufficient funds."),
    ):
        _url, browser = buy(session.url, number)
        assert browser.response.status_code == 402
        assert words in browser.response.text
    assert server.client.v1.checkout.sessions.retrieve(session.id).status == "open"
    assert server.client.v1.subscriptions.list({"customer": str(session.customer), "status": "all"}).data == []


@behavior("testing#regulatory-cards")
def authentication_is_asked_before_payment(server: StripeServer) -> None:
    session = checkout(server, plans(server).month, customer=buyer(server))
    _url, browser = buy(session.url, "4000 0025 0000 3155")
    assert browser.heading() == "Your bank asks you to confirm"
    browser.fill(answer="fail")
    assert "unable to authenticate" in browser.response.text
    _url, browser = buy(session.url, "4000 0025 0000 3155")
    assert browser.fill(answer="complete") == f"{RETURN_URL}?session={session.id}"


@behavior("api/checkout/sessions/expire")
def expired_checkout_sells_nothing(server: StripeServer) -> None:
    session = checkout(server, plans(server).month)
    assert server.client.v1.checkout.sessions.expire(session.id).status == "expired"
    refused("", lambda: server.client.v1.checkout.sessions.expire(session.id), "can be expired")
    _url, browser = buy(session.url)
    assert browser.response.status_code == 410


@behavior("api/checkout/sessions/create#create_checkout_session-expires_at")
def checkout_expires_after_its_time(server: StripeServer) -> None:
    month = plans(server).month
    now = server.twin("clock")["now"]
    refused("", lambda: checkout(server, month, expires_at=now + 600), "30 minutes")
    session = checkout(server, month, expires_at=now + 1_860)
    server.advance(1_900)
    assert server.client.v1.checkout.sessions.retrieve(session.id).status == "expired"


@behavior("api/customer_sessions")
def customer_session_names_the_buyer_for_half_an_hour(server: StripeServer) -> None:
    price, customer = plans(server).month, buyer(server)
    session = server.client.v1.customer_sessions.create(
        {"customer": customer, "components": {"pricing_table": {"enabled": True}}}
    )
    query = {"price": price, "reference": "user-1", "back": f"{RETURN_URL}pricing"}
    query["customer_session"] = session.client_secret

    def follow() -> httpx.Response:
        return httpx.get(f"{server.url}/pricing-table/checkout", params=query, trust_env=False, timeout=60)

    sold = server.client.v1.checkout.sessions.retrieve(follow().headers["location"].rpartition("/")[2])
    assert (sold.customer, sold.client_reference_id) == (customer, "user-1")
    assert sold.success_url == f"{RETURN_URL}pricing?checkout=success&session_id={{CHECKOUT_SESSION_ID}}"
    server.advance(1_860)
    assert follow().status_code == 404


@behavior(PRORATIONS)
def upgrade_is_prorated_to_the_second(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.month)
    item = item_of(subscription)
    at = item.current_period_start + 3 * (item.current_period_end - item.current_period_start) // 4
    server.advance(at - server.twin("clock")["now"])
    details: Any = {
        "items": [{"id": item.id, "price": made.premium_month}], "proration_behavior": "always_invoice",
        "proration_date": at,
    }  # fmt: skip
    preview = server.client.v1.invoices.create_preview(
        {"subscription": subscription.id, "subscription_details": details}
    )
    assert sorted(line.amount for line in preview.lines.data) == [-225, 475]
    changed = change_to(server, subscription, made.premium_month, proration_date=at)
    assert item_of(changed).price.id == made.premium_month
    assert item_of(changed).current_period_end == item.current_period_end
    assert invoice_of(current(server, changed)).amount_paid == preview.amount_due == 250


@behavior(f"{PRORATIONS}#when-prorations-are-applied")
def new_interval_begins_a_new_period(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.month)
    changed = change_to(server, subscription, made.year)
    item = item_of(changed)
    assert 365 * DAY <= item.current_period_end - item.current_period_start <= 366 * DAY
    assert 8_100 <= invoice_of(current(server, changed)).amount_paid <= 8_101


@behavior(PENDING)
def unpaid_upgrade_waits_for_its_invoice(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.month)
    server.advance(DAY)
    server.twin("cards", customer=str(subscription.customer), card="pm_card_chargeCustomerFail")
    held = change_to(server, subscription, made.premium_month)
    assert (held.status, item_of(held).price.id) == ("active", made.month)
    assert held.pending_update is not None
    invoice = invoice_of(current(server, subscription))
    assert invoice.status == "open"
    server.twin("cards", customer=str(subscription.customer), card="pm_card_visa")
    assert server.client.v1.invoices.pay(str(invoice.id)).status == "paid"
    applied = current(server, subscription)
    assert (item_of(applied).price.id, applied.pending_update) == (made.premium_month, None)


@behavior(PENDING)
def pending_update_expires_after_23_hours(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.month)
    server.advance(DAY)
    server.twin("cards", customer=str(subscription.customer), card="pm_card_chargeCustomerFail")
    change_to(server, subscription, made.premium_month)
    server.advance(23 * 3600 + 60)
    expired = current(server, subscription)
    assert (expired.pending_update, item_of(expired).price.id) == (None, made.month)
    assert invoice_of(expired).status == "void"


@behavior("billing/subscriptions/pending-updates-reference")
def pending_update_takes_no_metadata(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.month)
    refused("", lambda: change_to(server, subscription, made.premium_month, metadata={"outbox": "1"}), "metadata")


@behavior("billing/subscriptions/cancel")
def subscription_ends_with_its_period(server: StripeServer) -> None:
    subscription = subscribe(server, plans(server).month)
    update = server.client.v1.subscriptions.update
    kept = update(subscription.id, {"cancel_at_period_end": True})
    assert (kept.status, kept.cancel_at) == ("active", item_of(subscription).current_period_end)
    assert update(subscription.id, {"cancel_at_period_end": False}).cancel_at is None
    update(subscription.id, {"cancel_at_period_end": True})
    server.advance(32 * DAY)
    ended = current(server, subscription)
    assert (ended.status, ended.ended_at) == ("canceled", item_of(subscription).current_period_end)


@behavior("api/subscriptions/list")
def ended_subscriptions_are_listed_only_on_request(server: StripeServer) -> None:
    subscription = subscribe(server, plans(server).month)
    assert server.client.v1.subscriptions.cancel(subscription.id).status == "canceled"
    params: Any = {"customer": subscription.customer}
    assert server.client.v1.subscriptions.list(params).data == []
    assert len(server.client.v1.subscriptions.list(params | {"status": "all"}).data) == 1
    refused("resource_missing", lambda: server.client.v1.subscriptions.cancel(subscription.id))


@behavior("billing/invoices/subscription#update-subscriptions")
def renewal_is_a_draft_for_an_hour(server: StripeServer) -> None:
    subscription = subscribe(server, plans(server).month)
    server.advance(item_of(subscription).current_period_end - server.twin("clock")["now"] + 60)
    assert invoice_of(current(server, subscription)).status == "draft"
    server.advance(3_600)
    renewed = current(server, subscription)
    invoice = invoice_of(renewed)
    assert (renewed.status, invoice.status, invoice.billing_reason) == ("active", "paid", "subscription_cycle")
    assert str(invoice.number).endswith("-0002")


@behavior("billing/revenue-recovery/smart-retries")
def failed_renewal_is_retried_then_canceled(server: StripeServer) -> None:
    subscription = subscribe(server, plans(server).month)
    server.twin("cards", customer=str(subscription.customer), card="pm_card_chargeCustomerFail")
    end = item_of(subscription).current_period_end
    server.advance(end - server.twin("clock")["now"] + 2 * 3_600)
    failed = current(server, subscription)
    assert failed.status == "past_due"
    assert (invoice_of(failed).attempt_count, invoice_of(failed).next_payment_attempt) == (1, end + 3_600 + DAY)
    server.advance(13 * DAY)
    assert current(server, subscription).status == "past_due"
    server.advance(2 * DAY)
    ended = current(server, subscription)
    assert ended.status == "canceled"
    assert ended.cancellation_details is not None
    assert ended.cancellation_details.reason == "payment_failed"
    assert invoice_of(ended).attempt_count == 8


@behavior("billing/revenue-recovery/smart-retries")
def paid_retry_recovers_the_subscription(server: StripeServer) -> None:
    subscription = subscribe(server, plans(server).month)
    server.twin("cards", customer=str(subscription.customer), card="pm_card_chargeCustomerFail")
    server.advance(item_of(subscription).current_period_end - server.twin("clock")["now"] + 2 * 3_600)
    assert current(server, subscription).status == "past_due"
    server.twin("cards", customer=str(subscription.customer), card="pm_card_visa")
    server.advance(DAY)
    assert current(server, subscription).status == "active"


@behavior(STATUSES)
def incomplete_subscription_expires_after_23_hours(server: StripeServer) -> None:
    subscription = subscribe(server, plans(server).month, "pm_card_chargeCustomerFail")
    assert subscription.status == "incomplete"
    server.advance(23 * 3_600 + 60)
    expired = current(server, subscription)
    assert (expired.status, invoice_of(expired).status) == ("incomplete_expired", "void")


@behavior("api/subscriptions/create#create_subscription-payment_behavior")
def error_if_incomplete_creates_nothing(server: StripeServer) -> None:
    month, customer = plans(server).month, buyer(server, "pm_card_chargeCustomerFail")
    params: Any = {"customer": customer, "items": [{"price": month}], "payment_behavior": "error_if_incomplete"}
    error = refused("card_declined", lambda: server.client.v1.subscriptions.create(params))
    assert isinstance(error, stripe.CardError)
    assert server.client.v1.subscriptions.list({"customer": customer, "status": "all"}).data == []


@behavior("billing/subscriptions/subscription-schedules")
def schedule_changes_the_price_at_period_end(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.premium_month)
    schedule = server.client.v1.subscription_schedules.create({"from_subscription": subscription.id})
    now = schedule.phases[0]
    phases: Any = [
        {"items": [{"price": made.premium_month}], "start_date": now.start_date, "end_date": now.end_date},
        {"items": [{"price": made.month}], "duration": {"interval": "month", "interval_count": 1}},
    ]
    server.client.v1.subscription_schedules.update(schedule.id, {"phases": phases, "end_behavior": "release"})
    refused(
        "", lambda: server.client.v1.subscriptions.update(subscription.id, {"cancel_at_period_end": True}), "managed"
    )
    assert item_of(current(server, subscription)).price.id == made.premium_month
    server.advance(now.end_date - server.twin("clock")["now"] + 2 * 3_600)
    changed = current(server, subscription)
    assert (item_of(changed).price.id, invoice_of(changed).amount_paid) == (made.month, 900)
    server.advance(33 * DAY)
    assert server.client.v1.subscription_schedules.retrieve(schedule.id).status == "released"
    assert (current(server, subscription).schedule, current(server, subscription).status) == (None, "active")


@behavior("billing/subscriptions/subscription-schedules#releasing-a-schedule")
def released_schedule_leaves_the_price(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.premium_month)
    schedule = server.client.v1.subscription_schedules.create({"from_subscription": subscription.id})
    assert server.client.v1.subscription_schedules.release(schedule.id).status == "released"
    server.advance(32 * DAY)
    assert item_of(current(server, subscription)).price.id == made.premium_month


@behavior("billing/subscriptions/billing-cycle")
def period_from_the_31st_ends_with_shorter_months(server: StripeServer) -> None:
    def day_of(at: int) -> datetime.date:
        return datetime.datetime.fromtimestamp(at, datetime.UTC).date()

    def now() -> int:
        return int(server.twin("clock")["now"])

    while day_of(now()).day != 31:  # at most two months away: each day renews what the other tests bought
        server.advance(DAY)
    month = day_of(now()).month
    subscription = subscribe(server, plans(server).month)
    ends = []
    for _ in range(4):
        end = item_of(current(server, subscription)).current_period_end
        ends.append((day_of(end).month, (day_of(end) + datetime.timedelta(days=1)).day))
        server.advance(end - now() + 60)
    # On the last day of each month, also after one that was shorter.
    assert ends == [((month + later - 1) % 12 + 1, 1) for later in range(1, 5)]


@behavior("billing/customer/balance")
def credit_of_a_downgrade_pays_the_next_invoice(server: StripeServer) -> None:
    made = plans(server)
    subscription = subscribe(server, made.premium_month)
    change_to(server, subscription, made.month, proration_date=item_of(subscription).current_period_start)
    customer = server.client.v1.customers.retrieve(str(subscription.customer))
    assert customer.balance == -1_000
    preview = server.client.v1.invoices.create_preview({"subscription": subscription.id})
    assert (preview.total, preview.amount_due) == (900, 0)


@behavior("customer-management/integrate-customer-portal")
def portal_session_belongs_to_a_customer(server: StripeServer) -> None:
    refused("resource_missing", lambda: server.client.v1.billing_portal.sessions.create({"customer": "cus_unknown"}))
    session = server.client.v1.billing_portal.sessions.create({"customer": buyer(server), "return_url": RETURN_URL})
    assert session.url.startswith(server.url)
