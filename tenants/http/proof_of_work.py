"""Proof of work: a sender spends about a second of computing on a message while a form is flooded.

The server keeps no state. A challenge names its difficulty and expiry and is signed for one message: the form, its
owner and the message's idempotency key. So it fits no other form, and a second use is a resend of the same message.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from dataclasses import dataclass

from tenants.kit.errors import ProductError

HEADER = "porchlight-proof"
DIFFICULTY_BITS = 18  # 260,000 hashes on average: about a second on a phone
TTL_SECONDS = 600
MAX_PROOF_LENGTH = 100
_MAC_BYTES = 16  # short: the challenge and its answer fit one block of SHA-256


class ProofRequired(ProductError):
    """A form under a flood. The response has the challenge to solve; a browser without JavaScript shows the message."""

    status = 429
    code = "proof_required"
    message = (
        "This form is getting a lot of messages right now. Please turn on JavaScript and send yours again, or try "
        "again in an hour."
    )

    def __init__(self, challenge: str) -> None:
        super().__init__(retry_after=1)
        self.challenge = challenge

    def body(self) -> dict[str, object]:
        """Return the response's JSON, with the challenge in the error."""
        body = super().body()
        return body | {"error": {"code": self.code, "message": self.message, "challenge": self.challenge}}


@dataclass(frozen=True, slots=True)
class ProofOfWork:
    """The proof of work of one message. `proof` is what its sender sent: `<challenge>:<answer>`, or ""."""

    secret: bytes
    subject: str  # the form, its owner and the message's idempotency key
    proof: str = ""

    def challenge(self) -> str:
        """Return a new challenge: `<bits>.<Unix time of expiry>.<signature>`."""
        terms = f"{DIFFICULTY_BITS}.{int(time.time()) + TTL_SECONDS}"
        return f"{terms}.{self._signature(terms)}"

    def is_valid(self) -> bool:
        """Return whether `proof` solves an unexpired challenge for this message."""
        challenge, _, answer = self.proof.partition(":")
        terms, _, signature = challenge.rpartition(".")
        if not answer or len(self.proof) > MAX_PROOF_LENGTH or not self.proof.isascii():
            return False
        if not hmac.compare_digest(signature, self._signature(terms)):
            return False
        bits, _, expires_at = terms.partition(".")
        return int(expires_at) > time.time() and is_solution(self.proof, int(bits))

    def _signature(self, terms: str) -> str:
        message = f"proof of work\0{self.subject}\0{terms}".encode()
        return hmac.digest(self.secret, message, "sha256")[:_MAC_BYTES].hex()


def is_solution(proof: str, bits: int) -> bool:
    """Return whether the SHA-256 of a challenge with its answer starts with `bits` zero bits."""
    return int.from_bytes(hashlib.sha256(proof.encode()).digest()) >> (256 - bits) == 0
