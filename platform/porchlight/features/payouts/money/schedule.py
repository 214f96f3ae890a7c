"""The schedule of a connected account's regular payouts, which Stripe keeps (balance settings)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from porchlight.features.payouts.money.errors import PayoutRefused
from porchlight.features.payouts.money.schemas import Interval, Schedule, SchedulePayload, Weekday
from porchlight.payment_ports import PaymentsOutage, PaymentsRefusal, Refusal, Sent, StripeApi, Write
from porchlight.settlement.errors import PaymentsUnresponsive
from tenants.kit import timeouts
from tenants.kit.errors import ValidationFailed
from tenants.kit.ids import new_id

_PATH = "/v1/balance_settings"


async def schedule_at_stripe(stripe: StripeApi, account_id: str) -> Schedule:
    """Fetch an account's schedule. Raises PaymentsUnresponsive."""
    try:
        fetched = await stripe.fetch(_PATH, account_id)
    except (PaymentsOutage, PaymentsRefusal) as error:
        raise PaymentsUnresponsive(retry_after=60) from error
    if fetched is None:
        raise PayoutRefused("not_connected_yet")
    return _parse(fetched)


async def change_schedule(stripe: StripeApi, account_id: str, wanted: SchedulePayload) -> Schedule:
    """Change an account's schedule, and let Stripe take a balance below zero from the bank account.

    It is sent directly and not by the outbox: it moves no money, and an old change that is repeated later would undo a
    newer one. Raises ValidationFailed, PaymentsUnresponsive, PayoutRefused.
    """
    if (wanted.interval == "weekly") != (wanted.weekday is not None):
        raise ValidationFailed(fields={"weekday": "Choose a day for weekly payouts, and only for them."})
    if (wanted.interval == "monthly") != (wanted.day_of_month is not None):
        raise ValidationFailed(fields={"dayOfMonth": "Choose a day for monthly payouts, and only for them."})
    schedule: dict[str, Any] = {"interval": wanted.interval}
    if wanted.weekday is not None:
        schedule["weekly_payout_days"] = [wanted.weekday]
    if wanted.day_of_month is not None:
        schedule["monthly_payout_days"] = [wanted.day_of_month]
    change_id = new_id()
    params = {"payments": {"debit_negative_balances": True, "payouts": {"schedule": schedule}}}
    write = Write(change_id, "payout_schedule", change_id, 1, account_id, "POST", _PATH, params, stripe.api_version)
    try:
        async with asyncio.timeout(timeouts.current.payout_response_seconds):  # with the wait for a free slot
            outcome = await stripe.send(write)
    except TimeoutError as error:
        raise PaymentsUnresponsive(retry_after=60) from error
    match outcome:
        case Sent(changed):
            return _parse(changed)
        case Refusal():
            raise PayoutRefused("payouts_paused")
        case _:
            raise PaymentsUnresponsive(retry_after=60)


def _parse(settings: Mapping[str, Any]) -> Schedule:
    schedule = settings["payments"]["payouts"].get("schedule") or {}
    weekdays, days = schedule.get("weekly_payout_days") or [None], schedule.get("monthly_payout_days") or [None]
    return Schedule(
        interval=cast(Interval, schedule.get("interval") or "daily"),
        weekday=cast("Weekday | None", weekdays[0]),
        day_of_month=days[0],
    )
