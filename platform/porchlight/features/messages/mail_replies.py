"""Answers to messages by email: whose address it is, and putting the answer into the thread as its person."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from pydantic import ValidationError

from porchlight.features.messages.delivery.actions import Target, Wake, send_message
from porchlight.features.messages.files.actions import check_file, store_file
from porchlight.features.messages.schemas import MAX_BODY_CHARACTERS, MAX_FILES, MessagePayload
from porchlight.features.messages.stream.channel import CHANNEL, notification
from porchlight.inbound_mail.ports import Relay, Reply, ReplyRefused
from porchlight.inbound_mail.received_email import AttachedFile
from porchlight.ports import FileStore
from tenants.db.pool import Database
from tenants.kit.errors import ProductError

TOO_LONG = f"Your answer is too long: a message has up to {MAX_BODY_CHARACTERS:,} characters."
TOO_MANY_FILES = f"A message can have up to {MAX_FILES} files."
UNREADABLE = "Your answer has characters that we cannot show."
_ADDRESS = "SELECT user_id, thread_id, email, side FROM app.find_reply_address(%(token)s)"
_NOTIFY = "SELECT pg_notify(%(channel)s, %(payload)s)"


class MessageThreads:
    """The threads of messages, as the mail receiver needs them. `main_origin`: for the links in refusals."""

    def __init__(self, db: Database, files: FileStore, main_origin: str) -> None:
        self._db = db
        self._files = files
        self._main_origin = main_origin

    async def find_relay(self, token: UUID) -> Relay | None:
        """Return the side of a thread that a token names, or None for an unknown one."""
        for user_id, thread_id, address, side in await self._db.read(None, _ADDRESS, {"token": token}):
            folder = "guru/messages" if side == "guru" else "messages"
            url = f"{self._main_origin}/{folder}/{thread_id}"
            return Relay(token, user_id, thread_id, address, url)
        return None

    async def deliver(self, relay: Relay, reply: Reply) -> None:
        """Put a reply into its thread, once for each key. Raises ReplyRefused, and FileOutage to be tried again."""
        words = "".join(character for character in reply.words if character.isprintable() or character == "\n")
        if len(words) > MAX_BODY_CHARACTERS:
            raise ReplyRefused(TOO_LONG)
        if len(reply.files) > MAX_FILES:
            raise ReplyRefused(TOO_MANY_FILES)
        try:
            file_ids = await self._store(relay.user_id, reply.files)
            payload = MessagePayload.model_validate({"body": words, "fileIds": file_ids})
            sent = await send_message(
                self._db,
                relay.user_id,
                Target(thread_id=relay.thread_id),
                payload,
                key=reply.key,
                is_verified=True,
                is_limited=True,
                mail_check=reply.check,
            )
        except ValidationError as error:
            raise ReplyRefused(UNREADABLE) from error
        except ProductError as error:
            if error.status >= 500:
                raise
            raise ReplyRefused(_reason(error)) from error
        await self._announce(sent.wakes)

    async def _store(self, user_id: UUID, files: Iterable[AttachedFile]) -> list[str]:
        ids: list[str] = []
        for file in files:
            checked = await check_file(file.content, file.name, owner=user_id)
            ids.append(str(await store_file(self._db, self._files, user_id, checked, is_limited=True)))
        return ids

    async def _announce(self, wakes: tuple[Wake, ...]) -> None:
        if wakes:
            await self._db.write(None, _NOTIFY, {"channel": CHANNEL, "payload": notification(wakes)})


def _reason(error: ProductError) -> str:
    """Return the sentence for the writer: that of the field, if the error names one."""
    return next(iter(error.fields.values()), error.message) if error.fields else error.message
