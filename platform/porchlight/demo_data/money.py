"""Demo money: connected accounts, sales and payouts, at the local Stripe and in the ledger, to the same cent.

Everything happens at the local Stripe first, with its clock set back; then the ledger posts what was fetched, by the
same rules as events. Without a local Stripe this does nothing.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psycopg

from porchlight.demo_data.gurus import CONTENT_DIR, demo_id
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.demo_data.paid_sessions import PaidSessions
from porchlight.features.payouts import actions
from porchlight.features.payouts.settlement.payout import PayoutObjectRule
from porchlight.features.payouts.settlement.transfer import TestEarningsRule
from porchlight.money.fees import Fees, fee_cents
from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from porchlight.payment_ports import Payouts, StripeApi
from porchlight.settings.environment import Settings
from porchlight.settlement.reconcile.run import reconcile
from porchlight.settlement.rules import Source
from tenants.db.pool import Database
from tenants.db.rows import Connection
from tenants.kit import clock, timeouts

LOCAL_HOSTS = ("http://127.0.0.1:", "http://localhost:")
DAY_SECONDS = 86_400
# The gurus, by what their account shows.
BALANCED, HOLDING, EMPTY, INCOMPLETE, SELLING = "cooking", "music", "tech", "garden", "photo"
WEEKLY_CENTS = (8100, 12_150, 6750, 20_250, 13_500, 9450, 16_200, 6750, 24_300, 10_800, 14_850, 18_900)
FAILED_WEEK = 7
AVAILABLE_CENTS, PENDING_CENTS = 18_240, 6750
REFUNDED_CENTS = 9500  # the price of a session that was refunded after its money had been moved
_VISA_DEBIT = "4000056655665556"
_DETAILS = {
    "dob": "1984-02-29",
    "individual.phone": "303 555 0100",
}
_HOME = {
    "individual.address.line1": "12 Porch Street",
    "individual.address.city": "Denver",
    "individual.address.state": "CO",
    "individual.address.postal_code": "80202",
    "individual.ssn_last_4": "4242",
}
_BANK = {"routing": "110000000", "external_account": "000123456789"}


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a demo guru, with the connected account."""

    user_id: UUID
    email: str
    names: tuple[str, str]
    account_id: str


class LocalStripe:
    """The local Stripe as a person and as a test see it: its pages, its control API, and its API with the key."""

    def __init__(self, settings: Settings) -> None:
        self._http = httpx.Client(
            base_url=settings.stripe_api_base, trust_env=False, timeout=timeouts.current.demo_stripe_seconds
        )
        self._key = settings.stripe_secret_key

    def is_up(self) -> bool:
        """Return whether it answers."""
        try:
            return self._http.get("/_twin/clock").is_success
        except httpx.HTTPError:
            return False

    def control(self, path: str, **values: Any) -> dict[str, Any]:
        """Call the control API. Return the response."""
        answer: dict[str, Any] = self._http.post(f"/_twin/{path}", json=values).raise_for_status().json()
        return answer

    def create(self, path: str, account: str = "", **params: Any) -> dict[str, Any]:
        """Create an object by the API, on a connected account or on the platform. Return it."""
        headers = {"authorization": f"Bearer {self._key}"} | ({"stripe-account": account} if account else {})
        answer: dict[str, Any] = self._http.post(path, data=params, headers=headers).raise_for_status().json()
        return answer

    def open(self, url: str) -> httpx.URL:
        """Open a page, following redirects. Return its address."""
        return self._http.get(url, follow_redirects=True).raise_for_status().url

    def submit(self, url: httpx.URL, **fields: str) -> httpx.URL:
        """Submit the form of a page. Return the address that it leads to."""
        response = self._http.post(url, data=fields)
        return response.url.join(response.headers["location"])

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


