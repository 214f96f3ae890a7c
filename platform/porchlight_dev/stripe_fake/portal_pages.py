"""The hosted pages of the Customer Portal, and of invoices and receipts."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import card_form, layout, payment_methods, pdf, subscriptions
from porchlight_dev.stripe_fake.card_form import CardEntry
from porchlight_dev.stripe_fake.context import Context, require
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.store import Json
from porchlight_dev.stripe_fake.subscription_api import set_cancel_at_period_end


class PortalPages:
    """The pages of a customer: plan, card and invoices."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def routes(self) -> list[Route]:
        """Return the paths of the pages."""
        return [
            Route("/p/session/{token}", self._show),
            Route("/p/session/{token}/card", self._card, methods=["POST"]),
            Route("/p/session/{token}/plan", self._plan, methods=["POST"]),
            Route("/i/{token}", self._invoice, methods=["GET"]),
            Route("/i/{token}", self._pay, methods=["POST"]),
            Route("/i/{token}/pdf", self._pdf),
            Route("/receipts/{charge}", self._receipt),
        ]

    # Portal

    def _session(self, request: Request) -> Json | None:
        where = {"_token": request.path_params["token"]}
        found = self._ctx.store.find("billing_portal.session", where=where, limit=1)
        return found[0] if found and found[0]["_expires"] > self._ctx.now() else None

    def _subscription(self, customer: str) -> Json | None:
        found = self._ctx.store.find("subscription", where={"customer": customer})
        current = [one for one in found if one["status"] not in (*subscriptions.ENDED, "incomplete")]
        return current[0] if current else None

    async def _show(self, request: Request) -> Response:
        session = self._session(request)
        return layout.lost() if session is None else self._portal(session, {}, {})

    def _portal(
        self, session: Json, values: Mapping[str, str], errors: Mapping[str, str], status: int = 200
    ) -> Response:
        ctx = self._ctx
        customer = require(ctx, "customer", session["customer"])
        subscription = self._subscription(customer["id"])
        held = payment_methods.card_of(ctx, customer, subscription["default_payment_method"] if subscription else None)
        invoices = ctx.store.find("invoice", where={"customer": customer["id"]}, limit=24)
        features = require(ctx, "billing_portal.configuration", session["configuration"])["features"]
        return layout.page(
            "portal",
            status=status,
            base=f"/p/session/{session['_token']}",
            return_url=self._return_url(session),
            plan=self._plan_rows(subscription),
            canceling=bool(subscription and subscription["cancel_at_period_end"]),
            cancelable=bool(subscription and features["subscription_cancel"]["enabled"]),
            flow=(session["flow"] or {}).get("type"),
            card=f"{held[1]['card']['brand'].capitalize()} ending in {held[1]['card']['last4']}" if held else "",
            invoices=[_row(invoice) for invoice in invoices if invoice["status"] != "draft"],
            values=values,
            errors=errors,
            email=customer["email"],
            hints=card_form.hints(),
        )

    @staticmethod
    def _return_url(session: Json) -> str:
        after = (session["flow"] or {}).get("after_completion") or {}
        redirect = after.get("redirect") or {}
        return str(redirect.get("return_url") or session["return_url"] or "")

    def _plan_rows(self, subscription: Json | None) -> list[tuple[str, str]]:
        if subscription is None:
            return []
        item = subscriptions.item_of(subscription)
        product = require(self._ctx, "product", item["price"]["product"])
        price = f"{layout.dollars(item['price']['unit_amount'])} per {item['price']['recurring']['interval']}"
        label = "Ends on" if subscription["cancel_at_period_end"] else "Next charge"
        return [
            ("Plan", product["name"]),
            ("Price", price),
            (label, layout.day(item["current_period_end"])),
            ("Status", subscription["status"].replace("_", " ")),
        ]

    async def _card(self, request: Request) -> Response:
        session = self._session(request)
        if session is None:
            return layout.lost()
        customer = require(self._ctx, "customer", session["customer"])
        form = {name: str(value) for name, value in (await request.form()).items()}
        entry = card_form.read(form, self._ctx.now(), email=customer["email"] or "customer@example.com")
        if entry.errors:
            return self._portal(session, form, entry.errors, 422)
        try:
            with self._ctx.store.transaction():
                self._replace_card(customer, entry)
        except StripeRefusal as error:
            return self._portal(session, form, {"number": str(error)}, 402)
        flow = (session["flow"] or {}).get("type") == "payment_method_update"
        target = self._return_url(session) if flow else ""
        return RedirectResponse(target or f"/p/session/{session['_token']}", 303)

    def _replace_card(self, customer: Json, entry: CardEntry) -> Json:
        ctx = self._ctx
        method = payment_methods.attach(
            ctx, customer["id"], entry.card, exp=entry.exp, name=entry.name, email=entry.email
        )
        payment_methods.set_default(ctx, customer["id"], method["id"])
        subscription = self._subscription(customer["id"])
        if subscription and subscription["default_payment_method"]:
            previous = {"default_payment_method": subscription["default_payment_method"]}
            subscription["default_payment_method"] = method["id"]
            subscriptions.save(ctx, subscription, previous)
        return method

    async def _plan(self, request: Request) -> Response:
        session = self._session(request)
        subscription = self._subscription(session["customer"]) if session else None
        if session is None or subscription is None:
            return layout.lost()
        with self._ctx.store.transaction():
            names = ("cancel_at", "cancel_at_period_end", "canceled_at", "cancellation_details")
            previous = {name: subscription[name] for name in names}
            set_cancel_at_period_end(self._ctx, subscription, on=(await request.form()).get("action") == "cancel")
            subscriptions.save(self._ctx, subscription, previous)
        flow = (session["flow"] or {}).get("type") == "subscription_cancel"
        target = self._return_url(session) if flow else ""
        return RedirectResponse(target or f"/p/session/{session['_token']}", 303)

    # Invoices

    def _found(self, request: Request) -> Json | None:
        found = self._ctx.store.find("invoice", where={"_token": request.path_params["token"]}, limit=1)
        return found[0] if found else None

    async def _invoice(self, request: Request) -> Response:
        invoice = self._found(request)
        return layout.lost() if invoice is None else _invoice_page(invoice, {}, {})

    async def _pay(self, request: Request) -> Response:
        """Pay an open invoice with another card, which becomes the customer's."""
        invoice = self._found(request)
        if invoice is None or invoice["status"] != "open":
            return layout.lost()
        customer = require(self._ctx, "customer", invoice["customer"])
        form = {name: str(value) for name, value in (await request.form()).items()}
        entry = card_form.read(form, self._ctx.now(), email=customer["email"] or "customer@example.com")
        if entry.errors:
            return _invoice_page(invoice, form, entry.errors, 422)
        try:
            with self._ctx.store.transaction():
                method = self._replace_card(customer, entry)
                invoice, paid = subscriptions.attempt(self._ctx, invoice, card=(entry.card, method), on_session=True)
                if not paid:
                    raise subscriptions.declined(self._ctx, invoice)
        except StripeRefusal as error:
            return _invoice_page(invoice, form, {"number": str(error)}, 402)
        return RedirectResponse(f"/i/{request.path_params['token']}", 303)

    async def _pdf(self, request: Request) -> Response:
        invoice = self._found(request)
        if invoice is None:
            return layout.lost()
        rows = [f"{line['description']}   {layout.dollars(line['amount'])}" for line in invoice["lines"]["data"]]
        lines = [
            f"Invoice {invoice['number']}",
            f"Porchlight - {invoice['status']}",
            f"Bill to: {invoice['customer_email'] or ''}",
            f"Date: {layout.day(invoice['created'])}",
            "",
            *rows,
            "",
            f"Amount due: {layout.dollars(invoice['amount_due'])}",
            f"Amount paid: {layout.dollars(invoice['amount_paid'])}",
            "Made by the local stand-in for Stripe. No real money.",
        ]
        name = f"Invoice-{invoice['number']}.pdf"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(pdf.document(lines), media_type="application/pdf", headers=headers)

    async def _receipt(self, request: Request) -> Response:
        charge = self._ctx.store.get(request.path_params["charge"], "")
        if charge is None or charge["object"] != "charge":
            return layout.lost()
        rows = [
            ("Amount", layout.dollars(charge["amount"])),
            ("Date", layout.day(charge["created"])),
            ("Status", charge["status"]),
        ]
        return layout.page("receipt", rows=rows)


def _row(invoice: Json) -> tuple[str, str, str, str, str]:
    due = layout.dollars(invoice["amount_due"])
    return layout.day(invoice["created"]), due, invoice["status"], invoice["hosted_invoice_url"], invoice["invoice_pdf"]


def _invoice_page(invoice: Json, values: Mapping[str, str], errors: Mapping[str, str], status: int = 200) -> Response:
    return layout.page(
        "invoice",
        status=status,
        number=invoice["number"],
        state=invoice["status"],
        due=layout.dollars(invoice["amount_due"]),
        email=invoice["customer_email"],
        lines=[(line["description"], layout.dollars(line["amount"])) for line in invoice["lines"]["data"]],
        pdf=invoice["invoice_pdf"],
        payable=invoice["status"] == "open",
        values=values,
        errors=errors,
        hints=card_form.hints(),
    )
