"""Response bodies of a person's hours. All amounts are minutes; hours have no value in money."""

from __future__ import annotations

from porchlight.features.exchanges.schemas import OwnHours
from tenants.kit.schemas import ResponseModel


class SwapBalance(ResponseModel):
    """How many minutes more the reader gave a neighbor than they got; negative if they got more.

    `exchangeId`: the last swap of the two.
    """

    exchange_id: str
    neighbor: str
    minutes: int


class FreeHelp(ResponseModel):
    """The free help that the reader gave and got."""

    given: int
    received: int


class HoursData(ResponseModel):
    """The reader's hours, the balances of their swaps, and their free help."""

    hours: OwnHours
    swaps: list[SwapBalance]
    free: FreeHelp


class HoursResponse(ResponseModel):
    """GET /api/hours."""

    success: bool
    data: HoursData


class HoursLine(ResponseModel):
    """A line of the statement: above 0 what came in, below 0 what went out. `neighbor` is "" without a session."""

    number: int
    at: str
    description: str
    exchange_id: str | None
    skill: str
    starts_at: str | None
    neighbor: str
    minutes: int
    balance_after: int


class HoursStatement(ResponseModel):
    """A page of the statement, the newest first."""

    lines: list[HoursLine]
    next_cursor: str | None


class HoursStatementResponse(ResponseModel):
    """GET /api/hours/statement."""

    success: bool
    data: HoursStatement