async def load_all(settings: Settings, provider: Payouts | None, api: StripeApi | None) -> bool:
    """Add the money, once, and close the adapters. Return False if it was there before, or without a local Stripe."""
    if provider is None or api is None:
        return False
    local = LocalStripe(settings)
    try:
        is_local = settings.stripe_api_base.startswith(LOCAL_HOSTS)
        if not is_local or not settings.stripe_secret_key.startswith("sk_test_") or not local.is_up():
            return False
        async with Database(settings.database_url) as db:
            return await _Loader(settings, db, provider, api, local).load()
    finally:
        local.close()
        await provider.close()
        await api.close()


class _Loader:
    def __init__(self, settings: Settings, db: Database, provider: Payouts, api: StripeApi, local: LocalStripe) -> None:
        self._settings, self._db, self._provider, self._api, self._local = settings, db, provider, api, local

    async def load(self) -> bool:
        with psycopg.connect(self._settings.overseer_database_url) as conn:
            if conn.execute("SELECT FROM payout_accounts LIMIT 1").fetchone() is not None:
                return False
            _grant_plan(conn, _user_id(BALANCED), "premium-angel")
            _grant_plan(conn, _user_id(HOLDING), "skill-sharer")
            _grant_plan(conn, _user_id(SELLING), "skill-sharer")
        days = len(WEEKLY_CENTS) * 7
        self._local.control("clock", advance_s=-days * DAY_SECONDS)
        cooking, music = await self._connect(BALANCED), await self._connect(HOLDING)
        await self._connect(EMPTY)
        await self._open_account(INCOMPLETE)
        await self._weeks(cooking)
        for cents, pending in ((AVAILABLE_CENTS, False), (PENDING_CENTS, True)):
            await self._earn(cooking, cents, pending=pending)
        await self._refund_after_transfer(music)
        photo = await self._connect(SELLING)
        await PaidSessions(self._settings, self._db, self._api).load()
        accounts = [owner.account_id for owner in (cooking, music, photo)]
        await reconcile(self._settings.overseer_database_url, self._api, accounts)
        return True

    async def _open_account(self, label: str) -> Owner:
        content = tomllib.loads((CONTENT_DIR / label / "guru.toml").read_text(encoding="utf-8"))["owner"]
        user_id = neighbor_id(content["email"])
        account_id = await actions.get_or_create_account(self._db, self._provider, user_id, content["email"])
        await self._sync(account_id)
        return Owner(user_id, content["email"], (content["first_name"], content["last_name"]), account_id)

    async def _connect(self, label: str) -> Owner:
        """Open an account and complete it on the hosted pages, with a debit card and payouts by hand."""
        owner = await self._open_account(label)
        back = self._settings.main_origin + "/onboarding/payout"
        url = await self._provider.onboarding_url(owner.account_id, return_url=back, refresh_url=back)
        names = {"individual.first_name": owner.names[0], "individual.last_name": owner.names[1]}
        page = self._local.open(url)
        for fields in (_DETAILS | names | {"individual.email": owner.email}, _HOME, _BANK, {}):
            page = self._local.submit(page, **fields)
        dashboard = self._local.open(await self._provider.dashboard_url(owner.account_id))
        self._local.submit(httpx.URL(f"{dashboard}/cards"), number=_VISA_DEBIT)
        schedule = "payments[payouts][schedule][interval]"
        self._local.create("/v1/balance_settings", owner.account_id, **{schedule: "manual"})
        await self._sync(owner.account_id)
        return owner

    async def _sync(self, account_id: str) -> None:
        checked_at = clock.now()
        state = await self._provider.state(account_id)
        dsn = self._settings.overseer_database_url
        await asyncio.to_thread(actions.save_account, dsn, account_id, state, checked_at)

    async def _weeks(self, owner: Owner) -> None:
        """Earn and pay out for twelve weeks, until now. The bank returns one payout; the next one brings its money."""
        for week, cents in enumerate(WEEKLY_CENTS):
            await self._earn(owner, cents)
            returned = WEEKLY_CENTS[week - 1] if week == FAILED_WEEK + 1 else 0
            made = self._local.create("/v1/payouts", owner.account_id, amount=cents + returned, currency="usd")
            if week == FAILED_WEEK:
                self._local.control("clock", advance_s=DAY_SECONDS)
                self._local.control(f"payouts/{made['id']}/fail", code="account_closed")
                self._local.control("clock", advance_s=6 * DAY_SECONDS)
            else:
                self._local.control("clock", advance_s=7 * DAY_SECONDS)
            await self._apply(PayoutObjectRule(), made["id"], owner.account_id)

    async def _earn(self, owner: Owner, cents: int, *, pending: bool = False) -> None:
        """Add test earnings, as the button of the local dashboard does."""
        made = self._local.control("charges", account=owner.account_id, amount=cents, pending=pending)
        await self._apply(TestEarningsRule(), made["transfer"]["id"], "")

    async def _apply(self, rule: PayoutObjectRule | TestEarningsRule, object_id: str, account: str) -> None:
        fetched = await self._api.fetch(rule.path(object_id), account)
        with psycopg.connect(self._settings.overseer_database_url) as conn:
            rule.apply(conn, object_id, fetched, Source(account, clock.now(), "", livemode=False))

    def _sell(self, owner: Owner, price: int, name: str) -> tuple[dict[str, Any], int]:
        """Sell a session: a charge, and the guru's share held until it takes place. Return the charge and the share."""
        charge: dict[str, Any] = self._local.control("charges", amount=price)["charge"]
        fee = fee_cents(price, "skill-sharer", Fees.of(self._settings))
        self._post("paid", ("payment", name), charge, owner, {
            ("card_network", "guru_held"): price - fee, ("card_network", "platform_fees"): fee,
        })  # fmt: skip
        return charge, price - fee

    async def _refund_after_transfer(self, owner: Owner) -> None:
        """Sell a session, move its money to the guru, and refund it: a debt that the next earnings cover."""
        charge, share = self._sell(owner, REFUNDED_CENTS, "refunded")
        self._post("delivered", ("booking", "refunded"), {}, owner, {("guru_held", "guru_payable"): share})
        params = {"destination": owner.account_id, "source_transaction": charge["id"], "currency": "usd"}
        transfer = self._local.create("/v1/transfers", amount=share, **params)
        self._post("transferred", ("transfer", "refunded"), transfer, owner, {("guru_payable", "guru_stripe"): share})
        refund = self._local.create("/v1/refunds", charge=charge["id"])
        self._post("refunded", ("refund", "refunded"), refund, owner, {
            ("guru_payable", "card_network"): share, ("platform_fees", "card_network"): REFUNDED_CENTS - share,
        })  # fmt: skip

    def _post(
        self,
        event: str,
        subject: tuple[str, str],
        stripe_object: Mapping[str, Any],
        owner: Owner,
        legs: Mapping[tuple[str, str], int],
    ) -> None:
        kind, name = subject
        with psycopg.connect(self._settings.overseer_database_url) as conn:

            def account(kind: str) -> UUID:
                return get_or_create_account(conn, kind, user_id=owner.user_id if kind.startswith("guru_") else None)

            made = [Leg(account(debit), account(credit), cents) for (debit, credit), cents in legs.items()]
            subject_id = str(demo_id(HOLDING, "money", kind, name))
            post(conn, event, Subject(kind, subject_id), made, stripe_object=str(stripe_object.get("id", "")))


def _user_id(label: str) -> UUID:
    content = tomllib.loads((CONTENT_DIR / label / "guru.toml").read_text(encoding="utf-8"))
    return neighbor_id(content["owner"]["email"])


def _grant_plan(conn: Connection, user_id: UUID, plan: str) -> None:
    """Give the plan that takes payments, unless the demo's plans did."""
    conn.execute(
        "INSERT INTO plan_grants (user_id, plan, until, reason)"
        " SELECT %(user)s, %(plan)s, app.now() + interval '10 years', 'Demo'"
        "  WHERE NOT EXISTS (SELECT FROM plan_grants WHERE user_id = %(user)s AND plan = %(plan)s)",
        {"user": user_id, "plan": plan},
    )
