"""The signed hash chain of waivers. Each link covers one record, one PDF and, by its hash, all earlier links.

A link has no personal data, so it stays when its record is erased.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from porchlight.features.waivers.canonical import canonical_json, sha256_hex
from porchlight.features.waivers.keys import KEY_ID, WaiverKey
from tenants.kit.clock import to_iso8601

_HASH = re.compile(r"[0-9a-f]{64}")
_PATTERNS = {
    "chainId": re.compile(r"[A-Za-z0-9:._-]{1,100}"),
    "previous": _HASH,
    "recordSha256": _HASH,
    "pdfSha256": _HASH,
    "at": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"),
    "keyId": KEY_ID,
}


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The number and the hash of a chain's newest link."""

    number: int
    sha256: str


EMPTY_CHAIN = ChainHead(0, "0" * 64)


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A link. `previous`: the hash of the link before, zeros in the first link. `at`: RFC 3339, UTC, whole seconds."""

    chain_id: str
    number: int
    previous: str
    record_sha256: str
    pdf_sha256: str
    at: str
    key_id: str

    @classmethod
    def parse(cls, value: Any) -> ChainLink:
        """Return the link of a JSON object with exactly the members of `to_json`. Raises ValueError."""
        if not isinstance(value, dict) or set(value) != {*_PATTERNS, "number"}:
            raise ValueError("A link has other members.")
        number = value["number"]
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise ValueError("A link's number is not a positive integer.")
        for name, pattern in _PATTERNS.items():
            if not isinstance(value[name], str) or not pattern.fullmatch(value[name]):
                raise ValueError(f"A link's {name} is malformed.")
        return cls(
            value["chainId"],
            number,
            value["previous"],
            value["recordSha256"],
            value["pdfSha256"],
            value["at"],
            value["keyId"],
        )

    def to_json(self) -> dict[str, str | int]:
        """Return the link as a JSON object."""
        return {
            "chainId": self.chain_id,
            "number": self.number,
            "previous": self.previous,
            "recordSha256": self.record_sha256,
            "pdfSha256": self.pdf_sha256,
            "at": self.at,
            "keyId": self.key_id,
        }

    @property
    def signed_bytes(self) -> bytes:
        """Return the canonical form, which is hashed and signed."""
        return canonical_json(self.to_json())

    @property
    def head(self) -> ChainHead:
        """Return the head of a chain that ends with this link."""
        return ChainHead(self.number, sha256_hex(self.signed_bytes))


@dataclass(frozen=True, slots=True)
class SignedChainLink:
    """A link with its Ed25519 signature, 64 bytes."""

    link: ChainLink
    signature: bytes


@dataclass(frozen=True, slots=True)
class LinkContent:
    """The hashes that a link covers, in hexadecimal, and its time, timezone-aware."""

    record_sha256: str
    pdf_sha256: str
    at: datetime


def sign_next_link(chain_id: str, head: ChainHead, content: LinkContent, key: WaiverKey) -> SignedChainLink:
    """Return the link after `head`, signed. Raises ValueError for malformed ids or hashes."""
    link = ChainLink(
        chain_id,
        head.number + 1,
        head.sha256,
        content.record_sha256,
        content.pdf_sha256,
        to_iso8601(content.at),
        key.id,
    )
    ChainLink.parse(link.to_json())
    return SignedChainLink(link, key.sign(link.signed_bytes))


def link_fault(signed: SignedChainLink, keys: Mapping[str, Ed25519PublicKey]) -> str | None:
    """Return what is wrong with a link's signature as a sentence, or None. `keys`: the accepted keys by id."""
    link = signed.link
    key = keys.get(link.key_id)
    if key is None:
        return f"Link {link.number} is signed with an unknown key."
    try:
        key.verify(signed.signature, link.signed_bytes)
    except InvalidSignature:
        return f"Link {link.number} has an invalid signature."
    return None


def chain_fault(
    links: Iterable[SignedChainLink], keys: Mapping[str, Ed25519PublicKey], after: ChainHead = EMPTY_CHAIN
) -> str | None:
    """Return the first fault of consecutive links of one chain as a sentence, or None.

    `after`: the head that the first link follows. A removed end cannot be seen here: compare the last link's head with
    one that is stored elsewhere.
    """
    chain_id = None
    for signed in links:
        link = signed.link
        chain_id = chain_id or link.chain_id
        if link.chain_id != chain_id:
            return f"Link {link.number} belongs to another chain."
        if link.number != after.number + 1:
            return f"Link {after.number + 1} is missing."
        if link.previous != after.sha256:
            return f"Link {link.number} does not follow link {after.number}: one of them was changed."
        fault = link_fault(signed, keys)
        if fault:
            return fault
        after = link.head
    return None
