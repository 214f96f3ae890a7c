"""Signed events of Stripe, from two endpoints: one for the platform's own events, one for connected accounts'.

The SDK's verification accepts any time in the future and raises various errors for odd bodies, so the signature is
verified here, as Stripe documents it. Everything that is wrong with a body is BadSignature, before or after the check.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from porchlight.payment_ports import BadSignature, ProviderEvent
from tenants.kit import clock

MAX_BODY_BYTES = 256 * 1024
MAX_AGE_SECONDS = 300  # between the signing of an event and its arrival
MAX_AHEAD_SECONDS = 60  # our clock may be late
MAX_HEADER_CHARACTERS = 2000
MAX_SIGNATURES = 10  # in one header; Stripe sends two while a secret is replaced
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,255}", re.ASCII)
_OBJECT_ID = re.compile(r"[A-Za-z0-9_.:-]{0,255}", re.ASCII)
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # PostgreSQL stores none
_SECONDS = re.compile(r"[0-9]{1,12}", re.ASCII)


def split_secrets(text: str) -> tuple[str, ...]:
    """Return the secrets of a comma list. During a rotation it has the new and the old one."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


class EventReader:
    """Verifies and parses webhooks. The secret that matches names the endpoint."""

    def __init__(self, platform_secrets: str, connect_secrets: str) -> None:
        self._secrets: tuple[tuple[Literal["platform", "connect"], str], ...] = (
            *(("platform", secret) for secret in split_secrets(platform_secrets)),
            *(("connect", secret) for secret in split_secrets(connect_secrets)),
        )

    def event(self, body: bytes, signature: str) -> ProviderEvent:
        """Return the event in the raw body of a webhook. Raises BadSignature."""
        if len(body) > MAX_BODY_BYTES or len(signature) > MAX_HEADER_CHARACTERS:
            raise BadSignature
        endpoint = self._endpoint(body, signature)
        return parse_event(body, endpoint)

    def _endpoint(self, body: bytes, header: str) -> Literal["platform", "connect"]:
        signed_at, signatures = _parse_header(header)
        age = clock.machine_now().timestamp() - signed_at  # the sender's clock
        if not -MAX_AHEAD_SECONDS <= age <= MAX_AGE_SECONDS:
            raise BadSignature
        signed = f"{signed_at}.".encode() + body
        for endpoint, secret in self._secrets:
            expected = hmac.new(secret.encode(), signed, "sha256").hexdigest()
            if any(hmac.compare_digest(expected, given) for given in signatures):
                return endpoint
        raise BadSignature


def parse_event(body: bytes, endpoint: Literal["platform", "connect"]) -> ProviderEvent:
    """Return the event of a body that is authentic. Raises BadSignature for anything that is no event."""
    try:
        parsed = json.loads(body.decode("utf-8"))
        text = json.dumps(parsed, ensure_ascii=False)
        text.encode()  # raises ValueError for a lone surrogate, which the parser accepts
        data = parsed["data"]["object"]
        values = _strings(parsed, ("id", "type")), _strings(data, ("object",))
        created = datetime.fromtimestamp(_integer(parsed["created"]), UTC)
        livemode = parsed["livemode"]
        account = _checked(parsed.get("account") or "", _OBJECT_ID)
        object_id = _checked(data.get("id") or "", _OBJECT_ID)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError, OSError) as error:
        raise BadSignature from error
    (event_id, kind), (object_kind,) = values
    if not isinstance(livemode, bool) or _NUL.search(text):
        raise BadSignature
    return ProviderEvent(event_id, kind, account, endpoint, livemode, created, object_id, object_kind, body)


def _strings(source: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    return [_checked(source[name], _ID) for name in names]


def _checked(value: object, pattern: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError("not an identifier")
    return value


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("not an integer")
    return value


def _parse_header(header: str) -> tuple[int, list[str]]:
    """Return the time and the signatures of a header `t=…,v1=…[,v1=…]`. Raises BadSignature."""
    pairs = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in pairs if name == "t"]
    signatures = [value for name, _, value in pairs if name == "v1" and _HEX.fullmatch(value)]
    if len(times) != 1 or not _SECONDS.fullmatch(times[0]) or not 1 <= len(signatures) <= MAX_SIGNATURES:
        raise BadSignature
    return int(times[0]), signatures
