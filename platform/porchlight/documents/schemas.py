"""Documents on the wire (SPEC 3, 7.2). Names that SPEC gives are SPEC's: `file_url`, `issued_on`, `expires_on`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints

from tenants.kit.ids import parse_id
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

CATEGORY, PROVIDER, NUMBER, URL, REASON = 80, 160, 80, 2000, 1000  # characters at most

Type = Literal["license", "insurance", "auto", "cert", "id"]
Status = Literal["pending", "approved", "rejected", "lapsed"]


def _day(given: object) -> object:
    """A day as forms send it: YYYY-MM-DD, or nothing."""
    if given is None or given == "":
        return None
    if not isinstance(given, str) or len(given) != 10:
        raise ValueError("must be a date like 2026-05-31")
    try:
        day = date.fromisoformat(given)
    except ValueError:
        raise ValueError("must be a date like 2026-05-31") from None
    if not 1900 <= day.year <= 2200:
        raise ValueError("must be a date of our time")
    return day


def _https(given: str) -> str:
    """A web address that an admin's browser may open: https, a host, nobody's password in it."""
    if not given:
        return ""
    wrong = ValueError("must be a web address that begins with https://")
    if any(sign.isspace() or sign == "\\" for sign in given):
        raise wrong
    try:
        parts = urlsplit(given)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme != "https" or not host or "@" in parts.netloc:
        raise wrong
    return urlunsplit(parts)


def _id(given: str) -> str:
    if given and parse_id(given) is None:
        raise ValueError("is not the id of an upload")
    return given.lower()


Day = Annotated[date | None, BeforeValidator(_day, json_schema_input_type=str | None)]


class DocumentPayload(Payload):
    """A document to be reviewed. Give a link (`file_url`) or an upload (`file_id`), not both."""

    model_config = ConfigDict(alias_generator=None)

    type: Type
    category: Annotated[str, StringConstraints(max_length=CATEGORY), ONE_LINE] = Field(
        default="", description="A category's slug; empty for a document of no category in particular."
    )
    provider: Annotated[str, StringConstraints(max_length=PROVIDER), ONE_LINE] = ""
    number: Annotated[str, StringConstraints(max_length=NUMBER), ONE_LINE] = ""
    issued_on: Day = None
    expires_on: Day = Field(default=None, description="The last day on which it counts.")
    file_url: Annotated[str, StringConstraints(max_length=URL), ONE_LINE, AfterValidator(_https)] = ""
    file_id: Annotated[str, StringConstraints(max_length=36), AfterValidator(_id)] = ""


class StatusPayload(Payload):
    """A review. The reason may be empty."""

    status: Literal["approved", "rejected"]
    reason: Annotated[str, StringConstraints(max_length=REASON), PRINTABLE] = ""


class FileData(Answer):
    """An upload as it is kept: `id` for a document's `file_id`, its media type, name, and bytes."""

    id: str
    kind: str
    name: str
    size: int


class FileAnswer(Answer):
    """The answer to an upload."""

    success: bool
    data: FileData


class Paper(Answer):
    """A document. `file_url` is the link that was given, or a link to the upload that is good for minutes, or empty.

    `file_name` and `file_kind` (a media type) are empty unless there is an upload.
    """

    model_config = ConfigDict(alias_generator=None, extra="forbid")

    id: str
    type: Type
    category: str
    category_name: str
    provider: str
    number: str
    issued_on: str | None
    expires_on: str | None
    file_url: str
    file_name: str
    file_kind: str
    status: Status
    reason: str
    created_at: str
    reviewed_at: str | None


class PaperAnswer(Answer):
    """One document of mine."""

    success: bool
    data: Paper


class Papers(Answer):
    """Documents of mine, the newest first."""

    documents: list[Paper]


class PapersAnswer(Answer):
    """The answer of GET /api/onboarding/documents."""

    success: bool
    data: Papers


class StaffPaper(Paper):
    """A document as staff see it, with its owner: id, name, and how many documents of theirs were reviewed before."""

    uid: str
    owner_name: str
    reviewed_before: int


class Pending(Answer):
    """Documents that wait for review, the oldest first."""

    pending: list[StaffPaper]
    next_cursor: str | None


class PendingAnswer(Answer):
    """The answer of GET /api/documents/pending."""

    success: bool
    data: Pending


class Happening(Answer):
    """Something that happened to a document. `actor`: owner, sweep, or the name of a staff key."""

    kind: Literal["submitted", "opened", "approved", "rejected", "reminded", "lapsed"]
    actor: str
    note: str
    at: str


class PaperHistory(Answer):
    """A document with all that happened to it, the oldest first."""

    document: StaffPaper
    events: list[Happening]


class History(Answer):
    """All the documents of somebody, the newest first."""

    documents: list[PaperHistory]


class HistoryAnswer(Answer):
    """The answer of GET /api/documents/{uid}."""

    success: bool
    data: History


class Done(Answer):
    """Done."""

    success: bool
