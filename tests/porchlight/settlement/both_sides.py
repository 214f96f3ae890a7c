"""Gurus whose accounts at the fake Stripe are connected, the settlement jobs, and what both sides have stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from psycopg.rows import args_row

from porchlight.features.payouts.actions import SAVE_ACCOUNT, account_values
from porchlight.features.payouts.money.instant import CREATE
from porchlight.features.payouts.money.instant_rules import InstantLimits, PayoutFacts, Refused, WantedPayout, decide
from porchlight.features.payouts.money.payout_facts import FACTS
from porchlight.features.payouts.money.stripe_balance import parse_balance
from porchlight.money.fees import PayoutPrice
from porchlight.payment_ports import PayoutState
from porchlight.registry import FEATURES
from porchlight.settlement import outbox
from porchlight.settlement.jobs import Settlement
from porchlight.settlement.rules import Source, load_rules
from porchlight.stripe.client import StripeClient
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.factories import seed_user
from tests.porchlight.payouts.stripe_fake import SECRET_KEY, WEBHOOK_SECRET, Browser, StripeFake

PLATFORM_CENTS = 100_000_000
LIMITS = InstantLimits(
    daily_count=1000, daily_cents=10_000_000, platform_daily_cents=PLATFORM_CENTS, after_first_sale=timedelta(days=7),
    after_change=timedelta(hours=72), sign_in_cents=10_000_000, sign_in_age=timedelta(minutes=30),
)  # fmt: skip
RULES = load_rules(FEATURES)
RequestResult = tuple[str, UUID | None, int | None]


@dataclass(frozen=True)
class ConnectedGuru:
    """A user with a complete account at the fake Stripe."""

    user_id: UUID
    account_id: str


class BothSides:
    """A database, the fake Stripe and the jobs between them."""

    def __init__(self, database: Database, fake: StripeFake) -> None:
        self.database = database
        self.fake = fake
        self.api = self.new_api()
        self.settlement = Settlement(database.service_url, self.api, RULES)

    def new_api(self) -> StripeClient:
        """Return another client of the fake Stripe."""
        return StripeClient(SECRET_KEY, WEBHOOK_SECRET, "", self.fake.url)

    # The fake Stripe

    def control(self, path: str, **values: Any) -> dict[str, Any]:
        """Call the control API: POST with values."""
        response = httpx.post(f"{self.fake.url}/_twin/{path}", json=values, timeout=60, trust_env=False)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def objects(self, kind: str, **filters: str) -> list[dict[str, Any]]:
        """Return the fake's objects of a type."""
        response = httpx.get(
            f"{self.fake.url}/_twin/objects", params={"type": kind} | filters, trust_env=False, timeout=60
        )
        data: list[dict[str, Any]] = response.json()["data"]
        return data

    def calls(self, **filters: str) -> list[dict[str, Any]]:
        """Return the calls that reached the fake."""
        response = httpx.get(f"{self.fake.url}/_twin/calls", params=filters, trust_env=False, timeout=60)
        data: list[dict[str, Any]] = response.json()["data"]
        return data

    def fault(self, action: str, match: str = "POST /v1/payouts", times: int = 1) -> None:
        """Let the next calls of an operation fail."""
        self.control("faults", match=match, do=action, times=times)

    def clear_faults(self) -> None:
        """Remove the faults that no call has met."""
        httpx.delete(f"{self.fake.url}/_twin/faults", trust_env=False, timeout=60).raise_for_status()

    def v1(self, method: str, path: str, on: str = "", /, **params: Any) -> dict[str, Any]:
        """Call the fake's API as the platform or a connected account."""
        headers = {"authorization": f"Bearer {SECRET_KEY}"} | ({"stripe-account": on} if on else {})
        body: dict[str, Any] = {"json": params} if path.startswith("/v2/") else {"data": params} if params else {}
        response = httpx.request(method, self.fake.url + path, headers=headers, timeout=60, trust_env=False, **body)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    # Gurus

    def guru(self, earnings: int = 0, **onboarding: str) -> ConnectedGuru:
        """Connect an account and give it test earnings, here and at the fake."""
        account = self.v1(
            "POST", "/v2/core/accounts", contact_email="a@mail.example", dashboard="express",
            identity={"country": "us"},
            configuration={
                "merchant": {"capabilities": {"card_payments": {"requested": True}}},
                "recipient": {"capabilities": {"stripe_balance": {"stripe_transfers": {"requested": True}}}},
            },
            defaults={
                "currency": "usd",
                "responsibilities": {"fees_collector": "application", "losses_collector": "application"},
            },
        )["id"]  # fmt: skip
        urls = {"return_url": "http://porchlight.localhost/", "refresh_url": "http://porchlight.localhost/"}
        case = {
            "type": "account_onboarding",
            "account_onboarding": urls,
        }
        link = self.v1("POST", "/v2/core/account_links", account=account, use_case=case)
        Browser().complete_onboarding(link["url"], **onboarding)
        # No regular payouts, unless a test wants them.
        self.v1("POST", "/v1/balance_settings", account, **{"payments[payouts][schedule][interval]": "manual"})
        with psycopg.connect(self.database.service_url) as conn:
            guru = ConnectedGuru(seed_user(conn), account)
            conn.execute("INSERT INTO payout_accounts (user_id, account_id) VALUES (%s, %s)", [guru.user_id, account])
            state = PayoutState.of(self.v1("GET", f"/v1/accounts/{account}"))
            conn.execute(SAVE_ACCOUNT, account_values(account, state, clock.now()))
        if earnings:
            self.earn(guru, earnings)
        return guru

    def earn(self, guru: ConnectedGuru, cents: int) -> None:
        """Add test earnings, and post them as the event does."""
        transfer = self.control("charges", account=guru.account_id, amount=cents)["transfer"]
        with psycopg.connect(self.database.service_url) as conn:
            event = {"type": "transfer.created", "data": {"object": transfer}}
            found = RULES.object_rule(event)
            assert found is not None
            rule, object_id = found
            rule.apply(conn, object_id, transfer, source())

    def request(
        self, guru: ConnectedGuru, wanted: int | None = None, key: str = "", platform: int = 10**8
    ) -> RequestResult:
        """Ask for an instant payout as the app role. Return the code, the payout's id and its cents.

        `platform`: the cents that all gurus may take in a day.
        """
        with psycopg.connect(self.database.app_url) as conn:
            return self.request_in(conn, guru, wanted, key, platform)

    def request_in(
        self,
        conn: psycopg.Connection[Any],
        guru: ConnectedGuru,
        wanted: int | None,
        key: str = "",
        platform: int = 10**8,
    ) -> RequestResult:
        """Ask for an instant payout in a transaction of the app role, which holds the lock of payouts afterwards."""
        balance = parse_balance(self.v1("GET", "/v1/balance?expand[]=instant_available.net_available", guru.account_id))
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(guru.user_id)])
        since = clock.now() - timedelta(hours=24)
        facts = conn.cursor(row_factory=args_row(PayoutFacts)).execute(FACTS, [since, True]).fetchone()
        assert facts is not None
        known = conn.execute(
            "SELECT id, amount, requested_cents FROM payouts WHERE user_id = %s AND request_key = %s AND %s <> ''",
            [guru.user_id, key, key],
        ).fetchone()
        if known is not None:
            return ("known" if known[2] == wanted else "key_of_other_request"), known[0], known[1]
        now = clock.now()
        limits = replace(LIMITS, platform_daily_cents=platform)
        decided = decide(WantedPayout(wanted, None, now), facts, balance, PayoutPrice(), limits, now)
        if isinstance(decided, Refused):
            return decided.code, None, decided.most_cents
        values = [decided.net, decided.fee, decided.destination, decided.last4, key, wanted]
        row = conn.execute(CREATE, values).fetchone()
        assert row is not None
        return "created", row[0], decided.net

    def as_user(self, guru: ConnectedGuru, query: str, values: list[Any]) -> Any:
        """Return the one row of a query of the app role for a user."""
        with psycopg.connect(self.database.app_url) as conn:
            conn.execute("SELECT set_config('app.user_id', %s, true)", [str(guru.user_id)])
            return conn.execute(query.encode(), values).fetchone()

    # What is stored

    def one(self, query: str, *values: Any) -> Any:
        """Return the one row of a query of the service role."""
        with psycopg.connect(self.database.service_url) as conn:
            return conn.execute(query.encode(), values).fetchone()

    def run(self, query: str, *values: Any) -> int:
        """Run a statement of the service role and return the number of its rows."""
        with psycopg.connect(self.database.service_url) as conn:
            return conn.execute(query.encode(), values).rowcount

    def mark_restored(self) -> int:
        """Run what `porchlight money restored` runs."""
        with psycopg.connect(self.database.service_url) as conn:
            return outbox.mark_restored(conn)

    def write_state(self, payout_id: UUID | None) -> str:
        """Return the state of the newest write of a payout."""
        query = "SELECT state FROM stripe_outbox WHERE subject_id = %s ORDER BY attempt DESC LIMIT 1"
        return str(self.one(query, payout_id)[0])

    def payout_state(self, payout_id: UUID | None) -> tuple[str, str]:
        """Return the state and failure code of a payout."""
        row = self.one("SELECT state, failure_code FROM payouts WHERE id = %s", payout_id)
        return str(row[0]), str(row[1])

    def ledger(self, guru: ConnectedGuru) -> tuple[int, int]:
        """Return balance and reserved amount of the guru's connected account in the ledger."""
        row = self.one(
            "SELECT b.credits - b.debits, b.reserved"
            " FROM ledger_accounts a JOIN ledger_balances b ON b.account_id = a.id"
            " WHERE a.user_id = %s AND a.kind = 'guru_stripe'", guru.user_id,
        )  # fmt: skip
        return int(row[0]), int(row[1])

    def stripe_balance(self, guru: ConnectedGuru) -> int:
        """Return the balance of the guru's account at the fake, available and pending."""
        found = self.v1("GET", "/v1/balance", guru.account_id)
        return sum(int(part["amount"]) for kind in ("available", "pending") for part in found[kind])

    def postings(self, payout_id: UUID | None) -> list[str]:
        """Return the events that were posted for a payout."""
        with psycopg.connect(self.database.service_url) as conn:
            rows = conn.execute(
                "SELECT event FROM ledger_transactions WHERE subject_kind = 'payout' AND subject_id = %s"
                " ORDER BY event",
                [str(payout_id)],
            )
            return [event for (event,) in rows]

    def claim(self) -> outbox.ClaimedRow | None:
        """Claim the next write, as a worker does before it calls."""
        with psycopg.connect(self.database.service_url) as conn:
            return outbox.claim(conn, self.api.api_version)


def source(account: str = "") -> Source:
    """Return the source of an object that was fetched now."""
    return Source(account, clock.now(), "", livemode=False)


class SettableClock:
    """Moves the product's clock, and with `sides` that of the fake Stripe."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead = timedelta()
        real = clock.now
        monkeypatch.setattr(clock, "now", lambda: real() + self._ahead)

    def advance(self, ahead: timedelta, sides: BothSides | None = None) -> None:
        """Move forward."""
        self._ahead += ahead
        if sides is not None:
            sides.control("clock", advance_s=int(ahead.total_seconds()))
