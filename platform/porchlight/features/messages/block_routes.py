"""Blocks of people: by thread, by profile, and the list of those in force. They work without the flag, too."""

from __future__ import annotations

import re

from fastapi import Depends, Request

from porchlight.auth import blocks
from porchlight.contracts import profile_photo_url
from porchlight.dependencies import AuthenticatedUser, Context, CurrentUser, require_main_host
from porchlight.features.messages import queries
from porchlight.features.messages.actions import touch_thread
from porchlight.features.messages.routes import site_urls, wake
from porchlight.features.messages.schemas import BlockedPerson, BlocksData, BlocksResponse, ThreadResponse
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import SuccessResponse

router = FeatureRouter(
    prefix="/api", tags=["messages"], route_class=StrictRoute, dependencies=[Depends(require_main_host)]
)

_HANDLE = re.compile(r"[a-z0-9-]{3,40}")


async def _thread(request: Request, context: Context, user: AuthenticatedUser, thread_id: str) -> ThreadResponse:
    wanted = parse_id_or_404(thread_id)
    await wake(request, await touch_thread(context.db, user.user_id, wanted))
    row = await queries.thread(context.db, user.user_id, wanted)
    card = queries.thread_card(row, user.user_id, site_urls(request, context))
    return ThreadResponse(success=True, data=card)


@router.put("/messages/threads/{thread_id}/block", operation_id="block_thread", summary="Block someone in a thread")
async def block_thread(request: Request, context: Context, user: CurrentUser, thread_id: str) -> ThreadResponse:
    """Block the other person: neither of you sees the other anywhere, writes or books. They are not told."""
    member = await queries.membership(context.db, user.user_id, parse_id_or_404(thread_id))
    await blocks.block_person(context.db, user.user_id, member.other_id)
    return await _thread(request, context, user, thread_id)


@router.delete("/messages/threads/{thread_id}/block", operation_id="unblock_thread", summary="Unblock in a thread")
async def unblock_thread(request: Request, context: Context, user: CurrentUser, thread_id: str) -> ThreadResponse:
    """End your block of the other person."""
    member = await queries.membership(context.db, user.user_id, parse_id_or_404(thread_id))
    await blocks.unblock_person(context.db, user.user_id, member.other_id)
    return await _thread(request, context, user, thread_id)


@router.get("/blocks", operation_id="list_blocks_of_people", summary="List people you blocked")
async def list_blocks_of_people(context: Context, user: CurrentUser) -> BlocksResponse:
    """Return the people whom you blocked, the newest first."""
    rows = await blocks.blocked_people(context.db, user.user_id)
    people = [
        BlockedPerson(
            id=str(row.id),
            name=queries.DELETED_NAME if row.is_gone else row.shown_name or queries.UNKNOWN_NAME,
            photo_url=profile_photo_url(row.photo_id, row.photo_url or ""),
            blocked_at=clock.to_iso8601(row.created_at),
        )
        for row in rows
    ]
    return BlocksResponse(success=True, data=BlocksData(blocks=people))


@router.delete("/blocks/{block_id}", operation_id="delete_block_of_person", summary="Unblock someone")
async def delete_block_of_person(context: Context, user: CurrentUser, block_id: str) -> SuccessResponse:
    """End a block. One that has ended is no error."""
    await blocks.end_block(context.db, user.user_id, parse_id_or_404(block_id))
    return SuccessResponse(success=True)


@router.put("/users/{handle}/block", operation_id="block_user", summary="Block a neighbor")
async def block_user(context: Context, user: CurrentUser, handle: str) -> SuccessResponse:
    """Block the person of a public profile, as in a thread."""
    if not _HANDLE.fullmatch(handle):
        raise NotFound
    other_id = await queries.public_person(context.db, user.user_id, handle)
    await blocks.block_person(context.db, user.user_id, other_id)
    return SuccessResponse(success=True)
