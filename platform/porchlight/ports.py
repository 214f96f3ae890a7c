"""Ports: protocols for external services. `adapters.py` chooses the implementations that depend on the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol
from uuid import UUID

from tenants.kit.email_addresses import EMAIL_ADDRESS


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a verified ID token. Times are in epoch seconds."""

    uid: str
    email: str
    email_verified: bool
    name: str
    picture: str
    auth_time: int
    issued_at: int


@dataclass(frozen=True, slots=True)
class AccountStatus:
    """The status of an account at the identity provider.

    `valid_after`: tokens issued before it are revoked (epoch seconds).
    """

    exists: bool
    disabled: bool
    valid_after: int


@dataclass(frozen=True, slots=True)
class IdentityEmail:
    """The email address of an account at the identity provider."""

    email: str
    verified: bool


@dataclass(frozen=True, slots=True)
class SignInToken:
    """A token with which a browser signs in to the account `uid`.

    `is_new`: the account was created for it. `is_taken_over`: its address was not verified before.
    """

    uid: str
    token: str
    is_new: bool
    is_taken_over: bool


class IdentityOutage(Exception):
    """The identity provider did not respond, or not in time."""


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """An iCalendar file (RFC 5545) in UTF-8. Its METHOD adds, changes or cancels one event (RFC 5546)."""

    method: Literal["REQUEST", "CANCEL"]
    content: bytes


@dataclass(frozen=True, slots=True)
class Notification:
    """One line for the account of a person: the subject of an email to them. `url` is the page of the email's button.

    `kind` is a MailKind. An urgent one needs an answer today: nothing holds it back.
    """

    person: UUID
    kind: str
    title: str
    url: str
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class EmailMessage:
    """An email to send, with an optional calendar invitation. Every attempt to send it has the same `key`."""

    key: str
    recipient: str
    subject: str
    text: str
    html: str
    reply_to: str = ""
    tenant_id: UUID | None = None
    invitation: CalendarFile | None = None
    further_invitations: Sequence[CalendarFile] = ()  # of an email about several sessions
    unsubscribe_url: str = ""  # to which a mail program posts when the recipient unsubscribes (RFC 8058)
    notification: Notification | None = None  # None: it is for no account

    def __post_init__(self) -> None:
        """Refuse line breaks in header fields, which start another header, and more than one address in a field."""
        for value in (self.key, self.recipient, self.subject, self.reply_to, self.unsubscribe_url):
            if value.splitlines() not in ([], [value]):
                raise ValueError("an email header must be one line")
        for address in (self.recipient, self.reply_to or self.recipient):
            if not EMAIL_ADDRESS.fullmatch(address):
                raise ValueError("an email address must be one address without a name")


class Mailer(Protocol):
    """Sends email. Raises OSError on failure (SMTP errors are among them), and the job tries again."""

    def send(self, message: EmailMessage) -> bool:
        """Send one email. Return False if its address will never take it: trying again is of no use."""


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """Where a browser receives notes (RFC 8030), and its keys in base64url (RFC 8291)."""

    endpoint: str
    public_key: str
    auth_secret: str


@dataclass(frozen=True, slots=True)
class PushNote:
    """A note on a device. A newer one with the same `tag` replaces it. `url` may be a path of the main platform."""

    title: str
    body: str
    url: str
    tag: str
    is_urgent: bool = False


class PushGone(Exception):
    """The browser has ended its subscription, or its endpoint can never be reached."""


class PushOutage(Exception):
    """The push service did not take the note now; a later call may succeed."""


class PushSender(Protocol):
    """Sends notes to browsers."""

    def send(self, subscription: PushSubscription, note: PushNote) -> None:
        """Send one note. Raises PushGone and PushOutage."""


class TokenReader(Protocol):
    """Verifies ID tokens."""

    async def read(self, token: str) -> Claims:
        """Return the claims of a valid token. Raises Unauthenticated, or Unavailable without the provider's keys."""


