"""Request and response bodies of waivers (SPEC 3, 7.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porchlight.contracts import RiskLevel
from porchlight.features.waivers.drawings import Lines
from porchlight.features.waivers.guru_texts import MAX_TEXT_LENGTH
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel

MAX_NAME_LENGTH = 120
MAX_PHONE_LENGTH = 40
MAX_LISTED_WAIVERS = 200
MAX_DUE_SESSIONS = 20
MAX_LISTED_VIEWS = 20
EXCHANGE_ID = r"^[A-Za-z0-9._/-]{1,120}$"
MAX_VERSION = 2**31 - 1

WaiverState = Literal["valid", "expired", "withdrawn", "outdated"]
Version = Annotated[int, Field(ge=0, le=MAX_VERSION)]


class EmergencyContactPayload(Payload):
    """A person to call in an emergency. A high-risk waiver needs name and phone; the relationship is optional."""

    name: Annotated[str, Field(max_length=MAX_NAME_LENGTH, examples=["Maria Ortiz"]), ONE_LINE]
    phone: Annotated[str, Field(max_length=MAX_PHONE_LENGTH, examples=["+1 303 555 0199"]), ONE_LINE]
    relationship: Annotated[str, Field(max_length=MAX_NAME_LENGTH, examples=["sister"]), ONE_LINE] = ""


class SignaturePayload(Payload):
    """A typed signature. `guardian`: the participant is a minor and the signer a parent or legal guardian.

    `drawn`: the lines of a drawn signature, each as x, y, x, y, … with x up to 1,000 and y up to 400.
    """

    participant_name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH), ONE_LINE]
    typed_name: Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH), ONE_LINE]
    guardian: bool
    drawn: Lines | None = None


class WaiverPayload(Payload):
    """An accepted waiver (SPEC 3), with an optional signature.

    `riskLevel` can only raise the level that the server determines; `timestamp` is not used. `exchangeId`: the id of a
    listing, `label/id` of a guru's service, or the name of a sample. `textVersion`, `guruTextVersion`: the texts that
    were read; 0 if the guru has none. Without `guruTextVersion`, an unsigned waiver does not cover the guru's text.
    """

    risk_level: RiskLevel
    emergency_contact: EmergencyContactPayload | None
    timestamp: Annotated[str, Field(max_length=40, examples=["2026-11-23T15:30:00.000Z"]), ONE_LINE]
    skill_category: Annotated[str, Field(max_length=120, examples=["Cooking"]), ONE_LINE]
    activity_description: Annotated[str, Field(max_length=2000, examples=["Knife skills"]), PRINTABLE]
    exchange_id: Annotated[str, Field(pattern=EXCHANGE_ID, examples=["sample-cooking"])]
    signature: SignaturePayload | None = None
    text_version: Version | None = None
    guru_text_version: Version | None = None


class AcceptedWaiver(ResponseModel):
    """A waiver that was accepted now. It expires at `expiresAt`, unless it ends earlier."""

    waiver_id: str
    accepted_at: str
    expires_at: str


class AcceptedWaiverResponse(ResponseModel):
    """The response of POST /api/liability/waiver."""

    success: bool
    data: AcceptedWaiver


class WaiverRow(AcceptedWaiver):
    """An own waiver. `endedAt`: when it was withdrawn, or when a new text made it outdated.

    `guruName` is null without a guru. `isSample`: of the demonstration, so it grants nothing. `openSessions`: the
    booked sessions and requests that it is valid for.
    """

    exchange_id: str
    exchange_title: str
    is_sample: bool
    guru_name: str | None
    level: RiskLevel
    text_version: int
    signed: bool
    ended_at: str | None
    state: WaiverState
    open_sessions: int


class WaiverSession(ResponseModel):
    """A booked session or a request without a waiver that is valid at its start."""

    booking_id: str
    service_name: str
    guru_name: str
    starts_at: str
    ends_at: str
    zone: str


class ContactViewRow(ResponseModel):
    """A look of a guru at the user's emergency contact."""

    service_name: str
    guru_name: str
    at: str


class WaiverList(ResponseModel):
    """The user's newest waivers, newest first, and the next sessions that need a new one.

    `contactViews`: the latest looks of gurus at the emergency contact. `more…`: whether the list leaves some out; the
    account export has all.
    """

    waivers: list[WaiverRow]
    more_waivers: bool
    due_sessions: list[WaiverSession]
    more_due_sessions: bool
    contact_views: list[ContactViewRow]
    more_contact_views: bool


class WaiverListResponse(ResponseModel):
    """The response of GET /api/liability/waivers."""

    success: bool
    data: WaiverList


