"""The hosted pages of money: Express dashboard, Checkout, Customer Portal, invoices, and the pricing table."""

from __future__ import annotations

import contextlib
import io
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pikepdf
import pytest
from playwright.async_api import Browser as Chromium

from tests.dev.stripe_fake.shop import (
    CARD,
    buy,
    buyer,
    checkout,
    current,
    intent_of,
    item_of,
    plans,
    sell_once,
    sold,
    subscribe,
)
from tests.dev.stripe_fake.stripe_server import RETURN_URL, StripeServer
from tests.e2e.browser_session import assert_accessible, visitor_page
from tests.porchlight.payouts.stripe_fake import Browser

DAY = 86_400


def dashboard(server: StripeServer, account: str) -> Browser:
    browser = Browser()
    browser.open(server.client.v1.accounts.login_links.create(account).url)
    return browser


def submit(browser: Browser, path: str, **fields: str) -> None:
    """Submit the form of the current page that leads to `path`."""
    browser.response = browser._client.post(f"{str(browser.response.url).split('?')[0]}{path}", data=fields)
    browser._follow()


def test_test_earnings_become_a_balance_and_a_payout(stripe_server: StripeServer) -> None:
    account = stripe_server.connected_account()
    page = dashboard(stripe_server, account)
    submit(page, "/earnings", amount="$1,120.5")
    assert "<dt>Available</dt><dd>$1,120.50</dd>" in page.response.text
    transfer = stripe_server.client.v1.transfers.list({"destination": account}).data[0]
    assert transfer.metadata.to_dict() == {"porchlight_test_earnings": "1"}
    params: Any = {"amount": 100_000, "currency": "usd", "method": "instant"}
    stripe_server.client.v1.payouts.create(params, {"stripe_account": account})
    page = dashboard(stripe_server, account)
    assert "<td>$1,000.00</td>" in page.response.text
    assert "<dt>Available</dt><dd>$105.50</dd>" in page.response.text


@pytest.mark.parametrize("amount", ["", "0", "-5", "1e3", "10.005", "9999999", "<b>"])
def test_wrong_test_earnings_are_refused(stripe_server: StripeServer, amount: str) -> None:
    page = dashboard(stripe_server, stripe_server.connected_account())
    submit(page, "/earnings", amount=amount)
    assert 'id="amount-error"' in page.response.text
    assert "<dt>Available</dt><dd>$0.00</dd>" in page.response.text


def test_credit_card_cannot_receive_payouts(stripe_server: StripeServer) -> None:
    page = dashboard(stripe_server, stripe_server.connected_account())
    submit(page, "/cards", number="4242 4242 4242 4242")
    assert "appear to be a debit card" in page.response.text
    assert "Bank account ending in 6789" in page.response.text


def test_checkout_names_wrong_card_fields(stripe_server: StripeServer) -> None:
    session = checkout(stripe_server, plans(stripe_server).month)
    browser = Browser()
    browser.open(str(session.url))
    browser.fill(number="4242", expiry="1/20", cvc="x", email="ada")
    assert browser.response.status_code == 422
    for name in ("number", "expiry", "cvc", "email"):
        assert f'id="{name}-error"' in browser.response.text
    assert "local stand-in" in browser.response.text


def test_sold_checkout_leads_back_to_success(stripe_server: StripeServer) -> None:
    session = checkout(stripe_server, plans(stripe_server).month)
    first, _browser = buy(session.url, email="ada@example.com")
    assert Browser().open(f"{stripe_server.url}/c/pay/{session.id}") == first
    assert len(stripe_server.look("objects", type="subscription", customer=str(bought(stripe_server, session.id)))) == 1


