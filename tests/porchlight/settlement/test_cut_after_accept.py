"""A write whose response is lost: one object at Stripe and one posting, whatever was cut and however late it is found.

Each kind of write is cut in four places: before Stripe has it, after Stripe committed it, in the middle of the
response, and by the death of the worker after the response.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest

from porchlight.settlement import outbox
from tests.porchlight.settlement.both_sides import BothSides, ConnectedGuru, SettableClock

CUTS = ("drop_before", "drop_after_commit", "close", "worker_killed")
CENTS = 2_000


async def send_cut(sides: BothSides, guru: ConnectedGuru, cut: str) -> UUID:
    """Ask for a payout, and send it once with a cut."""
    code, payout_id, _ = sides.request(guru, CENTS)
    assert code == "created"
    assert payout_id is not None
    if cut == "worker_killed":
        row = sides.claim()
        assert row is not None
        await outbox.resolve(sides.api, sides.settlement.rules, row)  # and the process ends: nothing is recorded
        assert sides.write_state(payout_id) == "sent"
    else:
        sides.fault(cut)
        await sides.settlement.send_due()
        assert sides.write_state(payout_id) == "unknown"
    return payout_id


def objects_of(sides: BothSides, payout_id: UUID) -> list[str]:
    return [found["id"] for found in sides.objects("payout") if found["metadata"].get("payout") == str(payout_id)]


def assert_one_payout(sides: BothSides, guru: ConnectedGuru, payout_id: UUID) -> None:
    assert len(objects_of(sides, payout_id)) == 1
    assert sides.write_state(payout_id) == "done"
    assert sides.postings(payout_id) == ["instant_payout_fee", "payout"]
    assert sides.ledger(guru) == (sides.stripe_balance(guru), 0)


@pytest.mark.parametrize("cut", CUTS)
async def test_cut_write_is_repeated_with_its_key(sides: BothSides, product_clock: SettableClock, cut: str) -> None:
    guru = sides.guru(10_000)
    payout_id = await send_cut(sides, guru, cut)
    product_clock.advance(timedelta(minutes=16), sides)
    await sides.settlement.send_due()
    assert_one_payout(sides, guru, payout_id)
    keys = {
        call["idempotency_key"]
        for call in sides.calls(method="POST", path="/v1/payouts")
        if call["account"] == guru.account_id
    }
    row = sides.one("SELECT id FROM stripe_outbox WHERE subject_id = %s", payout_id)
    assert keys <= {f"pl-{row[0]}"}


@pytest.mark.parametrize("cut", CUTS)
async def test_cut_write_is_searched_a_day_later(sides: BothSides, product_clock: SettableClock, cut: str) -> None:
    guru = sides.guru(10_000)
    payout_id = await send_cut(sides, guru, cut)
    posts = len(sides.calls(method="POST", path="/v1/payouts"))
    product_clock.advance(timedelta(hours=25, minutes=1), sides)
    await sides.settlement.send_due()
    # Stripe has forgotten the key by now: nothing may be sent again.
    assert len(sides.calls(method="POST", path="/v1/payouts")) == posts
    if cut == "drop_before":
        assert objects_of(sides, payout_id) == []
        assert sides.write_state(payout_id) == "absent"
        assert sides.payout_state(payout_id) == ("failed", "not_sent")
        assert sides.postings(payout_id) == []
        assert sides.ledger(guru) == (10_000, 0)
    else:
        assert_one_payout(sides, guru, payout_id)


async def test_replayed_500_is_searched_not_repeated(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(10_000)
    _, payout_id, _ = sides.request(guru, CENTS)
    assert payout_id is not None
    sides.fault("status_after_commit:500")
    await sides.settlement.send_due()
    product_clock.advance(timedelta(minutes=16))
    await sides.settlement.send_due()  # the same key: Stripe replays its 500
    assert sides.one("SELECT state, lookup FROM stripe_outbox WHERE subject_id = %s", payout_id) == ("unknown", True)
    posts = len(sides.calls(method="POST", path="/v1/payouts"))
    product_clock.advance(timedelta(minutes=16))
    await sides.settlement.send_due()
    assert len(sides.calls(method="POST", path="/v1/payouts")) == posts
    assert_one_payout(sides, guru, payout_id)


async def test_write_that_stripe_never_had_waits_until_absent(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(10_000)
    payout_id = await send_cut(sides, guru, "drop_before")
    product_clock.advance(timedelta(hours=21), sides)
    await sides.settlement.send_due()
    assert sides.write_state(payout_id) == "unknown"
    assert sides.ledger(guru)[1] > CENTS  # its money stays reserved
    product_clock.advance(timedelta(hours=4), sides)
    await sides.settlement.send_due()
    assert sides.write_state(payout_id) == "absent"


async def test_restored_backup_sends_no_write_twice(sides: BothSides, product_clock: SettableClock) -> None:
    guru = sides.guru(10_000)
    code, payout_id, _ = sides.request(guru, CENTS)
    assert (code, sides.write_state(payout_id)) == ("created", "ready")
    assert payout_id is not None
    row = sides.claim()
    assert row is not None
    await outbox.resolve(sides.api, sides.settlement.rules, row)
    # The backup is from before the claim: the row is ready again, although Stripe has the payout.
    sides.run(
        "UPDATE stripe_outbox SET state = 'ready', first_sent_at = NULL, lease_until = NULL WHERE id = %s", row.id
    )
    assert sides.mark_restored() >= 1
    product_clock.advance(timedelta(hours=26), sides)
    await sides.settlement.send_due()
    assert_one_payout(sides, guru, payout_id)
