"""Request and response schemas of messages."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from sites.reports.schemas import ReportWords
from tenants.kit.schemas import PRINTABLE, Payload, ResponseModel

MAX_BODY_CHARACTERS = 4000
MAX_FILES = 5  # of a message
Side = Literal["person", "guru"]
Box = Literal["inbox", "requests", "archived"]
RecipientKind = Literal["booking", "need_offer", "match", "profile", "guru", "ring_member", "lead", "listing"]
EventType = Literal["requested", "booked", "accepted", "declined", "moved", "canceled", "completed"]

Body = Annotated[str, StringConstraints(max_length=MAX_BODY_CHARACTERS), PRINTABLE]
FileIds = Annotated[list[Annotated[str, StringConstraints(max_length=36)]], Field(max_length=50)]


class RecipientPayload(Payload):
    """To whom: what the two have in common. `id`: the handle of a profile or match, a guru's label, else an id.

    A member of a swap ring is the ring's id and the member's place in its list, from 0: "<id>/1".
    """

    kind: RecipientKind
    id: Annotated[str, StringConstraints(min_length=1, max_length=80)] = Field(examples=["maya-chen"])


class MessagePayload(Payload):
    """A message. It has words, files, or both."""

    body: Body = Field(default="", examples=["Do you also teach beginners?"])
    file_ids: FileIds = Field(default_factory=list)


class ThreadPayload(MessagePayload):
    """The first message to someone. An existing thread of the two is used again."""

    to: RecipientPayload


class ReadPayload(Payload):
    """The number of the last message that was read."""

    number: Annotated[int, Field(ge=0, le=2_000_000_000)]


class SettingsPayload(Payload):
    """How a thread is kept. A muted one sends no email; an archived one returns with the next message."""

    muted: bool
    archived: bool


class ThreadReportPayload(ReportWords):
    """A report of a thread. It sends the last ten messages to the staff."""


class GuruName(ResponseModel):
    """A guru's site."""

    label: str
    name: str
    url: str


class ThreadPerson(ResponseModel):
    """The other side, as the reader sees it. `handle` is null for a hidden profile, and for a guru."""

    name: str
    photo_url: str
    handle: str | None


class LastMessage(ResponseModel):
    """The beginning of the last message."""

    preview: str
    kind: Literal["text", "files", "removed"]
    at: str
    mine: bool


class ThreadCard(ResponseModel):
    """A thread in a list. `side`: the reader's. `refusal`: why the reader cannot write, else null."""

    id: str
    guru: GuruName | None
    side: Side
    other: ThreadPerson
    last: LastMessage | None
    number: int
    unread: int
    muted: bool
    archived: bool
    request: bool
    blocked: Literal["no", "by_me"]
    can_write: bool
    refusal: str | None


class MessageFileCard(ResponseModel):
    """A file. `width` and `height`: of an image in pixels, else 0."""

    id: str
    name: str
    bytes: int
    type: str
    is_image: bool
    width: int
    height: int


class SessionEvent(ResponseModel):
    """A change of a session of the customer with the guru."""

    type: EventType
    booking_id: str
    service_name: str
    starts_at: str
    zone: str


class MessageCard(ResponseModel):
    """A message, or an event of a session between messages.

    `number` of an event is that of the message before it. `idempotencyKey`: of the reader's own message, else null.
    """

    thread_id: str
    number: int
    id: str
    kind: Literal["text", "event"]
    mine: bool
    body: str
    event: SessionEvent | None
    files: list[MessageFileCard]
    at: str
    removed: bool
    idempotency_key: str | None


class ThreadsData(ResponseModel):
    """A page of threads, the newest first. `change`: where to ask for changes from."""

    threads: list[ThreadCard]
    next_cursor: str | None
    unread: int
    change: int


class ThreadsResponse(ResponseModel):
    """GET /api/messages/threads."""

    success: bool
    data: ThreadsData


class ThreadResponse(ResponseModel):
    """Responses with one thread."""

    success: bool
    data: ThreadCard


class MessagesData(ResponseModel):
    """A page of a thread, in the order of time. `readNumber`: up to where the reader has read it."""

    messages: list[MessageCard]
    has_earlier: bool
    read_number: int


class MessagesResponse(ResponseModel):
    """GET /api/messages/threads/{threadId}/messages."""

    success: bool
    data: MessagesData


class SentMessageResponse(ResponseModel):
    """Responses with one message."""

    success: bool
    data: MessageCard


class SentData(ResponseModel):
    """The thread and its new message."""

    thread: ThreadCard
    message: MessageCard


class SentResponse(ResponseModel):
    """POST /api/messages/threads."""

    success: bool
    data: SentData


class RecipientData(ResponseModel):
    """Whom a first message goes to, before it is written. `about`: a line for the top of the composer, or ""."""

    thread_id: str | None
    other: ThreadPerson
    guru: GuruName | None
    about: str
    can_write: bool
    refusal: str | None


class RecipientResponse(ResponseModel):
    """GET /api/messages/recipients."""

    success: bool
    data: RecipientData


class UnreadData(ResponseModel):
    """How many messages are unread, in all threads."""

    unread: int


class UnreadResponse(ResponseModel):
    """PUT /api/messages/threads/{threadId}/read."""

    success: bool
    data: UnreadData


class ChangesData(ResponseModel):
    """The changes after a number: messages that are new or were removed, and the threads as they are now.

    `more`: ask again after `change`.
    """

    change: int
    unread: int
    threads: list[ThreadCard]
    messages: list[MessageCard]
    more: bool


class ChangesResponse(ResponseModel):
    """GET /api/messages/changes."""

    success: bool
    data: ChangesData


class BlockedPerson(ResponseModel):
    """A person whom the reader blocked."""

    id: str
    name: str
    photo_url: str
    blocked_at: str


class BlocksData(ResponseModel):
    """The people whom the reader blocked, the newest first."""

    blocks: list[BlockedPerson]


class BlocksResponse(ResponseModel):
    """GET /api/blocks."""

    success: bool
    data: BlocksData


class MessageFileResponse(ResponseModel):
    """POST /api/messages/files."""

    success: bool
    data: MessageFileCard