def test_payment_checkout_shows_lines_and_total(stripe_server: StripeServer) -> None:
    def line(cents: int, quantity: int, **product: str) -> dict[str, Any]:
        return {"price_data": {"currency": "usd", "unit_amount": cents, "product_data": product}, "quantity": quantity}

    lines = [line(7_500, 1, name="<b>Lesson</b>", description="One hour"), line(1_250, 2, name="Flour")]
    browser = Browser()
    browser.open(str(sell_once(stripe_server, line_items=lines).url))
    text = browser.response.text
    assert browser.heading() == "Your order"
    for shown in ("&lt;b&gt;Lesson&lt;/b&gt;", "One hour", "2 × $12.50", "$25.00", "<strong>$100.00</strong>"):
        assert shown in text
    assert "<button>Pay $100.00</button>" in text
    assert "local stand-in, no real money" in text
    assert "4242 4242 4242 4242" in text
    assert "per month" not in text


def test_paid_checkout_charges_once(stripe_server: StripeServer) -> None:
    session = sell_once(stripe_server, 7_500, submit_type="book")
    url, browser = buy(session.url, email="ada@example.com")
    again = Browser()
    again.open(f"{stripe_server.url}/c/pay/{session.id}")
    assert url == str(again.response.headers["location"])
    sent = {"number": "4242 4242 4242 4242", **CARD, "email": "ada@example.com"}
    browser.response = browser._client.post(f"{stripe_server.url}/c/pay/{session.id}", data=sent)
    assert browser._follow() == url
    intent = intent_of(sold(stripe_server, session.id)).id
    assert len(stripe_server.look("objects", type="charge", payment_intent=intent)) == 1


def test_failed_authentication_leads_back_to_the_form(stripe_server: StripeServer) -> None:
    session = sell_once(stripe_server, 7_500)
    _url, browser = buy(session.url, "4000 0025 0000 3155", email="ada@example.com")
    browser.fill(answer="fail")
    assert str(browser.response.url) == session.url
    assert "unable to authenticate" in browser.response.text
    assert browser.fill(number="4242 4242 4242 4242", **CARD, email="ada@example.com").startswith(RETURN_URL)


async def test_payment_checkout_is_accessible(stripe_server: StripeServer, browser: Chromium) -> None:
    session = sell_once(stripe_server, 7_500, 1_250)
    async with visitor_page(browser) as page:
        await page.goto(str(session.url))
        await page.get_by_text("Test cards").click()
        await page.get_by_role("button", name="Pay $87.50").wait_for()
        await assert_accessible(page, (360, 1280))


def bought(server: StripeServer, session: str) -> Any:
    return server.client.v1.checkout.sessions.retrieve(session).customer


def portal(server: StripeServer, customer: str, **more: Any) -> Browser:
    params: Any = {"customer": customer, "return_url": RETURN_URL}
    browser = Browser()
    browser.open(server.client.v1.billing_portal.sessions.create(params | more).url)
    return browser


def test_portal_cancels_and_keeps_the_plan(stripe_server: StripeServer) -> None:
    subscription = subscribe(stripe_server, plans(stripe_server).month)
    page = portal(stripe_server, str(subscription.customer))
    assert page.heading() == "Manage your plan"
    submit(page, "/plan", action="cancel")
    assert "<dt>Ends on</dt>" in page.response.text
    assert current(stripe_server, subscription).cancel_at_period_end
    submit(page, "/plan", action="renew")
    assert not current(stripe_server, subscription).cancel_at_period_end


def test_portal_flow_returns_to_porchlight(stripe_server: StripeServer) -> None:
    subscription = subscribe(stripe_server, plans(stripe_server).month)
    flow: Any = {
        "type": "subscription_cancel", "subscription_cancel": {"subscription": subscription.id},
        "after_completion": {"type": "redirect", "redirect": {"return_url": f"{RETURN_URL}plan"}},
    }  # fmt: skip
    page = portal(stripe_server, str(subscription.customer), flow_data=flow)
    page.response = page._client.post(f"{page.response.url}/plan", data={"action": "cancel"})
    assert page._follow() == f"{RETURN_URL}plan"


