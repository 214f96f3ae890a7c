"""Demo sessions that are paid by card: paid, invoiced, canceled, given with a tip, returned in part, disputed, waiting.

Others have a deposit, or a card that is kept and charged for a late cancellation. A package of sessions was bought: one
took place, one was taken back, and one is booked.

Each is booked, paid at the local Stripe and settled by the code of the product.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx
import psycopg

from porchlight.demo_data.gurus import demo_id
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.bookings import commands, store
from porchlight.features.bookings.actions import hold_seat, own_booking
from porchlight.features.bookings.deadlines import complete_bookings
from porchlight.features.bookings.packages.actions import create_package, take_back_sessions
from porchlight.features.bookings.packages.purchase import begin_purchase
from porchlight.features.bookings.packages.schemas import NewPackagePayload, PurchasePayload
from porchlight.features.bookings.payments import purchases
from porchlight.features.bookings.payments.card_desk import CardDesk
from porchlight.features.bookings.payments.invoices.actions import issue_invoice
from porchlight.features.bookings.payments.invoices.schemas import CompanyPayload
from porchlight.features.bookings.payments.jobs import deliver_payments
from porchlight.features.bookings.payments.settlement.checkouts import SessionCheckoutRule
from porchlight.features.bookings.payments.settlement.disputes import SessionDisputes, lock_payments
from porchlight.features.bookings.payments.settlement.rules import rules
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from porchlight.features.bookings.terms import current_terms
from porchlight.features.bookings.tokens import new_token
from porchlight.money.fees import Fees
from porchlight.payment_ports import StripeApi
from porchlight.settings.environment import Settings
from porchlight.settlement.disputes import dispute_facts
from porchlight.settlement.jobs import Settlement
from porchlight.settlement.rules import Source
from sites.hours.cache import FreeStartsCache
from sites.hours.queries import service_times
from tenants.db.pool import Database
from tenants.db.rows import fetch_value
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.ids import new_id

# By guru: the service that is paid by card. Each has other services that are paid at the session.
SERVICES = {"photo": "Family Portrait Hour", "music": "Guitar Check and Setup"}
DEPOSIT_SERVICE, KEPT_CARD_SERVICE = "Photo Archive Rescue", "Home Recording Setup"  # of photo and of music
# Guru, service, neighbor, and what became of the session: of services that take a part of the price, or nothing.
LATER_SESSIONS = (
    ("photo", DEPOSIT_SERVICE, "theo.barnes@example.com", "paid"),
    ("music", KEPT_CARD_SERVICE, "theo.barnes@example.com", "canceled"),
    ("music", KEPT_CARD_SERVICE, "theo.barnes@example.com", "kept"),
)
# Guru, neighbor, and what became of the session.
SESSIONS = (
    ("music", "theo.barnes@example.com", "invoiced"),
    ("photo", "theo.barnes@example.com", "canceled"),
    ("music", "jonah.pruitt@example.com", "paid"),
    ("photo", "ahmed.saleh@example.com", "given"),
    ("photo", "jonah.pruitt@example.com", "refunded in part"),
    ("music", "ahmed.saleh@example.com", "disputed"),
    ("photo", "theo.barnes@example.com", "waiting"),
)
# Guru, service and neighbor of the package that was bought, and its terms.
PACKAGE_SALE = ("music", "One-on-One Consultation", "jonah.pruitt@example.com")
PACKAGE_NAME, PACKAGE_SESSIONS, PACKAGE_DAYS, PACKAGE_CENTS = "Monthly Mentorship", 4, 60, 19_000
TIP_CENTS = 1500  # of the session that was given
_TAKE_CARDS = """
UPDATE booking_settings SET payment = 'full' WHERE tenant_id = %s AND service_id = %s AND payment <> 'full'"""
_TAKE_LATER = """
UPDATE booking_settings
   SET payment = %s, deposit_percent = 20, policy = 'own', free_until_minutes = 10080, late_percent = 50,
       missed_percent = 100
 WHERE tenant_id = %s AND service_id = %s"""
_HOLD = """
SELECT encode(b.terms_digest, 'hex'), c.rules_version, b.service_name, b.guru_name, p.display_name, u.email
  FROM bookings b JOIN calendars c ON c.tenant_id = b.tenant_id
  JOIN users u ON u.user_id = %(user)s JOIN profiles p ON p.user_id = u.user_id
 WHERE b.tenant_id = %(tenant)s AND b.hold_hash = %(token)s"""
_PLAN = "SELECT app.tenant_plan(false)"
_PAGE = """
SELECT checkout_id, checkout_url FROM payments
 WHERE tenant_id = %(tenant)s AND purpose = %(purpose)s AND (booking_id = %(paid_for)s OR id = %(paid_for)s)"""
_BOUGHT = "SELECT id FROM package_grants WHERE tenant_id = %s AND payment_id = %s"
_BOOKING = "SELECT terms, price_cents, starts_at FROM bookings WHERE tenant_id = %s AND id = %s"
_PAYMENT = "SELECT id FROM payments WHERE tenant_id = %s AND booking_id = %s"
_SELLER = """
INSERT INTO invoice_details (tenant_id, name, address, tax_id)
VALUES (%s, 'Music on Larimer LLC', E'418 Larimer Street\nDenver, CO 80204', '84-1234567')"""
_COMPANY = CompanyPayload(
    name="Barnes & Daughters Catering", address="77 Wazee Street\nDenver, CO 80202", taxId="84-7654321"
)
_GROUP = "SELECT group_id, charge_id FROM payments WHERE tenant_id = %s AND booking_id = %s"
# Otherwise neighbors with several payments have opened too many of Stripe's pages, and can buy nothing for an hour.
_BEGIN_BEFORE = "UPDATE payments SET created_at = created_at - interval '2 hours'"
_GIVE = """
UPDATE bookings SET starts_at = app.now() - interval '28 hours', ends_at = app.now() - interval '27 hours'
 WHERE tenant_id = %s AND id = %s"""


class PaidSessions:
    """Neighbors who pay for sessions at the local Stripe."""

    def __init__(self, settings: Settings, db: Database, api: StripeApi) -> None:
        self._settings, self._db, self._api = settings, db, api
        self._dsn = settings.overseer_database_url
        self._settlement = Settlement(self._dsn, api, rules())
        self._cache = FreeStartsCache()

    async def load(self) -> None:
        """Let some services take cards, and book and pay sessions of them."""
        with psycopg.connect(self._dsn) as conn:
            for label, service in SERVICES.items():
                conn.execute(_TAKE_CARDS, [demo_id(label), demo_id(label, "service", service)])
        for label, email, outcome in SESSIONS:
            tenant_id, user_id = demo_id(label), neighbor_id(email)
            booking_id = await self._book(tenant_id, demo_id(label, "service", SERVICES[label]), user_id)
            await self._settlement.send_due()
            if outcome == "waiting":
                continue
            await self._pay(tenant_id, booking_id, "session")
            if outcome == "canceled":
                await self._cancel(tenant_id, user_id, booking_id)
            elif outcome == "invoiced":
                await self._invoice(tenant_id, user_id, booking_id)
            elif outcome == "given":
                with psycopg.connect(self._dsn) as conn:
                    conn.execute(_GIVE, [tenant_id, booking_id])
                await self._tip(tenant_id, user_id, booking_id)
            elif outcome == "refunded in part":
                await self._return_a_part(tenant_id, booking_id)
            elif outcome == "disputed":
                await self._dispute(tenant_id, booking_id)
        await self._load_later()
        await self._sell_package()
        complete_bookings(self._dsn)
        deliver_payments(self._dsn)
        await self._settlement.send_due()
        with psycopg.connect(self._dsn) as conn:
            conn.execute(_BEGIN_BEFORE)

    async def _load_later(self) -> None:
        """Take a deposit, and keep cards: one session is canceled so late that its card is charged."""
        with psycopg.connect(self._dsn) as conn:
            for label, service, payment in (
                ("photo", DEPOSIT_SERVICE, "deposit"), ("music", KEPT_CARD_SERVICE, "hold"),
            ):  # fmt: skip
                conn.execute(_TAKE_LATER, [payment, demo_id(label), demo_id(label, "service", service)])
        for label, service, email, outcome in LATER_SESSIONS:
            tenant_id, user_id = demo_id(label), neighbor_id(email)
            is_last = outcome == "kept"  # canceling it still costs nothing
            booking_id = await self._book(tenant_id, demo_id(label, "service", service), user_id, is_last=is_last)
            await self._settlement.send_due()
            await self._pay(tenant_id, booking_id, "session")
            if outcome == "canceled":
                await self._cancel(tenant_id, user_id, booking_id)

    async def _sell_package(self) -> None:
        """Sell a package, give one of its sessions, take one back, and book one."""
        label, service, email = PACKAGE_SALE
        tenant_id, service_id, user_id = demo_id(label), demo_id(label, "service", service), neighbor_id(email)
        terms = NewPackagePayload(
            name=PACKAGE_NAME, sessions=PACKAGE_SESSIONS, days=PACKAGE_DAYS, priceCents=PACKAGE_CENTS,
            serviceId=str(service_id),
        )  # fmt: skip
        async with unit_of_work(self._db, tenant_id=tenant_id, acting=True) as session:
            package_id = await create_package(session, tenant_id, terms, "demo-package")
        desk = CardDesk(True, Fees.of(self._settings), self._settings.main_origin, "neighbor@example.com")
        wanted = PurchasePayload(name="Jonah Pruitt", priceCents=PACKAGE_CENTS)
        async with unit_of_work(self._db, tenant_id=tenant_id, user_id=user_id) as session:
            payment_id = await begin_purchase(session, desk, user_id, tenant_id, package_id, wanted, "demo-package")
        await self._settlement.send_due()
        await self._pay(tenant_id, payment_id, "package")
        with psycopg.connect(self._dsn) as conn:
            grant_id = fetch_value(conn, UUID, _BOUGHT, [tenant_id, payment_id])
            assert grant_id is not None  # noqa: S101 - it was just paid
        use = commands.WantedPackage(id=grant_id, sessions=1)
        given = await self._book(tenant_id, service_id, user_id, package=use)
        with psycopg.connect(self._dsn) as conn:
            conn.execute(_GIVE, [tenant_id, given])
        async with unit_of_work(self._db, tenant_id=tenant_id, acting=True) as session:
            await take_back_sessions(
                session, tenant_id, grant_id, sessions=1, left=PACKAGE_SESSIONS - 1,
                reason="I am on tour for a week, so here is the money for that lesson.",
            )  # fmt: skip
        await self._book(tenant_id, service_id, user_id, is_last=True, package=use)

    async def _book(
        self,
        tenant_id: UUID,
        service_id: UUID,
        user_id: UUID,
        *,
        is_last: bool = False,
        package: commands.WantedPackage | None = None,
    ) -> UUID:
        times = await service_times(self._db, self._cache, tenant_id, service_id, None, 30)
        token = new_token(tenant_id)
        await hold_seat(
            self._db, token, user_id=user_id, service_id=service_id, starts_at=times.starts[-is_last].starts_at,
            party=1, address=token.random,
        )  # fmt: skip
        with psycopg.connect(self._dsn) as conn:
            values = {"tenant": tenant_id, "token": token.digest, "user": user_id}
            found = conn.execute(_HOLD, values).fetchone()
        assert found is not None  # noqa: S101 - it was just made
        policy, rules_version, service, guru, name, email = found
        plan = await self._db.read_value(str, tenant_id, _PLAN)
        origin = self._settings.main_origin
        payment = commands.WantedPayment(
            plan=plan or "", fees=Fees.of(self._settings), title=f"{service} with {guru}", email=email,
            return_url=f"{origin}/sessions",
        )  # fmt: skip
        booked = commands.Booked(key=f"demo-{token.text}", digest=b"", name=name)
        command = commands.Book(
            booked=booked, policy=policy, rules_version=rules_version, package=package,
            payment=None if package else payment,
        )  # fmt: skip
        needs = FactsQuery(token=token.digest, key=booked.key)
        result = await store.run(self._db, tenant_id, needs, command, user_id=user_id)
        assert result.decision.booking_id is not None, result.decision.refusal  # noqa: S101 - of the demo's own data
        return result.decision.booking_id

    async def _tip(self, tenant_id: UUID, user_id: UUID, booking_id: UUID) -> None:
        async with unit_of_work(self._db, user_id=user_id) as session:
            booking = await own_booking(session, user_id, booking_id)
            page = f"{self._settings.main_origin}/sessions/{booking_id}"
            tip = purchases.Purchase(
                id=new_id(), purpose="tip", amount_cents=TIP_CENTS, email="neighbor@example.com",
                title=f"Tip for {booking.guru_name}: {booking.service_name}", success_url=page, cancel_url=page,
                key=f"demo-{booking_id}", values={"booking_id": booking_id},
            )  # fmt: skip
            await purchases.begin(session, tip)
        await self._settlement.send_due()
        await self._pay(tenant_id, booking_id, "tip")

    async def _pay(self, tenant_id: UUID, paid_for: UUID, purpose: str) -> None:
        """Pay on the page of a booking, or of a package's payment."""
        values = {"tenant": tenant_id, "paid_for": paid_for, "purpose": purpose}
        with psycopg.connect(self._dsn) as conn:
            found = conn.execute(_PAGE, values).fetchone()
        assert found is not None  # noqa: S101 - its page was just opened
        checkout_id, url = found
        form = {"number": "4242 4242 4242 4242", "expiry": "12 / 40", "cvc": "123", "name": "Demo Neighbor"}
        async with httpx.AsyncClient(trust_env=False) as browser:
            answer = await browser.post(url, data=form)
        if answer.status_code != 303:
            raise RuntimeError("the local Stripe did not take the card of the demo")
        rule = SessionCheckoutRule()
        fetched = await self._api.fetch(rule.path(checkout_id))
        with psycopg.connect(self._dsn) as conn:
            rule.apply(conn, checkout_id, fetched, Source("", clock.now(), "", livemode=False))

    async def _invoice(self, tenant_id: UUID, user_id: UUID, booking_id: UUID) -> None:
        with psycopg.connect(self._dsn) as conn:
            conn.execute(_SELLER, [tenant_id])
            payment_id = fetch_value(conn, UUID, _PAYMENT, [tenant_id, booking_id])
        assert payment_id is not None  # noqa: S101 - it was just paid
        await issue_invoice(self._db, user_id, payment_id, _COMPANY)

    async def _cancel(self, tenant_id: UUID, user_id: UUID, booking_id: UUID) -> None:
        with psycopg.connect(self._dsn) as conn:
            found: Any = conn.execute(_BOOKING, [tenant_id, booking_id]).fetchone()
        terms, price_cents, starts_at = found
        now = clock.now()
        digest = current_terms(terms, price_cents=price_cents, starts_at=starts_at, moves=0, now=now).digest
        command = commands.Cancel(
            id=booking_id, actor=Actor.PERSON, reason="The baby has a fever.", terms_digest=digest
        )  # fmt: skip
        await store.run(self._db, tenant_id, FactsQuery(ids=[booking_id]), command, user_id=user_id)
        await self._settlement.send_due()

    async def _return_a_part(self, tenant_id: UUID, booking_id: UUID) -> None:
        with psycopg.connect(self._dsn) as conn:
            found: Any = conn.execute(_GROUP, [tenant_id, booking_id]).fetchone()
            group_id, _charge = found
            (payment,) = lock_payments(conn, tenant_id, group_id)
            command = commands.RefundPayment(
                payment=payment, amount_cents=payment.amount_cents // 4 // 100 * 100, actor=Actor.GURU,
                words="We started late, so this part is on me.",
            )  # fmt: skip
            store.run_on(conn, FactsQuery(ids=[booking_id]), command)
        await self._settlement.send_due()

    async def _dispute(self, tenant_id: UUID, booking_id: UUID) -> None:
        with psycopg.connect(self._dsn) as conn:
            found: Any = conn.execute(_GROUP, [tenant_id, booking_id]).fetchone()
        _group, charge_id = found
        url = f"{self._settings.stripe_api_base}/_twin/disputes"
        async with httpx.AsyncClient(trust_env=False) as control:
            answer = await control.post(url, json={"charge": charge_id, "reason": "product_not_received"})
        disputed = answer.raise_for_status().json()["id"]
        fetched = await self._api.fetch(f"/v1/disputes/{disputed}?expand[]=charge")
        assert fetched is not None  # noqa: S101 - it was just made
        with psycopg.connect(self._dsn) as conn:
            SessionDisputes().apply_dispute(conn, dispute_facts(fetched), Source("", clock.now(), "", livemode=False))
