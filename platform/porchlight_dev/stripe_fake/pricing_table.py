"""The pricing table: a script that defines `<stripe-pricing-table>`, and the way from it to Checkout.

The product embeds Stripe's script under a strict Content-Security-Policy, so this one needs only `script-src`: it
carries the plans itself, styles its shadow root with a constructed style sheet and leads to Checkout by links.
"""

from __future__ import annotations

import json
from importlib import resources
from urllib.parse import urlencode, urlsplit, urlunsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import checkout_sessions, customer_api, customers, layout, products
from porchlight_dev.stripe_fake.context import Context, require
from porchlight_dev.stripe_fake.errors import StripeRefusal


class PricingTable:
    """The script and its link to Checkout."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def routes(self) -> list[Route]:
        """Return the paths."""
        return [Route("/pricing-table.js", self._script), Route("/pricing-table/checkout", self._checkout)]

    async def _script(self, _request: Request) -> Response:
        plans = [
            {
                "price": price["id"],
                "name": require(self._ctx, "product", price["product"])["name"],
                "amount": layout.dollars(price["unit_amount"]).removesuffix(".00"),
                "interval": price["recurring"]["interval"],
            }
            for price in products.offered(self._ctx)
            if price["recurring"]["interval"] in ("month", "year")
        ]
        settings = {
            "checkout": f"{self._ctx.url}/pricing-table/checkout",
            "table": self._ctx.pricing_table,
            "key": self._ctx.publishable_key,
            "plans": plans,
        }
        source = resources.files(__package__).joinpath("pricing_table.js").read_text()
        script = f"const settings = {json.dumps(settings)};\n{source}"
        headers = {"cache-control": "no-store", "access-control-allow-origin": "*"}
        return Response(f"(() => {{\n{script}\n}})();\n", media_type="text/javascript", headers=headers)

    async def _checkout(self, request: Request) -> Response:
        """Create a session for a plan and show its page; `back` is the page with the table."""
        query = request.query_params
        back = query.get("back", "")
        secret = query.get("customer_session", "")
        customer_id = customer_api.customer_of_session(self._ctx, secret) if secret else None
        if urlsplit(back).scheme not in ("http", "https") or (secret and customer_id is None):
            return layout.lost()
        try:
            with self._ctx.store.transaction():
                price = products.recurring_price(self._ctx, query.get("price", ""), "price")
                customer = customers.existing(self._ctx, customer_id) if customer_id else None
                session = checkout_sessions.make(
                    self._ctx,
                    "subscription",
                    [checkout_sessions.line_item(self._ctx, price, 1)],
                    success_url=_with_query(back, checkout="success", session_id="{CHECKOUT_SESSION_ID}"),
                    cancel_url=_with_query(back, checkout="canceled"),
                    customer=customer,
                    email=query.get("email") or None,
                    client_reference_id=query.get("reference") or None,
                )
        except StripeRefusal:
            return layout.lost()
        return RedirectResponse(session["url"], 303)


def _with_query(url: str, **values: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=urlencode(values, safe="{}"), fragment=""))