def test_portal_card_pays_the_open_invoice(stripe_server: StripeServer) -> None:
    subscription = subscribe(stripe_server, plans(stripe_server).month)
    page = portal(stripe_server, str(subscription.customer))
    submit(page, "/card", number="4000 0000 0000 0002", **CARD)
    assert "Your card was declined." in page.response.text
    submit_after_renewal(stripe_server, subscription)
    invoice = stripe_server.client.v1.invoices.retrieve(latest(current(stripe_server, subscription)))
    page = Browser()
    page.open(str(invoice.hosted_invoice_url))
    page.fill(number="5555 5555 5555 4444", **CARD)
    assert ">paid<" in page.response.text
    recovered = current(stripe_server, subscription)
    assert recovered.status == "active"
    assert "Mastercard ending in 4444" in portal(stripe_server, str(subscription.customer)).response.text


def latest(subscription: Any) -> str:
    return str(subscription.latest_invoice.id)


def submit_after_renewal(server: StripeServer, subscription: Any) -> None:
    """Let the renewal of a subscription fail."""
    page = portal(server, str(subscription.customer))
    submit(page, "/card", number="4000 0000 0000 0341", **CARD)
    server.advance(item_of(subscription).current_period_end - server.twin("clock")["now"] + 7_200)
    assert current(server, subscription).status == "past_due"


def test_invoice_downloads_as_pdf(stripe_server: StripeServer) -> None:
    subscription = subscribe(stripe_server, plans(stripe_server).month)
    invoice = stripe_server.client.v1.invoices.retrieve(latest(current(stripe_server, subscription)))
    file = httpx.get(str(invoice.invoice_pdf), trust_env=False, timeout=60)
    assert file.headers["content-type"] == "application/pdf"
    with pikepdf.open(io.BytesIO(file.content)) as document:
        content = document.pages[0].Contents.read_bytes().decode("latin-1")
    assert f"Invoice {invoice.number}" in content
    assert "Amount paid: $9.00" in content


@pytest.mark.parametrize("path", ["/c/pay/cs_test_1", "/p/session/x", "/i/x", "/i/x/pdf", "/receipts/ch_1"])
def test_unknown_money_page_is_not_found(stripe_server: StripeServer, path: str) -> None:
    page = httpx.get(stripe_server.url + path, trust_env=False, timeout=60)
    assert (page.status_code, "<title>Link expired" in page.text) == (404, True)


POLICY = "default-src 'self'; script-src {url}; style-src 'self'; connect-src 'self'; form-action 'self'"


@contextlib.contextmanager
def site(html: str, policy: str) -> Iterator[str]:
    """Serve one page under a Content-Security-Policy; yield its origin. Chromium wants a server of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-security-policy", policy)
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_pricing_table_works_under_strict_policy(stripe_server: StripeServer, browser: Chromium) -> None:
    plans(stripe_server)
    customer = buyer(stripe_server)
    session = stripe_server.client.v1.customer_sessions.create(
        {"customer": customer, "components": {"pricing_table": {"enabled": True}}}
    )
    html = f"""<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Pricing</title>
    <main><h1>Pricing</h1><h2>Plans</h2>
    <stripe-pricing-table pricing-table-id="prctbl_local" publishable-key="pk_test_local" client-reference-id="user-1"
     customer-session-client-secret="{session.client_secret}"></stripe-pricing-table></main>
    <script async src="{stripe_server.url}/pricing-table.js"></script>"""

    with site(html, POLICY.format(url=stripe_server.url)) as origin:
        async with visitor_page(browser) as page:
            await page.goto(f"{origin}/pricing?x=1")
            await page.get_by_role("button", name="Yearly").click()
            await page.get_by_role("button", name="Monthly").click()
            await assert_accessible(page, (360, 1280))
            await page.get_by_role("link", name="Subscribe to Premium Angel").first.click()
            await page.get_by_role("heading", name="Subscribe to Premium Angel").wait_for()
            await assert_accessible(page, (360, 1280))
            await page.get_by_label("Card number").fill("4242 4242 4242 4242")
            await page.get_by_label("Expiration").fill("12 / 34")
            await page.get_by_label("Security code").fill("123")
            await page.get_by_role("button", name="Subscribe").click()
            await page.wait_for_url(re.compile(r"/pricing\?checkout=success&session_id=cs_test_"))
    sold = stripe_server.client.v1.checkout.sessions.list({"customer": customer}).data[0]
    assert (sold.status, sold.client_reference_id) == ("complete", "user-1")
