"""Plans and buyers for the tests of billing."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import stripe

from tests.dev.stripe_fake.stripe_server import RETURN_URL, StripeServer
from tests.porchlight.payouts.stripe_fake import Browser

CARD = {"expiry": "12/34", "cvc": "123", "name": "Ada Alvarez"}


@dataclass(frozen=True)
class Plans:
    """Prices of two products, with lookup keys of their own."""

    month: str
    year: str
    premium_month: str
    key: str


def plans(server: StripeServer) -> Plans:
    """Create prices of $9 and $19 a month and $90 a year."""
    key = uuid.uuid4().hex[:8]
    client = server.client.v1
    basic, premium = (client.products.create({"name": name}).id for name in ("Skill Sharer", "Premium Angel"))

    def price(product: str, cents: int, interval: str, name: str) -> str:
        params: Any = {
            "product": product, "currency": "usd", "unit_amount": cents,
            "recurring": {"interval": interval}, "lookup_key": f"{key}-{name}",
        }  # fmt: skip
        return client.prices.create(params).id

    return Plans(
        price(basic, 900, "month", "month"),
        price(basic, 9_000, "year", "year"),
        price(premium, 1_900, "month", "premium"),
        key,
    )


def buyer(server: StripeServer, card: str = "pm_card_visa") -> str:
    """Create a customer with a card."""
    params: Any = {
        "email": "ada@example.com", "payment_method": card, "invoice_settings": {"default_payment_method": card},
    }  # fmt: skip
    return server.client.v1.customers.create(params).id


def subscribe(server: StripeServer, price: str, card: str = "pm_card_visa", **more: Any) -> stripe.Subscription:
    """Create a customer and a subscription."""
    params: Any = {"customer": buyer(server, card), "items": [{"price": price}]} | more
    return server.client.v1.subscriptions.create(params)


def item_of(subscription: stripe.Subscription) -> stripe.SubscriptionItem:
    """Return the only item of a subscription."""
    items: Any = subscription["items"]
    item: stripe.SubscriptionItem = items.data[0]
    return item


def change_to(server: StripeServer, subscription: stripe.Subscription, price: str, **more: Any) -> stripe.Subscription:
    """Change the price of a subscription at once, if the difference is paid."""
    params: Any = {
        "items": [{"id": item_of(subscription).id, "price": price}],
        "proration_behavior": "always_invoice", "payment_behavior": "pending_if_incomplete",
    }  # fmt: skip
    return server.client.v1.subscriptions.update(subscription.id, params | more)


def current(server: StripeServer, subscription: stripe.Subscription) -> stripe.Subscription:
    """Fetch a subscription with its latest invoice."""
    return server.client.v1.subscriptions.retrieve(subscription.id, {"expand": ["latest_invoice"]})


def invoice_of(subscription: stripe.Subscription) -> stripe.Invoice:
    """Return the expanded latest invoice."""
    assert isinstance(subscription.latest_invoice, stripe.Invoice)
    return subscription.latest_invoice


def checkout(server: StripeServer, price: str, **more: Any) -> stripe.checkout.Session:
    """Create a Checkout session."""
    params: Any = {
        "mode": "subscription", "line_items": [{"price": price, "quantity": 1}],
        "success_url": f"{RETURN_URL}?session={{CHECKOUT_SESSION_ID}}", "cancel_url": RETURN_URL,
    }  # fmt: skip
    return server.client.v1.checkout.sessions.create(params | more)


def buy(url: str | None, number: str = "4242 4242 4242 4242", **more: str) -> tuple[str, Browser]:
    """Open a Checkout page and submit a card; return where that leads, and the browser."""
    browser = Browser()
    browser.open(str(url))
    return browser.fill(number=number, **CARD, **more), browser


def sell_once(server: StripeServer, *cents: int, **more: Any) -> stripe.checkout.Session:
    """Create a Checkout session that sells a line for each amount."""
    lines = [
        {"price_data": {"currency": "usd", "unit_amount": each, "product_data": {"name": f"Lesson {n}"}}, "quantity": 1}
        for n, each in enumerate(cents, 1)
    ]
    params: Any = {
        "mode": "payment", "line_items": lines, "success_url": f"{RETURN_URL}?session={{CHECKOUT_SESSION_ID}}",
        "cancel_url": RETURN_URL,
    }  # fmt: skip
    return server.client.v1.checkout.sessions.create(params | more)


def save_card(server: StripeServer, customer: str, number: str = "4242 4242 4242 4242") -> tuple[str, Browser]:
    """Store a card of a customer by a setup session; return the session's id, and the browser."""
    params: Any = {"mode": "setup", "currency": "usd", "customer": customer, "success_url": RETURN_URL}
    session = server.client.v1.checkout.sessions.create(params)
    return session.id, buy(session.url, number)[1]


def sold(server: StripeServer, session: str) -> stripe.checkout.Session:
    """Fetch a session with its payment down to the balance."""
    expand: Any = {"expand": ["payment_intent.latest_charge.balance_transaction"]}
    return server.client.v1.checkout.sessions.retrieve(session, expand)


def intent_of(session: stripe.checkout.Session) -> stripe.PaymentIntent:
    """Return the expanded payment intent of a session."""
    assert isinstance(session.payment_intent, stripe.PaymentIntent)
    return session.payment_intent


def charge_of(session: stripe.checkout.Session) -> stripe.Charge:
    """Return the expanded charge of a session."""
    charge = intent_of(session).latest_charge
    assert isinstance(charge, stripe.Charge)
    return charge


def charge_later(server: StripeServer, customer: str, method: str, **more: Any) -> stripe.PaymentIntent:
    """Charge a stored card of a customer who is away."""
    params: Any = {
        "amount": 7_500, "currency": "usd", "customer": customer, "payment_method": method, "confirm": True,
        "off_session": True,
    }  # fmt: skip
    return server.client.v1.payment_intents.create(params | more)


def events_of(server: StripeServer, *ids: str) -> list[str]:
    """Return the types of the events about objects, and about charges and refunds of payment intents, oldest first."""
    return [
        event["type"]
        for event in server.look("objects", type="event")
        if {event["data"]["object"].get("id"), event["data"]["object"].get("payment_intent")} & set(ids)
    ]
