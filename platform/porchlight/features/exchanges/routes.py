"""Exchanges of the signed-in person (flag booking). Staff who view a console see none of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Response, status

from porchlight.contracts import profile_photo_url
from porchlight.dependencies import Context, CurrentUser, IdempotencyKey, require_flag, require_main_host
from porchlight.features.exchanges import actions, queries
from porchlight.features.exchanges.agreement import ExchangeRefusal
from porchlight.features.exchanges.calendar_events import ExchangeOrigin, exchange_event
from porchlight.features.exchanges.errors import error_of, refusals_as_errors
from porchlight.features.exchanges.hours_rules import offered_modes
from porchlight.features.exchanges.rules import (
    Accept,
    CancelExchange,
    Command,
    Counter,
    Decline,
    asking_refusal,
)
from porchlight.features.exchanges.schemas import (
    AskPayload,
    ExchangeAnswerPayload,
    ExchangeCancellationPayload,
    ExchangeCountsResponse,
    ExchangeNeighbor,
    ExchangeOffer,
    ExchangeOfferResponse,
    ExchangeResponse,
    ExchangesData,
    ExchangesResponse,
    NeighborOffers,
    NeighborOffersResponse,
    OfferName,
    OwnHours,
    TimeRecordPayload,
    TimeReversalPayload,
    TimeSettlementPayload,
    When,
)
from porchlight.features.exchanges.settlement_rules import ConfirmTime, RecordTime, ReverseTime, SettlementCommand
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.email_addresses import split_sender
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import new_id, parse_id_or_404

router = FeatureRouter(
    prefix="/api/exchanges",
    tags=["exchanges"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("booking"))],
)


@router.get("", operation_id="list_exchanges", summary="List my exchanges")
async def list_exchanges(
    context: Context,
    user: CurrentUser,
    when: When = "upcoming",
    cursor: Annotated[str | None, Query(max_length=100)] = None,
) -> ExchangesResponse:
    """Return a page of exchanges: those ahead, those that wait for an answer, or past ones."""
    found, next_cursor = await queries.exchanges(context.db, user.user_id, when, cursor)
    return ExchangesResponse(success=True, data=ExchangesData(exchanges=found, next_cursor=next_cursor))


@router.get("/counts", operation_id="count_exchanges", summary="Count my exchanges")
async def count_exchanges(context: Context, user: CurrentUser) -> ExchangeCountsResponse:
    """Return how many exchanges are ahead, wait for an answer, and took place."""
    return ExchangeCountsResponse(success=True, data=await queries.exchange_counts(context.db, user.user_id))


@router.get("/offers", operation_id="list_exchange_offers", summary="List what a neighbor teaches")
async def list_exchange_offers(
    context: Context, user: CurrentUser, handle: Annotated[str, Query(min_length=1, max_length=60)]
) -> NeighborOffersResponse:
    """Return the listings of a neighbor, from which one chooses what to ask about."""
    found = await queries.offers(context.db, user.user_id, handle)
    data = NeighborOffers(
        name=found[0].name or queries.UNKNOWN_NAME,
        offers=[OfferName(id=str(one.id), title=one.title) for one in found],
    )
    return NeighborOffersResponse(success=True, data=data)


@router.get("/offers/{offer_id}", operation_id="get_exchange_offer", summary="Get the listing to ask about")
async def get_exchange_offer(context: Context, user: CurrentUser, offer_id: str) -> ExchangeOfferResponse:
    """Return a listing with its risk, and whether the user can ask for a session about it."""
    found = await queries.offer(context.db, user.user_id, parse_id_or_404(offer_id))
    zone_at = await context.geocoder.zone_finder()
    facts, zone = await actions.asking_facts(context.db, user.user_id, found.id, zone_at)
    risk = await context.risk.assess_offer(found.title, found.details)
    refusal = asking_refusal(facts, is_verified=user.email_verified, is_limited=context.settings.limits == "on")
    if refusal is ExchangeRefusal.OWN_LISTING:
        sentence: str | None = "This is your own listing."
    else:
        sentence = error_of(refusal).message if refusal is not None else None
    data = ExchangeOffer(
        id=str(found.id),
        title=found.title,
        neighbor=ExchangeNeighbor(
            name=found.name or queries.UNKNOWN_NAME,
            handle=found.handle,
            photo_url=profile_photo_url(found.photo_id, found.photo_url or ""),
            can_arrange=refusal is not ExchangeRefusal.NOT_AVAILABLE,
        ),
        formats=found.formats,
        teacher_zone=zone,
        risk=risk.rating,
        requires_waiver=risk.requires_waiver,
        modes=list(offered_modes(found.terms)),
        hours=OwnHours(
            balance=facts.hours.learner.balance,
            reserved=facts.hours.learner.reserved,
            floor=facts.hours.learner.floor,
        ),
        refusal=sentence,
    )
    return ExchangeOfferResponse(success=True, data=data)


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_exchange",
    summary="Ask for a session",
    responses={200: {"model": ExchangeResponse, "description": "A resend under the same Idempotency-Key."}},
)
async def create_exchange(
    response: Response, context: Context, user: CurrentUser, key: IdempotencyKey, payload: AskPayload
) -> ExchangeResponse:
    """Ask the owner of a listing for a session, with one to three times. They get an email."""
    found = await queries.offer(context.db, user.user_id, parse_id_or_404(payload.offer_id))
    risk = await context.risk.assess_offer(found.title, found.details)
    with refusals_as_errors():
        asked = await actions.ask(
            context.db,
            user.user_id,
            actions.AskedOffer(found.id, found.title, found.terms, risk.rating if risk.requires_waiver else ""),
            payload,
            key=key or new_id().hex,
            is_verified=user.email_verified,
            is_limited=context.settings.limits == "on",
            zone_at=await context.geocoder.zone_finder(),
        )
    response.status_code = status.HTTP_201_CREATED if asked.is_new else status.HTTP_200_OK
    return ExchangeResponse(success=True, data=await queries.exchange_data(context.db, user.user_id, asked.id))


@router.get("/{exchange_id}", operation_id="get_exchange", summary="Get an exchange")
async def get_exchange(context: Context, user: CurrentUser, exchange_id: str) -> ExchangeResponse:
    """Return an exchange of yours, with your other sessions at the proposed times."""
    data = await queries.exchange_data(context.db, user.user_id, parse_id_or_404(exchange_id))
    return ExchangeResponse(success=True, data=data)


@router.post("/{exchange_id}/answers", operation_id="answer_exchange", summary="Answer proposed times")
async def answer_exchange(
    context: Context, user: CurrentUser, exchange_id: str, payload: ExchangeAnswerPayload
) -> ExchangeResponse:
    """Accept a proposed time, propose others, or decline. A second, same answer finds the exchange changed."""
    wanted = parse_id_or_404(exchange_id)
    command = _command(payload)
    with refusals_as_errors():
        await actions.change(context.db, user.user_id, wanted, command, zone=payload.known_zone)
    return ExchangeResponse(success=True, data=await queries.exchange_data(context.db, user.user_id, wanted))


@router.put("/{exchange_id}/cancellation", operation_id="cancel_exchange", summary="Cancel an exchange")
async def cancel_exchange(
    context: Context, user: CurrentUser, exchange_id: str, payload: ExchangeCancellationPayload
) -> ExchangeResponse:
    """Cancel a session until it ends, or take back a request. It is free. A second time changes nothing."""
    wanted = parse_id_or_404(exchange_id)
    with refusals_as_errors():
        await actions.change(context.db, user.user_id, wanted, CancelExchange(payload.words))
    return ExchangeResponse(success=True, data=await queries.exchange_data(context.db, user.user_id, wanted))


@router.put("/{exchange_id}/time", operation_id="record_exchange_time", summary="Record the time of a session")
async def record_exchange_time(
    context: Context, user: CurrentUser, exchange_id: str, payload: TimeRecordPayload
) -> ExchangeResponse:
    """Record the minutes that a session took, or name others than your neighbor did. A resend changes nothing."""
    return await _settle(context, user, exchange_id, RecordTime(payload.minutes, payload.round, payload.words))


@router.put("/{exchange_id}/settlement", operation_id="confirm_exchange_time", summary="Confirm the recorded time")
async def confirm_exchange_time(
    context: Context, user: CurrentUser, exchange_id: str, payload: TimeSettlementPayload
) -> ExchangeResponse:
    """Confirm the minutes that the other one recorded: it settles the session. A second time changes nothing."""
    return await _settle(context, user, exchange_id, ConfirmTime(payload.round))


@router.put("/{exchange_id}/reversal", operation_id="reverse_exchange_time", summary="Take back what was settled")
async def reverse_exchange_time(
    context: Context, user: CurrentUser, exchange_id: str, payload: TimeReversalPayload
) -> ExchangeResponse:
    """Ask to take back what was settled within 30 days, agree to it, or decline. It counts once both want it."""
    return await _settle(context, user, exchange_id, ReverseTime(payload.wanted, payload.words))


@router.get(
    "/{exchange_id}/session.ics",
    operation_id="get_exchange_file",
    summary="Download my exchange for a calendar",
    response_class=Response,
    responses={200: {"content": {"text/calendar": {}}, "description": "An iCalendar file with one event."}},
)
async def get_exchange_file(context: Context, user: CurrentUser, exchange_id: str) -> Response:
    """Return the calendar file of an agreed session, with the bytes of the email about its last change."""
    row = await queries.exchange(context.db, user.user_id, parse_id_or_404(exchange_id))
    if row.starts_at is None or row.status not in {"confirmed", "completed", "canceled"}:
        raise NotFound
    settings = context.settings
    origin = ExchangeOrigin(settings.main_origin, settings.base_host, split_sender(settings.sender)[1])
    name = await queries.own_name(context.db, user.user_id) or "You"
    file = exchange_event(row, user.user_id, origin, name, user.email)
    headers = {
        "content-disposition": 'attachment; filename="session.ics"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    return Response(file.content, media_type=f"text/calendar; method={file.method}; charset=utf-8", headers=headers)


async def _settle(
    context: Context, user: CurrentUser, exchange_id: str, command: SettlementCommand
) -> ExchangeResponse:
    wanted = parse_id_or_404(exchange_id)
    with refusals_as_errors():
        await actions.change(context.db, user.user_id, wanted, command)
    return ExchangeResponse(success=True, data=await queries.exchange_data(context.db, user.user_id, wanted))


def _command(payload: ExchangeAnswerPayload) -> Command:
    """Return the command of an answer. Raises ValidationFailed for one without its times."""
    match payload.answer:
        case "accept":
            if payload.starts_at is None:
                raise ValidationFailed(fields={"startsAt": "Choose one of the proposed times."})
            return Accept(payload.starts_at, payload.sequence)
        case "counter":
            if not payload.starts:
                raise ValidationFailed(fields={"starts": "Choose at least one time."})
            return Counter(tuple(payload.starts), payload.sequence, payload.words)
        case "decline":
            return Decline(payload.sequence, payload.words)
