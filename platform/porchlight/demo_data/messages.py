"""Demo messages: threads of neighbors and with a guru, a request, a photo, and some that are unread."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from PIL import Image, ImageDraw

from porchlight.demo_data.neighbors import neighbor_id
from porchlight.features.messages import actions
from porchlight.features.messages.delivery import recipients
from porchlight.features.messages.delivery.actions import Target, send_message
from porchlight.features.messages.files.actions import check_file, store_file
from porchlight.features.messages.schemas import MessagePayload
from porchlight.settings.environment import Settings
from porchlight.storage.stores import create_store
from tenants.db.pool import Database

CONTENT = Path(__file__).with_name("messages.toml")
PHOTO = "photo"
_HANDLE = "SELECT handle FROM profiles WHERE user_id = %(id)s"
# The mailbox of the demo shows what its visitor causes, and nothing that arrives by itself.
_NO_EMAILS = "UPDATE thread_members SET mail_due_at = NULL WHERE mail_due_at IS NOT NULL"


async def load_all(settings: Settings) -> int:
    """Send the messages of the demo, once. Return the number of threads."""
    threads = tomllib.loads(CONTENT.read_text("utf-8"))["threads"]
    async with Database(settings.database_url) as db:
        for number, thread in enumerate(threads):
            await _load_thread(db, settings, f"demo-{number}", thread)
    with psycopg.connect(settings.overseer_database_url) as conn:
        conn.execute(_NO_EMAILS)
    return len(threads)


async def _load_thread(db: Database, settings: Settings, key: str, thread: dict[str, Any]) -> None:
    sender = neighbor_id(thread["from"])
    if "guru" in thread:
        found = await recipients.recipient(db, sender, "guru", thread["guru"])
    else:
        other = neighbor_id(thread["to"])
        handle = await db.read_value(str, None, _HANDLE, {"id": other}, user_id=other)
        found = await recipients.recipient(db, sender, "profile", handle or "")
    people = {"from": sender, "to": found.person_id}
    target = Target(
        person_id=found.person_id,
        guru_id=found.guru_id,
        guru_person_id=found.guru_person_id,
        knows=not thread.get("request", False),
    )
    for number, (who, text) in enumerate(thread["lines"], 1):
        user_id = people[who]
        payload = MessagePayload(body="" if text == PHOTO else text)
        if text == PHOTO:
            payload.file_ids = [str(await _photo(db, settings, user_id))]
        sent = await send_message(
            db, user_id, target, payload, key=f"{key}-{number}", is_verified=True, is_limited=False
        )
        if not sent.is_new and number == 1:
            return  # of an earlier start, and perhaps changed since
        target = Target(thread_id=sent.thread_id)
        if number == thread["read"]:
            for person in people.values():
                await actions.mark_read(db, person, sent.thread_id, number)


async def _photo(db: Database, settings: Settings, user_id: UUID) -> UUID:
    """Store a drawn photo of a jar, as an upload of a person."""
    image = Image.new("RGB", (1200, 900), "#e9dcc3")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 700, 1200, 900), fill="#a9825a")
    draw.rounded_rectangle((420, 220, 780, 740), 40, fill="#f4f1ea", outline="#c9c2b2", width=8)
    draw.rounded_rectangle((440, 520, 760, 722), 28, fill="#d9c08f")
    draw.rectangle((410, 180, 790, 240), fill="#7d8f69")
    for left, top, size in ((500, 560, 26), (600, 600, 38), (680, 555, 22), (560, 650, 30), (700, 660, 18)):
        draw.ellipse((left, top, left + size, top + size), fill="#efe0bd")
    output = io.BytesIO()
    image.save(output, "PNG")
    checked = await check_file(output.getvalue(), "My starter.png", owner=user_id)
    return await store_file(db, create_store(settings.files_url), user_id, checked, is_limited=False)
