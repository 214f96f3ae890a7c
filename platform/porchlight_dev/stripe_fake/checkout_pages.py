"""The hosted Checkout page: a card form, 3D Secure, and the ways back to Porchlight."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import card_form, checkout_completion, checkout_sessions, layout
from porchlight_dev.stripe_fake.card_form import CardEntry
from porchlight_dev.stripe_fake.context import Context, require
from porchlight_dev.stripe_fake.store import Json


class CheckoutPages:
    """The pages of Checkout sessions."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def routes(self) -> list[Route]:
        """Return the paths of the pages."""
        return [
            Route("/c/pay/{id}", self._show, methods=["GET"]),
            Route("/c/pay/{id}", self._pay, methods=["POST"]),
            Route("/c/pay/{id}/3d-secure", self._challenge, methods=["GET"]),
            Route("/c/pay/{id}/3d-secure", self._respond, methods=["POST"]),
        ]

    def _session(self, request: Request) -> Json | None:
        found = self._ctx.store.get(request.path_params["id"], "")
        return found if found and found["object"] == "checkout.session" else None

    def _closed(self, session: Json | None) -> Response | None:
        if session is None:
            return layout.lost()
        if session["status"] == "complete":
            return RedirectResponse(checkout_sessions.return_url(session, "success_url"), 303)
        if session["status"] == "expired":
            cancel_url = checkout_sessions.return_url(session, "cancel_url")
            return layout.page("checkout_expired", status=410, cancel_url=cancel_url)
        return None

    async def _show(self, request: Request) -> Response:
        session = self._session(request)
        if closed := self._closed(session):
            return closed
        failed = (session or {}).get("_failed", "")
        return self._form(session or {}, {}, {"number": failed} if failed else {})

    def _form(self, session: Json, values: Mapping[str, str], errors: Mapping[str, str], status: int = 200) -> Response:
        return layout.page(
            "checkout",
            status=status,
            **{"amount": "", "unit": "", "lines": []} | _offer(self._ctx, session),
            email=session["_email"],
            cancel_url=checkout_sessions.return_url(session, "cancel_url") if session["cancel_url"] else "",
            values=values,
            errors=errors,
            hints=card_form.hints(),
        )

    async def _pay(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        # Read after the form, so that a form that is sent twice does not pay twice.
        session = self._session(request)
        if closed := self._closed(session):
            return closed
        assert session is not None  # noqa: S101 - _closed handles it
        entry = card_form.read(form, self._ctx.now(), email=session["_email"], card=_needs_card(session))
        if entry.errors:
            return self._form(session, form, entry.errors, 422)
        if _needs_card(session) and checkout_completion.asks(session, entry):
            with self._ctx.store.transaction():
                checkout_completion.challenge(self._ctx, session, entry)
            return RedirectResponse(f"/c/pay/{session['id']}/3d-secure", 303)
        return self._complete(session, entry, form)

    def _complete(
        self, session: Json, entry: CardEntry, form: Mapping[str, str], *, authenticated: bool = False
    ) -> Response:
        declined = checkout_completion.complete(self._ctx, session, entry, authenticated=authenticated)
        if declined:
            return self._form(session, form, {"number": declined}, 402)
        return RedirectResponse(checkout_sessions.return_url(session, "success_url"), 303)

    async def _challenge(self, request: Request) -> Response:
        session = self._session(request)
        if closed := self._closed(session):
            return closed
        if session is None or checkout_completion.challenged(session) is None:
            return layout.lost()
        return layout.page("three_d_secure")

    async def _respond(self, request: Request) -> Response:
        answer = (await request.form()).get("answer")
        session = self._session(request)
        if closed := self._closed(session):
            return closed
        entry = checkout_completion.challenged(session) if session else None
        if session is None or entry is None:
            return layout.lost()
        if answer == "complete":
            return self._complete(session, entry, {}, authenticated=True)
        with self._ctx.store.transaction():
            checkout_completion.fail_challenge(self._ctx, session)
        # Back on its own address, where the form works again.
        return RedirectResponse(f"/c/pay/{session['id']}", 303)


def _needs_card(session: Json) -> bool:
    """Return whether a session needs a card: one that sells for nothing does not."""
    return session["mode"] != "payment" or bool(session["amount_total"])


def _offer(ctx: Context, session: Json) -> Json:
    """Return what the page says of a session: its title, lines, price and button."""
    items = session["line_items"]["data"]
    total = layout.dollars(session["amount_total"] or 0)
    if session["mode"] == "setup":
        return {"title": "Save a card", "button": "Save card", "card": True}
    if session["mode"] == "subscription":
        return {
            "title": f"Subscribe to {items[0]['description']}",
            "amount": total,
            "unit": f"per {items[0]['price']['recurring']['interval']}",
            "button": "Subscribe",
            "card": True,
        }
    verb = {"book": "Book", "donate": "Donate"}.get(session["submit_type"] or "", "Pay")
    return {
        "title": items[0]["description"] if len(items) == 1 else "Your order",
        "amount": total,
        "lines": [_line(ctx, item) for item in items],
        "button": f"{verb} {total}" if session["amount_total"] else "Complete order",
        "card": _needs_card(session),
    }


def _line(ctx: Context, item: Json) -> tuple[str, str, str, str]:
    """Return a line's name, description, how it adds up, and its amount."""
    description = require(ctx, "product", item["price"]["product"])["description"] or ""
    each = f"{item['quantity']} × {layout.dollars(item['price']['unit_amount'])}" if item["quantity"] > 1 else ""
    return item["description"], description, each, layout.dollars(item["amount_total"])
