"""The statement of a year against the ledger to the cent, as totals, CSV and PDF."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pypdfium2
import pytest

from porchlight.app import Porchlight
from porchlight.features.money.year_statement import queries
from porchlight.features.money.year_statement.totals import Totals, month_starts
from porchlight.money.posting import Leg, Subject, balance, get_or_create_account, post
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.identity import Emulator
from tests.porchlight.factories import insert_row, seed_payment
from tests.porchlight.owner import GuruOwner, create_owner

ZONE = "America/Denver"  # of a seeded guru's calendar
NEW_YEAR = datetime(2027, 1, 1, 7, tzinfo=UTC)  # midnight there
_SET_NOW = """
SELECT set_config('porchlight.clock_offset',
                  (%s::timestamptz - app.now() + current_setting('porchlight.clock_offset')::interval)::text, true)"""
_CHANGE = """
SELECT coalesce(sum(CASE WHEN l.credit_account = ANY (%(accounts)s) THEN l.amount ELSE 0 END
                    - CASE WHEN l.debit_account = ANY (%(accounts)s) THEN l.amount ELSE 0 END), 0)::bigint
  FROM ledger_transfers l JOIN ledger_transactions t ON t.id = l.transaction_id
 WHERE t.at >= %(from)s AND t.at < %(until)s"""


class Books:
    """The accounts of a guru, posted to at chosen times. Times have to rise."""

    def __init__(self, conn: psycopg.Connection[Any], user: UUID) -> None:
        self.conn, self.user = conn, user
        kinds = ("card_network", "platform_fees", "bank_payouts", "losses")
        self.outside = {kind: get_or_create_account(conn, kind) for kind in kinds}
        self.own = {
            kind: get_or_create_account(conn, kind, user_id=user)
            for kind in ("guru_held", "guru_payable", "guru_stripe")
        }
        conn.commit()

    def post(self, at: datetime, event: str, subject: str, *legs: tuple[str, str, int]) -> str:
        """Post an event at a time. Return the id of its subject."""
        accounts = self.outside | self.own
        subject_id = str(new_id())
        self.conn.execute(_SET_NOW.encode(), [at])
        wanted = [Leg(accounts[debit], accounts[credit], cents) for debit, credit, cents in legs if cents]
        post(self.conn, event, Subject(subject, subject_id), wanted)
        self.conn.commit()
        return subject_id

    def sell(self, at: datetime, cents: int, fee: int) -> str:
        """Post that a session was paid."""
        legs = ("card_network", "guru_held", cents - fee), ("card_network", "platform_fees", fee)
        return self.post(at, "paid", "payment", *legs)

    def change(self, since: datetime, until: datetime) -> int:
        """Return by how much all accounts of the guru changed, from the entries themselves."""
        values = {"accounts": list(self.own.values()), "from": since, "until": until}
        row = self.conn.execute(_CHANGE.encode(), values).fetchone()
        assert row is not None
        return int(row[0])


@pytest.fixture
async def rosa(app: Porchlight, emulator: Emulator, database: Database) -> AsyncIterator[GuruOwner]:
    """A guru of each test: times in a ledger only rise."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        created = await create_owner(app, emulator, conn, f"year-{new_id().hex[-12:]}")
    yield created
    await created.web.aclose()


@pytest.fixture
def books(rosa: GuruOwner, database: Database) -> Iterator[Books]:
    """The books of Rosa."""
    assert rosa.guru.owner is not None
    with psycopg.connect(database.service_url) as conn:
        yield Books(conn, rosa.guru.owner)


