"""Response schemas of the year statement. Amounts are cents, with the sign of what they do to the guru's money."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class YearTotals(ResponseModel):
    """The totals of a month or a year.

    `paid` is what people paid; `refunds`, `disputes` and `fees` went from it, `tips` and `other` came besides.
    `earned` is their sum. `paid_out` is what went to the bank, and is positive.
    """

    paid: int
    refunds: int
    disputes: int
    tips: int
    other: int
    fees: int
    earned: int
    paid_out: int


class YearStatementData(ResponseModel):
    """The statement of a year: the twelve months in order, in the zone of the guru's calendar.

    `years` are those that can be chosen, the newest first; none before the first payment.
    """

    year: int
    years: list[int]
    zone: str
    months: list[YearTotals]
    total: YearTotals


class YearStatementResponse(ResponseModel):
    """The statement of a year."""

    success: bool
    data: YearStatementData
