"""The Express dashboard of a connected account: balance, payouts, test earnings and debit cards."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from porchlight_dev.stripe_fake import accounts, balances, earnings, external_accounts, layout
from porchlight_dev.stripe_fake.context import Context
from porchlight_dev.stripe_fake.errors import StripeRefusal
from porchlight_dev.stripe_fake.pages import VISIT_SECONDS, summary
from porchlight_dev.stripe_fake.store import Json

_DOLLARS = re.compile(r"\$?\d{1,6}(\.\d{1,2})?")


class ExpressDashboard:
    """The pages of the Express dashboard."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def routes(self) -> list[Route]:
        """Return the paths of the pages."""
        return [
            Route("/express/{token}", self._enter),
            Route("/dashboards/{token}", self._show),
            Route("/dashboards/{token}/earnings", self._add_earnings, methods=["POST"]),
            Route("/dashboards/{token}/cards", self._add_card, methods=["POST"]),
        ]

    async def _enter(self, request: Request) -> Response:
        """Open a single-use login link."""
        link = self._ctx.store.link("express", request.path_params["token"])
        if link is None or link.expires < self._ctx.now() or not self._ctx.store.use_link(link.token):
            return layout.lost()
        visit = self._ctx.store.new_link("dashboard", link.account, self._ctx.now() + VISIT_SECONDS)
        return RedirectResponse(f"/dashboards/{visit.token}", 303)

    def _account(self, request: Request) -> Json | None:
        visit = self._ctx.store.link("dashboard", request.path_params["token"])
        return self._ctx.store.account(visit.account) if visit and visit.expires > self._ctx.now() else None

    async def _show(self, request: Request) -> Response:
        account = self._account(request)
        return layout.lost() if account is None else self._page(request, account)

    def _page(self, request: Request, account: Json, errors: Mapping[str, str] | None = None) -> Response:
        ctx = self._ctx
        available, pending = balances.cents(ctx, account["id"])
        money = [("Available", layout.dollars(available)), ("On the way", layout.dollars(pending))]
        externals = external_accounts.of_json(account)
        money += [("Pays out to", f"{_noun(external)} ending in {external['last4']}") for external in externals]
        names = {external["id"]: f"•••• {external['last4']}" for external in externals}
        payouts = [
            (
                layout.day(payout["created"]),
                layout.dollars(payout["amount"]),
                payout["status"].replace("_", " "),
                names.get(payout["destination"], ""),
            )
            for payout in ctx.store.find("payout", account["id"], limit=12)
        ]
        due = accounts.currently_due(account)
        standing = accounts.standing(account)
        return layout.dashboard(account, summary(account), standing, due, money, payouts, errors, _base(request))

    async def _add_earnings(self, request: Request) -> Response:
        account = self._account(request)
        if account is None:
            return layout.lost()
        form = await request.form()
        text = str(form.get("amount", "")).strip().replace(",", "")
        if not _DOLLARS.fullmatch(text):
            return self._page(request, account, {"amount": "Enter an amount in dollars, such as 120.50."})
        dollars, _, rest = text.removeprefix("$").partition(".")
        try:
            with self._ctx.store.transaction():
                cents = int(dollars) * 100 + int(rest.ljust(2, "0") or 0)
                earnings.add(self._ctx, account["id"], cents, pending="pending" in form)
        except StripeRefusal as error:
            return self._page(request, account, {"amount": str(error)})
        return RedirectResponse(_base(request), 303)

    async def _add_card(self, request: Request) -> Response:
        account = self._account(request)
        if account is None:
            return layout.lost()
        number = str((await request.form()).get("number", ""))
        try:
            changed = external_accounts.add_debit_card(account, number)
        except StripeRefusal as error:
            return self._page(request, account, {"number": str(error)})
        accounts.change(self._ctx, account, cards=changed["cards"])
        return RedirectResponse(_base(request), 303)


def _noun(external: Json) -> str:
    return "Debit card" if external["object"] == "card" else "Bank account"


def _base(request: Request) -> str:
    return f"/dashboards/{request.path_params['token']}"
