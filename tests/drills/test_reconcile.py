"""A hundred thousand payments: five faults are exactly five findings, and without them there is none."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from porchlight.settlement.reconcile.run import Comparison, reconcile
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.payouts.stripe_fake import StripeFake
from tests.porchlight.settlement.both_sides import BothSides
from tests.porchlight.settlement.many_payments import pay_plans, post_plans

FEW, MANY = 300, 100_000
MONTH_S = 30 * 86_400


def add_faults(sides: BothSides) -> set[tuple[str, str, int]]:
    """Add five faults and return their findings."""
    not_posted = sides.control("charges", amount=4000)["charge"]["id"]
    one_cent_more = sides.control("charges", amount=1001)["charge"]["id"]
    unknown = sides.control("lines", type="climate_order_purchase", amount=-300)["id"]
    post_plans(sides, [(one_cent_more, 1000), ("ch_no_line", 777)])
    # A line with an old date, which no run lists again: only the balance shows it.
    sides.control("clock", advance_s=-MONTH_S)
    sides.control("lines", type="topup", amount=1)
    sides.control("clock", advance_s=MONTH_S)
    return {
        ("missing_here", not_posted, 4000), ("amount_differs", one_cent_more, 1),
        ("missing_at_stripe", "ch_no_line", -777), ("unknown_line", unknown, -300), ("balance_differs", "balance", 1),
    }  # fmt: skip


async def run(database: Database, folder: Path, payments: int) -> None:
    """Compare without and with faults, and print how long each step took."""
    with StripeFake(folder) as fake:
        sides = BothSides(database, fake)
        accounts = [sides.guru(earnings=20_000).account_id]

        async def compare() -> Comparison:
            """Run a comparison in three hours, so that nothing is too new to differ."""
            until = clock.now() + timedelta(hours=3)
            return await reconcile(database.service_url, sides.api, accounts, until=until)

        moments = [time.perf_counter()]
        try:
            assert (await compare()).findings == []
            pay_plans(sides, payments)
            moments.append(time.perf_counter())
            for new_lines in (payments, 0):
                report = await compare()
                assert (report.lines, report.findings) == (new_lines, [])
                moments.append(time.perf_counter())
            expected = add_faults(sides)
            found = (await compare()).findings
            assert {(one.kind, one.stripe_id, one.cents) for one in found} == expected
            assert len(found) == 5
            moments.append(time.perf_counter())
        finally:
            await sides.api.close()
    made, new, again, faults = (end - start for start, end in itertools.pairwise(moments))
    sys.stdout.write(
        f"\n{payments:,} payments: made in {made:.0f} s, compared in {new:.0f} s, again in {again:.0f} s,"
        f" five faults found in {faults:.0f} s\n"
    )


async def test_reconcile_few_payments_finds_each_fault(new_database: Callable[[], Database], tmp_path: Path) -> None:
    await run(new_database(), tmp_path, FEW)


@pytest.mark.drill
async def test_reconcile_many_payments_finds_each_fault(new_database: Callable[[], Database], tmp_path: Path) -> None:
    await run(new_database(), tmp_path, MANY)
