"""Demo work for admins: a document that waits for its review, an open report, and a guru who asks about a rating."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator

from PIL import Image, ImageDraw, ImageFont
from sqlalchemy import select

from porchlight.demo_data.gurus import demo_id
from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.documents.actions import create_document, create_upload, mark_upload_stored
from porchlight.features.documents.models import Document
from porchlight.features.documents.schemas import DocumentPayload
from porchlight.features.documents.uploads import clean_upload
from porchlight.features.risk.service_reviews import request_service_review, review_state
from porchlight.settings.environment import Settings
from porchlight.storage.stores import create_store
from sites.reports.actions import create_report, reporter
from sites.reports.schemas import ReportWords
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work

CERTIFIED, REPORTING = "nora.feldman@example.com", "imani.okoye@example.com"
ISSUER = "Front Range Bookkeepers"
FILE_NAME = "bookkeeping-certificate.png"
POST = "woodwork/respect-the-table-saw"
REPORT = ReportWords(reason="dangerous", details="The photo shows the saw without its guard. Please have a look.")
RATED_GURU, RATED_OWNER, RATED_SERVICE = "fitness", "dana.kowalczyk@example.com", "First Fourteener Plan"
WHY = "We plan the climb at a table. No one climbs in the session."
LOCAL_ADDRESS = "127.0.0.1"
_PAPER, _INK, _FRAME = "#fbf6ea", "#3a3226", "#b08d57"


async def load_all(settings: Settings) -> int:
    """Add the document, the report and the request, once. Return the number of documents that were added."""
    async with Database(settings.database_url) as db:
        sender = reporter(settings.address_secret, LOCAL_ADDRESS, neighbor_id(REPORTING))
        await create_report(db, ("post", POST), REPORT, reporter=sender, secret=b"", limit=None, key="demo-report")
        await _ask_for_review(db)
        return int(await _submit_certificate(db, settings))


async def _ask_for_review(db: Database) -> None:
    tenant, owner = demo_id(RATED_GURU), neighbor_id(RATED_OWNER)
    service = demo_id(RATED_GURU, "service", RATED_SERVICE)
    async with unit_of_work(db, tenant_id=tenant, user_id=owner) as session:
        if (await review_state(session, owner, tenant, service)).can_ask:
            await request_service_review(session, owner, tenant, service, WHY)


async def _submit_certificate(db: Database, settings: Settings) -> bool:
    user_id = neighbor_id(CERTIFIED)
    async with unit_of_work(db, user_id=user_id) as session:
        if await session.scalar(select(Document.id).where(Document.user_id == user_id).limit(1)) is not None:
            return False
    async with clean_upload(_certificate(), "image/png", owner=user_id) as cleaned:
        async with unit_of_work(db, user_id=user_id) as session:
            file_id, key = await create_upload(session, user_id, FILE_NAME, limited=False)
        await create_store(settings.files_url).put(key, cleaned.path, cleaned.kind)
        async with unit_of_work(db, user_id=user_id) as session:
            await mark_upload_stored(session, user_id, file_id, cleaned)
            payload = DocumentPayload(type="cert", provider=ISSUER, file_id=str(file_id))
            await create_document(session, user_id, payload, limited=False)
    return True


async def _certificate() -> AsyncIterator[bytes]:
    """Yield the drawn certificate as PNG."""
    image = Image.new("RGB", (1000, 700), _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((30, 30, 970, 670), outline=_FRAME, width=6)
    for top, size, line in (
        (130, 44, ISSUER),
        (250, 28, "certifies that"),
        (320, 60, "Nora Feldman"),
        (430, 28, "passed the examination in small-business bookkeeping."),
    ):
        draw.text((500, top), line, fill=_INK, font=ImageFont.load_default(size), anchor="mt")
    output = io.BytesIO()
    image.save(output, "PNG")
    yield output.getvalue()
