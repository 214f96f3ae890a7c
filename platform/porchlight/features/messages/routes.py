"""Threads and messages of the signed-in person (flag messaging). Staff who view a console see none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Path, Query, Request, Response, status

from porchlight.auth.authenticator import require_verified_email
from porchlight.contracts import profile_photo_url
from porchlight.dependencies import (
    AuthenticatedUser,
    Context,
    CurrentUser,
    IdempotencyKey,
    require_flag,
    require_main_host,
)
from porchlight.features.messages import actions, queries, reporting, session_events
from porchlight.features.messages.delivery import recipients
from porchlight.features.messages.delivery.actions import SentMessage, Target, Wake, remove_message, send_message
from porchlight.features.messages.errors import BLOCKED, NOT_TAKING_MESSAGES
from porchlight.features.messages.schemas import (
    Box,
    ChangesData,
    ChangesResponse,
    GuruName,
    MessagePayload,
    MessagesData,
    MessagesResponse,
    ReadPayload,
    RecipientData,
    RecipientKind,
    RecipientResponse,
    SentData,
    SentMessageResponse,
    SentResponse,
    SettingsPayload,
    Side,
    ThreadCard,
    ThreadPayload,
    ThreadPerson,
    ThreadReportPayload,
    ThreadResponse,
    ThreadsData,
    ThreadsResponse,
    UnreadData,
    UnreadResponse,
)
from porchlight.features.messages.stream.hub import Hub
from porchlight.site_addresses import origin_on
from tenants.db.unit_of_work import unit_of_work
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.ids import new_id, parse_id_or_404
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(
    prefix="/api/messages",
    tags=["messages"],
    route_class=StrictRoute,
    dependencies=[Depends(require_main_host), Depends(require_flag("messaging"))],
)

Number = Annotated[int, Path(ge=1, le=2_000_000_000)]


def site_urls(request: Request, context: Context) -> Callable[[str], str]:
    """Return a function from a guru's label to the address of the site, which redirects to the main one."""
    return lambda label: origin_on(request, f"{label}.{context.settings.base_host}")


async def wake(request: Request, wakes: tuple[Wake, ...]) -> None:
    """Let the streams of these people know, in all workers. The changes are committed."""
    hub: Hub = request.app.state.message_hub
    await hub.announce(wakes)


def _own_guru(user: AuthenticatedUser) -> UUID | None:
    """Return the tenant that a user owns."""
    return user.owned_guru.tenant_id if user.owned_guru else None


async def _card(request: Request, context: Context, user: AuthenticatedUser, thread_id: UUID) -> ThreadCard:
    row = await queries.thread(context.db, user.user_id, thread_id)
    return queries.thread_card(row, user.user_id, site_urls(request, context))


@router.get("/threads", operation_id="list_threads", summary="List my threads")
async def list_threads(
    request: Request,
    context: Context,
    user: CurrentUser,
    box: Box = "inbox",
    side: Annotated[Side | None, Query(description="Only threads in which you are this side.")] = None,
    cursor: Annotated[str | None, Query(max_length=60)] = None,
) -> ThreadsResponse:
    """Return a page of threads, the newest first. Ask for changes after `change`."""
    inbox = await queries.inbox(context.db, user.user_id)
    rows, next_cursor = await queries.threads(context.db, user.user_id, box=box, side=side, cursor=cursor)
    url = site_urls(request, context)
    cards = [queries.thread_card(row, user.user_id, url) for row in rows]
    data = ThreadsData(threads=cards, next_cursor=next_cursor, unread=inbox.unread, change=inbox.change)
    return ThreadsResponse(success=True, data=data)


@router.get("/threads/{thread_id}", operation_id="get_thread", summary="Get a thread")
async def get_thread(request: Request, context: Context, user: CurrentUser, thread_id: str) -> ThreadResponse:
    """Return a thread as it is in the list."""
    return ThreadResponse(success=True, data=await _card(request, context, user, parse_id_or_404(thread_id)))


