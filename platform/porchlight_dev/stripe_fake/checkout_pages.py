"""The hosted Checkout page: a card form, 3D Secure, and the ways back to Porchlight."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import card_form, cards, checkout, layout
from porchlight_dev.stripe_fake.card_form import CardEntry
from porchlight_dev.stripe_fake.context import Context
from porchlight_dev.stripe_fake.errors import StripeRefusal
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
            return RedirectResponse(checkout.return_url(session, "success_url"), 303)
        if session["status"] == "expired":
            return layout.page("checkout_expired", status=410, cancel_url=checkout.return_url(session, "cancel_url"))
        return None

    async def _show(self, request: Request) -> Response:
        session = self._session(request)
        return self._closed(session) or self._form(session or {}, {}, {})

    def _form(self, session: Json, values: Mapping[str, str], errors: Mapping[str, str], status: int = 200) -> Response:
        item = session["line_items"]["data"][0]
        return layout.page(
            "checkout",
            status=status,
            product=item["description"],
            amount=layout.dollars(item["amount_total"]),
            interval=item["price"]["recurring"]["interval"],
            email=session["_email"],
            cancel_url=checkout.return_url(session, "cancel_url") if session["cancel_url"] else "",
            values=values,
            errors=errors,
            hints=card_form.hints(),
        )

    async def _pay(self, request: Request) -> Response:
        session = self._session(request)
        if closed := self._closed(session):
            return closed
        assert session is not None  # noqa: S101 - _closed handles it
        form = {name: str(value) for name, value in (await request.form()).items()}
        entry = card_form.read(form, self._ctx.now(), email=session["_email"])
        if entry.errors:
            return self._form(session, form, entry.errors, 422)
        if entry.card.authentication:
            challenge = {"number": entry.card.number, "exp": entry.exp, "email": entry.email, "name": entry.name}
            self._ctx.store.put(session | {"_challenge": challenge})
            return RedirectResponse(f"/c/pay/{session['id']}/3d-secure", 303)
        return self._complete(session, entry, form, on_session=False)

    def _complete(self, session: Json, entry: CardEntry, form: Mapping[str, str], *, on_session: bool) -> Response:
        try:
            with self._ctx.store.transaction():
                done = checkout.complete(
                    self._ctx,
                    session,
                    entry.card,
                    email=entry.email,
                    name=entry.name,
                    exp=entry.exp,
                    on_session=on_session,
                )
        except StripeRefusal as error:
            return self._form(session, form, {"number": str(error)}, 402)
        return RedirectResponse(checkout.return_url(done, "success_url"), 303)

    async def _challenge(self, request: Request) -> Response:
        session = self._session(request)
        if closed := self._closed(session):
            return closed
        if not (session or {}).get("_challenge"):
            return layout.lost()
        return layout.page("three_d_secure")

    async def _respond(self, request: Request) -> Response:
        session = self._session(request)
        if closed := self._closed(session):
            return closed
        challenge = (session or {}).get("_challenge")
        if session is None or not challenge:
            return layout.lost()
        if (await request.form()).get("answer") != "complete":
            message = "We are unable to authenticate your payment method. Please choose another one and try again."
            return self._form(session, {}, {"number": message}, 402)
        exp = (challenge["exp"][0], challenge["exp"][1])
        entry = CardEntry(cards.find(challenge["number"]), exp, challenge["email"], challenge["name"], {})
        return self._complete(session, entry, {}, on_session=True)