def _random_posting(books: Books, chance: random.Random, at: datetime) -> None:
    cents = chance.randint(100, 20_000)
    fee = cents // 10
    held, payable, stripe = (balance(books.conn, books.own[kind]).total for kind in books.own)
    kind = chance.choice(["sell", "sell", "refund", "deliver", "late refund", "dispute", "tip", "transfer", "payout"])
    if kind == "sell":
        books.sell(at, cents, fee)
    elif kind == "tip":
        books.post(at, "tip_paid", "payment", ("card_network", "guru_payable", cents))
    elif kind in ("refund", "dispute") and held > cents:
        event, subject = ("refunded", "refund") if kind == "refund" else ("dispute_opened", "dispute")
        legs = ("guru_held", "card_network", cents - fee), ("platform_fees", "card_network", fee)
        books.post(at, event, subject, *legs)
    elif kind == "late refund":  # leaves a debt
        books.post(at, "refunded", "refund", ("guru_payable", "card_network", cents))
    elif kind == "deliver" and held:
        books.post(at, "delivered", "booking", ("guru_held", "guru_payable", held))
    elif kind == "transfer" and payable > 0:
        books.post(at, "transferred", "transfer", ("guru_payable", "guru_stripe", payable))
    elif kind == "payout" and stripe > 500:
        books.post(at, "payout", "payout", ("guru_stripe", "bank_payouts", stripe - 100))
        books.post(at, "instant_payout_fee", "payout", ("guru_stripe", "platform_fees", 75))
    books.conn.rollback()


@pytest.mark.parametrize("seed", range(4))
async def test_year_statement_is_the_ledger_to_the_cent(rosa: GuruOwner, books: Books, seed: int) -> None:
    chance = random.Random(seed)
    at = NEW_YEAR - timedelta(days=40)
    for _ in range(80):
        at += timedelta(minutes=chance.choice([1, 60, 60 * 24, 60 * 24 * 9, 60 * 24 * 20]))
        _random_posting(books, chance, at)
    found = await rosa.call("GET", "/year-statement")
    assert (found["zone"], found["year"]) == (ZONE, found["years"][0])
    assert found["years"][-1] == 2026
    whole = 0
    for year in found["years"]:
        statement = await rosa.call("GET", "/year-statement", params={"year": year})
        starts = month_starts(year, ZONE)
        for month, totals in enumerate(statement["months"]):
            change = totals["earned"] - totals["paidOut"]
            assert change == books.change(starts[month], starts[month + 1]), (year, month)
        assert statement["total"] == {key: sum(one[key] for one in statement["months"]) for key in statement["total"]}
        whole += statement["total"]["earned"] - statement["total"]["paidOut"]
    assert whole == sum(balance(books.conn, account).total for account in books.own.values())


async def test_refund_counts_in_its_own_month(rosa: GuruOwner, books: Books) -> None:
    books.sell(NEW_YEAR - timedelta(seconds=1), 7500, 750)
    books.post(
        NEW_YEAR, "refunded", "refund", ("guru_held", "card_network", 3375), ("platform_fees", "card_network", 375)
    )
    before = await rosa.call("GET", "/year-statement", params={"year": 2026})
    assert (before["months"][11]["paid"], before["months"][11]["fees"]) == (7500, -750)
    assert (before["total"]["refunds"], before["total"]["earned"]) == (0, 6750)
    after = await rosa.call("GET", "/year-statement")
    assert (after["year"], after["years"]) == (2027, [2027, 2026])
    assert (after["months"][0]["refunds"], after["months"][0]["fees"]) == (-3750, 375)
    assert (after["total"]["paid"], after["total"]["earned"]) == (0, -3375)


async def test_refund_of_fee_alone_is_counted(rosa: GuruOwner, theo: GuruOwner, books: Books) -> None:
    """No account of the guru has a line of it, and what people got back would miss a cent."""
    guru = rosa.guru
    assert guru.person is not None and guru.booking is not None  # noqa: PT018
    payment_id = seed_payment(books.conn, guru, guru.person, guru.booking, number=9)
    refund_id = books.post(NEW_YEAR, "refunded", "refund", ("platform_fees", "card_network", 1))
    refund = {
        "tenant_id": guru.id, "id": UUID(refund_id), "payment_id": payment_id, "person_id": guru.person,
        "amount_cents": 1, "fee_cents": 1, "reason": "goodwill", "actor": "guru", "after_delivery": False,
    }  # fmt: skip
    insert_row(books.conn, "refunds", refund)
    books.conn.commit()
    totals = (await rosa.call("GET", "/year-statement", params={"year": 2027}))["total"]
    assert (totals["refunds"], totals["fees"], totals["earned"]) == (-1, 1, 0)
    other = (await theo.call("GET", "/year-statement", params={"year": 2027}))["total"]
    assert (other["refunds"], other["fees"]) == (0, 0)