@router.get("/threads/{thread_id}/messages", operation_id="list_messages", summary="List messages of a thread")
async def list_messages(
    context: Context,
    user: CurrentUser,
    thread_id: str,
    before: Annotated[int | None, Query(ge=1, le=2_000_000_000, description="Only messages before this one.")] = None,
) -> MessagesResponse:
    """Return a page of messages, with the events of sessions between them. Without `before`, the newest."""
    wanted = parse_id_or_404(thread_id)
    member = await queries.membership(context.db, user.user_id, wanted)
    rows, has_earlier = await queries.messages(context.db, user.user_id, wanted, before)
    cards = [queries.message_card(row, user.user_id) for row in rows]
    if member.guru_id is not None and rows:
        # The events of a page are those from its first message to the first one of the next page.
        until = await queries.sent_at(context.db, user.user_id, wanted, before) if before is not None else None
        is_guru = member.side == "guru"
        owns_guru = user.owned_guru is not None and user.owned_guru.tenant_id == member.guru_id
        async with unit_of_work(
            context.db, tenant_id=member.guru_id, user_id=user.user_id, acting=is_guru and owns_guru
        ) as session:
            found = await session_events.events(
                session,
                member.guru_id,
                member.other_id if is_guru else user.user_id,
                since=rows[0].created_at if has_earlier else None,
                until=until,
            )
        cards = session_events.merge(cards, rows, found, mine=member.side)
    data = MessagesData(messages=cards, has_earlier=has_earlier, read_number=member.read_number)
    return MessagesResponse(success=True, data=data)


@router.get("/recipients", operation_id="get_recipient", summary="Get whom a first message goes to")
async def get_recipient(
    request: Request,
    context: Context,
    user: CurrentUser,
    kind: RecipientKind,
    part: Annotated[str, Query(alias="id", min_length=1, max_length=80, description="See `to.id` of a new thread.")],
) -> RecipientResponse:
    """Return the person behind a profile, listing, session and so on, and the thread that the two have."""
    found = await recipients.recipient(context.db, user.user_id, kind, part, own_guru=_own_guru(user))
    guru = None
    if found.label is not None and found.guru_name is not None:
        guru = GuruName(label=found.label, name=found.guru_name, url=site_urls(request, context)(found.label))
    is_customer = guru is not None and found.guru_person_id != user.user_id
    refusal = BLOCKED if found.is_blocked else None if found.takes_messages else NOT_TAKING_MESSAGES
    other = ThreadPerson(
        name=guru.name if guru is not None and is_customer else found.shown_name or queries.UNKNOWN_NAME,
        photo_url=profile_photo_url(found.photo_id, found.photo_url or ""),
        handle=None if is_customer else found.handle,
    )
    data = RecipientData(
        thread_id=str(found.thread_id) if found.thread_id else None,
        other=other,
        guru=guru,
        about=recipients.about_line(kind, found),
        can_write=refusal is None,
        refusal=refusal,
    )
    return RecipientResponse(success=True, data=data)


async def _send(
    request: Request,
    context: Context,
    user: AuthenticatedUser,
    target: Target,
    payload: MessagePayload,
    key: str | None,
) -> SentMessage:
    require_verified_email(user)
    sent = await send_message(
        context.db,
        user.user_id,
        target,
        payload,
        key=key or new_id().hex,
        is_verified=user.email_verified,
        is_limited=context.settings.limits == "on",
    )
    await wake(request, sent.wakes)
    return sent


@router.post(
    "/threads",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_thread",
    summary="Write to someone",
    responses={200: {"model": SentResponse, "description": "A resend under the same Idempotency-Key."}},
)
async def create_thread(
    request: Request,
    response: Response,
    context: Context,
    user: CurrentUser,
    key: IdempotencyKey,
    payload: ThreadPayload,
) -> SentResponse:
    """Send a message to someone with whom you have something in common. An existing thread is used again."""
    to = payload.to
    found = await recipients.recipient(context.db, user.user_id, to.kind, to.id, own_guru=_own_guru(user))
    target = Target(
        person_id=found.person_id, guru_id=found.guru_id, guru_person_id=found.guru_person_id, knows=found.knows
    )
    sent = await _send(request, context, user, target, payload, key)
    response.status_code = status.HTTP_201_CREATED if sent.is_new else status.HTTP_200_OK
    row = await queries.message(context.db, user.user_id, sent.thread_id, sent.number)
    card = await _card(request, context, user, sent.thread_id)
    return SentResponse(success=True, data=SentData(thread=card, message=queries.message_card(row, user.user_id)))


@router.post(
    "/threads/{thread_id}/messages",
    status_code=status.HTTP_201_CREATED,
    operation_id="create_message",
    summary="Send a message",
    responses={200: {"model": SentMessageResponse, "description": "A resend under the same Idempotency-Key."}},
)
async def create_message(
    request: Request,
    response: Response,
    context: Context,
    user: CurrentUser,
    thread_id: str,
    key: IdempotencyKey,
    payload: MessagePayload,
) -> SentMessageResponse:
    """Send a message in a thread. It accepts a request, and returns an archived thread to the inbox."""
    wanted = parse_id_or_404(thread_id)
    sent = await _send(request, context, user, Target(thread_id=wanted), payload, key)
    response.status_code = status.HTTP_201_CREATED if sent.is_new else status.HTTP_200_OK
    row = await queries.message(context.db, user.user_id, wanted, sent.number)
    return SentMessageResponse(success=True, data=queries.message_card(row, user.user_id))