class WaiverResponse(ResponseModel):
    """The response of POST /api/liability/waivers/{waiver_id}/withdrawal."""

    success: bool
    data: WaiverRow


class SigningData(ResponseModel):
    """The session of a personal link: who takes part in which session, who booked it, and the waiver that it needs.

    `signed`: a waiver that is valid then is signed. `canSignFrom`: an earlier one would expire before the session; null
    when it can be signed now. `guruLabel/serviceId` is the `exchangeId`.
    """

    name: str
    booker_name: str
    guru_label: str
    guru_name: str
    service_id: str
    service_name: str
    starts_at: str
    ends_at: str
    zone: str
    level: RiskLevel
    reasons: list[str]
    signed: bool
    can_sign_from: str | None


class SigningResponse(ResponseModel):
    """The session of a personal link."""

    success: bool
    data: SigningData


class SignedWaiver(AcceptedWaiver):
    """A waiver that was signed with a personal link. `receipt` is the path of its receipt, which works for an hour."""

    receipt: str


class SignedWaiverResponse(ResponseModel):
    """The response of a signature with a personal link."""

    success: bool
    data: SignedWaiver


class GuruTextBody(ResponseModel):
    """A guru's own waiver text. `body` has line breaks, but no markup."""

    guru_name: str
    version: int
    body: str
    sha256: str


class WaiverTextBody(ResponseModel):
    """A waiver text. `body`: Markdown with headings, paragraphs and lists. `validDays`: how long a waiver is valid.

    `guruText`: what the guru of the exchange adds, or null.
    """

    level: RiskLevel
    version: int
    title: str
    body: str
    sha256: str
    valid_days: int
    guru_text: GuruTextBody | None


class WaiverTextResponse(ResponseModel):
    """The response of GET /api/liability/texts/{level}."""

    success: bool
    data: WaiverTextBody


class LastLink(ResponseModel):
    """The newest link of all chains. `sha256` is the hash of the link."""

    chain_id: str
    number: int
    sha256: str
    at: str


class WaiverKeyState(ResponseModel):
    """A key of the setting. `signs`: it signs new waivers; the others only verify earlier ones."""

    id: str
    signs: bool


class WaiverChainState(ResponseModel):
    """A chain. `name`: of its guru or neighbor, "" if they are gone. `lastAt`: the time of its newest link."""

    chain_id: str
    name: str
    links: int
    last_at: str | None
    fault: str | None


class WaiverChainsState(ResponseModel):
    """The result of the verification of the waivers' chains. `fault`: the first problem, or null.

    If `verifiedLinks` is less than `links`, the rest was not verified. `newestChains`: chains with a problem, then the
    newest, at most 50. `textsAcknowledgedAt`, `textsAcknowledgedBy`: when and who of the staff confirmed that they know
    the state of the current texts, which are templates; null before.
    """

    chains: int
    links: int
    verified_links: int
    fault: str | None
    last_link: LastLink | None
    newest_chains: list[WaiverChainState]
    keys: list[WaiverKeyState]
    texts_acknowledged_at: str | None
    texts_acknowledged_by: str | None


class WaiverStateResponse(ResponseModel):
    """The result of the verification of the waivers' chains."""

    success: bool
    data: WaiverChainsState


class OwnTextPayload(Payload):
    """The guru's own waiver text, without markup; "" removes it. `revision`: the one that the change is based on."""

    revision: Version
    body: Annotated[str, StringConstraints(max_length=MAX_TEXT_LENGTH), PRINTABLE]


class OwnText(ResponseModel):
    """The guru's own waiver text, "" without one. `revision`: the number of its versions; each change makes one."""

    revision: int
    body: str
    sha256: str
    updated_at: str | None


class OwnTextResponse(ResponseModel):
    """The response of the routes of the guru's own waiver text."""

    success: bool
    data: OwnText


class EmergencyContactData(ResponseModel):
    """A person to call in an emergency. `relationship` may be empty."""

    name: str
    phone: str
    relationship: str


class ParticipantContact(EmergencyContactData):
    """The emergency contact that a participant, or their guardian, gave."""

    participant_name: str


class EmergencyContactsData(EmergencyContactData):
    """The emergency contacts of a session's participants, and the first one's own."""

    participants: list[ParticipantContact]


class EmergencyContactResponse(ResponseModel):
    """The emergency contacts of a session's participants, or null if there is none."""

    success: bool
    data: EmergencyContactsData | None


class PublicKey(ResponseModel):
    """An Ed25519 key as JWK (RFC 8037)."""

    kty: str
    crv: str
    kid: str
    x: str


class PublicKeySet(ResponseModel):
    """The response of GET /.well-known/porchlight-waiver-keys.json (RFC 7517)."""

    keys: list[PublicKey]