class Identity(Protocol):
    """The accounts at the identity provider. Each call may raise IdentityOutage."""

    async def account_status(self, uid: str) -> AccountStatus:
        """Return the current status of an account."""

    async def revoke(self, uid: str) -> None:
        """Revoke all tokens of an account. Does nothing if the account does not exist."""

    async def disable(self, uid: str, disabled: bool) -> None:
        """Disable or enable an account. Does nothing if the account does not exist."""

    async def addresses(self, uids: Sequence[str]) -> dict[str, IdentityEmail]:
        """Return the email addresses of the accounts that exist, by uid."""

    async def delete(self, uid: str) -> None:
        """Delete an account. Does nothing if the account does not exist."""

    async def sign_in_token(self, email: str) -> SignInToken:
        """Return a token for the account of an address that its reader has proven, and create it if there is none.

        An account whose address was not verified is taken over: its password and its sign-ins end.
        """


RecordType = Literal["A", "AAAA", "CAA", "CNAME", "TXT"]


class DnsOutage(Exception):
    """No name server answered in time."""


class Resolver(Protocol):
    """Looks up DNS records."""

    def records(self, name: str, kind: RecordType) -> list[str]:
        """Return a name's records of a kind: addresses, names without the final dot, or texts; [] without any.

        Raises DnsOutage.
        """


class CertificateReader(Protocol):
    """Reads the certificates that our own TLS server has for custom domains."""

    def valid_until(self, domain: str, timeout_seconds: float) -> datetime | None:
        """Return until when the certificate of a domain is valid; None without one. The first call requests it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place with its names, any of which may be empty (SPEC 7.2). `subdivision` is the state or region.

    `label` names this place and no other: "Denver, Colorado", "Toronto, Ontario, Canada".
    """

    city: str
    locality: str
    subdivision: str
    country_code: str
    latitude: float
    longitude: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """The meaning of a typed place. Without a `place`, `message` says why; `choices` are likely ones, best first."""

    place: Place | None
    choices: tuple[Place, ...] = ()
    message: str = ""


class Geocoder(Protocol):
    """Finds places by coordinates or by name."""

    async def reverse(self, latitude: float, longitude: float) -> Place | None:
        """Return the place at coordinates in degrees, or None far from any place. Raises Unavailable."""

    async def search(self, text: str, limit: int) -> list[Place]:
        """Return places whose name starts with `text` ("city" or "city, state"), largest first."""

    async def match(self, text: str) -> PlaceMatch:
        """Return what a place means as a person typed it: a town, "St Louis MO", a ZIP code. Never raises."""

    async def zone_finder(self) -> Callable[[float, float], str | None]:
        """Return a function that returns the IANA zone at coordinates in degrees, or None where we know none."""


class FileOutage(Exception):
    """The file store did not respond, or returned an error."""


class FileGone(Exception):
    """The file store has no file with this key."""


class FileStore(Protocol):
    """Stores files by key (letters, digits, `-`, `_` and `/`). Each call may raise FileOutage."""

    async def put(self, key: str, source: Path, kind: str) -> None:
        """Store the file at `source` with the media type `kind`. When this returns, the file survives a crash."""

    async def size(self, key: str) -> int:
        """Return the size of a file in bytes. Raises FileGone."""

    def read(self, key: str) -> AsyncIterator[bytes]:
        """Yield the file in chunks. Raises FileGone before the first chunk."""

    async def delete(self, key: str) -> None:
        """Delete a file. Does nothing if it does not exist."""


class EmbeddingOutage(Exception):
    """The embedding service did not respond; a later call may succeed."""


class BadWeights(Exception):
    """The file of a model's weights is not the one that the product was made with."""


class Embedder(Protocol):
    """Creates embeddings of short texts. Blocking: requests use it through QueryRelations (docs/search.md)."""

    @property
    def name(self) -> str:
        """Return the name of the model."""

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a unit vector for each text, in the same order. Raises EmbeddingOutage."""

    def knows(self, text: str) -> bool:
        """Return whether the model knows a word of `text`. The vector of an unknown text is arbitrary."""

    def knows_whole_word(self, text: str) -> bool:
        """Return whether the model knows a whole word of `text`. Vectors of word fragments may be far off."""


class BioSkills(Protocol):
    """Finds the skills of the catalog that a guru's bio is about, by meaning."""

    async def of(self, bio: str, user_id: UUID) -> list[str]:
        """Return the skills, the surest first. None without a model, above the user's limit, or if it is too busy."""


class QueryRelations(Protocol):
    """Relates the phrases of searches to those of offers."""

    async def relate(self, phrase_id: int, words: str) -> str | None:
        """Relate the new phrase of a search and return the method. None: the embeddings job will do it."""
