"""The totals of a year statement, without a database."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.money.year_statement.totals import (
    COLUMNS,
    INTERNAL,
    EventSum,
    Totals,
    month_starts,
    totals_of,
    year_statement,
    years_between,
)
from porchlight.money.rules import events, kinds

cents = st.integers(-(10**9), 10**9)
sums = st.lists(st.builds(EventSum, st.integers(1, 12), st.sampled_from(sorted(COLUMNS)), cents, cents), max_size=40)


def test_every_event_of_a_guru_has_a_column() -> None:
    guru_kinds = {kind.name for kind in kinds().values() if kind.holder == "guru"}
    changing: set[str] = set()
    moving: set[str] = set()
    for event in events().values():
        for rule in event.rules:
            sides = [rule.debit_kind in guru_kinds, rule.credit_kind in guru_kinds]
            if any(sides):
                (moving if all(sides) else changing).add(event.name)
    assert changing == set(COLUMNS)
    assert moving - changing == INTERNAL


@given(sums)
def test_totals_lose_no_cent(given_sums: list[EventSum]) -> None:
    """Net earned less paid out is what changed the guru's accounts."""
    total = year_statement(2026, "UTC", given_sums).total
    assert total.earned - total.paid_out == sum(one.net for one in given_sums)
    assert total.fees == -sum(one.fee for one in given_sums)


def test_totals_of_payment_have_gross_and_fee() -> None:
    assert totals_of("paid", 6750, 750) == Totals(paid=7500, fees=-750)
    assert totals_of("refunded", -3375, -375) == Totals(refunds=-3750, fees=375)
    assert totals_of("payout", -5000, 0) == Totals(paid_out=5000)
    assert totals_of("payout_failed", 5000, 0) == Totals(paid_out=-5000)
    assert totals_of("instant_payout_fee", -75, 75) == Totals(fees=-75)
    assert totals_of("not known yet", 5, 0) == Totals(other=5)


def test_months_begin_at_midnight_of_the_zone() -> None:
    starts = month_starts(2026, "America/Denver")
    assert (len(starts), starts[0]) == (13, datetime(2026, 1, 1, 7, tzinfo=UTC))
    assert starts[6] == datetime(2026, 7, 1, 6, tzinfo=UTC)  # daylight saving time
    assert starts[-1] == datetime(2027, 1, 1, 7, tzinfo=UTC)


def test_years_are_those_of_the_zone() -> None:
    new_year = datetime(2027, 1, 1, 3, tzinfo=UTC)
    assert years_between(new_year, new_year, "America/Denver") == [2026]
    assert years_between(new_year, new_year, "UTC") == [2027]
    assert years_between(datetime(2025, 5, 1, tzinfo=UTC), new_year, "UTC") == [2027, 2026, 2025]
