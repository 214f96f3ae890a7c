"""Questions: ask a neighbor with a public profile by email, and read a question."""

from __future__ import annotations

import re

from fastapi import Response, status
from sqlalchemy import text

from porchlight.auth.authenticator import require_verified_email
from porchlight.contracts import profile_photo_url
from porchlight.dependencies import Context, CurrentUser, IdempotencyKey
from porchlight.features.questions.actions import create_question
from porchlight.features.questions.schemas import AskerResponse, QuestionData, QuestionPayload, QuestionResponse
from tenants.db.unit_of_work import unit_of_work
from tenants.http.idempotency import content_digest
from tenants.http.routes import FeatureRouter, StrictRoute
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id_or_404
from tenants.kit.schemas import MessageResponse

router = FeatureRouter(prefix="/api", tags=["questions"], route_class=StrictRoute)

SENT = "Your question is on its way. You'll get the answer by email."
_HANDLE = re.compile(r"[a-z0-9-]{3,40}")
_QUESTION = text("SELECT app.question_card(:id)")


@router.post(
    "/users/{handle}/questions",
    response_model=MessageResponse,
    status_code=status.HTTP_201_CREATED,
    operation_id="ask_neighbor",
    summary="Ask a neighbor",
    responses={200: {"model": MessageResponse, "description": "A resend under the same Idempotency-Key."}},
)
async def ask_neighbor(
    response: Response, context: Context, user: CurrentUser, handle: str, key: IdempotencyKey, payload: QuestionPayload
) -> MessageResponse:
    """Email a question to a neighbor; the answer goes to the user's verified address. Limited per day."""
    if not _HANDLE.fullmatch(handle):
        raise NotFound
    require_verified_email(user)
    # Without a key, the same text to the same neighbor is a resend.
    key = key or content_digest(handle, payload.body).hex()
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        created = await create_question(session, user.user_id, handle, payload.body, key=key)
    response.status_code = status.HTTP_201_CREATED if created else status.HTTP_200_OK
    return MessageResponse(success=True, message=SENT)


@router.get(
    "/questions/{question_id}", response_model=QuestionResponse, operation_id="get_question", summary="Get a question"
)
async def get_question(response: Response, context: Context, user: CurrentUser, question_id: str) -> QuestionResponse:
    """Return a question that the user asked or was asked."""
    response.headers["cache-control"] = "no-store"
    async with unit_of_work(context.db, user_id=user.user_id) as session:
        card = await session.scalar(_QUESTION, {"id": parse_id_or_404(question_id)})
    if card is None:
        raise NotFound
    asker = card["asker"] or {"handle": None, "name": "", "photo_id": None, "photo_url": ""}
    photo_url = profile_photo_url(asker["photo_id"], asker["photo_url"])
    return QuestionResponse(
        success=True,
        data=QuestionData(
            id=card["id"],
            body=card["body"],
            created_at=card["created_at"],
            mine=card["mine"],
            asker=AskerResponse(handle=asker["handle"], name=asker["name"], photo_url=photo_url),
            reply_to=card["reply_to"],
        ),
    )
