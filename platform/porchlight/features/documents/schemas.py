"""Request and response schemas of documents (SPEC 3, 7.2). SPEC defines snake_case names: `file_url`, `issued_on`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints

from tenants.kit.ids import parse_id
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_CATEGORY_LENGTH = 80
MAX_PROVIDER_LENGTH = 160
MAX_NUMBER_LENGTH = 80
MAX_URL_LENGTH = 2000
MAX_REASON_LENGTH = 1000

DocumentType = Literal["license", "insurance", "auto", "cert", "id"]
DocumentStatus = Literal["pending", "approved", "rejected", "lapsed", "incomplete"]


def _parse_date(value: object) -> object:
    """Parse a date as forms send it: YYYY-MM-DD, or empty."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) != 10:
        raise ValueError("must be a date, such as 2026-05-31")
    try:
        day = date.fromisoformat(value)
    except ValueError:
        raise ValueError("must be a date, such as 2026-05-31") from None
    if not 1900 <= day.year <= 2200:
        raise ValueError("must be a valid date")
    return day


def _check_https_url(value: str) -> str:
    """Check a URL that admins open in their browser: https, a host, no credentials."""
    if not value:
        return ""
    error = ValueError("must be a link that starts with https://")
    if any(character.isspace() or character == "\\" for character in value):
        raise error
    try:
        parts = urlsplit(value)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise error from None
    if parts.scheme != "https" or not host or "@" in parts.netloc:
        raise error
    return urlunsplit(parts)


def _check_upload_id(value: str) -> str:
    if value and parse_id(value) is None:
        raise ValueError("isn't a valid upload ID")
    return value.lower()


Date = Annotated[date | None, BeforeValidator(_parse_date, json_schema_input_type=str | None)]


class DocumentPayload(Payload):
    """A document to review, with a link (`file_url`) or an upload (`file_id`), not both.

    A license needs its `number`, a certificate its `provider`, an insurance both and `expires_on`.
    """

    model_config = ConfigDict(alias_generator=None)

    type: DocumentType
    category: Annotated[str, StringConstraints(max_length=MAX_CATEGORY_LENGTH), ONE_LINE] = Field(
        default="", description="A category's slug, or empty."
    )
    provider: Annotated[str, StringConstraints(max_length=MAX_PROVIDER_LENGTH), ONE_LINE] = ""
    number: Annotated[str, StringConstraints(max_length=MAX_NUMBER_LENGTH), ONE_LINE] = ""
    issued_on: Date = None
    expires_on: Date = Field(default=None, description="The last day on which it is valid.")
    file_url: Annotated[
        str, StringConstraints(max_length=MAX_URL_LENGTH), ONE_LINE, AfterValidator(_check_https_url)
    ] = ""
    file_id: Annotated[str, StringConstraints(max_length=36), AfterValidator(_check_upload_id)] = ""


class ReviewPayload(Payload):
    """The result of a review. The reason may be empty."""

    status: Literal["approved", "rejected"]
    reason: Annotated[str, StringConstraints(max_length=MAX_REASON_LENGTH), PRINTABLE] = ""


class UploadedFile(ResponseModel):
    """An upload. `id`: for a document's `file_id`; `kind`: its media type; `size`: in bytes."""

    id: str
    kind: str
    name: str
    size: int


class UploadedFileResponse(ResponseModel):
    """The response of an upload."""

    success: bool
    data: UploadedFile


class DocumentDetail(ResponseModel):
    """A document. `file_url`: the external link, or a temporary link to the upload, or empty.

    `file_name` and `file_kind` (a media type) are empty without an upload.
    """

    model_config = ConfigDict(alias_generator=None, extra="forbid")

    id: str
    type: DocumentType
    category: str
    category_name: str
    provider: str
    number: str
    issued_on: str | None
    expires_on: str | None
    file_url: str
    file_name: str
    file_kind: str
    status: DocumentStatus
    reason: str
    created_at: str
    reviewed_at: str | None


class DocumentResponse(ResponseModel):
    """The response of POST /api/onboarding/documents."""

    success: bool
    data: DocumentDetail


class DocumentList(ResponseModel):
    """The user's documents, newest first."""

    documents: list[DocumentDetail]


class DocumentsResponse(ResponseModel):
    """The response of GET /api/onboarding/documents."""

    success: bool
    data: DocumentList


class AdminDocument(DocumentDetail):
    """A document with its owner. `reviewed_before`: the number of the owner's documents that were reviewed."""

    uid: str
    owner_name: str
    reviewed_before: int


class PendingDocumentPage(ResponseModel):
    """A page of documents that wait for review, oldest first."""

    pending: list[AdminDocument]
    next_cursor: str | None


class PendingDocumentsResponse(ResponseModel):
    """The response of GET /api/documents/pending."""

    success: bool
    data: PendingDocumentPage


class DocumentEventResponse(ResponseModel):
    """An event in a document's history. `actor`: owner, sweep, or the name of an admin key."""

    kind: Literal["submitted", "opened", "approved", "rejected", "reminded", "lapsed"]
    actor: str
    note: str
    at: str


class DocumentHistory(ResponseModel):
    """A document with its events, oldest first."""

    document: AdminDocument
    events: list[DocumentEventResponse]


class UserDocuments(ResponseModel):
    """All documents of a user, newest first."""

    documents: list[DocumentHistory]


class UserDocumentsResponse(ResponseModel):
    """The response of GET /api/documents/{uid}."""

    success: bool
    data: UserDocuments