async def test_guru_without_money_has_no_years(rosa: GuruOwner, theo: GuruOwner, books: Books) -> None:
    books.sell(NEW_YEAR, 7500, 750)
    found = await theo.call("GET", "/year-statement")
    assert (found["years"], found["total"]["earned"], len(found["months"])) == ([], 0, 12)
    error = await rosa.call("GET", "/year-statement", params={"year": 1}, expect=422)
    assert list(error["fields"]) == ["year"]


async def test_year_csv_has_each_line_and_names_services(rosa: GuruOwner, books: Books) -> None:
    guru = rosa.guru
    subject = books.sell(NEW_YEAR + timedelta(hours=1), 7500, 750)
    assert guru.person is not None and guru.booking is not None  # noqa: PT018
    books.conn.execute(
        "UPDATE bookings SET service_name = '=HYPERLINK(1)' WHERE tenant_id = %s AND id = %s", [guru.id, guru.booking]
    )
    seed_payment(books.conn, guru, guru.person, guru.booking, number=9)
    refund = books.conn.execute("SELECT id FROM refunds WHERE tenant_id = %s ORDER BY id DESC", [guru.id]).fetchone()
    assert refund is not None
    books.conn.execute(_SET_NOW.encode(), [NEW_YEAR + timedelta(hours=2)])
    cards = books.outside["card_network"]
    legs = [Leg(books.own["guru_held"], cards, 3375), Leg(books.outside["platform_fees"], cards, 375)]
    post(books.conn, "refunded", Subject("refund", str(refund[0])), legs)
    books.conn.commit()
    books.post(NEW_YEAR + timedelta(hours=3), "delivered", "booking", ("guru_held", "guru_payable", 3375))
    response = await rosa.web.get("/api/guru/year-statement.csv", params={"year": 2027})
    assert response.content.startswith(b"\xef\xbb\xbf")
    assert (response.headers["cache-control"], "attachment" in response.headers["content-disposition"]) == (
        "no-store", True,
    )  # fmt: skip
    header, *rows = csv.reader(io.StringIO(response.content.decode("utf-8-sig")))
    assert header == [f"Date ({ZONE})", "Kind", "Service", "Amount ($)", "Fee ($)", "Net ($)", "Reference"]
    assert rows == [
        ["2027-01-01 01:00:00", "Session paid", "", "75.00", "7.50", "67.50", f"payment {subject}"],
        ["2027-01-01 02:00:00", "Refund to the customer", "'=HYPERLINK(1)", "-37.50", "-3.75", "-33.75",
         f"refund {refund[0]}"],
    ]  # fmt: skip
    assert "@" not in response.text


async def test_year_csv_pages_lose_and_repeat_no_line(
    rosa: GuruOwner, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "LINES_OF_PAGE", 3)
    for number in range(11):  # several at one instant, and in two months
        books.sell(NEW_YEAR + timedelta(days=number // 4 * 12), 1000 + number, 100)
    response = await rosa.web.get("/api/guru/year-statement.csv", params={"year": 2027})
    _, *rows = csv.reader(io.StringIO(response.content.decode("utf-8-sig")))
    assert sorted(row[3] for row in rows) == sorted(f"{(1000 + number) / 100:.2f}" for number in range(11))
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)


async def test_year_pdf_has_totals_and_says_cash_basis(rosa: GuruOwner, books: Books) -> None:
    books.sell(NEW_YEAR, 7500, 750)
    response = await rosa.web.get("/api/guru/year-statement.pdf", params={"year": 2027})
    assert response.headers["content-type"] == "application/pdf"
    document = pypdfium2.PdfDocument(response.content)
    assert len(document) == 1
    text = " ".join(str(document[0].get_textpage().get_text_bounded()).split())
    for words in ("Year statement 2027", "$75.00", "-$7.50", "$67.50", "Cash basis", "no tax advice", ZONE, "January"):
        assert words in text


def test_year_pdf_fits_large_amounts() -> None:
    from porchlight.features.money.year_statement.pdf import render_year_statement
    from porchlight.features.money.year_statement.totals import YearStatement

    most = Totals(*[99_999_999_99] * 7)
    content = render_year_statement(YearStatement(2026, ZONE, [most] * 12), "Préparation des légumes 料理 " * 9)
    text = str(pypdfium2.PdfDocument(content)[0].get_textpage().get_text_bounded())
    assert text.count("$99,999,999.99") == 12 * 6 + 12  # fees and what was paid out are among them
