"""The statement of a guru's accounts, as pages and as CSV, and the platform's fee."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.features.money.guru_queries import DESCRIPTIONS
from porchlight.money.posting import Leg, Subject, get_or_create_account, post
from porchlight.money.rules import events, kinds
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.refusals import NOT_A_CHOICE
from tests.porchlight.owner import GuruOwner


def _owner(guru: GuruOwner) -> UUID:
    assert guru.guru.owner is not None
    return guru.guru.owner


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the service role; its transaction is committed by the test."""
    with psycopg.connect(database.service_url) as connection:
        yield connection


def _sell(conn: psycopg.Connection[Any], user: UUID, cents: int, subject: str = "") -> None:
    """Pay for a session of a guru: 10% to the platform, the rest held until it takes place."""
    card, fees = get_or_create_account(conn, "card_network"), get_or_create_account(conn, "platform_fees")
    held = get_or_create_account(conn, "guru_held", user_id=user)
    legs = [Leg(card, held, cents - cents // 10), Leg(card, fees, cents // 10)]
    post(conn, "paid", Subject("payment", subject or str(new_id())), legs)
    conn.commit()


async def test_statement_pages_have_50_lines(rosa: GuruOwner, theo: GuruOwner, conn: psycopg.Connection[Any]) -> None:
    for number in range(52):
        _sell(conn, _owner(rosa), 1000 + 10 * number)
    _sell(conn, _owner(theo), 7500)
    first = await rosa.call("GET", "/statement", params={"account": "held"})
    assert (len(first["items"]), first["nextCursor"]) == (50, "3")
    newest = first["items"][0]
    assert (newest["number"], newest["event"], newest["description"]) == (52, "paid", "Session paid")
    assert (newest["amount"], newest["balanceAfter"]) == (1510 - 151, sum(1000 + 10 * n - 100 - n for n in range(52)))
    rest = await rosa.call("GET", "/statement", params={"account": "held", "cursor": first["nextCursor"]})
    assert ([line["number"] for line in rest["items"]], rest["nextCursor"]) == ([2, 1], None)
    # The other guru sees only their own line, and each account only its own.
    other = await theo.call("GET", "/statement", params={"account": "held"})
    assert [line["amount"] for line in other["items"]] == [6750]
    assert (await rosa.call("GET", "/statement"))["items"] == []


async def test_statement_cursor_is_checked(rosa: GuruOwner) -> None:
    for cursor in ("x", "-1", "9223372036854775808", "1.5"):
        error = await rosa.call("GET", "/statement", params={"cursor": cursor}, expect=422)
        assert list(error["fields"]) == ["cursor"]
    error = await rosa.call("GET", "/statement", params={"account": "platform_fees"}, expect=422)
    assert error["fields"] == {"account": NOT_A_CHOICE}


async def test_statement_csv_has_all_lines_and_no_formula(rosa: GuruOwner, conn: psycopg.Connection[Any]) -> None:
    user = _owner(rosa)
    card, payable = (
        get_or_create_account(conn, "card_network"),
        get_or_create_account(conn, "guru_payable", user_id=user),
    )
    for _ in range(60):
        post(conn, "tip_paid", Subject("payment", str(new_id())), [Leg(card, payable, 105)])
    post(conn, "refunded", Subject("refund", "=HYPERLINK(1)"), [Leg(payable, card, 6500)])
    conn.commit()
    response = await rosa.web.get("/api/guru/statement.csv", params={"account": "earned"})
    assert response.headers["cache-control"] == "no-store"
    assert "attachment" in response.headers["content-disposition"]
    header, *rows = csv.reader(io.StringIO(response.content.decode("utf-8-sig")))
    assert header == ["Date (UTC)", "Description", "In ($)", "Out ($)", "Balance ($)", "Reference"]
    assert len(rows) == 61
    assert rows[0][1:] == ["Refund to the customer", "", "65.00", "-2.00", "refund =HYPERLINK(1)"]
    assert rows[1][1:5] == ["Tip", "1.05", "", "63.00"]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]


async def test_fee_follows_the_plan(rosa: GuruOwner, service_db: psycopg.Connection[Any]) -> None:
    service_db.execute("DELETE FROM plan_grants WHERE user_id = %s", [_owner(rosa)])
    fee = await rosa.call("GET", "/fee")
    assert (fee["plan"], fee["takesPayments"], fee["basisPoints"]) == ("skill-sharer", False, 1000)
    service_db.execute(
        "INSERT INTO plan_grants (user_id, plan, until, reason)"
        " VALUES (%s, 'premium-angel', app.now() + '1 day', 'test')",
        [_owner(rosa)],
    )
    fee = await rosa.call("GET", "/fee")
    assert fee == {
        "plan": "premium-angel", "planName": "Premium Angel", "takesPayments": True, "basisPoints": 700,
        "minimumCents": 50, "keptCents": 0, "netCents": 0,
    }  # fmt: skip
    fee = await rosa.call("GET", "/fee", params={"priceCents": 10_000})
    assert (fee["keptCents"], fee["netCents"]) == (700, 9300)


def test_every_event_of_a_guru_has_a_description() -> None:
    guru_kinds = {kind.name for kind in kinds().values() if kind.holder == "guru"}
    of_gurus = {
        event.name
        for event in events().values()
        for rule in event.rules
        if {rule.debit_kind, rule.credit_kind} & guru_kinds
    }
    assert of_gurus == set(DESCRIPTIONS)