@router.delete("/threads/{thread_id}/messages/{number}", operation_id="delete_message", summary="Remove my message")
async def delete_message(
    request: Request, context: Context, user: CurrentUser, thread_id: str, number: Number
) -> SentMessageResponse:
    """Remove the words and files of your message, for both. That there was one stays. A second time changes nothing."""
    wanted = parse_id_or_404(thread_id)
    row = await queries.message(context.db, user.user_id, wanted, number)
    queries.require_own(row, user.user_id)
    await wake(request, await remove_message(context.db, user.user_id, wanted, number))
    row = await queries.message(context.db, user.user_id, wanted, number)
    return SentMessageResponse(success=True, data=queries.message_card(row, user.user_id))


@router.put("/threads/{thread_id}/read", operation_id="mark_thread_read", summary="Mark a thread as read")
async def mark_thread_read(
    request: Request, context: Context, user: CurrentUser, thread_id: str, payload: ReadPayload
) -> UnreadResponse:
    """Mark a thread as read up to a message. A smaller number than before changes nothing."""
    unread, wakes = await actions.mark_read(context.db, user.user_id, parse_id_or_404(thread_id), payload.number)
    await wake(request, wakes)
    return UnreadResponse(success=True, data=UnreadData(unread=unread))


@router.put("/threads/{thread_id}/settings", operation_id="update_thread_settings", summary="Mute or archive a thread")
async def update_thread_settings(
    request: Request, context: Context, user: CurrentUser, thread_id: str, payload: SettingsPayload
) -> ThreadResponse:
    """Change how you keep a thread. The other person does not learn of it."""
    wanted = parse_id_or_404(thread_id)
    await wake(
        request,
        await actions.update_settings(context.db, user.user_id, wanted, muted=payload.muted, archived=payload.archived),
    )
    return ThreadResponse(success=True, data=await _card(request, context, user, wanted))


@router.put("/threads/{thread_id}/acceptance", operation_id="accept_thread", summary="Accept a request")
async def accept_thread(request: Request, context: Context, user: CurrentUser, thread_id: str) -> ThreadResponse:
    """Move a thread from the requests to the inbox. An answer does that too."""
    wanted = parse_id_or_404(thread_id)
    await wake(request, await actions.accept_request(context.db, user.user_id, wanted))
    return ThreadResponse(success=True, data=await _card(request, context, user, wanted))


@router.post(
    "/threads/{thread_id}/reports",
    status_code=status.HTTP_201_CREATED,
    operation_id="report_thread",
    summary="Report a thread",
    responses={200: {"model": MessageResponse, "description": "A resend of the same report."}},
)
async def report_thread(
    request: Request,
    response: Response,
    context: Context,
    user: CurrentUser,
    thread_id: str,
    key: IdempotencyKey,
    payload: ThreadReportPayload,
) -> MessageResponse:
    """Send the last ten messages of a thread to the staff, as they are now. The other person does not learn of it."""
    host = request.client.host if request.client else ""
    answer, is_new = await reporting.report_thread(context, user, parse_id_or_404(thread_id), payload, key, host)
    response.status_code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
    return answer


@router.get("/changes", operation_id="list_message_changes", summary="List changes of my messages")
async def list_message_changes(
    request: Request,
    context: Context,
    user: CurrentUser,
    after: Annotated[
        int | None, Query(ge=0, le=9_000_000_000_000_000, description="`change` of the last answer, if there is one.")
    ] = None,
) -> ChangesResponse:
    """Return what changed after a number, at most 200 changes, without gaps: ask again after `change` while `more`.

    After the messages come the newest session events of the changed threads, which a client may have.

    Without a number, return only the present one, and how many messages are unread.
    """
    found = await queries.changes(context.db, user.user_id, after)
    rows = await queries.threads_by_id(context.db, user.user_id, found.threads)
    url = site_urls(request, context)
    messages = [queries.message_card(row, user.user_id) for row in found.messages]
    of_gurus = [row.thread_id for row in rows if row.label is not None]
    if of_gurus:
        owned = _own_guru(user)
        async with unit_of_work(context.db, tenant_id=owned, user_id=user.user_id, acting=owned is not None) as session:
            messages += await session_events.recent_events(session, user.user_id, of_gurus)
    data = ChangesData(
        change=found.inbox.change,
        unread=found.inbox.unread,
        threads=[queries.thread_card(row, user.user_id, url) for row in rows],
        messages=messages,
        more=found.more,
    )
    return ChangesResponse(success=True, data=data)
